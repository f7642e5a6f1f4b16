// @ts-check
/**
 * What can be changed in a packed battle without compiling it again, as the form shows it: numbers, who is like whom, and
 * how sides play.
 *
 * @module
 */

/** The largest number that the page offers; the rules bound what they derive from it. */
const MOST = 1_000_000;
/** What both sides have, such as abilities, stands under this number of a side. */
const SHARED = 0;
/** What owns the numbers and choices of the rules themselves. */
export const RULES = "Rules";

/** @typedef {{ place: number, side: number, name: string }} Owner */
/**
 * A number of every owner: what it is called, where it is (in all places that hold it), and what it may be. Without `owners` it is
 * one of the units; `isThere` says whether an owner has it at all. `along` are the places of numbers that hold it and more, which
 * grow with it. `limits` are what other numbers of the record leave it.
 *
 * @typedef {{ name: string | ((place: number, packed: any) => string), paths: (place: number, record: any) => string[],
 *   owners?: (packed: any) => Owner[], isThere?: (value: number, place: number, record: any) => boolean,
 *   along?: (place: number, record: any) => string[], limits?: (place: number, record: any) => { least?: number, most?: number }, least?: number, most?: number, step?: number }} Change
 */
/**
 * A choice among words that every owner has, by the number of its label: which it is now (absent: the first), and what another
 * does. Owners with fewer than two labels have none.
 *
 * @typedef {{ part: string, name: string, owners: (packed: any) => Owner[], labels: (place: number, packed: any) => string[],
 *   now?: (record: any, place: number) => number, take: (record: any, place: number, number: number, packed: any) => void }} Choice
 */
/**
 * What makes a unit, and what makes a side's strategy, where parts of a record can stand in another's place: where they are
 * (no unit is nowhere), which of their fields stay, whether the record has all that the other needs, and what is to be done
 * besides. Both are told by their place, from 0.
 *
 * @typedef {{ at: (place: number) => string[], kept: string[], fits?: (packed: any, to: number, from: number) => boolean,
 *   after?: (edited: any, packed: any, to: number, from: number) => void }} Part
 * @typedef {{ units?: Part, strategy?: Part }} Like
 */
/**
 * What can be changed in the records of a ruleset; `settle` writes anew what follows from changed values.
 *
 * @typedef {{ changes: Change[], choices: Choice[], like: Like, settle?: (record: any, packed: any) => void }} Editing
 */

/**
 * Who is in the record: place, side and name.
 *
 * @param {any} packed
 * @returns {Owner[]}
 */
export function unitsOf(packed) {
  const { ruleset, sides, books, scenario } = packed.bundle;
  if (ruleset === "relics") return sides.map((/** @type {string} */ name, /** @type {number} */ place) => ({ place, side: place + 1, name }));
  if (ruleset === "titans") return scenario.players.map((/** @type {any} */ player, /** @type {number} */ place) => ({ place, side: place + 1, name: String(player.titan.name) }));
  const half = books.title.length / 2;
  return books.title.flatMap((/** @type {string | null} */ name, /** @type {number} */ place) => {
    if (name === null) return [];
    const side = ruleset === "stacks" ? packed.record.get(`participants.${place}.side`) + 1 : place < half ? 1 : 2;
    return [{ place, side, name: String(name) }];
  });
}

/** The order in which edits act: units first, so that their numbers and choices can be changed besides, then strategies. */
const ORDER = ["units", "unit", "strategy", "take"];

/**
 * The changes of a packed battle. Edits are new values by path: of numbers "3.1", the second number of owner 3; of choices
 * "unit.3", "units.1", "strategy.1", and "take.3.1", the second choice of owner 3, whose values number the labels that the
 * form shows.
 */
export class Changes {
  /**
   * @param {any} packed
   * @param {Editing} editing
   * @param {Owner[]} [units]
   */
  constructor(packed, { changes, choices, like, settle = () => {} }, units = unitsOf(packed)) {
    this.packed = packed;
    this.changes = changes;
    this.like = like;
    this.settle = settle;
    this.units = units;
    this.sides = packed.bundle.sides;
    /** @type {Map<any, Owner[]>} */
    this.owners = new Map();
    for (const { owners } of changes) if (!this.owners.has(owners)) this.owners.set(owners, owners === undefined ? units : owners(packed));
    /** Every choice that there is, with its owner and labels, by the end of its path. @type {Map<string, { choice: Choice, owner: Owner, labels: string[] }>} */
    this.chosen = new Map();
    for (const [number, choice] of choices.entries()) {
      for (const owner of choice.owners(packed)) {
        const labels = choice.labels(owner.place, packed);
        if (labels.length > 1) this.chosen.set(`${owner.place}.${number}`, { choice, owner, labels });
      }
    }
    const [one, other] = [1, 2].map((side) => this.swappable().filter((unit) => unit.side === side));
    /** Units of both sides that can change places; none if one side has more. @type {[Owner, Owner][]} */
    this.pairs = one.length === other.length ? one.map((unit, at) => [unit, other[at]]) : [];
    /** The sides that can have the line-up of the other. */
    this.lineUps = [1, 2].filter((side) => this.pairs.length > 1 && this.pairs.every((pair) => this.fits(pair[side - 1], pair[2 - side])));
    /** The sides that can play as the other does. */
    this.strategies = [1, 2].filter((side) => like.strategy !== undefined && like.strategy.fits?.(packed, side - 1, 2 - side) !== false);
  }

  /** Units that another can stand in the place of. */
  swappable() {
    return this.units.filter(({ place }) => (this.like.units?.at(place) ?? []).length > 0);
  }

  /** @param {Owner} unit @param {Owner} model */
  fits(unit, model) {
    return this.like.units?.fits?.(this.packed, unit.place, model.place) !== false;
  }

  /** Whom a unit can be like. @param {Owner} unit */
  modelsOf(unit) {
    return this.swappable().filter((each) => each !== unit && this.fits(unit, each));
  }

  /** What somebody is called, with the side unless no other has that name; what no unit is has its side always. @param {Owner} owner */
  nameOf({ name, side }) {
    const count = this.units.filter((each) => each.name === name).length;
    return side === SHARED || count === 1 || name === this.sides[side - 1] ? name : `${name} (${this.sides[side - 1]})`;
  }

  /** The choices of a side: whom its units are like, and how it plays; then those of its ruleset. @param {number} side @param {any} record @param {Record<string, number>} edits */
  choices(side, record, edits) {
    return [...(side === SHARED ? [] : this.exchanges(side, edits)), ...this.ofRuleset(side, record, edits)];
  }

  /** @param {number} side @param {any} record @param {Record<string, number>} edits */
  ofRuleset(side, record, edits) {
    return [...this.chosen].flatMap(([key, { choice, owner, labels }]) => {
      const path = ["take", ...key.split(".")];
      const current = choice.now?.(record, owner.place) ?? edits[path.join(".")] ?? 0;
      const name = choice.name === "" ? owner.name : `${owner.name}: ${choice.name}`;
      return owner.side === side ? [{ part: choice.part, name: owner.name === RULES ? choice.name : name, path, labels, current }] : [];
    });
  }

  /** @param {number} side @param {Record<string, number>} edits */
  exchanges(side, edits) {
    /** @param {string} part @param {string} name @param {string[]} path @param {string[]} labels */
    const choice = (part, name, path, labels) => ({ part, name, path, labels, current: edits[path.join(".")] ?? 0 });
    const other = this.sides[2 - side];
    const found = [];
    if (this.strategies.includes(side)) found.push(choice("strategy", "plays", ["strategy", String(side)], ["as it does", `as ${other} does`]));
    if (this.lineUps.includes(side)) found.push(choice("line-up", "everybody", ["units", String(side)], ["as it is", `as ${other} has it`]));
    const units = this.swappable();
    for (const unit of units.filter((each) => each.side === side)) {
      const others = this.modelsOf(unit).map((each) => `like ${this.nameOf(each)}`);
      if (others.length > 0) found.push(choice("line-up", unit.name, ["unit", String(unit.place)], ["as it is", ...others]));
    }
    return found;
  }

  /** The form, as form.js shows it. @param {Record<string, number>} edits */
  form(edits) {
    const record = this.edited(edits);
    /** @param {number} side */
    const ownersOf = (side) =>
      [...this.owners].flatMap(([owners, held]) =>
        held
          .filter((owner) => owner.side === side)
          .map(({ place, name }) => ({
            name,
            numbers: this.changes.flatMap((change, number) => {
              if (change.owners !== owners) return [];
              const before = this.before(change, place);
              if (change.isThere?.(before, place, this.packed.record) === false) return [];
              const { least = Math.min(0, before), most = MOST, step = 1 } = { ...change, ...change.limits?.(place, record) };
              const value = record.get(change.paths(place, record)[0]);
              return [{ name: this.called(change, place), path: [String(place), String(number)], value, least, most, step }];
            }),
          }))
          .filter(({ numbers }) => numbers.length > 0),
      );
    const sides = [1, 2].map((side) => ({ side, name: this.sides[side - 1], choices: this.choices(side, record, edits), owners: ownersOf(side) }));
    const shared = { side: SHARED, name: "Both sides", choices: this.choices(SHARED, record, edits), owners: ownersOf(SHARED) };
    return shared.owners.length + shared.choices.length > 0 ? [...sides, shared] : sides;
  }

  /** @param {Change} change @param {number} place */
  called({ name }, place) {
    return typeof name === "string" ? name : name(place, this.packed);
  }

  /** A number as the battle has it. @param {Change} change @param {number} place */
  before({ paths }, place) {
    const { record } = this.packed;
    return record.get(paths(place, record)[0]);
  }

  /** What an edit does to a record, and what it is in words. @param {string} key @param {number} value @returns {{ told: string, act: (record: any) => void, check?: (record: any) => void }} */
  edit(key, value) {
    const { record } = this.packed;
    const [first, second, third] = key.split(".");
    const at = Number(second);
    /** @param {any} edited @param {Part | undefined} part @param {number} to @param {number} from */
    const become = (edited, part, to, from) => {
      if (part === undefined) return;
      for (const [number, path] of part.at(to).entries()) edited.put(path, record, part.at(from)[number], part.kept);
      part.after?.(edited, this.packed, to, from);
    };
    if (first === "strategy" && this.strategies.includes(at) && value === 1) {
      const told = `${this.sides[at - 1]} plays as ${this.sides[2 - at]} does`;
      return { told, act: (edited) => become(edited, this.like.strategy, at - 1, 2 - at) };
    }
    if (first === "units" && this.lineUps.includes(at) && value === 1) {
      const told = `${this.sides[at - 1]} has the line-up of ${this.sides[2 - at]}`;
      return { told, act: (edited) => this.pairs.forEach((pair) => become(edited, this.like.units, pair[at - 1].place, pair[2 - at].place)) };
    }
    if (first === "unit") {
      const unit = this.swappable().find(({ place }) => place === at);
      const model = unit && this.modelsOf(unit)[value - 1];
      if (model === undefined) throw new Error(`there is no choice ${key}`);
      return { told: `${this.nameOf(unit)} is like ${this.nameOf(model)}`, act: (edited) => become(edited, this.like.units, at, model.place) };
    }
    if (first === "take") {
      const { choice, owner, labels } = this.chosen.get(`${second}.${third}`) ?? {};
      if (choice === undefined || labels[value] === undefined) throw new Error(`there is no choice ${key}`);
      const told = [owner.name === RULES ? "" : this.nameOf(owner), choice.name].filter((each) => each !== "").join(": ");
      return { told: `${told} → ${labels[value]}`, act: (edited) => choice.take(edited, owner.place, value, this.packed) };
    }
    const change = this.changes[at];
    const owner = change && this.owners.get(change.owners)?.find(({ place }) => place === Number(first));
    if (owner === undefined) throw new Error(`there is no number ${key}`);
    const { least = -MOST, most = MOST, step = 1 } = change;
    if (!Number.isFinite(value) || (step === 1 && !Number.isInteger(value)) || value < least || value > most) {
      throw new Error(`${value} is not a ${step === 1 ? "whole " : ""}number ${change.least === undefined ? "" : `from ${least} `}up to ${most.toLocaleString("en")}`);
    }
    const called = `${this.nameOf(owner)}: ${this.called(change, owner.place)}`;
    const check = (/** @type {any} */ edited) => {
      const { least: low = -Infinity, most: high = Infinity } = change.limits?.(owner.place, edited) ?? {};
      if (value < low || value > high) throw new Error(`${called} cannot be ${value} beside the other numbers`);
    };
    return { told: `${called} ${this.before(change, owner.place)} → ${value}`, act: (edited) => write(edited, change, owner.place, value), check };
  }

  /** The edits that are not as the battle is, with new ones among them. @param {Record<string, number>} edits @param {string[]} path @param {number} value */
  with(edits, path, value) {
    const key = path.join(".");
    const { [key]: _, ...others } = edits;
    return value === this.beginning(path) ? others : { ...others, [key]: value };
  }

  /** What a number or a choice is in the battle as it is. @param {string[]} path */
  beginning([first, second, third]) {
    if (first === "take") {
      const { choice, owner } = this.chosen.get(`${second}.${third}`) ?? {};
      return choice?.now?.(this.packed.record, owner.place) ?? 0;
    }
    return /^\d+$/u.test(first) ? this.before(this.changes[Number(second)], Number(first)) : 0;
  }

  /** The record with these edits. @param {Record<string, number>} edits */
  edited(edits) {
    const record = this.packed.record.copy();
    // Numbers in the order of the form.
    const order = (/** @type {string} */ key) => ORDER.indexOf(key.split(".")[0]) + 1 || ORDER.length + 1 + Number(key.split(".")[1]);
    const keys = Object.keys(edits).sort((one, other) => order(one) - order(other));
    const acts = keys.map((key) => this.edit(key, edits[key]));
    for (const { act } of acts) act(record);
    for (const { check } of acts) check?.(record);
    if (keys.length > 0) this.settle(record, this.packed);
    return record;
  }

  /** Edits in words, by their paths. @param {Record<string, number>} edits @returns {[string, string][]} */
  words(edits) {
    return Object.entries(edits).map(([key, value]) => [key, this.edit(key, value).told]);
  }
}

/** Write a number wherever it is held. @param {any} record @param {Change} change @param {number} place @param {number} value */
function write(record, { paths, along = () => [] }, place, value) {
  const held = paths(place, record);
  const more = value - record.get(held[0]);
  for (const path of along(place, record)) record.set(path, record.get(path) + more);
  for (const path of held) record.set(path, value);
}
