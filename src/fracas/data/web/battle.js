// @ts-check
/** One battle in its element: the player on top of what is shown without a script, the check, what if. @module */

import { h } from "./dom.js";
import { tellEvents } from "./fracas.js";
import { booksOfPlaces, framesOf } from "./interpreter.js";
import { Player } from "./player.js";
import { calledSides, firstUntrue } from "./statements.js";
import { labelsOf, Story } from "./story.js";
import { verified } from "./verification.js";
import { WhatIf } from "./what-if.js";

/** The text of an island of data. @param {any} root @param {string} name */
const textOf = (root, name) => root.querySelector(`script.${name}`)?.textContent ?? "";

export class BattleView {
  /**
   * @param {any} root The battle's element; its islands are data, rows and bundle.
   * @param {any} ruleset The parts of its ruleset: table, changes, buildStage, castOf; or what makes them of the layout.
   * @param {any} source Where the module and its layout come from.
   * @param {{ keys: any, address: string, texts: string[], isAlone: boolean }} place What listens for keys, what a link
   *   to a moment begins with, what the page says about the battle, and whether it is about nothing else.
   */
  constructor(root, ruleset, source, place) {
    this.root = root;
    // The parts of a game follow from its layout.
    this.ruleset = typeof ruleset === "function" ? ruleset(source.layout) : ruleset;
    this.source = source;
    this.place = place;
    const [data, bundle] = ["data", "bundle"].map((name) => JSON.parse(textOf(root, name)));
    this.data = data;
    this.bundle = bundle;
    this.rows = Int32Array.from(JSON.parse(textOf(root, "rows")));
    const { layout } = source;
    this.sides = calledSides(data.sides, data.people);
    this.cast = calledCast(data.cast, data.sides, this.sides);
    const books = { ...(bundle?.books ?? data.books), ...data.cast.books };
    const events = tellEvents(this.rows, layout, booksOfPlaces(this.ruleset.table, { ...layout.books, ...books }));
    const frames = framesOf(events, this.ruleset.table, this.cast, layout, books);
    this.labelOf = labelsOf(frames);
    const shown = { ...data, sides: this.sides, scene: bundle?.scenario };
    const stage = this.ruleset.buildStage(this.cast, shown);
    const story = root.querySelector(".story");
    story.append(...new Story(frames, this.cast, this.sides).lines().map(itemOf));
    this.player = new Player(frames, stage, shown, story, place);
    root.querySelector(".playing").append(stage.element, this.player.element);
    root.dataset.script = "runs";
    if (frames.length === 0) root.querySelector(".playing").append(h("p", null, "Nothing happens in this battle."));
    this.player.open();
  }

  /** Play the battle again on this device, say whether it is what the page says, and offer what if. */
  async check() {
    const status = this.root.querySelector(".verdict");
    /** @param {string} state @param {string} text */
    const say = (state, text) => {
      status.textContent = text;
      status.dataset.state = state;
    };
    if (this.bundle === null) {
      say("unknown", this.data.unpacked);
      return;
    }
    say("playing", "This device is playing the battle again.");
    try {
      const rules = await this.source.rules();
      const { state, text } = await verified(rules, this.bundle, this.rows, this.labelOf);
      if (state !== "verified") {
        say(state, text);
        return;
      }
      const packed = await rules.open(this.bundle);
      const own = this.ruleset.castOf(this.bundle, packed.record);
      const untrue = firstUntrue(this.place.texts, this.data, this.bundle, own, this.place.isAlone);
      if (untrue !== null) {
        say("differs", `This page was changed: ${untrue}.`);
        return;
      }
      say(state, text);
      if (this.ruleset.changes.length === 0) return;
      const whatIf = new WhatIf(rules, packed, this.cast, this.ruleset.changes, this.sides);
      this.root.querySelector(".extras").append(whatIf.element);
    } catch (error) {
      say("refused", `This device cannot check the battle: ${/** @type {Error} */ (error).message}.`);
    }
  }
}

/** Units that bear the name of their side are called as it is. @param {any} cast @param {string[]} sides @param {string[]} called */
function calledCast(cast, sides, called) {
  const units = cast.units.map((/** @type {any} */ unit) => {
    const [name, shown] = [sides[unit.side - 1], called[unit.side - 1]];
    return { ...unit, name: unit.name === name ? shown : unit.name, about: unit.about.replace(`${name}’s`, `${shown}’s`) };
  });
  return { ...cast, units };
}

/** A line of the story; one that tells an event leads there. @param {{ event: number, spans: any[] }} line */
const itemOf = ({ event, spans }) =>
  h(
    "li",
    { "data-event": event < 0 || spans.length === 0 ? null : event },
    ...spans.map(([text, role]) => (role === undefined ? text : h("span", { class: role }, text))),
  );
