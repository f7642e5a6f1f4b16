// @ts-check
/** Where the numbers of what happened stand: over whom it happened to, and on no plate, panel or other number. @module */

import { isCalm, styled } from "./dom.js";
import { badgeOf, SAID } from "./effects.js";

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** Sizes of letters: of a number by its weight, and of words. @type {Record<string, [number, number]>} */
const LETTERS = { hurt: [20, 30], heal: [20, 24], shield: [19, 10] };
const LETTERS_OF_WORDS = 14;

/** Where a number may stand, in its own heights and widths from the head. */
const RISES = [-0.5, 0.1, -1.1, 0.7, -1.7, 1.3, 1.9, -2.3, 2.5, -2.9, -3.5, 3.1, 3.7, -4.1, 4.3, -4.7, 4.9];
const ASIDES = [0, -0.55, 0.55, -1.05, 1.05, -1.7, 1.7, -2.4, 2.4];

/** What large letters on a narrow stage pay for each pixel of a face that they cover, as far as a pixel of the way. */
const OVER_FACE = 0.15;

/** @param {Box} one @param {Box} other @returns {number} How much they share. */
function shared(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** How heavy an effect is: what it took of the whole, from 0 to 1. @param {any} effect */
export const weightOf = ({ look, amount, also = 0, of }) =>
  look === "hurt" || look === "block" || look === "heal" ? Math.min(1, (Math.abs(amount ?? 0) + also) / Math.max(1, of)) : 0.12;

/** @param {any} effect @param {boolean} isNarrow @param {boolean} isTight */
function sizeOfWords(effect, isNarrow, isTight) {
  const [least, more] = LETTERS[effect.look] ?? [LETTERS_OF_WORDS, 0];
  const share = isTight ? 0.62 : isNarrow ? 0.72 : 1;
  return Math.max(12, Math.round(share * (least + more * weightOf(effect) + (effect.critical ? 6 : 0))));
}

/** The letters' measure, which needs no page to be laid out. */
const ruler = () => {
  const context = /** @type {any} */ (document.createElement("canvas").getContext("2d"));
  context.font = "800 100px system-ui, 'Segoe UI', Roboto, sans-serif";
  return context;
};
/** @type {any} */
let measuring = null;
/** @type {Map<string, number>} */
const widths = new Map();

/** @param {string} text @param {number} size */
function letterWidth(text, size) {
  measuring ??= ruler();
  let width = widths.get(text);
  if (width === undefined) {
    width = measuring.measureText(text).width;
    widths.set(text, /** @type {number} */ (width));
  }
  return /** @type {number} */ (width * size) / 100;
}

/**
 * The numbers of effects as buttons that say why, each on its place.
 *
 * @param {any[]} effects Those that are said.
 * @param {(place: any) => any} spotOf Where a unit stands: x, y, h.
 * @param {Box[]} taken What they keep clear of.
 * @param {{ width: number, height: number }} room
 * @param {(place: any) => string} nameOf
 * @param {any} why
 */
export function numbersOver(effects, spotOf, taken, { width, height }, nameOf, why) {
  const boxes = [...taken];
  const isNarrow = width < 700;
  const wordsOf = (/** @type {any} */ effect) => (LETTERS[effect.look] === undefined ? `${effect.on} ${effect.look} ${SAID[effect.look](effect)}` : effect);
  /** What is said again of the same unit in the same words is counted. @type {Map<any, number>} */
  const times = new Map();
  for (const effect of effects) times.set(wordsOf(effect), (times.get(wordsOf(effect)) ?? 0) + 1);
  return effects.flatMap((effect) => {
    const spot = spotOf(effect.on);
    const count = times.get(wordsOf(effect));
    if (spot === undefined || count === undefined) return [];
    times.delete(wordsOf(effect));
    const badge = badgeOf(effect, nameOf, why);
    const words = badge.textContent ?? "";
    const text = count > 1 ? `${words} ×${count}` : words;
    // Whoever hears the button hears what others see on it.
    badge.setAttribute("aria-label", (badge.getAttribute("aria-label") ?? "").replace(words, () => text));
    badge.textContent = text;
    const isTight = spot.form === "token" || spot.form === "tiny";
    const size = sizeOfWords(effect, isNarrow, isTight);
    // Over a token there is no room for the word besides.
    const isWorded = effect.critical && !(isNarrow && isTight);
    badge.classList.toggle("bare", !isWorded);
    const isPlated = LETTERS[effect.look] === undefined;
    const [wide, high] = [letterWidth(text, size) + (isPlated ? 14 : 8), Math.round(size * (isWorded ? 1.62 : 1.24))];
    const box = placed(spot, wide, high, boxes, width, height, isNarrow && effect.critical ? OVER_FACE : 0);
    boxes.push(box);
    styled(badge, "font-size", `${size}px`);
    styled(badge, "width", `${wide.toFixed(1)}px`);
    styled(badge, "height", `${high}px`);
    styled(badge, "left", `${box.left.toFixed(1)}px`);
    styled(badge, "top", `${box.top.toFixed(1)}px`);
    return [{ badge, effect }];
  });
}

/** Over the head if there is room, else as near to it as there is. @param {any} spot @param {number} wide @param {number} high @param {Box[]} boxes @param {number} width @param {number} height @param {number} overFace @returns {Box} */
function placed({ x, y, h: tall }, wide, high, boxes, width, height, overFace) {
  const head = y - tall * 0.86;
  const face = { left: x - 0.2 * tall, right: x + 0.2 * tall, top: y - 0.95 * tall, bottom: y - 0.5 * tall };
  let [best, least] = [/** @type {Box | null} */ (null), Infinity];
  for (const rise of RISES) {
    for (const aside of ASIDES) {
      const left = Math.max(4, Math.min(width - wide - 4, x - wide / 2 + aside * wide));
      const top = Math.max(2, Math.min(height - high - 2, head + rise * high - high / 2));
      const box = { left, top, right: left + wide, bottom: top + high };
      const far = Math.abs(rise + 0.5) * high + 1.3 * Math.abs(aside) * wide;
      if (far >= least) continue;
      const cost = far + overFace * shared(box, face) + 1000 * boxes.reduce((sum, each) => sum + shared(box, each), 0);
      if (cost < least) [best, least] = [box, cost];
    }
  }
  return /** @type {Box} */ (best);
}

/** How a number comes in. @param {any} badge @param {number} weight @param {number} delay @param {number} speed */
export function comesIn(badge, weight, delay, speed) {
  const frames = [
    { transform: "translateY(24px) scale(.4)", opacity: 0 },
    { transform: `translateY(0) scale(${(1.12 + 0.25 * weight).toFixed(2)})`, opacity: 1, offset: 0.5 },
    { transform: "none", opacity: 1 },
  ];
  // Unseen until it comes.
  if (!isCalm()) badge.animate(frames, { duration: 380 / speed, delay: delay / speed, fill: "backwards", easing: "cubic-bezier(.2,.8,.2,1)" });
}
