// @ts-check
/** The page of a table's proof: what was promised when, all parts of the dice, and the check on this device step by step. @module */

import { h } from "./dom.js";
import { handshakeOf, kept, parsed, stepsOfCheck } from "./table-proof.js";

/** @param {number | undefined} at */
const timeOf = (at) => (at === undefined ? "" : new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" }));

/** A part of the dice, as it is in the file. @param {string} name @param {string | null} value @param {string} words */
const part = (name, value, words) => [h("dt", null, name), h("dd", null, h("code", null, value === null ? "none" : value === "" ? "empty" : value), h("span", { class: "quiet" }, ` ${words}`))];

/** @param {HTMLElement} root */
async function openProof(root) {
  const { table: id = "", names: called = "[]" } = root.dataset;
  const names = JSON.parse(called);
  const own = kept(id);
  const list = h("ol", { class: "proof-steps", "aria-label": "The check, step by step" });
  const verdict = h("p", { class: "notice", role: "status", id: "verdict" }, "Checking …");
  const parts = h("dl", { class: "facts proof-parts" });
  root.replaceChildren(
    verdict,
    list,
    h("h2", null, "What this device noted"),
    ...noted(own),
    h("h2", null, "All parts of the dice"),
    h("p", null, "In the order in which they were told. A digest tells nothing of what it is of, and fits nothing else."),
    parts,
  );
  try {
    const answer = await fetch(`/api/v1/tables/${id}/proof`);
    const proof = parsed(await answer.text());
    const [seals, salts, nonces] = ["salt_seals", "salts", "nonces"].map((name) => proof.get(name));
    const sides = [0, 1];
    parts.append(
      ...part("commitment", proof.get("commitment"), "told when both sat, before anybody gave a part"),
      ...sides.flatMap((at) => part(`sealed salt of ${names[at]}`, seals[at], "")),
      ...part("handshake", handshakeOf(proof.get("commitment"), seals), "the commitment and both sealed salts, told before any was opened"),
      ...sides.flatMap((at) => part(`salt of ${names[at]}`, salts[at], nonces[at] === null ? "" : `opened with ${nonces[at]}`)),
      ...part("server's seed", proof.get("server_seed"), "told at the end"),
    );
    for await (const { told, problem } of stepsOfCheck(proof, own, id)) {
      const isGood = problem === "";
      // Where no module plays the events nothing was compared.
      const isOpen = /not played again/u.test(told);
      const mark = h("span", { class: "mark", "aria-hidden": "true" }, !isGood ? "✗" : isOpen ? "–" : "✓");
      list.append(h("li", { class: !isGood ? "bad" : isOpen ? "open" : "good" }, mark, h("span", { class: "unseen" }, !isGood ? "Does not hold: " : isOpen ? "Not checked here: " : "Holds: "), isGood ? told : `${told || "Every event, played again on this device."} But ${problem}`));
      if (!isGood) {
        verdict.textContent = `Do not trust this: ${problem}`;
        verdict.classList.add("bad");
        return;
      }
    }
    verdict.textContent = own.commitment ? "Everything holds, and it is what this device was promised." : "Everything holds. This device noted no promise, so it shows only that the file fits itself.";
    verdict.classList.add("good");
  } catch (error) {
    verdict.textContent = `This device could not check it: ${/** @type {Error} */ (error).message}`;
    verdict.classList.add("bad");
  }
}

/** @param {import("./table-proof.js").Noted} own */
function noted(own) {
  if (!own.commitment) {
    return [h("p", null, "Nothing: it did not sit at this table, or its memory was emptied. Who played has the note on the device that was used.")];
  }
  return [
    h("p", null, "The server told these before it could know both parts of the dice. Whoever makes up another result afterwards needs another promise than the one noted here, so the loser can be as sure as the winner."),
    h(
      "dl",
      { class: "facts proof-parts" },
      ...part("commitment", own.commitment, timeOf(own.promisedAt)),
      ...(own.handshake ? part("handshake", own.handshake, timeOf(own.sealedAt)) : []),
      ...(own.salt ? part("your salt", own.salt, "made on this device") : []),
    ),
  ];
}

const root = document.getElementById("proof");
if (root !== null) openProof(root);
