// @ts-check
/** The panels beside the odds: compare, why, what helps, a moment, battles. @module */

import { h, svg } from "../web/dom.js";
import { ask } from "./ask.js";
import { percent, points } from "./odds.js";
import { Panel, buttonOf, choiceOf, rechoose } from "./panels.js";

/** @typedef {{ body: () => any, key: () => string | null, names: () => string[], apply: (path: string[], value: any) => void, setNumber: (path: string[], value: number) => void, versions: () => { label: string, text: string }[] }} Desk */

const sides = /** @type {[any, string][]} */ ([[1, "side 1"], [2, "side 2"]]);

/** @param {number[]} interval */
const between = ([low, high]) => `${points(low)} to ${points(high)}`;

/** Why the shares of a comparison are not those of the odds. @param {number} pairs */
const comparedWith = (pairs) =>
  `Both versions played the same ${pairs.toLocaleString("en")} battles; the odds above are of another number of battles, so their shares differ a little. A draw is half a point.`;

/** @param {string} key @param {number} stream @param {string} text */
const battleLink = (key, stream, text) => h("a", { href: `/battles/${key}/${stream}`, target: "_blank", rel: "noopener" }, text);

/** @param {[any, string][]} known @param {string[]} names */
const named = (known, names) => /** @type {[any, string][]} */ (known.map(([side, text], place) => [side, names[place] ?? text]));

/** A comparison with an earlier version, in the same battles. @param {Desk} desk */
export function comparePanel(desk) {
  const version = choiceOf("Version to compare with", []);
  const side = choiceOf("Side", sides);
  const panel = new Panel("Playing both versions with the same dice", "Compare", async (signal) => {
    const chosen = desk.versions()[Number(version.value)];
    if (chosen === undefined) return [h("p", null, "There is no earlier version yet: change something first.")];
    const found = await ask("compare", { ...desk.body(), before: chosen.text, side: Number(side.value) }, signal);
    const [low, high] = found.difference95;
    /** @type {Record<string, string>} */
    const verdicts = { A: `Worse: ${chosen.label} was better.`, B: "Better than before.", undecided: "Undecided: the two are too close for so few battles." };
    const name = desk.names()[found.side - 1];
    return [
      h("p", { class: `finding ${found.verdict === "B" ? "up" : found.verdict === "A" ? "down" : ""}` }, verdicts[found.verdict] ?? "No difference that matters."),
      h(
        "p",
        null,
        `${name}: ${percent(found.a.score)} of the points before, ${percent(found.b.score)} now, `,
        h("strong", null, `${points(found.difference)} points`),
        found.deterministic ? "; nothing depends on luck." : ` (95 %: ${between([low, high])}).`,
      ),
      found.deterministic ? null : h("p", { class: "quiet" }, comparedWith(found.pairs)),
    ];
  });
  panel.head.append(h("label", null, "With ", version), h("label", null, "for ", side), panel.go, panel.end);
  return {
    element: panel.element,
    age: () => panel.age(),
    refresh() {
      const known = desk.versions();
      rechoose(version, known.map(({ label }, place) => /** @type {[any, string]} */ ([place, label])));
      rechoose(side, named(sides, desk.names()));
    },
  };
}

/** Odds by round as a line. @param {any[]} odds @param {number} side */
function oddsChart(odds, side) {
  const shares = odds.map((each) => each.odds[side - 1]);
  const step = shares.length > 1 ? 100 / (shares.length - 1) : 0;
  const line = shares.map((share, place) => `${place === 0 ? "M" : "L"}${(place * step).toFixed(2)} ${(40 - 40 * share).toFixed(2)}`).join("");
  return svg(
    "svg",
    { viewBox: "0 0 100 40", class: `odds-chart side${side}`, preserveAspectRatio: "none", role: "img", "aria-label": `Odds by round: ${shares.map((share) => percent(share, 0)).join(", ")}` },
    svg("path", { class: "grid", d: "M0 20H100" }),
    svg("path", { class: "line", d: shares.length > 1 ? line : `M0 ${40 - 40 * shares[0]}H100` }),
  );
}

/** Why a battle ended as it did, and the best single change. @param {Desk} desk */
export function whyPanel(desk) {
  const stream = h("input", { type: "number", min: 0, max: 999999, value: 0, "aria-label": "Battle" });
  const panel = new Panel("Playing on from every round", "Why?", async (signal) => {
    const key = desk.key();
    const found = await ask("why", { ...desk.body(), stream: Number(stream.value) }, signal);
    const loser = found.loser ?? 1;
    const winner = found.winner ? `Victory for ${found.names[found.winner - 1]}` : "A draw";
    const turn = found.turning_point;
    const changes = found.changes.filter((/** @type {any} */ each) => each.best !== null);
    return [
      h("p", { class: "finding" }, `${winner} after ${found.rounds} rounds: ${found.reason.replaceAll("_", " ")}. `, key === null ? "" : battleLink(key, found.stream, "Watch it")),
      found.odds.length > 0 && h("figure", null, oddsChart(found.odds, loser), h("figcaption", null, `How ${found.names[loser - 1]} stood, round by round`)),
      turn !== null &&
        h("p", null, h("strong", null, "Turning point: "), `${turn.place}. ${found.names[turn.side - 1]} falls from ${percent(turn.odds, 0)} to ${percent(turn.after, 0)}.`, turn.turn === null ? "" : ` ${turn.turn.unit}: ${turn.turn.did}.`),
      ...changes.map((/** @type {any} */ { side, best }) =>
        h(
          "p",
          { class: "proposal" },
          h("strong", null, `Best single change for ${found.names[side - 1]}: `),
          `${best.name} from ${best.from} to ${best.to}, ${points(best.gain)} points (95 %: ${between(best.gain95)}). `,
          buttonOf("Apply", () => desk.apply(best.path.split("."), best.value)),
        ),
      ),
      changes.length === 0 && h("p", null, "No single change to how the loser plays helps."),
      found.decisions.length > 0 && h("h3", null, "Decisions that cost most"),
      found.decisions.length > 0 &&
        h(
          "ul",
          null,
          ...found.decisions.slice(0, 5).map((/** @type {any} */ each) => h("li", null, `${each.place}, ${each.unit}: ${each.chosen}; ${each.best} would have been worth ${points(each.cost)} points.`)),
        ),
    ].filter(Boolean);
  });
  panel.head.append(h("label", null, "Battle ", stream), panel.go, panel.end);
  return {
    element: panel.element,
    age: () => panel.age(),
    /** @param {number} number */
    askAbout(number) {
      stream.value = String(number);
      panel.ask();
    },
  };
}

/** What one more of each number is worth. @param {Desk} desk */
export function numbersPanel(desk) {
  const side = choiceOf("Side", sides);
  const panel = new Panel("Trying one more of each number", "Measure", async (signal) => {
    const found = await ask("numbers", { ...desk.body(), side: Number(side.value) }, signal);
    const rows = found.stats.slice(0, 12).map((/** @type {any} */ each) => {
      const isClear = each.gain95[0] > 0 || each.gain95[1] < 0;
      return h(
        "tr",
        null,
        h("th", { scope: "row" }, each.owner, " ", h("span", { class: "quiet" }, each.name.replaceAll("_", " "))),
        h("td", null, `${each.value} → ${each.value + each.step}`),
        h("td", { class: isClear ? (each.gain > 0 ? "up" : "down") : "" }, points(each.gain)),
        h("td", null, buttonOf("Apply", () => desk.setNumber(each.path.split("."), each.value + each.step), { "aria-label": `Apply: ${each.owner} ${each.name} ${each.value + each.step}` })),
      );
    });
    const heads = ["Number", "Change", "Points", ""].map((text) => h("th", { scope: "col" }, text));
    return [
      h("table", { class: "figures" }, h("thead", null, h("tr", null, ...heads)), h("tbody", null, ...rows)),
      h("p", { class: "told" }, `${found.base.battles.toLocaleString("en")} battles for each, with the same dice. Coloured where the sign is certain.`),
    ];
  });
  panel.head.append(h("label", null, "For ", side), panel.go, panel.end);
  return { element: panel.element, age: () => panel.age(), refresh: () => rechoose(side, named(sides, desk.names())) };
}

/** A condition at a moment of a battle. @param {Desk} desk */
export function momentPanel(desk) {
  const known = h("datalist", { id: "units" });
  const unit = h("input", { list: "units", "aria-label": "Unit", placeholder: "1.scout", size: 16 });
  const round = h("input", { "aria-label": "Round", placeholder: "1", size: 5 });
  const stream = h("input", { type: "number", min: 0, max: 999999, value: 0, "aria-label": "Battle" });
  const condition = h("input", { class: "condition", "aria-label": "Condition", placeholder: "self.hp_pct < 50 and enemy_count_gte_2", spellcheck: "false" });
  const state = h("input", { class: "condition", "aria-label": "Changes of the situation", placeholder: "optional: units.1.scout.hp=20", spellcheck: "false" });
  const panel = new Panel("Playing up to this moment", "Ask", async (signal) => {
    const body = { unit: unit.value, condition: condition.value, round: round.value, stream: Number(stream.value), state: state.value.split(/[;,]\s*/).filter(Boolean) };
    const found = await ask("moment", { ...desk.body(), ...body }, signal);
    const place = `${found.encounter === null ? "" : `encounter ${found.encounter}, `}round ${found.round}`;
    return [
      h("p", { class: `finding ${found.value ? "up" : "down"}` }, found.verdict ? `${found.unit}, ${place}: ${found.verdict}` : `${found.unit}, ${place}: the condition ${found.value ? "holds" : "does not hold"}.`),
      h(
        "ul",
        { class: "tree" },
        ...found.nodes.map((/** @type {any} */ node) =>
          h("li", { class: `depth${Math.min(node.depth, 8)}` }, h("span", { class: node.value ? "up" : "down" }, node.value ? "✓ yes " : "✗ no "), h("code", null, node.text), node.detail ? ` ${node.detail}` : ""),
        ),
      ),
      ...found.warnings.map((/** @type {string} */ text) => h("p", { class: "told" }, text)),
    ];
  });
  const onenter = (/** @type {any} */ event) => event.key === "Enter" && panel.ask();
  for (const input of [unit, round, stream, condition, state]) input.addEventListener("keydown", onenter);
  panel.head.append(known, h("label", null, "Unit ", unit), h("label", null, "round ", round), h("label", null, "battle ", stream), h("label", { class: "full" }, "Condition ", condition), h("label", { class: "full" }, "Situation ", state), panel.go, panel.end);
  return {
    element: panel.element,
    age: () => panel.age(),
    /** @param {any} checked */
    async refresh(checked) {
      round.setAttribute("placeholder", checked.first_round);
      condition.parentElement.toggleAttribute("hidden", !checked.has_conditions);
      try {
        const { units } = await ask("units", desk.body());
        known.replaceChildren(...units.map((/** @type {string} */ value) => h("option", { value })));
        if (unit.value === "") unit.value = units[0] ?? "";
      } catch {
        known.replaceChildren();
      }
    },
  };
}

/** The first battles, each one click from the player. @param {Desk} desk @param {(stream: number) => void} onWhy */
export function battlesPanel(desk, onWhy) {
  const list = h("ol", { class: "battles", start: 0 });
  const told = h("p", { class: "told" }, "The battles appear as soon as the text is valid.");
  return {
    element: h("div", { class: "asking" }, told, list),
    async refresh() {
      const key = desk.key();
      if (key === null) return;
      try {
        const { battles } = await ask("battles", desk.body());
        const names = desk.names();
        told.textContent = "Open a battle to watch it; “why” explains it here.";
        list.replaceChildren(
          ...battles.map((/** @type {any} */ { stream, winner, rounds }) => {
            const who = winner ? `won by ${names[winner - 1]}` : "a draw";
            const link = battleLink(key, stream, `Battle ${stream}`);
            link.append(h("span", null, `${who}, ${rounds} rounds`));
            return h("li", { class: winner ? `side${winner}` : "" }, link, buttonOf("why", () => onWhy(stream), { "aria-label": `Why: battle ${stream}` }));
          }),
        );
      } catch {
        list.replaceChildren();
      }
    },
  };
}
