// @ts-check
/** What stands on a ground where nobody fights: traps, fires, riddles, ways, things found; 100 by 120, feet at 112. @module */

import { BRIGHT, disc, GILT, INK, LEATHER, limb, PALE, part, seam, SHADE, STEEL, STRAP, tint } from "./shapes.js";

const LIGHT = '<circle cx="50" cy="60" r="52" fill="#ffdf8a" opacity=".22"/>';

/** @type {Record<string, string>} */
const PROPS = {
  trap:
    part("M8 96L22 88H80L94 96 90 110H12Z", SHADE) +
    part("M14 98H88L86 108H16Z", INK) +
    [20, 36, 52, 68, 82]
      .map(
        (x, at) => part(`M${x - 6} 104L${x} ${at % 2 ? 52 : 64} ${x + 6} 104Z`, BRIGHT) + tint(`M${x} ${at % 2 ? 56 : 68}L${x + 4} 103H${x}Z`, STEEL),
      )
      .join("") +
    limb("M4 90L30 84M96 90L72 84", LEATHER, 3),
  hazard:
    part("M6 104C10 84 20 92 26 78 30 90 36 70 44 56 46 74 54 66 56 48 66 64 64 78 72 74 72 86 84 82 94 104 70 114 24 114 6 104Z", "#ff7a2f") +
    tint("M22 104C24 92 32 94 36 84 40 92 46 82 50 72 56 84 62 90 66 88 70 96 78 94 80 104 62 110 40 110 22 104Z", "#ffd65c") +
    tint("M40 106C42 98 48 98 50 90 54 98 60 98 62 106 54 109 46 109 40 106Z", "#fff8dc"),
  puzzle:
    part("M18 112V40C18 20 82 20 82 40V112Z", SHADE) +
    part("M26 112V44C26 30 74 30 74 44V112Z", STEEL) +
    disc(50, 66, 20, BRIGHT) +
    disc(50, 66, 13, SHADE) +
    disc(50, 66, 6, "#8fd4ff") +
    seam("M50 46V53M50 79V86M30 66H37M63 66H70M36 52L41 57M64 52L59 57M36 80L41 75M64 80L59 75", INK, 3) +
    part("M36 94H64V112H36Z", STRAP) +
    tint("M44 98A6 6 0 1 1 56 98L58 108H42Z", INK),
  rest:
    LIGHT +
    limb("M18 108L78 96M22 96L82 108", LEATHER, 8) +
    part("M50 104C30 104 26 86 38 72 40 80 44 80 45 74 44 60 52 52 54 40 60 52 68 58 66 72 70 74 72 70 73 66 82 84 74 104 50 104Z", "#ff8a3c") +
    tint("M50 102C38 102 38 90 46 80 48 86 52 84 52 78 58 84 64 90 62 96 60 101 56 102 50 102Z", "#ffd65c"),
  decision:
    limb("M50 112V16", LEATHER, 6) +
    part("M52 24H90L100 34 90 44H52Z", PALE) +
    part("M48 50H12L2 60 12 70H48Z", PALE) +
    seam("M60 34H84M18 60H40", STRAP, 3) +
    part("M36 112C40 102 60 102 66 112Z", STRAP) +
    disc(50, 14, 5, GILT),
  loot:
    LIGHT +
    part("M16 70C16 44 84 44 84 70Z", LEATHER) +
    part("M14 70H86V110H14Z", LEATHER) +
    tint("M20 66C24 52 76 52 80 66Z", GILT, 0.9) +
    part("M14 66H86V76H14Z", STRAP) +
    part("M42 66H58V86H42Z", GILT) +
    disc(50, 75, 3.4, INK) +
    seam("M26 78V108M74 78V108", STRAP, 5) +
    disc(36, 58, 5, GILT) +
    disc(52, 54, 6, GILT) +
    part("M62 60L68 48 74 60Z", "#8fd4ff"),
};
PROPS.social = PROPS.decision;

/** The drawing of a kind of encounter; of one without any a signpost. @param {string} kind */
export const propOf = (kind) => `<ellipse cx="50" cy="112" rx="44" ry="7" fill="#000" opacity=".36"/>${PROPS[kind] ?? PROPS.decision}`;
