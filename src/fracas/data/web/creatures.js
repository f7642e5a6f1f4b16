// @ts-check
/** Bodies of those who are not people: beasts, brutes, blobs, titans, riders, engines; layers as in people.js. @module */

import { WEAPONS } from "./armoury.js";
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

/** @param {number} x @param {number} y @param {number} [r] */
const eyeAt = (x, y, r = 3.4) =>
  disc(x, y, r, GLOW) + tint(`M${x} ${y - r + 1}V${y + r - 1}`, INK) + `<circle cx="${x + 0.8}" cy="${y}" r="1.5" fill="#14101a"/>`;

/** A crown for those who lead. */
const CROWN = part("M40 22L36 2 46 12 53 -4 60 12 70 2 66 22Z", GILT) + disc(53, 14, 3, GLOW);

/** On four legs: fur, ears or horns, tail or wings. @param {any} look */
export function beast(look) {
  const tail = [
    part("M22 66C8 62 0 48 4 34 12 46 18 50 28 56Z", COAT) + tint("M8 42C10 52 16 58 24 61L27 57C18 52 12 48 8 42Z", PALE, 0.7),
    limb("M22 68C10 66 2 58 6 44", COAT, 4.5) + disc(6, 43, 4, CLOTH),
    part("M34 56C26 34 10 26 -2 28 4 34 4 38 0 42 8 44 10 48 8 54 16 54 22 58 30 64Z", CLOTH) +
      part("M44 54C42 34 30 22 16 20 22 28 22 32 20 36 28 40 30 44 28 50Z", COAT),
    limb("M22 70C12 72 4 66 2 56", COAT, 6) + part("M-4 60L2 46 10 58Z", SHADE),
  ][look.weapon];
  const back = [
    "",
    part("M26 58L32 44 38 56 44 42 50 55 56 43 62 56Z", CLOTH),
    part("M54 50C58 38 70 34 80 40 72 50 70 64 66 76 58 72 52 62 54 50Z", CLOTH),
  ][look.cloak];
  const ears = [
    part("M70 40L66 22 80 34Z", COAT) + part("M80 36L82 19 91 35Z", COAT),
    part("M70 40C62 32 60 22 64 14 70 24 76 28 82 34Z", PALE) + part("M82 36C80 26 84 16 92 12 90 22 92 28 90 38Z", PALE),
    part("M72 42C62 36 58 44 60 54 66 56 72 52 76 46Z", CLOTH),
    disc(72, 34, 6.5, COAT) + disc(87, 33, 6, COAT) + disc(72, 34, 2.6, SHEEN),
  ][look.helm];
  const jaw = look.emblem % 2 ? part("M88 66L91 74 94 65Z", BRIGHT) + part("M80 67L82 73 86 66Z", BRIGHT) : "";
  return {
    back: tail,
    legs:
      limb("M30 82L24 94 27 106", CLOTH, 8) +
      limb("M64 82L68 94 65 106", CLOTH, 8) +
      limb("M38 84L40 96 36 107", COAT, 8.5) +
      limb("M72 82L78 94 76 107", COAT, 8.5) +
      part("M28 104H41L44 112H28Z", STRAP) +
      part("M69 104H82L85 112H69Z", STRAP),
    farArm: "",
    torso:
      back +
      part("M18 70C18 54 36 50 52 52 66 50 80 54 80 70 80 86 66 90 50 88 34 92 18 88 18 70Z", COAT) +
      tint("M22 76C34 84 60 86 78 74 76 86 62 88 50 86 36 90 24 86 22 76Z", CLOTH, 0.6) +
      (look.cloak === 0 ? tint("M34 56L38 70 44 56ZM48 55L52 70 58 55Z", CLOTH, 0.7) : ""),
    head:
      ears +
      part("M62 52C64 36 84 32 92 44 102 48 106 56 102 62 96 70 84 70 76 70 66 68 60 62 62 52Z", COAT) +
      tint("M80 62C88 66 98 64 103 58 104 66 94 70 84 69Z", PALE, 0.85) +
      part("M98 49C104 48 107 52 105 56 101 58 97 55 98 49Z", STRAP) +
      jaw +
      eyeAt(84, 49),
    nearArm: "",
    over: "",
  };
}

/** On two legs: beak and crest, a fan, sickles or a fork behind; the near arm is a wing. @param {any} look */
export function bird(look) {
  const tail = [
    part("M32 70C18 66 6 72 -4 84 6 84 10 88 8 94 18 92 30 90 40 84Z", CLOTH) + seam("M30 76L6 84M32 81L12 89", INK, 2),
    part("M36 76C14 80-2 64 0 42 7 53 13 57 18 54 13 42 18 30 29 26 25 42 32 56 44 66Z", CLOTH) + part("M34 72C20 70 12 58 14 46 22 58 30 62 40 66Z", SHEEN),
    part("M34 70L-2 76 8 84-4 94 38 86Z", CLOTH),
  ][look.cloak];
  const crest = [
    "",
    part("M60 28C58 18 63 14 66 19 67 11 73 10 74 17 78 11 83 14 80 24Z", SHADE) + part("M80 44C86 46 86 54 81 56 77 53 77 48 80 44Z", SHADE),
    part("M62 26C50 26 42 22 36 14 48 16 60 14 72 20Z", CLOTH),
    part("M58 30L52 14 63 20 66 8 73 19 81 12 78 28Z", PALE),
  ][look.helm];
  const beak = [
    part("M84 33L100 38 84 43Z", PALE),
    part("M84 32L116 40 84 42Z", PALE),
    part("M83 30C94 28 102 34 100 48 95 42 90 42 83 43Z", PALE),
    part("M83 34C92 33 102 37 106 43 96 46 88 46 82 43Z", PALE),
  ][look.weapon];
  const breast = look.emblem % 2 ? seam("M58 70Q66 76 74 72M54 80Q64 87 72 81", SHEEN, 3) : tint("M48 84C62 90 74 82 77 68 80 84 66 98 48 94 42 90 42 84 48 84Z", PALE, 0.7);
  return {
    back: tail,
    legs:
      limb("M44 88L42 107", STRAP, 4) +
      limb("M58 88L60 107", STRAP, 4) +
      seam("M34 111L42 106 52 111M52 111L60 106 70 111", INK, 6.4) +
      seam("M34 111L42 106 52 111M52 111L60 106 70 111", STRAP, 3.2),
    farArm: "",
    torso: part("M24 76C22 60 38 54 52 52 70 48 84 58 82 74 80 90 64 98 48 97 34 96 24 88 24 76Z", COAT) + breast,
    head:
      crest +
      part("M56 62C58 50 54 44 57 34 60 23 74 20 82 27 90 35 86 46 82 50 78 56 84 62 78 68 70 74 58 72 56 62Z", COAT) +
      (look.emblem > 1 ? part("M57 54Q68 60 81 53L80 59Q68 66 56 60Z", PALE) : "") +
      beak +
      eyeAt(76, 34),
    nearArm: part("M28 64C38 54 58 56 64 66 62 80 46 88 20 92 26 86 20 82 28 64Z", CLOTH) + seam("M54 72Q44 80 30 83M50 66Q40 74 28 76", SHEEN, 2.6),
    over: "",
  };
}

/** Stooped and strong: long ears, one eye, a skull or a mask, and whatever they found to strike with. @param {any} look */
export function brute(look) {
  const weapon = [WEAPONS.axe, WEAPONS.spear, WEAPONS.mace, WEAPONS.pick][look.weapon];
  const skull = [
    part("M40 36C20 30 16 22 10 18 14 34 26 44 42 46Z", COAT) +
      part("M66 34C80 26 86 18 90 14 90 30 80 42 66 44Z", COAT) +
      part("M38 36C36 16 70 14 70 36 70 50 60 56 54 56 46 56 38 50 38 36Z", COAT) +
      eyeAt(58, 34) +
      eyeAt(46, 35, 2.8) +
      seam("M46 47Q55 52 65 46", INK, 2.4) +
      part("M49 48L51 42 54 48ZM60 48L62 42 65 46Z", BRIGHT),
    part("M36 34C34 12 72 12 72 36 74 52 62 58 54 58 44 58 36 50 36 34Z", COAT) +
      disc(58, 32, 7.5, BRIGHT) +
      '<circle cx="60" cy="32" r="3.2" fill="#14101a"/>' +
      seam("M50 24L68 22", INK, 3) +
      seam("M46 48H66", INK, 2.4) +
      part("M48 48L50 40 54 48ZM60 48L63 40 66 48Z", BRIGHT),
    part("M38 36C34 12 72 12 72 34L68 44 66 54H48L46 46Z", PALE) +
      tint("M48 36A5 5 0 1 1 58 36 5 5 0 1 1 48 36M61 35A4 4.5 0 1 1 69 35 4 4.5 0 1 1 61 35", INK) +
      disc(53, 36, 2, GLOW) +
      disc(65, 35, 1.8, GLOW) +
      seam("M52 48V54M57 48V54M62 48V54", INK, 2),
    part("M36 44C30 18 50 10 62 16 74 20 74 40 70 52 60 58 44 58 36 44Z", CLOTH) +
      part("M48 30L70 28C71 40 68 48 62 50 54 50 48 42 48 30Z", COAT) +
      eyeAt(63, 36, 2.8) +
      eyeAt(54, 37, 2.8),
  ][look.helm];
  const horns =
    look.emblem === 1 ? part("M40 26C30 22 28 12 32 4 36 14 42 18 48 20Z", PALE) + part("M66 22C72 18 74 10 71 3 80 10 80 22 72 28Z", PALE) : "";
  return {
    back: look.cloak === 1 ? part("M34 52C22 60 20 84 16 100L24 96 30 104 38 96 44 104 52 60Z", CLOTH) : "",
    legs:
      limb("M44 84L36 96 36 106", COAT, 10) +
      limb("M58 84L66 96 66 106", COAT, 10) +
      part("M27 104H43L45 112H24Z", STRAP) +
      part("M59 104H73L79 112H58Z", STRAP),
    farArm: limb("M66 58L78 68 80 80", COAT, 9.5) + disc(80, 82, 6, COAT),
    torso:
      part("M28 60C32 46 66 42 74 56 78 70 74 88 70 92 58 98 40 97 32 92 26 84 24 72 28 60Z", COAT) +
      tint("M40 62C48 56 62 56 68 62 70 74 66 84 60 88 48 88 40 80 40 62Z", SHEEN, 0.3) +
      part("M30 82Q52 92 72 82L76 98 64 94 56 102 46 95 36 101 28 96Z", LEATHER) +
      (look.cloak === 2 ? seam("M34 54L66 82", INK, 7) + seam("M34 54L66 82", STRAP, 4) : "") +
      part("M30 80Q52 90 72 80V86Q52 95 30 86Z", STRAP),
    head: horns + skull + (look.boss ? CROWN : ""),
    nearArm:
      turned(40, 84, 28, weapon) +
      limb("M36 60L28 72 38 84", COAT, 10.5) +
      disc(40, 84, 6.5, COAT) +
      (look.emblem > 1 ? part("M26 58C26 46 44 44 46 56 42 64 30 66 26 58Z", STEEL) + part("M30 48L32 38 38 46Z", BRIGHT) : ""),
    over: "",
  };
}

/** Soft and round: eyes, a crest, spots or drips. @param {any} look */
export function blob(look) {
  const crest = [
    part("M40 36C36 22 44 14 50 4 54 14 64 22 62 36Z", SHEEN),
    seam("M42 36C38 24 32 20 30 12M60 34C62 24 68 20 70 12", INK, 6) +
      seam("M42 36C38 24 32 20 30 12M60 34C62 24 68 20 70 12", COAT, 2.6) +
      disc(30, 11, 4.4, GLOW) +
      disc(70, 11, 4.4, GLOW),
    part("M30 42L26 24 40 32 50 16 60 32 74 24 70 42Z", CLOTH),
    part("M34 40C20 38 14 28 16 18 26 26 36 28 44 34ZM66 40C80 38 86 28 84 18 74 26 64 28 56 34Z", CLOTH),
  ][look.helm];
  const spots = [
    tint("M26 70A5 6 0 1 0 36 70 5 6 0 1 0 26 70M38 88A4 4 0 1 0 46 88 4 4 0 1 0 38 88M28 92A3 3 0 1 0 34 92 3 3 0 1 0 28 92", SHEEN, 0.8),
    tint("M20 88C36 98 66 98 82 86L84 98C70 108 34 108 18 100Z", CLOTH, 0.7),
    tint("M24 60C32 56 36 44 50 44 38 54 34 72 32 96 24 88 22 74 24 60Z", SHEEN, 0.5),
  ][look.cloak];
  const eyes = [
    disc(56, 62, 7.5, PALE) +
      disc(74, 61, 6.5, PALE) +
      '<circle cx="59" cy="62" r="3.4" fill="#14101a"/><circle cx="76" cy="61" r="3" fill="#14101a"/>',
    disc(66, 60, 10.5, PALE) + '<circle cx="69" cy="60" r="5" fill="#14101a"/>' + disc(67, 58, 1.4, "#fff"),
    eyeAt(56, 60, 4.4) + eyeAt(74, 60, 4.4) + seam("M50 53L60 57M80 53L71 57", INK, 2.6),
    eyeAt(50, 58, 3.4) + eyeAt(64, 55, 4) + eyeAt(77, 60, 3.4),
  ][look.weapon];
  const mouth =
    look.emblem % 2
      ? part("M54 74Q66 86 80 74C78 92 58 92 54 74Z", STRAP) + part("M58 76L61 82 64 77ZM70 78L73 83 76 76Z", BRIGHT)
      : seam("M54 76Q66 84 80 75", INK, 2.8);
  return {
    back: "",
    legs: part("M12 112C8 100 20 96 26 100 36 94 64 94 74 100 82 94 96 102 90 112Z", CLOTH),
    farArm: look.emblem > 1 ? limb("M80 72L92 68", COAT, 8) : "",
    torso:
      crest +
      part("M16 106C10 70 22 36 50 36 80 36 92 70 86 106 74 114 28 114 16 106Z", COAT) +
      spots +
      tint("M28 56C32 46 40 42 48 42 38 48 34 54 32 64Z", "#fff", 0.4),
    head: eyes + mouth + (look.boss ? CROWN : ""),
    nearArm: look.emblem > 1 ? limb("M30 78L20 70", COAT, 8) : "",
    over: "",
  };
}

/** Of stone, wood or iron, with a light in the breast. @param {any} look */
export function titan(look) {
  const face = [
    part("M40 40L42 16 62 14 70 24 68 42 54 48Z", STEEL) +
      tint("M44 20L60 18 56 42 46 40Z", BRIGHT, 0.6) +
      tint("M50 28H70V33H50Z", INK) +
      tint("M56 29H66V32H56Z", GLOW),
    part("M38 42C34 18 50 8 56 10 68 8 76 24 70 44L58 50Z", COAT) +
      part("M42 18L34 2 50 12ZM62 14L72 0 70 20Z", SHADE) +
      disc(62, 30, 4, GLOW) +
      disc(50, 31, 3.4, GLOW),
    part("M42 44V22L54 10 68 22V42L56 50Z", CLOTH) + part("M46 24L54 16 64 24V30H46Z", SHEEN) + disc(60, 35, 4.4, GLOW),
    part("M38 40C38 20 48 14 56 14 66 14 72 24 70 40L62 36 56 48 50 36Z", STEEL) +
      part("M54 14C50 2 60 -6 66 -8 64 2 66 8 62 16Z", GLOW) +
      tint("M60 28L68 27 66 32Z", GLOW) +
      tint("M50 29L56 28 55 33Z", GLOW),
  ][look.helm];
  const shoulder = [
    part("M20 64L18 44 36 36 50 46 46 64 32 70Z", STEEL) + tint("M24 48L36 41 44 48 34 56Z", BRIGHT, 0.6),
    part("M18 62C16 42 34 34 46 42 52 54 46 66 34 68Z", COAT) + part("M22 46L18 28 32 40ZM34 40L38 24 46 42Z", PALE),
    part("M18 66L22 46 30 34 34 46 40 32 44 46 50 60 34 70Z", SHEEN),
    part("M18 62C14 46 30 38 44 42 50 52 48 64 34 68 26 68 20 66 18 62Z", CLOTH) + part("M22 46C24 38 30 36 34 40M30 43C34 34 40 36 42 42", PALE),
  ][look.weapon];
  const core = [
    disc(56, 70, 8, GLOW),
    part("M56 58L66 70 56 82 46 70Z", GLOW),
    part("M48 62H64V78H48Z", GLOW),
    tint("M44 66L54 62 52 70 66 66 54 84 56 74 44 78Z", GLOW),
  ][look.emblem];
  return {
    back: look.cloak === 1 ? part("M30 48C16 60 12 90 8 104L18 100 26 108 34 98 50 60Z", CLOTH) : "",
    legs:
      part("M34 86L50 88 46 110 28 112Z", SHADE) +
      part("M56 88L72 84 80 110 60 112Z", SHADE) +
      part("M24 104H48L50 112H22Z", STEEL) +
      part("M57 104H80L84 112H56Z", STEEL),
    farArm: limb("M72 54L88 66 88 82", COAT, 12) + part("M80 80H97L99 96 88 100 79 94Z", STEEL),
    torso:
      part("M26 56L44 42 66 42 80 54 76 80 64 92H42L30 82Z", COAT) +
      tint("M52 44L66 44 78 54 75 78 64 88 58 88Z", SHEEN, 0.3) +
      core +
      seam("M34 62L44 68M72 60L66 66M40 82L48 80", INK, 2),
    head: face + (look.boss ? CROWN : ""),
    nearArm:
      limb("M34 58L22 74 26 88", COAT, 13.5) +
      part("M16 84L32 82 36 98 26 104 14 98Z", STEEL) +
      tint("M18 87L30 85 31 90 20 92Z", BRIGHT, 0.7) +
      shoulder,
    over: "",
  };
}

/** A horse and whoever rides it. @param {any} look */
export function rider(look) {
  const crest = [
    part("M46 22C40 8 28 10 26 18 34 18 42 22 46 28Z", COAT),
    part("M50 16L54 2 58 16Z", COAT),
    part("M44 18C36 16 33 8 36 2 40 10 46 12 52 14Z", PALE),
    part("M40 26C48 16 64 18 66 26Z", COAT),
  ][look.helm];
  const lance = [
    turned(44, 58, 62, limb("M0 40V-62", LEATHER, 3.2) + part("M-5 -60L0 -82 5 -60Z", BRIGHT)),
    turned(44, 58, 48, WEAPONS.sword),
    turned(44, 58, 40, WEAPONS.axe),
    turned(44, 58, 58, limb("M0 40V-62", LEATHER, 3.2) + part("M-5 -60L0 -82 5 -60Z", BRIGHT) + part("M3 -56L24 -50 3 -42Z", COAT)),
  ][look.weapon];
  const hide = [LEATHER, SHADE, PALE, DUSK][look.emblem];
  return {
    back: part("M14 78C2 80 0 96 6 106 10 98 14 92 22 90Z", STRAP),
    legs:
      limb("M28 90L22 100 26 108", hide, 7) +
      limb("M70 88L80 96 76 107", hide, 7) +
      limb("M36 92L38 102 34 109", hide, 7.5) +
      limb("M64 92L68 102 64 109", hide, 7.5),
    farArm: "",
    torso:
      part(
        "M14 80C14 68 30 68 46 70 60 70 66 66 72 50L78 34 84 26 88 36 100 48C102 56 96 58 90 56L86 54C84 66 82 80 78 88 64 98 26 98 18 92Z",
        hide,
      ) +
      part("M72 34C66 44 66 58 62 66 70 62 76 48 82 32Z", STRAP) +
      disc(88, 41, 2, INK) +
      part("M30 70H58L62 92 50 96 34 94Z", COAT) +
      tint("M34 86H60L61 91 50 94 35 92Z", GILT),
    head:
      limb("M44 68L48 84 56 88", CLOTH, 7) +
      part("M34 44C38 36 56 36 58 46L58 72H36Z", STEEL) +
      tint("M38 46C42 40 50 40 54 44L52 56 42 58Z", BRIGHT, 0.6) +
      disc(50, 29, 9.5, look.skin) +
      part("M39 31C38 14 62 14 61 29L56 26H48L46 36 41 36Z", STEEL) +
      crest,
    nearArm: lance + limb("M38 48L38 60 46 62", COAT, 7.5) + disc(46, 61, 4.4, STRAP),
    over: "",
  };
}

/** A machine on wheels that throws from afar. @param {any} look */
export function engine(look) {
  const barrel = [
    part("M22 74L82 46C92 44 98 54 90 60L34 92C22 94 16 82 22 74Z", SHADE) +
      tint("M28 76L82 50 85 54 32 82Z", BRIGHT, 0.5) +
      part("M78 46L86 42 98 62 90 66Z", STEEL),
    limb("M30 88L76 28", LEATHER, 6) + part("M66 24C70 12 88 16 88 28 84 38 70 36 66 24Z", STRAP) + disc(78, 20, 7, STEEL),
    part("M18 70H74V86H22Z", LEATHER) +
      limb("M64 54C84 62 88 74 84 92", LEATHER, 4) +
      seam("M66 55L30 77 83 91", PALE, 1.6) +
      limb("M30 77H92", LEATHER, 3) +
      part("M90 71L104 77 90 83Z", BRIGHT),
    part("M20 78L76 44 90 62 36 94Z", STEEL) + seam("M30 76L40 90M46 66L56 80M62 56L72 70", INK, 3),
  ][look.weapon];
  return {
    back: part("M22 62V22L46 28 22 36Z", COAT) + limb("M20 92V18", LEATHER, 3),
    legs: "",
    farArm: "",
    torso: part("M10 88H82L88 100H14Z", LEATHER) + tint("M14 91H82L84 95H15Z", DUSK, 0.5) + part("M44 90L52 66 62 90Z", STRAP),
    head: "",
    nearArm: barrel,
    over: [26, 70]
      .map(
        (x) =>
          disc(x, 98, 14, STRAP) +
          disc(x, 98, 10, look.helm % 2 ? COAT : DUSK) +
          seam(`M${x} 88V108M${x - 10} 98H${x + 10}M${x - 7} 91L${x + 7} 105M${x + 7} 91L${x - 7} 105`, STRAP, 2.4) +
          disc(x, 98, 3.6, look.cloak ? GILT : STEEL),
      )
      .join(""),
  };
}
