// @ts-check
/** The studio on a server's page: an entry of a league instead of a scenario, submitted by the page's own form. @module */

import { h } from "../web/dom.js";
// @ts-ignore  Players ask for fracas.js as if it stood beside them, and so does this page.
import { loadRules, wilsonInterval } from "../web/fracas.js";
import { ask, askAt } from "./ask.js";
import { buttonOf, refusal } from "./panels.js";
import { Rivals } from "./rivals.js";
import { Studio, byId, drafts } from "./studio.js";

const DRAFT = { again: "What you had not submitted is here again.", newer: "A newer version was submitted since." };
/** Battles with each rival in the first round; each round plays as many again as all before. */
const FIRST_PART = 128;
const MOST_BATTLES = 8192;

/** A compiled battle as the server packed it. @param {string} packed */
async function recordOf(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** @param {any} rival @param {number} scored Points, a draw half of one. @param {number} battles */
const counted = ({ name, strength }, scored, battles) => ({ name, strength, share: scored / battles, interval: wilsonInterval(Math.round(scored), battles) });

export class EntryStudio extends Studio {
  /** @param {any} form The plain form; it submits, and it is all there is without scripts. */
  constructor(form) {
    const rivals = new Rivals();
    const script = /** @type {any} */ (document.querySelector("script[nonce]"));
    super(script.nonce, rivals);
    this.page = form;
    this.source = form.elements.namedItem("document");
    askAt(`/leagues/${form.dataset.editor}/editor/`);
    this.titled = drafts("");
    /** The rules as a module, or null where they have to be played by the server. @type {Promise<any>} */
    this.rules = form.dataset.module ? loadRules(form.dataset.module).catch(() => null) : Promise.resolve(null);
    for (const each of document.querySelectorAll(".unscripted")) /** @type {any} */ (each).hidden = true;
    const tools = h("section", { class: "tools panel" }, this.form.element);
    byId("desk").replaceChildren(tools, this.text, rivals.element);
    byId("desk").hidden = false;
    this.problems.element.id = "problems";
    this.state = h("p", { class: "cost", role: "status" });
    this.keeping = buttonOf("Keep", () => this.keep(`version ${this.versions.length + 1}`), { title: "Keep this version, to compare later ones with it" });
    byId("actions").append(this.state, rivals.summary, this.keeping);
    form.addEventListener("submit", (/** @type {any} */ event) => {
      event.preventDefault();
      this.submit(event.submitter);
    });
  }

  body() {
    const { entry } = this.page.dataset;
    return entry ? { text: this.editor.text, entry } : { text: this.editor.text };
  }

  begin() {
    const text = this.source.value.replaceAll("\r\n", "\n");
    const { draft, seen } = this.page.dataset;
    this.draft = drafts(draft);
    const title = this.page.elements.namedItem("title");
    this.titled = drafts(`the title of ${draft}`);
    if (title !== null) {
      title.value ||= this.titled.read() ?? "";
      title.addEventListener("input", () => this.titled.keep(title.value || null));
    }
    this.seen = seen;
    this.savedText = text;
    this.startWith({ name: text.trimStart().startsWith("{") ? "entry.json" : "entry.toml", text, seen }, "as it began", DRAFT);
  }

  /** @param {any} checked */
  refresh({ cost, points }) {
    this.state.textContent = `Legal, ${cost} of ${points} points`;
    this.state.dataset.state = "right";
  }

  /** @param {any} checked */
  refused({ problems }) {
    const errors = problems.length;
    this.state.replaceChildren(h("a", { href: "#problems" }, `${errors} ${errors === 1 ? "problem" : "problems"}`));
    this.state.dataset.state = "wrong";
  }

  /** @param {any} body @param {(odds: any) => void} take @param {AbortSignal} signal */
  async play(body, take, signal) {
    const rules = await this.rules;
    const { rivals, battles } = await ask("odds", { ...body, played: rules === null }, signal);
    if (rules === null) {
      take({ rivals: rivals.map((/** @type {any} */ rival) => counted(rival, rival.points, battles)), battles, here: false, done: true });
      return;
    }
    try {
      await this.playHere(rules, rivals, take, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // A module of before the server's last release, or one that this device stops.
      this.rules = Promise.resolve(null);
      await this.play(body, take, signal);
    }
  }

  /** Play on this device. @param {any} rules @param {any[]} rivals @param {(odds: any) => void} take @param {AbortSignal} signal */
  async playHere(rules, rivals, take, signal) {
    const records = await Promise.all(rivals.map(({ records: packed }) => Promise.all(packed.map(recordOf))));
    /** @type {number[]} */
    const scored = rivals.map(() => 0);
    /** @type {any[]} */
    const shown = rivals.map(({ name, strength }) => ({ name, strength, share: null, interval: null }));
    let [first, size] = [0, FIRST_PART / 2];
    while (2 * first < MOST_BATTLES) {
      for (const [place, rival] of rivals.entries()) {
        for (const [swapped, record] of records[place].entries()) {
          const { wins } = await rules.simulate(record, { first, count: size, signal });
          scored[place] += wins[0] / 2 + wins[1 + swapped];
        }
        shown[place] = counted(rival, scored[place], 2 * (first + size));
        take({ rivals: [...shown], battles: 2 * (first + size), here: true, done: false });
      }
      first += size;
      size = first;
    }
    take({ rivals: shown, battles: 2 * first, here: true, done: true });
  }

  /** Ctrl-S: everything is kept already. */
  save() {
    this.keep(`version ${this.versions.length + 1}`);
  }

  /** @param {string} label */
  keep(label) {
    super.keep(label);
    this.keeping.textContent = "Kept";
    setTimeout(() => (this.keeping.textContent = "Keep"), 1500);
  }

  /** Send the form. The draft goes once the entry has been accepted. @param {any} button */
  async submit(button) {
    this.source.value = this.editor.text;
    // A disabled button would not say what it does.
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(this.page, button)));
    button?.toggleAttribute("disabled", true);
    try {
      const answer = await fetch(this.page.action, { method: "POST", body: fields });
      if (answer.redirected && answer.ok) {
        for (const each of [this.draft, this.titled]) each.keep(null);
        location.assign(answer.url);
        return;
      }
      const told = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".problems");
      this.banner(told === null ? `The server answered ${answer.status}. Nothing was submitted.` : document.importNode(told, true));
      byId("banner").scrollIntoView({ block: "nearest" });
    } catch {
      this.banner(refusal(new Error("The server does not answer. Nothing was submitted; what you wrote is kept on this device.")));
    } finally {
      button?.toggleAttribute("disabled", false);
    }
  }
}
