// @ts-check
/** The dialogs: share, open, begin from an example. @module */

import { h } from "../web/dom.js";
import { ask } from "./ask.js";
import { buttonOf, choiceOf, refusal } from "./panels.js";
import { dialogOf, download } from "./sheets.js";
import { LARGEST, documentOf, fragmentOf, valueOf } from "./share.js";

/** @param {() => { name: string, text: string }} current @param {() => string} site @param {() => Promise<any>} pack */
export function shareDialog(current, site, pack) {
  const link = h("textarea", { readonly: true, rows: 4, "aria-label": "Link", onfocus: () => link.select() });
  const told = h("p", { class: "told", role: "status" });
  const copy = buttonOf("Copy link", async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      told.textContent = "Copied.";
    } catch {
      told.textContent = "Press Ctrl-C to copy.";
    }
  });
  const file = buttonOf("Download file", () => download(current().name, current().text));
  const about = h("p", null, "The link holds the whole scenario. It is in the part that browsers keep to themselves: no server sees it.");
  const how = h("p", { class: "told" });
  const whole = h("input", { type: "checkbox", onchange: () => write() });
  const also = h("label", { class: "check" }, whole, " with the compiled battle, for a studio on a web site (longer)");
  const dialog = dialogOf("Share", about, link, also, h("p", { class: "buttons" }, copy, file), how, told);
  const write = async () => {
    told.textContent = "";
    try {
      link.value = `${site()}${await fragmentOf(whole.checked ? { ...current(), bundle: await pack() } : current())}`;
      how.textContent = site() ? "" : "Whoever gets it opens it with Open in a studio, or with fracas studio --link.";
    } catch (error) {
      link.value = "";
      told.textContent = `${/** @type {Error} */ (error).message}.`;
    }
    link.select();
  };
  return async () => {
    dialog.showModal();
    await write();
  };
}

/** @param {(document: { name: string, text: string }, how: string) => void} open */
export function openDialog(open) {
  const link = h("textarea", { rows: 3, "aria-label": "Shared link", placeholder: "https://…#doc=…" });
  const file = h("input", { type: "file", accept: ".toml,.json", "aria-label": "File", onchange: () => fromFile() });
  const ruleset = choiceOf("Ruleset", []);
  const example = choiceOf("Example", []);
  const wrong = h("div", { role: "alert" });
  const dialog = dialogOf(
    "Open",
    h("h3", null, "A shared link"),
    link,
    h("p", null, buttonOf("Open link", () => fromLink())),
    h("h3", null, "A file"),
    h("p", null, file),
    h("h3", null, "An example"),
    h("p", { class: "buttons" }, ruleset, example, buttonOf("Open example", () => fromExample())),
    wrong,
  );
  /** @type {any[]} */
  let known = [];
  const list = () => {
    const chosen = known.find(({ name }) => name === ruleset.value);
    example.replaceChildren(h("option", { value: "" }, "commented scenario to start from"), ...(chosen?.examples ?? []).map((/** @type {string} */ name) => h("option", { value: name }, name)));
  };
  ruleset.addEventListener("change", list);

  /** @param {() => Promise<void>} act */
  const tried = async (act) => {
    wrong.replaceChildren();
    try {
      await act();
      dialog.close();
    } catch (error) {
      wrong.replaceChildren(refusal(error));
    }
  };
  const fromLink = () =>
    tried(async () => {
      const value = await valueOf(link.value.trim());
      if (value === null) throw new Error("the link holds no document; copy all of it, with what follows #doc=");
      open(documentOf(value), "link");
    });
  const fromFile = () =>
    tried(async () => {
      const chosen = file.files[0];
      if (chosen.size > LARGEST) throw new Error(`the file is larger than ${LARGEST.toLocaleString("en")} bytes`);
      open({ name: chosen.name, text: (await chosen.text()).replaceAll("\r\n", "\n") }, "file");
      file.value = "";
    });
  const fromExample = () =>
    tried(async () => {
      const { text } = await ask("example", { ruleset: ruleset.value, ...(example.value ? { example: example.value } : {}) });
      open({ name: `${example.value || ruleset.value}.toml`, text }, "example");
    });
  return async () => {
    wrong.replaceChildren();
    link.value = "";
    dialog.showModal();
    if (known.length > 0) return;
    known = (await ask("examples")).rulesets;
    ruleset.replaceChildren(...known.map(({ name, title }) => h("option", { value: name }, title)));
    list();
  };
}
