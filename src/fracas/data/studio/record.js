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

/** @typedef {{ place: number, side: number, name: string }} Owner */
/**
 * A number of every owner: what it is called, where it is, and what it may be. Without `owners` it is one of the units; `isThere` says
 * whether an owner has it at all.
 *
 * @typedef {{ name: string, paths: (place: number) => string[], owners?: (packed: any) => Owner[], isThere?: (value: number) => boolean,
 *   least?: number, most?: number }} Change
 */
/**
 * What makes a unit, and what makes a side's strategy, where a part of a record can stand in another's place: where it is
 * (nowhere is null), and which of its fields stay.
 *
 * @typedef {{ units?: [(place: number) => string | null, string[]], strategy?: [(side: number) => string, string[]] }} Like
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

/**
 * The changes of a packed battle. Edits are new values by path: of numbers "3.1", the second number of owner 3; of choices
 * "unit.3", "units.1" and "strategy.1", whose values number the labels that the form shows.
 */
export class Changes {
  /**
   * @param {any} packed
   * @param {Change[]} changes
   * @param {Like} like
   * @param {Owner[]} [units]
   */
  constructor(packed, changes, like, units = unitsOf(packed)) {
    this.packed = packed;
    this.changes = changes;
    this.like = like;
    this.units = units;
    this.sides = packed.bundle.sides;
    /** @type {Map<any, Owner[]>} */
    this.owners = new Map();
    for (const { owners } of changes) if (!this.owners.has(owners)) this.owners.set(owners, owners === undefined ? units : owners(packed));
    const [one, other] = [1, 2].map((side) => this.swappable().filter((unit) => unit.side === side));
    /** Units of both sides that can change places; none if one side has more. @type {[Owner, Owner][]} */
    this.pairs = one.length === other.length ? one.map((unit, at) => [unit, other[at]]) : [];
  }

  /** Units that another can stand in the place of. */
  swappable() {
    const [pathOf] = this.like.units ?? [() => null];
    return this.units.filter(({ place }) => pathOf(place) !== null);
  }

  /** What a unit is called, with its side if another has its name. @param {Owner} unit */
  nameOf({ name, side }) {
    const isAlone = this.units.filter((each) => each.name === name).length < 2;
    return isAlone || name === this.sides[side - 1] ? name : `${name} (${this.sides[side - 1]})`;
  }

  /** The choices of a side: whom its units are like, and how it plays. @param {number} side @param {Record<string, number>} edits */
  choices(side, edits) {
    /** @param {string} part @param {string} name @param {string[]} path @param {string[]} labels */
    const choice = (part, name, path, labels) => ({ part, name, path, labels, current: edits[path.join(".")] ?? 0 });
    const other = this.sides[2 - side];
    const found = [];
    if (this.like.strategy) found.push(choice("strategy", "plays", ["strategy", String(side)], ["as it does", `as ${other} does`]));
    if (this.pairs.length > 1) found.push(choice("line-up", "everybody", ["units", String(side)], ["as it is", `as ${other} has it`]));
    const units = this.swappable();
    for (const unit of units.filter((each) => each.side === side)) {
      const others = units.filter((each) => each !== unit).map((each) => `like ${this.nameOf(each)}`);
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
              const [path] = change.paths(place);
              const before = this.packed.record.get(path);
              if (change.isThere?.(before) === false) return [];
              return [{ name: change.name, path: [String(place), String(number)], value: record.get(path), least: change.least ?? Math.min(0, before), most: change.most ?? MOST, step: 1 }];
            }),
          }))
          .filter(({ numbers }) => numbers.length > 0),
      );
    const sides = [1, 2].map((side) => ({ side, name: this.sides[side - 1], choices: this.choices(side, edits), owners: ownersOf(side) }));
    const shared = ownersOf(SHARED);
    return shared.length > 0 ? [...sides, { side: SHARED, name: "Both sides", choices: [], owners: shared }] : sides;
  }

  /** What an edit does to a record, and what it is in words. @param {string} key @param {number} value @returns {{ told: string, act: (record: any) => void }} */
  edit(key, value) {
    const { record } = this.packed;
    const [first, second] = key.split(".");
    const at = Number(second);
    if (first === "strategy" && this.like.strategy && (at === 1 || at === 2) && value === 1) {
      const [pathOf, kept] = this.like.strategy;
      const told = `${this.sides[at - 1]} plays as ${this.sides[2 - at]} does`;
      return { told, act: (edited) => edited.put(pathOf(at), record, pathOf(3 - at), kept) };
    }
    const [pathOf, kept] = /** @type {[(place: number) => string, string[]]} */ (this.like.units ?? [() => "", []]);
    /** @param {any} edited @param {Owner} unit @param {Owner} model */
    const become = (edited, unit, model) => edited.put(pathOf(unit.place), record, pathOf(model.place), kept);
    if (first === "units" && this.pairs.length > 1 && (at === 1 || at === 2) && value === 1) {
      const told = `${this.sides[at - 1]} has the line-up of ${this.sides[2 - at]}`;
      return { told, act: (edited) => this.pairs.forEach((pair) => become(edited, pair[at - 1], pair[2 - at])) };
    }
    if (first === "unit") {
      const units = this.swappable();
      const unit = units.find(({ place }) => place === at);
      const model = units.filter((each) => each !== unit)[value - 1];
      if (unit === undefined || model === undefined) throw new Error(`there is no choice ${key}`);
      return { told: `${this.nameOf(unit)} is like ${this.nameOf(model)}`, act: (edited) => become(edited, unit, model) };
    }
    const change = this.changes[at];
    const owner = change && this.owners.get(change.owners)?.find(({ place }) => place === Number(first));
    if (owner === undefined) throw new Error(`there is no number ${key}`);
    const { least = -MOST, most = MOST } = change;
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new Error(`${value} is not a whole number ${change.least === undefined ? "" : `from ${least} `}up to ${most.toLocaleString("en")}`);
    }
    const paths = change.paths(owner.place);
    return { told: `${this.nameOf(owner)}: ${change.name} ${record.get(paths[0])} → ${value}`, act: (edited) => paths.forEach((path) => edited.set(path, value)) };
  }

  /** The edits that are not as the battle is, with new ones among them. @param {Record<string, number>} edits @param {string[]} path @param {number} value */
  with(edits, path, value) {
    const key = path.join(".");
    const { [key]: _, ...others } = edits;
    const isChoice = !/^\d+$/u.test(path[0]);
    const before = isChoice ? 0 : this.packed.record.get(this.changes[Number(path[1])].paths(Number(path[0]))[0]);
    return value === before ? others : { ...others, [key]: value };
  }

  /** The record with these edits: units first, so that their numbers can be changed besides. @param {Record<string, number>} edits */
  edited(edits) {
    const record = this.packed.record.copy();
    const order = (/** @type {string} */ key) => ["units", "unit", "strategy"].indexOf(key.split(".")[0]) + 1 || 4;
    const keys = Object.keys(edits).sort((one, other) => order(one) - order(other));
    for (const key of keys) this.edit(key, edits[key]).act(record);
    return record;
  }

  /** Edits in words, by their paths. @param {Record<string, number>} edits @returns {[string, string][]} */
  words(edits) {
    return Object.entries(edits).map(([key, value]) => [key, this.edit(key, value).told]);
  }
}
