// @ts-check
/** The story of a battle, written from its frames: a line for each thing that happens, then what everybody did. @module */

import { SAID, isLoss, isSaid, whole } from "./effects.js";
import { worded } from "./interpreter.js";
import { fallenIn, restoredBy } from "./odds.js";

/** @typedef {[text: string, role?: string]} Span */
/** @typedef {{ event: number, spans: Span[] }} Line The event that it tells, from 0; -1 if it tells none. */

const COLUMNS = 78;
const BLOCKS = 8;
/** The columns of names and of what they do: with figures and bars a line is as wide as in the terminal. */
const MOST_NAME = 16;
const MOST_TITLE = 16;

/** A heading with a rule behind it. @param {string} title @param {string} [note] @returns {Span[]} */
const heading = (title, note = "") => [
  [`${title} `, "heading"],
  ["─".repeat(Math.max(4, COLUMNS - title.length - note.length - 2)), "rule"],
  [note === "" ? "" : ` ${note}`, "aside"],
];

/** @param {number} value @param {number} most */
function barOf(value, most) {
  if (!(most > 0)) return " ".repeat(BLOCKS);
  const full = Math.min(BLOCKS, Math.floor((Math.max(0, value) * BLOCKS) / most));
  const shown = value > 0 && value < most ? Math.min(Math.max(full, 1), BLOCKS - 1) : full;
  return "█".repeat(shown) + "░".repeat(BLOCKS - shown);
}

/** What is told in a line of its own, below the column of targets. */
const FALLS = new Set(["fall"]);
/** Looks after which the HP left are told. */
const WITH_HP = new Set(["hurt", "heal", "block"]);
/** @type {Record<string, string>} */
const ROLE_OF = { hurt: "harm", heal: "help", shield: "help", block: "help", gain: "help", success: "help", miss: "aside" };

export class Story {
  /** @param {any[]} frames @param {any} cast @param {string[]} sides The names of both sides. */
  constructor(frames, cast, sides) {
    this.frames = frames;
    this.cast = cast;
    this.sides = sides;
    /** Units as they are called at the end; sentences call them as they were called then. */
    this.units = new Map(frames.at(-1)?.units ?? cast.units.map((/** @type {any} */ unit) => [unit.place, unit]));
    const names = cast.units.map((/** @type {any} */ unit) => this.nameOf(unit.place).length);
    this.width = Math.min(MOST_NAME, Math.max(0, ...names));
    const titles = frames.filter(({ kind, actor }) => kind === "action" && actor !== null).map(({ title }) => title.length);
    this.titles = Math.min(MOST_TITLE, Math.max(0, ...titles));
  }

  /** A unit with its side's number; both sides may field the same. @param {any} place */
  nameOf(place) {
    const unit = this.units.get(place);
    return unit === undefined ? "nobody" : `${unit.side} ${unit.name}`;
  }

  /** @param {any} place @param {number} [width] @returns {Span} */
  named(place, width = 0) {
    return [this.nameOf(place).padEnd(width), `side${this.units.get(place)?.side ?? ""}`];
  }

  /** @returns {Line[]} */
  lines() {
    /** @type {Line[]} */
    const found = [];
    for (const frame of this.frames) {
      const told = frame.kind === "action" ? this.action(frame) : this.landmark(frame);
      for (const { event = frame.first, spans } of told) found.push({ event, spans });
    }
    const last = this.frames.at(-1)?.last ?? -1;
    return [...found, ...this.totals().map((spans) => ({ event: last, spans }))];
  }

  /** A heading, what is said there, and what happens in it. @param {any} frame @returns {any[]} */
  landmark(frame) {
    const { kind, title, units } = frame;
    if (kind === "end") return [{ event: -1, spans: [] }, { spans: this.ending(frame) }, ...this.happened(frame)];
    if (frame.spans !== undefined) return [this.sentence(frame)];
    const standing = [0, 0, 0];
    for (const unit of units.values()) if (unit.present && !unit.fallen) standing[unit.side] += 1;
    const isCounted = kind === "round" && standing[2] > 0 && this.cast.units.length > 2;
    const note = isCounted ? `${this.sides[0]} ${standing[1]}, ${this.sides[1]} ${standing[2]} standing` : "";
    const { name, type } = (kind === "part" && this.cast.encounters?.[frame.scene.encounter]) || { name: "", type: note };
    const called = name === "" ? title : title.replace(/:.*$/u, `: ${name}`);
    const spans = title === "" ? [] : [{ event: -1, spans: [] }, { spans: heading(called, type.length < 50 ? type : "") }];
    return [...spans, ...this.prologue(frame), ...this.happened(frame)];
  }

  /** What the scenario says where an encounter begins. @param {any} frame @returns {any[]} */
  prologue({ kind, scene }) {
    const text = kind === "part" ? this.cast.encounters?.[scene.encounter]?.text : "";
    return text ? [{ spans: [[`  ${text}`, "aside"]] }] : [];
  }

  /** @param {any} frame @returns {Span[]} */
  ending({ title, scene, tick, round, hp }) {
    const winner = scene.winner ?? 0;
    const who = winner ? `Victory for ${this.sides[winner - 1]}` : "A draw";
    // A run ends after an encounter, whose outcome stands where a round does.
    const when = /\d$/u.test(round) ? ` in ${round.toLowerCase()}` : tick > 0 ? "" : " before the first round";
    const { vital = "HP" } = this.cast;
    const left = vital === "" ? "" : `${vital} left: ${this.sides[0]} ${whole(hp[1])}, ${this.sides[1]} ${whole(hp[2])}.`;
    return [[who, winner ? `side${winner}` : "emphasis"], [`${when}: ${title}. `, "emphasis"], [left]];
  }

  /** What a game's author says of an event. @param {any} frame @returns {any} */
  sentence({ spans }) {
    const roleOf = (/** @type {any} */ place) => (place === null ? [] : [`side${this.units.get(place)?.side ?? ""}`]);
    return { spans: [["  "], ...spans.map((/** @type {any} */ [text, place]) => [text, ...roleOf(place)])] };
  }

  /** @param {any} frame @returns {any[]} */
  action(frame) {
    const { actor, title } = frame;
    if (frame.spans !== undefined) return [this.sentence(frame)];
    const told = this.happened(frame);
    if (told.length > 0) return told;
    // Of conditions that did nothing there is nothing to tell.
    if (title === "" || frame.by.endsWith("_tick")) return [];
    return [{ spans: [["  "], ...(actor === null ? [] : [this.named(actor, this.width), [" "]]), [title]] }];
  }

  /** The effects of a frame, a line for each. @param {any} frame @returns {any[]} */
  happened(frame) {
    const { title, effects, units } = frame;
    const isAction = frame.kind === "action";
    const before = " ".repeat(2 + this.width + 1 + this.titles);
    return effects.flatMap((/** @type {any} */ effect) => {
      const { look, on, event } = effect;
      if (look === "turned") return [{ event, spans: [["  "], this.named(on), [` chooses ${this.choice(units.get(on))}`, "emphasis"]] }];
      if (!isSaid(effect)) return [];
      if (FALLS.has(look)) return [{ event, spans: [[`${before} → `, "aside"], this.named(on), [" falls.", "emphasis"]] }];
      const by = effect.by ?? (isAction ? (frame.actor ?? on) : on);
      const what = isAction && title !== "" ? title : "";
      /** @type {Span[]} */
      const spans = [["  "], this.named(by, this.width), [` ${what.padEnd(this.titles)}`], [on === by ? "   " : " → ", "aside"]];
      spans.push(on === by ? [" ".repeat(this.width)] : this.named(on, this.width));
      const said = SAID[look]({ ...effect, critical: false });
      // What the action is called is not said twice.
      const rest = what === "" || !said.startsWith(what) ? said : said.slice(what.length).replace(/^: /u, "");
      spans.push([` ${rest.padStart(6)}`, isLoss(effect) ? "harm" : (ROLE_OF[look] ?? "aside")]);
      if (WITH_HP.has(look) && effect.of > 0) {
        const hp = Math.max(0, effect.left);
        spans.push([`  ${barOf(hp, effect.of)} `, `side${this.units.get(on)?.side ?? ""}`], [`${whole(hp)}/${whole(effect.of)}`, "aside"]);
      }
      if (effect.critical) spans.push([" critical!", "emphasis"]);
      if (look === "hurt" && effect.also > 0) spans.push([` shield −${whole(effect.also)}`, "help"]);
      if (look === "hurt" && effect.words && effect.words !== what) spans.push([` ${effect.words}`, "aside"]);
      return [{ event, spans }];
    });
  }

  /** @param {any} unit */
  choice({ notes }) {
    return notes.roll ? `${notes.choice}, speed roll ${notes.roll}` : String(notes.choice ?? "");
  }

  /** What everybody dealt, restored, took and lost. @returns {Span[][]} */
  totals() {
    if (this.cast.vital === "") return [];
    /** @type {Map<any, { dealt: number, healed: number, taken: number, blocked: number, falls: number }>} */
    const sums = new Map();
    const of = (/** @type {any} */ place) => {
      const found = sums.get(place) ?? { dealt: 0, healed: 0, taken: 0, blocked: 0, falls: 0, untold: 0 };
      sums.set(place, found);
      return found;
    };
    const came = (/** @type {any} */ place) => this.frames.some(({ units }) => units.get(place)?.present);
    for (const unit of this.cast.units) if (unit.side === 1 && (!unit.spare || came(unit.place))) of(unit.place);
    this.frames.forEach((frame, at) => {
      const before = this.frames[at - 1]?.units;
      for (const effect of frame.effects) {
        const { look, by, on, amount, also } = effect;
        if (look === "fall") of(on).falls += 1;
        if (look === "heal") of(by ?? on).healed += restoredBy(effect, before);
        if (look !== "hurt" && look !== "block") continue;
        of(on).taken += look === "hurt" ? amount : 0;
        of(on).blocked += also;
        if (by !== null) of(by).dealt += look === "hurt" ? amount : 0;
      }
      // A game need not say that somebody falls.
      for (const place of fallenIn(frame, before)) of(place).untold += 1;
    });
    if (sums.size === 0) return [];
    const heads = ["dealt", "healed", "taken", "blocked", "falls"];
    const cells = (/** @type {any[]} */ each, role = "") => each.map((cell, at) => [String(cell).padStart(heads[at].length + 3), `sum ${role}`]);
    const rows = [...sums].sort(([one], [other]) => one - other).map(([place, sum]) => [
      ["  "],
      this.named(place, this.width),
      ...cells([sum.dealt, sum.healed, sum.taken, sum.blocked, Math.max(sum.falls, sum.untold)].map(whole)),
    ]);
    return /** @type {Span[][]} */ ([[], [[" ".repeat(2 + this.width), "heading"], ...cells(heads, "heading")], ...rows]);
  }
}

/** The labels of ticks, for a message. @param {any[]} frames @returns {(tick: number) => string} */
export function labelsOf(frames) {
  const labels = new Map();
  for (const { tick, part, round } of frames) {
    const label = [part, round].filter((each) => each !== "").map(worded).join(", ");
    if (label !== "") labels.set(tick, label);
  }
  return (tick) => labels.get(tick) ?? `tick ${tick}`;
}
