// @ts-check
/** The stage of squads and delve: two ranks of cards, above them the way through the encounters of a run. @module */

import { Card } from "./cards.js";
import { h } from "./dom.js";
import { Stage } from "./stage.js";

export class Ranks extends Stage {
  /** @param {any} cast @param {any} data @param {{ bar: string, barFull: string | number }} options */
  constructor(cast, data, options) {
    super(cast);
    this.cards = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, new Card(unit, options)]));
    this.ranks = [1, 2].map((side) => {
      const cards = cast.units.filter((/** @type {any} */ unit) => unit.side === side);
      const elements = cards.map((/** @type {any} */ unit) => this.cards.get(unit.place).element);
      const name = h("h2", { class: `side${side}` }, data.sides[side - 1]);
      return h("section", { class: "rank", "aria-label": data.sides[side - 1] }, name, h("div", { class: "cards" }, ...elements));
    });
    const encounters = cast.encounters ?? [];
    this.steps = encounters.length < 2 ? [] : encounters.map(stepOf);
    const way = this.steps.length === 0 ? null : h("ol", { class: "way", "aria-label": "encounters" }, ...this.steps);
    this.element.append(...[way, this.ranks[0], this.caption, this.ranks[1]].filter((each) => each !== null));
  }

  /** @param {any} frame @param {boolean} isFresh */
  draw(frame, isFresh) {
    const present = [0, 0, 0];
    for (const [place, card] of this.cards) {
      const state = frame.units.get(place);
      if (state.present) present[state.side] += 1;
      card.show(state, frame, this, isFresh);
    }
    this.ranks.forEach((rank, at) => (rank.dataset.cards = String(present[at + 1])));
    this.ranks[1].classList.toggle("empty", frame.full[2] === 0);
    const at = frame.scene.encounter ?? -1;
    this.steps.forEach((/** @type {any} */ step, /** @type {number} */ place) => {
      step.classList.toggle("passed", place < at);
      if (place === at) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
  }

  /** @param {any} place */
  anchor(place) {
    return this.cards.get(place)?.figure;
  }
}

/** @param {any} encounter @param {number} number From 0, as events and stories count. */
const stepOf = ({ name, type }, number) => h("li", { class: type, title: `${name} (${type})`, "data-number": number }, h("span", null, name));
