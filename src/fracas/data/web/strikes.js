// @ts-check
/** The eight effects between bodies, in transforms and opacity only; each says when it meets its target. @module */

import { svg } from "./dom.js";
import { chances } from "./shapes.js";

/**
 * @typedef {{ x: number, y: number, foot: number, h: number, colour: string }} Point A body's middle, its feet's y, its height.
 * @typedef {(text: string, keyframes: any[], timing: any) => void} Draw Adds a drawing that moves.
 * @typedef {{ hit: number, end: number }} Beat Milliseconds at speed 1 until it meets its target, and until it is over.
 */

const RIM = 'stroke="var(--outline)" stroke-width="1.5"';
const DEGREES = 180 / Math.PI;

/** @param {number} x @param {number} y @param {number} [scale] @param {number} [turn] */
const stood = (x, y, scale = 1, turn = 0) =>
  `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) rotate(${turn.toFixed(1)}deg) scale(${scale.toFixed(3)})`;

/** Splinters around a hit. @param {Draw} draw @param {Point} at @param {number} size @param {string} colour @param {number} delay @param {number} [count] */
function sparks(draw, { x, y }, size, colour, delay, count = 7) {
  for (let spark = 0; spark < count; spark += 1) {
    const turn = (spark * 2 * Math.PI) / count + 0.4;
    const reach = (26 + (spark % 3) * 14) * size;
    const [dx, dy] = [Math.cos(turn) * reach, Math.sin(turn) * reach];
    const shape = `<path d="M-9 0L0-2.200 9 0 0 2.200Z" fill="${spark % 2 ? "#fff" : colour}" stroke="var(--outline)" stroke-width=".6"/>`;
    const frames = [
      { transform: stood(x, y, 0.4 * size, turn * DEGREES), opacity: 0 },
      { transform: stood(x + 0.4 * dx, y + 0.4 * dy, 1.1 * size, turn * DEGREES), opacity: 1, offset: 0.25 },
      { transform: stood(x + dx, y + dy, 0.3 * size, turn * DEGREES), opacity: 0 },
    ];
    draw(shape, frames, { delay, duration: 420 });
  }
}

/** A blade's way. @param {Draw} draw @param {Point} from @param {Point} to @param {number} weight @returns {Beat} */
function slash(draw, from, to, weight) {
  const { x, y } = to;
  const size = (to.h / 120) * weight;
  const way = Math.sign(to.x - from.x) || 1;
  const cut =
    `<path d="M-62-46C-8-52 44-14 56 52 28 6-14-24-62-46Z" fill="#fff" ${RIM}/>` +
    `<path d="M-48-36C-6-34 30-6 48 36 20 2-12-20-48-36Z" fill="${from.colour}"/>`;
  const turned = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ scale) =>
    `${stood(x + dx * way * size, y + dy * size, scale * size)} scaleX(${way})`;
  const frames = [
    { transform: turned(-18, -18, 0.35), opacity: 0 },
    { transform: turned(0, 0, 1.05), opacity: 1, offset: 0.3 },
    { transform: turned(0, 0, 1.1), opacity: 1, offset: 0.55 },
    { transform: turned(12, 14, 1.18), opacity: 0 },
  ];
  draw(cut, frames, { delay: 60, duration: 430 });
  sparks(draw, to, size, from.colour, 150);
  return { hit: 150, end: 520 };
}

/** @param {Draw} draw @param {Point} from @param {Point} to @param {number} weight @returns {Beat} */
function arrow(draw, from, to, weight) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const reach = Math.hypot(dx, dy);
  const duration = Math.min(360, 150 + 0.28 * reach);
  const rise = Math.min(60, 0.1 * reach);
  const flight = Array.from({ length: 9 }, (_, step) => {
    const [share, arc] = [step / 8, (step / 8) * Math.PI];
    const turn = Math.atan2(dy - Math.cos(arc) * Math.PI * rise, dx) * DEGREES;
    return { transform: stood(from.x + dx * share, from.y + dy * share - Math.sin(arc) * rise, 1.15, turn), opacity: 1, offset: step / 8.2 };
  });
  const shaft =
    '<path d="M-90-2.500L-20 0-90 2.500Z" fill="#fff" opacity=".5"/><path d="M-30-1.800H18V1.800H-30Z" fill="#7a5433" stroke="var(--outline)"/>' +
    `<path d="M16-7L36 0 16 7 20 0Z" fill="#eef3fb" ${RIM}/><path d="M-36-7L-22-1.500V1.500L-36 7-31 0Z" fill="${from.colour}" stroke="var(--outline)"/>`;
  draw(shaft, [...flight, { ...flight[8], opacity: 0, offset: 1 }], { duration, easing: "linear", delay: 40 });
  const size = (to.h / 120) * weight;
  const splash = `<path d="M0-30L6-8 26-16 10 0 28 14 7 9 0 32-7 9-28 14-10 0-26-16-6-8Z" fill="#fff" ${RIM}/>`;
  const frames = [
    { transform: stood(to.x, to.y, 0.2 * size), opacity: 0 },
    { transform: stood(to.x, to.y, 1.05 * size, 14), opacity: 1, offset: 0.3 },
    { transform: stood(to.x, to.y, 1.2 * size, 20), opacity: 0 },
  ];
  draw(splash, frames, { delay: duration + 30, duration: 300 });
  sparks(draw, to, size, from.colour, duration + 40, 6);
  return { hit: duration + 40, end: duration + 420 };
}

/** Lightning. @param {Draw} draw @param {Point} from @param {Point} to @param {number} weight @returns {Beat} */
function bolt(draw, from, to, weight) {
  const chance = chances(Math.round(from.x * 7 + to.y));
  const path = (/** @type {number} */ spread) => {
    const corners = Array.from({ length: 8 }, (_, at) => {
      const [share, off] = [(at + 1) / 9, (chance() - 0.5) * spread];
      const x = from.x + (to.x - from.x) * share - ((to.y - from.y) / 400) * off;
      return `L${x.toFixed(1)} ${(from.y + (to.y - from.y) * share + off).toFixed(1)}`;
    });
    return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}${corners.join("")}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  };
  const line = (/** @type {string} */ d, /** @type {string} */ colour, /** @type {number} */ width) =>
    `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width.toFixed(1)}" stroke-linejoin="round"/>`;
  const [main, side] = [path(70), path(110)];
  const shape = line(main, "#7d6bffaa", 14 * weight) + line(main, "#d9d2ff", 6 * weight) + line(main, "#fff", 2.5 * weight);
  draw(shape, [{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 0.25, offset: 0.35 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], {
    delay: 100,
    duration: 420,
  });
  draw(line(side, "#cfc6ff", 2), [{ opacity: 0 }, { opacity: 0.9, offset: 0.4 }, { opacity: 0 }], { delay: 130, duration: 300 });
  const size = (to.h / 120) * weight;
  const frames = [
    { transform: stood(to.x, to.y, 0.2 * size), opacity: 0 },
    { transform: stood(to.x, to.y, size), opacity: 1, offset: 0.3 },
    { transform: stood(to.x, to.y, 1.5 * size), opacity: 0 },
  ];
  draw('<circle r="30" fill="#8f7dff" opacity=".45"/><circle r="14" fill="#fff"/>', frames, { delay: 140, duration: 360 });
  sparks(draw, to, size, "#b9adff", 170, 8);
  return { hit: 170, end: 560 };
}

const FLAMES =
  '<path d="M0-58L14-30 44-44 34-14 62 0 34 14 46 44 14 32 0 60-14 32-46 44-34 14-62 0-34-14-44-44-14-30Z" fill="#ff7a2f" stroke="var(--outline)" stroke-width="2"/>' +
  '<path d="M0-36L9-16 28-26 20-8 38 0 20 9 28 27 9 18 0 36-9 18-28 27-20 9-38 0-20-8-28-26-9-16Z" fill="#ffd65c"/><circle r="13" fill="#fff8dc"/>';

/** @param {Draw} draw @param {Point} from @param {Point} to @param {number} weight @returns {Beat} */
function burst(draw, from, to, weight) {
  const size = (to.h / 120) * weight;
  const turn = Math.atan2(to.y - from.y, to.x - from.x) * DEGREES;
  const flight = [
    { transform: stood(from.x, from.y, 0.6, turn), opacity: 1 },
    { transform: stood(to.x, to.y, 1.1, turn), opacity: 1, offset: 0.97 },
    { transform: stood(to.x, to.y), opacity: 0 },
  ];
  const ball = `<path d="M-60 0Q-20-13 0-13A13 13 0 0 1 0 13Q-20 13-60 0Z" fill="#ff8a3c" opacity=".85"/><circle r="12" fill="#ffe08a" ${RIM}/>`;
  draw(ball, flight, { duration: 220, easing: "ease-in" });
  const bloom = [
    { transform: stood(to.x, to.y, 0.15 * size), opacity: 0 },
    { transform: stood(to.x, to.y, 0.74 * size, 12), opacity: 1, offset: 0.3 },
    { transform: stood(to.x, to.y, 0.78 * size, 20), opacity: 1, offset: 0.5 },
    { transform: stood(to.x, to.y, 0.95 * size, 34), opacity: 0 },
  ];
  draw(FLAMES, bloom, { delay: 220, duration: 500 });
  const ring = [
    { transform: stood(to.x, to.foot, 0.2 * size), opacity: 0 },
    { transform: stood(to.x, to.foot, 0.9 * size), opacity: 0.9, offset: 0.35 },
    { transform: stood(to.x, to.foot, 1.5 * size), opacity: 0 },
  ];
  draw('<ellipse rx="60" ry="22" fill="none" stroke="#ffd65c" stroke-width="4"/>', ring, { delay: 220, duration: 540 });
  sparks(draw, to, 1.3 * size, "#ffb04a", 260, 8);
  return { hit: 280, end: 760 };
}

/** Life flows back to whoever draws it. @param {Draw} draw @param {Point} from @param {Point} to @param {number} weight @returns {Beat} */
function beam(draw, from, to, weight) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const reach = Math.hypot(dx, dy).toFixed(1);
  const half = (Number(reach) / 2).toFixed(1);
  const base = `translate(${from.x.toFixed(1)}px,${from.y.toFixed(1)}px) rotate(${(Math.atan2(dy, dx) * DEGREES).toFixed(1)}deg) `;
  const [thin, wide] = [(7 * weight).toFixed(1), (17 * weight).toFixed(1)];
  const ray =
    `<path d="M0-${thin}Q${half}-${wide} ${reach}-${thin}V${thin}Q${half} ${wide} 0 ${thin}Z" fill="#e0467f" opacity=".55"/>` +
    `<path d="M0-4Q${half}-9 ${reach}-3V3Q${half} 9 0 4Z" fill="#ffd3e4"/>`;
  const frames = [
    { transform: `${base}scale(.02,1)`, opacity: 0 },
    { transform: `${base}scale(1,1)`, opacity: 1, offset: 0.25 },
    { transform: `${base}scale(1,.8)`, opacity: 1, offset: 0.7 },
    { transform: `${base}scale(1,.05)`, opacity: 0 },
  ];
  draw(ray, frames, { delay: 60, duration: 620 });
  for (let drop = 0; drop < 5; drop += 1) {
    const way = [
      { transform: stood(to.x, to.y + (drop - 2) * 9, 0.3), opacity: 0 },
      { transform: stood(to.x - 0.2 * dx, to.y - 0.2 * dy + (drop - 2) * 10, 1.2), opacity: 1, offset: 0.3 },
      { transform: stood(from.x, from.y, 0.5), opacity: 0 },
    ];
    draw(`<circle r="7" fill="#ff6d9f" ${RIM}/><circle cx="-2" cy="-2" r="2.200" fill="#fff"/>`, way, { delay: 210 + 60 * drop, duration: 440, passes: true });
  }
  sparks(draw, to, (to.h / 120) * weight * 0.8, "#ff6d9f", 200, 6);
  return { hit: 220, end: 840 };
}

/** @param {Draw} draw @param {Point} from @param {Point} to @param {number} weight @returns {Beat} */
function heal(draw, from, to, weight) {
  const [x, y, size] = [to.x, to.foot, to.h / 120];
  const grown = (/** @type {number} */ scale, /** @type {number} */ opacity) => ({ transform: stood(x, y, scale * size), opacity });
  const pool = '<ellipse rx="46" ry="16" fill="#6fe39a" opacity=".35"/><ellipse rx="46" ry="16" fill="none" stroke="#c9ffdb" stroke-width="3"/>';
  draw(pool, [grown(0.3, 0), { ...grown(1.1, 1), offset: 0.3 }, grown(1.2, 0)], { delay: 100, duration: 850 });
  draw('<path d="M-34 0L-26-118H26L34 0Z" fill="#9bf0b8" opacity=".28"/>', [grown(1, 0), { ...grown(1, 1), offset: 0.3 }, grown(1, 0)], {
    delay: 100,
    duration: 750,
  });
  for (let plus = 0; plus < 7; plus += 1) {
    const left = x + (((plus * 37) % 64) - 32) * size;
    const scale = (0.55 + (plus % 3) * 0.25) * size * Math.min(1.3, weight);
    const rise = [
      { transform: stood(left, y - 8 * size, 0.4 * scale), opacity: 0 },
      { transform: stood(left, y - (34 + 5 * plus) * size, scale), opacity: 1, offset: 0.35 },
      { transform: stood(left, y - (92 + 6 * plus) * size, 0.7 * scale), opacity: 0 },
    ];
    draw('<path d="M-4-12H4V-4H12V4H4V12H-4V4H-12V-4H-4Z" fill="#b9ffd0" stroke="#0d4a28" stroke-width="2"/>', rise, {
      delay: 120 + 50 * plus,
      duration: 700,
    });
  }
  return { hit: 280, end: 1050 };
}

const CAGE =
  '<path d="M-62 4C-66-84-30-124 0-124S66-84 62 4Q0 26-62 4Z" fill="#7cc6ff" opacity=".24"/><path d="M-62 4C-66-84-30-124 0-124S66-84 62 4" fill="none" stroke="#d8f1ff" stroke-width="4"/>' +
  '<path d="M-62 4Q0 26 62 4M-60-36Q0-16 60-36M-50-78Q0-60 50-78M0-124V15M-26-117Q-44-60-32 11M26-117Q44-60 32 11" fill="none" stroke="#bfe6ff" stroke-width="1.700" opacity=".85"/>' +
  '<path d="M-46-50Q-40-92-16-108" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round"/>';

/** @param {Draw} draw @param {Point} from @param {Point} to @returns {Beat} */
function dome(draw, from, to) {
  const grown = (/** @type {number} */ scale, /** @type {number} */ opacity) => ({
    transform: stood(to.x, to.foot, (scale * to.h) / 120),
    opacity,
  });
  draw(CAGE, [grown(0.25, 0), { ...grown(1.12, 1), offset: 0.3 }, { ...grown(1, 1), offset: 0.6 }, grown(1, 0)], { delay: 80, duration: 880 });
  return { hit: 260, end: 960 };
}

/** @param {Draw} draw @param {Point} from @param {Point} to @returns {Beat} */
function poison(draw, from, to) {
  const [x, size] = [to.x, to.h / 120];
  const pool = (/** @type {number} */ scale, /** @type {number} */ opacity) => ({ transform: stood(x, to.foot, scale * size), opacity });
  const puddle = '<ellipse rx="34" ry="11" fill="#6f9f2a" opacity=".75"/><ellipse cx="-8" cy="-2" rx="10" ry="3" fill="#d5f59a" opacity=".7"/>';
  draw(puddle, [pool(0.2, 0), { ...pool(1.1, 1), offset: 0.4 }, pool(1.2, 0)], { delay: 220, duration: 720 });
  for (let drip = 0; drip < 6; drip += 1) {
    const left = x + (((drip * 29) % 60) - 30) * size;
    const fall = [
      { transform: stood(left, to.y - 64 * size, 0.3 * size), opacity: 0 },
      { transform: stood(left, to.y - 48 * size, 0.95 * size), opacity: 1, offset: 0.3 },
      { transform: stood(left, to.y + 10 * size, 0.95 * size), opacity: 1, offset: 0.8 },
      { transform: stood(left, to.y + 30 * size, 0.5 * size), opacity: 0 },
    ];
    const drop =
      '<path d="M0-17C8-4 10 1 10 7A10 9.500 0 0 1-10 7C-10 1-8-4 0-17Z" fill="#9bdc4a" stroke="var(--outline)" stroke-width="1.800"/>' +
      '<path d="M-4 2Q-6 8-2 11" stroke="#f2ffd8" stroke-width="2.400" fill="none" stroke-linecap="round"/>';
    draw(drop, fall, { delay: 65 * drip, duration: 600, easing: "ease-in" });
  }
  return { hit: 360, end: 960 };
}

/** By the names that content and tables use. @type {Record<string, (draw: Draw, from: Point, to: Point, weight: number) => Beat>} */
const STRIKES = { slash, arrow, bolt, burst, beam, heal, dome, poison };

/** The names of the eight effects. */
export const STRIKE_NAMES = Object.keys(STRIKES);

/**
 * Draw an effect.
 *
 * @param {string} name
 * @param {any} layer The element of effects, which is as large as the stage.
 * @param {Point} from
 * @param {Point} to
 * @param {number} weight
 * @param {{ start: number, speed: number, calm: boolean }} timing When it begins; whether it stands still at its peak.
 * @returns {Beat & { moves: any[] }}
 */
export function strike(name, layer, from, to, weight, { start, speed, calm }) {
  /** @type {any[]} */
  const moves = [];
  const beat = STRIKES[name](
    (text, keyframes, { delay = 0, duration, easing = "ease-out", passes = false }) => {
      // Drops on their way would hang in the air.
      if (calm && passes) return;
      const drawn = svg("g");
      drawn.innerHTML = text;
      layer.append(drawn);
      if (calm) {
        const peak = keyframes.reduce((best, each) => ((each.opacity ?? 1) >= (best.opacity ?? 1) ? each : best));
        if (peak.transform !== undefined) drawn.style.transform = peak.transform;
        return;
      }
      moves.push(drawn.animate(keyframes, { fill: "both", easing, delay: (start + delay) / speed, duration: duration / speed }));
    },
    from,
    to,
    weight,
  );
  return { ...beat, moves };
}
