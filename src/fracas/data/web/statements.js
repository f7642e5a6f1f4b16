// @ts-check
/**
 * What a page says about its battle, said again from the battle that this device played.
 *
 * A page brings its headline and outcome as text, for readers without a script, and its units as data, for the first
 * picture. Both are compared with the replay. The story and the totals are only ever written from events.
 *
 * @module
 */

import { worded } from "./interpreter.js";
import { oddsOf } from "./odds.js";

/** Parts of a page that are not about the battle: links, the author's notes, what browsers with scripts do not show. */
export const APART = "script, style, noscript, nav, .skip, .note";

/** The name of a side; beside it whose it is, where a server says so. @param {string[]} sides @param {string[]} [people] */
export const calledSides = (sides, people = []) => sides.map((side, at) => (people[at] ? `${people[at]} (${side})` : side));

/** Reasons that name who fell by where it stands. @type {Record<string, number>} */
const FELL = { "left fell": 0, "right fell": 1 };

/** Why a battle ended, where the sides have names. @param {string} words @param {string[]} sides */
export const endedBy = (words, sides) => (Object.hasOwn(FELL, words) ? `${sides[FELL[words]]} fell` : words);

/** How the battle ended; `words` is what a game declares of that. @param {string[]} sides @param {{ winner: number, reason: string, rounds: number }} result @param {string} [words] */
export function outcomeOf(sides, { winner, reason, rounds }, words = "") {
  const why = words || endedBy(worded(reason), sides);
  const who = winner ? `Victory for ${sides[winner - 1]}` : "A draw";
  return `${who} after ${rounds} round${rounds === 1 ? "" : "s"}: ${why}`;
}

/** Which battle it is. @param {any} bundle */
const factsOf = ({ ruleset, scenario, profile, seed, stream }) =>
  `${ruleset}, ${scenario.id}, profile ${profile}, seed "${seed}", battle ${stream}`;

/** What the result stands under. */
const RESULT = "The result";

/** The texts of a battle's own element. @param {any} bundle @param {string[]} sides Their names as the page calls them. @param {string} words */
const textsOfBattle = (bundle, sides, words) => [factsOf(bundle), RESULT, outcomeOf(sides, bundle.result, words)];

/** The texts of a page about one battle. @param {any} bundle @param {string[]} sides @param {string} words */
const textsOfPage = (bundle, sides, words) => [
  `${sides.join(" against ")}: ${bundle.scenario.id}`,
  ...[sides[0], "against", sides[1]],
  ...textsOfBattle(bundle, sides, words),
];

/** Why a report shows a battle, by its kind. @type {Record<string, (winner: string) => string>} */
const TITLES = {
  typical: () => "The typical battle",
  luckiest: (winner) => `The luckiest win of ${winner}`,
  turning_point: () => "The turning point",
};

/** The texts of a battle that a report unfolds. @param {any} bundle @param {string[]} sides @param {any} report @param {string} words */
function textsOfFold(bundle, sides, { kind, scenario, told }, words) {
  const { result, stream } = bundle;
  const title = Object.hasOwn(TITLES, kind) ? TITLES[kind](sides[result.winner - 1] ?? "nobody") : "";
  const how = `Battle ${stream}: ${outcomeOf(sides, result, words)}`;
  return [title, ...(scenario ? [scenario] : []), how, told, ...textsOfBattle(bundle, sides, words)];
}

/** The texts that a part of the page has now, without those apart. @param {any} root @returns {string[]} */
export function textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = asSeen(node.textContent ?? "");
    if (text !== "" && node.parentElement?.closest(APART) === null) found.push(text);
  }
  return found;
}

/** A text as it is seen: how it is broken into lines says nothing. @param {string} text */
const asSeen = (text) => text.replace(/\s+/gu, " ").trim();

/** @param {any} one @param {any} other @returns {boolean} */
function same(one, other) {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return one === other;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  );
}

/**
 * What the page says otherwise than the battle that was played; null if it says the same.
 *
 * @param {string[]} shown The texts that stood on the page before the player was built.
 * @param {any} data What the page brings for the first picture.
 * @param {any} bundle The battle, verified.
 * @param {any} own What the bundle has for the first picture.
 * @param {boolean} isAlone Whether the page is about this battle alone.
 * @param {string[]} reasons The names of endings, by number.
 * @returns {string | null}
 */
export function firstUntrue(shown, data, bundle, own, isAlone, reasons) {
  const words = own.books?.reason?.[reasons.indexOf(bundle.result.reason)] ?? "";
  const sides = calledSides(bundle.sides, data.people);
  const expected = (
    data.report ? textsOfFold(bundle, sides, data.report, words) : isAlone ? textsOfPage(bundle, sides, words) : textsOfBattle(bundle, sides, words)
  ).map(asSeen);
  const at = [...expected, ...shown].findIndex((_, place) => shown[place] !== expected[place]);
  if (at !== -1 && at < Math.max(expected.length, shown.length)) {
    const quoted = (/** @type {string | undefined} */ text) => (text === undefined ? "nothing" : `“${text}”`);
    return `it says ${quoted(shown[at])}, the battle ${quoted(expected[at])}`;
  }
  if (!same(data.sides, bundle.sides)) return "it calls the sides by other names than the battle";
  if (data.turning && `${data.turning.told}.` !== data.report?.told) return "it tells another turning point than the report";
  if (!same(data.outcome, bundle.result)) return "it gives another outcome than the battle";
  const { sides: named, ...cast } = own;
  if (!named.some((/** @type {string[]} */ each) => same(each, bundle.sides))) return "the scenario calls the sides by other names";
  const part = Object.keys({ ...cast, ...data.cast }).find((name) => !same(cast[name], data.cast[name]));
  return part === undefined ? null : `its ${part} are not those of the battle`;
}

/**
 * What a report tells of the turning point otherwise than the odds that this device found; null if it tells the same.
 *
 * @param {any} turning
 * @param {any} chart
 * @param {string[]} sides
 * @returns {string | null}
 */
export function untrueTurning(turning, { turning: found, timeline }, sides) {
  if (found === null || found.round.tick !== turning.tick) return "it tells another turning point than the odds of this battle";
  const { odds, after, frame } = found.round;
  const told = `the odds of ${sides[found.side - 1]} went from ${printedShare(oddsOf(odds, found.side))} to ${printedShare(oddsOf(after, found.side))}`;
  const { part, round } = timeline.frames[frame];
  // The lab and the story call rounds by other words, and by the same numbers.
  const numbers = (/** @type {string} */ text) => text.match(/\d+/gu) ?? [];
  const known = numbers(`${part} ${round}`);
  const isThere = turning.told.endsWith(told) && numbers(turning.told.slice(0, -told.length)).every((each) => known.includes(each));
  return isThere ? null : `it says “${turning.told}”, the battle that ${told} in ${round || part}`;
}

/** A share as the lab prints it: a tie goes to the even digit. @param {number} value */
function printedShare(value) {
  const whole = 100 * value;
  return `${(whole % 1 === 0.25 ? whole - 0.01 : whole).toFixed(1)}%`;
}
