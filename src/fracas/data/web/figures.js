// @ts-check
/** A unit on the stage: its body in a pose, and under it a plate with name, HP, a second bar and statuses. @module */

import { bodyOf } from "./bodies.js";
import { h, styled } from "./dom.js";
import { iconOf, isDrawn } from "./icons.js";

/** @param {number} value @param {number} most */
const shareOf = (value, most) => (most > 0 ? Math.max(0, Math.min(1, value / most)) : 0);
/** @param {number} value */
const neatly = (value) => Math.round(10 * value) / 10;
/** Statuses that are seen on the body, too. */
const STUNNED = /^(stun|stunned|frozen|sleep|dazed?)$/i;
const SHIELD = /^shield(ed)?$/i;
const POISONED = /poison|venom|acid|damage over time/i;
/** More statuses than these are counted. */
const MOST_CHIPS = 4;
/** Plates narrower than this have room for two. */
const SLIM = 96;

/**
 * @typedef {{ name: string, gauge: string, whole: string | number }} Bar A gauge, and what fills it: another gauge or a number.
 * @typedef {{ name: string, amount: number | null, tone: string }} Chip
 * @typedef {{ bars: Bar[], chips: (state: any) => Chip[] }} Shown What a ruleset shows of each unit; the first bar is its life.
 */

export class Figure {
  /** @param {any} unit A unit of the cast. @param {any} look @param {Shown} shown */
  constructor(unit, look, shown) {
    this.unit = unit;
    this.look = look;
    this.shown = shown;
    this.name = unit.name;
    /** @type {any} */
    this.spot = null;
    /** How far it went from its spot. @type {{ x: number, y: number } | null} */
    this.off = null;
    this.body = bodyOf(look);
    this.flip = h("div", { class: "flip" }, this.body);
    this.mover = h("div", { class: "mover" }, this.flip);
    this.called = h("span", { class: "name", title: unit.about || unit.name }, unit.name);
    this.left = h("span");
    this.whole = h("span", { class: "of" });
    this.number = h("span", { class: "number" }, this.left, this.whole);
    this.ghost = h("span", { class: "ghost" });
    this.life = h("span", { class: "fill" });
    this.guard = h("span", { class: "shield-fill" });
    this.seconds = shown.bars.slice(1).map((bar) => {
      const fill = h("span", { class: "fill" });
      return { bar, fill, element: h("span", { class: "bar second" }, fill) };
    });
    this.chips = h("ul", { class: "states", "aria-label": "statuses" });
    this.plate = h(
      "div",
      { class: "plate" },
      h("header", null, this.called, this.number),
      shown.bars.length === 0 ? null : h("span", { class: "bar" }, this.ghost, this.life, this.guard),
      ...this.seconds.map(({ element }) => element),
      this.chips,
    );
    this.element = h(
      "article",
      { class: `unit side${unit.side} plan-${look.body}`, "aria-label": unit.name },
      h("div", { class: "ring" }),
      this.mover,
      this.plate,
    );
    /** @type {any} */
    this.last = null;
  }

  /** Put the figure on its spot. @param {any} spot */
  stand(spot) {
    this.spot = spot;
    const { x, y, h: height, dir, plate, form } = spot;
    const { element, body } = this;
    for (const each of ["full", "dense", "token", "tiny", "duel"]) element.classList.toggle(each, each === form);
    element.classList.toggle("slim", plate < SLIM);
    styled(element, "transform", `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);
    styled(element, "z-index", Math.round(y));
    styled(element, "--high", `${height.toFixed(1)}px`);
    styled(element, "--plate", `${plate.toFixed(1)}px`);
    this.turn(dir);
    body.style.removeProperty("transform");
  }

  /** @param {number} dir */
  turn(dir) {
    styled(this.flip, "transform", `scaleX(${dir})`);
  }

  /** Whether a class of the figure's element holds. @param {string} name @param {boolean} holds */
  mark(name, holds) {
    this.element.classList.toggle(name, holds);
  }

  /** Show a state of the unit. @param {any} state @param {boolean} [stays] Whether who falls in it still stands. */
  show(state, stays = false) {
    const { element } = this;
    element.hidden = !state.present;
    if (state === this.last && this.isStanding === stays) return;
    this.isStanding = stays;
    if (state.present) {
      if (state.name !== this.name) this.rename(state.name);
      if (state !== this.last) this.fill(state);
      this.pose(state, stays);
    }
    this.last = state;
  }

  /** @param {any} state @param {boolean} stays */
  pose(state, stays) {
    const { gauges, fallen } = state;
    const names = [...state.states.values()].map(({ name }) => name);
    const isUp = !fallen || stays;
    const [, second] = this.shown.bars;
    const full = second === undefined ? 0 : this.wholeOf(second, gauges);
    this.mark("fallen", !isUp);
    this.mark("stunned", isUp && (names.some((name) => STUNNED.test(name)) || gauges.stun > 0));
    this.mark("charging", isUp && full > 0 && gauges[second.gauge] >= full);
    this.mark("guarded", isUp && gauges.shield > 0);
    this.mark("poisoned", isUp && (names.some((name) => POISONED.test(name)) || gauges.poison > 0));
  }

  /** @param {Bar} bar @param {any} gauges @returns {number} */
  wholeOf({ whole }, gauges) {
    return typeof whole === "number" ? whole : (gauges[whole] ?? 0);
  }

  /** @param {string} name */
  rename(name) {
    this.name = name;
    this.called.textContent = name;
    this.called.title = name;
    this.element.setAttribute("aria-label", name);
  }

  /** A new body for whoever takes the unit's place. @param {any} look */
  embody(look) {
    this.element.classList.replace(`plan-${this.look.body}`, `plan-${look.body}`);
    this.look = look;
    const body = bodyOf(look);
    this.body.replaceWith(body);
    this.body = body;
  }

  /** @param {any} state */
  fill(state) {
    const { gauges } = state;
    const { shield = 0 } = gauges;
    const [life] = this.shown.bars;
    if (life !== undefined) {
      const [value, whole] = [gauges[life.gauge] ?? 0, this.wholeOf(life, gauges)];
      const share = shareOf(value, whole);
      styled(this.life, "transform", `scaleX(${share})`);
      styled(this.ghost, "transform", `scaleX(${share})`);
      styled(this.guard, "transform", `scaleX(${shareOf(shield, whole)})`);
      this.left.textContent = String(Math.max(0, value));
      this.whole.textContent = whole > 0 ? `/${whole}` : "";
      const kept = shield > 0 ? `, shield ${neatly(shield)}` : "";
      this.number.setAttribute("aria-label", `${value} of ${whole} ${life.name}${kept}`);
      this.number.setAttribute("role", "img");
    }
    for (const { bar, fill, element } of this.seconds) {
      const [value, whole] = [gauges[bar.gauge] ?? 0, this.wholeOf(bar, gauges)];
      element.hidden = !(whole > 0);
      element.title = `${bar.name} ${value} of ${whole}`;
      element.classList.toggle("full", value >= whole);
      styled(fill, "transform", `scaleX(${shareOf(value, whole)})`);
    }
    const told = this.shown.chips(state);
    // What keeps off damage is one number, whichever status gave it.
    const chips = shield > 0 ? told.filter(({ name }) => !SHIELD.test(name)) : told;
    if (shield > 0) chips.unshift({ name: "shield", amount: shield, tone: "good" });
    const more = chips.slice(MOST_CHIPS);
    this.chips.replaceChildren(
      ...chips.slice(0, MOST_CHIPS).map((chip) => chipOf(chip)),
      ...(more.length === 0 ? [] : [h("li", { class: "more", title: more.map(({ name }) => name).join(", ") }, `+${more.length}`)]),
    );
  }
}

/** @param {Chip} chip */
export function chipOf({ name, amount, tone }) {
  const told = amount === null || amount === 0 ? "" : String(neatly(amount));
  const words = told === "" ? name : `${name} ${told}`;
  return h("li", { class: isDrawn(name, tone) ? tone : `${tone} worded`, title: words }, iconOf(name, tone), h("span", { class: "unseen" }, `${name} `), told);
}

/** The statuses that events tell of a unit. @param {any} state @returns {Chip[]} */
export const statusesOf = ({ states }) => [...states.values()];
