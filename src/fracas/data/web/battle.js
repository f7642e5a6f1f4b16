// @ts-check
/** One battle in its element: the player on top of what is shown without a script, the check, what if. @module */

import { h } from "./dom.js";
import { tellEvents } from "./fracas.js";
import { booksOfPlaces, framesOf } from "./interpreter.js";
import { Player } from "./player.js";
import { verified } from "./verification.js";
import { WhatIf } from "./what-if.js";

/** The text of an island of data. @param {any} root @param {string} name */
const textOf = (root, name) => root.querySelector(`script.${name}`)?.textContent ?? "";

export class BattleView {
  /**
   * @param {any} root The battle's element; its islands are data, rows and bundle.
   * @param {any} ruleset The parts of its ruleset: table, changes, buildStage.
   * @param {any} source Where the module and its layout come from.
   * @param {{ keys: any, address: string }} place What listens for keys, and what a link to a moment begins with.
   */
  constructor(root, ruleset, source, place) {
    this.root = root;
    this.ruleset = ruleset;
    this.source = source;
    const [data, bundle] = ["data", "bundle"].map((name) => JSON.parse(textOf(root, name)));
    this.data = data;
    this.bundle = bundle;
    this.rows = Int32Array.from(JSON.parse(textOf(root, "rows")));
    const { layout } = source;
    const books = { ...data.books, ...data.cast.books };
    // What the battle did to its world is told after it, and is no part of what is played again.
    const told = Int32Array.from([...this.rows, ...data.after]);
    const events = tellEvents(told, layout, booksOfPlaces(ruleset.table, { ...layout.books, ...books }));
    const frames = framesOf(events, ruleset.table, data.cast, layout, books);
    const stage = ruleset.buildStage(data.cast, data);
    this.player = new Player(frames, stage, data, root.querySelector(".story"), place);
    root.querySelector(".playing").append(stage.element, this.player.element);
    root.dataset.script = "runs";
    if (frames.length === 0) root.querySelector(".playing").append(h("p", null, "Nothing happens in this battle."));
    this.player.open();
  }

  /** Play the battle again on this device, say whether it is the same, and offer what if. */
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
      const labelOf = (/** @type {number} */ tick) => this.data.ticks[tick] ?? `tick ${tick}`;
      const { state, text } = await verified(rules, this.bundle, this.rows, labelOf);
      say(state, text);
      if (state !== "verified") return;
      const { cast, sides } = this.data;
      const whatIf = new WhatIf(rules, await rules.open(this.bundle), cast, this.ruleset.changes, sides);
      this.root.querySelector(".extras").append(whatIf.element);
    } catch (error) {
      say("refused", `This device cannot check the battle: ${/** @type {Error} */ (error).message}.`);
    }
  }
}
