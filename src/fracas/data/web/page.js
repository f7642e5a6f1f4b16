// @ts-check
/** A page with battles: opens the one that it is about, or each of several when its part of the page is unfolded. @module */

import { BattleView } from "./battle.js";
import { h } from "./dom.js";
import { loadRules } from "./fracas.js";
import { textsIn } from "./statements.js";

/**
 * Where a ruleset's module and layout come from: islands of this page, or a script that several pages share.
 *
 * @param {string} name
 */
function sourceOf(name) {
  const shared = /** @type {any} */ (globalThis).fracasRules?.[name];
  const textOf = (/** @type {string} */ part) => document.getElementById(`${part}-${name}`)?.textContent ?? "";
  const layout = shared?.layout ?? JSON.parse(textOf("layout"));
  /** @type {Promise<any> | null} */
  let loading = null;
  const rules = () => (loading ??= loadRules(shared?.module ?? textOf("module").trim(), layout));
  return { layout, rules };
}

/**
 * The page as one file that needs no other: as it came, with links that lead back to where it came from. Where pages
 * share scripts and styles, a script of the same place has them as text, with the policy that names their hashes.
 *
 * @param {string} source
 * @param {string} ruleset
 * @returns {Promise<string>}
 */
async function wholePage(source, ruleset) {
  if (location.protocol === "file:" && sharedScript() === null) return source;
  const page = new DOMParser().parseFromString(source, "text/html");
  for (const link of page.querySelectorAll("nav a")) link.setAttribute("href", new URL(link.getAttribute("href") ?? "", location.href).href);
  const shared = sharedScript();
  if (shared !== null) {
    const { policy, style, script } = await wholeParts(new URL(`whole-${ruleset}.js`, shared.src).href);
    page.querySelector("meta[http-equiv]")?.setAttribute("content", policy);
    for (const each of page.querySelectorAll("link, script[src]")) each.remove();
    const { layout, module } = /** @type {any} */ (globalThis).fracasRules[ruleset];
    page.head.append(h("style", null, style));
    page.body.append(
      h("script", { type: "application/json", id: `layout-${ruleset}` }, JSON.stringify(layout).replaceAll("<", "\\u003c")),
      h("script", { type: "text/plain", id: `module-${ruleset}` }, module),
      h("script", { type: "module" }, script),
    );
  }
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

/** The script that this page shares with others; null if it has its own. @returns {any} */
const sharedScript = () => document.querySelector("script[src]");

/** Load a script that says what else a whole page has. @param {string} address @returns {Promise<any>} */
function wholeParts(address) {
  return new Promise((resolve, reject) => {
    const script = h("script", { src: address });
    script.onload = () => resolve(/** @type {any} */ (globalThis).fracasWhole);
    script.onerror = () => reject(new Error("the page's parts cannot be loaded"));
    document.head.append(script);
  });
}

/**
 * Open the battles of the page.
 *
 * @param {Record<string, any>} rulesets By name: table, editing, buildStage, castOf.
 */
export function openPage(rulesets) {
  // As it came, before anything of it changes: that is what can be saved.
  const source = `<!doctype html>\n${document.documentElement.outerHTML}\n`;
  /** @type {Map<string, any>} */
  const sources = new Map();
  /** @type {Map<any, any>} */
  const views = new Map();
  const isAlone = document.querySelectorAll(".battle").length === 1 && document.querySelector("details.watch") === null;
  /** @param {any} root @param {any} fold What unfolds the battle; null if the page is about it. */
  const open = (root, fold) => {
    if (views.has(root)) return;
    const { ruleset } = root.dataset;
    if (!sources.has(ruleset)) sources.set(ruleset, sourceOf(ruleset));
    const about = fold ?? (isAlone ? document : root);
    const [keys, address] = fold === null ? [globalThis, "#"] : [fold, `#${fold.id}&`];
    const place = { keys, address, texts: textsIn(about), isAlone, whole: () => wholePage(source, ruleset) };
    try {
      const view = new BattleView(root, rulesets[ruleset], sources.get(ruleset), place);
      views.set(root, view);
      view.check();
    } catch (error) {
      root.dataset.script = "runs";
      const status = document.querySelector("body > header .verdict") ?? root.querySelector(".verdict");
      status.textContent = `This page is damaged or was changed, and cannot show the battle: ${/** @type {Error} */ (error).message}.`;
      status.dataset.state = "refused";
    }
  };
  const folds = [...document.querySelectorAll("details.watch")];
  for (const fold of folds) {
    fold.addEventListener("toggle", () => {
      const root = fold.querySelector(".battle");
      if (/** @type {any} */ (fold).open) open(root, fold);
      else views.get(root)?.player.pause();
    });
  }
  const follow = () => {
    const [id] = location.hash.slice(1).split("&");
    const fold = /** @type {any} */ (folds.find((each) => each.id === id));
    if (!fold) return;
    fold.open = true;
    open(fold.querySelector(".battle"), fold);
    fold.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
  for (const root of document.querySelectorAll(".battle")) {
    if (root.closest("details.watch") === null) open(root, null);
  }
}
