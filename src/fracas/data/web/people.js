// @ts-check
/** Bodies of people by what they do; the outline alone tells which. Each is the layers of a body, back to front. @module */

import { cloakOf, EMBLEMS, faceOf, WEAPONS } from "./armoury.js";
import {
  BRIGHT,
  CLOTH,
  COAT,
  disc,
  DUSK,
  GILT,
  GLOW,
  INK,
  LEATHER,
  limb,
  PALE,
  part,
  seam,
  SHADE,
  SHEEN,
  STEEL,
  STRAP,
  tint,
  turned,
} from "./shapes.js";

/** @param {any} look */
export function warrior(look) {
  const w = [WEAPONS.sword, WEAPONS.axe, WEAPONS.hammer, WEAPONS.glaive][look.weapon];
  const helm = [
    part("M41 36C40 20 66 20 66 35L66 37 60 33H50L47 45 41 43Z", STEEL) +
      tint("M45 30C48 22 58 22 62 28L50 28Z", BRIGHT) +
      part("M43 28C34 26 31 18 33 11 38 20 45 21 49 23Z", PALE) +
      part("M60 24C66 20 69 14 67 7 74 14 74 24 66 30Z", PALE),
    part("M40 36C39 19 67 19 67 35V46L58 50 42 46Z", STEEL) +
      tint("M44 34C44 24 52 22 58 23L55 44 45 43Z", BRIGHT, 0.8) +
      tint("M54 33H68V37H54Z", INK) +
      part("M51 22C42 6 26 10 24 20 32 17 42 20 46 26Z", COAT),
    part("M41 38C38 20 66 16 67 33 60 26 50 28 48 36L46 46Z", look.hair) +
      part("M41 31L66 29V33.5L41 35.5Z", COAT) +
      part("M42 33L32 40 36 42 33 48 45 38Z", COAT),
    part("M40 37C40 20 66 19 67 34L60 33 59 45 56 33 50 33 47 46 41 44Z", STEEL) +
      part("M46 22C48 8 66 8 70 18L64 24Z", COAT) +
      tint("M44 29C48 23 56 22 61 25L52 29Z", BRIGHT),
  ][look.helm];
  return {
    back: cloakOf(look.cloak === 2 ? 1 : look.cloak),
    legs:
      limb("M46 82L39 96 37 107", CLOTH, 9) +
      limb("M55 82L64 95 65 107", CLOTH, 9) +
      part("M31 103H43L44 112H29Z", STRAP) +
      part("M60 103H71L76 109V112H59Z", STRAP),
    farArm: limb("M60 57L70 66 72 74", STEEL, 8) + disc(72, 75, 4.6, STRAP),
    torso:
      part("M35 52C42 45 60 45 66 52L67 82 69 92 52 96 34 92 37 82Z", COAT) +
      part("M36 52C43 46 59 46 65 52L64 68C58 76 43 76 38 68Z", STEEL) +
      tint("M52 48L64 52 63 67C60 71 56 73 52 73Z", BRIGHT, 0.55) +
      part("M37 77Q52 84 67 77V83Q52 90 37 83Z", STRAP) +
      part("M48 79H56V87H48Z", GILT),
    head: faceOf(look, look.helm !== 1) + helm,
    nearArm:
      turned(58, 73, 24, w) +
      limb("M41 58L42 70 56 73", COAT, 8.5) +
      disc(57, 73, 5, STRAP) +
      part("M31 58C30 47 48 43 51 54 49 62 38 65 31 58Z", BRIGHT) +
      tint("M33 58C36 62 44 62 49 56 46 64 38 64 33 58Z", STEEL),
  };
}
/** @param {any} look */
export function tank(look) {
  const w = [WEAPONS.mace, WEAPONS.short, WEAPONS.spear, WEAPONS.pick][look.weapon];
  const helm = [
    part("M38 40V24Q53 15 68 24V48Q54 54 40 48Z", STEEL) +
      tint("M42 26Q50 20 56 21L54 48 43 45Z", BRIGHT, 0.8) +
      tint("M52 32H69V36H52Z", INK) +
      tint("M58 38V48H61V38Z", INK),
    part("M37 33C38 15 68 15 69 33L74 35V38H33V35Z", STEEL) + tint("M42 29C45 20 56 19 61 24L50 30Z", BRIGHT),
    part("M38 42C36 16 70 16 69 38L63 34H50L48 50 39 47Z", STEEL) +
      part("M50 18L55 2 60 18Z", COAT) +
      tint("M42 32C44 22 54 21 60 24L52 30Z", BRIGHT),
    part("M37 38C36 17 70 17 70 36V46L60 52 56 40H50L46 50 38 46Z", SHADE) +
      part("M39 26C28 24 24 12 28 6 32 16 42 16 47 20Z", BRIGHT) +
      part("M66 24C72 22 75 14 73 8 80 14 79 27 70 31Z", BRIGHT),
  ][look.helm];
  const e = turned(73, 74, 0, `<path d="${EMBLEMS[look.emblem]}" fill="${PALE}" stroke="${INK}" stroke-width="1.4" transform="scale(1.15)"/>`);
  const sh = [
    part("M55 46Q73 40 91 46V96Q73 112 55 96Z", STEEL) +
      part("M59 50Q73 45 87 50V94Q73 106 59 94Z", COAT) +
      tint("M59 50Q66 47 73 47V102Q66 100 59 94Z", SHEEN, 0.35),
    disc(73, 74, 25, STRAP) + disc(73, 74, 21, COAT) + tint("M73 53A21 21 0 0 0 60 90L73 74Z", SHEEN, 0.35) + disc(73, 74, 6, BRIGHT),
    part("M53 48L73 42 93 48C95 78 86 96 73 108 60 96 51 78 53 48Z", BRIGHT) +
      part("M58 52L73 47 88 52C89 76 82 90 73 100 64 90 57 76 58 52Z", COAT) +
      tint("M73 47V100C64 90 57 76 58 52Z", SHEEN, 0.35),
    part("M54 44H92V90L73 106 54 90Z", CLOTH) + part("M54 44H92V62H54Z", COAT) + tint("M57 47H89V52H57Z", SHEEN, 0.5),
  ][look.emblem];
  return {
    back: cloakOf(look.cloak),
    legs:
      limb("M43 84L39 104", SHADE, 12) +
      limb("M60 84L65 104", SHADE, 12) +
      part("M30 103H46L47 112H28Z", STRAP) +
      part("M58 103H73L78 112H57Z", STRAP),
    farArm: "",
    torso:
      part("M28 54C36 43 64 43 72 54L73 88Q52 98 29 88Z", CLOTH) +
      part("M29 53C37 43 63 43 71 53L69 72Q52 82 32 72Z", STEEL) +
      tint("M32 56C38 48 46 46 52 46V77Q40 77 33 71Z", BRIGHT, 0.5) +
      part("M31 76Q52 86 71 76V83Q52 92 31 83Z", STRAP),
    head: faceOf(look, look.helm === 1 || look.helm === 2) + (look.helm === 1 ? part("M43 38Q50 56 64 42L62 38Q52 44 43 36Z", look.hair) : "") + helm,
    nearArm:
      turned(33, 76, -22, w) +
      limb("M36 58L28 66 32 77", STEEL, 9.5) +
      disc(33, 77, 5.4, STRAP) +
      part("M24 60C22 46 42 42 47 54 45 64 32 68 24 60Z", BRIGHT) +
      tint("M26 60C30 66 40 64 45 57 42 66 31 67 26 60Z", STEEL),
    over: sh + (look.emblem === 1 ? "" : e),
  };
}
/** @param {any} look */
export function archer(look) {
  const helm = [
    part("M40 48C34 32 42 18 58 20 68 22 68 32 66 38 60 29 50 31 49 40L50 50Q44 52 40 48Z", COAT) +
      part("M43 25C34 24 28 30 25 36 33 36 40 34 44 33Z", COAT),
    part("M42 40C38 24 50 20 58 22 66 24 67 30 66 33 58 29 50 30 47 36Z", look.hair) +
      part("M38 28Q52 16 72 30Q56 26 40 33Z", COAT) +
      part("M46 24C40 12 30 8 24 8 28 18 36 26 44 28Z", "#e05b4b"),
    part("M42 42C36 24 50 19 58 21 67 23 67 31 66 34 57 28 50 31 48 40Z", look.hair) +
      part("M42 30L66 28V32.5L42 34.5Z", SHEEN) +
      part("M43 36C34 42 32 54 28 60 38 58 44 50 47 42Z", look.hair),
    part("M38 32H70Q72 36 66 36H42Q36 36 38 32Z", STRAP) + part("M43 32Q44 18 54 18 64 18 65 32Z", LEATHER) + part("M43 28H65V32H43Z", COAT),
  ][look.helm];
  const bow = [
    seam("M72 24C88 40 88 76 72 92", INK, 8) + seam("M72 24C88 40 88 76 72 92", LEATHER, 4),
    seam("M68 26C70 34 84 36 84 58 84 80 70 82 68 90", INK, 8) + seam("M68 26C70 34 84 36 84 58 84 80 70 82 68 90", "#a98a5a", 4),
    seam("M70 20C96 34 92 50 82 58 92 66 96 82 70 96", INK, 8) + seam("M70 20C96 34 92 50 82 58 92 66 96 82 70 96", STRAP, 4.4),
    seam("M74 18C90 40 90 76 74 98", INK, 7) + seam("M74 18C90 40 90 76 74 98", PALE, 3.2),
  ][look.weapon];
  const tx = [72, 68, 70, 74][look.weapon],
    y0 = [24, 26, 20, 18][look.weapon],
    y1 = [92, 90, 96, 98][look.weapon];
  return {
    back:
      turned(31, 60, -24, part("M-6-16H6V18Q0 22-6 18Z", STRAP) + part("M-5-18L-6-28-2-25 0-30 3-25 6-28 5-18Z", PALE)) +
      (look.cloak ? part("M40 50C32 60 30 78 24 92L34 90 40 95 50 62Z", CLOTH) : ""),
    legs:
      limb("M46 82L38 96 35 107", CLOTH, 8) +
      limb("M55 82L63 94 66 107", CLOTH, 8) +
      part("M30 100H41L42 112H28Z", LEATHER) +
      part("M61 100H71L76 109V112H60Z", LEATHER),
    farArm:
      limb("M58 57L70 59 79 59", COAT, 7) +
      bow +
      seam(`M${tx} ${y0}L62 59 ${tx} ${y1}`, PALE, 1.3) +
      limb("M60 59H92", PALE, 1.6) +
      part("M90 55L101 59 90 63Z", BRIGHT) +
      disc(82, 59, 4.4, look.skin),
    torso:
      part("M39 53C46 46 58 46 63 53L62 78 66 92 52 95 38 92 42 78Z", COAT) +
      tint("M52 48L63 53 62 78 65 91 53 94Z", SHEEN, 0.35) +
      seam("M40 54L61 78", INK, 6.5) +
      seam("M40 54L61 78", LEATHER, 3.6) +
      part("M40 77Q52 82 63 77V82Q52 87 40 82Z", STRAP),
    head: faceOf(look) + helm,
    nearArm: limb("M44 58L34 63 60 60", COAT, 7) + disc(60, 60, 4.4, look.skin),
  };
}
/** @param {any} look */
export function mage(look) {
  const hat = [
    part("M46 30Q46 8 28-4Q54-4 66 27Z", COAT) +
      tint("M53 24Q52 6 34-2Q56 0 65 26Z", SHEEN, 0.4) +
      part("M33 31Q53 20 76 30Q56 37 33 31Z", COAT) +
      part("M44 27Q55 22 66 25V29Q55 27 45 31Z", GILT),
    part("M37 50C32 28 42 14 55 16 66 17 70 28 68 36 60 26 50 30 49 42L52 54Q42 58 37 50Z", CLOTH) + part("M50 17L56 6 60 19Z", CLOTH),
    part("M41 33C38 17 68 15 68 31 60 26 50 28 41 33Z", COAT) + part("M42 27C38 14 50 10 54 14 64 8 72 18 66 27Z", COAT) + disc(58, 20, 3.6, GILT),
    part("M42 40C36 22 50 18 58 20 68 22 67 30 66 33 58 28 50 30 47 40Z", look.hair) + part("M41 30L44 18 49 25 54 14 59 24 65 16 67 29Z", GILT),
  ][look.helm];
  const orb = [
    '<circle cx="72" cy="14" r="15" fill="var(--glow)" opacity=".25"/>' + disc(72, 14, 8, GLOW) + tint("M66 13A7 7 0 0 1 73 7L71 12Z", "#fff", 0.8),
    part("M72-4L79 10 72 26 65 10Z", GLOW) + tint("M72-4V26L65 10Z", "#fff", 0.45),
    limb("M72 26C60 22 60 6 72 6 82 6 82 18 74 18", LEATHER, 3.6) + disc(72, 13, 4.5, GLOW),
    part("M62 22C60 8 68 2 72-2 72 6 84 8 82 22 76 28 66 28 62 22Z", GLOW) + tint("M68 22C67 14 72 10 73 8 74 14 78 16 76 22Z", "#fff", 0.6),
  ][look.weapon];
  return {
    back: look.cloak === 0 ? part("M40 52C26 66 22 92 14 110L30 112 50 70Z", CLOTH) : "",
    legs: "",
    farArm:
      limb("M58 57L74 58 84 50", COAT, 8) +
      disc(85, 49, 4.4, look.skin) +
      tint("M85 36L88 43 95 44 89 48 91 55 85 51 79 55 81 48 75 44 82 43Z", GLOW, 0.85),
    torso:
      part("M41 52C46 45 58 45 63 52C68 76 72 94 77 108Q52 120 25 109C33 92 38 74 41 52Z", COAT) +
      part("M49 52H57L63 112Q52 115 43 113Z", CLOTH) +
      tint("M63 54C68 76 72 94 77 108L68 111C64 94 61 74 60 52Z", SHEEN, 0.4) +
      seam("M28 106Q52 116 75 105", GILT, 2.4) +
      part("M41 74Q52 80 66 74L67 79Q52 86 40 79Z", STRAP),
    head:
      faceOf(look) +
      (look.emblem < 2 ? part("M45 38Q46 62 56 66 64 58 64 40 58 45 53 42 49 43 45 38Z", look.hair === "#2b2026" ? PALE : look.hair) : "") +
      hat,
    nearArm:
      limb("M70 112L72 24", LEATHER, 3.8) +
      orb +
      limb("M42 57L46 74 66 76", COAT, 9.5) +
      part("M60 68L72 72 70 84 56 82Z", CLOTH) +
      disc(70, 76, 4.6, look.skin),
  };
}
/** @param {any} look */
export function healer(look) {
  const veil = [
    part("M39 58C32 34 38 17 55 18 69 19 69 32 67 38 61 28 50 29 49 42L52 58Q44 64 39 58Z", PALE) +
      part("M42 30Q54 22 67 31L66 35Q54 27 43 35Z", COAT),
    part("M40 46C34 24 48 18 57 20 68 22 67 31 66 35 58 28 50 31 49 46Z", look.hair) +
      seam("M38 18A17 6 0 1 1 70 18 17 6 0 1 1 38 18", INK, 6) +
      seam("M38 18A17 6 0 1 1 70 18 17 6 0 1 1 38 18", GILT, 3),
    part("M38 54C33 30 42 16 56 18 68 19 68 30 67 37 60 27 51 29 49 42L52 56Q44 60 38 54Z", COAT) + seam("M44 27Q55 20 66 30", GILT, 2.6),
    part("M42 44C34 26 48 18 58 20 68 22 67 30 66 34 58 28 50 30 47 40Z", look.hair) +
      part("M41 30Q54 25 67 29V33Q54 29 41 35Z", GILT) +
      disc(60, 29, 3.2, "#7fe0a0") +
      part("M42 40C34 50 36 62 32 68 42 66 46 54 48 46Z", look.hair),
  ][look.helm];
  const tool = [
    limb("M74 112L76 22C76 12 88 12 88 20", LEATHER, 3.6) +
      '<circle cx="88" cy="32" r="17" fill="#ffdf8a" opacity=".28"/>' +
      part("M82 24H94L96 38H80Z", "#ffdf8a") +
      part("M80 22H96V26H80Z", STRAP) +
      part("M80 37H96V41H80Z", STRAP),
    limb("M72 112L74 18", LEATHER, 3.6) + part("M62 12H70V4H78V12H86V20H78V28H70V20H62Z", GILT),
    limb("M72 112L74 22", LEATHER, 3.6) + part("M74 26C60 24 60 6 74 2 88 6 88 24 74 26Z", "#7fe0a0") + tint("M74 24C66 20 66 10 74 5Z", "#fff", 0.5),
    limb("M72 112L74 20", PALE, 3.6) +
      disc(74, 12, 9, "#ffdf8a") +
      seam("M74-4V0M74 24V28M58 12H62M86 12H90M63 1L66 4M85 1L82 4M63 23L66 20M85 23L82 20", GILT, 2.6),
  ][look.weapon];
  return {
    back: look.cloak ? part("M40 52C28 66 26 90 20 106L32 110 50 70Z", COAT) : "",
    legs: "",
    farArm: limb("M58 57L70 62 80 58", PALE, 7.5) + disc(81, 57, 4.4, look.skin),
    torso:
      part("M41 52C46 45 58 45 63 52C66 74 70 94 72 108Q52 119 30 109C35 92 38 74 41 52Z", PALE) +
      tint("M42 54C40 74 36 92 32 108L42 112C43 92 46 70 46 50Z", DUSK, 0.8) +
      part("M46 50L52 56 58 50 61 54 60 106 53 108 53 62 51 62 50 108 43 106 43 54Z", COAT) +
      part("M40 72Q52 77 65 72V77Q52 82 39 77Z", GILT),
    head: faceOf(look) + veil,
    nearArm: tool + limb("M42 57L46 74 68 77", PALE, 8.5) + part("M61 70L71 73 69 84 58 82Z", COAT) + disc(72, 77, 4.6, look.skin),
  };
}
