// @ts-check
/** What covers the stage before the fight and after it: who meets where and for what; who won, how, and what next. @module */

import { h, svg } from "./dom.js";
import { bestUnits, criticals, deedsOf, inPoints, oddsOf, percent } from "./odds.js";

/** Of many bodies these stand on a card. */
const MOST_BODIES = 8;

/** @param {string} title @param {...any} children */
const boxOfCover = (title, ...children) => h("section", null, h("h2", null, title), ...children);

export class Cover {
  /**
   * @param {any} player
   * @param {{ sides: string[], outcome: any }} data
   * @param {{ stakes?: string }} about
   */
  constructor(player, { sides, outcome }, { stakes = "" }) {
    this.player = player;
    this.sides = sides;
    this.outcome = outcome;
    this.stakes = stakes;
    this.kind = "";
    /** Buttons that stand below the result. @type {any[]} */
    this.actions = [];
    this.hider = h("button", { type: "button", onclick: () => player.setHiding(!player.isHiding) });
    this.said = h("p", { class: "said", role: "status" });
    this.element = h("div", { class: "cover", role: "group", hidden: true });
  }

  hide() {
    this.kind = "";
    this.element.hidden = true;
  }

  /** @param {string} kind @param {string} label @param {any[]} children */
  show(kind, label, children) {
    this.kind = kind;
    this.element.dataset.kind = kind;
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(h("div", { class: "card-of-cover" }, ...children));
    this.element.hidden = false;
  }

  /** Where that is, as the frame that is shown says. */
  where() {
    const { stage, timeline, shown } = this.player;
    return stage.where?.(timeline.frames[Math.max(0, shown)]) ?? "";
  }

  /** Those of a side who stand on the stage now, facing the middle. @param {number} side */
  crowd(side) {
    const { stage, timeline, shown } = this.player;
    const units = timeline.frames[Math.max(0, shown)]?.units ?? new Map();
    const bodies = [...(stage.figures ?? new Map())].flatMap(([place, { body }]) => {
      const unit = units.get(place);
      return unit?.side === side && unit.present && !unit.fallen ? [body.cloneNode(true)] : [];
    });
    return h("div", { class: `crowd facing${side}` }, ...bodies.slice(0, MOST_BODIES));
  }

  /** Who, where, and what is at stake. */
  title() {
    const { player } = this;
    const [first, second] = this.sides.map((side, at) => h("span", { class: `side${at + 1}` }, side));
    this.show("title", "Before the battle", [
      h("p", { class: "where" }, this.where()),
      h("p", { class: "who" }, first, h("small", null, " against "), second),
      h("div", { class: "crowds", "aria-hidden": "true" }, this.crowd(1), this.crowd(2)),
      h("p", { class: "stakes" }, this.stakes),
      h("p", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => player.play() }, "Watch"), this.hider),
    ]);
    this.refresh();
  }

  /** The result: who won, the turning point, the best unit, luck, and what next. */
  end() {
    const { player, sides } = this;
    const { winner, rounds } = this.outcome;
    const { chart, timeline } = player;
    const who = winner ? [h("span", { class: `side${winner}` }, sides[winner - 1]), h("small", null, " won")] : ["A draw"];
    this.said.textContent = "";
    this.show("end", "After the battle", [
      h("p", { class: "where" }, `${this.where()}, after ${rounds} round${rounds === 1 ? "" : "s"}`),
      h("p", { class: "who" }, ...who),
      winner ? h("div", { class: "crowds", "aria-hidden": "true" }, this.crowd(winner)) : null,
      h(
        "p",
        { class: "row" },
        h("button", { type: "button", class: "main", onclick: () => player.again() }, "Again"),
        ...this.actions.map(([text, act]) => h("button", { type: "button", onclick: () => act((/** @type {string} */ said) => (this.said.textContent = said)) }, text)),
        h("button", { type: "button", onclick: () => this.hide() }, "To the stage"),
      ),
      this.said,
      h("div", { class: "boxes" }, ...[this.turning(chart), this.best(chart, timeline), this.luck(chart, timeline)].filter((each) => each !== null)),
    ]);
  }

  /** Write again what changed meanwhile: whether the result is hidden, or the odds that were found. */
  refresh() {
    this.hider.textContent = this.player.isHiding ? "Show the result" : "Hide the result";
    if (this.kind !== "end") return;
    const said = this.said.textContent;
    this.end();
    this.said.textContent = said;
  }

  /** @param {any} chart */
  turning(chart) {
    if (chart.rounds.length === 0) return null;
    if (chart.turning === null) return boxOfCover("Turning point", h("p", null, "The odds never fell: nothing turned this battle."));
    const { round, side } = chart.turning;
    const { rounds } = chart;
    const points = [...rounds.map(({ odds }) => odds), rounds.at(-1).after].map(
      (odds, at) => `${((100 * at) / rounds.length).toFixed(1)} ${(28 - 26 * oddsOf(odds, side)).toFixed(1)}`,
    );
    const small = svg(
      "svg",
      { viewBox: "0 0 100 30", preserveAspectRatio: "none", class: "small-odds", "aria-hidden": "true" },
      svg("path", { d: `M${points.join("L")}` }),
      svg("path", { class: "mark", d: `M${points[rounds.indexOf(round)]}h.01` }),
    );
    return boxOfCover(
      "Turning point",
      h("p", null, h("strong", null, `${chart.whenTold(round)}: ${percent(oddsOf(round.odds, side))} → ${percent(oddsOf(round.after, side))}`), ` for ${this.sides[side - 1]}`),
      small,
      h("p", null, chart.causeTold(round)),
      h("button", { type: "button", onclick: () => this.player.turning() }, "Watch it"),
    );
  }

  /** @param {any} chart @param {any} timeline */
  best(chart, timeline) {
    const [best] = bestUnits(timeline.frames, chart.rounds, this.outcome.winner);
    if (best === undefined) return null;
    const unit = timeline.frames.at(-1).units.get(best.place);
    const all = chart.rounds.reduce((/** @type {number} */ sum, /** @type {any} */ { change }) => sum + Math.abs(change), 0);
    const share = all > 0 ? ` ${percent(best.gained / all)} of the odds that changed hands.` : "";
    const body = this.player.stage.figures?.get(best.place)?.body.cloneNode(true);
    const drawn = body && h("div", { class: `crowd facing${unit.side}`, "aria-hidden": "true" }, body);
    return boxOfCover("Best unit", drawn ?? null, h("p", null, h("strong", { class: `side${unit.side}` }, unit.name)), h("p", null, `${deedsOf(best)}.${share}`));
  }

  /** @param {any} chart @param {any} timeline */
  luck(chart, timeline) {
    if (chart.rounds.length === 0) return null;
    const [first] = chart.rounds;
    const side = this.outcome.winner || 1;
    const gained = oddsOf(chart.rounds.at(-1).after, side) - oddsOf(first.odds, side);
    const hits = criticals(timeline.frames);
    const told = chart.rounds.every((/** @type {any} */ { isCertain }) => isCertain)
      ? "Nothing depends on luck in this battle."
      : `It wins ${percent(oddsOf(first.odds, side))} of all such battles.`;
    const critical = hits[0] + hits[1] > 0 ? `Critical hits: ${this.sides[0]} ${hits[0]}, ${this.sides[1]} ${hits[1]}.` : "";
    return boxOfCover("Luck", h("p", null, h("strong", { class: `side${side}` }, `${inPoints(gained)} for ${this.sides[side - 1]}`)), h("p", null, told), h("p", null, critical));
  }
}

