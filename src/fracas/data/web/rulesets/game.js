// @ts-check
/** Any game of one file: what its layout says of its stage becomes the table of its events, and two rows or a board. @module */

import { RULES } from "../../studio/record.js";
import { Plain } from "../plain.js";

/** The sentence of an event in pieces: texts, and columns. @param {string} story @param {(field: string) => any} extra */
export function piecesOf(story, extra = () => ({})) {
  return story
    .split(/(\{[^{}]*\})/u)
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (!piece.startsWith("{")) return piece;
      const [field, words] = piece.slice(1, -1).split(":");
      if (words === undefined) return { field, ...extra(field) };
      const [one, several] = words.split("|");
      return { field, one, several };
    });
}

/** The rules of the author's events, and of those that the kit adds. @param {any} stage */
function rulesOf({ cast, fields, board, events }) {
  const vital = fields[cast].find((/** @type {any} */ { gauge }) => gauge === "hp");
  const cells = new Set(fields[cast].filter((/** @type {any} */ { role }) => role === "cell").map((/** @type {any} */ { gauge }) => gauge));
  /** @type {Record<string, any>} */
  const rules = {
    start: { begins: "part", title: "Both sides stand ready" },
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
    battle_sets: { marks: { "{field}": "value" } },
  };
  /** A row that tells the new value of a field that no column told. @type {any} */
  const changes = { sets: [["target", "{field}", "value"]] };
  const ofCast = vital === undefined ? changes : [
    { if: { field: vital.name }, ...changes, above: ["tick", 0], effect: { look: "hp", on: "target", by: null } },
    // What somebody begins with is no heal.
    { if: { field: vital.name }, ...changes, upTo: ["tick", 0] },
    { unless: { field: [vital.name] }, ...changes },
  ];
  if (cast === "unit") rules.sets = ofCast;
  rules.side_sets = cast === "unit" ? { marks: { "{target}.{field}": "value" } } : ofCast;
  for (const [name, { story, owner, who, tells, calls }] of Object.entries(events)) {
    const isCast = (/** @type {string} */ each) => who[each] === cast;
    const told = Object.entries(tells);
    const width = (/** @type {string} */ field) => (cells.has(tells[field]) ? { width: board.width } : {});
    /** @type {any} */
    const rule = story === "" ? {} : { begins: "action", actor: isCast("actor") ? "actor" : "", spans: piecesOf(story, width) };
    if (isCast(owner)) rule.sets = told.map(([column, gauge]) => [owner, gauge, column]);
    else if (told.length > 0) rule.marks = Object.fromEntries(told.map(([column]) => [`{${owner}}.${column}`, column]));
    if (calls !== undefined) rule.calls = [owner, calls];
    const by = owner === "target" && isCast("actor") ? "actor" : null;
    // Nor is what somebody who is called brings.
    if (isCast(owner) && calls === undefined && Object.values(tells).includes("hp")) rule.effect = { look: "hp", on: owner, ...(by === null ? { by } : {}) };
    else if (isCast("actor") && isCast("target")) rule.effect = { look: "aim", on: "target" };
    rules[name] = rule;
  }
  return rules;
}

/** The parts of a page that shows a game, by the layout of its module. @param {any} layout */
export function gameOf(layout) {
  const { stage } = layout;
  const { cast, units, fields, falls } = stage;
  const gauges = Object.fromEntries(fields[cast].map((/** @type {any} */ { name, gauge }) => [name, gauge]));
  const table = { cast, places: ["side"], rounds: "Round", gauges, falls, rules: rulesOf(stage) };
  /** The way to a unit, or to a side without units. @param {number} place */
  const wayTo = (place) =>
    units === null ? `sides.${place}` : `sides.${Math.floor(place / units.capacity)}.${units.list}.${place % units.capacity}`;
  const { changes, choices } = editingOf(stage, wayTo);
  const like = {
    units: { at: (/** @type {number} */ place) => [wayTo(place)], kept: ["entry", "number", "side", "place", ...stage.changes.kept] },
    ...(stage.strategy === "" ? {} : { strategy: { at: (/** @type {number} */ side) => [`sides.${side}.${stage.strategy}`], kept: [] } }),
  };
  /** What the stage shows before the first event, from the bundle. @param {any} bundle @param {any} record */
  const castOf = ({ scenario }, record) => {
    /** @param {string} path @param {string} from */
    const valueOf = (path, from) => (path === "" ? 0 : record.get(path.startsWith("options.") || from === "" ? path : `${from}.${path}`));
    /** @param {number} place @param {number} side @param {string} name @param {string} mark @param {boolean} spare */
    const member = (place, side, name, mark, spare) => {
      /** @type {Record<string, number>} */
      const own = { hp: 0, max: 0 };
      for (const each of fields[cast]) {
        own[each.gauge] = valueOf(each.start, wayTo(place));
        if (each.whole !== "") own[each.whole] = valueOf(each.whole_start, wayTo(place));
      }
      return { place, side, name, mark, about: "", hp: null, gauges: own, spare };
    };
    const names = scenario.sides.map((/** @type {any} */ { name }) => name);
    const members = scenario.sides.flatMap((/** @type {any} */ side, /** @type {number} */ number) => {
      if (units === null) return [member(number, number + 1, side.name, side.name, false)];
      const given = side[units.list] ?? [];
      const titles = given.map((/** @type {any} */ unit, /** @type {number} */ at) => {
        return String(unit.name || unit[stage.content]?.name || `${units.list} ${at + 1}`);
      });
      return Array.from({ length: units.capacity }, (_, at) => {
        const place = number * units.capacity + at;
        if (at >= given.length) return member(place, number + 1, `newcomer ${at + 1}`, "newcomer", true);
        const before = titles.slice(0, at).filter((/** @type {string} */ each) => each === titles[at]).length;
        return member(place, number + 1, before > 0 ? `${titles[at]} ${before + 1}` : titles[at], titles[at], false);
      });
    });
    const scene = Object.fromEntries([
      ...fields.battle.map((/** @type {any} */ { name, start }) => [name, valueOf(start, "")]),
      ...(cast === "unit" ? [0, 1] : []).flatMap((number) =>
        fields.side.map((/** @type {any} */ { name, start }) => [`${number}.${name}`, valueOf(start, `sides.${number}`)]),
      ),
    ]);
    const books = { side: names, reason: stage.reasons };
    return { units: members, scene, vital: stage.vital, books, sides: [names], ...groundOf(stage, scenario) };
  };
  /** @param {any} shown @param {any} data */
  const buildStage = (shown, data) => new Plain(shown, data, stage);
  return { table, editing: { changes, choices, like }, castOf, buildStage };
}

/** The numbers and words of units, sides and options. @param {any} stage @param {(place: number) => string} wayTo */
function editingOf({ changes: { cast, side, options }, units }, wayTo) {
  /** @param {any} packed @returns {import("../../studio/record.js").Owner[]} */
  const sidesOf = ({ bundle }) => bundle.sides.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: place + 1, name }));
  /** Units that the files name. @param {any} packed @returns {import("../../studio/record.js").Owner[]} */
  const castIn = (packed) => {
    const names = packed.bundle.scenario.sides;
    if (units === null) return sidesOf(packed);
    return names.flatMap((/** @type {any} */ each, /** @type {number} */ number) =>
      (each[units.list] ?? []).map((/** @type {any} */ unit, /** @type {number} */ at) => ({ place: number * units.capacity + at, side: number + 1, name: String(unit.name || `${units.list} ${at + 1}`) })),
    );
  };
  /** @type {[any[], (packed: any) => import("../../studio/record.js").Owner[], (place: number) => string][]} */
  const parts = [
    [cast, castIn, wayTo],
    [side, sidesOf, (place) => `sides.${place}`],
    [options, () => [{ place: 0, side: 0, name: RULES }], () => "options"],
  ];
  const isNumber = (/** @type {any} */ { words }) => words === undefined;
  return {
    changes: parts.flatMap(([all, owners, way]) =>
      all.filter(isNumber).map(({ name, path, least, most }) => {
        // Those of units belong to whom the page shows, under their names there.
        return { ...{ name, least, most, paths: (/** @type {number} */ place) => [`${way(place)}.${path}`] }, ...(owners === castIn ? {} : { owners }) };
      }),
    ),
    choices: parts.flatMap(([all, owners, way]) =>
      all.filter((each) => !isNumber(each)).map(({ name, path, words, values }) => ({
        ...{ part: owners === castIn ? "units" : owners === sidesOf ? "sides" : "rules", name, owners, labels: () => words },
        now: (/** @type {any} */ record, /** @type {number} */ place) => values.indexOf(record.get(`${way(place)}.${path}`)),
        take: (/** @type {any} */ record, /** @type {number} */ place, /** @type {number} */ number) => record.set(`${way(place)}.${path}`, values[number]),
      })),
    ),
  };
}

/** The rows of letters of a board that has some. @param {any} stage @param {any} scenario */
function groundOf({ board }, scenario) {
  if (board === null || board.letters.length === 0) return {};
  return { ground: board.path.split(".").reduce((/** @type {any} */ found, /** @type {string} */ part) => found[part], scenario) };
}
