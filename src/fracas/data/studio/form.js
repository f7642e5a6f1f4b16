// @ts-check
/** The form: units, formation and numbers. What is changed here is written into the text. @module */

import { h } from "../web/dom.js";

/** Sides with more owners of numbers than this begin folded. */
const MANY_OWNERS = 10;

export class Form {
  /** @param {{ setNumber: (path: string[], value: number) => void, setChoice: (path: string[], number: number) => void }} does */
  constructor(does) {
    this.does = does;
    this.shape = "";
    /** @type {Map<string, any>} */
    this.inputs = new Map();
    this.body = h("div", { class: "form-body" });
    this.element = h("section", { class: "form", "aria-label": "Units and numbers" }, this.body);
    this.body.append(h("p", { class: "told" }, "The form appears as soon as the text is valid."));
  }

  /** @param {any[]} sides */
  show(sides) {
    const shape = JSON.stringify(sides, (key, value) => (key === "value" || key === "current" ? undefined : value));
    if (shape !== this.shape) {
      this.shape = shape;
      const held = document.activeElement?.getAttribute("data-path");
      this.build(sides);
      if (held) this.inputs.get(held)?.focus();
    }
    for (const { choices, owners } of sides) {
      for (const { path, current } of choices) this.set(path, current);
      for (const { numbers } of owners) for (const { path, value } of numbers) this.set(path, value);
    }
  }

  /** @param {string[]} path @param {number} value */
  set(path, value) {
    const input = this.inputs.get(path.join("."));
    // What one types into at this moment is left alone.
    if (input !== undefined && !(input === document.activeElement && input.type === "number")) input.value = String(value);
  }

  /** Mark the fields that problems name. @param {any[]} problems */
  mark(problems) {
    const wrong = new Map(problems.filter(({ severity }) => severity === "error").map(({ path, message }) => [path, message]));
    for (const [path, input] of this.inputs) {
      input.setAttribute("aria-invalid", String(wrong.has(path)));
      input.title = wrong.get(path) ?? "";
    }
  }

  /** @param {any[]} sides */
  build(sides) {
    const open = new Map([...this.body.querySelectorAll("details")].map((each) => [each.dataset.name, each.open]));
    this.inputs.clear();
    this.body.replaceChildren(...sides.map((side) => this.side(side)));
    for (const each of this.body.querySelectorAll("details")) {
      const was = open.get(each.dataset.name);
      if (was !== undefined) each.open = was;
    }
  }

  /** @param {any} side */
  side({ side, name, choices, owners }) {
    /** @type {Map<string, any[]>} */
    const parts = new Map();
    for (const choice of choices) parts.set(choice.part, [...(parts.get(choice.part) ?? []), choice]);
    return h(
      "details",
      { class: `side-form side${side}`, "data-name": `side ${side}`, open: owners.length <= MANY_OWNERS },
      h("summary", null, h("span", { class: "own" }, name)),
      ...[...parts].map(([part, held]) => this.part(side, part, held)),
      ...owners.map((/** @type {any} */ owner) => this.owner(owner)),
    );
  }

  /** @param {number} side @param {string} part @param {any[]} choices */
  part(side, part, choices) {
    const named = part.replaceAll("_", " ");
    const cells = choices.map(({ name, path, labels }) => {
      const key = path.join(".");
      const select = h(
        "select",
        { "data-path": key, onchange: () => this.does.setChoice(path, Number(select.value)) },
        ...labels.map((/** @type {string} */ label, /** @type {number} */ number) => h("option", { value: number }, label)),
      );
      this.inputs.set(key, select);
      return h("label", { class: "cell" }, h("span", null, name), select);
    });
    const title = named[0].toUpperCase() + named.slice(1);
    return h("details", { class: "part", "data-name": `${side} ${part}`, open: cells.length <= MANY_OWNERS }, h("summary", null, title), h("div", { class: "cells wide" }, ...cells));
  }

  /** @param {any} owner */
  owner({ name, numbers }) {
    const cells = numbers.map((/** @type {any} */ number) => {
      const key = number.path.join(".");
      const input = h("input", {
        type: "number",
        "data-path": key,
        min: number.least,
        max: number.most,
        step: number.step,
        inputmode: "numeric",
        "aria-label": `${number.name} of ${name}`,
        oninput: () => input.validity.valid && input.value !== "" && this.does.setNumber(number.path, Number(input.value)),
      });
      this.inputs.set(key, input);
      return h("label", { class: "cell" }, h("span", { "aria-hidden": "true" }, number.name), input);
    });
    return h("fieldset", { class: "owner" }, h("legend", null, name), h("div", { class: "cells" }, ...cells));
  }
}
