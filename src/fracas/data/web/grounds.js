// @ts-check
/** The ground of a scenario: sky or walls, skyline, floor and what stands there, all from the scenario's seed. @module */

import { svg } from "./dom.js";
import { chances, numberOf } from "./shapes.js";

/** Words of names and the grounds they mean. @type {[RegExp, string][]} */
const GROUND_WORDS = [
  [/bridge|toll|pass\b/i, "bridge"],
  [/ford|river|fen|marsh|swamp|lake|coast|water|tide|mire/i, "ford"],
  [/warren|cave|mine|den\b|burrow|tunnel|crypt|cellar|deep|nest|hollow|sewer|trap/i, "warren"],
  [/hall|keep|throne|court|temple|foundry|forge|library|vault|shelf|chapel|rest|treasure/i, "hall"],
  [/tower|gate|castle|siege|wall|fort|last/i, "tower"],
];
/** The grounds, and where one is on them. @type {Record<string, string>} */
const WHERE = { bridge: "on the bridge", ford: "at the ford", tower: "at the tower", hall: "in the hall", warren: "in the warren" };
const GROUNDS = Object.keys(WHERE);

/**
 * The kind of ground of a place; where its name says nothing that of the whole, and else a number decides.
 *
 * @param {string} place
 * @param {string} [whole]
 */
export function groundKind(place, whole = "") {
  const found = [place, whole].map((name) => GROUND_WORDS.find(([words]) => words.test(name))).find((each) => each !== undefined);
  return found === undefined ? GROUNDS[numberOf(whole || place) % GROUNDS.length] : found[1];
}

/** Where one is on the ground of a place. @param {string} place @param {string} whole */
export const onGround = (place, whole) => WHERE[groundKind(place, whole)];

/** How many grounds a page has drawn; names of gradients belong to the page. */
let groundsDrawn = 0;

/** @param {number} value */
const short = (value) => value.toFixed(1);

/** What draws one ground. */
class Painter {
  /** @param {number} width @param {number} height @param {number} horizon @param {string} seed */
  constructor(width, height, horizon, seed) {
    [this.width, this.height, this.horizon] = [width, height, horizon];
    const chance = chances(numberOf(seed));
    this.between = (/** @type {number} */ low, /** @type {number} */ high) => low + (high - low) * chance();
    groundsDrawn += 1;
    this.name = `ground-${groundsDrawn}`;
    /** How large things at the horizon are. */
    this.unit = Math.min(1, width / 1100) * Math.max(0.6, horizon / 300);
    this.text = "";
  }

  /** @param {string} text */
  add(text) {
    this.text += text;
  }

  /** @param {string} name */
  fill(name) {
    return `url(#${this.name}-${name})`;
  }

  gradients() {
    const stops = (/** @type {[number, string, number?][]} */ ...all) =>
      all.map(([offset, colour, opacity = 1]) => `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join("");
    const down = (/** @type {string} */ name, /** @type {string} */ inner) =>
      `<linearGradient id="${this.name}-${name}" x2="0" y2="1">${inner}</linearGradient>`;
    const round = (/** @type {string} */ name, /** @type {string} */ inner) => `<radialGradient id="${this.name}-${name}">${inner}</radialGradient>`;
    this.add(
      "<defs>" +
        down("sky", stops([0, "var(--sky1)"], [0.45, "var(--sky2)"], [0.8, "var(--sky3)"], [1, "var(--sky4)"])) +
        down("floor", stops([0, "var(--floor1)"], [1, "var(--floor2)"])) +
        down("wall", stops([0, "var(--rock2)"], [1, "var(--rock1)"])) +
        down("water", stops([0, "var(--water)"], [1, "var(--water2)"])) +
        round("sun", stops([0, "var(--sun)", 0.8], [1, "var(--sun)", 0])) +
        round("lamp", stops([0, "var(--lamp)", 0.75], [1, "var(--lamp)", 0])) +
        `<radialGradient id="${this.name}-edge" cx=".5" cy=".52" r=".75">${stops([0.55, "#000", 0], [1, "var(--edge)"])}</radialGradient>` +
        "</defs>",
    );
  }

  /** A line of hills. @param {number} y @param {number} rise @param {number} peaks */
  ridge(y, rise, peaks) {
    let [line, at] = [`M-20 ${this.horizon}`, 0];
    for (let peak = 0; peak <= peaks; peak += 1) {
      at = at * 0.5 + this.between(-1, 1) * rise;
      line += `L${short(-20 + ((this.width + 40) * peak) / peaks)} ${short(y + at)}`;
    }
    return `${line}L${this.width + 20} ${this.horizon}Z`;
  }

  sky() {
    const { width, horizon } = this;
    this.add(`<rect width="${width}" height="${horizon + 2}" fill="${this.fill("sky")}"/><g class="night">`);
    for (let star = 0; star < 60; star += 1) {
      const [x, y] = [this.between(0, width), this.between(0, horizon * 0.6)];
      this.add(`<circle cx="${short(x)}" cy="${short(y)}" r="${short(this.between(0.5, 1.5))}" opacity="${short(this.between(0.3, 0.9))}"/>`);
    }
    const [r, x, y] = [Math.min(width * 0.07, horizon * 0.2), width * this.between(0.36, 0.64), horizon * 0.66];
    this.add(
      `</g><circle cx="${short(x)}" cy="${short(y)}" r="${short(r * 4.4)}" fill="${this.fill("sun")}"/><circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="var(--sun)"/>`,
    );
    for (let cloud = 0; cloud < 5; cloud += 1) {
      const [cx, cy, w] = [this.between(0, width), this.between(horizon * 0.18, horizon * 0.55), this.between(60, 150) * Math.max(0.5, this.unit)];
      const left = `M${short(cx - w)} ${short(cy)}Q${short(cx - w * 0.5)} ${short(cy - 14)} ${short(cx - w * 0.2)} ${short(cy - 9)}`;
      const right = `Q${short(cx + w * 0.1)} ${short(cy - 26)} ${short(cx + w * 0.45)} ${short(cy - 9)}Q${short(cx + w * 0.8)} ${short(cy - 12)} ${short(cx + w)} ${short(cy)}Z`;
      this.add(`<path d="${left}${right}" fill="var(--sky4)" opacity=".28"/>`);
    }
    this.add(
      `<path d="${this.ridge(horizon * 0.66, horizon * 0.09, 14)}" fill="var(--hill1)"/><path d="${this.ridge(horizon * 0.78, horizon * 0.05, 22)}" fill="var(--hill2)"/>`,
    );
    let trees = "";
    for (let at = 0; at < width / 13; at += 1) {
      const tree = at * 13 + this.between(-5, 5);
      const off = Math.abs(tree - width / 2) / (width / 2);
      const rise = this.between(10, 22) * (0.45 + off * 1.3) * Math.max(0.6, this.unit);
      if (off > 0.12)
        trees += `M${short(tree - rise * 0.3)} ${short(horizon - 2)}L${short(tree)} ${short(horizon - 14 - rise)}L${short(tree + rise * 0.3)} ${short(horizon - 2)}Z`;
    }
    this.add(`<path d="${trees}" fill="var(--hill3)"/>`);
  }

  /** A drawing that stands on the horizon. @param {number} x @param {number} size @param {string} drawn */
  stood(x, size, drawn) {
    this.add(`<g transform="translate(${short(x)} ${short(this.horizon)}) scale(${short(this.unit * size)})">${drawn}</g>`);
  }

  /** The camp of side 1 and the tower of side 2, each with its flag. */
  camps() {
    const camp =
      '<path d="M-70 0L-24-78 20 0ZM0 0L38-56 78 0Z" fill="var(--far)"/><path d="M-24-78L-34 0H-12Z" fill="var(--hill1)"/>' +
      '<path d="M-24-78V-112" stroke="var(--far)" stroke-width="4"/><path d="M-22-112L14-102-22-90Z" fill="var(--side1)"/>';
    this.stood(this.width * 0.1, 1.25, camp);
    this.stood(this.width * 0.89, 1.25, TOWER);
  }

  /** A floor of flags, boards or earth that runs to the horizon. @param {number} courses @param {number} across */
  floor(courses = 9, across = 9) {
    const { width, height, horizon } = this;
    this.add(`<rect y="${horizon}" width="${width}" height="${height - horizon}" fill="${this.fill("floor")}"/>`);
    const top = horizon - (height - horizon) * 0.75;
    let [joints, y, step] = ["", horizon + 14, (13 * 9) / courses];
    const rows = [];
    while (y < height + 40) {
      rows.push(y);
      y += step;
      step *= 1.24;
    }
    rows.forEach((start, row) => {
      const end = rows[row + 1] ?? height + 60;
      const [near, far] = [(start - top) / (height - top), (end - top) / (height - top)];
      const gap = width / across;
      joints += `M0 ${short(start)}H${width}`;
      for (let column = -16; column <= 16; column += 1) {
        const x = (column + (row % 2 ? 0.5 : 0)) * gap + this.between(-6, 6);
        const [x1, x2] = [width / 2 + x * near, width / 2 + x * far];
        if (Math.max(x1, x2) < -gap || Math.min(x1, x2) > width + gap) continue;
        joints += `M${short(x1)} ${short(start)}L${short(x2)} ${short(end)}`;
        if (this.between(0, 1) < 0.2) {
          const other = `H${short(width / 2 + (x + gap) * far)}L${short(width / 2 + (x + gap) * near)} ${short(start)}Z`;
          this.add(
            `<path d="M${short(x1)} ${short(start)}L${short(x2)} ${short(end)}${other}" fill="${this.between(0, 1) < 0.5 ? "var(--top)" : "var(--joint)"}" opacity=".16"/>`,
          );
        }
      }
    });
    this.add(`<path d="${joints}" fill="none" stroke="var(--joint)" stroke-width="1.6" opacity=".5"/>`);
    this.glow();
  }

  glow() {
    const { width, height, horizon } = this;
    this.add(
      `<ellipse cx="${width / 2}" cy="${short(horizon + (height - horizon) * 0.34)}" rx="${short(width * 0.34)}" ry="${short((height - horizon) * 0.36)}" fill="${this.fill("sun")}" opacity=".3"/>`,
    );
  }

  /** Earth with stones and tufts. */
  earth() {
    const { width, height, horizon } = this;
    this.add(`<rect y="${horizon}" width="${width}" height="${height - horizon}" fill="${this.fill("floor")}"/>`);
    for (let at = 0; at < 46; at += 1) {
      const share = this.between(0, 1) ** 1.4;
      const [x, y, size] = [this.between(0, width), horizon + 6 + (height - horizon - 8) * share, 4 + 15 * share];
      if (at % 3)
        this.add(
          `<path d="M${short(x - size)} ${short(y)}L${short(x - size * 0.5)} ${short(y - size)}L${short(x)} ${short(y)}L${short(x + size * 0.3)} ${short(y - size * 1.2)}L${short(x + size * 0.8)} ${short(y)}Z" fill="var(--grass)" opacity=".75"/>`,
        );
      else
        this.add(
          `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(size)}" ry="${short(size * 0.45)}" fill="var(--joint)" opacity=".5"/><ellipse cx="${short(x)}" cy="${short(y - size * 0.15)}" rx="${short(size * 0.8)}" ry="${short(size * 0.3)}" fill="var(--top)" opacity=".35"/>`,
        );
    }
    this.glow();
  }

  /** A lamp or torch with its light. @param {number} x @param {number} y @param {number} [size] */
  lamp(x, y, size = 1) {
    const shape = '<path d="M-7 16L-9-6H9L7 16Z" fill="var(--lamp)"/><path d="M-12-5L0-16 12-5Z" fill="var(--wall2)"/>';
    this.add(
      `<g transform="translate(${short(x)} ${short(y)}) scale(${size})"><circle class="lamp" r="46" fill="${this.fill("lamp")}"/>${shape}</g>`,
    );
  }

  bridge() {
    const { width, height, horizon } = this;
    this.sky();
    const [y, span, arches] = [horizon - horizon * 0.15, width * 0.34, 5];
    const left = width * 0.5 - span / 2;
    let far = `M${short(left - 30)} ${short(y + 4)}Q${short(width / 2)} ${short(y - 16)} ${short(left + span + 30)} ${short(y + 4)}V${horizon}H${short(left - 30)}Z`;
    for (let arch = 0; arch < arches; arch += 1) {
      const [x, w] = [left + (span * arch) / arches + 6, span / arches - 12];
      far += `M${short(x)} ${horizon}V${short(y + 20)}A${short(w / 2)} ${short(w / 2.4)} 0 0 1 ${short(x + w)} ${short(y + 20)}V${horizon}Z`;
    }
    this.add(`<rect y="${horizon - 18}" width="${width}" height="20" fill="var(--water)"/><path fill-rule="evenodd" d="${far}" fill="var(--far)"/>`);
    this.glints(horizon - 15, horizon - 2, 14);
    this.camps();
    this.floor();
    const rise = Math.max(14, height * 0.034);
    this.add(
      `<rect y="${short(horizon - rise)}" width="${width}" height="${short(rise + 8)}" fill="var(--wall)"/><rect y="${short(horizon - rise)}" width="${width}" height="5" fill="var(--top)"/><rect y="${horizon + 3}" width="${width}" height="9" fill="var(--wall2)"/>`,
    );
    const posts = Math.max(3, Math.round(width / 230));
    for (let post = 0; post <= posts; post += 1) {
      const x = (width * post) / posts;
      this.add(
        `<rect x="${short(x - 13)}" y="${short(horizon - rise - 12)}" width="26" height="${short(rise + 24)}" fill="var(--wall2)"/><rect x="${short(x - 16)}" y="${short(horizon - rise - 18)}" width="32" height="8" rx="2" fill="var(--top)"/>`,
      );
      if (post % 2) this.lamp(x, horizon - rise - 35);
    }
    const size = width > 700 ? 1 : 0.6;
    const pole =
      '<path d="M-150-6H26V6H-150Z" fill="var(--pale)"/><path d="M-140-6H-118L-124 6H-146ZM-96-6H-74L-80 6H-102ZM-52-6H-30L-36 6H-58ZM-8-6H14L8 6H-14Z" fill="#c2483a"/>';
    this.add(
      `<g transform="translate(${short(width * 0.5 + 150 * size)} ${horizon + 4}) scale(${size})"><path d="M-7 6V-58H7V6Z" fill="var(--wall2)"/><g transform="translate(0 -46) rotate(52)">${pole}</g></g>`,
    );
  }

  /** Light on water. @param {number} top @param {number} bottom @param {number} count */
  glints(top, bottom, count) {
    for (let at = 0; at < count; at += 1) {
      const [x, w] = [this.between(this.width * 0.05, this.width * 0.95), this.between(10, 50)];
      this.add(`<rect x="${short(x)}" y="${short(this.between(top, bottom))}" width="${short(w)}" height="1.6" fill="var(--glint)" opacity=".55"/>`);
    }
  }

  ford() {
    const { width, height, horizon } = this;
    this.sky();
    this.camps();
    this.earth();
    // The river comes towards us and widens.
    const [top, bottom] = [horizon + 2, height];
    const bank = (/** @type {number} */ side) =>
      `C${short(width * (0.5 + side * 0.1))} ${short(top + (bottom - top) * 0.25)} ${short(width * (0.5 + side * 0.04))} ${short(top + (bottom - top) * 0.5)} ${short(width * (0.5 + side * 0.2))} ${bottom}`;
    const river = `M${short(width * 0.46)} ${top}${bank(-1)}H${short(width * 0.7)}C${short(width * 0.54)} ${short(top + (bottom - top) * 0.5)} ${short(width * 0.6)} ${short(top + (bottom - top) * 0.25)} ${short(width * 0.54)} ${top}Z`;
    this.add(`<path d="${river}" fill="${this.fill("water")}" stroke="var(--joint)" stroke-width="3"/>`);
    for (let at = 0; at < 15; at += 1) {
      const share = this.between(0.05, 1);
      const half = width * (0.035 + 0.12 * share);
      const [x, w] = [width / 2 + this.between(-half, half), (14 + 40 * share) * Math.max(0.5, this.unit)];
      this.add(
        `<rect x="${short(x - w / 2)}" y="${short(top + (bottom - top) * share)}" width="${short(w)}" height="2" rx="1" fill="var(--glint)" opacity=".5"/>`,
      );
    }
    // Stones to step on.
    for (let stone = 0; stone < 6; stone += 1) {
      const x = width * (0.37 + 0.052 * stone);
      const y = horizon + (height - horizon) * (0.5 + 0.02 * (stone % 2));
      this.add(
        `<ellipse cx="${short(x)}" cy="${short(y + 4)}" rx="${short(width * 0.019)}" ry="7" fill="var(--joint)"/><ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(width * 0.019)}" ry="6" fill="var(--top)"/>`,
      );
    }
    let reeds = "";
    for (let at = 0; at < 40; at += 1) {
      const [x, y, rise] = [this.between(0, width), horizon + this.between(0, 10), this.between(10, 34) * this.unit];
      if (Math.abs(x - width / 2) > width * 0.06)
        reeds += `M${short(x)} ${short(y)}Q${short(x + 2)} ${short(y - rise / 2)} ${short(x + this.between(-6, 6))} ${short(y - rise)}`;
    }
    this.add(`<path d="${reeds}" fill="none" stroke="var(--grass)" stroke-width="2.4" stroke-linecap="round"/>`);
  }

  warren() {
    const { width, height, horizon } = this;
    this.add(`<rect width="${width}" height="${horizon + 4}" fill="${this.fill("wall")}"/>`);
    // Passages that lead on, with light in one of them.
    for (const [x, w, rise] of [
      [0.16, 0.11, 0.5],
      [0.5, 0.2, 0.72],
      [0.84, 0.11, 0.5],
    ]) {
      const [left, right, top] = [width * (x - w / 2), width * (x + w / 2), horizon * (1 - rise)];
      const arch = `M${short(left)} ${horizon + 2}C${short(left - 8)} ${short(top + 20)} ${short(left + (right - left) * 0.2)} ${short(top)} ${short((left + right) / 2)} ${short(top)}S${short(right + 8)} ${short(top + 20)} ${short(right)} ${horizon + 2}Z`;
      this.add(`<path d="${arch}" fill="var(--hole)" stroke="var(--rock3)" stroke-width="10"/>`);
      if (x === 0.5)
        this.add(
          `<ellipse cx="${short(width / 2)}" cy="${short(horizon * 0.72)}" rx="${short(width * 0.16)}" ry="${short(horizon * 0.5)}" fill="${this.fill("lamp")}" opacity=".55"/>`,
        );
    }
    let [roof, teeth] = [`M-10 0`, ""];
    for (let at = 0; at <= 26; at += 1) {
      const x = (width * at) / 26;
      const drop = this.between(0.02, 0.13) * horizon * (at % 2 ? 2 : 0.7);
      roof += `L${short(x)} ${short(drop)}`;
      if (at % 3 === 1)
        teeth += `M${short(x - 10)} ${short(drop - 8)}L${short(x + this.between(-3, 3))} ${short(drop + this.between(14, 44))}L${short(x + 10)} ${short(drop - 8)}Z`;
    }
    this.add(`<path d="${teeth}" fill="var(--rock3)"/><path d="${roof}L${width + 10} 0Z" fill="var(--rock3)"/>`);
    for (let at = 0; at < 9; at += 1) {
      const [x, y, size] = [this.between(0, width), this.between(horizon * 0.3, horizon * 0.92), this.between(14, 46)];
      this.add(
        `<path d="M${short(x - size)} ${short(y)}Q${short(x)} ${short(y - size * 0.5)} ${short(x + size)} ${short(y + 4)}" fill="none" stroke="var(--rock3)" stroke-width="3" opacity=".55"/>`,
      );
    }
    this.earth();
    const mushroom =
      '<path d="M-5 0C-3-12-3-20-3-26H5C5-18 5-10 7 0Z" fill="var(--pale)"/><path d="M-20-24C-18-42 20-44 22-24 10-18-8-18-20-24Z" fill="#c2483a"/><circle cx="-6" cy="-30" r="3" fill="var(--pale)"/><circle cx="8" cy="-32" r="3.500" fill="var(--pale)"/>';
    const crystal =
      '<path d="M-16 0L-22-30-12-46-4-6ZM-6 0L-4-64 8-78 14-10ZM10 0L24-40 32-28 22 0Z" fill="var(--crystal)"/><path d="M-4-64L8-78 4-6Z" fill="#fff" opacity=".4"/>';
    this.stood(width * 0.3, 1, crystal);
    this.stood(width * 0.68, 0.9, mushroom + `<g transform="translate(34 4) scale(.6)">${mushroom}</g>`);
    for (const x of [0.05, 0.95]) this.lamp(width * x, horizon * 0.62, Math.max(0.7, this.unit));
    void height;
  }

  hall() {
    const { width, horizon } = this;
    this.add(`<rect width="${width}" height="${horizon + 4}" fill="${this.fill("wall")}"/>`);
    const bays = Math.max(3, 2 * Math.round(width / 330) + 1);
    const bay = width / bays;
    for (let at = 0; at < bays; at += 1) {
      const [x, w, top] = [bay * (at + 0.5), bay * 0.24, horizon * 0.22];
      const pane = `M${short(x - w)} ${short(horizon * 0.86)}V${short(top + w)}A${short(w)} ${short(w)} 0 0 1 ${short(x + w)} ${short(top + w)}V${short(horizon * 0.86)}Z`;
      if (at % 2 === 0) {
        this.add(
          `<path d="${pane}" fill="${this.fill("sky")}" stroke="var(--rock3)" stroke-width="8"/><path d="M${short(x)} ${short(top)}V${short(horizon * 0.86)}M${short(x - w)} ${short(horizon * 0.5)}H${short(x + w)}" stroke="var(--rock3)" stroke-width="4"/>`,
        );
      } else {
        const side = at < bays / 2 ? "var(--side1)" : "var(--side2)";
        this.add(
          `<path d="M${short(x - w)} ${short(top)}H${short(x + w)}V${short(horizon * 0.74)}L${short(x)} ${short(horizon * 0.62)}L${short(x - w)} ${short(horizon * 0.74)}Z" fill="${side}" opacity=".6"/><path d="M${short(x - w - 6)} ${short(top)}H${short(x + w + 6)}" stroke="var(--rock3)" stroke-width="6"/><path d="M${short(x)} ${short(top + w * 0.8)}L${short(x + w * 0.5)} ${short(top + w * 1.6)}L${short(x)} ${short(top + w * 2.4)}L${short(x - w * 0.5)} ${short(top + w * 1.6)}Z" fill="var(--lamp)" opacity=".7"/>`,
        );
      }
    }
    for (let at = 0; at <= bays; at += 1) {
      const x = bay * at;
      this.add(
        `<rect x="${short(x - bay * 0.09)}" width="${short(bay * 0.18)}" height="${horizon}" fill="var(--wall)"/><rect x="${short(x - bay * 0.09)}" width="${short(bay * 0.05)}" height="${horizon}" fill="var(--top)" opacity=".5"/><rect x="${short(x - bay * 0.12)}" y="${short(horizon - 16)}" width="${short(bay * 0.24)}" height="18" fill="var(--wall2)"/><rect x="${short(x - bay * 0.12)}" y="${short(horizon * 0.1)}" width="${short(bay * 0.24)}" height="12" fill="var(--wall2)"/>`,
      );
      if (at % 2) this.lamp(x, horizon * 0.5, Math.max(0.6, this.unit));
    }
    this.add(`<rect width="${width}" height="${short(horizon * 0.07)}" fill="var(--rock3)"/>`);
    this.floor(7, 7);
    // A carpet between the sides.
    const { height } = this;
    this.add(
      `<path d="M${short(width * 0.46)} ${horizon + 3}H${short(width * 0.54)}L${short(width * 0.66)} ${height}H${short(width * 0.34)}Z" fill="#8a2f3a" opacity=".55"/><path d="M${short(width * 0.468)} ${horizon + 3}L${short(width * 0.365)} ${height}M${short(width * 0.532)} ${horizon + 3}L${short(width * 0.635)} ${height}" stroke="var(--lamp)" stroke-width="3" opacity=".6"/>`,
    );
  }

  tower() {
    const { width, horizon } = this;
    this.sky();
    this.stood(
      width * 0.1,
      1.1,
      '<path d="M-70 0L-24-78 20 0ZM0 0L38-56 78 0Z" fill="var(--far)"/><path d="M-24-78L-34 0H-12Z" fill="var(--hill1)"/><path d="M-24-78V-112" stroke="var(--far)" stroke-width="4"/><path d="M-22-112L14-102-22-90Z" fill="var(--side1)"/>',
    );
    // A wall with battlements; behind the gate of side 2 its tower.
    let crest = `M${short(width * 0.34)} ${horizon}V${short(horizon * 0.7)}`;
    const [merlon, from] = [Math.max(12, width * 0.018), width * 0.34];
    for (let x = from; x < width; x += 2 * merlon)
      crest += `H${short(x + merlon)}V${short(horizon * 0.63)}H${short(x + 2 * merlon)}V${short(horizon * 0.7)}`;
    this.add(
      `<path d="${crest}V${horizon}Z" fill="var(--wall)"/><path d="M${short(from)} ${short(horizon * 0.78)}H${width}" stroke="var(--wall2)" stroke-width="4"/>`,
    );
    this.stood(width * 0.86, 1.6, TOWER);
    this.stood(
      width * 0.5,
      1.1,
      '<path d="M-46 0V-120H-54V-140H-38V-130H-20V-140H-4V-130H14V-140H30V-130H44V-140H54V-120H46V0Z" fill="var(--wall2)"/><path d="M-24 0V-52A24 24 0 0 1 24-52V0Z" fill="var(--hole)"/><path d="M-16 0V-70M0 0V-76M16 0V-70M-24-22H24M-24-46H24" stroke="var(--top)" stroke-width="3.500"/>',
    );
    this.earth();
    const road = `M${short(width * 0.475)} ${horizon}H${short(width * 0.525)}L${short(width * 0.68)} ${this.height}H${short(width * 0.32)}Z`;
    this.add(`<path d="${road}" fill="var(--top)" opacity=".3"/>`);
    for (const x of [0.41, 0.59]) this.lamp(width * x, horizon - 40 * this.unit, Math.max(0.6, this.unit));
  }
}

const TOWER =
  '<path d="M-36 0V-128H-44V-152H-30V-140H-14V-152H14V-140H30V-152H44V-128H36V0Z" fill="var(--far)"/><path d="M-14 0V-30A14 14 0 0 1 14-30V0Z" fill="var(--hill1)"/>' +
  '<path class="lamp" d="M-6-84H6V-66H-6ZM-26-114H-18V-102H-26ZM18-114H26V-102H18Z" fill="var(--lamp)"/><path d="M0-150V-196" stroke="var(--far)" stroke-width="4"/><path d="M-2-196L-42-184-2-172Z" fill="var(--side2)"/>';

/**
 * Draw a ground into its element.
 *
 * @param {any} element An SVG element.
 * @param {number} width
 * @param {number} height
 * @param {number} horizon
 * @param {string} name What the place is called; all that is random follows from it.
 * @param {string} [whole] What the scenario is called, where the place is a part of it.
 */
export function paint(element, width, height, horizon, name, whole = "") {
  const painter = new Painter(width, height, horizon, name);
  painter.gradients();
  const kind = groundKind(name, whole);
  if (kind === "bridge") painter.bridge();
  else if (kind === "ford") painter.ford();
  else if (kind === "warren") painter.warren();
  else if (kind === "hall") painter.hall();
  else painter.tower();
  painter.add(`<rect width="${width}" height="${height}" fill="${painter.fill("edge")}"/>`);
  element.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // Numbers and our own shapes; no text of the battle is in it.
  element.innerHTML = painter.text;
  element.setAttribute("data-ground", kind);
}

/** @returns {any} */
export const emptyGround = () => svg("svg", { class: "ground", preserveAspectRatio: "none", "aria-hidden": "true" });
