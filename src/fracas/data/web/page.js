// @ts-check
/** The page: takes what the file holds, puts the player on top of what it shows without a script. @module */

import { h } from "./dom.js";
import { loadRules, tellEvents } from "./fracas.js";
import { booksOfPlaces, framesOf } from "./interpreter.js";
import { Player } from "./player.js";
import { verified } from "./verification.js";
import { WhatIf } from "./what-if.js";

/** @param {string} id */
const textOf = (id) => document.getElementById(id)?.textContent ?? "";
/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @param {any} data @param {any} bundle @param {any} layout @param {Int32Array} rows @param {any} parts */
async function check(data, bundle, layout, rows, parts) {
  const status = byId("verdict");
  if (bundle === null) {
    status.textContent = data.unpacked;
    status.dataset.state = "unknown";
    return;
  }
  status.textContent = "This device is playing the battle again.";
  status.dataset.state = "playing";
  const rules = await loadRules(textOf("module").trim(), layout);
  const labelOf = (/** @type {number} */ tick) => data.ticks[tick] ?? `tick ${tick}`;
  const { state, text } = await verified(rules, bundle, rows, labelOf);
  status.textContent = text;
  status.dataset.state = state;
  if (state !== "verified") return;
  const whatIf = new WhatIf(rules, await rules.open(bundle), data.cast, parts.changes, data.sides);
  byId("extras").append(whatIf.element);
}

/**
 * Open the page with the parts of its ruleset.
 *
 * @param {{ table: any, changes: any[], buildStage: (cast: any, data: any) => any }} parts
 */
export async function openPage(parts) {
  const [data, layout, bundle] = ["data", "layout", "bundle"].map((id) => JSON.parse(textOf(id)));
  const rows = Int32Array.from(JSON.parse(textOf("rows")));
  const books = { ...data.books, ...data.cast.books };
  const events = tellEvents(rows, layout, booksOfPlaces(parts.table, { ...layout.books, ...books }));
  const frames = framesOf(events, parts.table, data.cast, layout, books);
  const stage = parts.buildStage(data.cast, data);
  const player = new Player(frames, stage, data, byId("story"));
  byId("stage").append(stage.element, player.element);
  document.documentElement.dataset.script = "runs";
  if (!player.follow()) player.show(0, false);
  if (frames.length === 0) byId("stage").append(h("p", null, "Nothing happens in this battle."));
  try {
    await check(data, bundle, layout, rows, parts);
  } catch (error) {
    byId("verdict").textContent = `This device cannot check the battle: ${/** @type {Error} */ (error).message}.`;
    byId("verdict").dataset.state = "refused";
  }
}
