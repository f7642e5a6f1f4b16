// @ts-check
/** The stage of relics and titans: two fighters face to face, with pieces that light up or hidden choices. @module */

import { Card } from "./cards.js";
import { h, move } from "./dom.js";
import { worded } from "./interpreter.js";
import { Stage } from "./stage.js";

export class Duel extends Stage {
  /**
   * @param {any} cast
   * @param {any} data
   * @param {{ stats: string[], statuses: string[], isHidden?: boolean }} options
   */
  constructor(cast, data, { stats, statuses, isHidden = false }) {
    super(cast);
    this.shown = stats;
    this.harmful = new Set(statuses);
    this.fighters = cast.units.map((/** @type {any} */ unit) => {
      const card = new Card(unit, isHidden ? { bar: "charge", barFull: 100 } : {});
      const pieces = (cast.pieces ?? []).filter((/** @type {any} */ piece) => piece.side === unit.side);
      const lights = new Map(pieces.map((/** @type {any} */ piece) => [piece.place, lightOf(piece)]));
      const gauges = h("dl", { class: "gauges" });
      const choice = isHidden ? h("div", { class: "choice" }, h("span", { class: "chosen" }), h("span", { class: "roll" })) : null;
      card.element.append(gauges);
      if (choice !== null) card.element.append(choice);
      if (lights.size > 0) card.element.append(h("ul", { class: "pieces", "aria-label": "pieces" }, ...lights.values()));
      return { unit, card, gauges, lights, choice };
    });
    const [left, right] = this.fighters;
    this.element.classList.add("duel");
    this.element.append(left.card.element, this.caption, right.card.element);
    this.data = data;
  }

  /** @param {any} frame @param {boolean} isFresh */
  draw(frame, isFresh) {
    const order = frame.effects.filter((/** @type {any} */ { look, piece }) => look === "lit" && piece !== null);
    for (const fighter of this.fighters) {
      const { unit, card, lights } = fighter;
      const state = frame.units.get(unit.place);
      card.show(state, frame, this, isFresh);
      this.measure(fighter, state.gauges);
      for (const [place, light] of lights) {
        const turns = order.flatMap((/** @type {any} */ { piece }, /** @type {number} */ at) => (piece === place ? [at] : []));
        lightUp(light, turns, order.length, isFresh);
      }
      if (fighter.choice !== null) turn(fighter.choice, state.notes, isFresh && frame.title === "both choose");
    }
  }

  /** @param {any} fighter @param {any} gauges */
  measure({ gauges: list }, gauges) {
    const rest = Object.keys(gauges).filter((name) => !["hp", "max", "shield", "charge", ...this.shown].includes(name));
    const names = [...this.shown, ...rest.filter((name) => gauges[name] !== 0)];
    list.replaceChildren(
      ...names
        .filter((name) => (gauges[name] ?? null) !== null)
        .map((name) =>
          h(
            "div",
            { class: this.harmful.has(name) ? "bad" : this.shown.includes(name) ? "plain" : "good" },
            h("dt", null, worded(name)),
            h("dd", null, String(gauges[name])),
          ),
        ),
    );
  }

  /** @param {any} place */
  anchor(place) {
    return this.fighters.find((/** @type {any} */ each) => each.unit.place === place)?.card.figure;
  }
}

/** How long one piece is lit before the next of the agenda, in milliseconds. */
const TURN = 180;

/** Light a piece up; of several that act one after the other it says which it is. @param {any} light @param {number[]} turns @param {number} of @param {boolean} isFresh */
export function lightUp(light, turns, of, isFresh) {
  light.classList.toggle("lit", turns.length > 0);
  if (turns.length === 0) light.removeAttribute("data-turn");
  else light.dataset.turn = of > 1 ? turns.map((at) => at + 1).join(", ") : "";
  const glow = [{ transform: "scale(1)" }, { transform: "scale(1.06)", boxShadow: "0 0 1.2rem var(--gold)" }, { transform: "scale(1)" }];
  if (isFresh) for (const at of turns) move(light, glow, 320, TURN * at);
}

/** @param {any} piece */
export const lightOf = ({ name, kind }) => h("li", { class: `piece ${kind}`, title: worded(kind) }, name);

/** A choice as a card that is face down until both are turned over. @param {any} card @param {any} notes @param {boolean} isFresh */
export function turn(card, notes, isFresh) {
  const chosen = notes.choice ?? "";
  card.classList.toggle("open", chosen !== "");
  card.firstChild.textContent = chosen === "" ? "hidden choice" : chosen;
  card.lastChild.textContent = chosen === "" || !notes.roll ? "" : `speed roll ${notes.roll}`;
  if (isFresh) move(card, [{ transform: "rotateY(90deg)" }, { transform: "rotateY(0)" }]);
}
