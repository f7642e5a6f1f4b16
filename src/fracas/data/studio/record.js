// @ts-check
/** The numbers of a packed battle that can be changed without compiling it again, as the form shows them. @module */

/** The largest number that the page offers; the rules bound what they derive from it. */
const MOST = 1_000_000;

/**
 * Who is in the record: place, side and name.
 *
 * @param {any} packed
 * @returns {{ place: number, side: number, name: string }[]}
 */
export function unitsOf(packed) {
  const { ruleset, sides, books, scenario } = packed.bundle;
  if (ruleset === "relics") return sides.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: place + 1, name }));
  if (ruleset === "titans") return scenario.players.map((/** @type {any} */ player, /** @type {number} */ place) => ({ place, side: place + 1, name: String(player.titan.name) }));
  const half = books.title.length / 2;
  return books.title.flatMap((/** @type {string | null} */ name, /** @type {number} */ place) => {
    if (name === null) return [];
    const side = ruleset === "stacks" ? packed.record.get(`participants.${place}.side`) + 1 : place < half ? 1 : 2;
    return [{ place, side, name: String(name) }];
  });
}

/**
 * The form of a record, as form.js shows it. A number's path names its place in `changes` and the unit.
 *
 * @param {any} packed
 * @param {any[]} changes What can be changed in this ruleset: `{ name, paths(place) }`.
 * @param {any} record
 */
export function formOf(packed, changes, record) {
  const units = unitsOf(packed);
  return [1, 2].map((side) => ({
    side,
    name: packed.bundle.sides[side - 1],
    choices: [],
    owners: units
      .filter((unit) => unit.side === side)
      .map(({ place, name }) => ({
        name,
        numbers: changes.map((change, number) => ({
          name: change.name,
          path: [String(place), String(number)],
          value: record.get(change.paths(place)[0]),
          least: Math.min(0, record.get(change.paths(place)[0])),
          most: MOST,
          step: 1,
        })),
      })),
  }));
}

/**
 * The record with changed numbers.
 *
 * @param {any} packed
 * @param {any[]} changes
 * @param {Record<string, number>} edits New values by path: "3.1" is the second number of unit 3.
 */
export function edited(packed, changes, edits) {
  const record = packed.record.copy();
  const places = new Set(unitsOf(packed).map(({ place }) => place));
  for (const [path, value] of Object.entries(edits)) {
    const [place, number] = path.split(".").map(Number);
    if (!places.has(place) || changes[number] === undefined) throw new Error(`there is no number ${path}`);
    if (!Number.isInteger(value) || Math.abs(value) > MOST) throw new Error(`${value} is not a whole number up to ${MOST.toLocaleString("en")}`);
    for (const each of changes[number].paths(place)) record.set(each, value);
  }
  return record;
}

/**
 * What was changed, in words.
 *
 * @param {any} packed
 * @param {any[]} changes
 * @param {Record<string, number>} edits
 */
export function editsInWords(packed, changes, edits) {
  const names = new Map(unitsOf(packed).map(({ place, name }) => [place, name]));
  return Object.entries(edits).map(([path, value]) => {
    const [place, number] = path.split(".").map(Number);
    const before = packed.record.get(changes[number].paths(place)[0]);
    return `${names.get(place)}: ${changes[number].name} ${before} → ${value}`;
  });
}
