// @ts-check
/** delve: a party on its way through encounters, and what the events do. @module */

import { Quest } from "../quest.js";
import { ofRules } from "../rule-numbers.js";

const TONES = { shielded: "good", regenerating: "good", empowered: "good", hasted: "good" };

export const table = {
  cast: "unit",
  rules: {
    start: { begins: "part", title: "The party sets out" },
    encounter: {
      ...{ begins: "part", title: "Encounter {number}: {type}", clears: 2, lasts: true },
      marks: { encounter: "number", type: "type" },
    },
    ready: {
      enters: "actor",
      sets: [
        ["actor", "max", "max_hp"],
        ["actor", "hp", "hp"],
        ["actor", "resourceMax", "max_resource"],
        ["actor", "resource", "resource"],
      ],
      holds: [["actor", "shield", 0]],
    },
    round: { begins: "round", title: "Round {round}", clock: "round" },
    stunned: {
      ...{ begins: "action", title: "loses its action", ends: { on: "actor", name: "stunned" } },
      effect: { look: "lost", on: "actor", by: null, words: "stunned" },
    },
    phase: {
      ...{ begins: "action", title: "enters a new phase" },
      effect: { look: "ultimate", on: "actor", by: null, words: "new phase below {threshold} %" },
    },
    passed_over: { begins: "action", joins: ["passed_over"], reason: "{skill} passed over: {obstacle}" },
    use: {
      ...{ begins: "action", joins: ["passed_over"], title: "{skill}", sets: [["actor", "resource", "resource"]] },
      cools: { on: "actor", name: "{skill}" },
    },
    pass: {
      ...{ begins: "action", joins: ["passed_over"], title: "passes" },
      effect: { look: "lost", on: "actor", by: null, words: "passes" },
    },
    target: { reason: "aimed by {selector}" },
    odds: { reason: "chance: {attribute} − {against} + {modifier} − {penalty}, from 50" },
    attack: [
      { if: { verdict: ["hit", "miss", "fumble"] }, reason: "rolls {roll} against {chance}: {verdict}" },
      { if: { verdict: "critical" }, reason: "rolls {roll} against {chance}: critical", critical: true },
      { if: { verdict: ["miss", "fumble"] }, effect: { look: "miss", on: "target", words: "{verdict}" } },
    ],
    amount: { reason: "{roll} of {low} to {high}, + {from_attribute}" },
    damage: { reason: "{scaled} → {changed} by conditions, − {armor} armour: {damage}" },
    hit: {
      ...{ sets: [["target", "hp", "hp"]], adds: [["target", "shield", "absorbed", -1]] },
      effect: { look: "hurt", on: "target", amount: "lost", also: "absorbed" },
    },
    heal: { sets: [["target", "hp", "hp"]], effect: { look: "heal", on: "target", amount: "restored" } },
    condition: [
      {
        if: { effect: ["applied", "refreshed"] },
        state: { on: "target", name: "{condition}", amount: "potency", tone: TONES },
        effect: { look: "state", on: "target", words: "{condition}" },
      },
      { if: { condition: "shielded", effect: ["applied", "refreshed"] }, sets: [["target", "shield", "potency"]] },
      {
        if: { effect: ["already stunned", "just lost an action to a stun"] },
        effect: { look: "miss", on: "target", words: "{effect}" },
      },
    ],
    condition_tick: [
      {
        ...{ begins: "action", actor: "", joins: ["condition_tick"], title: "conditions" },
        sets: [["target", "hp", "hp"]],
      },
      {
        if: { condition: "regenerating" },
        ...{ above: ["amount", 0], effect: { look: "heal", on: "target", amount: "amount", words: "{condition}" } },
      },
      {
        if: { condition: ["poisoned", "bleeding", "burning"] },
        ...{ above: ["amount", 0], effect: { look: "hurt", on: "target", amount: "amount", words: "{condition}" } },
      },
    ],
    expire: [
      { ends: { on: "target", name: "{condition}" } },
      { if: { condition: "shielded" }, holds: [["target", "shield", 0]] },
    ],
    fall: { falls: "target", effect: { look: "fall", on: "target" } },
    regain: { sets: [["actor", "resource", "resource"]] },
    flee: {
      ...{ begins: "action", title: "tries to flee" },
      effect: { look: "state", on: "actor", by: null, words: "flees: {roll} against {chance}" },
    },
    choice: [
      { if: { actor: null }, begins: "action", title: "option {option} is taken" },
      { given: "actor", begins: "action", title: "takes option {option}: {check}" },
    ],
    check: [
      { begins: "action", title: "{check}", reason: "{check} {value}: rolls {roll} against {chance}" },
      { upTo: ["roll", "chance"], effect: { look: "success", on: "actor", by: null, words: "{check}: {roll} ≤ {chance}" } },
      { above: ["roll", "chance"], effect: { look: "miss", on: "actor", by: null, words: "{check}: {roll} > {chance}" } },
    ],
    harm: { sets: [["target", "hp", "hp"]], effect: { look: "hurt", on: "target", by: null, amount: "lost" } },
    restore: {
      sets: [
        ["target", "hp", "hp"],
        ["target", "resource", "resource"],
      ],
      effect: { look: "heal", on: "target", by: null, amount: "restored" },
    },
    ambush: { begins: "round", title: "Ambush", clears: 2 },
    encounter_end: { begins: "round", title: "{outcome}" },
    item: { begins: "action", actor: "", title: "found: {item} ({rarity})" },
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
  },
};

const FIRST_FOE = 8;

/** @param {string} field @returns {(place: number) => string[]} */
const ofParticipant = (field) => (place) =>
  [place < FIRST_FOE ? `participants.${place}.${field}` : `foes.${place - FIRST_FOE}.${field}`];

const ATTRIBUTES = ["might", "logic", "speed", "presence", "fortitude", "luck"];

/** Skills, which both sides may have. @param {any} packed */
const skillsOf = ({ bundle: { books, scenario } }) =>
  books.skill.map((/** @type {string} */ id, /** @type {number} */ place) => ({ place, side: 0, name: scenario.skills[id].name }));
/** @param {number} value */
const isThere = (value) => value !== 0;
/** @param {string} field @returns {(place: number) => string[]} */
const ofSkill = (field) => (place) => [`skills.${place}.${field}`];

export const changes = [
  { name: "HP", paths: ofParticipant("max_hp") },
  ...ATTRIBUTES.map((name, at) => ({ name, paths: ofParticipant(`attributes.${at}`) })),
  { name: "armour", paths: ofParticipant("armor") },
  { name: "resistance", paths: ofParticipant("resistance") },
  { name: "evasion", paths: ofParticipant("evasion") },
  { name: "resource", paths: ofParticipant("max_resource") },
  { name: "regeneration", paths: ofParticipant("regeneration") },
  { name: "weapon from", paths: ofParticipant("weapon.low") },
  { name: "weapon to", paths: ofParticipant("weapon.high") },
  ...[
    ["cooldown", "cooldown"],
    ["bonus", "modifier"],
    ["damage from", "damage.low"],
    ["damage to", "damage.high"],
    ["heals from", "heal.low"],
    ["heals to", "heal.high"],
  ].map(([name, field]) => ({ name, owners: skillsOf, isThere, paths: ofSkill(field) })),
  ...ofRules({
    ...{ round_cap: ["last round", 1, 1000], armor_share: ["% of armour that counts", 0, 1000] },
    ...{ flee_below: ["flee below % HP", 0, 100], survived_share: ["% of rewards if only survived", 0, 100] },
  }),
];

/** Members of a party can stand in each other's place; whom they meet comes from the encounters. */
export const like = {
  units: [(/** @type {number} */ place) => (place < FIRST_FOE ? `participants.${place}` : null), ["index", "side", "number"]],
};

/** Every enemy that encounters and their ambushes name. @param {any} value @returns {any[]} */
function enemiesOf(value) {
  if (typeof value !== "object" || value === null) return [];
  const isEnemy = ["phases", "id", "queue"].every((key) => Object.hasOwn(value, key));
  return [...(isEnemy ? [value] : []), ...Object.values(value).flatMap(enemiesOf)];
}

/** @param {string} text */
const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

/** What the stage shows before the first event, from the bundle. @param {any} bundle @param {any} record */
export function castOf({ scenario, books }, record) {
  const { quest = null } = scenario;
  const encounters = quest?.encounters ?? [{ type: "combat", name: "Encounter", enemies: scenario.enemies ?? [] }];
  const party = scenario.party.map((/** @type {any} */ member, /** @type {number} */ place) => {
    const trade = member.class || "member";
    const hp = record.get(`participants.${place}.max_hp`);
    return { place, side: 1, name: member.name, mark: trade, about: `${trade} ${member.level}`, hp };
  });
  const first = record.get("participants").length / 2;
  const templates = new Map(enemiesOf(encounters).map((each) => [each.id, each]));
  const foes = books.unit.flatMap((/** @type {any} */ key, /** @type {number} */ place) => {
    if (place < first || key === null) return [];
    // `2.3.goblin_spear-2` is a `goblin_spear`.
    const template = key.slice(key.lastIndexOf(".") + 1).split("-")[0];
    const mark = templates.get(template)?.boss ? "boss" : "creature";
    return [{ place, side: 2, name: String(books.title[place]), mark, about: mark, hp: null }];
  });
  const { skills, items = {} } = scenario;
  const named = (/** @type {any[]} */ keys, /** @type {any} */ of) =>
    keys.map((key) => (Object.hasOwn(of, String(key)) ? of[key].name : key));
  return {
    units: [...party, ...foes],
    books: { skill: named(books.skill, skills), item: named(books.item, items) },
    cooldowns: Object.fromEntries(Object.values(skills).map((/** @type {any} */ { name, cooldown }) => [name, cooldown])),
    encounters: encounters.map((/** @type {any} */ { name, type, text }) => ({
      ...{ name: name || capitalised(type), type, text: text || "" },
    })),
    sides: [["The party", quest === null ? "Its enemies" : quest.name]],
  };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Quest(cast, data);
