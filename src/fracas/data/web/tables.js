// @ts-check
/** Tables whose rows are sorted by the column that somebody picks; the order of the page comes back at the third click. @module */

/** The number that a cell begins with; null if it begins with none. @param {string} text */
function figureOf(text) {
  const found = /^[\s(]*([+\-−–]?)\s*(\d[\d,]*(?:\.\d+)?)/u.exec(text);
  if (found === null) return null;
  return (found[1] === "" || found[1] === "+" ? 1 : -1) * Number(found[2].replaceAll(",", ""));
}

/** @param {string} one @param {string} other */
function compareCells(one, other) {
  const [first, second] = [figureOf(one), figureOf(other)];
  if (first !== null && second !== null) return first - second;
  if ((first === null) !== (second === null)) return first === null ? 1 : -1;
  return one.localeCompare(other, "en", { numeric: true });
}

/** Make the tables of a page sortable. @param {any} [root] */
export function sortTables(root = document) {
  for (const table of root.querySelectorAll(".scroll table")) {
    const [body] = table.tBodies;
    const given = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.tagName !== "TH" || given.length < 2) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        for (const each of heads) each.removeAttribute("aria-sort");
        // Numbers are sorted from the largest, names from the first.
        const [first, second] = head.classList.contains("n") ? ["descending", "ascending"] : ["ascending", "descending"];
        const order = was === null ? first : was === first ? second : null;
        if (order === null) {
          body.append(...given);
          return;
        }
        head.setAttribute("aria-sort", order);
        const way = order === "ascending" ? 1 : -1;
        const texts = new Map(given.map((row) => [row, row.cells[column]?.textContent ?? ""]));
        body.append(...[...given].sort((one, other) => way * compareCells(texts.get(one) ?? "", texts.get(other) ?? "")));
      });
    });
  }
}
