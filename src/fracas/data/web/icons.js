// @ts-check
/** Icons of statuses: one drawing for each thing that content has, else an arrow up for help and one down for harm. @module */

import { svg } from "./dom.js";

const REST = "M3 1H13V3L9.500 8 13 13V15H3V13L6.500 8 3 3Z";

/** What a status is called, and its drawing in a box of 16 by 16. @type {[RegExp, string, string][]} */
const ICONS = [
  [/^shield/, "guard", "M8 1.200 14 3.400V8c0 4-3 6-6 7-3-1-6-3-6-7V3.400Z"],
  [/^(attack|power|strength|damage)$/, "gold", "M15 1L14 5 7.500 11.500 9 13 7.500 14.500 5 12 2.500 14.500 1.500 13.500 4 11 1.500 8.500 3 7 4.500 8.500 11 2Z"],
  [/taunt|provok/, "gold", "M2 6v4h3l5 4V2L5 6ZM12 5q3 3 0 6Z"],
  [/stun|daze|sleep|confus/, "gold", "M8 0l2 5 6 .6-4.500 4L13 16 8 12.600 3 16l1.500-6.400L0 5.600 6 5Z"],
  [/poison|venom|toxi|acid|damage over time/, "poison", "M8 .5C12 6 13.500 8 13.500 10.500a5.500 5 0 0 1-11 0C2.500 8 4 6 8 .5Z"],
  [/bleed|wound/, "harm", "M8 .5C12 6 13.500 8 13.500 10.500a5.500 5 0 0 1-11 0C2.500 8 4 6 8 .5Z"],
  [/burn|fire|scorch|ember/, "flame", "M8 0C9 4 13 6 13 10.500A5 5 0 0 1 3 11C3 8 5 7 5 4 6.500 5 7.500 6 8 8 9 6 8.500 3 8 0Z"],
  [/freeze|frost|chill|frozen|riptide|slow/, "guard", "M7 0H9V5L12 2 13 3 10 7H16V9H10L13 13 12 14 9 11V16H7V11L4 14 3 13 6 9H0V7H6L3 3 4 2 7 5Z"],
  [/regen|mend|renew/, "help", "M6 1H10V6H15V10H10V15H6V10H1V6H6Z"],
  [/^cooldown$/, "quiet", REST],
  [/haste|quick|speed/, "help", "M1 3L7 8 1 13ZM8 3L15 8 8 13Z"],
  [/thorn|spike/, "help", "M8 0L10 5 16 8 10 11 8 16 6 11 0 8 6 5Z"],
  [/mark|blind|curse|hex/, "harm", "M8 3C12 3 15 8 15 8S12 13 8 13 1 8 1 8 4 3 8 3ZM8 5.500A2.500 2.500 0 1 0 8 10.500 2.500 2.500 0 1 0 8 5.500Z"],
];
const UP = "M8 1L15 9H11V15H5V9H1Z";
const DOWN = "M8 15L1 7H5V1H11V7H15Z";
const GEM = "M8 1L14 8 8 15 2 8Z";

/** By the tone of what has no drawing of its own. @type {Record<string, [string, string]>} */
const OTHERS = { good: ["help", UP], bad: ["harm", DOWN], rest: ["quiet", REST], plain: ["quiet", GEM] };

/** @param {string} name */
const drawingOf = (name) => ICONS.find(([words]) => words.test(name.toLowerCase()));

/** Whether a drawing says what something is, as one of games' own State seldom does. @param {string} name @param {string} tone */
export const isDrawn = (name, tone) => tone !== "plain" || drawingOf(name) !== undefined;

/** @param {string} name @param {string} tone good, bad, plain or rest @returns {any} */
export function iconOf(name, tone) {
  const found = tone === "rest" ? undefined : drawingOf(name);
  const [colour, d] = found === undefined ? (OTHERS[tone] ?? OTHERS.bad) : [found[1], found[2]];
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d, fill: `var(--${colour})`, "fill-rule": "evenodd" }),
  );
}
