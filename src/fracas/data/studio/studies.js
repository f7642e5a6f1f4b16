// @ts-check
/** The panels beside the odds: compare, why, what helps, a moment, battles. @module */

import { h } from "../web/dom.js";
import { ask } from "./ask.js";
import { documentParts } from "./document.js";
import { Panel, buttonOf, choiceOf, rechoose } from "./panels.js";

/** @typedef {{ body: () => any, key: () => string | null, names: () => string[], apply: (path: string[], value: any) => void, versions: () => { label: string, text: string }[] }} Desk */

const sides = /** @type {[any, string][]} */ ([[1, "side 1"], [2, "side 2"]]);

/** Why the shares of a comparison are not those of the odds. */
const OTHER_BATTLES = "The odds above are of another number of battles, so their shares differ a little. A draw is half a point.";

/** @param {string} key @param {number} stream @param {string} text */
const battleLink = (key, stream, text) => h("a", { href: `/battles/${key}/${stream}`, target: "_blank", rel: "noopener" }, text);

/** @param {[any, string][]} known @param {string[]} names */
const named = (known, names) => /** @type {[any, string][]} */ (known.map(([side, text], place) => [side, names[place] ?? text]));

/** A panel that shows a result of the lab for a side. @param {Desk} desk @param {Panel} panel @param {any} side */
const ofSide = (desk, panel, side) => ({
  element: panel.element,
  age: () => panel.age(),
  refresh: () => rechoose(side, named(sides, desk.names())),
});

/** A comparison with an earlier version, in the same battles. @param {Desk} desk */
export function comparePanel(desk) {
  const version = choiceOf("Version to compare with", []);
  const side = choiceOf("Side", sides);
  const panel = new Panel("Playing both versions with the same dice", "Compare", async (signal) => {
    const chosen = desk.versions()[Number(version.value)];
    if (chosen === undefined) return [h("p", null, "There is no earlier version yet: change something first.")];
    const found = await ask("compare", { ...desk.body(), before: chosen.text, label: chosen.label, side: Number(side.value) }, signal);
    return [...documentParts(found, desk.apply), h("p", { class: "quiet" }, OTHER_BATTLES)];
  });
  panel.head.append(h("label", null, "With ", version), h("label", null, "for ", side), panel.go, panel.end);
  return {
    ...ofSide(desk, panel, side),
    refresh() {
      rechoose(version, desk.versions().map(({ label }, place) => /** @type {[any, string]} */ ([place, label])));
      rechoose(side, named(sides, desk.names()));
    },
  };
}

/** Why a battle ended as it did, and the best single change. @param {Desk} desk */
export function whyPanel(desk) {
  const stream = h("input", { type: "number", min: 0, max: 999999, value: 0, "aria-label": "Battle" });
  const panel = new Panel("Playing on from every round", "Why?", async (signal) => {
    const [key, number] = [desk.key(), Number(stream.value)];
    const found = await ask("why", { ...desk.body(), stream: number }, signal);
    return [...documentParts(found, desk.apply), ...(key === null ? [] : [h("p", null, battleLink(key, number, "Watch it"))])];
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
  const panel = new Panel("Trying one more of each number", "Measure", async (signal) => documentParts(await ask("numbers", { ...desk.body(), side: Number(side.value) }, signal), desk.apply));
  panel.head.append(h("label", null, "For ", side), panel.go, panel.end);
  return ofSide(desk, panel, side);
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
