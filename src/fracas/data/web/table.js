// @ts-check
/**
 * The page of a live table: what both can see, your choices as large buttons, the clock, and the proof at the end.
 *
 * Works on pages without a secure context: random numbers come from getRandomValues, digests from fracas.js.
 *
 * @module
 */

import { h, isCalm, move, styled } from "./dom.js";
import { handshakeOf, problemIn, saltSeal } from "./table-proof.js";
import { changesOf, stakeOf } from "./table-rating.js";

const RECONNECT_MS = [300, 700, 1500, 3000, 5000];
const PING_MS = 20_000;
/** Codes after which it is no use to come back. */
const FINAL_CODES = [1008, 1009, 4401, 4404];
const STATES = /** @type {any} */ ({
  waiting: "Waiting for somebody to sit down.",
  sealing: "Both seal their part of the dice.",
  opening: "Both open their part of the dice.",
  over: "It is over.",
});

/** @param {number} bytes */
const randomHex = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");

/** @param {number} milliseconds */
const clockOf = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** @param {string} text */
const worded = (text) => text.replaceAll("_", " ");

class TablePage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.id = root.dataset.table ?? "";
    /** @type {WebSocket | null} */
    this.socket = null;
    this.last = 0;
    this.lost = 0;
    /** @type {any} */
    this.welcome = null;
    /** @type {any} */
    this.view = null;
    /** @type {any} */
    this.over = null;
    /** @type {Set<number>} */
    this.locked = new Set();
    /** @type {string | null} */
    this.chosen = null;
    this.due = 0;
    this.parts = {
      status: h("p", { class: "table-status", role: "status" }, "Connecting …"),
      clock: h("span", { class: "table-clock", "aria-hidden": "true" }),
      sides: h("div", { class: "table-sides" }),
      stake: h("p", { class: "quiet" }),
      values: h("p", { class: "quiet" }),
      choices: h("div", { class: "table-choices", role: "group", "aria-label": "Your choices" }),
      problem: h("p", { class: "table-problem", role: "alert" }),
      actions: h("p", { class: "links" }),
      proof: h("section", { class: "card", "aria-label": "Fair dice", hidden: true }),
      story: h("ol", { class: "table-story", "aria-label": "What happened", tabindex: "0" }),
    };
    const { status, clock, stake, sides, values, choices, problem, actions, proof, story } = this.parts;
    root.replaceChildren(h("div", { class: "table-head" }, status, clock), stake, sides, values, choices, problem, actions, h("h2", null, "What happened"), story, proof);
    document.addEventListener("keydown", (event) => this.onKey(event));
    setInterval(() => this.tick(), 250);
    setInterval(() => this.say("ping", {}), PING_MS);
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/tables/${this.id}/live`);
    this.socket = socket;
    socket.onopen = () => this.say("hello", { last: this.last });
    socket.onmessage = ({ data }) => {
      this.lost = 0;
      this.hear(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (FINAL_CODES.includes(code)) return;
      const wait = RECONNECT_MS[Math.min(this.lost, RECONNECT_MS.length - 1)];
      this.lost += 1;
      this.tell("The connection is lost. Trying again …");
      setTimeout(() => this.connect(), wait);
    };
  }

  /** @param {string} type @param {any} payload */
  say(type, payload) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, payload }));
  }

  /** @param {any} message */
  hear({ type, payload }) {
    if (type === "welcome") this.onWelcome(payload);
    else if (type === "round") this.onRound(payload, true);
    else if (type === "locked") this.onLocked(payload);
    else if (type === "over") this.onOver(payload);
    else if (type === "presence") this.onPresence(payload);
    else if (type === "error") this.parts.problem.textContent = payload.message;
  }

  /** @param {any} welcome */
  onWelcome(welcome) {
    this.welcome = welcome;
    for (const round of welcome.rounds) this.onRound(round, false);
    this.see(welcome.view, welcome.milliseconds);
    this.keepPromise();
    this.show();
    if (welcome.rematch && welcome.side !== null) location.assign(`/d/${welcome.rematch}`);
  }

  /** @param {any} view @param {number | null} milliseconds */
  see(view, milliseconds) {
    this.view = view ?? this.view;
    this.chosen = view?.chosen ?? null;
    this.locked = new Set(view?.locked ?? []);
    const left = view?.milliseconds ?? milliseconds ?? null;
    this.due = left === null ? 0 : Date.now() + left;
  }

  /** @param {any} round @param {boolean} isNow */
  onRound(round, isNow) {
    if (round.step <= this.last) return;
    this.last = round.step;
    const late = round.missed.map((/** @type {number} */ side) => `${this.nameOf(side)} was too late.`);
    this.parts.story.prepend(h("li", null, ...[...round.story, ...late].map((line) => h("p", null, line.trim()))));
    if (!isNow) return;
    if (round.view) this.see(round.view, null);
    this.parts.problem.textContent = "";
    this.show();
    this.turnOver(round);
  }

  /** Both choices turn over in the same instant. @param {any} round */
  turnOver({ chosen, missed }) {
    for (const [at, card] of [...this.parts.sides.querySelectorAll(".table-card")].entries()) {
      const name = chosen[at];
      card.textContent = name === null ? "" : missed.includes(at + 1) ? `${name} (too late)` : name;
      card.classList.toggle("open", name !== null);
      if (name !== null && !isCalm()) move(card, [{ transform: "rotateY(90deg)" }, { transform: "rotateY(0)" }]);
    }
  }

  /** @param {any} locked */
  onLocked({ step, side, choice }) {
    if (step !== this.view?.step) return;
    this.locked.add(side);
    if (choice !== undefined && choice !== null) this.chosen = choice;
    this.parts.problem.textContent = "";
    this.show();
  }

  /** @param {any} presence */
  onPresence({ side, present }) {
    const there = new Set(this.welcome.present);
    if (present) there.add(side);
    else there.delete(side);
    this.welcome.present = [...there];
    this.show();
  }

  /** @param {any} over */
  onOver(over) {
    this.over = over;
    this.due = 0;
    this.show();
    this.check();
  }

  /** Seal, and later open, your part of the dice; note what was promised. */
  keepPromise() {
    const { table, side, seals } = this.welcome;
    if (side === null) return;
    const own = this.kept();
    if (table.commitment) own.commitment ??= table.commitment;
    if (table.handshake) own.handshake ??= table.handshake;
    if (table.state === "sealing" && seals[side - 1] === null) {
      own.salt ??= randomHex(16);
      own.nonce ??= randomHex(32);
      this.keep(own);
      this.say("salt", { seal: saltSeal(side, own.salt, own.nonce) });
    } else if (table.state === "opening" && own.salt && this.welcome.salts === null) {
      // Only for the promise that was noted: the handshake binds both seals.
      if (table.handshake !== handshakeOf(table.commitment, seals) || table.commitment !== own.commitment) {
        this.parts.problem.textContent = "The server changed its promise. Do not go on.";
        return;
      }
      this.say("salt", { salt: own.salt, nonce: own.nonce });
    }
    this.keep(own);
  }

  /** What this device noted of the table. @returns {any} */
  kept() {
    try {
      return JSON.parse(localStorage.getItem(`fracas table ${this.id}`) ?? "{}");
    } catch {
      return {};
    }
  }

  /** @param {any} own */
  keep(own) {
    localStorage.setItem(`fracas table ${this.id}`, JSON.stringify(own));
  }

  /** @param {number} side */
  nameOf(side) {
    const seat = this.welcome.table.seats[side - 1];
    const who = seat.bot ?? seat.account?.name;
    return who ? `${seat.name} (${who})` : seat.name;
  }

  /** @param {string} text */
  tell(text) {
    if (this.parts.status.textContent !== text) this.parts.status.textContent = text;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    const buttons = [...this.parts.choices.querySelectorAll("button")];
    const button = buttons[Number(event.key) - 1];
    if (button) button.click();
  }

  tick() {
    const { clock } = this.parts;
    clock.textContent = this.due === 0 ? "" : clockOf(this.due - Date.now());
    clock.classList.toggle("short", this.due !== 0 && this.due - Date.now() < 10_000);
  }

  show() {
    const { table, side } = this.welcome;
    this.showStatus(table, side);
    this.showSides();
    this.parts.values.textContent = (this.view?.values ?? []).map(told).join(", ");
    this.showChoices(table, side);
    this.showActions(table, side);
    this.tick();
  }

  /** @param {any} table @param {number | null} side */
  showStatus(table, side) {
    this.parts.stake.textContent = this.over === null ? stakeOf(table) : changesOf(this.over, side, (each) => this.nameOf(each)) || stakeOf(table);
    if (this.over !== null) {
      const { winner, reason, decided } = this.over.ending;
      const who = winner === 0 ? "Nobody wins" : side === winner ? "You win" : side === null ? `${this.nameOf(winner)} wins` : "You lose";
      this.tell(`${who}: ${worded(reason)}${decided ? "" : " (the table ended it)"}.`);
    } else if (table.state === "playing" && this.view) {
      const mine = side !== null && this.view.deciding.includes(side);
      const others = this.view.deciding.filter((/** @type {number} */ each) => each !== side && !this.locked.has(each));
      const waits = others.length > 0 ? `Waiting for ${others.map((/** @type {number} */ each) => this.nameOf(each)).join(" and ")}.` : "";
      this.tell(`Round ${this.view.round}. ${mine ? (this.chosen === null ? "Choose." : `You chose ${this.chosen}. ${waits}`) : waits}`.trim());
    } else {
      this.tell(STATES[table.state] ?? "");
    }
  }

  showSides() {
    const { table, present, side } = this.welcome;
    const cards = [...this.parts.sides.querySelectorAll(".table-card")];
    const parts = table.seats.map((/** @type {any} */ seat, /** @type {number} */ at) => {
      const seen = this.view?.sides[at];
      const isHere = present.includes(at + 1);
      const card = cards[at] ?? h("p", { class: "table-card" });
      if (this.locked.has(at + 1)) {
        card.textContent = at + 1 === side && this.chosen !== null ? this.chosen : "has chosen";
        card.classList.remove("open");
      }
      return h(
        "section",
        { class: `card table-side side${at + 1}`, "aria-label": this.nameOf(at + 1) },
        h("h2", null, seat.name, at + 1 === side ? h("span", { class: "tag" }, "you") : null),
        h("p", { class: "quiet" }, seat.bot ?? seat.account?.name ?? "nobody yet", h("span", { class: isHere ? "here" : "away" }, isHere ? " connected" : " away")),
        card,
        seen ? valuesOf(seen.values) : null,
        ...(seen?.bodies ?? []).map((/** @type {any} */ body) => h("div", { class: body.is_asked ? "table-body asked" : "table-body" }, h("h3", null, body.name), valuesOf(body.values))),
      );
    });
    this.parts.sides.replaceChildren(...parts);
  }

  /** @param {any} table @param {number | null} side */
  showChoices(table, side) {
    const focused = document.activeElement?.getAttribute("data-choice");
    const isMine = side !== null && table.state === "playing" && this.over === null;
    const choices = isMine ? (this.view?.choices ?? []) : [];
    this.parts.choices.replaceChildren(
      ...choices.map((/** @type {any} */ { choice, words, cost }, /** @type {number} */ at) =>
        h(
          "button",
          {
            type: "button",
            "data-choice": choice,
            "aria-pressed": choice === this.chosen ? "true" : "false",
            onclick: () => this.say("choose", { step: this.view.step, choice }),
          },
          h("strong", null, choice),
          cost ? h("span", { class: "tag" }, cost) : null,
          words ? h("span", { class: "words" }, words) : null,
          at < 9 ? h("kbd", { "aria-hidden": "true" }, String(at + 1)) : null,
        ),
      ),
    );
    const again = [...this.parts.choices.children].find((each) => each.getAttribute("data-choice") === focused);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {any} table @param {number | null} side */
  showActions(table, side) {
    const found = [];
    if (side !== null && table.state !== "over" && this.over === null) {
      found.push(this.button("give-up", table.state === "playing" && this.last > 0 ? "Resign" : "Leave", "resign", "Really?"));
    }
    if (side !== null && this.over !== null) found.push(this.button("again", "Rematch", "rematch", ""));
    if (table.state === "waiting") found.push(h("label", null, "Send this link: ", h("input", { readonly: true, value: location.href, size: "40", onfocus: (/** @type {any} */ event) => event.target.select() })));
    // A button that was pressed once stays as it is.
    const names = `${table.state} ${found.map((each) => each.textContent).join()}`;
    if (this.parts.actions.dataset.names === names) return;
    this.parts.actions.dataset.names = names;
    this.parts.actions.replaceChildren(...found);
  }

  /** A button that may ask once more. @param {string} kind @param {string} text @param {string} type @param {string} sure */
  button(kind, text, type, sure) {
    const button = h("button", { type: "button", "data-kind": kind }, text);
    button.addEventListener("click", () => {
      if (sure && button.textContent !== sure) button.textContent = sure;
      else {
        button.disabled = true;
        this.say(type, {});
        if (type === "rematch") button.textContent = "Waiting for the other";
      }
    });
    return button;
  }

  /** Check the proof on this device: the promises, the salts, and, where there is a module, every event. */
  async check() {
    const { proof: box } = this.parts;
    const facts = h("dl", { class: "facts" });
    const verdict = h("p", { class: "notice", role: "status", id: "verdict" }, "Checking …");
    box.hidden = false;
    box.replaceChildren(h("h2", null, "Fair dice"), verdict, facts, h("p", null, h("a", { href: this.over.proof, download: `table-${this.id}.json` }, "Save the proof"), " and check it with ", h("code", null, `fracas verify table-${this.id}.json`)));
    for (const [name, value] of Object.entries({ commitment: this.over.commitment, handshake: this.over.handshake, "server's seed": this.over.server_seed })) {
      facts.append(h("dt", null, name), h("dd", null, h("code", null, value ?? "none")));
    }
    try {
      const answer = await fetch(this.over.proof);
      const text = await answer.text();
      const { problem, told: what } = await problemIn(text, this.kept(), this.id);
      verdict.textContent = problem === "" ? what : `Do not trust this: ${problem}`;
      verdict.classList.add(problem === "" ? "good" : "bad");
    } catch (error) {
      verdict.textContent = `This device could not check it: ${/** @type {Error} */ (error).message}`;
    }
  }
}

/** @param {any} value */
const told = ({ name, value, most }) => (value === "yes" ? name : most === null || most === undefined ? `${name} ${value}` : `${name} ${value}/${most}`);

/** @param {any[]} values */
function valuesOf(values) {
  return h(
    "dl",
    { class: "table-values" },
    ...values.map((each) => {
      const isBar = typeof each.most === "number" && each.most > 0;
      const bar = isBar ? h("span", { class: "table-bar", "aria-hidden": "true" }, h("span")) : null;
      if (bar !== null) styled(bar.firstChild, "width", `${Math.max(0, Math.min(100, (100 * each.value) / each.most))}%`);
      return h("div", null, h("dt", null, each.name), h("dd", null, bar, isBar ? `${each.value}/${each.most}` : String(each.value)));
    }),
  );
}

const root = document.getElementById("table");
if (root !== null) Object.assign(window, { table: new TablePage(root) });
