// @ts-check
/** Strokes and fills that bodies and grounds are drawn with, as SVG text of our own: nothing that anybody wrote gets in. @module */

/** Colours of a body follow its unit and the scheme (stage.css). */
export const INK = "var(--outline)";
export const COAT = "var(--coat)";
export const CLOTH = "var(--cloth)";
export const SHEEN = "var(--sheen)";
export const GLOW = "var(--glow)";
export const STEEL = "var(--steel)";
export const BRIGHT = "var(--bright)";
export const SHADE = "var(--shade)";
export const LEATHER = "var(--leather)";
export const STRAP = "var(--strap)";
export const PALE = "var(--pale)";
export const DUSK = "var(--dusk)";
export const GILT = "#e9b949";

/** A filled shape with the outline that makes a body readable on every ground. @param {string} d @param {string} fill */
export const part = (d, fill) => `<path d="${d}" fill="${fill}" stroke="${INK}" stroke-width="2.2" stroke-linejoin="round"/>`;
/** A fill without an outline. @param {string} d @param {string} fill @param {number} [opacity] */
export const tint = (d, fill, opacity = 1) => `<path d="${d}" fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ""}/>`;
/** A line. @param {string} d @param {string} colour @param {number} width */
export const seam = (d, colour, width) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
/** A line with an outline: arms, legs, shafts. @param {string} d @param {string} colour @param {number} width */
export const limb = (d, colour, width) => seam(d, INK, width + 4) + seam(d, colour, width);
/** @param {number} x @param {number} y @param {number} r @param {string} fill */
export const disc = (x, y, r, fill) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" stroke="${INK}" stroke-width="2.2"/>`;
/** @param {number} x @param {number} y @param {number} degrees @param {string} drawn */
export const turned = (x, y, degrees, drawn) => `<g transform="translate(${x} ${y}) rotate(${degrees})">${drawn}</g>`;

/** A number from a text, the same on every device. @param {string} text */
export function numberOf(text) {
  let sum = 2166136261;
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (sum ^ (sum >>> 15)) >>> 0;
}

/** Numbers from 0 to 1 that follow from a seed. @param {number} seed @returns {() => number} */
export function chances(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
