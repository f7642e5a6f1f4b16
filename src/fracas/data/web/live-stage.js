// @ts-check
/** The stage of a battle that is being played: frames are added as their events come, and acted out one after the other. @module */

import { Interpreter } from "./interpreter.js";
import { calledSides } from "./statements.js";
import { secondsOf } from "./timeline.js";

/** Whoever decides next should not have to wait: what comes at once takes about so long, in seconds. */
const MOST_SECONDS = 5;
const FASTEST = 4;

/**
 * Events as the server tells them, as frames are made of them: with numbers where the stage counts places.
 *
 * @param {any} setup What `fracas/web/table_setup.py` says.
 * @param {any} table The ruleset's table.
 */
export function readerOf({ layout, books, cast }, table) {
  const fieldsOf = new Map(layout.events.map((/** @type {any} */ { name, fields }) => [name, fields.filter((/** @type {any} */ { book }) => book !== undefined)]));
  const places = new Set([table.cast, ...(table.places ?? [])]);
  /** @param {any} event */
  return (event) => {
    const read = { ...event };
    for (const { name, book } of fieldsOf.get(event.kind) ?? []) {
      const at = books[book]?.indexOf(event[name]) ?? -1;
      if (at === -1) continue;
      // Of the others the stage may have words of its own.
      read[name] = places.has(book) ? at : (cast.books?.[book]?.[at] ?? event[name]);
    }
    return read;
  };
}

/** The parts of a ruleset's page. @param {any} setup */
export async function partsOf({ script, layout }) {
  const found = await import(`./rulesets/${script}.js`);
  return layout.stage === undefined ? found : found.gameOf(layout);
}

/** @param {any[]} frames */
const lengthOf = (frames) => frames.reduce((sum, frame) => sum + secondsOf(frame), 0);

export class LiveStage {
  /**
   * @param {any} setup What `fracas/web/table_setup.py` says.
   * @param {any} parts The parts of the ruleset's page.
   * @param {string[]} people Who sits at both sides.
   * @param {() => void} onRest What is done when everything was acted out.
   */
  constructor(setup, parts, people, onRest) {
    const { cast, layout, books, drawing, scene, seed = "" } = setup;
    this.setup = setup;
    this.onRest = onRest;
    this.read = readerOf(setup, parts.table);
    this.interpreter = new Interpreter(parts.table, cast, layout, books);
    this.stage = parts.buildStage(cast, { sides: calledSides(setup.sides, people), drawing, scene: { ...scene, seed } });
    /** Frames that wait to be acted out. @type {any[]} */
    this.queue = [];
    this.speed = 1;
    /** @type {any} */
    this.timer = null;
    this.asked = new Set();
    // The ground before the first event; nobody is seen on it as long as a card lies over it.
    const { units, scene: given } = this.interpreter;
    this.stage.show({ kind: "part", title: "", part: "", round: "", actor: null, effects: [], units: new Map(units), scene: given, hp: [0, 0, 0], full: [0, 0, 0] }, false);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.finish();
    });
  }

  /** The frame in which everything stands that was told. @returns {any} */
  get newest() {
    return this.interpreter.frames.at(-1) ?? null;
  }

  get isActing() {
    return this.timer !== null || this.queue.length > 0;
  }

  /** Take the events of a step. @param {any[]} events @param {boolean} isNow Whether they are acted out, or put there. */
  take(events, isNow) {
    const { frames } = this.interpreter;
    const [last, had] = [frames.length - 1, frames.at(-1)?.effects.length ?? 0];
    this.interpreter.more(events.map(this.read));
    this.stage.frames = frames;
    // Of the frame that may have grown only what is new is acted out.
    const fresh = frames.slice(Math.max(0, last)).map((frame, at) => (at === 0 && last >= 0 ? { ...frame, effects: frame.effects.slice(had) } : frame));
    if (last >= 0 && fresh[0].effects.length === 0) fresh.shift();
    this.queue.push(...fresh);
    // Who plays faster than the stage does not watch all of it.
    while (lengthOf(this.queue) > FASTEST * MOST_SECONDS) this.queue.shift();
    this.speed = Math.min(FASTEST, Math.max(1, lengthOf(this.queue) / MOST_SECONDS));
    if (!isNow || document.hidden) this.finish();
    else if (this.timer === null) this.play();
  }

  /** Put there what waits, without acting it out. */
  finish() {
    clearTimeout(this.timer);
    this.timer = null;
    this.queue = [];
    if (this.newest !== null) this.stage.show(this.newest, false);
    this.rest();
  }

  play() {
    const next = this.queue.shift();
    if (next === undefined) {
      this.timer = null;
      this.rest();
      return;
    }
    this.stage.show(next, true, this.speed);
    this.timer = setTimeout(() => this.play(), (1000 * secondsOf(next)) / this.speed);
  }

  rest() {
    this.ask(this.asked);
    this.onRest();
  }

  /** Those who are to choose now have a ring. @param {Iterable<number>} places */
  ask(places) {
    this.asked = new Set(places);
    if (this.isActing) return;
    for (const place of this.stage.figures.keys()) this.stage.mark(place, "acting", this.asked.has(place));
  }
}
