// @ts-check
/**
 * The page of a live table: the stage, your choices as large buttons, the clock, and the check of the dice at the end.
 *
 * Works on pages without a secure context: random numbers come from getRandomValues, digests from fracas.js.
 *
 * @module
 */

import { h, isCalm, move } from "./dom.js";
import { worded } from "./interpreter.js";
import { LiveStage, partsOf } from "./live-stage.js";
import { crowd, endOf, panelsOf, stepsOf } from "./table-parts.js";
import { checkedProof, handshakeOf, keep, kept, saltSeal } from "./table-proof.js";
import { changesOf, stakeOf } from "./table-rating.js";

const RECONNECT_MS = [300, 700, 1500, 3000, 5000];
const PING_MS = 20_000;
/** How long both cards lie open before what follows from them is acted out. */
const OPEN_MS = 1100;
const SHORT_MS = 10_000;
/** Bars of letters, which the stage has as bars. */
const BARS = /[█░]+ /gu;
const REFUSED = "The table refused what this page sent. Load the page again.";
/** Codes after which it is no use to come back, and what people read then. */
const FINAL = /** @type {any} */ ({
  1008: REFUSED,
  1009: REFUSED,
  4401: "You are signed out. Sign in, and load the page again.",
  4404: "This table is no longer here.",
});
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

class TablePage {
  /** @param {HTMLElement} root @param {any} setup What the server says of the stage. @param {any} parts */
  constructor(root, setup, parts) {
    this.id = root.dataset.table ?? "";
    this.setup = { ...setup, seed: this.id };
    this.rules = parts;
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
    /** @type {LiveStage | null} */
    this.stage = null;
    this.people = "";
    this.isClosed = false;
    /** Events of rounds whose cards lie open. @type {any[][]} */
    this.held = [];
    /** What was pressed for good. @type {Set<string>} */
    this.pressed = new Set();
    this.isEndSeen = false;
    this.cards = [1, 2].map((side) => h("p", { class: `table-card side${side}` }));
    this.cover = h("div", { class: "cover", role: "group", hidden: true });
    this.parts = {
      status: h("p", { class: "table-status", role: "status" }, "Connecting …"),
      clock: h("span", { class: "table-clock", "aria-hidden": "true" }),
      screen: h("div", { class: "screen" }),
      stake: h("p", { class: "quiet table-stake" }),
      choices: h("div", { class: "table-choices", role: "group", "aria-label": "Your choices" }),
      problem: h("p", { class: "table-problem", role: "alert" }),
      actions: h("p", { class: "links table-actions" }),
      values: h("p", { class: "quiet table-battle" }),
      sides: h("div", { class: "table-sides" }),
      proof: h("section", { class: "card", "aria-label": "Fair dice", hidden: true }),
      story: h("ol", { class: "table-story", "aria-label": "What happened", tabindex: "0" }),
    };
    const { status, clock, screen, stake, sides, values, choices, problem, actions, proof, story } = this.parts;
    root.replaceChildren(
      h("div", { class: "table-main battle" }, h("div", { class: "table-head" }, status, clock), screen, choices, problem, actions, proof),
      h("div", { class: "table-aside" }, stake, values, sides, h("section", { class: "table-told" }, h("h2", null, "What happened"), story)),
    );
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.release();
    });
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
      if (code in FINAL) {
        this.isClosed = true;
        this.tell(FINAL[code]);
        return;
      }
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
    else if (type === "round") this.onRound(payload);
    else if (type === "locked") this.onLocked(payload);
    else if (type === "over") this.onOver(payload);
    else if (type === "presence") this.onPresence(payload);
    else if (type === "error") this.parts.problem.textContent = payload.message;
  }

  /** @param {any} welcome */
  onWelcome(welcome) {
    const before = this.welcome?.table.state;
    this.welcome = welcome;
    this.setStage(welcome.table);
    // What came before is put there; only who saw the dice being sealed sees how it begins.
    this.release();
    const isFirst = this.stage?.newest === null;
    const rounds = welcome.rounds.filter((/** @type {any} */ { step }) => step > this.last);
    for (const round of rounds) this.tellRound(round);
    const events = [...(isFirst ? welcome.opening : []), ...rounds.flatMap((/** @type {any} */ round) => round.events)];
    this.see(welcome.view, welcome.milliseconds);
    if (events.length > 0) this.stage?.take(events, before !== undefined && rounds.length === 0);
    this.keepPromise();
    this.show();
    if (welcome.rematch && welcome.side !== null) location.assign(`/d/${welcome.rematch}`);
  }

  /** The stage, as soon as it is known who plays. @param {any} table */
  setStage({ seats }) {
    const people = seats.map((/** @type {any} */ seat) => seat.bot ?? seat.account?.name ?? "");
    if (this.stage !== null && this.people === people.join("\n")) return;
    // Nobody changes seats once it has begun.
    if ((this.stage?.newest ?? null) !== null) return;
    this.people = people.join("\n");
    this.stage = new LiveStage(this.setup, this.rules, people, () => this.onRest());
    const { element } = this.stage.stage;
    this.parts.screen.classList.toggle("many", this.setup.cast.units.length > 2);
    this.parts.screen.replaceChildren(element, h("div", { class: "table-cards" }, ...this.cards), this.cover);
  }

  /** @param {any} view @param {number | null} milliseconds */
  see(view, milliseconds) {
    this.view = view ?? this.view;
    this.chosen = view?.chosen ?? null;
    this.locked = new Set(view?.locked ?? []);
    const left = view?.milliseconds ?? milliseconds ?? null;
    this.due = left === null ? 0 : Date.now() + left;
  }

  /** @param {any} round */
  onRound(round) {
    if (round.step <= this.last) return;
    this.tellRound(round);
    if (round.view) this.see(round.view, null);
    this.parts.problem.textContent = "";
    this.turnOver(round);
    this.held.push(round.events);
    if (document.hidden) this.release();
    else setTimeout(() => this.release(1), OPEN_MS);
    this.show();
  }

  /** Act out what lay open: all of it, or the oldest. @param {number} [count] */
  release(count = this.held.length) {
    for (const events of this.held.splice(0, count)) this.stage?.take(events, true);
    if (this.held.length === 0) this.showCards();
  }

  /** @param {any} round */
  tellRound({ step, missed, story }) {
    this.last = step;
    const late = missed.map((/** @type {number} */ side) => `${this.nameOf(side)} was too late.`);
    this.parts.story.prepend(h("li", null, ...[...story, ...late].map((line) => h("p", null, line.replace(BARS, "").trim()))));
  }

  /** Both choices turn over in the same instant. @param {any} round */
  turnOver({ chosen, missed }) {
    this.cards.forEach((card, at) => {
      const name = chosen[at];
      card.className = `table-card side${at + 1}${name === null ? "" : " open"}`;
      card.hidden = name === null;
      card.textContent = name === null ? "" : missed.includes(at + 1) ? `${name} (too late)` : name;
      if (name !== null && !isCalm()) move(card, [{ transform: "rotateY(90deg)" }, { transform: "rotateY(0)" }]);
    });
  }

  /** Who is to choose, and who has. */
  showCards() {
    // Open ones stay until their round is acted out.
    if (this.held.length > 0 || this.welcome === null) return;
    const { side, table } = this.welcome;
    const deciding = this.over === null && table.state === "playing" ? (this.view?.deciding ?? []) : [];
    this.cards.forEach((card, at) => {
      const isDue = deciding.includes(at + 1);
      const hasChosen = this.locked.has(at + 1);
      card.hidden = !isDue || (this.stage?.isActing ?? false);
      card.className = `table-card side${at + 1} ${hasChosen ? "closed" : "thinking"}`;
      card.textContent = !isDue ? "" : !hasChosen ? "chooses" : at + 1 === side && this.chosen !== null ? this.chosen : "has chosen";
    });
  }

  /** Everything was acted out. */
  onRest() {
    if (this.welcome === null) return;
    this.show();
  }

  /** Whether the stage shows how it stands. */
  get isSettled() {
    return this.held.length === 0 && !(this.stage?.isActing ?? false);
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
    this.parts.problem.textContent = "";
    // Whoever gave up did not end it on the stage.
    if (!over.ending.decided) {
      this.release();
      this.stage?.finish();
    }
    this.show();
    this.check();
  }

  /** Seal, and later open, your part of the dice; note what was promised, and when. */
  keepPromise() {
    const { table, side, seals } = this.welcome;
    if (side === null) return;
    const own = kept(this.id);
    const now = Date.now();
    if (table.commitment && !own.commitment) Object.assign(own, { commitment: table.commitment, promisedAt: now });
    if (table.handshake && !own.handshake) Object.assign(own, { handshake: table.handshake, sealedAt: now });
    if (table.state === "sealing" && seals[side - 1] === null) {
      own.salt ??= randomHex(16);
      own.nonce ??= randomHex(32);
      keep(this.id, own);
      this.say("salt", { seal: saltSeal(side, own.salt, own.nonce) });
    } else if (table.state === "opening" && own.salt && this.welcome.salts === null) {
      // Only for the promise that was noted: the handshake binds both seals.
      if (table.handshake !== handshakeOf(table.commitment, seals) || table.commitment !== own.commitment) {
        this.parts.problem.textContent = "The server changed its promise. Do not go on.";
        return;
      }
      this.say("salt", { salt: own.salt, nonce: own.nonce });
    }
    keep(this.id, own);
  }

  /** @param {number} side */
  nameOf(side) {
    const seat = this.welcome.table.seats[side - 1];
    const who = seat.bot ?? seat.account?.name;
    return who ? `${seat.name} (${who})` : seat.name;
  }

  /** Who sits there; nobody is called twice where room is scarce. @param {number} side */
  personOf(side) {
    const { name, bot, account } = this.welcome.table.seats[side - 1];
    return bot ?? account?.name ?? name;
  }

  /** @param {string} text */
  tell(text) {
    if (this.parts.status.textContent !== text) this.parts.status.textContent = text;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    // A key that is held down would say more than a table takes.
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    const buttons = [...this.parts.choices.querySelectorAll("button")];
    const button = buttons[Number(event.key) - 1];
    if (button) button.click();
  }

  tick() {
    const { clock } = this.parts;
    const left = this.due - Date.now();
    clock.textContent = this.due === 0 ? "" : clockOf(left);
    clock.classList.toggle("short", this.due !== 0 && left < SHORT_MS);
  }

  show() {
    const { table, side } = this.welcome;
    this.showStatus(table, side);
    this.showChoices(table, side);
    this.showActions(table, side);
    this.showCards();
    this.showCover(table);
    // How it stands would tell before the stage does what has happened.
    if (this.isSettled) {
      this.parts.sides.replaceChildren(...panelsOf(this.welcome, this.view, this.over !== null, (each) => this.nameOf(each)));
      this.parts.values.textContent = (this.view?.values ?? []).map(told).join(", ");
      this.stage?.ask(this.askedPlaces());
    }
    this.tick();
  }

  /** The units that are to act, by their places. */
  askedPlaces() {
    const { units } = this.setup.cast;
    if (this.over !== null) return [];
    return (this.view?.sides ?? []).flatMap((/** @type {any} */ { bodies }, /** @type {number} */ at) => {
      const own = units.filter((/** @type {any} */ unit) => unit.side === at + 1);
      return bodies.flatMap((/** @type {any} */ body, /** @type {number} */ number) => (body.is_asked ? [own[number].place] : []));
    });
  }

  /** @param {any} table @param {number | null} side */
  showStatus(table, side) {
    this.parts.stake.textContent = (this.over !== null && this.isSettled && this.rated()) || stakeOf(table);
    if (this.over !== null) {
      if (this.isSettled) this.tell(this.ending().sentence);
      return;
    }
    // Why it is closed stays.
    if (this.isClosed) return;
    if (table.state !== "playing" || !this.view) {
      this.tell(STATES[table.state] ?? "");
      return;
    }
    const { deciding, round } = this.view;
    const isMine = side !== null && deciding.includes(side);
    const others = deciding.filter((/** @type {number} */ each) => each !== side && !this.locked.has(each));
    const isAway = (/** @type {number} */ each) => (this.welcome.present.includes(each) ? "" : ", who is away");
    const waits = others.length > 0 ? `Waiting for ${others.map((/** @type {number} */ each) => this.personOf(each) + isAway(each)).join(" and ")}.` : "";
    if (isMine && this.chosen !== null) this.tell(`You chose ${this.chosen}. ${waits}`.trim());
    else this.tell(`Round ${round}. ${isMine ? "Choose." : waits}`.trim());
  }

  /** What it has done to ratings, in words. */
  rated() {
    return changesOf(this.over, this.welcome.side, (each) => this.nameOf(each));
  }

  /** How it ended, in words. */
  ending() {
    const { side, table } = this.welcome;
    const words = this.stage?.newest?.kind === "end" ? this.stage.newest.title : "";
    return endOf(this.over.ending, side, table.seats.map((/** @type {any} */ _, /** @type {number} */ at) => this.nameOf(at + 1)), words);
  }

  /** What lies over the stage before the first choice and after the last. @param {any} table */
  showCover(table) {
    const isOver = this.over !== null && this.isSettled && !this.isEndSeen;
    const isBefore = this.over === null && this.stage?.newest === null;
    const { cover } = this;
    const kind = isOver ? "end" : isBefore ? "title" : "";
    cover.hidden = kind === "";
    if (kind === "" || this.stage === null) return;
    cover.dataset.kind = kind;
    cover.setAttribute("aria-label", isOver ? "How it ended" : "Before the first choice");
    const { stage } = this.stage;
    const where = h("p", { class: "where" }, stage.where(stage.frame));
    const children = isOver ? this.endCard(stage) : [...this.titleCard(table, stage)];
    // A button that has the focus keeps it.
    const told = `${kind} ${children.map((each) => each?.textContent).join()} ${[...this.pressed].join()}`;
    if (cover.dataset.told === told) return;
    cover.dataset.told = told;
    cover.replaceChildren(h("div", { class: "card-of-cover" }, where, ...children));
  }

  /** @param {any} table @param {any} stage */
  titleCard(table, stage) {
    const names = table.seats.map((/** @type {any} */ _, /** @type {number} */ at) => h("span", { class: `side${at + 1}` }, this.nameOf(at + 1)));
    return [
      h("p", { class: "who" }, names[0], h("small", null, " against "), names[1]),
      h("div", { class: "crowds", "aria-hidden": "true" }, crowd(stage, 1, null), crowd(stage, 2, null)),
      stepsOf(this.welcome),
    ];
  }

  /** @param {any} stage */
  endCard(stage) {
    const { headline, why, winner } = this.ending();
    const toStage = () => {
      this.isEndSeen = true;
      this.show();
    };
    return [
      h("p", { class: "who" }, h("span", { class: winner === 0 ? "" : `side${winner}` }, headline)),
      winner === 0 ? null : h("div", { class: "crowds", "aria-hidden": "true" }, crowd(stage, winner, this.stage?.newest)),
      h("p", { class: "stakes" }, why),
      h("p", { class: "stakes" }, this.rated()),
      h(
        "p",
        { class: "row" },
        this.welcome.side === null ? null : this.button("rematch", "Rematch", "", "Waiting for the other", "main"),
        h("button", { type: "button", onclick: toStage }, "To the stage"),
      ),
    ];
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
    const isPlayer = side !== null;
    const isEnded = this.over !== null;
    const found = [];
    if (isPlayer && !isEnded && table.state !== "over") {
      const text = table.state === "playing" && this.last > 0 ? "Resign" : "Leave";
      found.push(this.button("resign", text, `${text}: really?`, `${text}: done`));
    }
    if (isPlayer && isEnded && this.isSettled && this.isEndSeen) found.push(this.button("rematch", "Rematch", "", "Waiting for the other"));
    if (isPlayer && table.state === "waiting") {
      const link = h("input", { readonly: true, value: location.href, onfocus: (/** @type {any} */ event) => event.target.select() });
      found.unshift(h("label", { class: "table-link" }, "Send this link to whom you want to play with", link));
    }
    if (!isPlayer && !isEnded) found.push(h("span", { class: "quiet" }, "You watch: you see what both players see."));
    // A button that was pressed once stays as it is.
    const names = `${found.map((each) => each.dataset.kind ?? each.textContent).join()} ${this.last > 0} ${[...this.pressed].join()}`;
    if (this.parts.actions.dataset.names === names) return;
    this.parts.actions.dataset.names = names;
    this.parts.actions.replaceChildren(...found);
  }

  /** A button that may ask once more, and can be pressed once. @param {string} type @param {string} text @param {string} sure @param {string} done @param {string} [look] */
  button(type, text, sure, done, look = "") {
    const isDone = this.pressed.has(type);
    const button = h("button", { type: "button", "data-kind": type, class: look, disabled: isDone }, isDone ? done : text);
    button.addEventListener("click", () => {
      if (sure && button.textContent !== sure) button.textContent = sure;
      else {
        this.pressed.add(type);
        this.say(type, {});
        this.show();
      }
    });
    return button;
  }

  /** Check the proof on this device. */
  async check() {
    const { proof: box } = this.parts;
    const verdict = h("p", { class: "notice", role: "status", id: "verdict" }, "Checking …");
    const file = h("a", { href: this.over.proof, download: `table-${this.id}.json` }, "Save the proof");
    box.hidden = false;
    box.replaceChildren(h("h2", null, "Fair dice"), verdict, h("p", { class: "links" }, h("a", { href: `/d/${this.id}/proof` }, "What was promised, and each step of the check"), file));
    const { problem, told: what } = await checkedProof(this.over.proof, this.id);
    verdict.textContent = problem === "" ? what : `Do not trust this: ${problem}`;
    verdict.classList.add(problem === "" ? "good" : "bad");
  }
}

/** @param {any} value */
const told = ({ name, value, most }) => {
  const words = worded(name);
  return value === "yes" ? words : most === null || most === undefined ? `${words} ${value}` : `${words} ${value}/${most}`;
};

const root = document.getElementById("table");
const given = document.getElementById("setup")?.textContent;
if (root !== null && given) {
  const setup = JSON.parse(given);
  partsOf(setup).then((parts) => Object.assign(window, { table: new TablePage(root, setup, parts) }));
}
