// @ts-check
/** Elements without a library: texts are always text, never markup. @module */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {any} properties @param {any[]} children */
function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "look") for (const [key, each] of Object.entries(value)) styled(element, key, each);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

/** Styles go through the object model, which a strict policy allows. @param {any} element @param {string} name @param {any} value */
export const styled = (element, name, value) => element.style.setProperty(name, String(value));

/** An HTML element. @param {string} tag @param {any} [properties] @param {...any} children @returns {any} */
export const h = (tag, properties, ...children) => filled(document.createElement(tag), properties, children);

/** An SVG element. @param {string} tag @param {any} [properties] @param {...any} children @returns {any} */
export const svg = (tag, properties, ...children) => filled(document.createElementNS(SVG, tag), properties, children);

/** Whether the viewer prefers reduced motion. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The one way in which things move here. @param {any} element @param {any[]} keyframes @param {number} [ms] @param {number} [delay] */
export function move(element, keyframes, ms = 320, delay = 0) {
  if (!isCalm()) element.animate(keyframes, { duration: ms, delay, easing: "cubic-bezier(.2,.8,.2,1)" });
}

/** Waits until the page is looked at: what only somebody who looks needs is not worked out in a tab behind others. */
export async function seen() {
  while (document.visibilityState !== "visible") await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}
