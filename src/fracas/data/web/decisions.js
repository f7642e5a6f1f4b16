// @ts-check
/**
 * The decision that cost most, found on this device as `fracas why` finds it: every choice of every decision is tried on
 * a few streams of dice, promising ones on half of all, and what the best would have added is measured on the other half.
 *
 * @module
 */

import { digestOf, unpacked } from "./fracas.js";

/** As `lab/explain/why.py` has them. */
const FIRST_SHARE = 8;
const LEAST_STREAMS = 16;
const SCREENED_PER_BRANCH = 100;
const [CLOSE_DECISIONS, CLOSE_CHOICES] = [6, 3];

/** The most that a page may unpack. */
const LARGEST = 64 * 1024 * 1024;

/** @typedef {{ label: string, place: number[] }} Choice */
/** @typedef {{ tick: number, side: number, unit: string, chosen: number, place: number[], choices: Choice[], kept: () => BigInt64Array<ArrayBuffer> }} Decision */
/** @typedef {{ tick: number, side: number, unit: string, chosen: string, best: string, cost: number }} Cost */

/**
 * The decisions that a page brings; null if they are not whole.
 *
 * @param {{ packed: string, size: number, text: number, digest: string }} brought
 * @param {number} words How many words a snapshot has.
 * @returns {Promise<Decision[] | null>}
 */
export async function decisionsIn({ packed, size, text, digest }, words) {
  if (!Number.isInteger(size) || size > LARGEST || !Number.isInteger(text) || text > size) return null;
  const bytes = await unpacked(packed, size);
  if (bytes === null || digestOf(bytes) !== digest) return null;
  try {
    const { labels, decisions } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, text)));
    const counts = decisions.map((/** @type {any[]} */ row) => row[6]);
    const all = counts.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
    const numbers = new Uint32Array(bytes.slice(text, text + 4 * all).buffer);
    const values = new BigInt64Array(bytes.slice(text + 4 * all).buffer);
    let end = 0;
    return decisions.map((/** @type {any[]} */ [tick, side, unit, chosen, place, choices, count]) => {
      const upTo = (end += count);
      const kept = () => {
        const found = new BigInt64Array(words);
        for (let at = 0; at < upTo; at += 1) found[numbers[at]] = values[at];
        return found;
      };
      const options = choices.map((/** @type {number[]} */ [label, ...where]) => ({ label: labels[label], place: where }));
      return { tick, side, unit: labels[unit], chosen, place, choices: options, kept };
    });
  } catch {
    return null;
  }
}

/** @param {ArrayLike<any>} one @param {ArrayLike<any>} other */
const alike = (one, other) => one.length === other.length && Array.prototype.every.call(one, (each, at) => each === other[at]);

/**
 * Whether the decisions are those of the battle: from each of them it reaches a later round, or its end, as it does from
 * its beginning, to the last word of its record.
 *
 * @param {any} rollouts
 * @param {Decision[]} decisions
 * @param {number[]} ticks The rounds of the battle, as this device found them.
 * @param {number[]} begin Where to resume from the beginning.
 */
export async function areOf(rollouts, decisions, ticks, begin) {
  /** @type {Map<number | null, Promise<BigInt64Array>>} */
  const reached = new Map();
  for (const { tick, place, kept } of decisions) {
    // Not the very next one: games that ask whenever they like may have begun it before a decision.
    const next = ticks.filter((each) => each > tick)[1] ?? null;
    if (!reached.has(next)) reached.set(next, rollouts.reached({ kept: null, place: begin }, next));
    const [own, found] = await Promise.all([reached.get(next), rollouts.reached({ kept: kept(), place }, next)]);
    if (!alike(own ?? [], found)) return false;
  }
  return true;
}

/** Scores in half points from the view of a side. @param {Uint8Array} scores @param {number} side */
const sumFor = (scores, side) => scores.reduce((sum, each) => sum + (side === 1 ? each : 2 - each), 0);

/** The numbers of the best few that are ahead, the best first. @param {number[]} advantages @param {number} most */
function ahead(advantages, most) {
  const ranked = advantages.map((_, at) => at).sort((one, other) => advantages[other] - advantages[one] || one - other);
  return ranked.slice(0, most).filter((at) => advantages[at] > 0);
}

/**
 * The decision that cost its side most; null if no choice would have been better.
 *
 * @param {any} rollouts
 * @param {Decision[]} decisions
 * @param {number} count How many rollouts `why` takes.
 * @param {number} winner
 * @returns {Promise<Cost | null>}
 */
export async function costliest(rollouts, decisions, count, winner) {
  const options = decisions.reduce((sum, { choices }) => sum + choices.length, 0);
  const half = Math.floor(count / 2);
  const few = Math.min(Math.floor(count / FIRST_SHARE), Math.floor((SCREENED_PER_BRANCH * count) / Math.max(options, 1)));
  const first = Math.min(Math.max(LEAST_STREAMS, few), half);
  /** @param {Decision} decision @param {number[]} numbers @param {number} from @param {number} to @returns {Promise<Uint8Array[]>} */
  const played = ({ kept, choices }, numbers, from, to) => {
    const snapshot = kept();
    return Promise.all(numbers.map(async (at) => (await rollouts.scores({ kept: snapshot, place: choices[at].place }, from, to)).scores));
  };
  const screened = [];
  for (const decision of decisions) screened.push(await played(decision, [...decision.choices.keys()], 0, first));
  /** @type {Cost | null} */
  let worst = null;
  for (const side of winner ? [3 - winner, winner] : [1, 2]) {
    const promising = decisions
      .map((decision, at) => {
        const sums = screened[at].map((scores) => sumFor(scores, side));
        const advantages = sums.map((each) => each - sums[decision.chosen]);
        const best = ahead(advantages, CLOSE_CHOICES);
        return { decision, tried: screened[at], best, lead: best.length > 0 ? advantages[best[0]] : 0 };
      })
      .filter(({ decision, best }) => decision.side === side && best.length > 0)
      .sort((one, other) => other.lead - one.lead)
      .slice(0, CLOSE_DECISIONS);
    for (const { decision, tried, best } of promising) {
      const numbers = [decision.chosen, ...best];
      const later = await played(decision, numbers, first, half);
      const [base, ...sums] = later.map((scores, at) => sumFor(tried[numbers[at]], side) + sumFor(scores, side));
      const [found] = ahead(sums.map((each) => each - base), 1);
      if (found === undefined) continue;
      const [chosen, better] = await played(decision, [decision.chosen, best[found]], half, count);
      const cost = (sumFor(better, side) - sumFor(chosen, side)) / 2 / (count - half);
      const { tick, unit, choices } = decision;
      // Of equals the loser's counts, and of these the first.
      if (cost > 0 && (worst === null || cost > worst.cost || (cost === worst.cost && side === worst.side && tick < worst.tick))) {
        worst = { tick, side, unit, chosen: choices[decision.chosen].label, best: choices[best[found]].label, cost };
      }
    }
  }
  return worst;
}
