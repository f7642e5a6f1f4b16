// @ts-check
/** What if a number, a unit, a line-up or a strategy were another: many battles on this device, before and after. @module */

import { Form } from "../studio/form.js";
import { Changes } from "../studio/record.js";
import { h } from "./dom.js";
import { percent } from "./odds.js";

const BATTLES = 10_000;

export class WhatIf {
  /** @param {any} rules @param {any} packed @param {any} cast @param {import("../studio/record.js").Editing} editing @param {string[]} sides */
  constructor(rules, packed, cast, editing, sides) {
    this.rules = rules;
    this.packed = packed;
    this.sides = sides;
    this.base = null;
    this.changes = new Changes(packed, editing, cast.units.filter((/** @type {any} */ { spare }) => !spare));
    /** @type {Record<string, number>} */
    this.edits = {};
    const set = (/** @type {string[]} */ path, /** @type {number} */ value) => this.change(this.changes.with(this.edits, path, value));
    this.form = new Form({ setNumber: set, setChoice: set });
    this.list = h("ul", { class: "kept" });
    this.button = h("button", { type: "button", onclick: () => this.ask() }, `Play ${BATTLES.toLocaleString("en")} battles`);
    this.answer = h("div", { class: "answer", role: "status" });
    this.element = h(
      "section",
      { class: "what-if", "aria-label": "What if" },
      h("h2", null, "What if?"),
      h("p", { class: "hint" }, "Change numbers, units, the line-up or how a side plays, and see what it is worth."),
      h("p", null, this.button),
      this.list,
      this.answer,
      this.form.element,
    );
    this.change({});
  }

  /** Go there with the focus. */
  go() {
    this.element.scrollIntoView({ block: "nearest" });
    this.element.querySelector("summary")?.focus();
  }

  /** @param {Record<string, number>} edits */
  change(edits) {
    this.edits = edits;
    this.form.show(this.changes.form(edits));
    const rows = this.changes.words(edits).map(([key, told]) => {
      const away = () => {
        const { [key]: _, ...others } = this.edits;
        this.change(others);
      };
      return h("li", null, told, " ", h("button", { type: "button", class: "quiet", onclick: away, "aria-label": `Take back: ${told}` }, "×"));
    });
    this.list.replaceChildren(...rows);
  }

  async ask() {
    this.button.disabled = true;
    this.answer.textContent = "Playing …";
    try {
      const told = this.changes.words(this.edits).map(([, each]) => each);
      const record = this.changes.edited(this.edits);
      this.base ??= await this.rules.simulate(this.packed.record, { count: BATTLES });
      const after = told.length > 0 ? await this.rules.simulate(record, { count: BATTLES }) : null;
      this.answer.replaceChildren(this.table(told.join("; "), after));
    } catch (error) {
      this.answer.textContent = `${/** @type {Error} */ (error).message}.`;
    } finally {
      this.button.disabled = false;
    }
  }

  /** The odds before the changes, and after them if there are some. @param {string} told @param {any} after */
  table(told, after) {
    const columns = [["as it is", this.base], ...(after === null ? [] : [[told, after]])];
    const row = (/** @type {number} */ side) =>
      h(
        "tr",
        null,
        h("th", { scope: "row", class: `side${side}` }, this.sides[side - 1]),
        ...columns.map(([, odds]) => {
          const [low, high] = odds.interval(side);
          return h("td", null, h("strong", null, percent(odds.share(side))), ` ${percent(low)} to ${percent(high)}`);
        }),
      );
    const heads = ["wins", ...columns.map(([text]) => text)].map((text) => h("th", { scope: "col" }, text));
    return h("table", null, h("thead", null, h("tr", null, ...heads)), h("tbody", null, row(1), row(2)));
  }
}
