// @ts-check
/** The studio without a studio behind it: a packed battle, its numbers, and its odds in WebAssembly on this device. @module */

import { h } from "../web/dom.js";
// @ts-ignore  Players ask for fracas.js as if it stood beside them, and so does this page.
import { loadRules, wilsonInterval } from "../web/fracas.js";
import { dialogOf, download } from "./sheets.js";
import { Form } from "./form.js";
import { Odds } from "./odds.js";
import { buttonOf, refusal } from "./panels.js";
import { Changes } from "./record.js";
import { LARGEST, fragmentOf, valueOf } from "./share.js";

const RULESETS = ["squads", "delve", "stacks", "relics", "titans"];
const FIRST_PART = 2048;
const LARGEST_PART = 1 << 18;
const MOST_BATTLES = 1 << 20;
const FINE_ENOUGH = 0.001;
/** What changes are compared with, if it was not counted yet. */
const BASE_ENOUGH = 0.004;
/** Bundles of large battles; what is compiled is bounded by the rules' own layout. */
const LARGEST_BUNDLE = 4 * 1024 * 1024;

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** Odds as the panel shows them. @param {string[]} names @param {number[]} wins Draws, then each side's. @param {number} rounds @param {boolean} done */
export function shownOdds(names, wins, rounds, done) {
  const [draws, ...won] = wins;
  const battles = wins.reduce((sum, each) => sum + each, 0);
  return {
    names,
    battles,
    draws,
    wins: won,
    shares: won.map((each) => each / battles),
    intervals: won.map((each) => wilsonInterval(each, battles)),
    rounds: rounds / battles,
    deterministic: false,
    done,
  };
}

/**
 * Odds that tighten: more and more battles, until they are fine enough.
 *
 * @param {any} rules
 * @param {any} record
 * @param {string[]} names
 * @param {(odds: any) => void} take
 * @param {AbortSignal} signal
 * @param {{ enough?: number, workers?: number }} [options] `enough` is the half-width at which it ends, as a share.
 */
export async function count(rules, record, names, take, signal, { enough = FINE_ENOUGH, workers = undefined } = {}) {
  const wins = [0, 0, 0];
  let [battles, rounds, size] = [0, 0, FIRST_PART];
  for (;;) {
    const part = await rules.simulate(record, { first: battles, count: size, signal, workers });
    part.wins.forEach((/** @type {number} */ each, /** @type {number} */ side) => (wins[side] += each));
    for (const [round, times] of part.rounds) rounds += round * times;
    battles += size;
    const widest = Math.max(...[1, 2].map((side) => wilsonInterval(wins[side], battles)).map(([low, high]) => high - low));
    const done = widest / 2 <= enough || battles >= MOST_BATTLES;
    take(shownOdds(names, wins, rounds, done));
    if (done) return;
    size = Math.min(2 * size, LARGEST_PART, MOST_BATTLES - battles);
  }
}

class OfflineStudio {
  constructor() {
    this.odds = new Odds();
    /** @param {string[]} path @param {number} value */
    const set = (path, value) => this.change(path, value);
    this.form = new Form({ setNumber: set, setChoice: set });
    this.told = h("p", { class: "told", role: "status" });
    this.control = new AbortController();
    this.timer = 0;
    /** @type {Record<string, number>} */
    this.edits = {};
    this.base = null;
    this.name = "";
    /** @type {any} */
    this.rules = null;
    /** @type {any} */
    this.packed = null;
    /** @type {any} */
    this.changes = null;
    const file = h("input", { type: "file", accept: ".json", "aria-label": "Bundle", onchange: () => this.tried(() => this.openFile(file.files[0])) });
    const link = h("textarea", { rows: 3, "aria-label": "Shared link", placeholder: "https://…#doc=…" });
    const opening = dialogOf(
      "Open",
      h("h3", null, "A bundle"),
      h("p", null, h("code", null, "fracas publish pack battle.toml"), " makes one. It holds the compiled battle, so that this page can play it."),
      h("p", null, file),
      h("h3", null, "A shared link"),
      link,
      h("p", null, buttonOf("Open link", () => this.tried(async () => this.follow(link.value.trim())))),
    );
    const address = h("textarea", { readonly: true, rows: 4, "aria-label": "Link", onfocus: () => address.select() });
    const sharing = dialogOf("Share", h("p", null, "The link holds the battle and your changes. No server sees them."), address);
    this.dialogs = [opening, sharing];
    /** The examples of the site, as long as nothing is open on the page, then in the dialog. @type {any} */
    this.list = null;
    const share = buttonOf("Share …", () =>
      this.tried(async () => {
        address.value = `${location.href.replace(/#.*/, "")}${await fragmentOf({ name: this.name, bundle: this.packed.bundle, edits: this.edits })}`;
        sharing.showModal();
        address.select();
      }, false),
    );
    const again = buttonOf("Undo changes", () => {
      this.edits = {};
      this.refresh();
    });
    this.needed = [share, again, buttonOf("Download bundle", () => download(`${this.name}.fracas.json`, `${JSON.stringify(this.packed.bundle)}\n`))];
    byId("actions").append(buttonOf("Open …", () => {
      if (this.list === null) this.examples();
      opening.showModal();
    }), ...this.needed);
    this.ready(false);
    addEventListener("hashchange", () => this.tried(() => this.start()));
  }

  /** @param {boolean} isOpen */
  ready(isOpen) {
    for (const button of this.needed) button.toggleAttribute("hidden", !isOpen);
  }

  /** @param {() => Promise<void>} act @param {boolean} [closes] */
  async tried(act, closes = true) {
    byId("banner").replaceChildren();
    try {
      await act();
    } catch (error) {
      byId("banner").replaceChildren(refusal(error));
    } finally {
      if (closes) for (const dialog of this.dialogs) dialog.close();
    }
  }

  /** What the address asks for: a document of a link, or a bundle beside this page. */
  async start() {
    const fragment = location.hash.slice(1);
    const path = fragment.split("&").find((part) => part.startsWith("open="))?.slice(5);
    if (path === undefined) return this.follow(fragment, true);
    const address = new URL(decodeURIComponent(path), location.href);
    if (address.origin !== location.origin) throw new Error("this page opens battles of its own site only");
    const response = await fetch(address);
    if (!response.ok) throw new Error(`there is no battle at ${address.pathname}`);
    const text = await response.text();
    const name = address.pathname.split("/").pop() ?? "";
    if (!name.endsWith(".html")) return this.openText(text, name);
    // A page of the site has its battle in it.
    const island = new DOMParser().parseFromString(text, "text/html").querySelector("script.bundle");
    return this.openText(island?.textContent ?? "", name.replace(/\.html$/, ""));
  }

  /** List the examples of the site, each one click away; nothing where there is no list of them. */
  async examples() {
    const response = await fetch("examples/index.json").catch(() => null);
    if (!response?.ok) return;
    /** @type {{ ruleset: string, battles: { path: string, name: string, sides: string }[] }[]} */
    const found = await response.json();
    this.list = h(
      "nav",
      { class: "panel examples", "aria-label": "Examples" },
      ...found.flatMap(({ ruleset, battles }) => [
        h("h2", null, ruleset),
        h("ul", null, ...battles.map(({ path, name, sides }) => h("li", null, h("a", { href: `#open=${encodeURIComponent(path)}` }, name), " ", h("small", null, sides)))),
      ]),
    );
    this.placeList();
  }

  placeList() {
    if (this.list === null) return;
    if (this.packed === null) document.querySelector(".start")?.after(this.list);
    else this.dialogs[0].querySelector("h2").after(this.list);
  }

  /** @param {string} link @param {boolean} [isQuiet] */
  async follow(link, isQuiet = false) {
    const value = await valueOf(link);
    if (value === null) {
      if (isQuiet) return;
      throw new Error("the link holds no document; copy all of it, with what follows #doc=");
    }
    if (value.bundle === undefined) throw new Error("this link holds the text only. Open it with fracas studio --link, or share it with the compiled battle");
    await this.open(value.bundle, String(value.name ?? "battle"), value.edits ?? {});
  }

  /** @param {File} file */
  async openFile(file) {
    if (file.size > LARGEST_BUNDLE) throw new Error(`the file is larger than ${LARGEST_BUNDLE.toLocaleString("en")} bytes`);
    await this.openText(await file.text(), file.name);
  }

  /** @param {string} text @param {string} name */
  async openText(text, name) {
    /** @type {any} */
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Error(`${name} is not a bundle: it is not JSON`);
    }
    if (value?.format === "fracas-replay") throw new Error(`${name} is a replay, which holds no compiled battle. Pack it: fracas publish pack ${name}`);
    await this.open(value, name.replace(/(\.fracas)?\.json$/, ""), {});
  }

  /** @param {any} bundle @param {string} name @param {Record<string, number>} edits */
  async open(bundle, name, edits) {
    if (bundle?.game !== undefined) throw new Error(`${name} is of the game ${bundle.game.name}: this page plays shipped rulesets only. Open it in fracas studio --game FILE`);
    if (!RULESETS.includes(bundle?.ruleset)) throw new Error(`${name} is not a bundle of fracas publish pack`);
    const place = new URL(`../wasm/${bundle.ruleset}`, import.meta.url).href;
    const [{ editing }, rules] = await Promise.all([import(`../web/rulesets/${bundle.ruleset}.js`), loadRules(`${place}.wasm`)]);
    const packed = await rules.open(bundle);
    const all = new Changes(packed, editing);
    all.edited(edits);
    Object.assign(this, { rules, packed, changes: all, edits: { ...edits }, name: name.slice(0, 80), base: null });
    byId("name").textContent = this.name;
    document.title = `${this.name} – Fracas Studio`;
    byId("about").textContent = `${bundle.ruleset}: ${bundle.sides.join(" against ")}, seed "${bundle.seed}"`;
    const forms = h("section", { class: "panel tools" }, this.form.element, this.told);
    byId("desk").replaceChildren(this.odds.element, forms);
    this.ready(true);
    this.placeList();
    this.refresh();
    const { ok, digest, message } = await rules.verify(bundle);
    byId("verdict").dataset.state = ok ? "verified" : "differs";
    byId("verdict").textContent = ok ? `Verified on this device, digest ${digest}` : `This device plays another battle: ${message}.`;
  }

  /** @param {string[]} path @param {number} value */
  change(path, value) {
    this.edits = this.changes.with(this.edits, path, value);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), 150);
  }

  refresh() {
    const record = this.changes.edited(this.edits);
    this.form.show(this.changes.form(this.edits));
    const words = this.changes.words(this.edits).map((/** @type {string[]} */ [, told]) => told);
    this.told.textContent = words.length ? words.join("; ") : "Nothing is changed yet.";
    this.play(record, words.length > 0);
  }

  /** The odds of the record; first of the unchanged one, to compare with. @param {any} record @param {boolean} isEdited */
  async play(record, isEdited) {
    this.control.abort();
    const { signal } = (this.control = new AbortController());
    const { rules, packed } = this;
    const names = packed.bundle.sides;
    try {
      if (isEdited && this.base === null) await count(rules, packed.record, names, (odds) => (this.base = odds), signal, { enough: BASE_ENOUGH });
      await count(
        rules,
        record,
        names,
        (odds) => {
          if (signal.aborted) return;
          if (!isEdited) this.base = odds;
          this.odds.show(odds, isEdited ? this.base : null);
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) byId("banner").replaceChildren(refusal(error));
    }
  }
}

if (globalThis.document?.getElementById("desk")) {
  const studio = new OfflineStudio();
  byId("desk").replaceChildren(h("div", { class: "panel start" }, h("p", null, "Open an example, a bundle or a shared link to begin. Links hold at most ", LARGEST.toLocaleString("en"), " bytes.")));
  studio.tried(() => studio.start());
  // Whoever comes with something to open needs no list yet.
  if (location.hash.length < 2) studio.examples();
}
