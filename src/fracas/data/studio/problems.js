// @ts-check
/** The problems below the text: each leads to its place, and its suggestions are one click away. @module */

import { h } from "../web/dom.js";
import { buttonOf } from "./panels.js";

const WORDS = { error: "error", warning: "warning", info: "hint" };

export class Problems {
  /** @param {{ goTo: (from: number, to: number) => void, apply: (fix: any) => void }} does */
  constructor(does) {
    this.does = does;
    this.state = h("p", { class: "told", role: "status" });
    this.list = h("ol", { class: "problems" });
    this.element = h("div", { class: "problem-box" }, this.state, this.list);
  }

  /** @param {any[]} problems */
  show(problems) {
    const errors = problems.filter(({ severity }) => severity === "error").length;
    this.state.textContent = errors ? `${errors} ${errors === 1 ? "problem" : "problems"}` : problems.length ? "Valid, with remarks" : "Valid";
    this.state.dataset.state = errors ? "wrong" : "right";
    this.list.replaceChildren(...problems.map((problem) => this.item(problem)));
  }

  /** @param {any} problem */
  item({ severity, from, to, message, hint, path, fixes }) {
    const fixed = fixes.map((/** @type {any} */ fix) => buttonOf(fix.label, () => this.does.apply(fix), { class: "fix", title: `Write ${fix.label}` }));
    return h(
      "li",
      { class: severity },
      h("button", { type: "button", class: "where", onclick: () => this.does.goTo(from, to) }, h("span", { class: "kind" }, WORDS[/** @type {keyof typeof WORDS} */ (severity)]), " ", path && `${path}: `, message, hint && fixed.length === 0 ? ` (${hint})` : ""),
      fixed.length > 0 && h("span", { class: "fixes" }, "write ", ...fixed),
    );
  }
}
