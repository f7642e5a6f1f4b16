// @ts-check
/** squads: two sides of people, and what their events do. @module */

import { ofRules, wordsOfRules } from "../rule-numbers.js";
import { LIFE, Stage } from "../stage.js";

/** Statuses that help their bearer; all others harm. */
const TONES = { "attack up": "good", taunt: "good" };

/** Stages of the damage chain whose figure is a percentage. */
const PERCENTAGES = ["formation", "formation_exclusive", "class_advantage", "environment", "scale", "fatigue"];

export const table = {
  cast: "unit",
  rules: {
    battle: { begins: "part", title: "Both sides stand ready" },
    round: { begins: "round", title: "Round {tick}", clock: "tick" },
    stunned: {
      ...{ begins: "action", title: "loses its turn", ends: { on: "actor", name: "stun" } },
      effect: { look: "lost", on: "actor", by: null, words: "stunned" },
    },
    choice: [
      { begins: "action", title: "{ability}" },
      { if: { choice: ["class ability", "ultimate"] }, cools: { on: "actor", name: "{ability}" } },
      { if: { choice: "ultimate" }, effect: { look: "ultimate", on: "actor", by: null, words: "{ability}" } },
    ],
    target: { reason: "aimed by {selector}" },
    power: { reason: "power {power}: attack {from_attack}, defence {from_defense}, HP {from_hp}", shared: true },
    stage: [
      { if: { stage: "critical" }, above: ["figure", 100], reason: "critical hit: {before} → {after}", critical: true },
      {
        if: { stage: PERCENTAGES },
        ...{ unlike: ["before", "after"], reason: "{stage} {figure} %: {before} → {after}" },
      },
      {
        unless: { stage: ["critical", ...PERCENTAGES] },
        ...{ unlike: ["before", "after"], reason: "{stage} {figure}: {before} → {after}" },
      },
    ],
    hit: {
      ...{ sets: [["target", "hp", "hp"]], adds: [["target", "shield", "absorbed", -1]] },
      effect: { look: "hurt", on: "target", amount: "lost", also: "absorbed" },
    },
    charge: { sets: [["actor", "charge", "charge"]] },
    fall: { falls: "target", effect: { look: "fall", on: "target" } },
    heal: {
      ...{ sets: [["target", "hp", "hp"]], reason: "healing {healing}" },
      effect: { look: "heal", on: "target", amount: "restored" },
    },
    shield: [
      { sets: [["target", "shield", "shield"]] },
      { if: { outcome: "applied" }, effect: { look: "shield", on: "target", amount: "pool" } },
      {
        if: { outcome: "weaker than what is there" },
        effect: { look: "miss", on: "target", words: "weaker than what is there" },
      },
    ],
    effect: [
      {
        if: { outcome: "applied" },
        state: { on: "target", name: "{effect}", amount: "amount", until: "until", tone: TONES },
        effect: { look: "state", on: "target", words: "{effect}" },
      },
      {
        if: { outcome: ["weaker than what is there", "already stunned", "just lost an action to a stun"] },
        effect: { look: "miss", on: "target", words: "{outcome}" },
      },
    ],
    suffer: [
      {
        ...{ begins: "action", actor: "", joins: ["suffer"], title: "damage over time" },
        ...{ sets: [["target", "hp", "hp"]], reason: "{damage} each round, {strikes_left} to come" },
        effect: { look: "hurt", on: "target", amount: "lost", act: "poison" },
      },
      { if: { strikes_left: 0 }, ends: { on: "target", name: "damage over time" } },
    ],
    expire: [
      { ends: { on: "target", name: "{effect}" } },
      { if: { effect: "shield" }, holds: [["target", "shield", 0]] },
    ],
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
  },
};

/** Abilities, which both sides may have. @param {any} packed */
const abilitiesOf = ({ bundle }) => bundle.books.ability.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: 0, name }));
/** @param {number} value */
const isThere = (value) => value !== 0;
/** @param {string} field @returns {(place: number) => string[]} */
const ofUnit = (field) => (place) => [`units.${place}.${field}`];

/** Stages of the damage chain that have numbers, by their numbers. @type {Record<number, [string, ...string[]]>} */
const STAGES = {
  2: ["Class advantage", "% if strong", "% if weak"],
  3: ["Critical hits", "chance in %", "% of the damage"],
  5: ["Defence", "% of it that counts", "least damage after it"],
  6: ["Least damage", "at least"],
  7: ["Fatigue", "after round", "% more a round"],
  8: ["Scale", "% of the damage"],
  9: ["Addition", "added damage"],
  10: ["Most damage", "at most"],
};
const FORMATION = 0;
const MOST_OF_A_STAGE = 1000;

/** @param {any} record @returns {number[]} */
const kindsOf = (record) => Array.from({ length: record.get("chain_length") }, (_, place) => record.get(`chain.${place}.kind`));

/** @param {any} packed */
const stagesOf = ({ record }) => kindsOf(record).flatMap((kind, place) => (STAGES[kind] === undefined ? [] : [{ place, side: 0, name: STAGES[kind][0] }]));

/** @type {import("../../studio/record.js").Change[]} */
const changes = [
  { name: "attack", paths: ofUnit("attack") },
  { name: "defence", paths: ofUnit("defense") },
  { name: "HP", least: 1, paths: ofUnit("max_hp") },
  { name: "speed", paths: ofUnit("speed") },
  { name: "cooldown", owners: abilitiesOf, isThere, paths: (place) => [`abilities.${place}.cooldown`] },
  ...[0, 1, 2, 3].flatMap((at) => {
    const told = ["", " of the second effect", " of the third effect", " of the fourth effect"][at];
    /** @param {string} field @returns {(place: number) => string[]} */
    const ofEffect = (field) => (place) => [`abilities.${place}.effects.${at}.${field}`];
    return [
      { name: `% of attack${told}`, owners: abilitiesOf, isThere, paths: ofEffect("attack") },
      { name: `% of defence${told}`, owners: abilitiesOf, isThere, paths: ofEffect("defense") },
      { name: `% of full HP${told}`, owners: abilitiesOf, isThere, paths: ofEffect("max_hp") },
      { name: `%${told}`, owners: abilitiesOf, isThere, paths: ofEffect("percentage") },
      { name: `rounds${told}`, owners: abilitiesOf, isThere, paths: ofEffect("rounds") },
    ];
  }),
  ...["first", "second"].map((field, at) => ({
    name: (/** @type {number} */ place, /** @type {any} */ { record }) => STAGES[record.get(`chain.${place}.kind`)][at + 1],
    ...{ owners: stagesOf, least: 0, most: MOST_OF_A_STAGE },
    isThere: (/** @type {number} */ _, /** @type {number} */ place, /** @type {any} */ record) => STAGES[record.get(`chain.${place}.kind`)][at + 1] !== undefined,
    paths: (/** @type {number} */ place) => [`chain.${place}.${field}`],
  })),
  ...ofRules({
    ...{ round_cap: ["last round", 1, 1000], charge_action: ["charge for an action", 0, 100], charge_hit: ["charge for a hit", 0, 100] },
    healer_threshold: ["healers heal below % HP", 0, 100],
  }),
];

/** @param {any} packed */
const sidesOf = ({ bundle }) => bundle.sides.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: place + 1, name }));

/** A side's formations, its own first. @param {number} place @param {any} packed */
const formationsOf = (place, { bundle: { scenario } }) => {
  const { formation } = scenario.sides[place].strategy;
  return [formation, ...Object.keys(scenario.options.formations).filter((each) => each !== formation)];
};

/** A formation may have no stage in the chain, as nobody's changed anything. @param {any} record @param {any} packed */
function settle(record, { bundle: { scenario } }) {
  const names = record.layout.books.stage;
  const stages = scenario.options.chain.stages.map((/** @type {any} */ { stage }) => names.indexOf(stage));
  const kinds = kindsOf(record);
  const chain = kinds.map((_, place) => record.get(`chain.${place}`)).filter(({ kind }) => kind !== FORMATION);
  const isIdle = [0, 1].every((side) => record.get(`sides.${side}.attack_pct`) === 100);
  if (stages.includes(FORMATION) && !isIdle) {
    let at = 0;
    for (const kind of stages.slice(0, stages.indexOf(FORMATION))) if (chain[at]?.kind === kind) at += 1;
    chain.splice(at, 0, { kind: FORMATION, first: 0, second: 0 });
  }
  record.set("chain_length", chain.length);
  for (const [place, stage] of chain.entries()) for (const field of ["kind", "first", "second"]) record.set(`chain.${place}.${field}`, stage[field]);
}

const ORDERS = ["basic", "class_ability", "ultimate"];
/** Whom an ability can be aimed at, by its reach: numbers of selectors. @type {Record<number, number[]>} */
const AIMS = { 0: [1, 2, 3, 4, 5, 6], 2: [7, 8, 9, 10] };
/** Whom a side can go for first: numbers of selectors. */
const FIRST_AIMS = [2, 3, 4, 5, 16, 17, 18, 19, 20];

/** @param {any} packed @param {number} number */
const selectorOf = ({ record }, number) => record.layout.books.selector[number].replaceAll("_", " ");

/** Orders of a side's units for an ability, as paths. @param {any} record @param {number} side @param {number} ability */
const ordersFor = (record, side, ability) => {
  const [first, count] = ["first", "unit_count"].map((field) => record.get(`sides.${side}.${field}`));
  const paths = Array.from({ length: count }, (_, at) => ORDERS.map((order) => `units.${first + at}.${order}`)).flat();
  return paths.filter((path) => record.get(`${path}.ability`) === ability);
};

/** Abilities of each side that are aimed at somebody; they are numbered on from those of side 1. @param {any} packed */
const aimedOf = ({ bundle, record }) =>
  [0, 1].flatMap((side) =>
    bundle.books.ability.flatMap((/** @type {string} */ name, /** @type {number} */ ability) =>
      ordersFor(record, side, ability).length > 0 ? [{ place: side * bundle.books.ability.length + ability, side: side + 1, name }] : [],
    ),
  );

/** @param {number} place @param {any} packed @returns {[side: number, ability: number]} */
const aimedAt = (place, { bundle: { books } }) => [Math.floor(place / books.ability.length), place % books.ability.length];

/** @type {import("../../studio/record.js").Choice[]} */
const choices = [
  {
    ...{ part: "strategy", name: "formation", owners: sidesOf, labels: formationsOf },
    take: (record, place, number, packed) => {
      const numbers = packed.bundle.scenario.options.formations[formationsOf(place, packed)[number]];
      for (const [field, value] of [["attack_pct", numbers.attack], ["defense_pct", numbers.defense], ["taken_pct", numbers.taken]]) record.set(`sides.${place}.${field}`, value);
    },
  },
  {
    ...{ part: "strategy", name: "goes for", owners: sidesOf },
    labels: (_, packed) => ["as it does", ...FIRST_AIMS.map((each) => selectorOf(packed, each))],
    take: (record, place, number) => {
      if (number > 0) record.set(`sides.${place}.priority_count`, 1).set(`sides.${place}.priorities.0`, FIRST_AIMS[number - 1]);
    },
  },
  {
    ...{ part: "strategy", name: "target", owners: aimedOf },
    labels: (place, packed) => {
      const aims = AIMS[packed.record.get(`abilities.${aimedAt(place, packed)[1]}.reach`)] ?? [];
      return aims.length > 0 ? ["as it is", ...aims.map((each) => selectorOf(packed, each))] : [];
    },
    take: (record, place, number, packed) => {
      if (number === 0) return;
      const [side, ability] = aimedAt(place, packed);
      const aim = AIMS[record.get(`abilities.${ability}.reach`)][number - 1];
      for (const path of ordersFor(record, side, ability)) record.set(`${path}.selector`, aim);
    },
  },
  ...wordsOfRules({
    healer_fallback: ["healers heal", "unless a condition says no", "always"],
    ultimate_rule: ["ultimates need", "charge", "a cooldown"],
    cap_tie: ["equal HP at the end are", "a draw", "a win of side 1"],
  }),
];

const SIDE_SLOTS = 8;

/** Whether the record has what a side's strategy says of these abilities: conditions that nobody needed are only text. @param {any} packed @param {number} side @param {number[]} abilities */
const knows = ({ bundle, record }, side, abilities) =>
  abilities.every((ability) => ordersFor(record, side, ability).length > 0 || (bundle.scenario.sides[side].strategy.abilities[bundle.books.ability_id[ability]]?.when ?? null) === null);

/** Order an ability at a path as a side's strategy does. @param {any} edited @param {any} packed @param {string} path @param {number} side */
function order(edited, { bundle, record }, path, side) {
  const ability = edited.get(`${path}.ability`);
  const [model] = ordersFor(record, side, ability);
  if (model !== undefined) {
    edited.put(path, record, model);
    return;
  }
  const { target = null } = bundle.scenario.sides[side].strategy.abilities[bundle.books.ability_id[ability]] ?? {};
  for (const field of ["first_step", "step_count", "first_ask", "ask_count"]) edited.set(`${path}.${field}`, 0);
  edited.set(`${path}.selector`, target === null ? 0 : record.layout.books.selector.indexOf(target));
}

/** @param {any} record @param {number} place */
const abilitiesAt = (record, place) => ORDERS.map((each) => record.get(`units.${place}.${each}.ability`));

/** @param {any} record @param {number} side @returns {number[]} */
const placesOf = (record, side) => Array.from({ length: record.get(`sides.${side}.unit_count`) }, (_, at) => side * SIDE_SLOTS + at);

/** @type {import("../../studio/record.js").Like} */
const like = {
  units: {
    at: (place) => [`units.${place}`],
    kept: ["index", "side"],
    fits: (packed, to, from) => knows(packed, Math.floor(to / SIDE_SLOTS), abilitiesAt(packed.record, from)),
    after: (edited, packed, to) => {
      for (const each of ORDERS) order(edited, packed, `units.${to}.${each}`, Math.floor(to / SIDE_SLOTS));
    },
  },
  strategy: {
    at: (side) => [`sides.${side}`, `networks.${side}`],
    kept: ["first", "unit_count", "living"],
    fits: (packed, to, from) => placesOf(packed.record, to).every((place) => knows(packed, from, abilitiesAt(packed.record, place))),
    after: (edited, packed, to, from) => {
      for (const place of placesOf(edited, to)) for (const each of ORDERS) order(edited, packed, `units.${place}.${each}`, from);
    },
  },
};

/** What can be changed in the record. */
export const editing = { changes, choices, like, settle };

/** What the stage shows before the first event, from the bundle. @param {any} bundle @param {any} record */
export function castOf({ scenario, books }, record) {
  const half = record.get("units").length / 2;
  const units = scenario.sides.flatMap((/** @type {any} */ side, /** @type {number} */ number) =>
    side.units.map((/** @type {any} */ unit, /** @type {number} */ at) => {
      const place = half * number + at;
      const hp = record.get(`units.${place}.max_hp`);
      return { place, side: number + 1, name: String(books.title[place]), mark: unit.class, about: unit.class, hp };
    }),
  );
  const counted = scenario.options.ultimate_rule === "cooldown" ? ["class", "ultimate"] : ["class"];
  const abilities = Object.values(scenario.abilities).filter((/** @type {any} */ { kind }) => counted.includes(kind));
  const cooldowns = Object.fromEntries(abilities.map((/** @type {any} */ { name, cooldown }) => [name, cooldown]));
  return { units, cooldowns, sides: [scenario.sides.map((/** @type {any} */ { name }) => name)] };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Stage(cast, data, { bars: [LIFE, { name: "charge", gauge: "charge", whole: 100 }] });
