// @ts-check
/** Parts of a table's page: both sides, what is done before the first choice, and how it ended. @module */

import { h, styled } from "./dom.js";
import { worded } from "./interpreter.js";

/** Of many bodies these stand on a card. */
const MOST_BODIES = 8;

/** How a table ended that the rules did not decide, by who lost. @type {Record<string, (loser: string) => string>} */
const ENDED = {
  resigned: (loser) => `${loser} resigned`,
  forfeit: (loser) => `${loser} missed three decisions in a row`,
  abandoned: () => "both missed three decisions in a row",
  left_before_the_start: () => "somebody left before the first choice",
  no_sealed_salt: () => "a part of the dice was not sealed in time",
  salt_not_opened: (loser) => `${loser} did not open the sealed part of the dice in time`,
  nobody_came: () => "nobody came",
  closed: () => "the table was closed",
};

/**
 * How it ended: who won, and why.
 *
 * @param {{ winner: number, reason: string, decided: boolean }} ending
 * @param {number | null} side Yours; null for who watches.
 * @param {string[]} names
 * @param {string} words What the rules call the ending, if they decided it.
 */
export function endOf({ winner, reason, decided }, side, names, words) {
  const loser = winner === 0 ? "somebody" : names[2 - winner];
  const why = !decided && ENDED[reason] ? ENDED[reason](loser) : words || worded(reason);
  const headline = winner === 0 ? (decided ? "A draw" : "Nobody wins") : side === winner ? "You win" : side === null ? `${names[winner - 1]} wins` : "You lose";
  const sentence = `${headline}: ${why}.`;
  return { headline, why: `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`, sentence, winner };
}

/** The bodies of a side, facing the middle; those of a frame, or of the cast. @param {any} stage @param {number} side @param {any} frame */
export function crowd(stage, side, frame) {
  const units = frame?.units;
  const bodies = [...stage.figures.values()].flatMap(({ unit, body }) => {
    const isThere = units === undefined ? !unit.spare : units.get(unit.place)?.present && !units.get(unit.place)?.fallen;
    return unit.side === side && isThere ? [body.cloneNode(true)] : [];
  });
  return h("div", { class: `crowd facing${side}` }, ...bodies.slice(0, MOST_BODIES));
}

/** What has to be done before the first choice, and how much of it is. @param {any} welcome */
export function stepsOf({ table, seals, salts }) {
  const isBot = table.seats.map((/** @type {any} */ { bot }) => bot !== null && bot !== undefined);
  const count = (/** @type {boolean[]} */ done) => done.filter(Boolean).length;
  const seated = count(table.seats.map((/** @type {any} */ { account }, /** @type {number} */ at) => isBot[at] || Boolean(account)));
  const sealed = count(isBot.map((/** @type {boolean} */ bot, /** @type {number} */ at) => bot || seals[at] !== null));
  const isOpen = salts !== null && salts !== undefined;
  /** @type {[string, boolean, string][]} */
  const steps = [
    ["Both sit down", seated === 2, seated === 2 ? "" : `${seated} of 2`],
    ["The server promises its part of the dice", Boolean(table.commitment), ""],
    ["Both seal their part", seated === 2 && sealed === 2, seated === 2 && sealed < 2 ? `${sealed} of 2` : ""],
    ["Both open it", isOpen, ""],
  ];
  const now = steps.findIndex(([, isDone]) => !isDone);
  return h(
    "ol",
    { class: "table-steps" },
    ...steps.map(([text, isDone, note], at) =>
      h("li", { class: isDone ? "done" : at === now ? "due" : "", "aria-current": at === now ? "step" : null }, text, note ? h("small", null, ` ${note}`) : null, isDone ? h("span", { class: "unseen" }, ", done") : null),
    ),
  );
}

/**
 * Both sides with what is seen of them, the hidden things of your own among it.
 *
 * @param {any} welcome
 * @param {any} view
 * @param {boolean} isOver
 * @param {(side: number) => string} nameOf
 */
export const panelsOf = ({ table, present, side }, view, isOver, nameOf) =>
  table.seats.map((/** @type {any} */ seat, /** @type {number} */ at) => {
    const seen = view?.sides[at];
    const who = seat.bot ?? seat.account?.name;
    const isHere = present.includes(at + 1);
    return h(
      "section",
      { class: `card table-side side${at + 1}`, "aria-label": nameOf(at + 1) },
      h("h2", null, seat.name, at + 1 === side ? h("span", { class: "tag" }, "you") : null),
      h("p", { class: "quiet" }, who ?? "nobody yet", who ? h("span", { class: isHere ? "here" : "away" }, isHere ? " connected" : " away") : null),
      seen ? valuesOf(seen.values) : null,
      ...(seen?.bodies ?? []).map((/** @type {any} */ body) => h("div", { class: body.is_asked && !isOver ? "table-body asked" : "table-body" }, h("h3", null, body.name), valuesOf(body.values))),
    );
  });

/** @param {any[]} values */
function valuesOf(values) {
  return h(
    "dl",
    { class: "table-values" },
    ...values.map((each) => {
      const isBar = typeof each.most === "number" && each.most > 0;
      const bar = isBar ? h("span", { class: "table-bar", "aria-hidden": "true" }, h("span")) : null;
      if (bar !== null) styled(bar.firstChild, "width", `${Math.max(0, Math.min(100, (100 * each.value) / each.most))}%`);
      return h("div", null, h("dt", null, each.name), h("dd", null, bar, isBar ? `${each.value}/${each.most}` : String(each.value)));
    }),
  );
}
