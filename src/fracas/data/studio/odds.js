// @ts-check
/** The odds, which tighten while one looks. @module */

import { h, styled } from "../web/dom.js";

/** @param {number} share */
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** A difference of shares in points, with its sign. @param {number} share */
export function points(share, digits = 1) {
  const shown = Math.abs(100 * share).toFixed(digits);
  // What rounds to nothing was neither won nor lost.
  if (Number(shown) === 0) return shown;
  return `${share < 0 ? "−" : "+"}${shown}`;
}

/** As many digits as the interval deserves. @param {number[]} interval */
const digitsOf = ([low, high]) => (high - low < 0.01 ? 1 : high - low < 0.1 ? 1 : 0);

/** @param {number} number */
const grouped = (number) => number.toLocaleString("en");

export class Odds {
  constructor() {
    this.rows = [1, 2].map((side) => this.row(side));
    this.told = h("p", { class: "told" });
    this.said = h("p", { class: "unseen", role: "status" });
    this.element = h("section", { class: "odds panel", "aria-label": "Odds" }, h("h2", null, "Odds"), ...this.rows.map(({ element }) => element), this.told, this.said);
    /** @type {any} The odds that the current ones are compared with. */
    this.base = null;
    this.last = null;
  }

  /** @param {number} side */
  row(side) {
    const name = h("h3", { class: `side${side}` });
    const share = h("strong", { class: "share" }, "–");
    const reach = h("span", { class: "reach" });
    const since = h("span", { class: "since" });
    const fill = h("span", { class: "sure" });
    const band = h("span", { class: "band" });
    const point = h("span", { class: "point" });
    const before = h("span", { class: "before", hidden: true, title: "the last version" });
    const track = h("div", { class: "track", "aria-hidden": "true" }, fill, band, point, before);
    const element = h("div", { class: `odds-row side${side}` }, h("div", { class: "odds-head" }, name, h("p", null, share, reach, since)), track);
    return { element, name, share, reach, since, fill, band, point, before };
  }

  /** @param {any} odds @param {any} base The odds of the last version, or null. */
  show(odds, base) {
    this.last = odds;
    this.base = base;
    this.element.dataset.state = odds.done ? "done" : "counting";
    odds.intervals.forEach((/** @type {number[]} */ interval, /** @type {number} */ place) => {
      const row = this.rows[place];
      const share = odds.shares[place];
      const half = (interval[1] - interval[0]) / 2;
      row.name.textContent = odds.names[place];
      row.share.textContent = percent(share, digitsOf(interval));
      row.reach.textContent = odds.deterministic ? " always" : ` ± ${(100 * half).toFixed(half < 0.01 ? 2 : 1)}`;
      styled(row.fill, "width", `${100 * interval[0]}%`);
      styled(row.band, "left", `${100 * interval[0]}%`);
      styled(row.band, "width", `${100 * (interval[1] - interval[0])}%`);
      styled(row.point, "left", `${100 * share}%`);
      const old = base?.shares[place];
      row.before.toggleAttribute("hidden", old === undefined);
      row.since.textContent = old === undefined ? "" : ` ${points(share - old)} points`;
      row.since.className = `since ${old === undefined || Math.abs(share - old) < half ? "" : share > old ? "up" : "down"}`;
      if (old !== undefined) styled(row.before, "left", `${100 * old}%`);
    });
    const draws = odds.draws ? `, ${percent(odds.draws / odds.battles)} draws` : "";
    const battles = odds.deterministic ? "Nothing depends on luck" : `${grouped(odds.battles)} battles`;
    this.told.textContent = `${battles}${draws}, ${odds.rounds.toFixed(1)} rounds on average${odds.done ? "" : " …"}`;
    if (odds.done) this.said.textContent = odds.names.map((/** @type {string} */ name, /** @type {number} */ place) => `${name} ${percent(odds.shares[place])} of the battles`).join(", ");
  }

  /** The text does not play: the figures are those of an older version. */
  age() {
    this.element.dataset.state = "old";
    this.told.textContent = this.last === null ? "The odds appear as soon as the text is valid." : "These are the odds of the last version that was valid.";
  }
}
