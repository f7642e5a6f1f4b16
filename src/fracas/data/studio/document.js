// @ts-check
/** A result of any study of the lab: sentences, tables and courses. @module */

import { h, styled, svg } from "../web/dom.js";
import { percent } from "./odds.js";
import { buttonOf } from "./panels.js";

/** @typedef {(path: string[], value: any) => void} Apply */

/** A bar from 0 to 1. @param {number} part */
function barOf(part) {
  const fill = h("span", { class: "bar", "aria-hidden": "true" });
  styled(fill, "width", `${100 * part}%`);
  return fill;
}

/** Shares, one after another, as a line. @param {number[]} shares @param {string} text */
function courseOf(shares, text) {
  const step = shares.length > 1 ? 100 / (shares.length - 1) : 0;
  const line = shares.map((share, place) => `${place === 0 ? "M" : "L"}${(place * step).toFixed(2)} ${(40 - 40 * share).toFixed(2)}`).join("");
  return svg(
    "svg",
    { viewBox: "0 0 100 40", class: "odds-chart", preserveAspectRatio: "none", role: "img", "aria-label": `${text} ${shares.map((share) => percent(share, 0)).join(", ")}` },
    svg("path", { class: "grid", d: "M0 20H100" }),
    svg("path", { class: "line", d: shares.length > 1 ? line : `M0 ${40 - 40 * shares[0]}H100` }),
  );
}

/** @param {any} table @param {Apply} apply */
function tableOf(table, apply) {
  const [hasBars, hasEdits] = ["bar", "edit"].map((key) => table.rows.some((/** @type {any} */ row) => row[key] !== null));
  const rows = table.rows.map((/** @type {any} */ { cells, sign, bar, edit }) =>
    h(
      "tr",
      { class: sign > 0 ? "up" : sign < 0 ? "down" : null },
      hasEdits && h("td", null, edit !== null && buttonOf("Apply", () => apply(edit.path, edit.value), { "aria-label": `Apply: ${cells.slice(0, 3).join(" ")}` })),
      ...cells.map((/** @type {string} */ cell, /** @type {number} */ place) => h("td", { class: table.heads[place].is_number ? "amount" : null }, cell)),
      hasBars && h("td", { class: "drawn" }, bar !== null && barOf(bar)),
    ),
  );
  const heads = table.heads.map((/** @type {any} */ { text, is_number }) => (text === "" ? h("td", null) : h("th", { scope: "col", class: is_number ? "amount" : null }, text)));
  return h(
    "div",
    { class: "wide", role: "region", tabindex: 0, "aria-label": table.caption },
    h("table", { class: "figures" }, h("caption", null, table.caption), h("thead", null, h("tr", null, hasEdits && h("td", null), ...heads, hasBars && h("td", null))), h("tbody", null, ...rows)),
    table.left > 0 && table.course.length === 0 && h("p", { class: "quiet" }, `and ${table.left.toLocaleString("en")} more`),
  );
}

/** What a result says, then its tables. @param {any} found @param {Apply} apply Writes a change that a row proposes. */
export function documentParts(found, apply) {
  return [
    ...found.findings.map((/** @type {string} */ text, /** @type {number} */ place) => h("p", { class: place === 0 ? "finding" : null }, text)),
    ...found.notes.map((/** @type {string} */ text) => h("p", { class: "quiet" }, text)),
    ...found.tables.flatMap((/** @type {any} */ table) => [...(table.course.length > 0 ? [h("figure", null, courseOf(table.course, table.caption))] : []), tableOf(table, apply)]),
  ];
}
