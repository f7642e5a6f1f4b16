// @ts-check
/** What every studio does: one text, checked as it rests, seen as a form and as what it is worth, with drafts. @module */

import { h } from "../web/dom.js";
import { Refused, ask, isStopped } from "./ask.js";
import { Editor } from "./editor.js";
import { Form } from "./form.js";
import { buttonOf, refusal } from "./panels.js";
import { Problems } from "./problems.js";

/** How long the text must rest before it is checked. */
const REST = 180;
const MOST_VERSIONS = 20;
/** How long to wait before somebody who did not answer is asked again. */
const AGAIN = 2000;

/** Unsaved text that outlives a reload, by what it is a draft of. @param {string} name */
export const drafts = (name) => ({
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
export const byId = (id) => document.getElementById(id);

export class Studio {
  /** @param {string} nonce @param {{ show: (odds: any, base: any) => void, age: () => void, element: any }} odds */
  constructor(nonce, odds) {
    this.name = "";
    this.isForeign = false;
    this.savedText = "";
    /** The state of what is saved, which the draft began with. @type {string | null} */
    this.seen = null;
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
    this.odds = odds;
    this.form = new Form({
      setNumber: (path, value) => this.edit(path, () => ask("number", { ...this.body(), path, value })),
      setChoice: (path, number) => this.edit(path, () => ask("choice", { ...this.body(), path, number })),
    });
    this.holder = h("div", { class: "editor" });
    this.problems = new Problems({ goTo: (from, to) => this.editor.select(from, to), apply: (fix) => this.editor.apply(fix) });
    this.text = h("section", { class: "text panel", "aria-label": "Text" }, this.holder, this.problems.element);
    this.editor = new Editor(this.holder, nonce, {
      onChange: () => this.changed(),
      onSave: () => this.save(),
      complete: (offset, signal) => ask("complete", { ...this.body(), offset }, signal),
    });
    this.draft = drafts("");
    this.retry = 0;
    addEventListener("online", () => this.check());
  }

  /** What is asked about. @returns {any} */
  body() {
    return { text: this.editor.text };
  }

  save() {}

  /** What else has to know that the text changed. */
  aged() {}

  /** What else shows a text that plays. @param {any} checked */
  refresh(checked) {
    void checked;
  }

  showSaved() {}

  /** Whether the text is what is saved, so that no draft of it is kept. */
  isKept() {
    return this.editor.text === this.savedText;
  }

  /** Count battles; `take` gets the odds as they tighten. @param {any} body @param {(odds: any) => void} take @param {AbortSignal} signal @returns {Promise<void>} */
  async play(body, take, signal) {
    void [body, take, signal];
  }

  /** Begin with what is saved, or with the draft that was left of it. @param {{ name: string, text: string, seen: string | null }} found @param {string} label @param {{ again: string, newer: string }} words */
  startWith(found, label, words) {
    const draft = this.draft.read();
    this.load(found.name, found.text, false, label);
    if (draft !== null && draft.text !== found.text) this.restore(draft, found, words);
  }

  /** Bring back text that was not saved; what is saved stays one of the versions. @param {any} draft @param {any} found @param {{ again: string, newer: string }} words */
  restore(draft, found, words) {
    this.name = draft.name;
    this.isForeign = draft.isForeign;
    this.named();
    this.editor.open(draft.text, draft.name.endsWith(".json"));
    const drop = buttonOf("Discard it", () => this.load(found.name, found.text, false, "as opened"));
    this.banner(`${words.again}${draft.seen === found.seen ? "" : ` ${words.newer}`} `, drop);
  }

  /** @param {string} name @param {string} text @param {boolean} isForeign @param {string} label */
  load(name, text, isForeign, label) {
    this.name = name;
    this.isForeign = isForeign;
    this.versions = [{ label, text }];
    this.counted.clear();
    this.named();
    this.banner();
    this.editor.open(text, name.endsWith(".json"));
  }

  /** The text has a name now. */
  named() {}

  /** @param {...any} parts */
  banner(...parts) {
    byId("banner").replaceChildren(...(parts.length ? [h("p", null, ...parts)] : []));
  }

  changed() {
    this.showSaved();
    const { name, isForeign, editor, seen } = this;
    this.draft.keep(this.isKept() && !isForeign ? null : { name, isForeign, text: editor.text, seen });
    this.aged();
    clearTimeout(this.timer);
    this.wanted += 1;
    this.timer = setTimeout(() => this.check(), REST);
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
        // A form may know how to mend what is wrong.
        if (checked.sides) this.form.show(checked.sides);
        this.form.mark(checked.problems);
        this.refused(checked);
        return;
      }
      this.checked = checked;
      this.count();
      const { sides } = checked.sides ? checked : await ask("form", this.body(), control.signal);
      if (number !== this.wanted) return;
      this.form.show(sides);
      this.form.mark(checked.problems);
      this.refresh(checked);
    } catch (error) {
      if (isStopped(error)) return;
      this.banner(refusal(error));
      // Nothing answered, or had no time: what was asked is asked again, so that work goes on by itself once something does.
      if (error instanceof Refused && [0, 429, 503].includes(error.status)) {
        clearTimeout(this.retry);
        this.retry = setTimeout(() => this.check().then(() => this.checked.key !== null && this.banner()), AGAIN);
      }
    }
  }

  /** The text does not play. @param {any} checked */
  refused(checked) {
    void checked;
  }

  /** Count battles of the text as it is, next to the last version. */
  async count() {
    this.oddsControl.abort();
    const control = (this.oddsControl = new AbortController());
    const body = this.body();
    const last = this.versions.find(({ text }) => text !== body.text);
    const base = last === undefined ? null : (this.counted.get(last.text) ?? null);
    try {
      await this.play(body, (odds) => {
        if (control.signal.aborted) return;
        this.counted.set(body.text, odds);
        this.odds.show(odds, base);
      }, control.signal);
    } catch (error) {
      if (!isStopped(error) && !(error instanceof TypeError)) this.banner(refusal(error));
    }
    while (this.counted.size > 3 * MOST_VERSIONS) this.counted.delete(this.counted.keys().next().value ?? "");
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
  }
}
