// @ts-check
/**
 * Turns the events of any battle into frames: what is seen at one moment, what just happened, and why.
 *
 * A ruleset's table says what each kind of event does, as data. It has the keys
 *
 *   cast      the code book of the units; their events hold places in it
 *   rules     { kind of event: rule or list of rules }
 *   places    more books whose entries stay numbers
 *   gauges    { name of a gauge in events: its name here }
 *   rounds    the word for a tick, if no event begins a round: a frame begins with each new one
 *   falls     whether units without HP fall, and those that have some again are there
 *
 * and a rule has any of these, all optional:
 *
 *   if        { field: value or list of values }: the rule counts only for such events
 *   unless    the same: it does not count for such events
 *   given     a field that is not empty; above, upTo, below, notBelow, unlike: [field, field or number]
 *   begins    "part", "round", "action" or "end": a new frame begins here
 *   joins     kinds of events; no new frame begins if one of these began this one, for the same actor
 *   actor     the field that says who acts; absent: `actor`
 *   spans     the new frame's sentence: texts, { field } and { field, one, several }; stands in place of a title
 *   title     what the new frame is called: a text with {field}s; of a part that lasts its rounds are told with it
 *   calls     [field of a unit, field of its name]: what a unit is called that no file names; numbered where others are
 *   clears    a side whose units leave the stage
 *   enters, falls, rises   the field of a unit that stands on the stage from now on, falls, gets up again
 *   sets      [[field of a unit, gauge, field of its value]]; a gauge "{field}" has the name that the event gives
 *   adds      [[field of a unit, gauge, field of the amount, 1 or -1]]
 *   holds     [[field of a unit, gauge, number or null]]: a gauge becomes this number, or is unknown
 *   holdsAll  { gauge: number } for every unit
 *   notes     [[field of a unit, name, text]]: words on a unit; forgets: a name whose notes go
 *   state     { on, name, amount?, until?, tone? }: a status begins on a unit; name may be a text with {field}s
 *   ends      { on, name }: a status ends
 *   cools     { on, name }: what was used now and may not be used again for as many rounds as the cast's `cooldowns` say
 *   clock     the field that counts rounds: whatever cools has one round less
 *   effect    { look, on, by?, amount?, also?, words?, piece? }: what is seen on a unit; look "hp" is hurt or heal, as
 *             its HP went; an amount of two fields is the first less the second; also is what a shield took
 *   reason    a text with {field}s: one step of why the next effect is as large as it is
 *   shared    the reason holds for every later effect of the action; critical: it makes the next effect a critical hit
 *   marks     { name: field }: something of the scene, such as the encounter; a name may have {field}s
 *
 * Nothing is computed here that an event says.
 *
 * @module
 */

/** @param {string} text */
export const worded = (text) => text.replaceAll("_", " ");

/** @param {any} value */
function shown(value) {
  if (value === null || value === undefined) return "nobody";
  if (typeof value === "number") return String(Math.round(value * 100) / 100);
  return worded(String(value));
}

/** @type {Record<string, (one: any, other: any) => boolean>} */
const COMPARED = {
  above: (one, other) => one > other,
  upTo: (one, other) => one <= other,
  below: (one, other) => one < other,
  notBelow: (one, other) => one >= other,
  unlike: (one, other) => one !== other,
};

/** @param {any} rule @param {any} event */
function applies(rule, event) {
  if (rule.given !== undefined && (event[rule.given] ?? null) === null) return false;
  for (const [name, wanted] of Object.entries(rule.if ?? {})) {
    if (!(Array.isArray(wanted) ? wanted.includes(event[name]) : event[name] === wanted)) return false;
  }
  for (const [name, unwanted] of Object.entries(rule.unless ?? {})) {
    if (/** @type {any[]} */ (unwanted).includes(event[name])) return false;
  }
  return Object.entries(COMPARED).every(([name, holds]) => {
    if (rule[name] === undefined) return true;
    const [one, other] = rule[name];
    return holds(event[one], typeof other === "number" ? other : event[other]);
  });
}

/** @param {any} event @param {string | string[] | undefined} amount @returns {number | null} */
function amountOf(event, amount) {
  if (amount === undefined) return null;
  return Array.isArray(amount) ? event[amount[0]] - event[amount[1]] : event[amount];
}

/** The looks that are a change of HP, and the one that says that nothing came of it. */
const OF_HP = "hp";
const MISS = "miss";
/** What an empty place of content is called. */
const NOTHING = "nothing";
/** Looks that take the reasons before them; those of other looks wait for the next. */
const EXPLAINED = new Set(["hurt", "block", MISS, "heal", "shield"]);

/** Makes frames of events as they come; a battle that is being played tells them step by step. */
export class Interpreter {
  /** @param {any} table @param {any} cast @param {any} layout @param {any} books */
  constructor(table, cast, layout, books) {
    this.table = table;
    this.books = { ...layout.books, ...books, ...cast.books };
    this.bookOf = new Map(
      layout.events.map((/** @type {any} */ kind) => [
        kind.name,
        new Map(kind.fields.map((/** @type {any} */ field) => [field.name, field.book])),
      ]),
    );
    /** @type {Map<number, any>} */
    this.units = new Map(cast.units.map((/** @type {any} */ unit) => [unit.place, unitOf(unit)]));
    this.scene = cast.scene ?? {};
    this.tickOfRound = 0;
    this.cooldowns = new Map(Object.entries(cast.cooldowns ?? {}));
    this.now = 0;
    this.round = "";
    this.part = "";
    /** @type {any[]} */
    this.frames = [];
    this.frame = null;
    /** The frame that stands last in the list, and grows while nothing else begins. @type {any} */
    this.last = null;
    this.count = 0;
    /** @type {any[]} */
    this.reasons = [];
  }

  /**
   * Take more events. The last frame that was there may grow: another stands in its place then.
   *
   * @param {any[]} events
   */
  more(events) {
    for (const event of events) this.take(event, this.count++);
    this.finish(this.count);
  }

  /** A field's value in words. @param {any} event @param {string} name */
  told(event, name) {
    const value = event[name];
    const book = this.bookOf.get(event.kind)?.get(name);
    if (book === this.table.cast && typeof value === "number") return this.units.get(value)?.name ?? shown(value);
    if (book !== undefined && typeof value === "number") return shown(this.books[book]?.[value] ?? value);
    return shown(value);
  }

  /** @param {string} text @param {any} event */
  fill(text, event) {
    return text.replace(/\{(\w+)\}/g, (_, name) => this.told(event, name));
  }

  /** Change a unit; states of earlier frames keep the unit as it was. @param {any} place @param {any} change */
  change(place, change) {
    const unit = this.units.get(place);
    if (unit === undefined) return;
    this.units.set(place, { ...unit, ...change });
  }

  /** @param {any} place @param {string} name @param {number} value */
  gauge(place, name, value) {
    const unit = this.units.get(place);
    if (unit === undefined) return;
    const gauges = { ...unit.gauges, [name]: value };
    if (name === "hp" && value > gauges.max) gauges.max = value;
    const falls = this.table.falls === true && name === "hp";
    this.change(place, falls ? { gauges, present: unit.present || value > 0, fallen: value <= 0 } : { gauges });
  }

  /** @param {any} event @param {any} rule @param {number} at */
  begin(event, rule, at) {
    const actor = rule.begins === "action" ? (event[rule.actor ?? "actor"] ?? null) : null;
    const joins = rule.joins ?? [];
    const now = this.frame;
    const isSame = rule.anyone === true || now?.actor === actor;
    if (now !== null && now.kind === rule.begins && joins.includes(now.by) && isSame) {
      if (rule.title !== undefined) now.title = this.fill(rule.title, event);
      return;
    }
    this.finish(at);
    const spans = rule.spans?.map((/** @type {any} */ piece) => this.span(piece, event));
    const title = rule.title === undefined ? (spans ?? []).map((/** @type {any} */ [text]) => text).join("") : this.fill(rule.title, event);
    if (rule.begins === "part") [this.part, this.round] = rule.lasts === true ? [title, ""] : ["", title];
    if (rule.begins === "round") this.round = title;
    const { tick } = event;
    this.frame = {
      ...{ first: at, last: at, tick, kind: rule.begins, by: event.kind, actor, title, part: this.part, round: this.round },
      ...(spans === undefined ? {} : { spans }),
      effects: [],
    };
    this.reasons = [];
  }

  /** A piece of a sentence: its text, and the place of the unit that it names. @param {any} piece @param {any} event */
  span(piece, event) {
    if (typeof piece === "string") return [piece, null];
    const { field, one, several, width } = piece;
    const value = event[field];
    if (one !== undefined) return [`${value} ${value === 1 ? one : several}`, null];
    if (width !== undefined) return [value < 0 ? "nowhere" : `[${value % width}, ${Math.floor(value / width)}]`, null];
    if (typeof value === "boolean") return [value ? "yes" : "no", null];
    const isUnit = this.bookOf.get(event.kind)?.get(field) === this.table.cast;
    return [this.told(event, field), isUnit ? value : null];
  }

  /** @param {number} at Place of the first event that is no longer of the frame. */
  finish(at) {
    if (this.frame === null) return;
    const hp = [0, 0, 0];
    const full = [0, 0, 0];
    for (const unit of this.units.values()) {
      if (!unit.present) continue;
      hp[unit.side] += Math.max(0, unit.gauges.hp ?? 0);
      full[unit.side] += unit.gauges.max ?? 0;
    }
    const closing = this.reasons.map((each) => each.text);
    if (this.last === this.frame) this.frames.pop();
    this.last = this.frame;
    this.frames.push({ ...this.frame, effects: [...this.frame.effects], last: at - 1, units: new Map(this.units), scene: this.scene, hp, full, closing });
  }

  /** @param {any} event @param {number} at */
  take(event, at) {
    if (this.table.rounds !== undefined && event.tick > this.tickOfRound && event.kind !== "outcome") {
      this.tickOfRound = event.tick;
      this.begin(event, { begins: "round", title: `${this.table.rounds} {tick}` }, at);
    }
    const found = this.table.rules[event.kind];
    const rules = found === undefined ? [] : Array.isArray(found) ? found : [found];
    const counting = rules.filter((/** @type {any} */ rule) => applies(rule, event));
    const beginning = counting.find((/** @type {any} */ rule) => rule.begins !== undefined);
    for (const { calls } of counting) if (calls !== undefined) this.call(event, calls);
    if (beginning !== undefined) this.begin(event, beginning, at);
    if (this.frame === null) this.begin(event, { begins: "part", title: "Before the battle" }, at);
    for (const rule of counting) this.apply(rule, event, at);
  }

  /** Whoever joins is called by what the event says, as in `kit/derive/story.py`. @param {any} event @param {string[]} calls */
  call(event, [field, by]) {
    const place = event[field];
    const kind = this.told(event, by);
    const unit = this.units.get(place);
    if (unit?.isSpare !== true || unit.mark === kind || kind === NOTHING) return;
    const others = new Set([...this.units].filter(([at, { side }]) => at !== place && side === unit.side).map(([, { name }]) => name));
    let name = kind;
    for (let number = 2; others.has(name); number += 1) name = `${kind} ${number}`;
    this.change(place, { name, mark: kind });
  }

  /** @param {any} rule @param {any} event @param {number} at */
  apply(rule, event, at) {
    const before = rule.effect?.look === OF_HP ? new Map(this.units) : this.units;
    if (rule.clears !== undefined) {
      for (const [place, unit] of this.units) {
        if (unit.side === rule.clears && unit.present) this.change(place, { present: false });
      }
    }
    if (rule.enters !== undefined) this.change(event[rule.enters], { present: true, fallen: false, states: new Map() });
    for (const [field, gauge, value] of rule.sets ?? []) {
      const name = gauge.startsWith("{") ? event[gauge.slice(1, -1)] : gauge;
      this.gauge(event[field], (this.table.gauges ?? {})[name] ?? name, event[value]);
    }
    for (const [field, gauge, value, sign] of rule.adds ?? []) {
      const had = this.units.get(event[field])?.gauges[gauge] ?? 0;
      this.gauge(event[field], gauge, Math.max(0, had + sign * event[value]));
    }
    for (const [field, gauge, value] of rule.holds ?? []) this.gauge(event[field], gauge, value);
    for (const [gauge, value] of Object.entries(rule.holdsAll ?? {})) {
      for (const place of this.units.keys()) this.gauge(place, gauge, value);
    }
    for (const [field, name, text] of rule.notes ?? []) {
      const notes = { ...this.units.get(event[field])?.notes, [name]: this.fill(text, event) };
      this.change(event[field], { notes });
    }
    if (rule.forgets !== undefined) {
      for (const [place, unit] of this.units) this.change(place, { notes: { ...unit.notes, [rule.forgets]: "" } });
    }
    if (rule.clock !== undefined) this.tick(event[rule.clock]);
    if (rule.cools !== undefined) this.cool(rule.cools, event);
    for (const state of [rule.state ?? []].flat()) this.begins(state, event);
    for (const state of [rule.ends ?? []].flat()) this.ends(state, event);
    if (rule.falls !== undefined) this.change(event[rule.falls], { fallen: true, states: new Map() });
    if (rule.rises !== undefined) this.change(event[rule.rises], { fallen: false });
    if (rule.marks !== undefined) {
      const marks = Object.entries(rule.marks).map(([name, field]) => [
        name.replace(/\{(\w+)\}/g, (_, part) => event[part]),
        event[/** @type {string} */ (field)],
      ]);
      this.scene = { ...this.scene, ...Object.fromEntries(marks) };
    }
    if (rule.reason !== undefined) {
      const { shared = false, critical = false } = rule;
      this.reasons.push({ text: this.fill(rule.reason, event), shared, critical });
    }
    if (rule.effect !== undefined) this.see(rule.effect, event, at, before);
  }

  /** A new round: what cools has fewer rounds left, and goes when it may be used. @param {number} now */
  tick(now) {
    this.now = now;
    for (const [place, unit] of this.units) {
      if (![...unit.states.values()].some(({ ready }) => ready !== undefined)) continue;
      const states = new Map();
      for (const [name, state] of unit.states) {
        if (state.ready === undefined) states.set(name, state);
        else if (state.ready > now) states.set(name, { ...state, amount: state.ready - now });
      }
      this.change(place, { states });
    }
  }

  /** Used in round r with a cooldown of c, something may be used again in round r + c. @param {any} rule @param {any} event */
  cool({ on, name }, event) {
    const used = this.fill(name, event);
    const rounds = this.cooldowns.get(used) ?? 0;
    const unit = this.units.get(event[on]);
    if (rounds < 2 || unit === undefined) return;
    const state = { name: used, amount: rounds, until: null, tone: "rest", ready: this.now + rounds };
    this.change(event[on], { states: new Map(unit.states).set(`${used} cools`, state) });
  }

  /** @param {any} state @param {any} event */
  begins(state, event) {
    const unit = this.units.get(event[state.on]);
    if (unit === undefined) return;
    const name = this.fill(state.name, event);
    const amount = state.amount === undefined ? null : event[state.amount];
    const until = state.until === undefined ? null : event[state.until];
    const tone = typeof state.tone === "object" ? (state.tone[name] ?? "bad") : (state.tone ?? "bad");
    this.change(event[state.on], { states: new Map(unit.states).set(name, { name, amount, until, tone }) });
  }

  /** @param {any} state @param {any} event */
  ends(state, event) {
    const unit = this.units.get(event[state.on]);
    const name = this.fill(state.name, event);
    if (unit === undefined || !unit.states.has(name)) return;
    const states = new Map(unit.states);
    states.delete(name);
    this.change(event[state.on], { states });
  }

  /** @param {any} effect @param {any} event @param {number} at @param {Map<number, any>} before */
  see(effect, event, at, before) {
    const on = event[effect.on] ?? null;
    let amount = amountOf(event, effect.amount);
    const also = effect.also === undefined ? 0 : event[effect.also];
    let look = effect.look;
    if (look === OF_HP) {
      const went = (this.units.get(on)?.gauges.hp ?? 0) - (before.get(on)?.gauges.hp ?? 0);
      look = went < 0 ? "hurt" : went > 0 ? "heal" : MISS;
      amount ??= Math.abs(went);
    }
    if (look === "hurt" && amount === 0) look = also > 0 ? "block" : MISS;
    if (look === "heal" && amount === 0) look = MISS;
    const isVain = look === MISS && effect.look !== MISS;
    const words = isVain || effect.words === undefined ? "" : this.fill(effect.words, event);
    const by = effect.by === null ? null : (event[effect.by ?? "actor"] ?? null);
    const piece = effect.piece === undefined ? null : event[effect.piece];
    const why = this.reasons.map((each) => each.text);
    const critical = this.reasons.some((each) => each.critical);
    if (EXPLAINED.has(look)) this.reasons = this.reasons.filter((each) => each.shared);
    const { hp: left = 0, max: of = 0 } = this.units.get(on)?.gauges ?? {};
    const { act = null } = effect;
    this.frame.effects.push({ look, on, by, act, amount, also, words, piece, why, critical, left, of, event: at });
    // Of games whose units fall with their HP no event says so.
    const isDown = this.table.falls === true && look === "hurt" && this.units.get(on)?.fallen && !before.get(on)?.fallen;
    if (isDown) this.see({ look: "fall", on: effect.on, by: effect.by }, event, at, before);
  }
}

/** @param {any} unit */
function unitOf({ name, mark, side, hp, gauges: given, spare: isSpare }) {
  const all = { name, mark, side, fallen: false, states: new Map(), notes: {} };
  if (given !== undefined) return { ...all, isSpare, present: !isSpare, gauges: given };
  return { ...all, present: hp !== null, gauges: hp === null ? { hp: 0, max: 0 } : { hp, max: hp } };
}

/**
 * All frames of a battle, in order.
 *
 * @param {any[]} events Events whose units are places in the cast's book.
 * @param {any} table The ruleset's table.
 * @param {any} cast
 * @param {any} layout The module's layout, which says what the fields are.
 * @param {any} books Names by code book.
 */
export function framesOf(events, table, cast, layout, books) {
  const interpreter = new Interpreter(table, cast, layout, books);
  interpreter.more(events);
  return interpreter.frames;
}

/** Books whose units, and pieces where a table has them, stay places. @param {any} table @param {any} books */
export function booksOfPlaces(table, books) {
  const kept = [table.cast, ...(table.places ?? [])];
  return Object.fromEntries(
    Object.entries(books).map(([name, names]) => [
      name,
      kept.includes(name) ? names.map((/** @type {any} */ _, /** @type {number} */ place) => place) : names,
    ]),
  );
}
