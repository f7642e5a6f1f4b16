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
const NARROW_HEAD = 72;
const FOOT = 14;
/** How far behind the last tiles the ground begins: none hangs over what stands on the horizon. */
const BEHIND = 8;
/** What is below them on narrow stages: a panel, and above it whoever acts and whom it meets. */
const STRIP_BELOW = 23;
const BAND = 84;

/**
 * Where tiles are on a stage.
 *
 * @param {number[][]} middles In sides of a hexagon, or halves of a square.
 * @param {string} shape flat, pointed or square.
 * @param {number} width
 * @param {number} height
 * @param {number} rise What stands up above the tiles of the first row, in sides.
 * @returns {{ at: (middle: number[]) => [number, number], side: number, squash: number, corners: (middle: number[]) => string,
 *   horizon: number, duel: any[] | null }} `duel` is where two stand enlarged below the tiles of a narrow stage.
 */
export function tabled(middles, shape, width, height, rise) {
  const reach = CORNERS[shape].reduce((most, [x, y]) => [Math.max(most[0], x), Math.max(most[1], y)], [0, 0]);
  const [xs, ys] = [0, 1].map((axis) => middles.map((each) => each[axis]));
  const [left, right] = [Math.min(...xs) - reach[0], Math.max(...xs) + reach[0]];
  const [top, bottom] = [Math.min(...ys) - reach[1], Math.max(...ys) + reach[1]];
  const isNarrow = width < 700;
  const head = isNarrow ? NARROW_HEAD : HEAD;
  const foot = isNarrow ? STRIP_BELOW + BAND : FOOT;
  const squash = Math.max(0.55, Math.min(0.94, (((height - head - foot) / (width - 16)) * (right - left)) / (bottom - top + rise)));
  const side = Math.min((width - 16) / (right - left), (height - head - foot) / ((bottom - top + rise) * squash));
  const [middleX, middleY] = [(left + right) / 2, (top + bottom - rise) / 2];
  const high = (bottom - top + rise) * side * squash;
  const centre = [width / 2, head + (isNarrow ? high : height - head - foot) / 2];
  const band = height - STRIP_BELOW - head - high;
  const duel = [1, -1].map((dir) => ({
    ...{ x: width * (dir > 0 ? 0.27 : 0.73), y: height - STRIP_BELOW - 12, h: Math.min(128, band - 20), dir, plate: 0, form: "duel" },
  }));
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
  const horizon = Math.round(at([0, top])[1] - BEHIND);
  return { at, side, squash, corners, horizon, duel: isNarrow ? duel : null };
}

/**
 * Where the panels of sides 1 and 2 stand on narrow stages: on top is the side whose rows are.
 *
 * @param {number[][]} rows The side of a unit or a stack, and its row.
 * @param {number} width
 * @param {number} height
 * @returns {number[] | null}
 */
export function stripsOf(rows, width, height) {
  if (width >= 700) return null;
  const [one, other] = [1, 2].map((side) => {
    const own = rows.filter(([of]) => of === side).map(([, row]) => row);
    return own.reduce((sum, row) => sum + row, 0) / Math.max(1, own.length);
  });
  const ends = [height - STRIP_BELOW, 46];
  return one < other ? ends.reverse() : ends;
}

/**
 * Draw tiles over the ground that is painted.
 *
 * @param {any} element The ground's SVG element.
 * @param {{ corners: string, kind: string, letter?: string, at: [number, number] }[]} tiles
 * @param {number} side
 */
export function paintTable(element, tiles, side) {
  // Corners are numbers and kinds are our own words; letters of boards go in as text below.
  const thick = Math.max(4, side * 0.09);
  const edge = (/** @type {any} */ { corners }) => `<polygon class="tile-edge" points="${corners}" transform="translate(0 ${thick.toFixed(1)})"/>`;
  const face = (/** @type {any} */ { corners, kind }, /** @type {number} */ at) =>
    `<polygon class="tile ${kind} shade${numberOf(`${at}`) % 3}" points="${corners}"/>`;
  element.innerHTML += `${tiles.map(edge).join("")}${tiles.map(face).join("")}${tiles.map(({ at: [x, y] }) => `<text class="letter" x="${x.toFixed(1)}" y="${(y + side * 0.42).toFixed(1)}" font-size="${(side * 0.36).toFixed(1)}"></text>`).join("")}`;
  element.querySelectorAll(".letter").forEach((/** @type {any} */ text, /** @type {number} */ at) => (text.textContent = tiles[at].letter ?? ""));
}
