// @ts-check
/** relics: two fighters, whose pieces light up when they trigger. @module */

import { Duel } from "../duel.js";
import { ofRules } from "../rule-numbers.js";

const BAD = ["freeze", "poison", "acid", "stun", "riptide"];

export const table = {
  cast: "fighter",
  places: ["source"],
  gauges: { hp_max: "max" },
  rules: {
    battle: { begins: "part", title: "Before the first turn" },
    fighter: {
      enters: "actor",
      sets: [
        ["actor", "max", "hp"],
        ["actor", "hp", "hp"],
        ["actor", "attack", "attack"],
        ["actor", "armor", "armor"],
        ["actor", "speed", "speed"],
      ],
    },
    has: { sets: [["actor", "{quantity}", "value"]] },
    first: {
      ...{ begins: "action", title: "acts first" },
      effect: { look: "success", on: "actor", by: null, words: "acts first: {reason}" },
    },
    turn: { begins: "round", title: "Turn {turn}" },
    trigger: [
      { if: { depth: 1 }, begins: "action", title: "{source}" },
      {
        reason: "{source}: {trigger}",
        effect: { look: "lit", on: "actor", by: null, piece: "source", words: "{source}" },
      },
    ],
    roll: { reason: "{purpose}: {roll} against {against}" },
    attack: {
      ...{ begins: "action", title: "strikes" },
      reason: "ATK {attack}, temporary {temporary}, bonus {bonus}, {percent} %",
    },
    strike: [
      { begins: "action", joins: ["attack"], title: "strikes" },
      { if: { frozen: true }, reason: "frozen: {before} → {part}" },
      { effect: { look: "lit", on: "actor", by: null, words: "strikes" } },
    ],
    skip: {
      ...{ begins: "action", title: "skips a strike" },
      effect: { look: "lost", on: "actor", by: null, words: "{reason}" },
    },
    modified: { reason: "{modifier} {total}: {before} → {after}" },
    damage: {
      ...{ sets: [["target", "hp", "hp"]], adds: [["target", "armor", "absorbed", -1]] },
      effect: { look: "hurt", on: "target", amount: "lost", also: "absorbed", words: "{source}" },
    },
    heal: {
      sets: [["target", "hp", "hp"]],
      effect: { look: "heal", on: "target", amount: "healed", words: "{source}" },
    },
    change: [
      { sets: [["target", "{quantity}", "value"]] },
      { if: { quantity: BAD }, effect: { look: "state", on: "target", amount: "change", words: "{quantity}" } },
      {
        if: { quantity: ["hp", "hp_max", "attack", "temp_attack", "armor", "speed", "thorns", "regen"] },
        effect: { look: "gain", on: "target", amount: "change", words: "{quantity}" },
      },
    ],
    immune: { effect: { look: "miss", on: "target", words: "immune to {quantity}" } },
    mark: {
      state: { on: "target", name: "{mark}" },
      effect: { look: "state", on: "target", by: null, words: "{mark}" },
    },
    fall: { falls: "target", effect: { look: "fall", on: "target", by: null } },
    phase_begins: {
      ...{ begins: "action", actor: "target", title: "gets up: phase {phase}", rises: "target" },
      holds: [
        ...["temp_attack", "freeze", "thorns", "poison", "acid", "riptide", "stun", "regen"].map((name) => ["target", name, 0]),
        ["target", "speed", null],
      ],
      sets: [
        ["target", "max", "hp"],
        ["target", "hp", "hp"],
        ["target", "attack", "attack"],
        ["target", "armor", "armor"],
      ],
      effect: { look: "ultimate", on: "target", by: null, words: "phase {phase}" },
    },
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
  },
};

/** Places of quantities among a build's starting values. */
const START = { hp: 0, hp_max: 1, attack: 2, armor: 4, speed: 5 };

export const changes = [
  { name: "ATK", paths: (/** @type {number} */ side) => [`builds.${side}.start.${START.attack}`] },
  {
    name: "HP",
    paths: (/** @type {number} */ side) => [`builds.${side}.start.${START.hp_max}`, `builds.${side}.start.${START.hp}`],
  },
  { name: "ARMOR", paths: (/** @type {number} */ side) => [`builds.${side}.start.${START.armor}`] },
  { name: "SPEED", paths: (/** @type {number} */ side) => [`builds.${side}.start.${START.speed}`] },
  ...ofRules({ fatigue_start: ["fatigue after turn", 0, 500], turn_cap: ["last turn", 1, 500] }),
];

export const like = { units: [(/** @type {number} */ side) => `builds.${side}`, []] };

/** What the stage shows before the first event, from the bundle. @param {any} bundle @param {any} record */
export function castOf({ scenario, books }, record) {
  const sides = [scenario.left.name, scenario.right.name];
  const units = sides.map((name, place) => ({ place, side: place + 1, name, mark: "fighter", about: "", hp: null }));
  const kinds = record.get("piece_kinds");
  const half = kinds.length / 2;
  const pieces = books.source.slice(0, 2 * half).flatMap((/** @type {any} */ name, /** @type {number} */ place) => {
    const kind = books.piece_kind[kinds[place]];
    return name && kinds[place] >= 0 ? [{ place, side: Math.floor(place / half) + 1, name: String(name), kind }] : [];
  });
  return { units, pieces, sides: [sides] };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Duel(cast, data, { stats: ["attack", "armor", "speed"], statuses: BAD });
