// @ts-check
/** Where units stand on a stage of a width and a height, so that no plate meets another, a body or the panels. @module */

/** Narrower stages put the sides above each other. */
export const NARROW = 700;
/** How large a boss is at least, beside a person. */
const LEAST_OF_BOSS = 1.3;
/** Who stands in front. @type {Record<string, number>} */
const RANKS = { titan: 0, tank: 0, rider: 1, warrior: 1, brute: 1, beast: 1, bird: 1, blob: 2, archer: 3, mage: 4, healer: 5, engine: 6 };

/** Shares of half a stage's width from its middle, and of the ground's height, of up to four a side. */
const SLOTS = [
  [],
  [[0.44, 0.5]],
  [
    [0.3, 0.62],
    [0.66, 0.2],
  ],
  [
    [0.2, 0.36],
    [0.48, 0.06],
    [0.8, 0.68],
  ],
  [
    [0.2, 0.1],
    [0.3, 1],
    [0.62, 0],
    [0.74, 0.88],
  ],
];
/** What panels and the caption take of a wide stage, a number over a head, and a plate below feet. */
const PANELS = 70;
const OVER_HEAD = 30;
const UNDER_FEET = 50;
const TOKEN_ROW = 76;
const CAPTION = 46;
const STRIP = 21;

/**
 * @typedef {{ x: number, y: number, h: number, dir: number, plate: number, form: string }} Spot The feet, the height of
 *   a body, where it faces, the width of its plate, and how much of the plate is shown: full, dense or token.
 */

/** @param {any[]} units @param {Map<any, any>} looks */
function frontFirst(units, looks) {
  const rankOf = (/** @type {any} */ unit) => RANKS[looks.get(unit.place).body] ?? 2;
  const isBoss = (/** @type {any} */ unit) => Number(looks.get(unit.place).boss);
  // Over the first of the front there is room for a boss.
  return [...units].sort((one, other) => isBoss(other) - isBoss(one) || rankOf(one) - rankOf(other) || one.place - other.place);
}

/**
 * @param {any[]} units Those who are there: place and side.
 * @param {Map<any, any>} looks
 * @param {number} width
 * @param {number} height
 * @returns {{ horizon: number, spots: Map<any, Spot>, duel: Spot[] | null, strips: number[] | null }} `strips` is where
 *   the panels of sides 1 and 2 stand on narrow stages; elsewhere they are in the corners.
 */
export function ranksOf(units, looks, width, height) {
  const sides = [1, 2].map((side) =>
    frontFirst(
      units.filter((unit) => unit.side === side),
      looks,
    ),
  );
  const most = Math.max(...sides.map(({ length }) => length));
  if (width < NARROW) return most > 4 ? tokens(sides, width, height) : above(sides, looks, width, height);
  return most > 4 ? columns(sides, looks, width, height) : slots(sides, looks, width, height);
}

/** @param {any[][]} sides @param {Map<any, any>} looks @param {number} width @param {number} height */
function slots(sides, looks, width, height) {
  const most = Math.max(...sides.map(({ length }) => length));
  const horizon = Math.round(height * (most === 4 ? 0.37 : 0.43));
  /** @type {Map<any, Spot>} */
  const spots = new Map();
  const rows = most === 4 ? 0.74 * (height - horizon - 92) - 74 : height;
  const whole = Math.min(rows, most === 1 ? Math.min(250, height * 0.42, width * 0.3) : Math.min(190, height * 0.285, width * 0.165));
  const wide = most === 1 ? Math.min(264, width * 0.36) : Math.min(186, width * 0.145);
  sides.forEach((members, side) => {
    members.forEach((unit, at) => {
      const [dx, dy] = SLOTS[members.length][at];
      const x = width / 2 + ((side ? 1 : -1) * dx * width) / 2;
      const y = horizon + (height - horizon - 92) * (0.16 + 0.84 * dy) + 12;
      const h = Math.min(y - PANELS, whole * (0.9 + 0.16 * dy) * statureOf(looks, unit, most === 4 ? 1.12 : 1.3));
      spots.set(unit.place, {
        x,
        y,
        h,
        dir: side ? -1 : 1,
        plate: wide,
        form: wide < 130 ? "dense" : "full",
      });
    });
  });
  return { horizon, spots, duel: null, strips: null };
}

/** Columns of two; of more than six of three, of more than nine of four. @param {any[][]} sides @param {Map<any, any>} looks @param {number} width @param {number} height */
function columns(sides, looks, width, height) {
  const horizon = Math.round(height * 0.3);
  const most = Math.max(...sides.map(({ length }) => length));
  // What is higher than wide has room for a row more, and so for broader plates.
  const rows = (most > 9 ? 4 : most > 6 ? 3 : 2) + Number(height > 0.85 * width);
  const ranksOfMost = Math.ceil(most / rows);
  const foot = height - 72;
  // Two rows share all that is below the panels, more of them the floor.
  const two = Math.min(150, width * 0.14, (foot - PANELS - OVER_HEAD - UNDER_FEET) / 2);
  const pitch = rows === 2 ? foot - PANELS - OVER_HEAD - two : (foot - horizon) / (rows - 0.55);
  const whole = rows === 2 ? two : Math.min(124, pitch - UNDER_FEET, width * (ranksOfMost > 2 ? 0.11 : 0.17));
  /** @type {Map<any, Spot>} */
  const spots = new Map();
  sides.forEach((members, side) => {
    const ranks = Math.ceil(members.length / rows);
    const step = rows === 2 ? Math.min(0.36, 0.96 / ranks) : Math.min(0.36, 0.84 / ranks);
    members.forEach((unit, at) => {
      const [rank, row] = [Math.floor(at / rows), at % rows];
      const inRank = Math.min(rows, members.length - rank * rows);
      const middle = inRank === rows ? row : row + (rows - inRank) / 2;
      const x = width / 2 + (side ? 1 : -1) * (width / 2) * Math.min(0.87, 0.16 + 0.04 * (3 - Math.min(3, ranks)) + step * rank + 0.02 * middle);
      const y = foot - pitch * (rows - 1 - middle);
      const h = Math.min(y - PANELS, whole * statureOf(looks, unit, 1.12) * (0.94 + 0.03 * middle));
      spots.set(unit.place, { x, y, h, dir: side ? -1 : 1, plate: Math.min(146, (width / 2) * step * 0.9), form: "dense" });
    });
  });
  return { horizon, spots, duel: null, strips: null };
}

/** Side 2 in a row above, side 1 in a row below, who is in front half a step ahead. @param {any[][]} sides @param {Map<any, any>} looks @param {number} width @param {number} height */
function above(sides, looks, width, height) {
  const horizon = Math.round(height * 0.24);
  /** @type {Map<any, Spot>} */
  const spots = new Map();
  sides.forEach((members, side) => {
    const room = width / Math.max(1, members.length);
    // Whoever is in front stands in the middle.
    const order = members.map((_, at) => (at % 2 ? -1 : 1) * Math.ceil(at / 2));
    const seats = [...order].sort((one, other) => one - other);
    members.forEach((unit, at) => {
      const isAlone = sides.every(({ length }) => length < 2);
      // Two stand face to face; more stand in rows.
      const x = isAlone ? width * (side ? 0.745 : 0.255) : room * (seats.indexOf(order[at]) + 0.5);
      // A boss is seen anyway, and its body needs the room.
      const ahead = at === 0 && members.length > 2 && !looks.get(unit.place).boss ? 14 : 0;
      const y = isAlone ? Math.min(height * 0.68, height - 103) : side ? height * 0.43 + ahead : height - 92 - ahead;
      const h = Math.min(y - CAPTION - STRIP, Math.min(members.length === 1 ? 150 : 108, room * 1.12, height * (isAlone ? 0.34 : 0.25)) * statureOf(looks, unit, 1.15));
      spots.set(unit.place, {
        x,
        y,
        h,
        dir: side ? -1 : 1,
        plate: Math.min(isAlone ? width * 0.47 : 150, room - 8),
        form: members.length > 1 ? "dense" : "full",
      });
    });
  });
  return { horizon, spots, duel: null, strips: [height - STRIP - 2, CAPTION] };
}

/** Rows of tokens; between them whoever acts and whom it meets, enlarged. @param {any[][]} sides @param {number} width @param {number} height */
function tokens(sides, width, height) {
  /** @type {Map<any, Spot>} */
  const spots = new Map();
  const ends = [0, 0];
  sides.forEach((members, side) => {
    const across = Math.max(3, Math.ceil(members.length / 2));
    const rows = Math.ceil(members.length / across);
    const room = width / across;
    members.forEach((unit, at) => {
      const row = Math.floor(at / across);
      // The front row of either side is nearest to the middle.
      const y = side ? CAPTION + 44 + TOKEN_ROW * (rows - 1 - row) : height - TOKEN_ROW * (rows - row) + 42;
      const inRow = Math.min(across, members.length - row * across);
      const x = width / 2 + room * ((at % across) + 0.5 - inRow / 2);
      spots.set(unit.place, { x, y, h: Math.min(46, room), dir: side ? -1 : 1, plate: Math.min(104, room - 6), form: "token" });
    });
    ends[side] = side ? CAPTION + TOKEN_ROW * rows + 3 : height - TOKEN_ROW * rows - 3;
  });
  const [top, bottom] = [ends[1] + STRIP, ends[0] - STRIP];
  const h = Math.max(60, Math.min(128, (bottom - top) * 0.92));
  const y = top + (bottom - top + h) / 2 - 4;
  const duel = [1, -1].map((dir) => ({ x: width * (dir > 0 ? 0.27 : 0.73), y, h, dir, plate: 0, form: "duel" }));
  return { horizon: Math.round(top + (bottom - top) * 0.35), spots, duel, strips: [bottom, ends[1]] };
}

/** How large a body is beside a person; only bosses are larger than the room for most. @param {Map<any, any>} looks @param {any} unit @param {number} most */
function statureOf(looks, unit, most) {
  const { size, boss } = looks.get(unit.place);
  return boss ? Math.max(LEAST_OF_BOSS, Math.min(most, size)) : Math.min(most, size);
}
