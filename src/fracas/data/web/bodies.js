// @ts-check
/** A body as a drawing: its layers about fixed joints, so that a pose is five rotations (poses in stage.css). @module */

import { beast, bird, blob, brute, engine, rider, titan } from "./creatures.js";
import { styled, svg } from "./dom.js";
import { archer, healer, mage, tank, warrior } from "./people.js";

/** By the name of the body. @type {Record<string, (look: any) => any>} */
const PLANS = { warrior, tank, archer, mage, healer, beast, bird, brute, blob, titan, rider, engine };

/** The names of all bodies. */
export const PLAN_NAMES = Object.keys(PLANS);

const STAR = "M0-5L1.5-1.5 5 0 1.5 1.5 0 5-1.5 1.5-5 0-1.5-1.5Z";
const STARS = [0, 90, 180, 270]
  .map((turn) => `<path transform="rotate(${turn} 54 12) translate(54 -8)" d="${STAR}" fill="#ffd45e" stroke="var(--outline)" stroke-width="1.4"/>`)
  .join("");
const FLAME =
  '<path d="M50 114C12 112 8 66 20 40 22 52 28 54 30 46 30 24 44 18 50-4 58 18 72 24 72 46 74 54 80 50 82 40 94 66 88 112 50 114Z" fill="var(--gold)" opacity=".26"/>' +
  '<path d="M50 113C24 112 20 78 30 58 34 66 38 62 38 52 42 40 48 34 50 22 54 34 60 40 64 52 66 62 70 64 72 58 82 78 76 112 50 113Z" fill="var(--gold)" opacity=".3"/>';
const DOME =
  '<path d="M6 110C-2 50 22 4 52 4S106 50 98 110" fill="#8fd4ff" fill-opacity=".13" stroke="#9fdcff" stroke-width="2.4"/>' +
  '<path d="M16 62C20 36 32 20 44 15" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" opacity=".7"/>';
const BUBBLES = '<circle cx="30" cy="22" r="4"/><circle cx="38" cy="10" r="2.8"/><circle cx="24" cy="34" r="2.6"/>';

/** The figure of a look, facing right. @param {any} look @returns {any} */
export function bodyOf(look) {
  const { back, legs, farArm, torso, head, nearArm, over = "" } = PLANS[look.body](look);
  const drawn = svg("svg", { class: "body", viewBox: "0 0 100 120", "aria-hidden": "true" });
  // Our own drawings; nothing of the battle is in this text but numbers of parts and colours.
  drawn.innerHTML =
    '<ellipse cx="51" cy="112" rx="30" ry="6.5" class="shadow"/>' +
    `<g class="aura"><g>${FLAME}</g></g>` +
    `<g class="rig">${back}${legs}<g class="upper"><g class="breath"><g class="far-arm">${farArm}</g>${torso}<g class="head-part">${head}</g><g class="near-arm">${nearArm}</g>${over}</g></g></g>` +
    `<g class="stars"><g>${STARS}</g></g><g class="guard">${DOME}</g><g class="venom">${BUBBLES}</g>`;
  const { hue } = look;
  const colours = {
    "--coat": `light-dark(hsl(${hue} 66% 47%), hsl(${hue} 74% 57%))`,
    "--cloth": `light-dark(hsl(${hue} 48% 30%), hsl(${hue} 48% 34%))`,
    "--sheen": `light-dark(hsl(${hue + 8} 88% 66%), hsl(${hue + 8} 88% 74%))`,
    "--glow": `hsl(${look.glow} 90% 66%)`,
  };
  for (const [name, value] of Object.entries(colours)) styled(drawn, name, value);
  return drawn;
}
