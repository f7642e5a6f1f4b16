// @ts-check
/** titans: two titans, whose hidden choices are turned over together. @module */

import { Duel } from "../duel.js";
import { ofRules, wordsOfRules } from "../rule-numbers.js";

export const table = {
  cast: "player",
  rules: {
    duel: { begins: "part", title: "Both titans stand ready" },
    titan: {
      enters: "actor",
      sets: [
        ["actor", "max", "hp"],
        ["actor", "hp", "hp"],
        ["actor", "charge", "charge"],
        ["actor", "level", "level"],
      ],
    },
    round: [{ begins: "round", title: "Round {tick}", forgets: "choice" }, { forgets: "roll" }],
    chance: { begins: "action", actor: "", joins: ["choice", "chance"], anyone: true, title: "both choose" },
    choice: [
      { begins: "action", actor: "", joins: ["choice", "chance"], anyone: true, title: "both choose" },
      { if: { ability: null }, notes: [["actor", "choice", "{action}"]] },
      { given: "ability", notes: [["actor", "choice", "{ability}"]] },
      { effect: { look: "turned", on: "actor", by: null, words: "{why}" } },
    ],
    speed: { notes: [["actor", "roll", "{roll} of {speed}"]] },
    act: [
      { if: { ability: null }, begins: "action", title: "{action}" },
      { given: "ability", begins: "action", title: "{ability}" },
    ],
    skipped: {
      ...{ begins: "action", title: "does not act" },
      effect: { look: "lost", on: "actor", by: null, words: "{obstacle}" },
    },
    hit: [
      { reason: "hits if {roll} is below {chance}" },
      { notBelow: ["roll", "chance"], effect: { look: "miss", on: "target", words: "missed" } },
    ],
    critical: { below: ["roll", "chance"], reason: "critical hit: {roll} is below {chance}", critical: true },
    attack: { reason: "attack {value} against defence {defense}" },
    damage: {
      ...{ sets: [["target", "hp", "hp"]], adds: [["target", "shield", "absorbed", -1]] },
      effect: { look: "hurt", on: "target", amount: ["before", "hp"], also: "absorbed" },
    },
    heal: {
      sets: [["actor", "hp", "hp"]],
      effect: { look: "heal", on: "actor", by: null, amount: ["hp", "before"] },
    },
    shield: {
      sets: [["actor", "shield", "shield"]],
      effect: { look: "shield", on: "actor", by: null, amount: "amount" },
    },
    charge: {
      sets: [["target", "charge", "charge"]],
      effect: { look: "gain", on: "target", amount: ["charge", "before"], words: "charge" },
    },
    pay: { sets: [["actor", "charge", "charge"]], reason: "costs {cost} charge" },
    change: [
      { above: ["percent", 0], state: { on: "target", name: "{stat} +{percent} %", until: "until", tone: "good" } },
      { upTo: ["percent", 0], state: { on: "target", name: "{stat} {percent} %", until: "until" } },
      { effect: { look: "state", on: "target", words: "{stat} {percent} %" } },
    ],
    expire: [
      { above: ["percent", 0], ends: { on: "target", name: "{stat} +{percent} %" } },
      { upTo: ["percent", 0], ends: { on: "target", name: "{stat} {percent} %" } },
    ],
    fall: { falls: "target", effect: { look: "fall", on: "target" } },
    round_end: { holdsAll: { shield: 0 } },
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
  },
};

const STATS = ["attack", "defence", "speed", "stamina", "evasion", "accuracy", "critical"];

/** Abilities, which both titans may have. @param {any} packed */
const abilitiesOf = ({ bundle }) => bundle.books.ability_name.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: 0, name }));
/** @param {number} value */
const isThere = (value) => value !== 0;
const MOST_CHARGE = 100;
const CHANGE = 5;
const BY_RULES = 0;
const SIDES = [0, 1];

/** The slots of a titan's abilities. @param {any} record @param {number} titan */
const slotsOf = (record, titan) => Array.from({ length: record.get(`titans.${titan}.ability_count`) }, (_, slot) => slot);

/** @type {import("../../studio/record.js").Change[]} */
const changes = [
  ...STATS.map((name, at) => ({ name, paths: (/** @type {number} */ place) => [`titans.${place}.stats.${at}`] })),
  { name: "HP", least: 1, paths: (place) => [`titans.${place}.max_hp`] },
  { name: "cost", owners: abilitiesOf, least: 0, most: MOST_CHARGE, paths: (place) => [`abilities.${place}.cost`] },
  ...[0, 1, 2, 3].flatMap((at) => {
    const told = ["", " of the second effect", " of the third effect", " of the fourth effect"][at];
    /** @param {string} field @returns {(place: number) => string[]} */
    const ofEffect = (field) => (place) => [`abilities.${place}.effects.${at}.${field}`];
    const isChange = (/** @type {number} */ _, /** @type {number} */ place, /** @type {any} */ record) =>
      record.get(`abilities.${place}.effect_count`) > at && record.get(`abilities.${place}.effects.${at}.kind`) === CHANGE;
    return [
      { name: `amount${told}`, owners: abilitiesOf, isThere, paths: ofEffect("amount") },
      { name: `times the stat${told}`, owners: abilitiesOf, isThere, least: 0.1, most: 100, step: 0.1, paths: ofEffect("times") },
      {
        ...{ name: `%${told}`, owners: abilitiesOf, isThere: isChange, least: -100, most: 1000 },
        paths: (/** @type {number} */ place, /** @type {any} */ record) => [`changes.${record.get(`abilities.${place}.effects.${at}.change`)}.percent`],
      },
      { name: `rounds${told}`, owners: abilitiesOf, isThere, paths: ofEffect("rounds") },
    ];
  }),
  ...ofRules({
    ...{ round_cap: ["last round", 1, 1000], rest_charge: ["charge for a rest", 0, MOST_CHARGE] },
    sudden_death: ["sudden death from round (0: never)", 0, 1000],
    ...{ defend_charge: ["charge for a defence", 0, MOST_CHARGE], attack_charge: ["charge for an attack", 0, MOST_CHARGE] },
  }),
];

/** Rules of policies, numbered on from one player to the next. @param {any} packed */
const rulesOfPolicies = ({ bundle, record }) =>
  SIDES.flatMap((place) => {
    const [kind, count, rules] = ["kind", "rule_count", "rules"].map((field) => record.get(`policies.${place}.${field}`));
    const name = (/** @type {number} */ at) => `rule ${at + 1}`;
    return kind === BY_RULES ? Array.from({ length: count }, (_, at) => ({ place: place * rules.length + at, side: place + 1, name: name(at) })) : [];
  });

/** @param {any} record @param {number} place @returns {[titan: number, path: string]} */
const ruleAt = (record, place) => {
  const room = record.get("policies.0.rules").length;
  return [Math.floor(place / room), `policies.${Math.floor(place / room)}.rules.${place % room}`];
};

changes.push({ name: "used in % of cases", owners: rulesOfPolicies, least: 1, most: 100, paths: (place, record) => [`${ruleAt(record, place)[1]}.chance`] });

/** Abilities of titans, numbered on from one titan to the next. @param {any} packed */
const carriedOf = ({ bundle, record }) =>
  SIDES.flatMap((titan) => {
    const { length } = record.get(`titans.${titan}.abilities`);
    return slotsOf(record, titan).map((slot) => ({ place: titan * length + slot, side: titan + 1, name: bundle.books.ability_name[record.get(`titans.${titan}.abilities.${slot}`)] }));
  });

/** @param {any} record @param {number} place @returns {[titan: number, slot: number]} */
const carriedAt = (record, place) => {
  const { length } = record.get("titans.0.abilities");
  return [Math.floor(place / length), place % length];
};

/** Abilities that a titan does not have. @param {number} place @param {any} record @param {any} books @returns {number[]} */
const othersFor = (place, record, { ability }) => {
  const [titan] = carriedAt(record, place);
  const own = slotsOf(record, titan).map((slot) => record.get(`titans.${titan}.abilities.${slot}`));
  return [...ability.keys()].filter((each) => !own.includes(each));
};

/** @type {import("../../studio/record.js").Choice[]} */
const choices = [
  {
    ...{ part: "abilities", name: "is", owners: carriedOf },
    labels: (place, { record, bundle: { books } }) => ["as it is", ...othersFor(place, record, books).map((each) => books.ability_name[each])],
    take: (record, place, number, packed) => {
      const [titan, slot] = carriedAt(record, place);
      if (number > 0) record.set(`titans.${titan}.abilities.${slot}`, othersFor(place, packed.record, packed.bundle.books)[number - 1]);
    },
  },
  {
    ...{ part: "policy", name: "decides", labels: () => ["as it does", "at random", "by greed"] },
    owners: ({ bundle }) => SIDES.map((place) => ({ place, side: place + 1, name: bundle.sides[place] })),
    take: (record, place, number) => {
      if (number > 0) record.set(`policies.${place}.kind`, number);
    },
  },
  {
    ...{ part: "policy", name: "do", owners: rulesOfPolicies },
    labels: (place, { record, bundle: { books } }) => {
      const [titan] = ruleAt(record, place);
      const own = slotsOf(record, titan).map((slot) => books.ability_name[record.get(`titans.${titan}.abilities.${slot}`)]);
      return ["attack", "defend", "rest", ...own, "the first ability that can be paid"];
    },
    now: (record, place) => {
      const [titan, path] = ruleAt(record, place);
      return Math.min(record.get(`${path}.choice`), 3 + slotsOf(record, titan).length);
    },
    take: (record, place, number) => {
      const [titan, path] = ruleAt(record, place);
      const { length } = record.get(`titans.${titan}.abilities`);
      record.set(`${path}.choice`, number < 3 + slotsOf(record, titan).length ? number : 3 + length);
    },
  },
  ...wordsOfRules({
    ...{ misses: ["attacks and abilities can miss"], criticals: ["hits can be critical"], stamina_charges: ["stamina increases gains of charge"] },
    ...{ experience: ["titans gain experience and levels"], stats_public: ["players see the opponent's stats"] },
  }),
];

/** A policy names abilities by their slots, so both titans need as many. @param {any} packed @param {number} to @param {number} from */
const fits = ({ record }, to, from) => slotsOf(record, to).length === slotsOf(record, from).length;

/** @type {import("../../studio/record.js").Like} */
const like = {
  units: { at: (place) => [`titans.${place}`], kept: ["index"], fits },
  strategy: { at: (side) => [`policies.${side}`, `networks.${side}`], kept: [], fits },
};

/** Each titan knows what its abilities cost. @param {any} record */
function settle(record) {
  for (const titan of SIDES) {
    const costs = slotsOf(record, titan).map((slot) => record.get(`abilities.${record.get(`titans.${titan}.abilities.${slot}`)}.cost`));
    for (const [slot, cost] of costs.entries()) record.set(`titans.${titan}.costs.${slot}`, cost);
    record.set(`titans.${titan}.cheapest`, Math.min(MOST_CHARGE + 1, ...costs));
  }
}

/** What can be changed in the record. */
export const editing = { changes, choices, like, settle };

/** What the stage shows before the first event, from the bundle. @param {any} bundle */
export function castOf({ scenario, books }) {
  const units = scenario.players.map((/** @type {any} */ { name, titan }, /** @type {number} */ place) => ({
    ...{ place, side: place + 1, name: titan.name, mark: `titan${place + 1}`, about: `${name}’s titan`, hp: null },
  }));
  return { units, books: { ability: [...books.ability_name] }, sides: [scenario.players.map((/** @type {any} */ { name }) => name)] };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Duel(cast, data, { stats: ["level"], statuses: [], isHidden: true });
