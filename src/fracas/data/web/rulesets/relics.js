// @ts-check
/** relics: two fighters, whose pieces light up when they trigger. @module */

import { Duel } from "../duel.js";
import { ofRules, wordsOfRules } from "../rule-numbers.js";

const BAD = ["freeze", "poison", "acid", "stun", "riptide"];

export const table = {
  cast: "fighter",
  places: ["source"],
  gauges: { hp_max: "max" },
  rules: {
    battle: { begins: "part", title: "Before the first turn" },
    fighter: {
      enters: "actor",
      sets: [
        ["actor", "max", "hp"],
        ["actor", "hp", "hp"],
        ["actor", "attack", "attack"],
        ["actor", "armor", "armor"],
        ["actor", "speed", "speed"],
      ],
    },
    has: { sets: [["actor", "{quantity}", "value"]] },
    first: {
      ...{ begins: "action", title: "acts first" },
      effect: { look: "success", on: "actor", by: null, words: "acts first: {reason}" },
    },
    turn: { begins: "round", title: "Turn {turn}" },
    trigger: [
      { if: { depth: 1 }, begins: "action", title: "{source}" },
      {
        reason: "{source}: {trigger}",
        effect: { look: "lit", on: "actor", by: null, piece: "source", words: "{source}" },
      },
    ],
    roll: { reason: "{purpose}: {roll} against {against}" },
    attack: {
      ...{ begins: "action", title: "strikes" },
      reason: "ATK {attack}, temporary {temporary}, bonus {bonus}, {percent} %",
    },
    strike: [
      { begins: "action", joins: ["attack"], title: "strikes" },
      { if: { frozen: true }, reason: "frozen: {before} → {part}" },
      { effect: { look: "lit", on: "actor", by: null, words: "strikes" } },
    ],
    skip: {
      ...{ begins: "action", title: "skips a strike" },
      effect: { look: "lost", on: "actor", by: null, words: "{reason}" },
    },
    modified: { reason: "{modifier} {total}: {before} → {after}" },
    damage: {
      ...{ sets: [["target", "hp", "hp"]], adds: [["target", "armor", "absorbed", -1]] },
      effect: { look: "hurt", on: "target", amount: "lost", also: "absorbed", words: "{source}" },
    },
    heal: {
      sets: [["target", "hp", "hp"]],
      effect: { look: "heal", on: "target", amount: "healed", words: "{source}" },
    },
    change: [
      { sets: [["target", "{quantity}", "value"]] },
      { if: { quantity: BAD }, effect: { look: "state", on: "target", amount: "change", words: "{quantity}" } },
      {
        if: { quantity: ["hp", "hp_max", "attack", "temp_attack", "armor", "speed", "thorns", "regen"] },
        effect: { look: "gain", on: "target", amount: "change", words: "{quantity}" },
      },
    ],
    immune: { effect: { look: "miss", on: "target", words: "immune to {quantity}" } },
    mark: {
      state: { on: "target", name: "{mark}" },
      effect: { look: "state", on: "target", by: null, words: "{mark}" },
    },
    fall: { falls: "target", effect: { look: "fall", on: "target", by: null } },
    phase_begins: {
      ...{ begins: "action", actor: "target", title: "gets up: phase {phase}", rises: "target" },
      holds: [
        ...["temp_attack", "freeze", "thorns", "poison", "acid", "riptide", "stun", "regen"].map((name) => ["target", name, 0]),
        ["target", "speed", null],
      ],
      sets: [
        ["target", "max", "hp"],
        ["target", "hp", "hp"],
        ["target", "attack", "attack"],
        ["target", "armor", "armor"],
      ],
      effect: { look: "ultimate", on: "target", by: null, words: "phase {phase}" },
    },
    outcome: { begins: "end", title: "{reason}", marks: { winner: "winner" } },
  },
};

/** Places of quantities among a build's starting values. */
const START = { hp: 0, hp_max: 1, attack: 2, armor: 4, speed: 5 };

const VERBS = [
  ...["gain", "lose", "set", "double", "halve", "restore", "steal", "heal", "full heal", "deal", "pierce", "extra damage", "execute", "move"],
  ...["convert", "corrode", "spend", "extra strikes", "retrigger", "hasten", "delay", "reset countdowns", "count", "set the counter"],
];
const RETRIGGER = 18;
const [AT_RANDOM, ONE_AT_RANDOM, RANDOM_STATUS] = [3, 1, 16];
const RANDOM_FIRST = 2;
const CERTAIN = 100;
const LARGEST = 9_999;
const PIECES = 32;
const BY_NUMBER = 0;
/** The first kind of modifiers that have no number: immune. */
const WITHOUT_NUMBER = 12;
/** All bits of a set of turns. */
const EVERY_TURN = -1;

/** @param {any} record @param {string} path @returns {[first: number, end: number]} */
const spanOf = (record, path) => {
  const { first, entries } = record.get(path);
  return [first, first + entries];
};

/** @param {number} first @param {number} end */
const numbersFrom = (first, end) => Array.from({ length: end - first }, (_, at) => first + at);

/** The numbers of the effects of both builds. @param {any} record */
const effectsIn = (record) => [0, 1].flatMap((side) => numbersFrom(...spanOf(record, `builds.${side}.effects`)));

/** An effect or a modifier's owner. @param {any} packed @param {number} place @param {number} source @param {string} about */
const ofPiece = ({ bundle: { books } }, place, source, about) => ({ place, side: source < PIECES ? 1 : 2, name: `${books.source[source]}, ${about}` });

/** @param {any} packed @param {number} place */
const effectOwner = (packed, place) => {
  const { source, trigger } = packed.record.get(`effects.${place}`);
  return ofPiece(packed, place, source, packed.record.layout.books.trigger[trigger].replaceAll("_", " "));
};

/** Whether a piece is one fighter's: own statuses, the last pieces, are one text for both. @param {any} packed @param {number} source */
const isOfOne = ({ bundle: { scenario } }, source) => source % PIECES < PIECES - Object.keys(scenario.statuses ?? {}).length;

/** Effects of pieces. @param {any} packed @returns {number[]} */
const ownEffects = (packed) => effectsIn(packed.record).filter((place) => isOfOne(packed, packed.record.get(`effects.${place}.source`)));

/** @param {any} packed */
const effectsOf = (packed) => ownEffects(packed).map((place) => effectOwner(packed, place));

/** @param {any} packed */
const opsOf = (packed) =>
  ownEffects(packed).flatMap((effect) => {
    const { first_op: first, op_count: count } = packed.record.get(`effects.${effect}`);
    return numbersFrom(first, first + count).map((place) => {
      const { verb, quantity } = packed.record.get(`ops.${place}`);
      const what = packed.bundle.books.quantity?.[quantity] ?? packed.record.layout.books.quantity[quantity] ?? "";
      const owner = effectOwner(packed, effect);
      return { ...owner, place, name: `${owner.name}: ${VERBS[verb]} ${what.replaceAll("_", " ")}`.trim() };
    });
  });

/** The kinds of modifiers that a build has: side, kind, and their span. @param {any} record @returns {[side: number, kind: number, span: [number, number]][]} */
const kindsOfModifiers = (record) =>
  [0, 1].flatMap((side) => record.get(`builds.${side}.modifiers`).map((/** @type {any} */ _, /** @type {number} */ kind) => [side, kind, spanOf(record, `builds.${side}.modifiers.${kind}`)]));

/** @param {any} packed */
const modifiersOf = (packed) =>
  kindsOfModifiers(packed.record).flatMap(([, kind, span]) =>
    numbersFrom(...span).filter((place) => isOfOne(packed, packed.record.get(`modifiers.${place}.source`))).map((place) => ofPiece(packed, place, packed.record.get(`modifiers.${place}.source`), (packed.record.layout.books.modifier[kind] ?? "").replaceAll("_", " "))),
  );

/** The sum of modifiers that never change holds each of them. @param {number} place @param {any} record */
const sumsWith = (place, record) =>
  kindsOfModifiers(record).flatMap(([side, kind, [first, end]]) => {
    const isFixed = ((BigInt(record.get(`builds.${side}.varies`)) >> BigInt(kind)) & 1n) === 0n;
    return first <= place && place < end && isFixed ? [`builds.${side}.sums.${kind}`] : [];
  });

/** @param {number} value */
const isPositive = (value) => value > 0;
/** @param {string} table */
const hasNumber = (table) => (/** @type {number} */ value, /** @type {number} */ place, /** @type {any} */ record) =>
  value !== 0 && record.get(`${table}.${place}.amount.kind`) === BY_NUMBER;
/** Some modifiers only are there. @param {number} value @param {number} place @param {any} record */
const isNumbered = (value, place, record) =>
  hasNumber("modifiers")(value, place, record) && kindsOfModifiers(record).some(([, kind, [first, end]]) => kind < WITHOUT_NUMBER && first <= place && place < end);
const ofChance = { least: 0, most: CERTAIN, isThere: (/** @type {number} */ value) => value >= 0 };

/** What a fighter begins with, and gets back in its first phase. @param {number[]} quantities @returns {(side: number) => string[]} */
const startingWith = (...quantities) => (side) => ["start", "phases.0.start"].flatMap((where) => quantities.map((each) => `builds.${side}.${where}.${each}`));

/** @type {import("../../studio/record.js").Change[]} */
const changes = [
  { name: "ATK", paths: startingWith(START.attack) },
  { name: "HP", least: 1, paths: startingWith(START.hp_max, START.hp) },
  { name: "ARMOR", paths: startingWith(START.armor) },
  { name: "SPEED", paths: startingWith(START.speed) },
  { name: "amount", owners: opsOf, least: 0, most: LARGEST, isThere: hasNumber("ops"), paths: (place) => [`ops.${place}.amount.number`] },
  { name: "times", owners: opsOf, least: 0, most: LARGEST, isThere: isPositive, paths: (place) => [`ops.${place}.amount.times`] },
  { name: "chance in %", owners: opsOf, ...ofChance, paths: (place) => [`ops.${place}.chance`] },
  { name: "chance in %", owners: effectsOf, ...ofChance, paths: (place) => [`effects.${place}.chance`] },
  { name: "n", owners: effectsOf, least: 1, most: 500, isThere: isPositive, paths: (place) => [`effects.${place}.n`] },
  { name: "most in a turn", owners: effectsOf, least: 1, most: LARGEST, isThere: isPositive, paths: (place) => [`effects.${place}.per_turn`] },
  { name: "most in a battle", owners: effectsOf, least: 1, most: LARGEST, isThere: isPositive, paths: (place) => [`effects.${place}.per_battle`] },
  { name: "amount", owners: modifiersOf, least: -LARGEST, most: LARGEST, isThere: isNumbered, paths: (place) => [`modifiers.${place}.amount.number`], along: sumsWith },
  ...ofRules({ fatigue_start: ["fatigue after turn", 0, 500], turn_cap: ["last turn", 1, 500] }),
];

const choices = wordsOfRules({
  tie_breaker: ["at equal SPEED begins", "the left", "the right", "who wins a roll"],
  allow_pre_phase: ["effects before the battle run"],
  freeze_side: ["Freeze halves strikes of", "who meets it", "who has it"],
  freeze_decay: ["Freeze decays", "every turn", "on its owner's turns"],
  thorns_clear: ["Thorns end after a turn in which", "their owner was struck", "they did damage"],
  death_check: ["deaths are looked for", "after certain steps", "after every change"],
  corroded_bone_receiver: ["enemy HP to armor goes to", "the enemy", "the owner"],
  onhit_damage_route: ["extra damage on hit goes to", "HP", "ARMOR first"],
  riptide_route: ["Riptide goes to", "HP", "ARMOR first"],
  cadence_parity: ["every other turn is", "even", "odd"],
});

/** The end of a table in which each build has a span. @param {any[]} records @param {(record: any) => number[]} endsOf */
const endOf = (records, endsOf) => Math.max(...records.flatMap(endsOf));

/** A build brings effects of its own: what they count is its own, too. @param {any} edited @param {any} packed @param {number} to @param {number} from */
function bring(edited, { record }, to, from) {
  const own = (/** @type {number} */ source) => (source % PIECES) + PIECES * to;
  const { first, entries } = record.get(`builds.${from}.effects`);
  const base = endOf([record, edited], (each) => [0, 1].map((side) => spanOf(each, `builds.${side}.effects`)[1]));
  const moved = base - first;
  for (const place of numbersFrom(first, first + entries)) {
    edited.put(`effects.${place + moved}`, record, `effects.${place}`);
    edited.set(`effects.${place + moved}.source`, own(record.get(`effects.${place}.source`)));
  }
  edited.set(`builds.${to}.effects.first`, base);
  for (const [trigger, span] of record.get(`builds.${from}.listeners`).entries()) edited.set(`builds.${to}.listeners.${trigger}.first`, span.first + moved);
  let next = endOf([record, edited], (each) => kindsOfModifiers(each).map(([, , [, end]]) => end));
  for (const [side, kind, [start, end]] of kindsOfModifiers(record)) {
    if (side !== from) continue;
    edited.set(`builds.${to}.modifiers.${kind}.first`, next);
    for (const place of numbersFrom(start, end)) {
      edited.put(`modifiers.${next}`, record, `modifiers.${place}`);
      edited.set(`modifiers.${next}.source`, own(record.get(`modifiers.${place}.source`)));
      next += 1;
    }
  }
  for (const at of numbersFrom(0, PIECES)) {
    for (const field of ["piece_kinds", "piece_tiers"]) edited.set(`${field}.${own(at)}`, record.get(`${field}.${at + PIECES * from}`));
  }
}

/** Modifiers that are limited to some pieces know those of both sides. @param {any} packed */
const hasNoLimits = ({ record }) =>
  kindsOfModifiers(record).every(([, , span]) => numbersFrom(...span).every((place) => record.get(`modifiers.${place}.is_limited`) === 0));

/** @type {import("../../studio/record.js").Like} */
const like = { units: { at: (side) => [`builds.${side}`], kept: [], fits: hasNoLimits, after: bring } };

/** What is worked out ahead is not looked up any more, and whether anything draws is asked anew. @param {any} record */
function settle(record) {
  const effects = effectsIn(record);
  for (const effect of effects) record.set(`quick.${effect}.kind`, 0);
  for (const side of [0, 1]) record.set(`builds.${side}.quiet`, 0).set(`builds.${side}.due_turns`, EVERY_TURN);
  const isDrawn = (/** @type {number} */ chance) => chance > 0 && chance < CERTAIN;
  const draws = effects.some((effect) => {
    const { chance, first_op: first, op_count: count } = record.get(`effects.${effect}`);
    const ops = numbersFrom(first, first + count).map((place) => record.get(`ops.${place}`));
    return isDrawn(chance) || ops.some((op) => isDrawn(op.chance) || op.target === AT_RANDOM || op.quantity === RANDOM_STATUS || (op.verb === RETRIGGER && op.which === ONE_AT_RANDOM));
  });
  record.set("deterministic", Number(!draws && record.get("options.tie_breaker") !== RANDOM_FIRST));
}

/** What can be changed in the record. */
export const editing = { changes, choices, like, settle };

/** What the stage shows before the first event, from the bundle. @param {any} bundle @param {any} record */
export function castOf({ scenario, books }, record) {
  const fighters = [scenario.left, scenario.right];
  const sides = fighters.map(({ name }) => name);
  const units = fighters.map(({ name, phases }, place) => ({ place, side: place + 1, name, mark: phases.length > 0 ? "champion" : "fighter", about: "", hp: null }));
  const kinds = record.get("piece_kinds");
  const half = kinds.length / 2;
  const pieces = books.source.slice(0, 2 * half).flatMap((/** @type {any} */ name, /** @type {number} */ place) => {
    const kind = books.piece_kind[kinds[place]];
    return name && kinds[place] >= 0 ? [{ place, side: Math.floor(place / half) + 1, name: String(name), kind }] : [];
  });
  return { units, pieces, sides: [sides] };
}

/** @param {any} cast @param {any} data */
export const buildStage = (cast, data) => new Duel(cast, data, { stats: ["attack", "armor", "speed"], statuses: BAD });
