// @ts-check
/** squads: two sides of people, and what their events do. @module */

import { ofRules } from "../rule-numbers.js";
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

/** What can be changed in the record: its name, and the paths of its values for the unit in a place. */
/** Abilities, which both sides may have. @param {any} packed */
const abilitiesOf = ({ bundle }) => bundle.books.ability.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: 0, name }));
/** @param {number} value */
const isThere = (value) => value !== 0;

export const changes = [
  { name: "attack", paths: (/** @type {number} */ place) => [`units.${place}.attack`] },
  { name: "defence", paths: (/** @type {number} */ place) => [`units.${place}.defense`] },
  { name: "HP", paths: (/** @type {number} */ place) => [`units.${place}.max_hp`] },
  { name: "speed", paths: (/** @type {number} */ place) => [`units.${place}.speed`] },
  { name: "cooldown", owners: abilitiesOf, isThere, paths: (/** @type {number} */ place) => [`abilities.${place}.cooldown`] },
  ...[0, 1].flatMap((at) => {
    const told = at === 0 ? "" : " of the second effect";
    /** @param {string} field */
    const ofEffect = (field) => (/** @type {number} */ place) => [`abilities.${place}.effects.${at}.${field}`];
    return [
      { name: `% of attack${told}`, owners: abilitiesOf, isThere, paths: ofEffect("attack") },
      { name: `% of defence${told}`, owners: abilitiesOf, isThere, paths: ofEffect("defense") },
      { name: `% of full HP${told}`, owners: abilitiesOf, isThere, paths: ofEffect("max_hp") },
      { name: `%${told}`, owners: abilitiesOf, isThere, paths: ofEffect("percentage") },
      { name: `rounds${told}`, owners: abilitiesOf, isThere, paths: ofEffect("rounds") },
    ];
  }),
  ...ofRules({
    ...{ round_cap: ["last round", 1, 1000], charge_action: ["charge for an action", 0, 100], charge_hit: ["charge for a hit", 0, 100] },
    healer_threshold: ["healers heal below % HP", 0, 100],
  }),
];

export const like = {
  units: [(/** @type {number} */ place) => `units.${place}`, ["index", "side"]],
  strategy: [(/** @type {number} */ side) => `sides.${side - 1}`, ["first", "unit_count", "living"]],
};

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
