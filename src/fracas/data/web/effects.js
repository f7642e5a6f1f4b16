// @ts-check
/** What happens in words: numbers that say why when they are asked. @module */

import { h, styled } from "./dom.js";

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

/** Whether somebody gains less than nothing. @param {any} effect */
export const isLoss = ({ look, amount }) => look === "gain" && amount < 0;

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
  const explained = { class: `badge ${effect.look}${effect.critical ? " critical" : ""}${isLoss(effect) ? " loss" : ""}` };
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
