// @ts-check
/** The studio's page: one document, seen as text, as a form and as what it is worth. @module */

import { h } from "../web/dom.js";
import { Refused, ask, isStopped, listen } from "./ask.js";
import { openDialog, shareDialog } from "./dialogs.js";
import { Editor } from "./editor.js";
import { Form } from "./form.js";
import { Odds } from "./odds.js";
import { buttonOf, refusal } from "./panels.js";
import { Problems } from "./problems.js";
import { documentOf, valueOf } from "./share.js";
import { download } from "./sheets.js";
import { battlesPanel, comparePanel, momentPanel, numbersPanel, whyPanel } from "./studies.js";
import { Tabs } from "./tabs.js";

/** How long the text must rest before it is checked. */
const REST = 180;
const MOST_VERSIONS = 20;
/** How long to wait before a studio that did not answer is asked again. */
const AGAIN = 2000;

/** Unsaved text that outlives a reload, by the name of the file. @param {string} name */
const drafts = (name) => ({
  key: `fracas-draft:${name}`,
  read() {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? "null");
    } catch {
      return null;
    }
  },
  /** @param {any} draft */
  keep(draft) {
    try {
      if (draft === null) localStorage.removeItem(this.key);
      else localStorage.setItem(this.key, JSON.stringify(draft));
    } catch {
      // A full or forbidden memory keeps nothing.
    }
  },
});

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

class Studio {
  /** @param {string} nonce */
  constructor(nonce) {
    this.file = { name: "", seen: /** @type {string | null} */ (null), canSave: false, site: "" };
    this.name = "";
    this.isForeign = false;
    this.savedText = "";
    /** Versions to compare with, the latest first. @type {{ label: string, text: string }[]} */
    this.versions = [];
    /** Odds by text, so that a version that was seen need not be counted again. @type {Map<string, any>} */
    this.counted = new Map();
    /** @type {any} */
    this.checked = { key: null, names: [] };
    this.wanted = 0;
    this.timer = 0;
    this.control = new AbortController();
    this.oddsControl = new AbortController();
    /** Changes of the form that are not written yet: the last value for each place. @type {Map<string, () => Promise<any>>} */
    this.edits = new Map();
    this.isWriting = false;

    const desk = {
      body: () => this.body(),
      key: () => this.checked.key,
      names: () => this.checked.names,
      versions: () => this.versions.filter(({ text }) => text !== this.editor.text),
      /** @param {string[]} path @param {any} value */
      apply: (path, value) => this.edit(path, () => ask("value", { ...this.body(), path, value })),
    };
    this.odds = new Odds();
    this.form = new Form({
      setNumber: (path, value) => this.edit(path, () => ask("number", { ...this.body(), path, value })),
      setChoice: (path, number) => this.edit(path, () => ask("choice", { ...this.body(), path, number })),
    });
    this.compare = comparePanel(desk);
    this.why = whyPanel(desk);
    this.numbers = numbersPanel(desk);
    this.moment = momentPanel(desk);
    this.battles = battlesPanel(desk, (stream) => {
      this.tabs.open("Why");
      this.why.askAbout(stream);
    });
    this.tabs = new Tabs("Form and questions", [
      { name: "Form", element: this.form.element },
      { name: "Battles", element: this.battles.element, onShow: () => this.refreshTool() },
      { name: "Compare", element: this.compare.element, onShow: () => this.refreshTool() },
      { name: "Why", element: this.why.element },
      { name: "What helps", element: this.numbers.element, onShow: () => this.refreshTool() },
      { name: "Moment", element: this.moment.element, onShow: () => this.refreshTool() },
    ]);
    const holder = h("div", { class: "editor" });
    this.problems = new Problems({ goTo: (from, to) => this.editor.select(from, to), apply: (fix) => this.editor.apply(fix) });
    const text = h("section", { class: "text panel", "aria-label": "Text" }, holder, this.problems.element);
    byId("desk").replaceChildren(text, this.odds.element, this.tabs.element);
    const wide = matchMedia("(min-width: 1900px)");
    const place = () => {
      if (wide.matches) byId("desk").insertBefore(this.form.element, this.odds.element);
      this.tabs.withoutFirst(wide.matches);
    };
    wide.addEventListener("change", place);
    if (wide.matches) place();
    this.editor = new Editor(holder, nonce, {
      onChange: () => this.changed(),
      onSave: () => this.save(),
      complete: (offset, signal) => ask("complete", { ...this.body(), offset }, signal),
    });
    const share = shareDialog(() => ({ name: this.name, text: this.editor.text }), () => this.file.site, async () => (await ask("pack", this.body())).bundle);
    const open = openDialog((found, how) => this.open(found.name, found.text, how));
    this.saving = buttonOf("Save", () => this.save(), { class: "primary", title: "Save (Ctrl-S)" });
    byId("actions").append(buttonOf("Open …", open), buttonOf("Share …", share), buttonOf("Keep", () => this.keep(`version ${this.versions.length + 1}`), { title: "Keep this version, to compare later ones with it" }), this.saving);
    addEventListener("beforeunload", (event) => this.isUnsaved() && event.preventDefault());
    addEventListener("hashchange", () => this.follow(location.hash));
    addEventListener("online", () => this.check());
    this.draft = drafts("");
    this.retry = 0;
  }

  body() {
    return { text: this.editor.text, foreign: this.isForeign, name: this.name };
  }

  isUnsaved() {
    return this.file.canSave && this.editor.text !== this.savedText;
  }

  async begin() {
    const found = await ask("document");
    this.file = { name: found.name, seen: found.seen, canSave: found.can_save, site: found.site };
    this.savedText = found.seen === null ? "" : found.text;
    this.saving.textContent = this.file.canSave ? "Save" : "Download";
    this.draft = drafts(found.name);
    const draft = this.draft.read();
    this.load(found.name, found.text, false, found.seen === null ? "as it began" : "as opened");
    if (draft !== null && draft.text !== found.text) this.restore(draft, found);
  }

  /** Bring back text that was not saved; the file stays one of the versions. @param {any} draft @param {any} found */
  restore(draft, found) {
    this.name = draft.name;
    this.isForeign = draft.isForeign;
    byId("name").textContent = draft.name;
    this.editor.open(draft.text, draft.name.endsWith(".json"));
    const changed = draft.seen === found.seen ? "" : ` ${found.name} was changed since by another program.`;
    const drop = buttonOf("Discard it", () => this.load(found.name, found.text, false, "as opened"));
    this.banner(`What you had not saved is here again.${changed} `, drop);
  }

  /** @param {string} name @param {string} text @param {boolean} isForeign @param {string} label */
  load(name, text, isForeign, label) {
    this.name = name;
    this.isForeign = isForeign;
    this.versions = [{ label, text }];
    this.counted.clear();
    byId("name").textContent = name;
    document.title = `${name} – Fracas Studio`;
    this.banner();
    this.editor.open(text, name.endsWith(".json"));
  }

  /** Another document takes the place of the one that is here. @param {string} name @param {string} text @param {string} how */
  open(name, text, how) {
    if (this.isUnsaved() && !confirm("The text is not saved. Open another one in its place?")) return;
    const words = { link: "as shared", file: "as opened", example: "the example" };
    const isForeign = how !== "example";
    this.load(isForeign ? name : this.file.name, text, isForeign, words[/** @type {keyof typeof words} */ (how)]);
    if (isForeign) {
      this.banner("This comes from elsewhere: it sees the shipped content only, and no file of this machine.", this.file.canSave ? ` Saving writes it to ${this.file.name}.` : "");
    }
  }

  /** Open the document of a link. @param {string} fragment */
  async follow(fragment) {
    try {
      const value = await valueOf(fragment);
      if (value === null) return;
      const { name, text } = documentOf(value);
      history.replaceState(null, "", location.pathname);
      this.open(name, text, "link");
    } catch (error) {
      this.banner(`The link cannot be opened: ${/** @type {Error} */ (error).message}.`);
    }
  }

  /** @param {...any} parts */
  banner(...parts) {
    byId("banner").replaceChildren(...(parts.length ? [h("p", null, ...parts)] : []));
  }

  changed() {
    this.showSaved();
    const { name, isForeign, editor } = this;
    const isKept = editor.text === this.savedText || (this.savedText === "" && editor.text === this.versions.at(-1)?.text);
    this.draft.keep(isKept && !isForeign ? null : { name, isForeign, text: editor.text, seen: this.file.seen });
    for (const panel of [this.compare, this.why, this.numbers, this.moment]) panel.age();
    clearTimeout(this.timer);
    this.wanted += 1;
    this.timer = setTimeout(() => this.check(), REST);
  }

  showSaved() {
    byId("saved").textContent = !this.file.canSave ? "" : this.isUnsaved() ? "Not saved" : "Saved";
    byId("saved").dataset.state = this.isUnsaved() ? "open" : "kept";
  }

  async check() {
    const number = this.wanted;
    this.control.abort();
    const control = (this.control = new AbortController());
    try {
      const checked = await ask("check", this.body(), control.signal);
      if (number !== this.wanted) return;
      this.editor.mark(checked.problems);
      this.problems.show(checked.problems);
      if (checked.key === null) {
        this.oddsControl.abort();
        this.odds.age();
        this.checked = { ...this.checked, key: null };
        return;
      }
      this.checked = checked;
      byId("about").textContent = `${checked.ruleset}: ${checked.names.join(" against ")}`;
      this.count();
      const { sides } = await ask("form", this.body(), control.signal);
      if (number !== this.wanted) return;
      this.form.show(sides);
      this.refreshTool();
    } catch (error) {
      if (isStopped(error)) return;
      this.banner(refusal(error));
      // Nothing answered: what was asked is asked again, so that work goes on by itself once something does.
      if (error instanceof Refused && error.status === 0) {
        clearTimeout(this.retry);
        this.retry = setTimeout(() => this.check().then(() => this.checked.key !== null && this.banner()), AGAIN);
      }
    }
  }

  /** Count battles of the text as it is, next to the last version. */
  async count() {
    this.oddsControl.abort();
    const control = (this.oddsControl = new AbortController());
    const body = this.body();
    const last = this.versions.find(({ text }) => text !== body.text);
    const base = last === undefined ? null : (this.counted.get(last.text) ?? null);
    try {
      await listen("odds", body, (odds) => {
        if (control.signal.aborted) return;
        this.counted.set(body.text, odds);
        this.odds.show(odds, base);
      }, control.signal);
    } catch (error) {
      if (!isStopped(error) && !(error instanceof TypeError)) this.banner(refusal(error));
    }
    while (this.counted.size > 3 * MOST_VERSIONS) this.counted.delete(this.counted.keys().next().value ?? "");
  }

  refreshTool() {
    if (this.checked.key === null) return;
    const name = this.tabs?.name;
    if (name === "Battles") this.battles.refresh();
    if (name === "Compare") this.compare.refresh();
    if (name === "What helps") this.numbers.refresh();
    if (name === "Moment") this.moment.refresh(this.checked);
  }

  /** Let the studio write one change into the text. Changes are written one after another. @param {string[]} path @param {() => Promise<{ text: string }>} write */
  async edit(path, write) {
    this.edits.set(path.join("."), write);
    if (this.isWriting) return;
    this.isWriting = true;
    try {
      for (;;) {
        const next = this.edits.entries().next().value;
        if (next === undefined) break;
        this.edits.delete(next[0]);
        const before = this.editor.text;
        const { text } = await next[1]();
        // Whoever typed in between goes first.
        if (this.editor.text === before) this.editor.write(text);
        this.banner();
      }
    } catch (error) {
      this.edits.clear();
      this.banner(refusal(error));
    } finally {
      this.isWriting = false;
    }
  }

  /** Keep the text as a version to compare with. @param {string} label */
  keep(label) {
    const text = this.editor.text;
    this.versions = [{ label, text }, ...this.versions.filter((each) => each.text !== text)].slice(0, MOST_VERSIONS);
    byId("saved").textContent = `Kept as ${label}`;
    this.compare.refresh();
  }

  /** @param {string | null} [seen] The state of the file that may be overwritten. */
  async save(seen = this.file.seen) {
    const text = this.editor.text;
    if (!this.file.canSave) {
      download(this.name, text);
      return;
    }
    try {
      const saved = await ask("save", { ...this.body(), seen });
      this.file.seen = saved.seen;
      this.savedText = text;
      this.draft.keep(null);
      this.keep(`saved at ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })}`);
      if (this.isForeign) this.load(this.file.name, text, false, "as saved");
      this.banner();
      this.showSaved();
    } catch (error) {
      if (error instanceof Refused && error.message === "changed") this.settle();
      else this.banner(refusal(error));
    }
  }

  /** The file was written by somebody else since it was opened here. */
  async settle() {
    const { text, seen } = await ask("document");
    const load = buttonOf("Load the file", () => {
      this.file.seen = seen;
      this.savedText = text;
      this.load(this.file.name, text, false, "as loaded");
    });
    const over = buttonOf("Overwrite it", () => this.save(seen));
    this.banner(`${this.file.name} was changed by another program. Nothing was saved. `, load, " ", over);
  }
}

async function start() {
  const script = /** @type {any} */ (document.querySelector("script[nonce]"));
  const fragment = location.hash;
  const token = fragment.slice(1).split("&").find((part) => part.startsWith("token="))?.slice(6);
  if (token !== undefined) {
    // The token leaves the address before anything else happens, so that no history keeps it.
    history.replaceState(null, "", location.pathname);
    await ask("session", { token });
  }
  const studio = new Studio(script.nonce);
  await studio.begin();
  if (fragment.includes("doc=")) await studio.follow(fragment);
}

start().catch((error) => {
  byId("desk").replaceChildren(h("div", { class: "panel" }, refusal(error)));
});
