// @ts-check
/** The stage of stacks: the attacked tile and those around it, on each its stack, whose units strike across. @module */

import { h, isCalm, move, styled, svg } from "./dom.js";
import { badgeOf, isSaid, touch } from "./effects.js";
import { mark } from "./marks.js";
import { Stage } from "./stage.js";

const ROOT = Math.sqrt(3);
/** Corners of a tile around its middle, in sides of a hexagon. */
const HEX = [0, 1, 2, 3, 4, 5].map((at) => [Math.cos((Math.PI * at) / 3), Math.sin((Math.PI * at) / 3)]);
/** How far stacks come up to the tile that is fought for, as a share of the way. */
const STEP_UP = 0.14;
const SQUARE = [
  [0.95, 0.95],
  [-0.95, 0.95],
  [-0.95, -0.95],
  [0.95, -0.95],
];

/** The middle of a tile. @param {string} kind @param {number[]} place @returns {[number, number]} */
export function middleOf(kind, [x, y]) {
  return kind === "hex" ? [1.5 * x, ROOT * (y + (x % 2 ? 0.5 : 0))] : [2 * x, 2 * y];
}

/** The tile that is fought for and those beside it: everybody stands on one of them. @param {any} map @param {number[]} tile @returns {number[][]} */
function tilesAround({ kind, width, height }, tile) {
  const [x1, y1] = middleOf(kind, tile);
  const reach = kind === "hex" ? ROOT : 2;
  const all = Array.from({ length: width * height }, (_, at) => [at % width, Math.floor(at / width)]);
  return all.filter((place) => {
    const [x2, y2] = middleOf(kind, place);
    const [dx, dy] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    return (kind === "hex" ? Math.hypot(dx, dy) : Math.max(dx, dy)) < reach + 0.01;
  });
}

export class Field extends Stage {
  /** @param {any} cast @param {any} data */
  constructor(cast, data) {
    super(cast);
    const { map, tiles, attack } = cast;
    const fought = new Set(cast.units.map((/** @type {any} */ unit) => unit.stack));
    const stacks = cast.stacks.filter((/** @type {any} */ stack) => fought.has(stack.place));
    const around = tilesAround(map, attack.tile);
    const corners = around.map((place) => middleOf(map.kind, place));
    const [reachX, reachY] = map.kind === "hex" ? [1, ROOT / 2] : [1, 1];
    this.left = Math.min(...corners.map(([x]) => x)) - reachX;
    this.top = Math.min(...corners.map(([, y]) => y)) - reachY;
    this.width = Math.max(...corners.map(([x]) => x)) + reachX - this.left;
    this.height = Math.max(...corners.map(([, y]) => y)) + reachY - this.top;
    this.map = map;
    this.cast = cast;
    const ground = svg("svg", { viewBox: `0 0 ${this.width} ${this.height}`, class: "ground", "aria-hidden": "true" });
    ground.append(...around.map((place) => this.tile(place, `${attack.tile}` === `${place}`)));
    this.tokens = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, tokenOf(unit)]));
    this.groups = new Map(
      stacks.map((/** @type {any} */ stack) => {
        const units = cast.units.filter((/** @type {any} */ unit) => unit.stack === stack.place);
        const tokens = units.map((/** @type {any} */ unit) => this.tokens.get(unit.place).element);
        const title = h("h2", { class: `side${units[0].side}` }, stack.name);
        // Below the units, which they would hide.
        const badges = h("div", { class: "badges" });
        const element = h("div", { class: "group", "data-units": units.length }, title, h("div", { class: "tokens" }, ...tokens), badges);
        this.put(element, stack.at);
        return [stack.place, { element, stack, badges, units: units.map((/** @type {any} */ { place }) => place) }];
      }),
    );
    const named = [attack.tile, ...stacks.map((/** @type {any} */ { at }) => at)];
    const labels = new Map(named.map((at) => [at.join(","), this.label(at, tiles[at.join(",")]?.name || at.join(","))]));
    this.board = h("div", { class: "board" }, ground, ...labels.values(), ...[...this.groups.values()].map((each) => each.element));
    styled(this.board, "aspect-ratio", `${this.width} / ${this.height}`);
    styled(this.board, "--tile", `${100 / this.width}cqw`);
    // As high as leaves room for the controls in the window.
    styled(this.board, "max-width", `calc(clamp(19rem, 100vh - 25rem, 40rem) * ${this.width / this.height})`);
    const sides = [1, 2].map((side) => h("strong", { class: `side${side}` }, data.sides[side - 1]));
    this.element.classList.add("field");
    this.element.append(h("p", { class: "who" }, sides[0], " against ", sides[1]), this.caption, this.board);
    this.attacking = cast.stacks[attack.stack].place;
    this.state = "apart";
  }

  /** @param {number[]} place @param {boolean} isTarget */
  tile(place, isTarget) {
    const [x, y] = middleOf(this.map.kind, place);
    const corners = (this.map.kind === "hex" ? HEX : SQUARE).map(
      ([dx, dy]) => `${(x + 0.97 * dx - this.left).toFixed(3)},${(y + 0.97 * dy - this.top).toFixed(3)}`,
    );
    return svg("polygon", { points: corners.join(" "), class: isTarget ? "tile target" : "tile" });
  }

  /** The name of a tile, at its foot. @param {number[]} place @param {string} name */
  label(place, name) {
    const label = h("span", { class: "tile-name" }, name);
    const [x, y] = middleOf(this.map.kind, place);
    styled(label, "left", `${(100 * (x - this.left)) / this.width}%`);
    styled(label, "top", `${(100 * (y + (this.map.kind === "hex" ? 0.7 : 0.8) - this.top)) / this.height}%`);
    return label;
  }

  /** Put a stack on its tile, or a part of the way to another. @param {any} element @param {number[]} place @param {number[]} to @param {number} share */
  put(element, place, to = place, share = 0) {
    const [[x1, y1], [x2, y2]] = [middleOf(this.map.kind, place), middleOf(this.map.kind, to)];
    const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
    styled(element, "left", `${(100 * (x - this.left)) / this.width}%`);
    styled(element, "top", `${(100 * (y - this.top)) / this.height}%`);
  }

  /** @param {any} frame @param {boolean} isFresh */
  draw(frame, isFresh) {
    for (const [place, token] of this.tokens) token.show(frame.units.get(place), frame, isFresh);
    for (const { badges, units } of this.groups.values()) {
      const said = frame.effects.filter((/** @type {any} */ each) => isSaid(each) && units.includes(each.on));
      badges.replaceChildren(...said.map((/** @type {any} */ each) => this.badge(each)));
    }
    this.march(frame);
    if (isFresh && !isCalm()) this.lunge(frame);
  }

  /** Tiles are small: what has no effect is a nought. @param {any} effect */
  badge(effect) {
    const badge = badgeOf(effect, this.nameOf, this.why);
    if (effect.look === "miss" && !effect.words) {
      badge.textContent = "0";
      // What is heard begins with what is seen.
      badge.setAttribute("aria-label", `0: ${badge.getAttribute("aria-label")}`);
    }
    return badge;
  }

  /** Whether the attackers take the tile: they won, the rules have them move, nobody stands on it, and they can. @param {any} scene */
  advances({ winner }) {
    const { tile, advance } = this.cast.attack;
    const standsOf = (/** @type {any} */ stack) => {
      const own = this.cast.units.filter((/** @type {any} */ unit) => unit.stack === stack.place);
      return own.length === 0 || own.some((/** @type {any} */ { place }) => !this.hasFallen(place));
    };
    const isTaken = this.cast.stacks.some((/** @type {any} */ stack) => `${stack.at}` === `${tile}` && standsOf(stack));
    return winner === 1 && advance && !isTaken && standsOf(this.cast.stacks[this.attacking]);
  }

  /** Stacks come up to the attacked tile while they fight for it; who takes it stands on it afterwards. @param {any} frame */
  march({ kind, scene }) {
    const isOver = kind === "end";
    const state = isOver && this.advances(scene) ? "advanced" : kind === "part" || isOver ? "apart" : "fighting";
    if (state === this.state) return;
    this.state = state;
    const { tile } = this.cast.attack;
    for (const { element, stack, units } of this.groups.values()) {
      const isTaking = state === "advanced" && stack.place === this.attacking;
      const isThere = `${stack.at}` === `${tile}`;
      this.put(element, stack.at, tile, isThere ? 0 : isTaking ? 1 : state === "fighting" ? STEP_UP : 0);
      // The fallen make room for who comes.
      element.classList.toggle("gone", state === "advanced" && isThere && units.every((place) => this.hasFallen(place)));
    }
  }

  /** @param {number} place */
  hasFallen(place) {
    return this.tokens.get(place).element.classList.contains("fallen");
  }

  /** Whoever strikes goes from its tile towards the other's, and back. @param {any} frame */
  lunge({ effects }) {
    for (const { by, on } of effects) {
      const [from, to] = [this.anchor(by), this.anchor(on)];
      if (by === null || by === on || !from || !to) continue;
      const [one, other] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
      const step = `translate(${(0.45 * (other.left - one.left)).toFixed(1)}px, ${(0.45 * (other.top - one.top)).toFixed(1)}px)`;
      move(from, [{ transform: "none" }, { transform: step, offset: 0.4 }, { transform: "none" }], 420);
    }
  }

  /** @param {any} place */
  anchor(place) {
    return this.tokens.get(place)?.element;
  }
}

/** A unit on the map. @param {any} unit */
function tokenOf(unit) {
  const fill = h("span", { class: "fill" });
  const figure = h("span", { class: "figure" }, mark(unit.mark), h("span", { class: "bar" }, fill));
  const element = h("div", { class: `token side${unit.side}`, role: "img" }, figure);
  return {
    element,
    /** @param {any} state @param {any} frame @param {boolean} isFresh */
    show(state, frame, isFresh) {
      const effects = frame.effects.filter((/** @type {any} */ each) => each.on === unit.place);
      element.classList.toggle("acting", frame.actor === unit.place);
      element.classList.toggle("struck", effects.some((/** @type {any} */ each) => isSaid(each)));
      element.classList.toggle("fallen", state.fallen);
      const { hp, max } = state.gauges;
      styled(fill, "transform", `scaleX(${max > 0 ? Math.max(0, hp) / max : 0})`);
      const told = `${unit.name}: ${hp} of ${max} HP`;
      element.title = told;
      element.setAttribute("aria-label", told);
      if (isFresh) for (const effect of effects) touch(figure, effect);
    },
  };
}
