// @ts-check
/** stacks: the map with its stacks, whose units strike from tile to tile. @module */

import { Field } from "../field.js";
import { unitsOf } from "../../studio/record.js";
import { ofRules, wordsOfRules } from "../rule-numbers.js";

export const table = {
  cast: "unit",
  rules: {
    battle: { begins: "part", title: "The stack attacks" },
    ready: {
      enters: "actor",
      sets: [
        ["actor", "max", "full"],
        ["actor", "hp", "health"],
      ],
    },
    turn: { begins: "round", title: "Turn {turn}" },
    considered: [
      { begins: "action", joins: ["considered", "trial"] },
      { if: { is_best: true }, reason: "{move} on {target} is worth {value}" },
    ],
    trial: { begins: "action", joins: ["considered", "trial"] },
    choice: { begins: "action", joins: ["considered", "trial"], title: "{move}" },
    wait: { begins: "action", joins: ["considered", "trial"], title: "waits" },
    roll: { reason: "attack {roll} of {attack} against defence {against} of {defence}" },
    amount: { reason: "damage {roll} of {low} to {high}" },
    move: [
      {
        ...{ given: "target", sets: [["target", "hp", "health"]] },
        effect: { look: "hp", on: "target", amount: "effect", words: "{move}" },
      },
      {
        ...{ if: { target: null }, sets: [["actor", "hp", "health"]] },
        effect: { look: "hp", on: "actor", by: null, amount: "effect", words: "{move}" },
      },
    ],
    health: { sets: [["target", "hp", "health"]] },
    fall: { falls: "target", effect: { look: "fall", on: "target" } },
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
  },
};

/** @param {string[]} fields @returns {(place: number) => string[]} */
const ofParticipant = (...fields) => (place) => fields.map((field) => `participants.${place}.${field}`);

/** @param {number} place */
const fullOf = (place) => `participants.${place}.full_health`;
/** @param {number} place */
const firstOf = (place) => `participants.${place}.first_health`;

/** Whether somebody comes wounded. @param {number} place @param {any} record */
const isHurt = (place, record) => record.get(firstOf(place)) !== record.get(fullOf(place));

/** Who acts when matters in some attacks only. @param {any} packed */
const orderedOf = (packed) => (packed.bundle.scenario.options.order === "initiative" ? unitsOf(packed) : []);

/** @type {import("../../studio/record.js").Change[]} */
const changes = [
  { name: "attack", paths: ofParticipant("first_attack") },
  { name: "defence", paths: ofParticipant("first_defence") },
  { name: "damage", paths: ofParticipant("first_damage") },
  {
    name: "health",
    least: 1,
    paths: (place, record) => (isHurt(place, record) ? [fullOf(place)] : [fullOf(place), firstOf(place)]),
    limits: (place, record) => (isHurt(place, record) ? { least: record.get(firstOf(place)) } : {}),
  },
  {
    name: "health at the start",
    least: 1,
    paths: (place) => [firstOf(place)],
    isThere: (_, place, record) => isHurt(place, record),
    limits: (place, record) => ({ most: record.get(fullOf(place)) }),
  },
  { name: "initiative", owners: orderedOf, paths: ofParticipant("initiative") },
  ...ofRules({
    ...{ turn_cap: ["last turn", 1, 1000], idle_turns: ["idle turns until repelled", 1, 1000], heal_limit: ["heals of a healer (0: no limit)", 0, 1000] },
    ...{ stale_turns: ["turns without a new low until repelled (0: never)", 0, 1000], least_score: ["least score for rolls", 0, 1] },
  }),
];

const choices = wordsOfRules({
  valuation: ["harmful moves are valued", "exactly", "by five trial rolls"],
  charge_estimate: ["Charge is valued", "as it is rolled", "as a plain blow"],
  charge_damage: ["Charge's damage by", "damage", "attack"],
  riposte_damage: ["Riposte's damage by", "damage", "attack"],
  riposte_to: ["Riposte answers", "any harmful melee move", "Strike only"],
  heal_self: ["a healer can heal itself"],
  idle_rule: ["a turn is idle without harm", "by the attackers", "or healing by anyone"],
  first_turn_idle: ["turn 0 can be idle"],
});

/** @type {import("../../studio/record.js").Like} */
const like = { units: { at: (place) => [`participants.${place}`], kept: ["side", "direction", "id", "used"] } };

/** The order of play, where initiative says it. @param {any} record @param {any} packed */
function settle(record, { bundle: { scenario } }) {
  if (scenario.options.order !== "initiative") return;
  const initiative = (/** @type {number} */ id) => record.get(`participants.${id}.initiative`);
  const ids = record.get("involved").slice(0, record.get("involved_count"));
  ids.sort((/** @type {number} */ one, /** @type {number} */ other) => initiative(other) - initiative(one) || one - other);
  for (const [place, id] of ids.entries()) record.set(`even_order.${place}`, id).set(`odd_order.${place}`, id);
}

/** What can be changed in the record. */
export const editing = { changes, choices, like, settle };

/** What the stage shows before the first event, from the bundle. @param {any} bundle @param {any} record */
export function castOf({ scenario, books }, record) {
  const { factions, map, attack } = scenario;
  const numbers = new Map(scenario.stacks.map((/** @type {any} */ { id }, /** @type {number} */ at) => [id, at]));
  const stacks = scenario.stacks.map((/** @type {any} */ stack, /** @type {number} */ place) => ({
    ...{ place, name: stack.name, owner: factions[stack.owner].name, at: stack.at.slice(0, 2) },
  }));
  const units = books.unit.flatMap((/** @type {any} */ key, /** @type {number} */ place) => {
    if (key === null) return [];
    const [id] = key.split(".", 1);
    const stack = /** @type {number} */ (numbers.get(id));
    const { moves } = scenario.stacks[stack].units.find((/** @type {any} */ unit) => unit.id === key.slice(id.length + 1));
    const [side, hp] = ["side", "full_health"].map((name) => record.get(`participants.${place}.${name}`));
    const mark = moves.includes("healing") ? "healer" : moves[0];
    return [{ place, side: side + 1, name: String(books.title[place]), mark, about: "", hp, stack }];
  });
  const ownerOf = (/** @type {any} */ { owner = null }) => (owner === null ? "" : factions[owner].name);
  const tiles = Object.fromEntries(
    Object.entries(scenario.tiles).map(([key, tile]) => [key, { name: tile.name ?? "", owner: ownerOf(tile) }]),
  );
  const leader = /** @type {number} */ (numbers.get(attack.stack));
  const tile = attack.tile.slice(0, 2);
  // Whoever owns the tile defends it, or whose stack stands on it.
  const there = stacks.filter(({ at }) => `${at}` === `${tile}`).map(({ owner }) => owner);
  const defenders = [tiles[tile.join(",")]?.owner, ...there].filter((name) => name);
  const attacker = stacks[leader].owner;
  const sides = defenders.map((name) => (name === attacker ? [`${name}, attacking`, `${name}, defending`] : [attacker, name]));
  return { units, stacks, map, tiles, attack: { stack: leader, tile, advance: scenario.options.advance }, sides };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Field(cast, data);
