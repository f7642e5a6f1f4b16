// @ts-check
/** When each frame is shown: seconds at the speed 1, and what happens around a moment. @module */

/** Seconds of a frame by its kind; an action with nothing to see passes quickly. @type {Record<string, number>} */
const LENGTHS = { part: 1.4, round: 0.8, action: 0.35, end: 2 };
const FIRST_EFFECT = 1.1;
const NEXT_EFFECT = 0.12;
const MOST_EFFECTS = 5;
/** What makes ready for longer, or has a beat of its own. @type {[(effect: any) => boolean, number][]} */
const BEATS = [
  [({ look }) => look === "fall", 0.7],
  [({ look }) => look === "ultimate", 0.3],
  [({ critical }) => critical, 0.25],
];

/** @param {any} frame @returns {number} */
export function secondsOf({ kind, effects }) {
  const seen = Math.min(effects.length, MOST_EFFECTS);
  const beats = BEATS.reduce((sum, [holds, seconds]) => sum + (effects.some(holds) ? seconds : 0), 0);
  return LENGTHS[kind] + beats + (seen === 0 ? 0 : FIRST_EFFECT + NEXT_EFFECT * (seen - 1));
}

export class Timeline {
  /** @param {any[]} frames */
  constructor(frames) {
    this.frames = frames;
    let at = 0;
    this.starts = frames.map((frame) => {
      const start = at;
      at += secondsOf(frame);
      return Math.round(1000 * start) / 1000;
    });
    this.length = at;
  }

  /** The place of the frame of a moment. @param {number} seconds */
  at(seconds) {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.starts[middle] <= seconds) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The frame that an event belongs to. @param {number} event */
  ofEvent(event) {
    let [low, high] = [0, this.frames.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.frames[middle].last >= event) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The nearest frame before or after one that begins a round. @param {number} place @param {1 | -1} step */
  round(place, step) {
    for (let at = place + step; at >= 0 && at < this.frames.length; at += step) {
      if (this.frames[at].kind !== "action") return at;
    }
    return step < 0 ? 0 : this.frames.length - 1;
  }

  /** The next frame in which somebody falls; the last one if nobody does. @param {number} place */
  nextFall(place) {
    for (let at = place + 1; at < this.frames.length; at += 1) {
      if (this.frames[at].effects.some((/** @type {any} */ { look }) => look === "fall")) return at;
    }
    return this.frames.length - 1;
  }
}
