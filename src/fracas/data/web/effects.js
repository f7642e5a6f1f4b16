// @ts-check
/** How hits, heals and statuses are drawn: a badge on the target, an arrow from the unit that acts. @module */

import { h, move, styled, svg } from "./dom.js";

/** @param {number} value */
export const whole = (value) => String(Math.round(10 * Math.abs(value)) / 10);
/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"}${whole(value)}`;

/** What a badge says, by its look. @type {Record<string, (effect: any) => string>} */
export const SAID = {
  hurt: ({ amount, critical }) => `−${whole(amount)}${critical ? "!" : ""}`,
  block: ({ also }) => `blocks ${whole(also)}`,
  miss: ({ words }) => words || "no effect",
  heal: ({ amount }) => `+${whole(amount)}`,
  shield: ({ amount }) => `shield ${whole(amount)}`,
  state: ({ words, amount }) => (amount === null ? words : `${signed(amount)} ${words}`),
  gain: ({ words, amount }) => `${signed(amount)} ${words}`,
  fall: () => "falls",
  lost: ({ words }) => words,
  ultimate: ({ words }) => words,
  success: ({ words }) => words,
};

/** Every look that a badge can have. */
export const LOOKS = Object.keys(SAID);

/** @param {any} effect */
export const isSaid = (effect) => Object.hasOwn(SAID, effect.look);

/** An effect as a sentence, for those who hear the page. @param {any} effect @param {(place: any) => string} nameOf */
export function sentence(effect, nameOf) {
  const who = effect.by === null || effect.by === effect.on ? "" : ` by ${nameOf(effect.by)}`;
  const what = effect.words && effect.look !== "state" && effect.look !== "gain" ? ` (${effect.words})` : "";
  return `${nameOf(effect.on)}: ${SAID[effect.look](effect)}${effect.look === "hurt" ? what : ""}${who}`;
}

/** How many panels the page has; their ids are numbers. */
let panels = 0;

/** The panel that says why; one for a stage. */
export class Why {
  constructor() {
    panels += 1;
    this.id = `why-${panels}`;
    this.element = h("div", { class: "why", role: "tooltip", id: this.id, hidden: true });
  }

  /** @param {any} badge @param {any} effect @param {(place: any) => string} nameOf */
  open(badge, effect, nameOf) {
    const shield = effect.look === "hurt" && effect.also > 0 ? [`${whole(effect.also)} more taken by a shield`] : [];
    const steps = [...effect.why, ...shield];
    this.element.replaceChildren(
      h("strong", null, sentence(effect, nameOf)),
      steps.length === 0 ? null : h("ol", null, ...steps.map((step) => h("li", null, step))),
    );
    this.element.hidden = false;
    const room = this.element.offsetParent?.getBoundingClientRect();
    if (!room) return;
    const at = badge.getBoundingClientRect();
    const left = Math.min(Math.max(0, at.left - room.left), Math.max(0, room.width - this.element.offsetWidth));
    styled(this.element, "left", `${left}px`);
    styled(this.element, "top", `${at.bottom - room.top + 6}px`);
  }

  close() {
    this.element.hidden = true;
  }
}

/** @param {any} effect @param {(place: any) => string} nameOf @param {Why} why */
export function badgeOf(effect, nameOf, why) {
  const words = SAID[effect.look](effect);
  const explained = { class: `badge ${effect.look}${effect.critical ? " critical" : ""}` };
  const open = () => why.open(badge, effect, nameOf);
  const badge = h(
    "button",
    {
      ...{ ...explained, type: "button", "aria-label": `${sentence(effect, nameOf)}. Why?`, "aria-describedby": why.id },
      ...{ onmouseenter: open, onfocus: open, onclick: open, onmouseleave: () => why.close(), onblur: () => why.close() },
    },
    words,
  );
  return badge;
}

/** How a card or a token is shaken, lifted or dimmed by what happens to it. @param {any} element @param {any} effect */
export function touch(element, { look, critical }) {
  const reach = critical ? 8 : 4;
  if (look === "hurt") {
    move(element, [0, -reach, reach, -reach / 2, 0].map((x) => ({ transform: `translateX(${x}px)` })));
  } else if (look === "heal" || look === "shield" || look === "gain") {
    move(element, [{ transform: "translateY(0)" }, { transform: "translateY(-5px)" }, { transform: "translateY(0)" }]);
  } else if (look === "miss" || look === "block") {
    move(element, [{ transform: "none" }, { transform: "skewX(-4deg)" }, { transform: "none" }]);
  }
}

/** Arrows over a stage. */
export class Arrows {
  constructor() {
    this.element = svg("svg", { class: "arrows", "aria-hidden": "true" });
  }

  clear() {
    if (this.element.firstChild !== null) this.element.replaceChildren();
  }

  /** @param {any[]} effects @param {(place: any) => any} anchorOf */
  draw(effects, anchorOf) {
    const room = this.element.getBoundingClientRect();
    const seen = new Set();
    const lines = [];
    for (const { by, on, look } of effects) {
      const [from, to] = [anchorOf(by), anchorOf(on)];
      if (by === on || !from || !to || seen.has(`${by} ${on}`)) continue;
      seen.add(`${by} ${on}`);
      const [one, other] = [from, to].map((each) => each.getBoundingClientRect());
      if (!one.width || !other.width) continue;
      const [x1, y1] = [one.left + one.width / 2 - room.left, one.top + one.height / 2 - room.top];
      const [x2, y2] = [other.left + other.width / 2 - room.left, other.top + other.height / 2 - room.top];
      const [mx, my] = [(x1 + x2) / 2 + (y2 - y1) / 8, (y1 + y2) / 2 - (x2 - x1) / 8];
      lines.push(svg("path", { class: look, d: `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}` }));
      lines.push(svg("circle", { class: look, cx: x2, cy: y2, r: 5 }));
    }
    this.element.replaceChildren(...lines);
  }
}
