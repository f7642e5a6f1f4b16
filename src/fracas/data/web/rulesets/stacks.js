// @ts-check
/** stacks: the map with its stacks, whose units strike from tile to tile. @module */

import { Field } from "../field.js";

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
    commit: { marks: { advanced: "advanced" } },
  },
};

/** @param {string[]} fields @returns {(place: number) => string[]} */
const ofParticipant = (...fields) => (place) => fields.map((field) => `participants.${place}.${field}`);

export const changes = [
  { name: "attack", paths: ofParticipant("first_attack") },
  { name: "defence", paths: ofParticipant("first_defence") },
  { name: "damage", paths: ofParticipant("first_damage") },
];

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Field(cast, data);
