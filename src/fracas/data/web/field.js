// @ts-check
/** The stage of stacks: the attacked tile and those around it, on each its stack, whose units strike across. @module */

import { h, styled } from "./dom.js";
import { paint } from "./grounds.js";
import { Stage } from "./stage.js";
import { paintTable, stripsOf, tabled } from "./tiles.js";

const ROOT = Math.sqrt(3);
/** How far stacks come up to the tile that is fought for, as a share of the way. */
const STEP_UP = 0.05;
/** How high a stack stands above its tile, in sides of a tile. */
const RISE = 0.5;
/** How moves look, whoever makes them. @type {Record<string, string>} */
const MOVES = { strike: "slash", charge: "slash", archery: "arrow", javelin: "arrow", bombard: "burst" };
/** Where a tile's sign stands, from its middle. */
const SIGN = 0.7;

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
    super(cast, data, {
      places: (_units, _looks, width, height) => this.stations(width, height),
      ground: (element, width, height) => this.table(element, width, height),
    });
    this.given = { ...MOVES, ...this.given };
    const { map, tiles, attack } = cast;
    const fought = new Set(cast.units.map((/** @type {any} */ unit) => unit.stack));
    const stacks = cast.stacks.filter((/** @type {any} */ stack) => fought.has(stack.place));
    this.around = tilesAround(map, attack.tile);
    const nameOf = (/** @type {number[]} */ at) => h("span", { class: "tile-name" }, tiles[at.join(",")]?.name || at.join(","));
    this.groups = stacks.map((/** @type {any} */ stack) => {
      const units = cast.units.filter((/** @type {any} */ unit) => unit.stack === stack.place);
      const sign = h("div", { class: "tile-sign" }, h("h2", { class: `side${units[0].side}` }, stack.name), nameOf(stack.at));
      return { element: h("div", { class: "group" }, sign), sign, stack, units };
    });
    const isHeld = stacks.some((/** @type {any} */ { at }) => `${at}` === `${attack.tile}`);
    /** Of a tile on which nobody stands. */
    this.label = isHeld ? null : h("div", { class: "tile-sign" }, nameOf(attack.tile));
    this.signs = h("div", { class: "signs" }, this.label, ...this.groups.map((/** @type {any} */ { element }) => element));
    this.units.before(this.signs);
    this.element.classList.add("field");
    this.attacking = cast.stacks[attack.stack].place;
  }

  /** @param {number} width @param {number} height */
  layout(width, height) {
    const { map, attack } = this.cast;
    void attack;
    return tabled(
      this.around.map((place) => middleOf(map.kind, place)),
      map.kind === "hex" ? "flat" : "square",
      width,
      height,
      RISE,
    );
  }

  /** @param {any} element @param {number} width @param {number} height */
  table(element, width, height) {
    const { map, attack } = this.cast;
    const { at, side, squash, corners, horizon } = this.layout(width, height);
    const tiles = this.around.map((place) => {
      const middle = middleOf(map.kind, place);
      return { corners: corners(middle), kind: `${place}` === `${attack.tile}` ? "target" : "", at: at(middle) };
    });
    paint(element, width, height, horizon, this.scene());
    paintTable(element, tiles, side);
    if (this.label === null) return;
    const [x, y] = at(middleOf(map.kind, attack.tile));
    styled(this.label, "left", `${x.toFixed(1)}px`);
    styled(this.label, "top", `${(y + side * squash * SIGN).toFixed(1)}px`);
  }

  /** Where the units of each stack stand; they come up to the tile while they fight for it. @param {number} width @param {number} height */
  stations(width, height) {
    const { map, attack } = this.cast;
    const { at, side, squash, duel } = this.layout(width, height);
    const spots = new Map();
    const { tile } = attack;
    for (const { element, sign, stack, units } of this.groups) {
      const isThere = `${stack.at}` === `${tile}`;
      const isTaking = this.state === "advanced" && stack.place === this.attacking;
      const share = isThere ? 0 : isTaking ? 1 : this.state === "fighting" ? STEP_UP : 0;
      const [[x1, y1], [x2, y2]] = [at(middleOf(map.kind, stack.at)), at(middleOf(map.kind, tile))];
      const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
      const isGone = this.state === "advanced" && isThere && units.every((/** @type {any} */ { place }) => this.hasFallen(place));
      element.classList.toggle("gone", isGone);
      styled(element, "transform", `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);
      // The sign stays where the tile is, until its stack takes the other.
      const [stayX, stayY] = isTaking ? [0, 0] : [x1 - x, y1 - y];
      styled(sign, "left", `${stayX.toFixed(1)}px`);
      styled(sign, "top", `${(stayY + side * squash * SIGN).toFixed(1)}px`);
      sign.classList.toggle("moved", isTaking);
      const across = units.length < 4 ? units.length : Math.ceil(Math.sqrt(units.length * 1.6));
      const rows = Math.ceil(units.length / across);
      const room = (side * 1.42) / across;
      const tall = (side * squash * 1.24) / rows;
      const dir = units[0].side === 1 ? 1 : -1;
      units.forEach((/** @type {any} */ unit, /** @type {number} */ number) => {
        const [column, row] = [number % across, Math.floor(number / across)];
        const inRow = Math.min(across, units.length - row * across);
        spots.set(unit.place, {
          x: x + room * (column - (inRow - 1) / 2),
          y: y - side * squash * 0.78 + tall * (row + 0.86),
          h: Math.max(26, Math.min(118, room * 1.12, tall * (rows > 1 ? 1.15 : 1.25), side * 0.72)),
          ...{ dir, plate: Math.min(64, room * 0.8), form: "tiny" },
        });
      });
    }
    const rows = this.groups.map((/** @type {any} */ { stack, units }) => [units[0].side, middleOf(map.kind, stack.at)[1]]);
    return { horizon: 0, spots, duel, strips: stripsOf(rows, width, height) };
  }

  /** @param {any} frame */
  key(frame) {
    const { kind, scene } = frame;
    const isOver = kind === "end";
    this.ending = frame;
    this.state = isOver && this.advances(scene) ? "advanced" : kind === "part" || isOver ? "apart" : "fighting";
    return this.state;
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

  /** Numbers keep clear of signs, too. @param {any} frame */
  taken(frame) {
    const room = this.sight.getBoundingClientRect();
    const signs = [...this.signs.querySelectorAll(".tile-sign")].map((sign) => {
      const { left, right, top, bottom } = sign.getBoundingClientRect();
      return { left: left - room.left, right: right - room.left, top: top - room.top - 2, bottom: bottom - room.top + 2 };
    });
    return [...super.taken(frame), ...signs];
  }

  /** @param {number} place */
  hasFallen(place) {
    return this.ending.units.get(place).fallen;
  }
}
