// @ts-check
/** How a frame is acted out: ready, step, effect, hit, fall, back. Times are milliseconds at speed 1. @module */

import { isCalm } from "./dom.js";
import { comesIn, weightOf } from "./numbers.js";
import { strike } from "./strikes.js";

/** How somebody strikes whose content names no effect. @type {Record<string, string>} */
const BLOWS = {
  ...{ warrior: "slash", tank: "slash", beast: "slash", bird: "slash", brute: "slash", rider: "slash", titan: "slash" },
  ...{ archer: "arrow", mage: "bolt", healer: "beam", blob: "bolt", engine: "burst" },
};
const MANY = 2;
const CALM_MS = 700;
const HARMS = new Set(["hurt", "block", "miss"]);

/**
 * The effect that a frame's effect is drawn with: what content says of the ability, what the event table says of the
 * event, else what the actor's body strikes with.
 *
 * @param {any} effect
 * @param {any} frame
 * @param {Record<string, string>} given By the ability's name.
 * @param {(place: any) => string} bodyOf
 * @returns {string | null}
 */
export function strikeOf(effect, frame, given, bodyOf) {
  const { look, act, by, on } = effect;
  if (HARMS.has(look)) {
    if (act) return act;
    if (by === null || by === on) return look === "miss" ? null : "poison";
    if (Object.hasOwn(given, frame.title)) return given[frame.title];
    const blow = BLOWS[bodyOf(by)] ?? "slash";
    const met = new Set(frame.effects.filter((/** @type {any} */ each) => HARMS.has(each.look)).map((/** @type {any} */ each) => each.on));
    return blow === "bolt" && met.size > MANY ? "burst" : blow;
  }
  if (look === "heal") return act ?? "heal";
  if (look === "shield") return act ?? "dome";
  if (look === "gain") return act ?? (effect.amount > 0 ? "heal" : null);
  return act ?? null;
}

export class Motion {
  /** @param {any} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {any[]} */
    this.timers = [];
    /** @type {any[]} */
    this.moves = [];
    /** @type {(() => void) | null} */
    this.ending = null;
  }

  /** End what moves, as if it had been seen to its end. */
  settle() {
    for (const timer of this.timers) clearTimeout(timer);
    for (const each of this.moves) each.cancel();
    this.timers = [];
    this.moves = [];
    this.stage.strikes.replaceChildren();
    const { ending } = this;
    this.ending = null;
    ending?.();
  }

  /** @param {number} ms @param {() => void} act */
  later(ms, act) {
    this.timers.push(setTimeout(act, ms / this.speed));
  }

  /** Move an element; nothing moves for whoever wants less motion. @param {any} element @param {any[]} frames @param {any} timing */
  animate(element, frames, { delay = 0, duration, ...rest }) {
    if (this.calm) return;
    this.moves.push(element.animate(frames, { delay: delay / this.speed, duration: duration / this.speed, easing: "ease-out", ...rest }));
  }

  /**
   * Act a frame out.
   *
   * @param {any} frame
   * @param {any[]} numbers What numbersOver made.
   * @param {any[]} joins Figures that were not there before; of them who had fallen rises, others come.
   * @param {number} speed
   */
  play(frame, numbers, joins, speed) {
    const { stage } = this;
    this.speed = speed;
    this.calm = isCalm();
    const { actor, effects } = frame;
    const bodyOf = (/** @type {any} */ place) => stage.figures.get(place)?.look.body;
    const blows = this.blowsOf(frame, bodyOf);
    const falls = effects.filter((/** @type {any} */ { look }) => look === "fall").map((/** @type {any} */ { on }) => on);
    const isCritical = effects.some((/** @type {any} */ { critical, look }) => critical && look === "hurt");
    const isUltimate = effects.some((/** @type {any} */ { look }) => look === "ultimate");
    const heavy = effects.reduce(
      (/** @type {number} */ most, /** @type {any} */ effect) =>
        Math.max(most, effect.look === "hurt" || effect.look === "block" ? weightOf(effect) : 0),
      0,
    );
    const who = actor === null ? undefined : stage.standing(actor);
    const dash = blows.find(({ name, on }) => name === "slash" && on !== actor);
    this.ending = () => stage.rest(frame);

    let at = who === undefined ? 60 : isUltimate ? 520 : isCritical ? 380 : 260;
    if (who !== undefined) this.readies(frame, who, blows, at, dash);
    if (who !== undefined && blows.length > 0) at += dash === undefined ? 130 : 220;
    const start = this.calm ? 120 : at;
    const beats = blows.map(({ name, by, on }) => this.blow(name, by, on, heavy, start));
    const hit = start + (this.calm ? 0 : Math.max(0, ...beats.map((beat) => beat.hit)));
    const tail = Math.max(260, ...beats.map((beat) => beat.end - beat.hit - 120));
    for (const { badge, effect } of numbers) comesIn(badge, weightOf(effect), hit, speed);
    const hold = this.calm || heavy === 0 ? 0 : 40 + 150 * heavy + (isCritical ? 110 : 0);
    this.later(hit, () => this.meet(frame, falls, heavy, hold, isCritical));
    for (const figure of joins) this.joins(figure, hit);
    let end = hit + hold + (this.calm ? CALM_MS : tail);
    if (falls.length > 0) {
      this.later(hit + hold + 240, () => this.fall(frame, falls));
      end += 620;
    }
    if (who !== undefined) this.returns(who, end - (falls.length > 0 ? 560 : 120));
    this.later(end + 200, () => this.settle());
  }

  /** What is drawn between whom, each once. @param {any} frame @param {(place: any) => string} bodyOf */
  blowsOf(frame, bodyOf) {
    const seen = new Set();
    /** @type {{ name: string, by: any, on: any }[]} */
    const blows = [];
    for (const effect of frame.effects) {
      const name = strikeOf(effect, frame, this.stage.given, bodyOf);
      const by = effect.by ?? effect.on;
      if (name === null || seen.has(`${name} ${effect.on}`) || this.stage.standing(effect.on) === undefined) continue;
      seen.add(`${name} ${effect.on}`);
      blows.push({ name, by: this.stage.standing(by) === undefined ? effect.on : by, on: effect.on });
    }
    return blows;
  }

  /** Who acts makes ready, goes up to whom it strikes, and strikes. @param {any} frame @param {any} who @param {any[]} blows @param {number} at @param {any} dash */
  readies(frame, who, blows, at, dash) {
    const { stage } = this;
    stage.mark(frame.actor, "ready", true);
    if (blows.length === 0) return;
    const { figure, spot } = who;
    const main = stage.standing((dash ?? blows[0]).on);
    const isSelf = main === undefined || main.figure === figure;
    const way = isSelf ? spot.dir : Math.sign(main.spot.x - spot.x) || spot.dir;
    if (!isSelf) figure.turn(way);
    const isAlone = isSelf || dash === undefined;
    const dx = isAlone ? way * 14 : main.spot.x - spot.x - way * (spot.h * 0.5 + main.spot.h * 0.12);
    const dy = isAlone ? 0 : main.spot.y - spot.y + 1;
    figure.off = { x: dx, y: dy };
    const frames = [
      { transform: "none" },
      { transform: `translate(${-way * 9}px, 0)`, offset: 0.3 },
      { transform: `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px)` },
    ];
    this.animate(figure.mover, frames, { delay: at, duration: isAlone ? 130 : 220, fill: "forwards", easing: "cubic-bezier(.5,0,.3,1)" });
    if (!isAlone && !this.calm) figure.element.style.zIndex = String(Math.round(Math.max(main.spot.y, spot.y)) + 1);
    this.later(at + (isAlone ? 100 : 200), () => {
      stage.mark(frame.actor, "ready", false);
      stage.mark(frame.actor, "strike", true);
    });
  }

  /** @param {string} name @param {any} by @param {any} on @param {number} heavy @param {number} start */
  blow(name, by, on, heavy, start) {
    const { stage } = this;
    const [from, to] = [stage.standing(by), stage.standing(on)];
    const off = name === "slash" ? { x: 0, y: 0 } : (from.figure.off ?? { x: 0, y: 0 });
    const source = stage.pointOf(from, name === "slash" ? 0 : 0.34, off);
    const many = stage.frame.effects.length > 6 ? 0.85 : 1;
    const beat = strike(name, stage.strikes, source, stage.pointOf(to, 0, { x: 0, y: 0 }), many * (0.8 + 0.8 * heavy), {
      ...{ start, speed: this.speed, calm: this.calm },
    });
    this.moves.push(...beat.moves);
    return beat;
  }

  /** The moment of the hit: states change, bodies recoil, everything holds its breath. @param {any} frame @param {any[]} falls @param {number} heavy @param {number} hold @param {boolean} isCritical */
  meet(frame, falls, heavy, hold, isCritical) {
    const { stage } = this;
    stage.draw(frame, falls);
    const hurt = [...new Set(frame.effects.filter((/** @type {any} */ { look }) => look === "hurt").map((/** @type {any} */ { on }) => on))];
    for (const place of hurt) {
      stage.mark(place, "hurt", true);
      const met = stage.standing(place);
      const from = frame.actor === null ? undefined : stage.standing(frame.actor);
      if (met === undefined || place === frame.actor) continue;
      const way = Math.sign(met.spot.x - (from?.spot.x ?? met.spot.x - met.spot.dir)) || 1;
      this.animate(
        met.figure.mover,
        [{ transform: "none" }, { transform: `translate(${(way * (5 + 24 * heavy)).toFixed(1)}px, 0)`, offset: 0.25 }, { transform: "none" }],
        { duration: 420 },
      );
    }
    if (hurt.length === 0 || this.calm) return;
    if (hold > 60 && this.speed <= 2) {
      const stopped = this.moves.filter((each) => each.playState === "running");
      for (const each of stopped) each.pause();
      // Whatever had ended by then would begin anew.
      this.later(hold, () => {
        for (const each of stopped) if (each.playState === "paused") each.play();
      });
    }
    const reach = (3 + 16 * heavy) * (stage.isNarrow ? 0.5 : 1);
    const shakes = Array.from({ length: 6 }, (_, step) => {
      const [x, y] = [(step % 2 ? -1 : 1) * reach * (1 - step / 6), ((step % 3) - 1) * reach * 0.5 * (1 - step / 6)];
      return { transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` };
    });
    this.animate(stage.camera, [...shakes, { transform: "none" }], { delay: hold, duration: 220 + 200 * heavy });
    if (isCritical || heavy > 0.45) this.animate(stage.flash, [{ opacity: 0.18 }, { opacity: 0 }], { delay: hold, duration: 180 });
  }

  /** The light goes down, and they fall. @param {any} frame @param {any[]} falls */
  fall(frame, falls) {
    this.animate(this.stage.dim, [{ opacity: 0 }, { opacity: 0.42, offset: 0.25 }, { opacity: 0.42, offset: 0.7 }, { opacity: 0 }], {
      duration: 900,
    });
    for (const place of falls) this.stage.mark(place, "hurt", false);
    this.stage.draw(frame, []);
  }

  /** Somebody comes, or gets up. @param {any} figure @param {number} at */
  joins(figure, at) {
    this.animate(
      figure.mover,
      [
        { transform: "translateY(12px) scale(.2)", opacity: 0 },
        { transform: "translateY(-6px) scale(1.08)", opacity: 1, offset: 0.6 },
        { transform: "none", opacity: 1 },
      ],
      {
        ...{ delay: at, duration: 520, fill: "backwards", easing: "cubic-bezier(.3,1.3,.5,1)" },
      },
    );
  }

  /** @param {any} who @param {number} at */
  returns(who, at) {
    const { figure } = who;
    const { off } = figure;
    if (off === null) return;
    this.later(at, () => {
      this.stage.mark(this.stage.frame.actor, "strike", false);
      this.animate(figure.mover, [{ transform: `translate(${off.x.toFixed(1)}px, ${off.y.toFixed(1)}px)` }, { transform: "none" }], {
        duration: 200,
        fill: "forwards",
        easing: "ease-in-out",
      });
    });
  }
}
