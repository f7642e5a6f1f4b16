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
}

/** How far side 1 leads at a frame: its share of its HP less the other's, from -1 to 1. @param {any} frame */
export function lead({ hp, full }) {
  if (!full[1] || !full[2]) return null;
  return hp[1] / full[1] - hp[2] / full[2];
}

/**
 * The action that swung the lead most, towards who won; of a draw towards anybody. Null if nothing did.
 *
 * @param {any[]} frames
 * @param {number} winner
 */
export function turningPoint(frames, winner) {
  let best = null;
  let most = 0;
  for (let at = 1; at < frames.length; at += 1) {
    const [before, after] = [lead(frames[at - 1]), lead(frames[at])];
    if (before === null || after === null || frames[at].kind === "part") continue;
    // The start of a new fight in a run is not a swing.
    if (frames[at].full[2] !== frames[at - 1].full[2]) continue;
    const swing = (after - before) * (winner === 2 ? -1 : 1);
    const size = winner === 0 ? Math.abs(swing) : swing;
    if (size > most) [best, most] = [at, size];
  }
  return best === null ? null : { frame: best, swing: most };
}
