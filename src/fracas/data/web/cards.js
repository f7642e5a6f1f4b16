// @ts-check
/** A unit as a card: its mark, name, HP with shield, a second bar, statuses, and what just happened to it. @module */

import { h, styled } from "./dom.js";
import { badgeOf, isSaid, touch } from "./effects.js";
import { mark } from "./marks.js";

/** @param {number} value @param {number} most */
const share = (value, most) => (most > 0 ? Math.max(0, Math.min(1, value / most)) : 0);
/** @param {number} value */
const neat = (value) => Math.round(10 * value) / 10;

export class Card {
  /**
   * @param {any} unit A unit of the cast.
   * @param {{ bar?: string, barFull?: string | number, tag?: string }} options
   */
  constructor(unit, { bar, barFull, tag = "article" } = {}) {
    this.unit = unit;
    this.bar = bar;
    this.barFull = barFull;
    this.figure = h("span", { class: "figure" }, mark(unit.mark));
    this.hp = h("span", { class: "fill" });
    this.shield = h("span", { class: "shield-fill" });
    this.number = h("span", { class: "number" });
    this.second = bar === undefined ? null : h("span", { class: "bar second", title: bar }, h("span", { class: "fill" }));
    this.amount = h("span", { class: "amount" });
    this.states = h("ul", { class: "states", "aria-label": "statuses" });
    this.badges = h("span", { class: "badges" });
    this.element = h(
      tag,
      { class: `card side${unit.side}` },
      h("header", null, this.figure, h("span", { class: "name", title: unit.about || unit.name }, unit.name)),
      h("span", { class: "bar" }, this.hp, this.shield),
      h("span", { class: "numbers" }, this.number, this.amount),
      this.second,
      this.states,
      this.badges,
    );
    this.last = null;
    this.isIdle = false;
  }

  /** @param {any} state @param {any} frame @param {any} stage @param {boolean} isFresh */
  show(state, frame, stage, isFresh) {
    const effects = frame.effects.filter((/** @type {any} */ each) => each.on === this.unit.place);
    const isActing = frame.actor === this.unit.place;
    // Most cards are as they were: scrubbing through a long run touches only those that change.
    const isIdle = effects.length === 0 && !isActing;
    if (state === this.last && isIdle && this.isIdle) return;
    this.isIdle = isIdle;
    this.element.hidden = !state.present;
    if (!state.present) {
      this.last = state;
      return;
    }
    this.element.classList.toggle("acting", isActing);
    this.element.classList.toggle("struck", effects.some((/** @type {any} */ each) => each.look === "hurt"));
    this.element.classList.toggle("fallen", state.fallen);
    if (this.last !== state) this.fill(state);
    this.last = state;
    const said = effects.filter(isSaid).map((/** @type {any} */ each) => badgeOf(each, stage.nameOf, stage.why));
    this.badges.replaceChildren(...said);
    if (isFresh) for (const effect of effects) touch(this.element, effect);
  }

  /** @param {any} state */
  fill({ gauges, states }) {
    const { hp, max, shield = 0 } = gauges;
    styled(this.hp, "transform", `scaleX(${share(hp, max)})`);
    styled(this.shield, "transform", `scaleX(${share(shield, max)})`);
    const kept = shield > 0 ? ` +${neat(shield)}` : "";
    this.number.textContent = `${Math.max(0, hp)}/${max}${kept}`;
    this.number.setAttribute("aria-label", `${hp} of ${max} HP${shield > 0 ? `, shield ${neat(shield)}` : ""}`);
    if (this.second !== null && this.bar !== undefined) {
      const full = typeof this.barFull === "number" ? this.barFull : gauges[this.barFull ?? ""];
      const value = gauges[this.bar] ?? 0;
      this.second.hidden = !full;
      this.amount.textContent = full ? `${value} ${this.bar}` : "";
      this.second.title = `${this.bar} ${value} of ${full}`;
      this.second.classList.toggle("full", value >= full);
      styled(this.second.firstChild, "transform", `scaleX(${share(value, full)})`);
    }
    const chips = [...states.values()].map(({ name, amount, tone }) =>
      h("li", { class: tone }, amount === null || amount === 0 ? name : `${name} ${neat(amount)}`),
    );
    this.states.replaceChildren(...chips);
  }
}
