// @ts-check
/** The components of the pages, each in its states, in both schemes: what is shown is what pages are made of. @module */

import { PLAN_NAMES } from "./bodies.js";
import { h, move, styled, svg } from "./dom.js";
import { lightOf, lightUp, turn } from "./duel.js";
import { badgeOf, LOOKS, Why } from "./effects.js";
import { Figure, statusesOf } from "./figures.js";
import { paint } from "./grounds.js";
import { Player } from "./player.js";
import { LIFE } from "./stage.js";
import { strike, STRIKE_NAMES } from "./strikes.js";

const COLOURS = ["paper", "card", "line", "ink", "quiet", "side1", "side2", "soft1", "soft2", "harm", "help", "guard", "spell", "gold"];
const SIZES = ["title", "large", "normal", "small"];
const MOTIONS = [
  ["quick", 160, "a change under the pointer"],
  ["slow", 320, "bars, cards, whatever an action does"],
  ["march", 900, "a stack that goes to another tile"],
];
/** Names of looks in badges of this page. @type {Record<string, any>} */
const SHOWN = { words: "stunned", amount: 24, also: 15, critical: false, on: 0, by: 1, why: ["power 45", "defence 5: 45 → 40"] };
const NAMES = ["Shield Bearer", "Scout"];
const nameOf = (/** @type {any} */ place) => NAMES[place] ?? "nobody";
const PARTS = { helm: 0, weapon: 1, emblem: 2, cloak: 0, skin: "#d79f73", hair: "#6b3f22", glow: 190, boss: false };
const SPOT = { x: 85, y: 118, h: 92, dir: 1, plate: 140, form: "dense" };

/** @param {string} name @param {any} [more] */
const status = (name, more) => [name, { name, amount: null, tone: "bad", ...more }];

/** @param {any} gauges @param {any[]} [states] @param {any} [more] */
const stateOf = (gauges, states = [], more = {}) => ({
  ...{ name: NAMES[0], side: 1, present: true, fallen: false, gauges: { hp: 90, max: 150, ...gauges }, states: new Map(states), notes: {} },
  ...more,
});

/** A figure's states: what it is called, the state, the classes of what it does. @type {[string, any, string[]][]} */
const POSES = [
  ["ready", stateOf({ hp: 150 }), []],
  ["about to act", stateOf({ charge: 55 }), ["ready", "acting"]],
  ["strikes", stateOf({ charge: 55 }), ["strike", "acting"]],
  ["hurt", stateOf({ hp: 41 }), ["hurt", "struck"]],
  ["charged", stateOf({ charge: 100 }), []],
  ["with a shield", stateOf({ shield: 30 }), []],
  ["stunned", stateOf({}, [status("stun")]), []],
  ["poisoned", stateOf({}, [status("damage over time", { amount: 6 }), status("taunt", { tone: "good" })]), []],
  ["cooling down", stateOf({}, [status("Fireball", { amount: 2, tone: "rest" })]), []],
  ["fallen", stateOf({ hp: 0 }, [], { fallen: true }), []],
];

/** @param {string} title @param {any} element */
const titled = (title, element) => h("figure", null, h("figcaption", null, title), element);

/** A figure on a piece of a stage. @param {string} body @param {number} side @param {any} state @param {string[]} does @param {any} [parts] */
function posed(body, side, state, does, parts = {}) {
  const look = { ...PARTS, body, side, hue: side === 1 ? 18 : 212, size: 1, ...parts };
  const unit = { place: 0, side, name: NAMES[0], mark: body, about: body };
  const figure = new Figure(unit, look, { bars: [LIFE, { name: "charge", gauge: "charge", whole: 100 }], chips: statusesOf });
  figure.stand(SPOT);
  figure.show(state);
  for (const each of does) figure.mark(each, true);
  return h("div", { class: "stage piece-of-stage" }, h("div", { class: "sight" }, h("div", { class: "units" }, figure.element)));
}

const poses = () => h("div", { class: "row" }, ...POSES.map(([title, state, does], at) => titled(title, posed(at % 2 ? "warrior" : "tank", (at % 2) + 1, state, does))));

const bodies = () =>
  h("div", { class: "row" }, ...PLAN_NAMES.flatMap((body, at) => [0, 2].map((kind) => titled(kind ? "" : body, posed(body, (at % 2) + 1, stateOf({}), [], { helm: kind, weapon: kind + 1, cloak: kind, emblem: kind + 1 })))));

/** The eight effects at their peak. */
function effects() {
  const made = STRIKE_NAMES.map((name) => {
    const layer = svg("svg", { class: "strikes", viewBox: "0 0 220 150", "aria-hidden": "true" });
    const [from, to] = [40, 165].map((x) => ({ x, y: 78, foot: 118, h: 92, colour: "hsl(18 90% 62%)" }));
    strike(name, layer, from, to, 1, { start: 0, speed: 1, calm: true });
    return titled(name, h("div", { class: "stage piece-of-stage wide" }, h("div", { class: "sight" }, layer)));
  });
  return h("div", { class: "row" }, ...made);
}

function grounds() {
  const made = ["bridge", "ford", "warren", "hall", "tower"].map((name) => {
    const drawn = svg("svg", { class: "of-ground", "aria-hidden": "true" });
    paint(drawn, 420, 260, 110, name);
    return titled(name, h("div", { class: "stage" }, drawn));
  });
  return h("div", { class: "row" }, ...made);
}

function badges() {
  const why = new Why();
  const made = LOOKS.map((look) => titled(look, badgeOf({ ...SHOWN, look }, nameOf, why)));
  const critical = titled("critical", badgeOf({ ...SHOWN, look: "hurt", critical: true }, nameOf, why));
  const open = new Why();
  open.open(made[0], { ...SHOWN, look: "hurt" }, nameOf);
  return h("div", { class: "row" }, ...made, critical, titled("why", open.element));
}

function pieces() {
  const names = ["Hazel Cudgel", "Kettle Hat", "Ember Ring"];
  const lights = names.map((name, at) => lightOf({ name, kind: at === 0 ? "weapon" : "item" }));
  lightUp(lights[0], [0], 2, false);
  lightUp(lights[2], [1], 2, false);
  const choices = [{}, { choice: "Meteor", roll: "1.85 of 4" }].map((notes) => {
    const card = h("div", { class: "choice side1" }, h("span", { class: "chosen" }), h("span", { class: "roll" }));
    turn(card, notes, false);
    return card;
  });
  return h(
    "div",
    { class: "cards-in-states" },
    titled("pieces; two light up in turn", h("ul", { class: "pieces" }, ...lights)),
    titled("a hidden choice", choices[0]),
    titled("turned over", choices[1]),
  );
}

/** Frames of a battle that nobody fought: HP falls and rises. */
function frames() {
  return Array.from({ length: 24 }, (_, at) => ({
    ...{ first: at, last: at, tick: Math.ceil(at / 4), kind: at % 4 === 0 ? "round" : "action", actor: null, title: `Round ${at / 4 + 1}` },
    ...{ part: "", round: `Round ${Math.floor(at / 4) + 1}`, effects: [], units: new Map(), scene: {}, closing: [] },
    hp: [0, 300 - 9 * at - (at > 12 ? 60 : 0), 300 - 7 * at + (at % 5)],
    full: [0, 300, 300],
  }));
}

function controls() {
  const stage = { show() {}, point() {}, told: () => "" };
  const data = { outcome: { winner: 2 }, sides: ["Red", "Blue"] };
  const story = h("ol", { class: "story" });
  // Several players on a page: none of them listens for keys or changes the address.
  const player = new Player(frames(), stage, data, story, { keys: new EventTarget(), address: "#components-" });
  player.show(player.timeline.starts[9], false);
  return player.element;
}

function verdicts() {
  /** @type {[string, string][]} */
  const told = [
    ["playing", "This device is playing the battle again."],
    ["verified", "Verified on this device, digest c273b7fe…"],
    ["differs", "The events in this file were changed: the first that differ are those of tick 4."],
    ["unknown", "Not checked: this battle is played with code of its own, which a page cannot carry."],
  ];
  return h("div", { class: "about" }, ...told.map(([state, text]) => h("p", { class: "verdict", "data-state": state }, text)));
}

function story() {
  const line = (/** @type {any} */ properties, /** @type {any[]} */ ...spans) => h("li", properties, ...spans);
  return h(
    "ol",
    { class: "story", tabindex: 0, "aria-label": "Lines of a story" },
    line(null, h("span", { class: "heading" }, " Round 6 ────────"), h("span", { class: "aside" }, " Red 4 standing, Blue 4")),
    line({ "data-event": 1 }, "   ", h("span", { class: "side2" }, "2 Scout"), "  Basic Attack → ", h("span", { class: "side1" }, "1 Shield Bearer"), " ", h("span", { class: "harm" }, "-15")),
    line({ "data-event": 2, "aria-current": "true" }, "   ", h("span", { class: "side1" }, "1 Cleric"), " Heal → 1 Scout ", h("span", { class: "help" }, "+22")),
  );
}

const palette = () =>
  h("dl", { class: "swatches" }, ...COLOURS.map((name) => {
    const patch = h("dd");
    styled(patch, "background", `var(--${name})`);
    return h("div", null, h("dt", null, name), patch);
  }));

const sizes = () =>
  h("div", { class: "sizes" }, ...SIZES.map((name) => {
    const line = h("p", null, `${name}: Red against Blue, 132/150`);
    styled(line, "font-size", `var(--${name})`);
    return line;
  }));

function motion() {
  const rows = MOTIONS.map(([name, ms, told]) => {
    const mover = h("div", { class: "mover" });
    const go = () => move(mover, [{ transform: "none" }, { transform: "translateX(8rem)", offset: 0.5 }, { transform: "none" }], 2 * Number(ms));
    return h("div", { class: "row" }, h("button", { type: "button", onclick: go }, `${name}, ${ms} ms: ${told}`), mover);
  });
  return h("div", { class: "motion" }, ...rows);
}

/** By the ids of the page's sections. @type {Record<string, () => any>} */
const COMPONENTS = { palette, sizes, motion, bodies, poses, effects, grounds, badges, pieces, controls, verdicts, story };

/** Fill the page's sections in, each in both schemes. */
export function showComponents() {
  for (const [id, make] of Object.entries(COMPONENTS)) {
    const schemes = ["light", "dark"].map((scheme) =>
      h("div", { class: `scheme ${scheme} battle`, "data-script": "runs", role: "group", "aria-label": `${id}, ${scheme}` }, make()),
    );
    document.getElementById(id)?.append(h("div", { class: "both" }, ...schemes));
  }
}
