// @ts-check
/**
 * The odds of a battle, round by round, found on this device as `fracas why` finds them: what the page says of turning
 * points, luck and the best unit follows from these and from the events.
 *
 * @module
 */

import { isSaid, SAID, whole } from "./effects.js";

/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;
/** @param {number} change */
export const inPoints = (change) => `${change < 0 ? "−" : "+"}${Math.abs(100 * change).toFixed(1)} points`;

/** @typedef {{ tick: number, frame: number, odds: number, after: number, change: number, count: number, isCertain: boolean }} Round */

/** Ticks at which something happens, in order: rounds begin at some of them. @param {any[]} frames */
export const ticksOf = (frames) => [...new Set(frames.map(({ tick }) => tick))].sort((one, other) => one - other);

/** Score of side 1 by the winner's number. */
const FINAL = [0.5, 1, 0];

/**
 * The rounds of a battle with the odds before and after each; the last one leads to the result.
 *
 * @param {any[]} found What `Rules.course` gives.
 * @param {any[]} frames
 * @param {number} winner
 * @returns {Round[]}
 */
export function roundsOf(found, frames, winner) {
  const first = new Map();
  frames.forEach(({ tick }, at) => first.has(tick) || first.set(tick, at));
  return found.map(({ tick, odds, count, isCertain }, at) => {
    const after = at + 1 < found.length ? found[at + 1].odds : FINAL[winner];
    return { tick, frame: first.get(tick) ?? 0, odds, after, change: after - odds, count, isCertain };
  });
}

/** How far the loser's odds fell in a round; after a draw, how far either side's. @param {Round} round @param {number} winner */
const fallOf = ({ change }, winner) => (winner === 0 ? Math.abs(change) : winner === 1 ? change : -change);

/**
 * The round in which the loser's odds fell most, and whose odds these are: `pivotal_round` of `why`. Null if none fell.
 *
 * @param {Round[]} rounds
 * @param {number} winner
 * @returns {{ round: Round, side: number } | null}
 */
export function turningPoint(rounds, winner) {
  let best = null;
  for (const round of rounds) if (best === null || fallOf(round, winner) > fallOf(best, winner)) best = round;
  if (best === null || fallOf(best, winner) <= 0) return null;
  return { round: best, side: winner === 0 ? (best.change < 0 ? 1 : 2) : 3 - winner };
}

/** The least change that is worth a mark. */
const WORTH_A_MARK = 0.05;

/** The round that helped either side most, besides the turning point. @param {Round[]} rounds @param {any} turning */
export function luckiest(rounds, turning) {
  let best = null;
  for (const round of rounds) {
    if (round === turning?.round || Math.abs(round.change) < WORTH_A_MARK) continue;
    if (best === null || Math.abs(round.change) > Math.abs(best.change)) best = round;
  }
  return best && { round: best, side: best.change > 0 ? 1 : 2 };
}

/** The odds of a side. @param {number} odds @param {number} side */
export const oddsOf = (odds, side) => (side === 1 ? odds : 1 - odds);

/** The frames from one round to the next. @param {any[]} frames @param {Round[]} rounds @param {Round} round */
export function framesIn(frames, rounds, round) {
  const next = rounds[rounds.indexOf(round) + 1];
  return frames.slice(round.frame, next === undefined ? frames.length : next.frame);
}

/** How much an effect weighs, as a share of the HP of whom it is on. @param {any} effect */
const heftOf = ({ look, amount, also, of, critical }) => {
  if (look === "fall") return 2;
  const size = (look === "hurt" || look === "heal" ? amount : 0) + (look === "hurt" || look === "block" ? also : 0);
  return of > 0 ? size / of + (critical ? 0.1 : 0) : 0;
};

/** Whose odds fell in a round; 0 if nobody's did. @param {Round} round */
export const fellIn = ({ change }) => (change < 0 ? 1 : change > 0 ? 2 : 0);

const AGAINST_IT = new Set(["hurt", "fall"]);
const FOR_THE_OTHER = new Set(["heal", "shield"]);

/** Whether an effect explains why a side's odds fell: it harms that side, or helps the other. @param {any} effect @param {any} frame @param {number} side */
const isAgainst = ({ look, on }, { units }, side) => (units.get(on)?.side === side ? AGAINST_IT : FOR_THE_OTHER).has(look);

/**
 * What made a side's odds fall: the act whose effects against it weigh most together, or the heaviest of all if none is
 * against it.
 *
 * @param {any[]} frames
 * @param {number} side
 * @returns {{ frame: any, by: any, effects: any[] } | null} Who did it, and what was done; the heaviest first.
 */
export function causing(frames, side) {
  let best = null;
  for (const frame of frames) {
    const said = frame.effects.filter(isSaid);
    const against = said.filter((/** @type {any} */ effect) => side > 0 && isAgainst(effect, frame, side));
    /** @type {Map<any, any[]>} */
    const acts = new Map();
    for (const effect of against.length > 0 ? against : said) {
      const by = effect.by ?? frame.actor;
      acts.set(by, [...(acts.get(by) ?? []), effect]);
    }
    for (const [by, effects] of acts) {
      const weight = effects.reduce((sum, effect) => sum + heftOf(effect), against.length > 0 ? 1000 : 0);
      if (best === null || weight > best.weight) best = { frame, by, effects, weight };
    }
  }
  return best && { ...best, effects: best.effects.sort((one, other) => heftOf(other) - heftOf(one)) };
}

/** Of many whom an act was about these are named. */
const MOST_NAMED = 2;

/** What was done to somebody in an act, in words: that it falls, or all that was dealt, or what weighs most. @param {any[]} effects */
function doneTo(effects) {
  const [first] = effects;
  const isSum = first.look !== "fall" && effects.every(({ look }) => look === first.look) && first.amount !== null;
  return SAID[first.look](isSum ? { ...first, amount: effects.reduce((sum, { amount }) => sum + amount, 0) } : first);
}

/**
 * What made a side's odds fall, in a sentence, and how it came.
 *
 * @param {any[]} frames
 * @param {number} side
 * @param {(place: any, frame: any) => string} nameOf
 */
export function causeOf(frames, side, nameOf) {
  const found = causing(frames, side);
  if (found === null) {
    // A round of a game without HP is what its author tells of it, if that is short.
    const told = frames.filter(({ spans }) => spans !== undefined).map(({ title }) => title);
    return told.length > MOST_NAMED ? "" : told.join("; ");
  }
  const { frame, by, effects } = found;
  // The author of a game wrote a whole sentence.
  if (frame.spans !== undefined) return frame.title;
  const title = frame.kind === "action" && frame.title !== "" ? frame.title : "";
  const met = [...new Set(effects.map(({ on }) => on))];
  const who = by === null || `${met}` === `${by}` ? "" : `${nameOf(by, frame)}${title === "" ? "" : `, ${title}`}: `;
  const told = met.slice(0, MOST_NAMED).map((on) => `${nameOf(on, frame)} ${doneTo(effects.filter((each) => each.on === on))}`);
  const more = met.length - told.length;
  return `${who}${told.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * Who falls in a frame without an effect that says so.
 *
 * @param {any} frame
 * @param {Map<any, any> | undefined} before The units of the frame before.
 * @returns {any[]}
 */
export const fallenIn = ({ units, effects }, before) =>
  [...units].flatMap(([place, { fallen }]) =>
    fallen && before?.get(place)?.fallen === false && !effects.some((/** @type {any} */ { look, on }) => look === "fall" && on === place) ? [place] : [],
  );

/**
 * How much a heal restored: the HP that somebody begins, joins or grows with restore nothing.
 *
 * @param {any} effect
 * @param {Map<any, any> | undefined} before The units of the frame before.
 * @returns {number}
 */
export function restoredBy({ on, amount, left }, before) {
  const { present = false, gauges = {} } = before?.get(on) ?? {};
  return present ? Math.max(0, amount - Math.max(0, left - (gauges.max ?? 0))) : 0;
}

/**
 * What each unit dealt, restored and kept off, and the odds that its side gained in the same rounds, shared by these
 * amounts; the best unit first, and where no odds were gained those of the winner.
 *
 * @param {any[]} frames
 * @param {Round[]} rounds
 * @param {number} winner
 * @returns {{ place: any, dealt: number, healed: number, absorbed: number, falls: number, gained: number }[]}
 */
export function bestUnits(frames, rounds, winner = 0) {
  /** @type {Map<any, any>} */
  const found = new Map();
  const sideOf = (/** @type {any} */ place) => frames.at(-1)?.units.get(place)?.side;
  const spans = rounds.length > 0 ? rounds.map((round) => ({ within: framesIn(frames, rounds, round), change: round.change })) : [{ within: frames, change: 0 }];
  for (const { within, change } of spans) {
    /** @type {Map<any, number>} */
    const done = new Map();
    for (const frame of within) {
      const before = frames[frames.indexOf(frame) - 1]?.units;
      // A game need not say that somebody falls: who has no HP left fell to the last hit.
      const untold = new Map(fallenIn(frame, before).map((place) => [place, frame.effects.findLast(({ look, on }) => look === "hurt" && on === place)]));
      for (const effect of frame.effects) {
        const { look, on, by: who, amount, also } = effect;
        const by = who ?? frame.actor;
        const count = (/** @type {any} */ place, /** @type {string} */ name, /** @type {number} */ size) => {
          if (place === null || sideOf(place) === undefined || !(size > 0)) return;
          const sums = found.get(place) ?? { place, dealt: 0, healed: 0, absorbed: 0, falls: 0, gained: 0 };
          sums[name] += size;
          found.set(place, sums);
          if (name !== "falls") done.set(place, (done.get(place) ?? 0) + size);
        };
        if (look === "hurt" && by !== null && sideOf(by) !== sideOf(on)) count(by, "dealt", amount);
        if (look === "heal") count(by ?? on, "healed", restoredBy(effect, before));
        if (look === "hurt" || look === "block") count(on, "absorbed", also);
        if ((look === "fall" || untold.get(on) === effect) && by !== null && sideOf(by) !== sideOf(on)) count(by, "falls", 1);
      }
    }
    const side = change > 0 ? 1 : 2;
    const own = [...done].filter(([place]) => sideOf(place) === side);
    const total = own.reduce((sum, [, size]) => sum + size, 0);
    for (const [place, size] of own) found.get(place).gained += (Math.abs(change) * size) / total;
  }
  const work = (/** @type {any} */ { dealt, healed, absorbed }) => dealt + healed + absorbed;
  const won = (/** @type {any} */ { place }) => Number(sideOf(place) === winner);
  return [...found.values()].sort((one, other) => other.gained - one.gained || won(other) - won(one) || work(other) - work(one));
}

/** What a unit did, in words. @param {any} unit */
export function deedsOf({ dealt, healed, absorbed, falls }) {
  const told = [
    dealt > 0 ? `${whole(dealt)} damage` : "",
    healed > 0 ? `${whole(healed)} restored` : "",
    absorbed > 0 ? `${whole(absorbed)} absorbed` : "",
    falls > 0 ? `${falls} ${falls === 1 ? "fall" : "falls"}` : "",
  ];
  return told.filter((each) => each !== "").join(", ");
}

/** Critical hits of each side. @param {any[]} frames @returns {[number, number]} */
export function criticals(frames) {
  /** @type {[number, number]} */
  const found = [0, 0];
  for (const { effects, actor, units } of frames) {
    for (const { critical, by, look } of effects) {
      const side = units.get(by ?? actor)?.side;
      if (critical && look === "hurt" && (side === 1 || side === 2)) found[side - 1] += 1;
    }
  }
  return found;
}
