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

const ATTRIBUTES = ["might", "logic", "speed", "presence", "fortitude", "luck"];
/** Checks, in the order of their numbers: none, those that add training to an attribute, and those of attributes. */
const TRAINED_BY = ["presence", "speed", "might", "logic", "logic", "fortitude"];
const CHECKS = ["", ...TRAINED_BY, ...ATTRIBUTES];

/** @param {any} packed */
const partyOf = ({ bundle: { scenario } }) => scenario.party.map((/** @type {any} */ { name }, /** @type {number} */ place) => ({ place, side: 1, name }));

/** Kinds of creatures, each with how many of it may be met: those that are alike are one. @param {any} packed */
const foesOf = ({ bundle: { books }, record }) => {
  /** @type {Map<number, string[]>} */
  const found = new Map();
  for (const [at, name] of books.title.slice(FIRST_FOE).entries()) {
    if (name === null) continue;
    const kind = record.get(`roster.${at}`);
    found.set(kind, [...(found.get(kind) ?? []), String(name)]);
  }
  return [...found].map(([place, names]) => ({ place, side: 2, name: names.length > 1 ? `${names[0]} ×${names.length}` : names[0] }));
};

/** Skills, which both sides may have. @param {any} packed */
const skillsOf = ({ bundle: { books, scenario } }) =>
  books.skill.map((/** @type {string} */ id, /** @type {number} */ place) => ({ place, side: 0, name: scenario.skills[id].name }));
/** @param {number} value */
const isThere = (value) => value !== 0;
/** @param {string} field @returns {(place: number) => string[]} */
const ofSkill = (field) => (place) => [`skills.${place}.${field}`];

/** @param {any} packed */
const encountersOf = ({ bundle: { scenario } }) =>
  (scenario.quest?.encounters ?? []).map((/** @type {any} */ { name, type }, /** @type {number} */ place) => ({ place, side: 0, name: `Encounter ${place + 1}, ${name || type}` }));
/** @param {string} field @returns {(place: number) => string[]} */
const ofEncounter = (field) => (place) => [`encounters.${place}.${field}`];

/** The ends of a range stay in order. @param {string} field @param {(place: number, record: any) => string[]} paths */
const inOrder = (field, paths) =>
  /\.(low|high)$/u.test(field)
    ? {
        limits: (/** @type {number} */ place, /** @type {any} */ record) => {
          const [path] = paths(place, record);
          return path.endsWith(".low") ? { most: record.get(path.replace(/low$/u, "high")) } : { least: record.get(path.replace(/high$/u, "low")) };
        },
      }
    : {};

/** Numbers of skills, encounters and options, by their fields. @param {string[][]} named @param {(packed: any) => any[]} owners @param {(field: string) => (place: number, record: any) => string[]} pathsOf */
const numbersOf = (named, owners, pathsOf) => named.map(([name, field]) => ({ name, owners, isThere, paths: pathsOf(field), ...inOrder(field, pathsOf(field)) }));

const PUZZLE = 5;

/** Options of decisions; those of a puzzle are alike, and one to change. @param {any} packed */
const optionsOf = (packed) =>
  encountersOf(packed).flatMap((/** @type {any} */ { place: encounter, name }) => {
    const { type, first_option: first, option_count: count } = packed.record.get(`encounters.${encounter}`);
    if (type === PUZZLE) return [{ place: first, side: 0, name }];
    return Array.from({ length: count }, (_, at) => ({ place: first + at, side: 0, name: `${name}: option ${at}` }));
  });
/** @param {string} field @returns {(place: number, record: any) => string[]} */
const ofOption = (field) => (place, record) => {
  const puzzle = record.get("encounters").find((/** @type {any} */ each) => each.type === PUZZLE && each.first_option === place);
  return Array.from({ length: puzzle?.option_count ?? 1 }, (_, at) => `decision_options.${place + at}.${field}`);
};

/** Numbers of members and creatures; some have no resource, and some no weapon. @type {[name: string, field: string, needs?: string][]} */
const NUMBERS = [
  ["HP", "max_hp"],
  ...ATTRIBUTES.map((name, at) => /** @type {[string, string]} */ ([name, `attributes.${at}`])),
  ["armour", "armor"],
  ["resistance", "resistance"],
  ["evasion", "evasion"],
  ["resource", "max_resource", "max_resource"],
  ["regeneration", "regeneration", "max_resource"],
  ["weapon from", "weapon.low", "weapon.high"],
  ["weapon to", "weapon.high", "weapon.high"],
  ["speed of the weapon", "weapon_speed"],
];

/** @param {[name: string, field: string, needs?: string]} number @param {(packed: any) => any[]} owners @param {string} table */
const numberOf = ([name, field, needs], owners, table) => ({
  ...{ name, owners, ...(field === "max_hp" ? { least: 1 } : {}) },
  paths: (/** @type {number} */ place) => [`${table}.${place}.${field}`],
  ...inOrder(field, (place) => [`${table}.${place}.${field}`]),
  isThere: (/** @type {number} */ _, /** @type {number} */ place, /** @type {any} */ record) => needs === undefined || record.get(`${table}.${place}.${needs}`) !== 0,
});

/** @type {import("../../studio/record.js").Change[]} */
const changes = [
  ...NUMBERS.map((each) => ({
    ...numberOf(each, partyOf, "participants"),
    along: (/** @type {number} */ place) => [...CHECKS.keys()].filter((check) => CHECKS[check] === each[0]).map((check) => `participants.${place}.checks.${check}`),
  })),
  ...NUMBERS.map((each) => numberOf(each, foesOf, "foes")),
  ...numbersOf(
    [
      ["cost", "cost"],
      ["cooldown", "cooldown"],
      ["bonus", "modifier"],
      ["damage from", "damage.low"],
      ["damage to", "damage.high"],
      ["heals from", "heal.low"],
      ["heals to", "heal.high"],
      ["rounds of its condition", "conditions.0.rounds"],
      ["potency of its condition", "conditions.0.potency"],
      ["rounds of its second condition", "conditions.1.rounds"],
      ["potency of its second condition", "conditions.1.potency"],
    ],
    skillsOf,
    ofSkill,
  ),
  ...numbersOf(
    [
      ["difficulty", "difficulty"],
      ["difficulty to avoid it", "avoid"],
      ["damage from", "damage.low"],
      ["damage to", "damage.high"],
    ],
    encountersOf,
    ofEncounter,
  ),
  ...numbersOf(
    [
      ["difficulty", "difficulty"],
      ["heals at success", "success.heal"],
      ["heals at failure", "failure.heal"],
      ["damage from at success", "success.damage.low"],
      ["damage to at success", "success.damage.high"],
      ["damage from at failure", "failure.damage.low"],
      ["damage to at failure", "failure.damage.high"],
    ],
    optionsOf,
    ofOption,
  ),
  ...ofRules({
    ...{ round_cap: ["last round", 1, 1000], armor_share: ["% of armour that counts", 0, 1000] },
    ...{ flee_below: ["flee below % HP", 0, 100], survived_share: ["% of rewards if only survived", 0, 100] },
  }),
  ...ofRules({ check: ["added to difficulties of checks", -100, 100] }, "difficulty"),
];

/** Slots of queues by their place in the record, each with whose it is. @param {any} packed */
const slotsOf = (packed) =>
  queuesOf(packed).flatMap(({ side, name, from }) => {
    const { first_slot: first, slot_count: count } = packed.record.get(from);
    return Array.from({ length: count }, (_, at) => ({ place: first + at, side, name: `${name}, ${skillIn(packed, first + at)}` }));
  });

/** Who has a queue, and where the record has whom. @param {any} packed @returns {{ place: number, side: number, name: string, from: string }[]} */
const queuesOf = (packed) => [
  ...partyOf(packed).map((/** @type {any} */ each) => ({ ...each, from: `participants.${each.place}` })),
  ...foesOf(packed).map((each) => ({ ...each, place: FIRST_FOE + each.place, from: `foes.${each.place}` })),
];

/** @param {any} packed @param {number} slot */
const skillIn = ({ bundle: { books, scenario }, record }, slot) => scenario.skills[books.skill[record.get(`queue_slots.${slot}.skill`)]].name;

const AIMS = 5;
/** Skills that are aimed at one enemy or one ally. */
const AIMED = [0, 2];

/** The moves of a queue that change it, each once: from where to where. @param {number} count */
const movesOf = (count) =>
  Array.from({ length: count * count }, (_, at) => [Math.floor(at / count), at % count]).filter(([from, to]) => to !== from && to !== from - 1);

/** @type {import("../../studio/record.js").Choice[]} */
const choices = [
  {
    ...{ part: "queues", name: "target", owners: slotsOf },
    labels: (place, { record }) =>
      AIMED.includes(record.get(`skills.${record.get(`queue_slots.${place}.skill`)}.reach`))
        ? record.layout.books.selector.slice(0, AIMS).map((/** @type {string} */ name) => name.replaceAll("_", " "))
        : [],
    now: (record, place) => record.get(`queue_slots.${place}.selector`),
    take: (record, place, number) => record.set(`queue_slots.${place}.selector`, number),
  },
  {
    ...{ part: "queues", name: "order", owners: queuesOf },
    labels: (place, packed) => {
      const { from } = /** @type {any} */ (queuesOf(packed).find((each) => each.place === place));
      const { first_slot: first, slot_count: count } = packed.record.get(from);
      return ["as it is", ...movesOf(count).map(([one, to]) => `${skillIn(packed, first + one)} to place ${to + 1}`)];
    },
    take: (record, place, number, packed) => {
      if (number === 0) return;
      const { from } = /** @type {any} */ (queuesOf(packed).find((each) => each.place === place));
      const { first_slot: first, slot_count: count } = packed.record.get(from);
      const [one, to] = movesOf(count)[number - 1];
      const slots = Array.from({ length: count }, (_, at) => first + at);
      slots.splice(to, 0, ...slots.splice(one, 1));
      const before = record.copy();
      for (const [at, slot] of slots.entries()) record.put(`queue_slots.${first + at}`, before, `queue_slots.${slot}`);
    },
  },
];

/** Members of a party can stand in each other's place; whom they meet comes from the encounters. @type {import("../../studio/record.js").Like} */
const like = {
  units: { at: (place) => (place < FIRST_FOE ? [`participants.${place}`] : []), kept: ["index", "side", "number"] },
};

/** Each slot of a queue knows what its skill costs. @param {any} record */
function settle(record) {
  const costs = record.get("skills").map((/** @type {any} */ { cost }) => cost);
  for (const [at, { skill }] of record.get("queue_slots").entries()) record.set(`queue_slots.${at}.cost`, costs[skill]);
}

/** What can be changed in the record. */
export const editing = { changes, choices, like, settle };

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
