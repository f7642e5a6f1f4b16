// @ts-check
/** What all panels that ask the studio have in common: a button, a wait that can be ended, an answer or its problems. @module */

import { h } from "../web/dom.js";
import { isStopped } from "./ask.js";

/** A choice of one of some values. @param {string} label @param {[any, string][]} values */
export const choiceOf = (label, values) => h("select", { "aria-label": label }, ...values.map(([value, text]) => h("option", { value }, text)));

/** @param {any} select @param {[any, string][]} values Replaces the options, and keeps the choice if it is still there. */
export function rechoose(select, values) {
  const held = select.value;
  select.replaceChildren(...values.map(([value, text]) => h("option", { value }, text)));
  if (values.some(([value]) => String(value) === held)) select.value = held;
}

/** A button with a word. @param {string} text @param {() => void} act @param {any} [properties] */
export const buttonOf = (text, act, properties = {}) => h("button", { type: "button", onclick: act, ...properties }, text);

/** A panel whose answer takes a while. */
export class Panel {
  /**
   * @param {string} doing What the panel says while it waits.
   * @param {string} verb The word on its button.
   * @param {(signal: AbortSignal) => Promise<any[]>} answer
   */
  constructor(doing, verb, answer) {
    this.doing = doing;
    this.answer = answer;
    /** @type {AbortController | null} */
    this.control = null;
    this.go = buttonOf(verb, () => this.ask(), { class: "go" });
    this.end = buttonOf("Stop", () => this.stop(), { hidden: true });
    this.body = h("div", { class: "answer" });
    this.state = h("p", { class: "told", role: "status" });
    this.head = h("div", { class: "question" });
    this.element = h("div", { class: "asking" }, this.head, this.state, this.body);
  }

  async ask() {
    this.stop();
    const control = (this.control = new AbortController());
    this.state.textContent = `${this.doing} …`;
    this.end.hidden = false;
    this.go.setAttribute("aria-disabled", "true");
    try {
      const parts = await this.answer(control.signal);
      if (this.control !== control) return;
      this.body.replaceChildren(...parts);
      this.state.textContent = "";
    } catch (error) {
      if (this.control !== control) return;
      this.state.textContent = isStopped(error) ? "Stopped." : "";
      this.body.replaceChildren(...(isStopped(error) ? [] : [refusal(error)]));
    } finally {
      if (this.control === control) this.rest();
    }
  }

  /** The text has changed since it was asked about. */
  age() {
    if (this.control === null && this.body.children.length > 0) this.state.textContent = "This was the answer for an earlier text.";
  }

  stop() {
    if (this.control === null) return;
    this.control.abort();
    this.state.textContent = "Stopped.";
    this.rest();
  }

  rest() {
    this.control = null;
    this.end.hidden = true;
    this.go.removeAttribute("aria-disabled");
  }
}

/** What is wrong, as a list. @param {any} error */
export function refusal(error) {
  const problems = error.problems ?? [{ where: "", message: error.message, suggestion: null }];
  const lines = problems.map((/** @type {any} */ { where, message, suggestion }) =>
    h("li", null, where ? `${where}: ${message}` : message, suggestion ? ` (${suggestion})` : ""),
  );
  return h("ul", { class: "refusal" }, ...lines);
}
