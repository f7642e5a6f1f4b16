// @ts-check
/** Dialogs, and texts handed over as files. @module */

import { h } from "../web/dom.js";
import { buttonOf } from "./panels.js";

/** A dialog with a title and a way out. @param {string} title @param {...any} parts */
export function dialogOf(title, ...parts) {
  const dialog = h("dialog", { class: "keys sheet", "aria-label": title }, h("h2", null, title), ...parts);
  dialog.append(h("p", { class: "out" }, buttonOf("Close", () => dialog.close())));
  document.body.append(dialog);
  return dialog;
}

/** Hand a text to the browser as a file. @param {string} name @param {string} text */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
