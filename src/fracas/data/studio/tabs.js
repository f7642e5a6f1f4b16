// @ts-check
/** Tabs as the patterns for accessible pages describe them: arrows move between them. @module */

import { h } from "../web/dom.js";

export class Tabs {
  /** @param {string} label @param {{ name: string, element: any, onShow?: () => void }[]} pages */
  constructor(label, pages) {
    this.pages = pages;
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

  /** @param {any} event */
  press(event) {
    const last = this.tabs.length - 1;
    /** @type {Record<string, number>} */
    const goes = { ArrowRight: this.current === last ? 0 : this.current + 1, ArrowLeft: this.current === 0 ? last : this.current - 1, Home: 0, End: last };
    const place = goes[event.key];
    if (place === undefined) return;
    event.preventDefault();
    this.show(place);
    this.tabs[place].focus();
  }
}
