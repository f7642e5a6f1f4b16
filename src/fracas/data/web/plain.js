// @ts-check
/** The stage of any game: what its State declares becomes bars and badges under bodies, in ranks or on a board. @module */

import { h, styled } from "./dom.js";
import { paint } from "./grounds.js";
import { worded } from "./interpreter.js";
import { looksOf } from "./looks.js";
import { Stage } from "./stage.js";
import { paintTable, stripsOf, tabled } from "./tiles.js";

const ROOT_OF_3 = Math.sqrt(3);
/** How high tokens stand above the first row of a board, in sides of a cell. */
const HEADROOM = 0.7;

/** The middle of a cell in halves of a square, or sides of a hexagon; odd rows of hexes lie half a cell to the right. @param {any} board @param {number} cell @returns {[number, number]} */
export function middleOfCell({ width, shape }, cell) {
  const [column, row] = [cell % width, Math.floor(cell / width)];
  return shape === "hex" ? [ROOT_OF_3 * (column + (row % 2) / 2), 1.5 * row] : [2 * column, 2 * row];
}

/** Degrees of a way: on squares from the north with the clock, on hexes from the east against it. @param {any} board @param {number} way */
const degrees = ({ shape }, way) => (shape === "hex" ? -60 * way : 90 * way - 90);

/** A State value in words. @param {any} field @param {number} value */
const valueOf = ({ book, flag }, value) => (book === null ? (flag ? (value ? "yes" : "no") : String(value)) : (book[value] ?? String(value)));

/** What is shown of a unit as badges; nothing of what is 0, no or the first of its kind. @param {any[]} fields @param {any} gauges */
const badgesOf = (fields, gauges) =>
  fields
    .filter((field) => field.role === "badge" && gauges[field.gauge])
    .map((field) => {
      const isNumber = !field.flag && field.book === null;
      const called = worded(field.name).replace(/ count$/u, "");
      const words = field.flag || isNumber ? called : `${called} ${valueOf(field, gauges[field.gauge])}`;
      return { name: words, amount: isNumber ? Number(gauges[field.gauge]) : null, tone: "plain" };
    });

export class Plain extends Stage {
  /** @param {any} cast @param {any} data @param {any} described What the layout says of the stage. */
  constructor(cast, data, described) {
    const fields = described.fields[described.cast];
    const isBoard = described.board !== null && fields.some((/** @type {any} */ { role }) => role === "cell");
    const bars = fields.filter((/** @type {any} */ { role }) => role === "bar");
    // Life first, whatever stands first in the State.
    bars.sort((/** @type {any} */ one, /** @type {any} */ other) => Number(other.gauge === "hp") - Number(one.gauge === "hp"));
    super(cast, data, {
      bars: bars.map((/** @type {any} */ { name, gauge, whole }) => ({ name: worded(name), gauge, whole })),
      chips: (state) => badgesOf(fields, state.gauges),
      ...(isBoard
        ? {
            places: (_units, _looks, width, height, frame) => this.cells(width, height, frame),
            ground: (element, width, height) => this.table(element, width, height),
          }
        : {}),
    });
    this.described = described;
    this.board = isBoard ? described.board : null;
    this.fields = fields;
    this.sides = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, unit.side]));
    /** Of both sides, and of the battle; each lists State that is shown. */
    this.headings = [1, 2].map(() => h("span", { class: "shown" }));
    this.heading = h("p", { class: "shown", hidden: true });
    this.teams.forEach(({ element }, at) => element.querySelector("h2").append(" ", this.headings[at]));
    this.sight.append(this.heading);
    if (this.board === null) return;
    this.element.classList.add("on-board");
    for (const figure of this.figures.values()) figure.element.append(h("span", { class: "beak", hidden: true }));
    const legend = this.board.letters.map((/** @type {any} */ { letter, name, about }) =>
      h("div", null, h("dt", null, letter), h("dd", null, about === "" ? name : `${name}: ${about}`)),
    );
    if (legend.length > 0) this.element.append(h("dl", { class: "legend", "aria-label": "The board" }, ...legend));
  }

  /** @param {number} width @param {number} height */
  layout(width, height) {
    const { board } = this;
    const middles = Array.from({ length: board.width * board.height }, (_, cell) => middleOfCell(board, cell));
    return { middles, ...tabled(middles, board.shape === "hex" ? "pointed" : "square", width, height, HEADROOM) };
  }

  /** @param {any} element @param {number} width @param {number} height */
  table(element, width, height) {
    const { board } = this;
    const { middles, at, side, corners, horizon } = this.layout(width, height);
    const kinds = new Map(board.letters.map((/** @type {any} */ { letter }, /** @type {number} */ number) => [letter, number]));
    const letters = (this.cast.ground ?? []).join("");
    const tiles = middles.map((middle, cell) => {
      const kind = kinds.get(letters[cell]) ?? 0;
      return { corners: corners(middle), kind: `ground${Math.min(Number(kind), 5)}`, letter: kind > 0 ? letters[cell] : "", at: at(middle) };
    });
    paint(element, width, height, horizon, this.scene());
    paintTable(element, tiles, side);
  }

  /** Everybody on their cells; whoever fell leaves the cell to others. @param {number} width @param {number} height @param {any} frame */
  cells(width, height, frame) {
    const { at, side, squash, duel } = this.layout(width, height);
    const cellField = this.fields.find((/** @type {any} */ { role }) => role === "cell");
    const turned = this.fields.find((/** @type {any} */ { role }) => role === "facing");
    const spots = new Map();
    for (const [place, figure] of this.figures) {
      const { gauges } = frame.units.get(place);
      const cell = Math.max(0, gauges[cellField.gauge]);
      const [x, y] = at(middleOfCell(this.board, cell));
      const beak = figure.element.lastChild;
      if (turned !== undefined) {
        beak.hidden = false;
        styled(beak, "rotate", `${degrees(this.board, gauges[turned.gauge])}deg`);
      }
      spots.set(place, {
        x,
        y: y + side * squash * 0.12,
        h: Math.max(24, Math.min(110, side * 1.3)),
        dir: figure.unit.side === 1 ? 1 : -1,
        plate: Math.min(110, side * 1.6),
        form: "tiny",
      });
    }
    /** Where they stood first: panels stay where they are. @type {number[][]} */
    this.rows ??= [...frame.units.values()]
      .filter(({ present, gauges }) => present && gauges[cellField.gauge] >= 0)
      .map(({ side: own, gauges }) => [own, Math.floor(gauges[cellField.gauge] / this.board.width)]);
    return { horizon: 0, spots, duel, strips: stripsOf(this.rows, width, height) };
  }

  /** @param {any} frame */
  key(frame) {
    if (this.board === null) return "";
    const kept = this.fields.filter((/** @type {any} */ { role }) => role === "cell" || role === "facing");
    return [...frame.units.values()].map(({ gauges }) => kept.map((/** @type {any} */ { gauge }) => gauges[gauge]).join(",")).join(" ");
  }

  /** @param {any} frame */
  arrange(frame) {
    for (const [place, figure] of this.figures) {
      const { name, mark } = frame.units.get(place);
      // Whoever joined has a body of its own kind.
      if (name !== figure.name) {
        figure.rename(name);
        figure.embody({ ...looksOf([{ ...figure.unit, name, mark }], this.data.drawing?.looks).get(place), hue: figure.look.hue });
      }
    }
    super.arrange(frame);
  }

  /** @param {any} frame @param {any[]} standing */
  draw(frame, standing) {
    super.draw(frame, standing);
    this.leave(frame, standing);
  }

  /** @param {any} frame @param {boolean} isFresh */
  extra(frame, isFresh) {
    void isFresh;
    this.head(frame.scene);
  }

  /** Whoever is on no cell, or fell, is not on the board. @param {any} frame @param {any[]} standing */
  leave(frame, standing) {
    if (this.board === null) return;
    const cellField = this.fields.find((/** @type {any} */ { role }) => role === "cell");
    for (const [place, figure] of this.figures) {
      const { gauges, fallen, present } = frame.units.get(place);
      const isSeen = frame.effects.some((/** @type {any} */ each) => each.on === place);
      figure.element.hidden = !present || gauges[cellField.gauge] < 0 || (fallen && !standing.includes(place) && !isSeen);
    }
  }

  /** The State of sides and of the battle that is shown. @param {any} scene */
  head(scene) {
    const { fields, cast } = this.described;
    const wordsOf = (/** @type {any[]} */ each, /** @type {string} */ before) =>
      each
        .filter(({ role }) => role === "badge" || role === "bar")
        .map((field) => `${worded(field.name)} ${valueOf(field, scene[`${before}${field.name}`])}`)
        .join(", ");
    if (cast === "unit") this.headings.forEach((heading, at) => (heading.textContent = wordsOf(fields.side, `${at}.`)));
    this.heading.textContent = wordsOf(fields.battle, "");
    this.heading.hidden = this.heading.textContent === "";
  }

  /** The sentence of an event, its names in the colours of their sides. @param {any} frame */
  captionOf(frame) {
    if (frame.spans === undefined) return super.captionOf(frame);
    const when = h("span", { class: "when" }, frame.round);
    const spans = frame.spans.map((/** @type {any} */ [text, place]) =>
      place === null ? text : h("strong", { class: `side${this.sides.get(place) ?? ""}` }, text),
    );
    return [when, h("span", { class: "sentence" }, ...spans)];
  }
}
