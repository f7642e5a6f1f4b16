// @ts-check
/** HP of both sides over time: a drawing that is also the scrub bar. @module */

import { h, styled, svg } from "./dom.js";
import { turningPoint } from "./timeline.js";

const WIDTH = 1000;
const HEIGHT = 100;

/** The turning point: the one that the lab found, if the page has it, or the largest swing of HP. @param {any[]} frames @param {any} data */
function turningOf(frames, { turning, outcome }) {
  if (turning) {
    const frame = frames.findIndex(({ tick }) => tick === turning.tick);
    return frame === -1 ? null : { frame, told: `turning point: ${turning.told}` };
  }
  const found = turningPoint(frames, outcome.winner);
  return found && { frame: found.frame, told: "turning point: the largest swing of HP" };
}

export class Chart {
  /**
   * @param {any} timeline
   * @param {any} data
   * @param {(seconds: number) => void} go
   */
  constructor(timeline, data, go) {
    this.timeline = timeline;
    const { frames } = timeline;
    const turning = turningOf(frames, data);
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...this.rounds(),
      ...[1, 2].flatMap((side) => {
        const line = this.line(side);
        return [
          svg("path", { class: `area side${side}`, d: `${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}z` }),
          svg("path", { class: `line side${side}`, d: line }),
        ];
      }),
    );
    this.head = h("span", { class: "head" });
    this.input = h("input", {
      ...{ type: "range", min: 0, max: timeline.length.toFixed(2), step: "any", value: 0, class: "scrub" },
      ...{ "aria-label": "Moment of the battle", oninput: () => go(Number(this.input.value)) },
    });
    const marked = turning === null ? null : this.flag(turning, go);
    this.element = h("div", { class: "chart" }, drawing, this.head, this.input, marked);
  }

  /** @param {number} seconds */
  x(seconds) {
    return (WIDTH * seconds) / this.timeline.length;
  }

  rounds() {
    const { frames, starts } = this.timeline;
    const lines = [];
    for (let at = 1; at < frames.length; at += 1) {
      if (frames[at].kind === "action" || frames[at].kind === "end") continue;
      const x = this.x(starts[at]).toFixed(1);
      lines.push(svg("path", { class: frames[at].kind === "part" ? "grid part" : "grid", d: `M${x} 0V${HEIGHT}` }));
    }
    return lines;
  }

  /** HP of a side as steps, as a share of the most that both ever had. @param {number} side */
  line(side) {
    const { frames, starts } = this.timeline;
    const most = frames.reduce((/** @type {number} */ found, /** @type {any} */ { hp }) => Math.max(found, hp[1], hp[2]), 1);
    const points = frames.map((/** @type {any} */ { hp }, /** @type {number} */ at) => {
      const y = (HEIGHT - 4 - ((HEIGHT - 10) * hp[side]) / most).toFixed(1);
      return at === 0 ? `M0 ${y}` : `H${this.x(starts[at]).toFixed(1)}V${y}`;
    });
    return `${points.join("")}H${WIDTH}`;
  }

  /** @param {{ frame: number, told: string }} turning @param {(seconds: number) => void} go */
  flag({ frame, told }, go) {
    const start = this.timeline.starts[frame];
    const flag = h("button", { type: "button", class: "turning", title: told, "aria-label": `Go to the ${told}`, onclick: () => go(start) }, "◆");
    styled(flag, "left", `${this.x(start) / (WIDTH / 100)}%`);
    return flag;
  }

  /** @param {number} seconds @param {string} told */
  show(seconds, told) {
    styled(this.head, "left", `${this.x(seconds) / (WIDTH / 100)}%`);
    this.input.value = String(seconds);
    this.input.setAttribute("aria-valuetext", told);
  }
}
