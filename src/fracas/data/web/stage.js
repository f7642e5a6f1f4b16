// @ts-check
/** The stage of every game: a ground, bodies on their places, what happens between them, and a caption. @module */

import { h, styled, svg } from "./dom.js";
import { isSaid, sentence, Why } from "./effects.js";
import { Figure, statusesOf } from "./figures.js";
import { emptyGround, onGround, paint } from "./grounds.js";
import { looksOf } from "./looks.js";
import { Motion } from "./motion.js";
import { numbersOver } from "./numbers.js";
import { NARROW, ranksOf } from "./places.js";

/**
 * What a ruleset says of its stage; everything else is drawn in the same way for all games.
 *
 * @typedef {object} Picture
 * @property {import("./figures.js").Bar[]} [bars] The first is what a unit lives by.
 * @property {(state: any) => import("./figures.js").Chip[]} [chips] What stands under a body besides its bars.
 * @property {(units: any[], looks: Map<any, any>, width: number, height: number, frame: any) => any} [places] Who stands where.
 * @property {(element: any, width: number, height: number, horizon: number, frame: any) => void} [ground]
 * @property {(frame: any) => string} [scene] What the place is called, if it changes.
 */

/** @type {import("./figures.js").Bar} */
export const LIFE = { name: "HP", gauge: "hp", whole: "max" };

/** After how long without anything new the bodies stop breathing, in milliseconds. */
const STILL_MS = 1500;
/** How wide a status is, about. */
const CHIP_PX = 36;
const TINY_CHIP_PX = 17;
/** How long a picture stands without motion after it was sought. */
const HELD_MS = 90;

export class Stage {
  /** @param {any} cast @param {any} data @param {Picture} [picture] */
  constructor(cast, data, picture = {}) {
    this.cast = cast;
    this.data = data;
    this.picture = picture;
    /** What units are called in the frame that is shown. @type {Map<any, any>} */
    this.called = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, unit]));
    /** @param {any} place */
    this.nameOf = (place) => String(this.called.get(place)?.name ?? "nobody");
    /** What content says of drawing: looks by the names of units, effects by those of abilities. */
    const drawing = data.drawing ?? {};
    this.given = drawing.effects ?? {};
    this.looks = looksOf(cast.units, drawing.looks);
    const shown = { bars: picture.bars ?? [LIFE], chips: picture.chips ?? statusesOf };
    this.figures = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, new Figure(unit, this.looks.get(unit.place), shown)]));
    /** @type {any} */
    this.frame = null;
    /** All frames, from the player. @type {any[]} */
    this.frames = [];
    this.settled = "";
    this.why = new Why();
    this.caption = h("p", { class: "caption" });
    this.build(data);
    this.motion = new Motion(this);
    /** @type {any} */
    this.calming = undefined;
    /** @type {any} */
    this.holding = undefined;
    new ResizeObserver(() => this.resize()).observe(this.sight);
  }

  /** @param {any} data */
  build(data) {
    this.ground = emptyGround();
    this.units = h("div", { class: "units" }, ...[...this.figures.values()].map(({ element }) => element));
    this.dim = h("div", { class: "dim" });
    this.strikes = svg("svg", { class: "strikes", "aria-hidden": "true" });
    this.camera = h("div", { class: "camera" }, this.ground, this.units, this.dim, this.strikes);
    this.numbers = h("div", { class: "numbers" });
    this.flash = h("div", { class: "flash" });
    this.teams = [1, 2].map((side) => {
      const [ghost, fill] = [h("span", { class: "ghost" }), h("span", { class: "fill" })];
      const count = h("small");
      const name = h("h2", { class: `side${side}` }, data.sides[side - 1]);
      const element = h("div", { class: `team side${side}` }, h("header", null, name, count), this.cast.vital === "" ? null : h("span", { class: "bar" }, ghost, fill));
      return { element, ghost, fill, count };
    });
    this.sight = h("div", { class: "sight" }, this.camera, this.numbers, ...this.teams.map(({ element }) => element), this.caption, this.flash);
    this.element = h("div", { class: "stage" }, this.sight, this.why.element);
    /** Those who act, enlarged, where there is room for tokens only. @type {any[]} */
    this.doubles = [];
  }

  /**
   * Show a frame; a fresh one is acted out.
   *
   * @param {any} frame
   * @param {boolean} isFresh
   * @param {number} [speed]
   */
  show(frame, isFresh, speed = 1) {
    this.hold(!isFresh);
    this.element.classList.toggle("fast", speed > 2);
    this.motion.settle();
    this.why.close();
    const before = this.frame;
    this.called = frame.units;
    this.frame = frame;
    this.caption.replaceChildren(...this.captionOf(frame));
    this.arrange(frame);
    this.pair(frame);
    this.point(frame);
    if (!isFresh || before === null) {
      this.rest(frame);
      return;
    }
    this.live();
    const joins = this.joining(before, frame);
    for (const [place] of this.figures) {
      this.mark(place, "hurt", false);
      this.mark(place, "strike", false);
      this.mark(place, "ready", false);
      this.mark(place, "acting", place === frame.actor);
    }
    for (const place of this.struck(frame)) this.mark(place, "struck", true);
    for (const figure of joins) figure.show(frame.units.get(figure.unit.place));
    this.extra(frame, true);
    this.motion.play(frame, this.said, joins, speed);
  }

  /** Show a frame as it is once it was acted out. @param {any} frame */
  rest(frame) {
    const struck = this.struck(frame);
    for (const [place, figure] of this.figures) {
      figure.mark("ready", place === frame.actor && frame.kind === "action");
      figure.mark("acting", place === frame.actor);
      figure.mark("struck", struck.has(place));
      figure.mark("strike", false);
      figure.mark("hurt", false);
      figure.off = null;
      if (figure.spot !== null) {
        figure.turn(figure.spot.dir);
        styled(figure.element, "z-index", Math.round(figure.spot.y));
      }
    }
    for (const double of this.doubles) {
      if (double === null) continue;
      double.off = null;
      double.turn(double.spot.dir);
      for (const name of ["strike", "hurt", "ready"]) double.mark(name, false);
    }
    this.draw(frame, []);
    this.extra(frame, false);
  }

  /** Draw the states of a frame. @param {any} frame @param {any[]} standing Those who are about to fall. */
  draw(frame, standing) {
    const counts = [0, 0, 0];
    for (const [place, figure] of this.figures) {
      const state = frame.units.get(place);
      if (state.present && !state.fallen) counts[state.side] += 1;
      figure.show(state, standing.includes(place));
    }
    for (const double of this.doubles) double?.pose(frame.units.get(double.unit.place), standing.includes(double.unit.place));
    const isDuel = this.cast.units.length < 3;
    this.teams.forEach(({ fill, ghost, count }, at) => {
      const share = frame.full[at + 1] > 0 ? Math.max(0, frame.hp[at + 1]) / frame.full[at + 1] : 0;
      styled(fill, "transform", `scaleX(${share})`);
      styled(ghost, "transform", `scaleX(${share})`);
      const told = isDuel || counts[at + 1] + frame.full[at + 1] === 0 ? "" : String(counts[at + 1]);
      if (count.dataset.told !== told) count.replaceChildren(told, told === "" ? "" : h("span", null, " standing"));
      count.dataset.told = told;
    });
  }

  /** What one ruleset's stage shows besides. @param {any} frame @param {boolean} isFresh */
  extra(frame, isFresh) {
    void frame;
    void isFresh;
  }

  /** Those whom something happens to. @param {any} frame @returns {Set<any>} */
  struck(frame) {
    return new Set(frame.effects.filter((/** @type {any} */ each) => isSaid(each) && each.on !== frame.actor).map((/** @type {any} */ { on }) => on));
  }

  /** Figures that come or get up with a frame. @param {any} before @param {any} frame @returns {any[]} */
  joining(before, frame) {
    if (frame.kind === "part") return [];
    return [...this.figures].flatMap(([place, figure]) => {
      const [was, is] = [before.units.get(place), frame.units.get(place)];
      return is.present && !is.fallen && (!was.present || was.fallen) ? [figure] : [];
    });
  }

  /** Nothing moves while pictures follow each other as fast as somebody scrubs. @param {boolean} isHeld */
  hold(isHeld) {
    clearTimeout(this.holding);
    this.element.classList.toggle("scrubbing", isHeld);
    if (isHeld) this.holding = setTimeout(() => this.element.classList.remove("scrubbing"), HELD_MS);
  }

  /** Let bodies breathe for a while. */
  live() {
    this.element.classList.add("live");
    clearTimeout(this.calming);
    this.calming = setTimeout(() => this.element.classList.remove("live"), STILL_MS);
  }

  /** The stage got another size. */
  resize() {
    const { clientWidth, clientHeight } = this.sight;
    if (clientWidth === this.width && clientHeight === this.height) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.settled = "";
    if (this.frame === null || this.width === 0) return;
    this.show(this.frame, false);
  }

  /** Put everybody on their places, if they are not there. @param {any} frame */
  arrange(frame) {
    const present = this.cast.units.filter((/** @type {any} */ { place }) => frame.units.get(place).present);
    const { scene = () => this.scene() } = this.picture;
    const { width = 0, height = 0 } = this;
    const wanted = `${this.key(frame)} ${scene(frame)} ${present.map((/** @type {any} */ { place }) => place).join(" ")}`;
    if (wanted === this.settled || width === 0) return;
    this.settled = wanted;
    this.isNarrow = width < NARROW;
    this.element.classList.toggle("narrow", this.isNarrow);
    const { horizon, spots, duel, strips } = (this.picture.places ?? ranksOf)(present, this.looks, width, height, frame);
    this.spots = spots;
    this.strips = strips;
    this.duel = duel;
    this.doubles = [];
    for (const double of this.units.querySelectorAll(".duel")) double.remove();
    this.element.classList.toggle("crowded", present.length > 8);
    for (const [place, figure] of this.figures) {
      figure.element.hidden = !spots.has(place);
      if (spots.has(place)) figure.stand(spots.get(place));
    }
    if (this.picture.ground !== undefined) this.picture.ground(this.ground, width, height, horizon, frame);
    else paint(this.ground, width, height, horizon, scene(frame), this.scene());
    this.strikes.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.teams.forEach(({ element }, at) => {
      element.classList.toggle("strip", strips !== null);
      styled(element, "top", strips === null ? "" : `${strips[at]}px`);
    });
    this.fit();
  }

  /** What besides who is present changes the places. @param {any} frame */
  key(frame) {
    void frame;
    return "";
  }

  /** The scene's name, which its ground follows from. */
  scene() {
    const { id = "", seed = "" } = this.data.scene ?? {};
    return `${id} ${seed} ${this.data.sides.join(" ")}`;
  }

  /** Where a frame is, in words: the scenario's own, or its ground. @param {any} frame */
  where(frame) {
    const { title } = this.data.scene ?? {};
    if (title) return String(title);
    if (this.picture.ground !== undefined) return "on the map";
    return frame === undefined ? "" : onGround((this.picture.scene ?? (() => this.scene()))(frame), this.scene());
  }

  /** A name that is wider than its plate keeps its last word; what it is called in full is its title. */
  fit() {
    const shown = [...this.figures.values()].filter(({ spot, element }) => spot !== null && !element.hidden);
    // Plates are measured with the largest number that they ever show, so that another frame cuts no name.
    const told = shown.map(({ left }) => left.textContent);
    for (const { called, name, element, left, unit, shown: { bars } } of shown) {
      called.textContent = name;
      element.classList.remove("tight");
      const [gauge] = bars.map((each) => each.gauge);
      left.textContent = String(this.frames.reduce((most, { units }) => Math.max(most, units.get(unit.place)?.gauges[gauge] ?? 0), 0));
    }
    const tooLong = (/** @type {any} */ { called, number, plate, spot }) => {
      const isOut = spot.form === "token" || (spot.form === "dense" && this.element.classList.contains("narrow"));
      const beside = isOut ? 0 : number.offsetWidth + 6;
      return called.scrollWidth + beside > plate.clientWidth - 16;
    };
    const long = shown.filter(tooLong);
    for (const { called, name } of long) called.textContent = lastOf(name);
    // What is still too long has the plate to itself; the bar tells the rest.
    for (const { element } of long.filter(tooLong)) element.classList.add("tight");
    shown.forEach(({ left }, at) => (left.textContent = told[at]));
  }

  /**
   * Who acts and whom it meets stand enlarged between rows of tokens; the place of side 1 is on the left. Where nobody
   * acts, those who do so next stand there, and after the last act those who still can.
   *
   * @param {any} frame
   */
  pair(frame) {
    if (!this.duel) return;
    const next = this.frames.slice(this.frames.indexOf(frame) + 1);
    const standing = () => this.doubles.flatMap((each) => (each === null || frame.units.get(each.unit.place).fallen ? [] : [each.unit.place]));
    const both = [frame, ...next].map(pairOf).find((each) => each.length > 0) ?? standing();
    const sideOf = (/** @type {any} */ place) => frame.units.get(place).side;
    /** @type {any[]} */
    const wanted = [null, null];
    if (both.length === 1) wanted[sideOf(both[0]) - 1] = both[0];
    else if (both.length === 2) [wanted[0], wanted[1]] = sideOf(both[0]) === 2 ? [both[1], both[0]] : both;
    this.doubles = wanted.map((place, at) => {
      const old = this.doubles[at];
      const look = this.figures.get(place)?.look;
      if ((old?.unit.place ?? null) === place && old?.look === look) return old ?? null;
      old?.element.remove();
      if (place === null) return null;
      const unit = this.called.get(place);
      const double = new Figure({ ...unit, place }, look, { bars: [], chips: () => [] });
      double.element.setAttribute("aria-hidden", "true");
      double.plate.remove();
      const spot = /** @type {any[]} */ (this.duel)[at];
      double.stand(spot);
      double.element.classList.remove("full");
      double.pose(frame.units.get(place), !this.figures.get(place)?.element.classList.contains("fallen"));
      this.units.append(double.element);
      return double;
    });
  }

  /** The figure of a unit that is seen best, and where it stands. @param {any} place */
  standing(place) {
    const double = this.doubles.find((each) => each?.unit.place === place);
    const figure = double ?? this.figures.get(place);
    if (figure === undefined || figure.spot === null || figure.element.hidden) return undefined;
    return { figure, spot: figure.spot };
  }

  /** @param {any} place @param {string} name @param {boolean} holds */
  mark(place, name, holds) {
    this.figures.get(place)?.mark(name, holds);
    this.doubles.find((each) => each?.unit.place === place)?.mark(name, holds);
  }

  /** Where an effect meets a body. @param {any} who @param {number} reach @param {any} off */
  pointOf({ figure, spot }, reach, off) {
    const { x, y, h: height, dir } = spot;
    return {
      x: x + off.x + dir * height * reach,
      y: y + off.y - height * 0.43,
      foot: y + off.y,
      h: height,
      colour: `hsl(${figure.look.hue} 90% 62%)`,
    };
  }

  /** Write the numbers of a frame anew, also after the page changed its size. @param {any} frame */
  point(frame) {
    if (!this.spots) return;
    const said = frame.effects.filter((/** @type {any} */ each) => isSaid(each) && each.look !== "fall");
    const room = { width: this.width ?? 0, height: this.height ?? 0 };
    this.said = numbersOver(said, (place) => this.standing(place)?.spot, this.taken(frame), room, this.nameOf, this.why);
    this.numbers.replaceChildren(...this.said.map(({ badge }) => badge));
  }

  /** What numbers keep clear of: plates, panels, the caption. @param {any} frame */
  taken(frame) {
    const boxes = [];
    for (const [place, { spot }] of this.figures) {
      const { present, states, gauges } = frame.units.get(place);
      if (spot === null || !present) continue;
      const chips = states.size > 0 || gauges.shield > 0 ? 20 : 0;
      const high = { full: 40 + chips, dense: 36 + chips, token: 29, tiny: 12 }[/** @type {"full"} */ (spot.form)] ?? 0;
      const top = spot.y + Math.max(4, spot.h * 0.085);
      const left = spot.x - spot.plate / 2;
      boxes.push({ left, right: left + spot.plate, top, bottom: top + high });
      // Statuses of tokens stand above the plate; a row below one may be wider than it.
      const right = left + spot.plate + 2;
      if (chips > 0 && spot.form === "token") boxes.push({ left: right - TINY_CHIP_PX * Math.min(3, states.size + 1), right, top: top - 20, bottom: top });
      if (chips > 0 && high > 40) boxes.push({ left, right: left + CHIP_PX * (states.size + 1), top: top + high - 22, bottom: top + high + 2 });
    }
    const { width = 0 } = this;
    if (this.strips) {
      boxes.push(...this.strips.map((/** @type {number} */ top) => ({ left: 0, right: width, top, bottom: top + 21 })), {
        left: 0,
        right: width,
        top: 0,
        bottom: 46,
      });
    } else boxes.push({ left: 0, right: width, top: 0, bottom: 68 });
    return boxes;
  }

  /** A frame as a sentence, for those who hear the page. @param {any} frame */
  told(frame) {
    const effects = frame.effects.filter(isSaid).map((/** @type {any} */ each) => sentence(each, this.nameOf));
    const who = frame.actor === null || frame.spans !== undefined ? "" : `${this.nameOf(frame.actor)} `;
    return [`${who}${frame.title}`, ...effects].filter((each) => each !== "").join("; ");
  }

  /** When it is, who acts, and how. @param {any} frame @returns {any[]} */
  captionOf(frame) {
    return captionOf(frame, this.nameOf, this.data);
  }
}

/** Who acts in a frame, and whom it meets first. @param {any} frame @returns {any[]} */
const pairOf = ({ actor, effects }) => {
  const met = effects.find((/** @type {any} */ each) => isSaid(each) && each.on !== actor)?.on;
  return [actor, met].filter((place) => (place ?? null) !== null);
};

/** The last word of a name, with its number, without what is added to it. @param {string} name */
export const lastOf = (name) => /(\S+(?: \d+)?)$/u.exec(name.split(/,| \(/u, 1)[0])?.[1] ?? name;

/** More targets than these are seen, and not named. */
const MOST_TARGETS = 2;

/** Whom an action is about besides who acts. @param {any} frame @param {(place: any) => string} nameOf */
function targetsOf({ actor, effects, units }, nameOf) {
  const found = new Set(effects.filter(isSaid).map((/** @type {any} */ { on }) => on));
  found.delete(actor);
  if (actor === null || found.size === 0 || found.size > MOST_TARGETS) return [];
  const names = [...found].map((place) => h("strong", { class: `side${units.get(place)?.side ?? ""}` }, nameOf(place)));
  return [h("span", { class: "to" }, "→"), ...names];
}

/** @param {any} frame @param {(place: any) => string} nameOf @param {any} data */
function captionOf(frame, nameOf, { sides, outcome }) {
  const when = h("span", { class: "when" }, [frame.part, frame.round].filter((each) => each !== "").join(" · "));
  const isTitled = frame.kind === "action" || frame.kind === "end";
  const who = frame.actor === null ? "" : nameOf(frame.actor);
  const side = frame.actor === null ? "" : (frame.units.get(frame.actor)?.side ?? "");
  return [
    when,
    isTitled && who !== "" ? h("strong", { class: `side${side}` }, who) : null,
    frame.kind === "end" && outcome?.winner ? h("strong", { class: `side${outcome.winner}` }, `${sides[outcome.winner - 1]} won`) : null,
    isTitled && frame.title !== who ? h("span", { class: "what" }, frame.title) : null,
    ...targetsOf(frame, nameOf),
  ].filter((each) => each !== null);
}
