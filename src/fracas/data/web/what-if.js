// @ts-check
/** What if a number were another: many battles on this device, before and after one change. @module */

import { h } from "./dom.js";

const BATTLES = 10_000;
const STEPS = [-50, -25, -10, 10, 25, 50, 100];

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** A value changed by a percentage; the difference is at least 1. @param {number} value @param {number} by */
export function changed(value, by) {
  const next = Math.round((value * (100 + by)) / 100);
  return next === value ? value + Math.sign(by) : next;
}

export class WhatIf {
  /** @param {any} rules @param {any} packed @param {any} cast @param {any[]} changes @param {string[]} sides */
  constructor(rules, packed, cast, changes, sides) {
    this.rules = rules;
    this.packed = packed;
    this.changes = changes;
    this.sides = sides;
    this.base = null;
    this.control = new AbortController();
    /** @param {any[]} each */
    const options = (each) => each.map(([value, text]) => h("option", { value }, text));
    const fielded = cast.units.filter((/** @type {any} */ { spare }) => !spare);
    const units = fielded.map((/** @type {any} */ { place, name, side }) => {
      return [place, name === sides[side - 1] ? name : `${name} (${sides[side - 1]})`];
    });
    this.who = h("select", { "aria-label": "Unit" }, ...options(units));
    this.what = h("select", { "aria-label": "Value" }, ...options(changes.map(({ name }, at) => [at, name])));
    const steps = STEPS.map((by) => [by, `${by > 0 ? "+" : "−"}${Math.abs(by)} %`]);
    this.by = h("select", { "aria-label": "Change" }, ...options(steps));
    this.by.value = "10";
    this.button = h("button", { type: "button", onclick: () => this.ask() }, `Play ${BATTLES.toLocaleString("en")} battles`);
    this.answer = h("div", { class: "answer", role: "status" });
    this.element = h(
      "section",
      { class: "what-if", "aria-label": "What if" },
      h("h2", null, "What if?"),
      h("p", null, this.who, " has ", this.by, " ", this.what, " ", this.button),
      this.answer,
    );
  }

  /** The record after the change, and the change in words. */
  edited() {
    const place = Number(this.who.value);
    const record = this.packed.record.copy();
    const { name, paths } = this.changes[Number(this.what.value)];
    let told = "";
    for (const path of paths(place)) {
      const [old, next] = [record.get(path), changed(record.get(path), Number(this.by.value))];
      record.set(path, next);
      told ||= `${name} ${old} → ${next}`;
    }
    return { record, told };
  }

  async ask() {
    this.button.disabled = true;
    this.answer.textContent = "Playing …";
    try {
      const { record, told } = this.edited();
      const options = { count: BATTLES, signal: this.control.signal };
      this.base ??= await this.rules.simulate(this.packed.record, options);
      const results = await this.rules.simulate(record, options);
      this.answer.replaceChildren(this.table(told, results));
    } catch (error) {
      this.answer.textContent = `${/** @type {Error} */ (error).message}.`;
    } finally {
      this.button.disabled = false;
    }
  }

  /** @param {string} told @param {any} results */
  table(told, results) {
    const row = (/** @type {number} */ side) =>
      h(
        "tr",
        null,
        h("th", { scope: "row", class: `side${side}` }, this.sides[side - 1]),
        ...[this.base, results].map((/** @type {any} */ odds) => {
          const [low, high] = odds.interval(side);
          return h("td", null, h("strong", null, percent(odds.share(side))), ` ${percent(low)} to ${percent(high)}`);
        }),
      );
    const heads = ["wins", "as it is", told].map((text) => h("th", { scope: "col" }, text));
    return h("table", null, h("thead", null, h("tr", null, ...heads)), h("tbody", null, row(1), row(2)));
  }
}
