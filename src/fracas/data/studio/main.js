// @ts-check
/** The studio's page: a scenario behind `fracas studio`, or an entry on a server. @module */

import { h } from "../web/dom.js";
import { Refused, ask, listen } from "./ask.js";
import { openDialog, shareDialog } from "./dialogs.js";
import { EntryStudio } from "./entry.js";
import { Odds } from "./odds.js";
import { buttonOf, refusal } from "./panels.js";
import { documentOf, valueOf } from "./share.js";
import { download } from "./sheets.js";
import { Studio, byId, drafts } from "./studio.js";
import { battlesPanel, comparePanel, momentPanel, numbersPanel, whyPanel } from "./studies.js";
import { Tabs } from "./tabs.js";

const DRAFT = { again: "What you had not saved is here again.", newer: "The file was changed since by another program." };

class FileStudio extends Studio {
  /** @param {string} nonce */
  constructor(nonce) {
    super(nonce, new Odds());
    this.file = { name: "", canSave: false, site: "" };
    const desk = {
      body: () => this.body(),
      key: () => this.checked.key,
      names: () => this.checked.names,
      versions: () => this.versions.filter(({ text }) => text !== this.editor.text),
      /** @param {string[]} path @param {any} value */
      apply: (path, value) => this.edit(path, () => ask("value", { ...this.body(), path, value })),
    };
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
    byId("desk").replaceChildren(this.text, this.odds.element, this.tabs.element);
    const wide = matchMedia("(min-width: 1900px)");
    const place = () => {
      if (wide.matches) byId("desk").insertBefore(this.form.element, this.odds.element);
      this.tabs.withoutFirst(wide.matches);
    };
    wide.addEventListener("change", place);
    if (wide.matches) place();
    const share = shareDialog(() => ({ name: this.name, text: this.editor.text }), () => this.file.site, async () => (await ask("pack", this.body())).bundle);
    const open = openDialog((found, how) => this.open(found.name, found.text, how));
    this.saving = buttonOf("Save", () => this.save(), { class: "primary", title: "Save (Ctrl-S)" });
    byId("actions").append(buttonOf("Open …", open), buttonOf("Share …", share), buttonOf("Keep", () => this.keep(`version ${this.versions.length + 1}`), { title: "Keep this version, to compare later ones with it" }), this.saving);
    addEventListener("beforeunload", (event) => this.isUnsaved() && event.preventDefault());
    addEventListener("hashchange", () => this.follow(location.hash));
  }

  body() {
    return { text: this.editor.text, foreign: this.isForeign, name: this.name };
  }

  isUnsaved() {
    return this.file.canSave && this.editor.text !== this.savedText;
  }

  isKept() {
    return this.editor.text === this.savedText || (this.savedText === "" && this.editor.text === this.versions.at(-1)?.text);
  }

  async begin() {
    const found = await ask("document");
    this.file = { name: found.name, canSave: found.can_save, site: found.site };
    this.seen = found.seen;
    this.savedText = found.seen === null ? "" : found.text;
    this.saving.textContent = this.file.canSave ? "Save" : "Download";
    this.draft = drafts(found.name);
    this.startWith(found, found.seen === null ? "as it began" : "as opened", DRAFT);
  }

  named() {
    byId("name").textContent = this.name;
    document.title = `${this.name} – Fracas Studio`;
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

  aged() {
    for (const panel of [this.compare, this.why, this.numbers, this.moment]) panel.age();
  }

  showSaved() {
    byId("saved").textContent = !this.file.canSave ? "" : this.isUnsaved() ? "Not saved" : "Saved";
    byId("saved").dataset.state = this.isUnsaved() ? "open" : "kept";
  }

  /** @param {any} body @param {(odds: any) => void} take @param {AbortSignal} signal */
  play(body, take, signal) {
    return listen("odds", body, take, signal);
  }

  /** @param {any} checked */
  refresh(checked) {
    byId("about").textContent = `${checked.ruleset}: ${checked.names.join(" against ")}`;
    this.refreshTool();
  }

  refreshTool() {
    if (this.checked.key === null) return;
    const name = this.tabs?.name;
    if (name === "Battles") this.battles.refresh();
    if (name === "Compare") this.compare.refresh();
    if (name === "What helps") this.numbers.refresh();
    if (name === "Moment") this.moment.refresh(this.checked);
  }

  /** Keep the text as a version to compare with. @param {string} label */
  keep(label) {
    super.keep(label);
    byId("saved").textContent = `Kept as ${label}`;
    this.compare.refresh();
  }

  /** @param {string | null} [seen] The state of the file that may be overwritten. */
  async save(seen = this.seen) {
    const text = this.editor.text;
    if (!this.file.canSave) {
      download(this.name, text);
      return;
    }
    try {
      const saved = await ask("save", { ...this.body(), seen });
      this.seen = saved.seen;
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
      this.seen = seen;
      this.savedText = text;
      this.load(this.file.name, text, false, "as loaded");
    });
    const over = buttonOf("Overwrite it", () => this.save(seen));
    this.banner(`${this.file.name} was changed by another program. Nothing was saved. `, load, " ", over);
  }
}

async function start() {
  const form = document.querySelector("form[data-editor]");
  if (form !== null) {
    new EntryStudio(form).begin();
    return;
  }
  const script = /** @type {any} */ (document.querySelector("script[nonce]"));
  const fragment = location.hash;
  const token = fragment.slice(1).split("&").find((part) => part.startsWith("token="))?.slice(6);
  if (token !== undefined) {
    // The token leaves the address before anything else happens, so that no history keeps it.
    history.replaceState(null, "", location.pathname);
    await ask("session", { token });
  }
  const studio = new FileStudio(script.nonce);
  await studio.begin();
  if (fragment.includes("doc=")) await studio.follow(fragment);
}

start().catch((error) => {
  byId("desk").replaceChildren(h("div", { class: "panel" }, refusal(error)));
});
