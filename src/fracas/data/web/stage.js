// @ts-check
/** What every stage has: names, a caption, arrows, and the panel that says why. @module */

import { h } from "./dom.js";
import { Arrows, isSaid, sentence, Why } from "./effects.js";

/** How long a picture has to stay before its arrows are drawn. */
const REST_MS = 90;

export class Stage {
  /** @param {any} cast */
  constructor(cast) {
    /** What units are called in the frame that is shown. @type {Map<any, any>} */
    this.called = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, unit]));
    /** @param {any} place */
    this.nameOf = (place) => String(this.called.get(place)?.name ?? "nobody");
    /** @type {any} */
    this.resting = undefined;
    this.why = new Why();
    this.arrows = new Arrows();
    this.caption = h("p", { class: "caption" });
    this.element = h("div", { class: "stage" }, this.arrows.element, this.why.element);
  }

  /** Show a frame; a fresh one moves. @param {any} frame @param {boolean} isFresh */
  show(frame, isFresh) {
    this.why.close();
    this.called = frame.units;
    this.draw(frame, isFresh);
    this.caption.replaceChildren(...this.captionOf(frame));
    if (isFresh) this.point(frame);
    else this.rest(frame);
  }

  /**
   * Without motion, and with arrows only when the picture stays: while somebody scrubs, pictures follow each other as fast
   * as the screen can show them, and arrows have to measure the page.
   *
   * @param {any} frame
   */
  rest(frame) {
    this.element.classList.add("scrubbing");
    this.arrows.clear();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.element.classList.remove("scrubbing");
      this.point(frame);
    }, REST_MS);
  }

  /** Draw the arrows again after the page changed its size. @param {any} frame */
  point(frame) {
    clearTimeout(this.resting);
    this.element.classList.remove("scrubbing");
    this.arrows.draw(frame.effects, (place) => this.anchor(place));
  }

  /** A frame as a sentence, for those who hear the page. @param {any} frame */
  told(frame) {
    const effects = frame.effects.filter(isSaid).map((/** @type {any} */ each) => sentence(each, this.nameOf));
    const who = frame.actor === null || frame.spans !== undefined ? "" : `${this.nameOf(frame.actor)} `;
    return [`${who}${frame.title}`, ...effects].filter((each) => each !== "").join("; ");
  }

  /** What stands between the sides: when it is, who acts, and how. @param {any} frame @returns {any[]} */
  captionOf(frame) {
    return captionOf(frame, this.nameOf);
  }

  /** @param {any} frame @param {boolean} isFresh */
  draw(frame, isFresh) {
    throw new Error(`a stage draws itself: ${frame.kind}, ${isFresh}`);
  }

  /** @param {any} place @returns {any} */
  anchor(place) {
    return place === null ? undefined : undefined;
  }
}

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

/** @param {any} frame @param {(place: any) => string} nameOf */
function captionOf(frame, nameOf) {
  const when = h("span", { class: "when" }, [frame.part, frame.round].filter((each) => each !== "").join(" · "));
  const isTitled = frame.kind === "action" || frame.kind === "end";
  const who = frame.actor === null ? "" : nameOf(frame.actor);
  const side = frame.actor === null ? "" : (frame.units.get(frame.actor)?.side ?? "");
  return [
    when,
    isTitled && who !== "" ? h("strong", { class: `side${side}` }, who) : null,
    isTitled ? h("span", { class: "what" }, frame.title) : null,
    ...targetsOf(frame, nameOf),
  ].filter((each) => each !== null);
}
