// @ts-check
/** One battle in its element: the player on top of what is shown without a script, the check, what if. @module */

import { areOf, costliest, decisionsIn } from "./decisions.js";
import { h, seen } from "./dom.js";
import { tellEvents } from "./fracas.js";
import { booksOfPlaces, framesOf } from "./interpreter.js";
import { ticksOf } from "./odds.js";
import { Player } from "./player.js";
import { ways } from "./sending.js";
import { calledSides, endedBy, firstUntrue, untrueTurning } from "./statements.js";
import { labelsOf, Story } from "./story.js";
import { verified } from "./verification.js";
import { WhatIf } from "./what-if.js";

/** How often a battle is played on from each of its rounds, as `fracas why` does unless it is told otherwise. */
const ROLLOUTS = 1000;
/** Windows with little more room than a fight needs. */
const SMALL = "(max-width: 47rem), (max-height: 40rem)";

/** Decisions are weighed after this, so that whoever looks in shortly or begins to watch at once has the device to themselves. */
const BEFORE_WEIGHING_MS = 1500;

/** The text of an island of data. @param {any} root @param {string} name */
const textOf = (root, name) => root.querySelector(`script.${name}`)?.textContent ?? "";

export class BattleView {
  /**
   * @param {any} root The battle's element; its islands are data, rows and bundle.
   * @param {any} ruleset The parts of its ruleset: table, editing, buildStage, castOf; or what makes them of the layout.
   * @param {any} source Where the module and its layout come from.
   * @param {{ keys: any, address: string, texts: string[], isAlone: boolean, whole: () => Promise<string> }} place What
   *   listens for keys, what a link to a moment begins with, what the page says about the battle, whether it is about
   *   nothing else, and the page as one file.
   */
  constructor(root, ruleset, source, place) {
    this.root = root;
    this.status = root.querySelector(".verdict");
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
    const end = frames.at(-1);
    if (end?.kind === "end") end.title = endedBy(end.title, this.sides);
    this.labelOf = labelsOf(frames);
    const shown = { ...data, sides: this.sides, scene: bundle?.scenario };
    const stage = this.ruleset.buildStage(this.cast, shown);
    this.frames = frames;
    const story = root.querySelector(".story");
    story.append(...new Story(frames, this.cast, this.sides).lines().map(itemOf));
    const result = root.querySelector(".result");
    const about = {
      stakes: stakesOf(this.cast, this.sides),
      nameOf: (/** @type {any} */ place, /** @type {any} */ frame) => nameIn(frame.units, place, this.sides),
      onReach: (/** @type {boolean} */ isAll) => {
        result.hidden = !isAll;
        result.open = isAll;
      },
    };
    this.player = new Player(frames, stage, shown, story, place, about);
    if (bundle !== null) {
      const page = { title: `${this.sides.join(" against ")}, battle ${bundle.stream}`, whole: place.isAlone ? place.whole : null };
      this.player.cover.actions = ways(this.player, page);
    }
    root.querySelector(".playing").append(this.player.screen, this.player.element);
    // A page about one battle begins with the stage: what was checked stands beside the heading.
    if (place.isAlone) {
      document.querySelector("body > header > h1")?.after(root.querySelector(".about"));
      // A small window is for the fight: whatever else the page says stands below it.
      if (matchMedia(SMALL).matches) document.querySelector("main")?.after(h("footer", null, ...document.querySelectorAll("body > header > :is(nav, p)")));
    }
    root.dataset.script = "runs";
    if (frames.length === 0) root.querySelector(".playing").append(h("p", null, "Nothing happens in this battle."));
    this.player.open(data.report !== null);
  }

  /** Play the battle again on this device, say whether it is what the page says, and offer what if. */
  async check() {
    const { status } = this;
    /** @param {string} state @param {string} text */
    const say = (state, text) => {
      const [said, ...digest] = text.split(/(?=, digest )/u);
      status.replaceChildren(h("span", { class: "checked" }, said), ...digest.map((each) => h("span", { class: "digest" }, each)));
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
      const untrue = firstUntrue(this.place.texts, this.data, this.bundle, own, this.place.isAlone, rules.layout.reasons);
      if (untrue !== null) {
        say("differs", `This page was changed: ${untrue}.`);
        return;
      }
      // Nobody knows what people would choose with other dice, so there are no odds.
      if (packed.decisions !== null) {
        say(state, text);
        return;
      }
      const { decisions: brought } = this.data;
      const decisions = brought && (await decisionsIn(brought, rules.layout.resume.kept_words));
      if (brought && decisions === null) {
        say("differs", NOT_ITS_DECISIONS);
        return;
      }
      if (this.ruleset.editing.changes.length > 0) {
        const whatIf = new WhatIf(rules, packed, this.cast, this.ruleset.editing, this.sides);
        this.root.querySelector(".extras").append(whatIf.element);
        this.player.cover.actions.unshift(["What if", () => whatIf.go()]);
      }
      // Only a report says what the odds are; other pages need not wait for them.
      if (this.data.turning === null) say(state, text);
      await seen();
      await this.follow(rules, packed);
      if (this.data.turning !== null) {
        const other = untrueTurning(this.data.turning, this.player.chart, this.sides);
        if (other !== null) {
          say("differs", `This page was changed: ${other}.`);
          return;
        }
        say(state, text);
      }
      if (decisions !== null && !(await this.weigh(rules, packed, decisions))) say("differs", NOT_ITS_DECISIONS);
    } catch (error) {
      say("refused", `This device cannot check the battle: ${/** @type {Error} */ (error).message}.`);
    }
  }

  /**
   * Find the decision that cost most, for the timeline.
   *
   * @param {any} rules
   * @param {any} packed
   * @param {any[]} decisions
   * @returns {Promise<boolean>} Whether they are those of this battle.
   */
  async weigh(rules, packed, decisions) {
    await new Promise((done) => setTimeout(done, BEFORE_WEIGHING_MS));
    await seen();
    const rollouts = rules.rollouts(packed, Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1)));
    const { place_length: length, from_set_up: setUp } = rules.layout.resume;
    const begin = Array.from({ length }, (_, at) => (at < 2 ? setUp : 0));
    try {
      const ticks = this.player.chart.rounds.map(({ frame }) => this.frames[frame].tick);
      if (!(await areOf(rollouts, decisions, ticks, begin))) return false;
      this.player.setDecision(await costliest(rollouts, decisions, this.data.turning?.count ?? ROLLOUTS, this.data.outcome.winner));
    } catch {
      // A battle that ran into a limit has no such mark.
    } finally {
      rollouts.close();
    }
    return true;
  }

  /**
   * Find the odds of each round: the timeline shows them as they come.
   *
   * @param {any} rules
   * @param {any} packed
   */
  async follow(rules, packed) {
    const found = new Map();
    const count = this.data.turning?.count ?? ROLLOUTS;
    let due = 0;
    const tell = () => {
      due = 0;
      this.player.setOdds([...found.values()].sort((one, other) => one.tick - other.tick));
    };
    try {
      await rules.course(packed, {
        ...{ ticks: ticksOf(this.frames), count },
        onRound: (/** @type {any} */ round) => {
          // Half a curve would end in the result: it is shown once each round has its first odds.
          if (found.has(round.tick)) due ||= requestAnimationFrame(tell);
          found.set(round.tick, round);
        },
      });
      cancelAnimationFrame(due);
      tell();
    } catch {
      // A battle from the middle may run into a limit: then there are no odds, and the HP stand alone.
      cancelAnimationFrame(due);
    }
  }
}

/** What a page says whose decisions were changed. */
const NOT_ITS_DECISIONS = "This page was changed: its decisions are not those of the battle.";

/** What a unit is called; one with a namesake on the other side with its side. @param {Map<any, any>} units @param {any} place @param {string[]} sides */
function nameIn(units, place, sides) {
  const unit = units.get(place);
  if (unit === undefined) return "nobody";
  const hasNamesake = [...units.values()].some(({ name, side }) => name === unit.name && side !== unit.side);
  return hasNamesake ? `${unit.name} (${sides[unit.side - 1]})` : unit.name;
}

/** What is at stake, by what the stage knows. @param {any} cast @param {string[]} sides */
function stakesOf(cast, sides) {
  if (cast.encounters !== undefined) return `${cast.encounters.length} ${cast.encounters.length === 1 ? "encounter" : "encounters"} on the way.`;
  if (cast.attack !== undefined) return `${sides[0]} attack; ${sides[1]} hold the tile.`;
  const [one, other] = [1, 2].map((side) => cast.units.filter((/** @type {any} */ unit) => unit.side === side && !unit.spare).length);
  // A game in which nobody has HP ends otherwise.
  if (cast.vital === "") return one + other <= 2 ? "One against one." : `${one} against ${other}.`;
  return one + other <= 2 ? "One against one, until one of them falls." : `${one} against ${other}: whoever still stands at the end wins.`;
}

/** Units and stacks that bear the name of their side are called as it is. @param {any} cast @param {string[]} sides @param {string[]} called */
function calledCast(cast, sides, called) {
  const units = cast.units.map((/** @type {any} */ unit) => {
    const [name, shown] = [sides[unit.side - 1], called[unit.side - 1]];
    return { ...unit, name: unit.name === name ? shown : unit.name, about: unit.about.replace(`${name}’s`, `${shown}’s`) };
  });
  const stacks = cast.stacks?.map((/** @type {any} */ stack) => {
    const at = sides.indexOf(stack.owner);
    // An entry's stacks are called by its code and a number.
    const isOwn = at >= 0 && stack.name.toLowerCase().startsWith(`${sides[at].toLowerCase()} `);
    return isOwn ? { ...stack, name: called[at] + stack.name.slice(sides[at].length) } : stack;
  });
  return stacks === undefined ? { ...cast, units } : { ...cast, units, stacks };
}

/** A line of the story; one that tells an event leads there. @param {{ event: number, spans: any[] }} line */
const itemOf = ({ event, spans }) =>
  h(
    "li",
    { "data-event": event < 0 || spans.length === 0 ? null : event },
    ...spans.map(([text, role]) => (role === undefined ? text : h("span", { class: role }, text))),
  );
