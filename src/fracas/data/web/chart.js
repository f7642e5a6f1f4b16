// @ts-check
/**
 * The ribbon: who was likely to win when, and what changed it. It is the bar that one scrubs on. HP stand below as thin
 * lines. What lies ahead can be kept out of sight; then the ribbon is stretched so that its length tells nothing.
 *
 * @module
 */

import { h, styled, svg } from "./dom.js";
import { causeOf, causing, fallenIn, fellIn, framesIn, inPoints, luckiest, oddsOf, percent, roundsOf, turningPoint } from "./odds.js";

const WIDTH = 1000;
/** The heights of the odds and of the HP below them. */
const HEIGHT = 100;
const BELOW = 26;
/** How long the stroke is that says that somebody falls. */
const FALL = 16;
/** Where the latest moment that was reached stands at most, while what lies ahead is hidden. */
const REACHED_AT = 0.7;

/** How wide a mark is. */
const MARK_PX = 25;

/** Signs of the marks. @type {Record<string, string>} */
const SIGNS_OF_MARKS = {
  turning: "M12 3l8 9-8 9-8-9z",
  decision: "M12 21v-8L5 4M12 13l7-9M5 9V4h5M19 9V4h-5",
  lucky: "M5 5h14v14H5zM9 9h.1M15 15h.1M12 12h.1",
};

export class Chart {
  /**
   * @param {any} timeline
   * @param {{ sides: string[], outcome: any }} data
   * @param {(place: any, frame: any) => string} nameOf
   * @param {(seconds: number) => void} go
   */
  constructor(timeline, { sides, outcome }, nameOf, go) {
    this.timeline = timeline;
    this.sides = sides;
    this.winner = outcome.winner;
    this.nameOf = nameOf;
    this.go = go;
    this.reached = timeline.length;
    this.isHiding = false;
    /** @type {any[]} */
    this.rounds = [];
    /** @type {any} */
    this.turning = null;
    /** @type {any} */
    this.decision = null;
    this.drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + BELOW}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.veil = h("span", { class: "ahead", hidden: true }, h("span", null, "hidden until reached"));
    this.head = h("span", { class: "head" });
    this.marks = h("div", { class: "marks-of-ribbon" });
    this.told = h("p", { class: "pointed", hidden: true });
    this.input = h("input", {
      ...{ type: "range", min: 0, max: timeline.length.toFixed(2), step: "any", value: 0, class: "scrub" },
      ...{ "aria-label": "Moment of the battle", oninput: () => go(Math.min(Number(this.input.value), this.end())) },
    });
    this.names = h(
      "p",
      { class: "names", "aria-hidden": "true" },
      h("span", { class: "side2" }, sides[1]),
      h("span", { class: "now" }),
      h("span", { class: "side1" }, sides[0]),
    );
    this.element = h("div", { class: "chart" }, this.drawing, this.names, this.veil, this.head, this.input, this.marks, this.told);
    this.input.addEventListener("pointermove", (/** @type {any} */ event) => this.tell(event));
    this.input.addEventListener("pointerdown", (/** @type {any} */ event) => this.tell(event));
    this.input.addEventListener("pointerleave", () => this.untell());
    this.draw();
    // How far marks stand apart depends on the width.
    new ResizeObserver(() => this.drawMarks(this.end())).observe(this.element);
  }

  /** How far one can go by the ribbon. */
  end() {
    return this.isHiding ? this.reached : this.timeline.length;
  }

  /** How many seconds the ribbon is long. */
  span() {
    return this.isHiding ? Math.max(this.reached / REACHED_AT, 4) : this.timeline.length;
  }

  /** @param {number} seconds */
  x(seconds) {
    return (WIDTH * seconds) / this.span();
  }

  /** Odds that were found, some or all. @param {any[]} found */
  setOdds(found) {
    this.rounds = roundsOf(found, this.timeline.frames, this.winner);
    this.turning = turningPoint(this.rounds, this.winner);
    this.draw();
  }

  /** The decision that cost most. @param {any} found */
  setDecision(found) {
    const round = found && this.rounds.findLast(({ frame }) => this.timeline.frames[frame].tick <= found.tick);
    if (!round) return;
    const frames = this.timeline.frames.slice(0, this.frameAfter(round));
    const at = frames.findIndex(({ tick, actor, units }, place) => {
      const unit = place >= round.frame && tick === found.tick ? units.get(actor) : undefined;
      return unit?.side === found.side && found.unit.endsWith(unit.name);
    });
    this.decision = { ...found, round, frame: at === -1 ? round.frame : at };
    this.draw();
  }

  /** Keep out of sight what lies behind a moment, or nothing. @param {boolean} isHiding @param {number} reached */
  hide(isHiding, reached) {
    const before = this.span();
    const known = this.end();
    this.isHiding = isHiding;
    this.reached = reached;
    if (this.span() !== before || this.end() !== known) this.draw();
  }

  /** The odds of side 1 at a moment, from the round before it to the round after. @param {number} seconds @returns {number | null} */
  oddsAt(seconds) {
    const { starts } = this.timeline;
    const at = this.rounds.findLastIndex(({ frame }) => starts[frame] <= seconds);
    if (this.rounds.length === 0) return null;
    if (at === -1) return this.rounds[0].odds;
    const [from, to] = [starts[this.rounds[at].frame], this.endOf(this.rounds[at])];
    // Within a round that goes on, its end is still hidden.
    if (this.isHiding && to > this.reached) return this.rounds[at].odds;
    const share = to > from ? Math.min(1, (seconds - from) / (to - from)) : 1;
    return this.rounds[at].odds + share * this.rounds[at].change;
  }

  /** The first frame after a round. @param {any} round */
  frameAfter(round) {
    return this.rounds[this.rounds.indexOf(round) + 1]?.frame ?? this.timeline.frames.length;
  }

  /** When a round ends; the last one where the outcome is told. @param {any} round */
  endOf(round) {
    const { starts } = this.timeline;
    return starts[this.frameAfter(round)] ?? starts.at(-1);
  }

  draw() {
    const { starts, length, frames } = this.timeline;
    const end = this.end();
    this.input.max = this.span().toFixed(2);
    const parts = [];
    if (this.rounds.length > 0) {
      const y = (/** @type {number} */ odds) => (HEIGHT * (1 - odds)).toFixed(1);
      const ways = [`M0 ${y(this.rounds[0].odds)}`];
      for (const { frame, odds } of this.rounds) {
        if (starts[frame] <= end) ways.push(`L${this.x(starts[frame]).toFixed(1)} ${y(odds)}`);
      }
      const last = Math.min(end, starts.at(-1));
      ways.push(`L${this.x(last).toFixed(1)} ${y(this.oddsAt(last) ?? 0.5)}H${this.x(end).toFixed(1)}`);
      const line = ways.join("");
      const right = this.x(end).toFixed(1);
      parts.push(
        svg("path", { class: "odds side2", d: `${line}V0H0z` }),
        svg("path", { class: "odds side1", d: `${line}V${HEIGHT}H0z` }),
        svg("path", { class: "even", d: `M0 ${HEIGHT / 2}H${right}` }),
        svg("path", { class: "edge", d: line }),
      );
    }
    for (let at = 1; at < frames.length && starts[at] <= end; at += 1) {
      if (frames[at].kind === "action" || frames[at].kind === "end") continue;
      parts.push(svg("path", { class: frames[at].kind === "part" ? "grid part" : "grid", d: `M${this.x(starts[at]).toFixed(1)} 0V${HEIGHT + BELOW}` }));
    }
    for (const side of [1, 2]) parts.push(svg("path", { class: `hp side${side}`, d: this.hpLine(side, end) }), svg("path", { class: `fell side${side}`, d: this.fallsLine(side, end) }));
    this.drawing.replaceChildren(...parts);
    this.element.dataset.odds = this.rounds.length > 0 ? "found" : "none";
    this.veil.hidden = !this.isHiding || end >= length;
    styled(this.veil, "left", `${this.x(end) / (WIDTH / 100)}%`);
    this.drawMarks(end);
  }

  /** HP of a side as steps, as a share of the most that both ever had. @param {number} side @param {number} end */
  hpLine(side, end) {
    const { frames, starts } = this.timeline;
    const most = frames.reduce((/** @type {number} */ found, /** @type {any} */ { hp }) => Math.max(found, hp[1], hp[2]), 1);
    const points = [];
    for (let at = 0; at < frames.length && starts[at] <= end; at += 1) {
      const y = (HEIGHT + BELOW - 1 - ((BELOW - 5) * frames[at].hp[side]) / most).toFixed(1);
      points.push(at === 0 ? `M0 ${y}` : `H${this.x(starts[at]).toFixed(1)}V${y}`);
    }
    return `${points.join("")}H${this.x(end).toFixed(1)}`;
  }

  /** Strokes at the side's own edge where somebody of it falls. @param {number} side @param {number} end */
  fallsLine(side, end) {
    const { frames, starts } = this.timeline;
    const strokes = frames.flatMap((frame, at) => {
      const told = frame.effects.flatMap((/** @type {any} */ { look, on }) => (look === "fall" ? [on] : []));
      const isFall = [...told, ...fallenIn(frame, frames[at - 1]?.units)].some((place) => frame.units.get(place)?.side === side);
      return isFall && starts[at] <= end ? [`M${this.x(starts[at]).toFixed(1)} ${side === 1 ? HEIGHT - FALL : 0}v${FALL}`] : [];
    });
    return strokes.join("");
  }

  /** @param {number} end */
  drawMarks(end) {
    const { starts } = this.timeline;
    const found = [
      this.turning && { name: "turning", round: this.turning.round, said: this.turningTold() },
      ...[luckiest(this.rounds, this.turning)].map((lucky) => lucky && { name: "lucky", round: lucky.round, said: this.luckTold(lucky) }),
      this.decision && { name: "decision", round: this.decision.round, frame: this.decision.frame, said: this.decisionTold() },
    ]
      .filter((each) => each && this.endOf(each.round) <= end)
      .map((each) => ({ frame: each.round.frame, ...each }));
    found.sort((one, other) => one.frame - other.frame);
    // Marks that fall together stand side by side, and none leaves the ribbon.
    const each = (100 * MARK_PX) / (this.element.clientWidth || WIDTH);
    let last = -each / 2;
    const places = found.map(({ frame }) => (last = Math.max(this.x(starts[frame]) / (WIDTH / 100), last + each)));
    let next = 100 - each / 2;
    for (let at = places.length - 1; at >= 0; at -= 1) {
      places[at] = Math.min(places[at], next);
      next = places[at] - each;
    }
    this.marks.replaceChildren(
      ...found.map(({ name, said, frame }, at) => {
        const mark = h(
          "button",
          { type: "button", class: name, title: said, "aria-label": `Go to: ${said}`, onclick: () => this.go(starts[frame]) },
          svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS_OF_MARKS[name] })),
        );
        styled(mark, "left", `${places[at].toFixed(2)}%`);
        return mark;
      }),
    );
  }

  /** When a round is, in words. @param {any} round */
  whenTold({ frame }) {
    const { part, round } = this.timeline.frames[frame];
    return [part, round].filter((each) => each !== "").join(", ") || "The beginning";
  }

  /** @param {any} round @param {number} side */
  wentTold(round, side) {
    const { odds, after } = round;
    return `${this.whenTold(round)}: the odds of ${this.sides[side - 1]} went from ${percent(oddsOf(odds, side))} to ${percent(oddsOf(after, side))}`;
  }

  /** What was chosen, and what would have been better. */
  decisionTold() {
    const { unit, side, chosen, best, cost, round } = this.decision;
    return `decision that cost most, ${this.whenTold(round)}: ${unit} chose ${chosen}; ${best} would have added ${inPoints(cost).slice(1)} for ${this.sides[side - 1]}`;
  }

  turningTold() {
    return `turning point, ${this.wentTold(this.turning.round, this.turning.side)}`;
  }

  /** @param {{ round: any, side: number }} lucky */
  luckTold({ round, side }) {
    return `good luck, ${this.wentTold(round, side)}`;
  }

  /** What made the odds of a round fall, in a sentence. @param {any} round */
  causeTold(round) {
    return causeOf(framesIn(this.timeline.frames, this.rounds, round), fellIn(round), this.nameOf);
  }

  /** The place of the frame that made the odds of a round fall. @param {any} round @returns {number} */
  frameOfCause(round) {
    const found = causing(framesIn(this.timeline.frames, this.rounds, round), fellIn(round));
    return found === null ? round.frame : this.timeline.frames.indexOf(found.frame);
  }

  /** Tell the round under the pointer: its odds and what changed them. @param {any} event */
  tell(event) {
    const box = this.element.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const seconds = share * this.span();
    if (seconds < 0 || seconds > this.end()) return this.untell();
    const { frames } = this.timeline;
    const frame = frames[this.timeline.at(seconds)];
    const round = this.rounds.findLast((each) => frames[each.frame].tick <= frame.tick);
    const when = [frame.part, frame.round].filter((each) => each !== "").join(" · ") || frame.title;
    const known = round !== undefined && this.endOf(round) <= this.end();
    const lines = [h("strong", null, when)];
    if (round !== undefined) lines.push(h("span", null, `${percent(round.odds)} : ${percent(1 - round.odds)}${known ? `, ${inPoints(round.change)} for ${this.sides[0]}` : ""}`));
    const cause = round !== undefined && known ? this.causeTold(round) : "";
    if (cause !== "") lines.push(h("span", null, cause));
    if (known && round === this.decision?.round) lines.push(h("span", null, this.decisionTold()));
    this.told.replaceChildren(...lines);
    this.told.hidden = false;
    const half = this.told.offsetWidth / 2;
    styled(this.told, "left", `${Math.max(half, Math.min(event.clientX - box.left, box.width - half))}px`);
  }

  untell() {
    this.told.hidden = true;
  }

  /** @param {number} seconds @param {string} told */
  show(seconds, told) {
    const at = this.x(seconds) / (WIDTH / 100);
    styled(this.head, "left", `${at}%`);
    this.input.value = String(seconds);
    const odds = this.oddsAt(seconds);
    const [first, second] = odds === null ? ["", ""] : [percent(odds), percent(1 - odds)];
    this.input.setAttribute("aria-valuetext", odds === null ? told : `${told}, odds ${first} : ${second}`);
    const label = this.names.children[1];
    label.replaceChildren(...(odds === null ? [] : [h("b", { class: "side1" }, first), " : ", h("b", { class: "side2" }, second)]));
    styled(label, "left", `${at}%`);
    // Beside the head, on the side where there is room.
    styled(label, "translate", at > 40 ? "calc(-100% - .4rem)" : ".4rem");
  }
}
