// @ts-check
/** Links into what is folded unfold it. @module */

/** Unfold what the links of a page, and its address, lead to. @param {any} [root] */
export function unfoldLinked(root = document) {
  const unfold = (/** @type {string} */ hash) => root.getElementById(hash.slice(1))?.querySelector(":scope > details")?.setAttribute("open", "");
  for (const link of root.querySelectorAll('a[href^="#"]')) link.addEventListener("click", () => unfold(link.hash));
  unfold(location.hash);
}
