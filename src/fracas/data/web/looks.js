// @ts-check
/** What each unit looks like: its body by what it is, its parts by a number of its name, its hue by its place. @module */

import { numberOf } from "./shapes.js";

/** How many kinds of each part there are. @type {Record<string, number>} */
const PART_KINDS = { helm: 4, weapon: 4, emblem: 4, cloak: 3 };
/** Warm hues for side 1, cold ones for side 2. @type {Record<number, number[]>} */
const HUES = { 1: [18, 36, 2, 46, 26, 350, 54, 10], 2: [212, 190, 236, 200, 252, 176, 224, 268] };
const SKINS = ["#f2c9a0", "#d79f73", "#a9714a", "#7a4c30"];
const HAIRS = ["#2b2026", "#6b3f22", "#c98d3c", "#d8d2c6", "#8a2f22"];
const GLOWS = [28, 285, 190, 140];
/** How large a body is, beside a person. @type {Record<string, number>} */
const BODY_SIZES = { beast: 0.92, bird: 0.92, blob: 0.86, brute: 1, titan: 1.16, rider: 1.2, engine: 1 };
const BOSS = 1.32;

/** The bodies of classes and kinds. @type {Record<string, string>} */
const BODIES = {
  ...{ warrior: "warrior", vanguard: "warrior", reaver: "warrior", strike: "warrior" },
  ...{
    tank: "tank",
    warden: "tank",
    oathkeeper: "tank",
    footpad: "archer",
    cantor: "healer",
    hexer: "mage",
    ranger: "archer",
    tracker: "archer",
    archery: "archer",
    javelin: "warrior",
  },
  ...{ mage: "mage", arcanist: "mage", healer: "healer", charge: "rider", bombard: "engine", titan1: "titan", titan2: "titan" },
};

/** What names say that somebody holds: weapons by the body that has them. @type {[RegExp, Record<string, number>][]} */
const HELD = [
  [/sword|blade/i, { warrior: 0, tank: 1 }],
  [/\baxe/i, { warrior: 1 }],
  [/hammer|maul/i, { warrior: 2 }],
  [/spear|pike|lance|glaive|javelin/i, { warrior: 3, tank: 2 }],
  [/\bmace/i, { tank: 0 }],
];

/** What stands behind a name of which there are several. */
const NUMBERED = /([- ]\d+| \(level \d+\))$/u;

/** What names say about those who have no class. @type {[RegExp, string][]} */
const BODY_WORDS = [
  [/rider|cavalry|lancer|hussar/i, "rider"],
  [/golem|construct|colossus|automaton|titan|statue|sentinel|\boak\b|furnace|engine|guardian|giant|treant|stone|iron/i, "titan"],
  // Short words stand alone: there is no rat in a pirate, no crow in a crown.
  [
    /(?:wolf|hound|adder|badger|otter|snake|spider|serpent|drake|dragon|wyrm|lizard|beast|scorpion)s?\b|\b(?:bear|boar|bull|cat|crab|deer|dog|fox|goat|hog|horse|lynx|ox|rat|bat|shrew|stag|tortoise|turtle)(?:s|ling)?\b/i,
    "beast",
  ],
  [/(?:raven|hawk|magpie|falcon)s?\b|\b(?:cock|crane|crow|duck|eagle|goose|gull|hen|heron|jackdaw|owl|rook|stork|swan)s?\b/i, "bird"],
  [
    /(?:slime|ooze|wisp|ghost|spirit|jelly|toad|frog|wasp|beetle|slug|worm|spore|fungus|elemental|newt|snail)(?:s|ling|lings)?\b|\b(?:ember|flame)|\b(?:bee|fly|imp|shade)s?\b/i,
    "blob",
  ],
  [
    /[a-z]man\b|\bhand\b|brother|sister|abbot|netter|sneak|beggar|\bhag\b|goblin|\borc|ogre|troll|kobold|skeleton|zombie|ghoul|bandit|raider|pirate|thug|brute|cultist|gnoll|grunt|queen/i,
    "brute",
  ],
  [/archer|hunter|scout|bow|sling|thrower|gunner/i, "archer"],
  [/mage|witch|wizard|shaman|sorcer|seer|adept|priest|druid/i, "mage"],
  [/healer|surgeon|doctor|cleric|\bnun\b|monk|nurse|medic/i, "healer"],
  [/warden|shield|bulwark|sentry/i, "tank"],
  [/knight|captain|guard|soldier|duelist|dancer|king|lord|marshal|smith|blade|halberd|spear|pike/i, "warrior"],
];
/** Marks that do not say what somebody is. */
const VAGUE = new Set(["creature", "boss", "fighter", "champion", "member"]);
/** Marks of those who are larger than others. */
const LEADERS = new Set(["boss", "champion"]);
/** Bodies of those of whom nothing else is known. */
const CREATURES = ["beast", "blob", "brute", "titan"];
const PEOPLE = ["warrior", "archer", "tank", "mage", "healer"];

/** The body of a unit of the cast. @param {any} unit @returns {string} */
function bodyOfUnit({ mark, name }) {
  const isNamed = VAGUE.has(mark);
  if (!isNamed && Object.hasOwn(BODIES, mark)) return BODIES[mark];
  const found = BODY_WORDS.find(([words]) => words.test(isNamed ? name : `${name} ${mark}`));
  if (found !== undefined) return found[1];
  if (mark === "fighter" || mark === "champion" || mark === "member") return "warrior";
  const unknown = mark === "creature" || mark === "boss" ? CREATURES : PEOPLE;
  return unknown[numberOf(isNamed ? name.replace(NUMBERED, "") : mark) % unknown.length];
}

/**
 * The looks of a cast, by place. No two units of a side look alike.
 *
 * @param {any[]} units
 * @param {Record<string, any>} [given] What content says, by name: body, parts, hue.
 * @returns {Map<any, any>}
 */
export function looksOf(units, given = {}) {
  const seen = new Map();
  const found = new Map();
  /** @type {number[]} */
  const counted = [0, 0, 0];
  for (const unit of units) {
    const own = given[unit.name] ?? given[unit.name.replace(NUMBERED, "")] ?? {};
    const { side } = unit;
    const body = own.body ?? bodyOfUnit(unit);
    const number = numberOf(`${side}.${unit.name}`);
    const isBoss = LEADERS.has(unit.mark);
    // A ninth of a side takes the first hue again, a little turned.
    const turn = Math.floor(counted[side] / HUES[side].length);
    const hue = own.hue ?? HUES[side][counted[side] % HUES[side].length] + 7 * turn;
    counted[side] += 1;
    /** @type {any} */
    const look = { body, side, hue, boss: isBoss, size: (BODY_SIZES[body] ?? 1) * (isBoss ? BOSS : 1) };
    look.skin = SKINS[(number >>> 13) % SKINS.length];
    look.hair = HAIRS[(number >>> 17) % HAIRS.length];
    // Of equal units the second has the next parts, and so on.
    const before = seen.get(`${side} ${body}`) ?? 0;
    seen.set(`${side} ${body}`, before + 1);
    Object.entries(PART_KINDS).forEach(([part, kinds], at) => {
      const step = part === "emblem" ? Math.floor(before / 4) : before;
      const held = part === "weapon" ? HELD.find(([words]) => words.test(`${unit.name} ${unit.mark}`))?.[1][body] : undefined;
      look[part] = (own.parts?.[part] ?? held ?? (number >>> (3 + 4 * at)) + step) % kinds;
    });
    look.glow = GLOWS[look.weapon];
    found.set(unit.place, look);
  }
  return found;
}
