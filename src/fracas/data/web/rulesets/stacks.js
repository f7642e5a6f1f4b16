// @ts-check
/** stacks: the map with its stacks, whose units strike from tile to tile. @module */

import { Field } from "../field.js";
import { ofRules } from "../rule-numbers.js";

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

export const changes = [
  { name: "attack", paths: ofParticipant("first_attack") },
  { name: "defence", paths: ofParticipant("first_defence") },
  { name: "damage", paths: ofParticipant("first_damage") },
  { name: "health", paths: ofParticipant("full_health", "first_health") },
  ...ofRules({ turn_cap: ["last turn", 1, 1000], idle_turns: ["idle turns until repelled", 1, 1000], heal_limit: ["heals of a healer (0: no limit)", 0, 1000] }),
];

export const like = { units: [(/** @type {number} */ place) => `participants.${place}`, ["side", "direction", "id", "used"]] };

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
