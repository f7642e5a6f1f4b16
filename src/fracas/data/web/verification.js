// @ts-check
/** Plays the battle again on this device and says whether it comes out as the file shows it. @module */

import { digestOf } from "./fracas.js";

/** Digests of the rows of each tick, in the order of play. @param {Int32Array} rows @returns {Map<number, string>} */
function digestsOf(rows) {
  /** @type {Map<number, number[]>} */
  const parts = new Map();
  for (let at = 0; at < rows.length; at += 8) {
    const found = parts.get(rows[at]);
    const row = [...rows.subarray(at, at + 8)];
    if (found === undefined) parts.set(rows[at], row);
    else found.push(...row);
  }
  return new Map([...parts].map(([tick, values]) => [tick, digestOf(bytesOf(Int32Array.from(values)))]));
}

/** Rows as digests take them: little-endian. @param {Int32Array} rows */
function bytesOf(rows) {
  const view = new DataView(new ArrayBuffer(4 * rows.length));
  rows.forEach((value, at) => view.setInt32(4 * at, value, true));
  return new Uint8Array(view.buffer);
}

/**
 * The first tick whose rows are not those that the bundle's digests are of; null if there is none.
 *
 * @param {Int32Array} rows
 * @param {any} bundle
 */
export function firstOther(rows, bundle) {
  const [shown, stored] = [digestsOf(rows), new Map(bundle.tick_digests)];
  const ticks = [...stored.keys(), ...shown.keys()];
  return ticks.find((tick) => shown.get(tick) !== stored.get(tick)) ?? null;
}

/**
 * What this device says about a file.
 *
 * @param {any} rules
 * @param {any} bundle
 * @param {Int32Array} rows The events that the page shows.
 * @param {(tick: number) => string} labelOf
 * @returns {Promise<{ state: "verified" | "differs" | "refused", text: string }>}
 */
export async function verified(rules, bundle, rows, labelOf) {
  try {
    const other = firstOther(rows, bundle);
    if (other !== null) {
      return { state: "differs", text: `The events in this file were changed: the first that differ are those of ${labelOf(other)}.` };
    }
    const { ok, tick, digest, message } = await rules.verify(bundle);
    if (ok) return { state: "verified", text: `Verified on this device, digest ${digest}` };
    const where = tick === null ? message : `the first events that differ are those of ${labelOf(tick)}`;
    return { state: "differs", text: `This device plays another battle: ${where}.` };
  } catch (error) {
    return { state: "refused", text: `This device could not play the battle again: ${/** @type {Error} */ (error).message}.` };
  }
}
