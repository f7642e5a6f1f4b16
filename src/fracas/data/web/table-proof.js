// @ts-check
/**
 * Checks the proof of a table on this device. docs/reference/table-files.md says what its parts are.
 *
 * Digests are over JSON with sorted keys and without blanks, in which numbers stand as they are written: so numbers are
 * kept as texts.
 *
 * @module
 */

import { digestUnder, loadRules } from "./fracas.js";

const TERMS = "fracas duel terms v1";
const COMMITMENT = "fracas duel commitment v2";
const SALT = "fracas duel salt v1";
const HANDSHAKE = "fracas duel handshake v1";
const SEAL = "fracas duel session v1";

/** A number as it was written. */
class Written {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

/** JSON with numbers as they are written. @param {string} text @returns {any} */
export function parsed(text) {
  TOKEN.lastIndex = 0;
  const next = () => {
    const found = TOKEN.exec(text);
    if (found === null) throw new Error("the proof is no JSON");
    return found;
  };
  /** @param {RegExpExecArray} token @returns {any} */
  const value = ([, mark, string, number, word]) => {
    if (string !== undefined) return JSON.parse(string);
    if (number !== undefined) return new Written(number);
    if (word !== undefined) return JSON.parse(word);
    if (mark === "[") {
      const items = [];
      for (let token = next(); token[1] !== "]"; token = next()) if (token[1] !== ",") items.push(value(token));
      return items;
    }
    /** @type {Map<string, any>} */
    const found = new Map();
    for (let token = next(); token[1] !== "}"; token = next()) {
      if (token[1] === ",") continue;
      const key = JSON.parse(token[2]);
      next();
      found.set(key, value(next()));
    }
    return found;
  };
  return value(next());
}

/** Keys as Python sorts them: by code points. @param {string} one @param {string} other */
const byCodePoints = (one, other) => {
  const [a, b] = [[...one], [...other]];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    if (a[at] !== b[at]) return (a[at].codePointAt(0) ?? 0) - (b[at].codePointAt(0) ?? 0);
  }
  return a.length - b.length;
};

/** @param {any} value @returns {string} */
export function canonical(value) {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value instanceof Map) {
    const keys = [...value.keys()].sort(byCodePoints);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value.get(key))}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** @param {number} side @param {string} salt @param {string} nonce */
export const saltSeal = (side, salt, nonce) => digestUnder(SALT, JSON.stringify([String(side), salt, nonce]));

/** @param {string} commitment @param {(string | null)[]} seals */
export const handshakeOf = (commitment, seals) => digestUnder(HANDSHAKE, JSON.stringify([commitment, ...seals.map((each) => each ?? "")]));

/** @param {string} seed @param {string} terms */
export const commitmentOf = (seed, terms) => digestUnder(COMMITMENT, `${seed}:${terms}`);

/**
 * What this device noted of a table: what it was promised and when, and its own part of the dice.
 *
 * @typedef {{ commitment?: string, handshake?: string, promisedAt?: number, sealedAt?: number, salt?: string, nonce?: string }} Noted
 */

/** @param {string} id @returns {Noted} */
export function kept(id) {
  try {
    return JSON.parse(localStorage.getItem(`fracas table ${id}`) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} id @param {Noted} own */
export function keep(id, own) {
  localStorage.setItem(`fracas table ${id}`, JSON.stringify(own));
}

/**
 * A step of the check: what is compared, what came of it, and what is wrong if something is.
 *
 * @typedef {{ told: string, problem: string }} Step
 */

/**
 * Check a proof step by step. Nothing after the first problem is looked at.
 *
 * @param {Map<string, any>} proof @param {Noted} noted What this device noted before. @param {string} id The table.
 * @returns {AsyncGenerator<Step>}
 */
export async function* stepsOfCheck(proof, noted, id) {
  const get = (/** @type {string} */ name) => proof.get(name);
  /** @param {string} told @param {boolean} holds @param {string} problem @returns {Step} */
  const step = (told, holds, problem) => ({ told, problem: holds ? "" : problem });
  const rest = new Map([...proof].filter(([key]) => key !== "seal"));
  yield step("The file is as the server sealed it.", digestUnder(SEAL, canonical(rest)) === get("seal"), "the file was edited.");
  yield step("It is of this table.", get("table") === id, "it is of another table.");
  const terms = new Map(["game", "scenario", "table", "seats", "seconds"].map((name) => [name, get(name)]));
  const [seed, commitment] = [get("server_seed"), get("commitment")];
  yield step(
    "The server's seed, with the rules, the scenario, the players and the seconds, gives the commitment.",
    commitmentOf(seed, digestUnder(TERMS, canonical(terms))) === commitment,
    "the seed is not the one that was promised.",
  );
  const [seals, salts, nonces] = ["salt_seals", "salts", "nonces"].map(get);
  for (const side of [1, 2]) {
    const at = side - 1;
    if (get("seats")[at].get("bot") !== null) yield step(`Side ${side} is a bot's, which gives the empty salt.`, (salts[at] ?? "") === "", `the bot of side ${side} gave a salt.`);
    else if (seals[at] === null || salts[at] === null) yield step(`Side ${side} never opened a salt, and nothing was played.`, get("decisions").length === 0, `side ${side} chose before its salt was open.`);
    else yield step(`The salt of side ${side} opens what it sealed.`, saltSeal(side, salts[at], nonces[at]) === seals[at], `the salt of side ${side} is not the one that was sealed.`);
  }
  const handshake = handshakeOf(commitment, seals);
  if (noted.commitment) yield step("The commitment is the one that this device noted before it gave its part.", noted.commitment === commitment, "it promises something else than you were shown.");
  if (noted.handshake) yield step("Both sealed salts are those that this device noted before it opened its own.", noted.handshake === handshake, "the sealed salts are not those you were shown.");
  if (noted.salt && salts.every((/** @type {any} */ each) => each !== null)) yield step("Your own salt is one of the two.", salts.includes(noted.salt), "your part of the dice is not in it.");
  const events = await playedAgain(id, proof, `${seed}:${salts[0] ?? ""}:${salts[1] ?? ""}`);
  yield { told: events.told, problem: events.problem };
}

/**
 * What is wrong with a proof, as a sentence; and if nothing is, what was checked.
 *
 * @param {string} text The proof as it came.
 * @param {Noted} noted What this device noted before.
 * @param {string} id The table.
 * @returns {Promise<{ problem: string, told: string }>}
 */
export async function problemIn(text, noted, id) {
  let last = "";
  for await (const { problem, told } of stepsOfCheck(parsed(text), noted, id)) {
    if (problem !== "") return { problem, told: "" };
    last = told;
  }
  const promises = noted.commitment ? "The promises are those that this device noted, and were kept." : "The promises were kept; this device noted none before.";
  return { problem: "", told: `${promises} ${last}` };
}

/** Check the proof at an address. @param {string} address @param {string} id */
export async function checkedProof(address, id) {
  try {
    return await problemIn(await (await fetch(address)).text(), kept(id), id);
  } catch (error) {
    return { problem: `this device could not check it: ${/** @type {Error} */ (error).message}`, told: "" };
  }
}

/**
 * Play it again by WebAssembly, where the server has a module of the rules.
 *
 * @param {string} id @param {any} proof @param {string} seed
 */
async function playedAgain(id, proof, seed) {
  const answer = await fetch(`/api/v1/tables/${id}/bundle`);
  const bundle = await answer.json();
  if (!answer.ok) {
    return { problem: "", told: `The events are not played again on this device. ${bundle.detail} With the proof, fracas verify plays them.` };
  }
  // Other rules have other modules under the same name.
  const [module, layout] = await Promise.all(
    ["wasm", "json"].map((ending) => fetch(`/assets/wasm/${bundle.ruleset}.${ending}?rules=${bundle.game?.rules ?? ""}`).then((each) => each.arrayBuffer())),
  );
  const rules = await loadRules(new Uint8Array(module), new TextDecoder().decode(layout));
  // In titans the scenario holds what was chosen.
  const chosen = bundle.decisions === undefined || JSON.stringify(bundle.decisions.rows) === canonical(proof.get("decisions"));
  const isSame = bundle.seed === seed && bundle.digest === proof.get("digest") && chosen;
  if (!isSame) return { problem: "what is to be played is not what the proof says.", told: "" };
  const { ok, digest, message } = await rules.verify(bundle);
  if (!ok || digest !== proof.get("digest")) return { problem: `this device plays another battle. ${message ?? ""}`, told: "" };
  return { problem: "", told: "Every event was played again on this device, with the same digest." };
}
