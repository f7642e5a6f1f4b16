// @ts-check
/** The plain stage of any game: two rows of cards, or tokens on a board, drawn from what its State declares. @module */

import { h, isCalm, styled, svg } from "./dom.js";
import { badgeOf, isSaid, touch } from "./effects.js";
import { worded } from "./interpreter.js";
import { mark } from "./marks.js";
import { Stage } from "./stage.js";

const ROOT_OF_3 = Math.sqrt(3);
/** How long tokens are on their way, in milliseconds. */
const MARCH_MS = 420;
/** Corners of a cell around its middle, in widths of a cell. */
const HEX_CELL = [0, 1, 2, 3, 4, 5].map((at) => [Math.sin((Math.PI * at) / 3) / ROOT_OF_3, -Math.cos((Math.PI * at) / 3) / ROOT_OF_3]);
const SQUARE_CELL = [
  [0.5, 0.5],
  [-0.5, 0.5],
  [-0.5, -0.5],
  [0.5, -0.5],
];

/** The middle of a cell, in widths of a cell; on hexes odd rows lie half a cell to the right. @param {any} board @param {number} cell @returns {[number, number]} */
export function middleOfCell({ width, shape }, cell) {
  const [column, row] = [cell % width, Math.floor(cell / width)];
  return shape === "hex" ? [column + 0.5 + (row % 2) / 2, 1 / ROOT_OF_3 + (row * ROOT_OF_3) / 2] : [column + 0.5, row + 0.5];
}

/** The width and height of a board, in widths of a cell. @param {any} board @returns {[number, number]} */
const sizeOf = ({ width, height, shape }) =>
  shape === "hex" ? [width + (height > 1 ? 0.5 : 0), ((height - 1) * ROOT_OF_3) / 2 + 2 / ROOT_OF_3] : [width, height];

/** Degrees of a way: on squares from the north with the clock, on hexes from the east against it. @param {any} board @param {number} way */
const degrees = ({ shape }, way) => (shape === "hex" ? -60 * way : 90 * way - 90);

/** A State value in words. @param {any} field @param {number} value */
const valueOf = ({ book, flag }, value) => (book === null ? (flag ? (value ? "yes" : "no") : String(value)) : (book[value] ?? String(value)));

/** What a badge says; nothing of what is 0, no or the first of its kind. @param {any} field @param {number} value */
function badgeWords(field, value) {
  if (!value) return "";
  return field.flag ? worded(field.name) : `${worded(field.name)} ${valueOf(field, value)}`;
}

/** How a bar stands, in words. @param {any} field @param {any} gauges */
function barWords({ name, gauge, whole }, gauges) {
  const of = gauges[whole] > 0 ? ` of ${gauges[whole]}` : "";
  return `${worded(name)} ${gauges[gauge]}${of}`;
}

/** A unit, or a side without units: its name, bars and badges. */
class PlainFigure {
  /** @param {any} unit @param {any[]} fields @param {string} tag @param {string} look */
  constructor(unit, fields, tag, look) {
    this.unit = unit;
    this.fields = fields;
    this.bars = fields
      .filter(({ role }) => role === "bar")
      .map((field, at) => {
        const fill = h("span", { class: "fill" });
        return { field, fill, element: h("span", { class: at === 0 ? "bar" : "bar second" }, fill) };
      });
    this.shown = fields.filter(({ role }) => role === "badge");
    this.name = unit.name;
    this.figure = h("span", { class: "figure" }, mark(unit.mark));
    this.called = look === "card" ? h("span", { class: "name", title: unit.name }, unit.name) : h("span", { class: "label" }, unit.name);
    this.badges = h("span", { class: "badges" });
    this.element = h(tag, { class: `${look} side${unit.side}` });
  }

  /** @param {any} state @param {any} frame @param {any} stage @param {boolean} isFresh */
  show(state, frame, stage, isFresh) {
    const effects = frame.effects.filter((/** @type {any} */ each) => each.on === this.unit.place);
    this.element.hidden = !state.present;
    if (state.name !== this.name) this.rename(state);
    this.element.classList.toggle("acting", frame.actor === this.unit.place);
    this.element.classList.toggle("struck", effects.some((/** @type {any} */ each) => each.look === "hurt"));
    this.element.classList.toggle("fallen", state.fallen);
    for (const { field, fill, element } of this.bars) {
      const [value, whole] = [state.gauges[field.gauge], state.gauges[field.whole]];
      element.hidden = !(whole > 0);
      element.title = barWords(field, state.gauges);
      element.classList.toggle("full", value >= whole);
      styled(fill, "transform", `scaleX(${whole > 0 ? Math.max(0, Math.min(1, value / whole)) : 0})`);
    }
    const said = effects.filter(isSaid).map((/** @type {any} */ each) => badgeOf(each, stage.nameOf, stage.why));
    this.badges.replaceChildren(...said);
    this.write(state.gauges);
    if (isFresh) for (const effect of effects) touch(this.element, effect);
  }

  /** Whoever joined is called otherwise than its place. @param {any} state */
  rename({ name, mark: kind }) {
    this.name = name;
    this.called.textContent = name;
    if (this.called.title !== "") this.called.title = name;
    this.figure.firstChild?.replaceWith(mark(kind));
  }

  /** The words of what is shown. @param {any} gauges */
  words(gauges) {
    return this.shown.map((field) => badgeWords(field, gauges[field.gauge])).filter((each) => each !== "");
  }

  /** @param {any} gauges */
  write(gauges) {
    throw new Error(`a figure writes its own words: ${gauges}`);
  }
}

/** A unit in a row. */
class PlainCard extends PlainFigure {
  /** @param {any} unit @param {any[]} fields */
  constructor(unit, fields) {
    super(unit, fields, "article", "card");
    this.numbers = h("span", { class: "numbers" });
    this.states = h("ul", { class: "states", "aria-label": "State" });
    const bars = this.bars.map(({ element }) => element);
    this.element.append(
      h("header", null, this.figure, this.called),
      ...bars.slice(0, 1),
      this.numbers,
      ...bars.slice(1),
      this.states,
      this.badges,
    );
    this.last = null;
  }

  /** @param {any} gauges */
  write(gauges) {
    if (this.last === gauges) return;
    this.last = gauges;
    const numbers = this.bars.map(({ field }, at) => {
      const { gauge, whole, name } = field;
      const text = gauges[whole] > 0 ? `${gauges[gauge]}/${gauges[whole]}` : String(gauges[gauge]);
      const words = { class: at === 0 ? "number" : "amount", title: barWords(field, gauges) };
      return h("span", words, at === 0 ? text : `${worded(name)} ${text}`);
    });
    this.numbers.replaceChildren(...numbers);
    this.states.replaceChildren(...this.words(gauges).map((each) => h("li", { class: "plain" }, each)));
  }
}

/** A unit on the board. */
class PlainToken extends PlainFigure {
  /** @param {any} unit @param {any[]} fields */
  constructor(unit, fields) {
    super(unit, fields, "div", "token piece-token");
    this.element.setAttribute("role", "img");
    this.beak = h("span", { class: "beak", hidden: true });
    this.states = h("span", { class: "shown" });
    this.figure.append(h("span", { class: "bars" }, ...this.bars.map(({ element }) => element)));
    this.element.append(this.beak, this.figure, this.called, this.states);
  }

  /** @param {any} gauges */
  write(gauges) {
    const words = this.words(gauges);
    const told = [`${this.name}:`, ...this.bars.map(({ field }) => barWords(field, gauges)), ...words].join(", ").replace(":,", ":");
    this.element.title = told;
    this.element.setAttribute("aria-label", told);
    this.states.textContent = words.length === 0 ? "" : "•".repeat(Math.min(3, words.length));
  }
}

export class Plain extends Stage {
  /** @param {any} cast @param {any} data @param {any} stage What the layout says of the stage. */
  constructor(cast, data, stage) {
    super(cast);
    this.described = stage;
    this.isMoving = false;
    this.board = stage.board !== null && stage.fields[stage.cast].some((/** @type {any} */ { role }) => role === "cell") ? stage.board : null;
    const fields = stage.fields[stage.cast];
    const make = this.board === null ? PlainCard : PlainToken;
    this.figures = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, new make(unit, fields)]));
    this.sides = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, unit.side]));
    /** Headings of both sides, and of the battle; each lists State that is shown. */
    this.headings = [1, 2].map(() => h("span", { class: "shown" }));
    this.heading = h("p", { class: "shown", hidden: true });
    const names = [1, 2].map((side) => h("h2", { class: `side${side}` }, data.sides[side - 1], " ", this.headings[side - 1]));
    if (this.board === null) this.buildRows(cast, data, names);
    else this.buildBoard(cast, names, this.board);
  }

  /** @param {any} cast @param {any} data @param {any[]} names */
  buildRows(cast, data, names) {
    this.ranks = names.map((name, at) => {
      const cards = cast.units.filter((/** @type {any} */ unit) => unit.side === at + 1);
      const elements = cards.map((/** @type {any} */ unit) => this.figures.get(unit.place).element);
      const isAlone = this.described.cast === "side";
      // The card of a side without units has its name already.
      return h("section", { class: isAlone ? "rank alone" : "rank", "aria-label": data.sides[at] }, isAlone ? null : name, h("div", { class: "cards" }, ...elements));
    });
    this.element.append(this.heading, this.ranks[0], this.caption, this.ranks[1]);
  }

  /** @param {any} cast @param {any[]} names @param {any} board */
  buildBoard(cast, names, board) {
    const [width, height] = sizeOf(board);
    const ground = svg("svg", { viewBox: `0 0 ${width.toFixed(3)} ${height.toFixed(3)}`, class: "ground", "aria-hidden": "true" });
    const kinds = new Map(board.letters.map((/** @type {any} */ { letter }, /** @type {number} */ at) => [letter, at]));
    const letters = (cast.ground ?? []).join("");
    for (let cell = 0; cell < board.width * board.height; cell += 1) {
      const [x, y] = middleOfCell(board, cell);
      const corners = (board.shape === "hex" ? HEX_CELL : SQUARE_CELL).map(([dx, dy]) => `${(x + 0.96 * dx).toFixed(3)},${(y + 0.96 * dy).toFixed(3)}`);
      const kind = kinds.get(letters[cell]) ?? 0;
      ground.append(svg("polygon", { points: corners.join(" "), class: `tile ground${Math.min(kind, 5)}` }));
      if (kind > 0) ground.append(svg("text", { x, y: (y + 0.3).toFixed(3), class: "letter" }, letters[cell]));
    }
    this.tokens = h("div", { class: "pieces-on-board" }, ...[...this.figures.values()].map(({ element }) => element));
    this.saying = h("div", { class: "sayings" });
    const field = h("div", { class: "board" }, ground, this.tokens, this.saying);
    styled(field, "aspect-ratio", `${width} / ${height}`);
    styled(field, "--tile", `${100 / width}cqw`);
    // As high as leaves room for the controls in the window.
    styled(field, "max-width", `calc(clamp(19rem, 100vh - 27.5rem, 46rem) * ${width / height})`);
    const legend = board.letters.map((/** @type {any} */ { letter, name, about }) =>
      h("div", null, h("dt", null, letter), h("dd", null, about === "" ? name : `${name}: ${about}`)),
    );
    this.element.classList.add("field");
    this.element.append(this.heading, h("div", { class: "both-names" }, ...names), this.caption, field);
    if (legend.length > 0) this.element.append(h("dl", { class: "legend", "aria-label": "The board" }, ...legend));
  }

  /** @param {any} frame @param {boolean} isFresh */
  draw(frame, isFresh) {
    this.isMoving = false;
    const present = [0, 0, 0];
    for (const [place, figure] of this.figures) {
      const state = frame.units.get(place);
      if (state.present) present[state.side] += 1;
      figure.show(state, frame, this, isFresh);
      if (this.board !== null) this.put(figure, state);
    }
    this.ranks?.forEach((/** @type {any} */ rank, /** @type {number} */ at) => (rank.dataset.cards = String(present[at + 1])));
    if (this.board !== null) this.say(frame);
    this.head(frame.scene);
  }

  /** Stand a token on its cell, and turn its beak. @param {any} figure @param {any} state */
  put({ element, beak, fields, badges }, { gauges, fallen }) {
    const at = fields.find((/** @type {any} */ { role }) => role === "cell");
    const turned = fields.find((/** @type {any} */ { role }) => role === "facing");
    const cell = gauges[at.gauge];
    // Whoever fell leaves the cell to others, once that was seen.
    if (cell < 0 || (fallen && badges.firstChild === null)) element.hidden = true;
    const [width, height] = sizeOf(this.board);
    const [x, y] = middleOfCell(this.board, Math.max(0, cell));
    const [left, top] = [`${((100 * x) / width).toFixed(2)}%`, `${((100 * y) / height).toFixed(2)}%`];
    if (element.style.left !== left || element.style.top !== top) this.isMoving ||= !element.hidden;
    styled(element, "left", left);
    styled(element, "top", top);
    if (turned === undefined) return;
    beak.hidden = false;
    styled(beak, "rotate", `${degrees(this.board, gauges[turned.gauge])}deg`);
  }

  /** Arrows wait for tokens on their way. @param {any} frame */
  point(frame) {
    const wait = this.isMoving && !this.element.classList.contains("scrubbing") && !isCalm();
    this.isMoving = false;
    if (!wait) {
      super.point(frame);
      return;
    }
    this.arrows.clear();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => super.point(frame), MARCH_MS);
  }

  /** What happens to tokens stands over them all. @param {any} frame */
  say(frame) {
    const said = [...this.figures.values()].filter(({ badges, element }) => badges.firstChild !== null && !element.hidden);
    this.saying.replaceChildren(
      ...said.map(({ element, badges }) => {
        styled(badges, "left", element.style.left);
        styled(badges, "top", element.style.top);
        return badges;
      }),
    );
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

  /** @param {any} place */
  anchor(place) {
    const found = this.figures.get(place);
    return found === undefined || found.element.hidden ? undefined : found.figure;
  }
}
