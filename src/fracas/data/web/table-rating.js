// @ts-check
/**
 * What a live table is played for: whether it is rated, and what it has done to ratings.
 *
 * @module
 */

const UNRATED = /** @type {Record<string, string>} */ ({
  waiting: "Looking for somebody of your strength.",
  met_often: "Unrated: you two have had your rated tables of 24 hours.",
  not_players: "Unrated: one of you is no ordinary player.",
  not_played: "Unrated: it ended before anything was decided.",
});

/**
 * Whether a table is rated, and why not where that needs a word.
 *
 * @param {any} table
 * @returns {string} empty for a table that nobody expects to be rated
 */
export const stakeOf = (table) => (table.unrated ? (UNRATED[table.unrated] ?? "") : "Rated.");

/**
 * What a table has done to ratings: to yours, or to both for who watches.
 *
 * @param {any} over
 * @param {number | null} side
 * @param {(side: number) => string} nameOf
 */
export function changesOf(over, side, nameOf) {
  const told = (over.ratings ?? []).map((/** @type {any} */ { before, after }, /** @type {number} */ at) => {
    const change = after.rating - before.rating;
    const who = at + 1 === side ? "Your rating" : nameOf(at + 1);
    return `${who}: ${before.rating} → ${after.rating} (${change < 0 ? "−" : "+"}${Math.abs(change)}).`;
  });
  return (side === null ? told : told.slice(side - 1, side)).join(" ");
}
