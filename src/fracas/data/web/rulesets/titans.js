// @ts-check
/** titans: two titans, whose hidden choices are turned over together. @module */

import { Duel } from "../duel.js";
import { ofRules } from "../rule-numbers.js";

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

export const changes = [
  ...STATS.map((name, at) => ({ name, paths: (/** @type {number} */ place) => [`titans.${place}.stats.${at}`] })),
  { name: "HP", paths: (/** @type {number} */ place) => [`titans.${place}.max_hp`] },
  ...[0, 1].flatMap((at) => {
    const told = at === 0 ? "" : " of the second effect";
    /** @param {string} field */
    const ofEffect = (field) => (/** @type {number} */ place) => [`abilities.${place}.effects.${at}.${field}`];
    return [
      { name: `amount${told}`, owners: abilitiesOf, isThere, paths: ofEffect("amount") },
      { name: `rounds${told}`, owners: abilitiesOf, isThere, paths: ofEffect("rounds") },
    ];
  }),
  ...ofRules({
    ...{ round_cap: ["last round", 1, 1000], rest_charge: ["charge for a rest", 0, 100] },
    sudden_death: ["sudden death from round (0: never)", 0, 1000],
    ...{ defend_charge: ["charge for a defence", 0, 100], attack_charge: ["charge for an attack", 0, 100] },
  }),
];

export const like = {
  units: [(/** @type {number} */ place) => `titans.${place}`, ["index"]],
  strategy: [(/** @type {number} */ side) => `policies.${side - 1}`, []],
};

/** What the stage shows before the first event, from the bundle. @param {any} bundle */
export function castOf({ scenario, books }) {
  const units = scenario.players.map((/** @type {any} */ { name, titan }, /** @type {number} */ place) => ({
    ...{ place, side: place + 1, name: titan.name, mark: `titan${place + 1}`, about: `${name}’s titan`, hp: null },
  }));
  return { units, books: { ability: [...books.ability_name] }, sides: [scenario.players.map((/** @type {any} */ { name }) => name)] };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Duel(cast, data, { stats: ["level"], statuses: [], isHidden: true });
