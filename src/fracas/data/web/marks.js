// @ts-check
/** Marks of classes, drawn from simple shapes; one that has no shape of its own gets a star by its name. @module */

import { svg } from "./dom.js";

/** Paths in a box of 24 by 24. */
const SHAPES = {
  warrior: "M5 19 17 7l2-3 1 1-3 2L7 21zM4 16l4 4M15 5l4 4",
  ranger: "M7 3c9 3 9 15 0 18M7 3v18M3 12h17M17 9l3 3-3 3",
  mage: "M12 2l2.6 6.8L21 11l-6.4 2.2L12 20l-2.6-6.8L3 11l6.4-2.2zM19 17v5M16.500 19.500h5",
  healer: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z",
  tank: "M12 2l8 3v7c0 5-4 8-8 10-4-2-8-5-8-10V5zM12 6v12M8 11h8",
  vanguard: "M12 2l8 3v7c0 5-4 8-8 10-4-2-8-5-8-10V5zM8 9l4 4 4-4M8 13l4 4 4-4",
  warden: "M12 22V9M12 13C5 13 4 7 4 4c5 0 8 3 8 7M12 11c0-4 3-6 8-6 0 4-2 8-8 8",
  arcanist: "M12 2v20M2 12h20M5 5l14 14M19 5L5 19M12 8a4 4 0 1 0 .01 0",
  tracker: "M7 3c9 3 9 15 0 18M7 3v18M3 12h17M17 9l3 3-3 3",
  reaver: "M6 22L18 2M10 4c6-3 11 2 9 8-3-3-6-3-9-1z",
  creature: "M4 5l4 4c2-2 6-2 8 0l4-4v8c0 5-4 8-8 8s-8-3-8-8zM9 13v.01M15 13v.01M9 17l1.500-1 1.500 1 1.500-1 1.500 1",
  boss: "M3 8l4 4 5-8 5 8 4-4-2 12H5zM5 16h14",
  strike: "M5 19 17 7l2-3 1 1-3 2L7 21zM4 16l4 4M15 5l4 4",
  archery: "M7 3c9 3 9 15 0 18M7 3v18M3 12h17M17 9l3 3-3 3",
  charge: "M4 20c0-8 3-14 11-16l5 5-4 3v8M9 20c0-4 2-6 5-7M15 8v.01",
  javelin: "M3 21L18 6M15 3l6 6M21 3l-6 2 4 4z",
  bombard: "M4 14h12a4 4 0 1 1 0 6H6zM16 14l4-9M8 20v2M14 20v2",
  fighter: "M12 3a4 4 0 1 0 .01 0M5 22c0-7 3-10 7-10s7 3 7 10M16 15l5-8",
  titan1: "M12 2l7 4v6l-3 2 2 8h-4l-2-5-2 5H6l2-8-3-2V6zM9 8v.01M15 8v.01",
  titan2: "M12 2l4 3 5-1-2 6 3 5-5 1-1 6-4-3-4 3-1-6-5-1 3-5-2-6 5 1zM9 10v.01M15 10v.01",
};

/** The names of all marks that have a shape of their own. */
export const MARKS = Object.keys(SHAPES);

/** @param {string} name */
function star(name) {
  let sum = 0;
  for (const letter of name) sum = (31 * sum + (letter.codePointAt(0) ?? 0)) % 9973;
  const points = 3 + (sum % 5);
  const inner = 3.5 + (sum % 3);
  const corner = (/** @type {number} */ at) => {
    const [reach, turn] = [at % 2 ? inner : 9.5, (Math.PI * at) / points];
    return `${(12 + reach * Math.sin(turn)).toFixed(1)} ${(12 - reach * Math.cos(turn)).toFixed(1)}`;
  };
  return `M${Array.from({ length: 2 * points }, (_, at) => corner(at)).join("L")}z`;
}

/** @param {string} name */
export function mark(name) {
  const path = Object.hasOwn(SHAPES, name) ? SHAPES[/** @type {keyof SHAPES} */ (name)] : star(name);
  return svg("svg", { class: "mark", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}
