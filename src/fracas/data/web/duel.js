// @ts-check
/** The stage of relics and titans: two fighters face to face, with pieces that light up or hidden choices. @module */

import { h, move } from "./dom.js";
import { statusesOf } from "./figures.js";
import { worded } from "./interpreter.js";
import { LIFE, Stage } from "./stage.js";

/** Gauges that bars and shields show. */
const MEASURED = ["hp", "max", "shield", "charge"];

export class Duel extends Stage {
  /**
   * @param {any} cast
   * @param {any} data
   * @param {{ stats: string[], statuses: string[], isHidden?: boolean }} options
   */
  constructor(cast, data, { stats, statuses, isHidden = false }) {
    const harmful = new Set(statuses);
    super(cast, data, {
      bars: isHidden ? [LIFE, { name: "charge", gauge: "charge", whole: 100 }] : [LIFE],
      chips: (state) => {
        const rest = Object.entries(state.gauges).filter(
          ([name, value]) => !MEASURED.includes(name) && !stats.includes(name) && value !== 0 && value !== null,
        );
        return [
          ...rest.map(([name, amount]) => ({ name: worded(name), amount: Number(amount), tone: harmful.has(name) ? "bad" : "good" })),
          ...statusesOf(state),
        ];
      },
    });
    this.stats = stats;
    this.sides = cast.units.map((/** @type {any} */ unit) => {
      const pieces = (cast.pieces ?? []).filter((/** @type {any} */ piece) => piece.side === unit.side);
      const lights = new Map(pieces.map((/** @type {any} */ piece) => [piece.place, lightOf(piece)]));
      const gauges = h("dl", { class: "gauges" });
      const choice = isHidden ? h("div", { class: `choice side${unit.side}` }, h("span", { class: "chosen" }), h("span", { class: "roll" })) : null;
      const element = h("section", { class: `kit side${unit.side}`, "aria-label": unit.name, look: { "--pieces": Math.max(1, lights.size) } }, gauges, choice);
      if (lights.size > 0) element.append(h("ul", { class: "pieces", "aria-label": "pieces" }, ...lights.values()));
      return { unit, gauges, lights, choice, element };
    });
    this.element.append(h("div", { class: "kits" }, ...this.sides.map((/** @type {any} */ { element }) => element)));
  }

  /** @param {any} frame @param {boolean} isFresh */
  extra(frame, isFresh) {
    const order = frame.effects.filter((/** @type {any} */ { look, piece }) => look === "lit" && piece !== null);
    for (const { unit, gauges, lights, choice } of this.sides) {
      const state = frame.units.get(unit.place);
      this.measure(gauges, state.gauges);
      for (const [place, light] of lights) {
        const turns = order.flatMap((/** @type {any} */ { piece }, /** @type {number} */ at) => (piece === place ? [at] : []));
        lightUp(light, turns, order.length, isFresh);
      }
      if (choice !== null) turn(choice, state.notes, isFresh && frame.title === "both choose");
    }
  }

  /** @param {any} list @param {any} gauges */
  measure(list, gauges) {
    const named = this.stats.filter((name) => (gauges[name] ?? null) !== null);
    const told = named.map((name) => `${name} ${gauges[name]}`).join(" ");
    if (list.dataset.told === told) return;
    list.dataset.told = told;
    list.replaceChildren(...named.map((name) => h("div", null, h("dt", null, worded(name)), h("dd", null, String(gauges[name])))));
  }
}

/** How long one piece is lit before the next of the agenda, in milliseconds. */
const TURN = 180;

/** Light a piece up; of several that act one after the other it says which it is. @param {any} light @param {number[]} turns @param {number} of @param {boolean} isFresh */
export function lightUp(light, turns, of, isFresh) {
  light.classList.toggle("lit", turns.length > 0);
  if (turns.length === 0) light.removeAttribute("data-turn");
  else light.dataset.turn = of > 1 ? turns.map((at) => at + 1).join(", ") : "";
  const glow = [{ transform: "scale(1)" }, { transform: "scale(1.06)" }, { transform: "scale(1)" }];
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
