// @ts-check
/** A page with battles: opens the one that it is about, or each of several when its part of the page is unfolded. @module */

import { BattleView } from "./battle.js";
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
 * Open the battles of the page.
 *
 * @param {Record<string, any>} rulesets By name: table, changes, buildStage, castOf.
 */
export function openPage(rulesets) {
  // As it came, before anything of it changes: that is what can be saved.
  const source = `<!doctype html>\n${document.documentElement.outerHTML}\n`;
  const isWhole = document.querySelector("script[src], link[rel=stylesheet]") === null;
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
    const place = { keys, address, texts: textsIn(about), isAlone, source, isWhole: isWhole && isAlone };
    try {
      const view = new BattleView(root, rulesets[ruleset], sources.get(ruleset), place);
      views.set(root, view);
      view.check();
    } catch (error) {
      root.dataset.script = "runs";
      const status = root.querySelector(".verdict");
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
