// @ts-check
/** The odds of an entry against each of its rivals: the league's bots, and the author's own last version. @module */

import { h, styled } from "../web/dom.js";
import { percent, points } from "./odds.js";

/** The share against all bots together, once each was met. @param {any[]} rivals */
const meanOf = (rivals) => {
  const bots = rivals.filter(({ strength }) => strength !== null);
  const isKnown = bots.length > 0 && bots.every(({ share }) => share !== null);
  return isKnown ? bots.reduce((sum, { share }) => sum + share, 0) / bots.length : null;
};

export class Rivals {
  constructor() {
    this.told = h("p", { class: "told" }, "The odds appear as soon as the entry is legal.");
    this.mean = h("strong", { class: "share" }, "–");
    this.since = h("span", { class: "since" });
    this.said = h("p", { class: "unseen", role: "status" });
    this.list = h("ol", { class: "rivals" });
    /** The odds in short, for where the panel is not in sight. */
    this.summary = h("p", { class: "worth" }, h("strong"), h("span", { class: "rest" }, " against the bots"));
    this.summary.hidden = true;
    this.element = h(
      "section",
      { class: "odds panel", "aria-label": "Odds" },
      h("div", { class: "odds-head side2" }, h("h2", null, "Odds"), h("p", null, this.mean, this.since)),
      this.list,
      this.told,
      this.said,
    );
    /** @type {Map<string, any>} */
    this.rows = new Map();
    this.last = null;
  }

  /** @param {any} rival */
  row({ name, strength }) {
    const share = h("span", { class: "amount" }, "…");
    const since = h("span", { class: "since" });
    const [fill, band, point] = ["sure", "band", "point"].map((name) => h("span", { class: name }));
    const before = h("span", { class: "before", hidden: true, title: "the last version" });
    const track = h("div", { class: "track side2", "aria-hidden": "true" }, fill, band, point, before);
    const head = h("p", null, h("span", { class: "rival" }, name, strength === null ? "" : h("small", null, ` ${strength}`)), h("span", null, share, since));
    return { element: h("li", null, head, track), share, since, fill, band, point, before };
  }

  /** @param {any} odds `{ rivals: [{ name, strength, share, interval }], battles, here, done }`; shares are null until counted. @param {any} base */
  show(odds, base) {
    this.last = odds;
    this.element.dataset.state = odds.done ? "done" : "counting";
    const names = odds.rivals.map((/** @type {any} */ { name }) => name);
    if (names.join("\n") !== [...this.rows.keys()].join("\n")) {
      this.rows = new Map(odds.rivals.map((/** @type {any} */ rival) => [rival.name, this.row(rival)]));
      this.list.replaceChildren(...[...this.rows.values()].map(({ element }) => element));
    }
    const earlier = new Map((base?.rivals ?? []).map((/** @type {any} */ each) => [each.name, each.share]));
    for (const { name, share, interval } of odds.rivals) {
      if (share === null) continue;
      const row = this.rows.get(name);
      const half = (interval[1] - interval[0]) / 2;
      row.share.textContent = `${percent(share, 0)} ± ${(100 * half).toFixed(0)}`;
      styled(row.fill, "width", `${100 * interval[0]}%`);
      styled(row.band, "left", `${100 * interval[0]}%`);
      styled(row.band, "width", `${100 * (interval[1] - interval[0])}%`);
      styled(row.point, "left", `${100 * share}%`);
      this.compare(row, share, earlier.get(name) ?? null, half);
    }
    const mean = meanOf(odds.rivals);
    this.mean.textContent = mean === null ? "…" : percent(mean, 0);
    this.summary.hidden = mean === null;
    this.summary.firstChild.textContent = mean === null ? "" : percent(mean, 0);
    this.compare({ since: this.since }, mean, base === null ? null : meanOf(base.rivals), 0.005);
    const where = odds.here ? "on this device" : "on the server";
    this.told.textContent = `The share of points against each bot, sides swapped: ${odds.battles.toLocaleString("en")} battles each, played ${where}${odds.done ? "" : " …"}`;
    if (odds.done && mean !== null) this.said.textContent = `${percent(mean, 0)} of the points against the bots`;
  }

  /** @param {any} row @param {number | null} share @param {number | null} old @param {number} half */
  compare(row, share, old, half) {
    const isKnown = share !== null && old !== null;
    const said = isKnown ? points(share - old, 0) : "0";
    row.since.textContent = said === "0" ? "" : ` ${said}`;
    row.since.className = `since ${!isKnown || Math.abs(share - old) < half ? "" : share > old ? "up" : "down"}`;
    row.before?.toggleAttribute("hidden", old === null);
    if (row.before && old !== null) styled(row.before, "left", `${100 * old}%`);
  }

  /** The entry is not legal: the figures are those of an older version. */
  age() {
    this.element.dataset.state = "old";
    this.told.textContent = this.last === null ? "The odds appear as soon as the entry is legal." : "These are the odds of the last version that was legal.";
  }
}
