// @ts-check
/** Tabs as the patterns for accessible pages describe them: arrows move between them. @module */

import { h } from "../web/dom.js";

export class Tabs {
  /** @param {string} label @param {{ name: string, element: any, onShow?: () => void }[]} pages */
  constructor(label, pages) {
    this.pages = pages;
    this.current = 0;
    this.tabs = pages.map(({ name }, place) =>
      h("button", { type: "button", role: "tab", id: `tab-${place}`, "aria-controls": `page-${place}`, onclick: () => this.show(place) }, name),
    );
    this.boxes = pages.map(({ element }, place) => h("div", { role: "tabpanel", id: `page-${place}`, "aria-labelledby": `tab-${place}`, tabindex: 0, hidden: true }, element));
    const list = h("div", { role: "tablist", "aria-label": label, class: "tabs", onkeydown: (/** @type {any} */ event) => this.press(event) }, ...this.tabs);
    this.element = h("section", { class: "tools panel" }, list, ...this.boxes);
    this.show(0);
  }

  /** @param {number} place */
  show(place) {
    this.current = place;
    this.tabs.forEach((tab, each) => {
      tab.setAttribute("aria-selected", String(each === place));
      tab.setAttribute("tabindex", each === place ? "0" : "-1");
      this.boxes[each].toggleAttribute("hidden", each !== place);
    });
    this.pages[place].onShow?.();
  }

  /** Show the page of a name. @param {string} name */
  open(name) {
    this.show(this.pages.findIndex((page) => page.name === name));
  }

  /** The name of the page that is seen. */
  get name() {
    return this.pages[this.current].name;
  }

  /** Take the first page away, because it has found a place of its own, or bring it back. @param {boolean} isAway */
  withoutFirst(isAway) {
    this.tabs[0].toggleAttribute("hidden", isAway);
    if (isAway) {
      if (this.current === 0) this.show(1);
    } else {
      this.boxes[0].append(this.pages[0].element);
      this.show(0);
    }
  }

  /** @param {any} event */
  press(event) {
    const seen = this.tabs.flatMap((tab, place) => (tab.hidden ? [] : [place]));
    const [at, last] = [seen.indexOf(this.current), seen.length - 1];
    /** @type {Record<string, number>} */
    const goes = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    const place = goes[event.key];
    if (place === undefined) return;
    event.preventDefault();
    this.show(seen[place]);
    this.tabs[seen[place]].focus();
  }
}
