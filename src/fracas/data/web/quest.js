// @ts-check
/** The stage of delve: a party on its way, whoever it meets, and what stands where nobody does. @module */

import { h, svg } from "./dom.js";
import { propOf } from "./props.js";
import { LIFE, Stage } from "./stage.js";

export class Quest extends Stage {
  /** @param {any} cast @param {any} data */
  constructor(cast, data) {
    super(cast, data, {
      bars: [LIFE, { name: "resource", gauge: "resource", whole: "resourceMax" }],
      scene: (frame) => this.placeOf(frame),
    });
    const encounters = cast.encounters ?? [];
    this.steps = encounters.length < 2 ? [] : encounters.map(stepOf);
    this.prop = h("div", { class: "prop", hidden: true });
    this.units.prepend(this.prop);
    this.found = h("p", { class: "found", hidden: true });
    this.sight.append(this.found);
    if (this.steps.length > 0) this.element.prepend(h("ol", { class: "way", "aria-label": "encounters" }, ...this.steps));
  }

  /** The encounter that a frame belongs to. @param {any} frame */
  encounterOf({ scene }) {
    return (this.cast.encounters ?? [])[scene.encounter ?? 0];
  }

  /** @param {any} frame */
  placeOf(frame) {
    return this.encounterOf(frame)?.name ?? "";
  }

  /** @param {any} frame @param {boolean} isFresh */
  extra(frame, isFresh) {
    void isFresh;
    const at = frame.scene.encounter ?? -1;
    this.steps.forEach((/** @type {any} */ step, /** @type {number} */ place) => {
      step.classList.toggle("passed", place < at);
      if (place === at) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
    this.standIn(frame);
  }

  /** What stands where no enemy does: a trap, a fire, a riddle, two ways; or what was found. @param {any} frame */
  standIn(frame) {
    const { type = "combat", name = "" } = this.encounterOf(frame) ?? {};
    const isFight = frame.full[2] > 0;
    const isLoot = frame.by === "item";
    const drawn = isLoot ? "loot" : isFight || type === "combat" ? "" : type;
    this.prop.hidden = drawn === "";
    if (drawn !== this.drawn) this.prop.replaceChildren(drawn === "" ? "" : svg("svg", { viewBox: "0 0 100 120", "aria-hidden": "true" }));
    if (drawn !== this.drawn && drawn !== "") this.prop.firstChild.innerHTML = propOf(drawn);
    this.drawn = drawn;
    this.prop.classList.toggle("shut", isFight);
    this.found.hidden = drawn === "" || isLoot;
    this.found.textContent = `${name}`;
    this.ranked(isFight);
  }

  /** Nobody of side 2 has no panel. @param {boolean} isFight */
  ranked(isFight) {
    this.teams[1].element.hidden = !isFight;
  }
}

/** @param {any} encounter @param {number} number From 0, as events and stories count. */
const stepOf = ({ name, type }, number) => h("li", { class: type, title: `${name} (${type})`, "data-number": number }, h("span", null, name));
