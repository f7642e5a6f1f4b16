// @ts-check
/** Boards and maps as a table seen from the side: tiles of six or four corners, scaled to fill the stage. @module */

import { numberOf } from "./shapes.js";

/** Corners of a tile around its middle, in sides of a hexagon or halves of a square: hexes with a flat top, with a point, squares. @type {Record<string, number[][]>} */
const CORNERS = {
  flat: [0, 1, 2, 3, 4, 5].map((at) => [Math.cos((Math.PI * at) / 3), Math.sin((Math.PI * at) / 3)]),
  pointed: [0, 1, 2, 3, 4, 5].map((at) => [Math.sin((Math.PI * at) / 3), -Math.cos((Math.PI * at) / 3)]),
  square: [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ],
};
/** What is above tiles: the caption and the panels. */
const HEAD = 70;
const NARROW_HEAD = 52;
const FOOT = 14;

/**
 * Where tiles are on a stage.
 *
 * @param {number[][]} middles In sides of a hexagon, or halves of a square.
 * @param {string} shape flat, pointed or square.
 * @param {number} width
 * @param {number} height
 * @param {number} rise What stands up above the tiles of the first row, in sides.
 * @returns {{ at: (middle: number[]) => [number, number], side: number, squash: number, corners: (middle: number[]) => string }}
 */
export function tabled(middles, shape, width, height, rise) {
  const reach = CORNERS[shape].reduce((most, [x, y]) => [Math.max(most[0], x), Math.max(most[1], y)], [0, 0]);
  const [xs, ys] = [0, 1].map((axis) => middles.map((each) => each[axis]));
  const [left, right] = [Math.min(...xs) - reach[0], Math.max(...xs) + reach[0]];
  const [top, bottom] = [Math.min(...ys) - reach[1], Math.max(...ys) + reach[1]];
  const isNarrow = width < 700;
  const head = isNarrow ? NARROW_HEAD + 24 : HEAD;
  const foot = isNarrow ? FOOT + 24 : FOOT;
  const squash = Math.max(0.55, Math.min(0.94, (((height - head - foot) / (width - 16)) * (right - left)) / (bottom - top + rise)));
  const side = Math.min((width - 16) / (right - left), (height - head - foot) / ((bottom - top + rise) * squash));
  const [middleX, middleY] = [(left + right) / 2, (top + bottom - rise) / 2];
  const centre = [width / 2, head + (height - head - foot) / 2];
  /** @param {number[]} middle @returns {[number, number]} */
  const at = ([x, y]) => [centre[0] + (x - middleX) * side, centre[1] + (y - middleY) * side * squash];
  const corners = (/** @type {number[]} */ [x, y]) =>
    CORNERS[shape]
      .map(([dx, dy]) =>
        at([x + 0.965 * dx, y + 0.965 * dy])
          .map((each) => each.toFixed(1))
          .join(","),
      )
      .join(" ");
  return { at, side, squash, corners };
}

/**
 * Draw tiles over a plain table.
 *
 * @param {any} element The ground's SVG element.
 * @param {number} width
 * @param {number} height
 * @param {{ corners: string, kind: string, letter?: string, at: [number, number] }[]} tiles
 * @param {number} side
 */
export function paintTable(element, width, height, tiles, side) {
  // Corners are numbers and kinds are our own words; letters of boards go in as text below.
  const thick = Math.max(4, side * 0.09);
  const edge = (/** @type {any} */ { corners }) => `<polygon class="tile-edge" points="${corners}" transform="translate(0 ${thick.toFixed(1)})"/>`;
  const face = (/** @type {any} */ { corners, kind }, /** @type {number} */ at) =>
    `<polygon class="tile ${kind} shade${numberOf(`${at}`) % 3}" points="${corners}"/>`;
  element.setAttribute("viewBox", `0 0 ${width} ${height}`);
  element.setAttribute("data-ground", "tiles");
  element.innerHTML = `<rect class="table" width="${width}" height="${height}"/>${tiles.map(edge).join("")}${tiles.map(face).join("")}${tiles.map(({ at: [x, y] }) => `<text class="letter" x="${x.toFixed(1)}" y="${(y + side * 0.42).toFixed(1)}" font-size="${(side * 0.36).toFixed(1)}"></text>`).join("")}`;
  element.querySelectorAll("text").forEach((/** @type {any} */ text, /** @type {number} */ at) => (text.textContent = tiles[at].letter ?? ""));
}
