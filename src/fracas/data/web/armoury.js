// @ts-check
/** What people carry and wear: weapons, emblems, cloaks, a face; parts of a body of 100 by 120. @module */

import { BRIGHT, CLOTH, COAT, disc, GILT, LEATHER, limb, part, seam, STEEL, STRAP, tint } from "./shapes.js";

const shaft = (a, b, w = 4) => limb(`M0 ${a}V${b}`, LEATHER, w);
export const WEAPONS = {
  sword:
    part("M-3.6-7L-4.2-46 0-56 4.2-46 3.6-7Z", BRIGHT) +
    tint("M0-8L0-52 4.2-46 3.6-8Z", STEEL) +
    part("M-11-9H11V-4.5H-11Z", GILT) +
    part("M-2.6-4H2.6V8H-2.6Z", STRAP) +
    disc(0, 10, 3.4, GILT),
  axe:
    shaft(-46, 14) +
    part("M2-46C14-54 26-46 26-33 26-22 15-16 2-23 8-30 8-40 2-46Z", BRIGHT) +
    tint("M20-45C28-38 27-26 18-21 22-28 23-38 20-45Z", STEEL),
  hammer: shaft(-44, 14) + part("M-15-54H15L17-48V-38L15-34H-15L-17-38V-48Z", STEEL) + tint("M-13-52H13L15-47H-15Z", BRIGHT),
  glaive: shaft(-44, 26, 3.4) + part("M-4-42C-6-60 2-72 12-78 12-62 10-50 4-42Z", BRIGHT) + tint("M4-43C8-54 11-64 12-77 14-62 11-50 6-42Z", STEEL),
  mace: shaft(-34, 12, 3.6) + disc(0, -40, 9, STEEL) + tint("M-6-44A8 8 0 0 1 4-47L0-40Z", BRIGHT),
  short: part("M-3.4-6V-32L0-40 3.4-32V-6Z", BRIGHT) + part("M-8-8H8V-4H-8Z", GILT) + part("M-2.4-4H2.4V7H-2.4Z", STRAP),
  spear: shaft(-56, 30, 3.2) + part("M-5-54L0-74 5-54 0-50Z", BRIGHT),
  pick: shaft(-40, 12, 3.6) + part("M-22-34Q-8-48 4-44H10V-36H2Q-10-38-22-34Z", STEEL),
};
export const faceOf = (look, eye = 1) =>
  disc(53, 35, 11.5, look.skin) + (eye ? `<circle cx="59.5" cy="35" r="1.7" fill="#14101a"/>` + seam("M57 31L62 31.5", "#14101a", 1.6) : "");
export const EMBLEMS = [
  "M0-8L3-2 9-2 4 2 6 8 0 4-6 8-4 2-9-2-3-2Z",
  "M0-9L6 0 0 9-6 0Z",
  "M-8-3H8V3H-8ZM-3-8H3V8H-3Z",
  "M-8 4A8 8 0 1 1 8 4L3 1A4 4 0 1 0-3 1Z",
];
export const cloakOf = (kind) =>
  [
    part("M38 50C26 60 24 84 16 104L26 101 32 107 40 100 46 104 52 60Z", CLOTH) +
      tint("M36 56C30 70 28 86 24 100L31 104C34 88 38 70 44 58Z", COAT, 0.45),
    part("M38 50C30 58 28 74 25 86L34 84 42 88 50 60Z", CLOTH),
    "",
  ][kind];
