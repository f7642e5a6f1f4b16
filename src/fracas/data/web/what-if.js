// @ts-check
/**
 * What if a number were another, a unit were like another, or a side played as the other does: many battles on this
 * device, before and after the changes. Several changes add up.
 *
 * @module
 */

import { h } from "./dom.js";
import { percent } from "./odds.js";

const BATTLES = 10_000;
const LARGEST_VALUE = 1_000_000;

/**
 * What makes a unit, and what makes a side's strategy, in the records of rulesets where a part can stand in another's
 * place: where it is, and which of its fields stay.
 *
 * @type {Record<string, { units?: [(place: any) => string, string[]], strategy?: [(side: number) => string, string[]] }>}
 */
const LIKE = {
  squads: {
    units: [(place) => `units.${place}`, ["index", "side"]],
    strategy: [(side) => `sides.${side - 1}`, ["first", "unit_count", "living"]],
  },
  stacks: { units: [(place) => `participants.${place}`, ["side", "direction", "id", "used"]] },
  titans: { units: [(place) => `titans.${place}`, ["index"]], strategy: [(side) => `policies.${side - 1}`, []] },
  relics: { units: [(place) => `builds.${place}`, []] },
};

/** Set a part of a record to a value that another part has. @param {any} record @param {string} path @param {any} value @param {string[]} [kept] */
function putPart(record, path, value, kept = []) {
  if (typeof value === "number") {
    record.set(path, value);
    return;
  }
  for (const [name, each] of Object.entries(value)) if (!kept.includes(name)) putPart(record, `${path}.${name}`, each);
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
    /** What was added to the list: in words, and what it does to a record. @type {{ told: string, act: (record: any) => void }[]} */
    this.kept = [];
    const parts = Object.hasOwn(LIKE, rules.ruleset) ? LIKE[rules.ruleset] : {};
    /** @param {any[]} each */
    const options = (each) => each.map(([value, text]) => h("option", { value }, text));
    const fielded = cast.units.filter((/** @type {any} */ { spare }) => !spare);
    this.names = new Map(
      fielded.map((/** @type {any} */ { place, name, side }) => [place, name === sides[side - 1] ? name : `${name} (${sides[side - 1]})`]),
    );
    const kinds = [["number", "a number"], ...(parts.units ? [["units", "a unit"]] : []), ...(parts.strategy ? [["strategy", "a strategy"]] : [])];
    this.kind = h("select", { "aria-label": "What changes", onchange: () => this.offer() }, ...options(kinds));
    this.who = h("select", { "aria-label": "Unit", onchange: () => this.suggest() }, ...options([...this.names]));
    this.what = h("select", { "aria-label": "Value", onchange: () => this.suggest() }, ...options(changes.map(({ name }, at) => [at, name])));
    this.to = h("input", { type: "number", step: 1, min: 0, max: LARGEST_VALUE, "aria-label": "New value" });
    this.like = h("select", { "aria-label": "Like which unit" }, ...options([...this.names]));
    this.side = h("select", { "aria-label": "Side" }, ...options(sides.map((side, at) => [at + 1, side])));
    this.forms = {
      number: h("span", null, this.who, " has ", this.what, " ", this.to),
      units: h("span", null),
      strategy: h("span", null, this.side, " plays as the other side does"),
    };
    this.parts = parts;
    this.form = h("span", { class: "form" });
    this.list = h("ul", { class: "kept" });
    this.button = h("button", { type: "button", onclick: () => this.ask() }, `Play ${BATTLES.toLocaleString("en")} battles`);
    const more = h("button", { type: "button", class: "quiet", onclick: () => this.keep() }, "And …");
    this.answer = h("div", { class: "answer", role: "status" });
    this.element = h(
      "section",
      { class: "what-if", "aria-label": "What if" },
      h("h2", null, "What if?"),
      this.list,
      h("p", null, kinds.length > 1 ? this.kind : null, this.form, " ", this.button, more),
      this.answer,
    );
    this.offer();
  }

  /** Go there with the focus. */
  go() {
    this.element.scrollIntoView({ block: "nearest" });
    this.who.focus();
  }

  /** Show the form of the kind that was picked. */
  offer() {
    const kind = this.kind.value || "number";
    if (kind === "units") this.forms.units.replaceChildren(this.who, " is like ", this.like);
    if (kind === "number") this.forms.number.replaceChildren(this.who, " has ", this.what, " ", this.to);
    this.form.replaceChildren(/** @type {any} */ (this.forms)[kind]);
    this.suggest();
  }

  /** A value a tenth larger to begin with. */
  suggest() {
    const value = this.packed.record.get(this.changes[Number(this.what.value)].paths(Number(this.who.value))[0]);
    this.to.value = String(Math.max(value + 1, Math.round(1.1 * value)));
  }

  /** The change that the form says, in words and as what it does; a refusal is thrown. */
  asked() {
    const kind = this.kind.value || "number";
    const { record } = this.packed;
    const who = Number(this.who.value);
    if (kind === "number") {
      const { name, paths } = this.changes[Number(this.what.value)];
      const value = Number(this.to.value);
      if (this.to.value === "" || !Number.isInteger(value) || value < 0 || value > LARGEST_VALUE) {
        throw new Error(`the new value must be a whole number from 0 to ${LARGEST_VALUE.toLocaleString("en")}`);
      }
      const told = `${this.names.get(who)}: ${name} ${record.get(paths(who)[0])} → ${value}`;
      return { told, act: (/** @type {any} */ edited) => paths(who).forEach((/** @type {string} */ path) => edited.set(path, value)) };
    }
    if (kind === "units") {
      const like = Number(this.like.value);
      const [pathOf, kept] = /** @type {any} */ (this.parts.units);
      const told = `${this.names.get(who)} is like ${this.names.get(like)}`;
      return { told, act: (/** @type {any} */ edited) => putPart(edited, pathOf(who), record.get(pathOf(like)), kept) };
    }
    const side = Number(this.side.value);
    const [pathOf, kept] = /** @type {any} */ (this.parts.strategy);
    const told = `${this.sides[side - 1]} plays as ${this.sides[2 - side]} does`;
    return { told, act: (/** @type {any} */ edited) => putPart(edited, pathOf(side), record.get(pathOf(3 - side)), kept) };
  }

  /** Keep the change of the form, to add another. */
  keep() {
    try {
      this.kept.push(this.asked());
    } catch (error) {
      this.answer.textContent = `${/** @type {Error} */ (error).message}.`;
      return;
    }
    this.tell();
  }

  tell() {
    const rows = this.kept.map((each) => {
      const away = () => {
        this.kept = this.kept.filter((other) => other !== each);
        this.tell();
      };
      return h("li", null, each.told, " ", h("button", { type: "button", class: "quiet", onclick: away, "aria-label": `Take back: ${each.told}` }, "×"));
    });
    this.list.replaceChildren(...rows);
  }

  async ask() {
    this.button.disabled = true;
    this.answer.textContent = "Playing …";
    try {
      const all = [...this.kept, this.asked()];
      const record = this.packed.record.copy();
      for (const { act } of all) act(record);
      const options = { count: BATTLES, signal: this.control.signal };
      this.base ??= await this.rules.simulate(this.packed.record, options);
      const results = await this.rules.simulate(record, options);
      this.answer.replaceChildren(this.table(all.map(({ told }) => told).join("; "), results));
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
