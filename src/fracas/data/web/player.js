// @ts-check
/** Plays the frames of a battle: the clock, its controls and keys, the line of the story, the link to a moment. @module */

import { Chart } from "./chart.js";
import { Cover } from "./cover.js";
import { h, isCalm, svg } from "./dom.js";
import { remember, remembered, Sound } from "./sound.js";
import { Timeline } from "./timeline.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one action back or forward"],
  ["Shift ← →", "one round back or forward"],
  ["F", "the next fall"],
  ["T", "the turning point"],
  ["Home End", "the beginning, the end"],
  [", .", "slower, faster"],
  ["H", "hide the result, or show it"],
  ["S", "sound on or off"],
  ["L", "the story beside the stage, or the stage alone"],
  ["?", "these keys"],
];

/** Drawn, because not every device has the letters. @type {Record<string, string>} */
const SIGNS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  roundBack: "M12 5l-7 7 7 7M20 5l-7 7 7 7",
  back: "M15 5l-7 7 7 7",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  forward: "M9 5l7 7-7 7",
  roundForward: "M4 5l7 7-7 7M12 5l7 7-7 7",
  last: "M18 5v14M5 5l9 7-9 7z",
  fall: "M5 12h9M11 8l4 4-4 4M18 8l4 8M22 8l-4 8",
  turning: "M12 3l8 9-8 9-8-9z",
  sound: "M4 9v6h4l6 5V4L8 9zM18 9c2 2 2 4 0 6",
  silent: "M4 9v6h4l6 5V4L8 9zM17 9l5 6M22 9l-5 6",
  hidden: "M3 12c5-8 13-8 18 0c-5 8-13 8-18 0M4 20L20 4",
  lines: "M4 5h16M4 10h16M4 15h16M4 20h10",
  seen: "M3 12c5-8 13-8 18 0c-5 8-13 8-18 0M12 9.5a2.5 2.5 0 1 0 .1 0",
};

/** @param {string} name */
const signOf = (name) => svg("svg", { viewBox: "0 0 24 24", class: `sign ${name}`, "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));

/** Under which name the browser remembers whether results are hidden. */
const HIDES = "fracas-hide";
/** And whether the story is folded away. */
const FOLDS = "fracas-fold";

/** A device whose pictures take longer than this shows no motion at the highest speed. */
const SMOOTH_MS = 40;

/** The least time between two changes of the address. */
const LINK_MS = 300;

/** Elements whose own keys are theirs. */
const TYPED_IN = "input:not(.scrub), select, textarea, [contenteditable]";

export class Player {
  /**
   * @param {any[]} frames
   * @param {any} stage
   * @param {any} data
   * @param {any} story The list of the story's lines, each with `data-event`.
   * @param {{ keys: any, address: string }} place What listens for keys, and what a link to a moment begins with.
   * @param {{ nameOf?: (place: any, frame: any) => string, stakes?: string, onReach?: (isAll: boolean) => void }} [about]
   *   What units are called, what it is about, and who wants to know whether the result may be seen.
   */
  constructor(frames, stage, data, story, place, about = {}) {
    this.timeline = new Timeline(frames);
    this.place = place;
    this.moment = data.moment ?? null;
    this.stage = stage;
    stage.frames = frames;
    this.seconds = 0;
    this.shown = -1;
    this.speed = 1;
    this.isPlaying = false;
    this.last = 0;
    /** How long pictures take, in milliseconds. */
    this.pace = 0;
    /** @type {any} */
    this.linking = null;
    this.story = story;
    this.lines = [...story.children].flatMap((element, row) =>
      element.dataset.event === undefined ? [] : [{ element, row, frame: this.frameOf(element) }],
    );
    /** @type {any} */
    this.marked = null;
    this.sound = new Sound();
    this.onReach = about.onReach ?? (() => {});
    /** The latest moment that was seen. */
    this.reached = 0;
    this.isHiding = false;
    this.untold = -1;
    this.build(data, about);
    this.screen = h("div", { class: "screen" }, stage.element, this.cover.element);
    this.listen();
  }

  /** @param {any} data @param {any} about */
  build(data, about) {
    /** @param {string} label @param {any} sign @param {() => void} act */
    const button = (label, sign, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, sign);
    const nameOf = about.nameOf ?? (() => "");
    this.chart = new Chart(this.timeline, data, nameOf, (seconds) => this.seek(seconds));
    this.cover = new Cover(this, data, about);
    this.playing = button("Play (space)", signOf("play"), () => this.toggle());
    this.playing.classList.add("play");
    this.clock = h("output", { class: "clock", "aria-live": "off" });
    this.rate = h(
      "select",
      { "aria-label": "Speed", onchange: () => this.setSpeed(Number(this.rate.value)) },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
    );
    this.falls = button("To the next fall (F)", signOf("fall"), () => this.nextFall());
    this.turns = button("To the turning point (T)", signOf("turning"), () => this.turning());
    this.sounds = button("Sound (S)", signOf(this.sound.isOn ? "sound" : "silent"), () => this.setSound());
    this.sounds.setAttribute("aria-pressed", String(this.sound.isOn));
    this.folds = button("The story (L)", signOf("lines"), () => this.fold());
    this.folds.classList.add("fold");
    this.hides = button("Hide the result (H)", signOf("seen"), () => this.setHiding(!this.isHiding));
    const [roundBack, roundForward] = [
      button("One round back (Shift ←)", signOf("roundBack"), () => this.round(-1)),
      button("One round forward (Shift →)", signOf("roundForward"), () => this.round(1)),
    ];
    for (const each of [roundBack, roundForward]) each.classList.add("by-round");
    const keys = KEYS.flatMap(([key, meaning]) => [h("dt", null, h("kbd", null, key)), h("dd", null, meaning)]);
    this.help = h("dialog", { class: "keys", "aria-label": "Keys" }, h("dl", null, ...keys));
    this.help.append(button("Close", "Close", () => this.help.close()));
    this.said = h("p", { class: "unseen", role: "status" });
    this.element = h(
      "div",
      { class: "controls" },
      this.chart.element,
      h(
        "div",
        { class: "buttons", role: "group", "aria-label": "Playback" },
        h(
          "div",
          { class: "steps" },
          button("To the beginning (Home)", signOf("first"), () => this.seek(0)),
          roundBack,
          button("One action back (←)", signOf("back"), () => this.step(-1)),
          this.playing,
          button("One action forward (→)", signOf("forward"), () => this.step(1)),
          roundForward,
          this.falls,
          this.turns,
          button("To the end (End)", signOf("last"), () => this.toEnd()),
        ),
        this.rate,
        this.clock,
        this.sounds,
        this.hides,
        this.folds,
        button("Keys (?)", "?", () => this.help.showModal()),
      ),
      this.help,
      this.said,
    );
  }

  listen() {
    this.place.keys.addEventListener("keydown", (/** @type {any} */ event) => this.press(event));
    addEventListener("hashchange", (event) => this.follow(new URL(event.newURL).hash));
    addEventListener("resize", () => this.stage.point(this.timeline.frames[this.shown]));
    document.querySelector(".skip")?.addEventListener("click", () => this.fold(false, false));
    this.story.addEventListener("click", (/** @type {any} */ event) => {
      const line = event.target.closest("[data-event]");
      if (line !== null) this.goTo(this.frameOf(line));
    });
  }

  /** @param {any} event */
  press(event) {
    const { key, shiftKey, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open || target.matches?.(TYPED_IN)) return;
    if (key === " " && target.matches?.("button, summary")) return;
    /** @type {Record<string, () => void>} */
    const does = {
      " ": () => this.toggle(),
      ArrowLeft: () => (shiftKey ? this.round(-1) : this.step(-1)),
      ArrowRight: () => (shiftKey ? this.round(1) : this.step(1)),
      ArrowUp: () => this.step(-1),
      ArrowDown: () => this.step(1),
      Home: () => this.seek(0),
      End: () => this.toEnd(),
      f: () => this.nextFall(),
      t: () => this.turning(),
      h: () => this.setHiding(!this.isHiding),
      s: () => this.setSound(),
      l: () => this.fold(),
      ",": () => this.faster(-1),
      ".": () => this.faster(1),
      "?": () => this.help.showModal(),
    };
    // Up and down scroll the page, unless the story or the scrub bar has the focus.
    const isUpOrDown = key === "ArrowUp" || key === "ArrowDown";
    if (does[key] === undefined || (isUpOrDown && !target.matches?.(".story, .scrub"))) return;
    event.preventDefault();
    does[key]();
  }

  /** @param {number} by */
  faster(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))]);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.rate.value = String(speed);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** From the beginning, as if nothing had been seen. */
  again() {
    if (this.isHiding) this.reached = 0;
    this.seek(0);
    this.play();
  }

  /** To the next fall, or to the end if nobody falls any more: the button itself tells nothing. */
  nextFall() {
    const place = this.timeline.nextFall(this.shown);
    if (this.timeline.frames[place].kind === "end") this.toEnd();
    else this.goTo(place);
  }

  /** To what made the odds fall. */
  turning() {
    const { turning } = this.chart;
    if (turning !== null && !this.turns.disabled) this.goTo(this.chart.frameOfCause(turning.round));
  }

  toEnd() {
    this.seek(this.timeline.length);
    this.cover.end();
  }

  setSound() {
    this.sound.toggle();
    this.sounds.replaceChildren(signOf(this.sound.isOn ? "sound" : "silent"));
    this.sounds.setAttribute("aria-pressed", String(this.sound.isOn));
  }

  /** Fold the story away, or unfold it. @param {boolean} [isFolded] @param {boolean} [keeps] */
  fold(isFolded = !this.story.closest(".arena")?.classList.contains("folded"), keeps = true) {
    this.story.closest(".arena")?.classList.toggle("folded", isFolded);
    this.folds.setAttribute("aria-pressed", String(!isFolded));
    if (keeps) remember(FOLDS, isFolded ? "on" : "off");
  }

  /** Hide what was not seen yet, or show everything. @param {boolean} isHiding @param {boolean} [keeps] */
  setHiding(isHiding, keeps = true) {
    this.isHiding = isHiding;
    if (keeps) remember(HIDES, isHiding ? "on" : "off");
    this.reached = this.seconds;
    this.hides.replaceChildren(signOf(isHiding ? "hidden" : "seen"));
    this.hides.setAttribute("aria-pressed", String(isHiding));
    this.reach();
    this.cover.refresh();
    this.show(this.seconds, false);
  }

  /** Odds of the battle's rounds, some or all. @param {any[]} found */
  setOdds(found) {
    this.chart.setOdds(found);
    this.reach();
    this.cover.refresh();
    this.chart.show(this.seconds, this.told());
  }

  /** The decision that cost most, if there is one. @param {any} found */
  setDecision(found) {
    this.chart.setDecision(found);
  }

  /** Show what may be seen by now, and no more. */
  reach() {
    const { length } = this.timeline;
    const isAll = !this.isHiding || this.reached >= length - 0.01;
    this.chart.hide(!isAll, this.reached);
    const { turning } = this.chart;
    this.turns.disabled = turning === null || (!isAll && this.chart.endOf(turning.round) > this.reached);
    const last = isAll ? Infinity : this.timeline.at(this.reached);
    const row = this.lines.find(({ frame }) => frame > last)?.row ?? Infinity;
    if (row !== this.untold) {
      this.untold = row;
      [...this.story.children].forEach((line, at) => (line.hidden = at >= row));
    }
    this.onReach(isAll);
  }

  play() {
    this.cover.hide();
    if (this.seconds >= this.timeline.length) this.show(0, false);
    this.isPlaying = true;
    this.inSight();
    this.playing.replaceChildren(signOf("pause"));
    this.playing.setAttribute("aria-label", "Pause (space)");
    this.last = performance.now();
    requestAnimationFrame((now) => this.run(now));
  }

  /** What stands above the stage goes out of the window if the buttons would. */
  inSight() {
    const { top, bottom } = this.screen.getBoundingClientRect();
    // The buttons stick to the window's end, on top of what is there.
    if (top > 0 && bottom + this.element.offsetHeight > innerHeight + 1) scrollBy({ top, behavior: isCalm() ? "auto" : "smooth" });
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.playing.replaceChildren(signOf("play"));
    this.playing.setAttribute("aria-label", "Play (space)");
    this.link();
  }

  /** @param {number} now */
  run(now) {
    if (!this.isPlaying) return;
    const passed = Math.max(0, now - this.last) / 1000;
    this.pace += 0.1 * (1000 * passed - this.pace);
    this.last = now;
    this.show(Math.min(this.seconds + passed * this.speed, this.timeline.length), true);
    if (this.seconds >= this.timeline.length) {
      this.pause();
      this.cover.end();
    } else requestAnimationFrame((next) => this.run(next));
  }

  /** Stop at a moment. @param {number} seconds */
  seek(seconds) {
    this.cover.hide();
    this.pause();
    this.show(Math.max(0, Math.min(seconds, this.timeline.length)), false);
    this.link();
  }

  /** Stop at a frame, which then moves. @param {number} place */
  goTo(place) {
    this.cover.hide();
    this.pause();
    this.show(this.timeline.starts[place], true);
    this.said.textContent = this.stage.told(this.timeline.frames[place]);
    this.link();
  }

  /** @param {1 | -1} by */
  step(by) {
    this.goTo(Math.max(0, Math.min(this.timeline.frames.length - 1, this.shown + by)));
  }

  /** @param {1 | -1} by */
  round(by) {
    this.goTo(this.timeline.round(this.shown, by));
  }

  /** When it is, in words; how long the battle is only where that may be known. */
  told() {
    const { seconds, timeline, isHiding } = this;
    const frame = timeline.frames[timeline.at(seconds)];
    const of = isHiding && this.reached < timeline.length ? "" : ` of ${timeline.length.toFixed(1)} s`;
    return `${seconds.toFixed(1)} s${of}, ${frame.round || frame.part || frame.title}`;
  }

  /** @param {number} seconds @param {boolean} isFresh Whether what is new moves. */
  show(seconds, isFresh) {
    this.seconds = seconds;
    const place = this.timeline.at(seconds);
    const frame = this.timeline.frames[place];
    if (seconds > this.reached) {
      this.reached = seconds;
      if (this.isHiding) this.reach();
    }
    this.chart.show(seconds, this.told());
    this.clock.textContent = `${seconds.toFixed(1)} s`;
    if (place === this.shown) return;
    this.shown = place;
    this.stage.show(frame, isFresh && (this.speed <= 4 || this.pace < SMOOTH_MS), this.speed);
    if (isFresh) this.sound.play(frame);
    this.markLine(place);
  }

  /** @param {number} place */
  markLine(place) {
    let [low, high] = [0, this.lines.length - 1];
    if (high < 0) return;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.lines[middle].frame <= place) low = middle;
      else high = middle - 1;
    }
    // The first line of several that are told of one frame.
    while (low > 0 && this.lines[low - 1].frame === this.lines[low].frame) low -= 1;
    const { element } = this.lines[low];
    if (element === this.marked) return;
    this.marked?.removeAttribute("aria-current");
    element.setAttribute("aria-current", "true");
    this.marked = element;
    this.scrollTo(element);
  }

  /** The place of the frame that a line tells. @param {any} line @returns {number} */
  frameOf(line) {
    const event = Number(line.dataset.event);
    const { frames } = this.timeline;
    let place = this.timeline.ofEvent(event);
    // A round that no event begins has a frame without events before its first act.
    if (line.querySelector(".heading") !== null) while (place > 0 && frames[place - 1].first === event) place -= 1;
    return place;
  }

  /** Bring a line of the story into sight. @param {any} line */
  scrollTo(line) {
    const { scrollTop: top, clientHeight: height } = this.story;
    const { offsetTop: first, offsetHeight: high } = line;
    if (first < top || first + high > top + height) this.story.scrollTop = Math.max(0, first - height / 3);
  }

  /** The address names the moment, so that it can be sent; at most a few times a second, which is all that browsers allow. */
  link() {
    if (this.linking !== null) return;
    const write = () => {
      try {
        history.replaceState(null, "", `${this.place.address}t=${this.seconds.toFixed(1)}`);
      } catch {
        // A page inside another, as in a notebook, has no address of its own.
      }
    };
    write();
    this.linking = setTimeout(() => {
      this.linking = null;
      if (!this.isPlaying) write();
    }, LINK_MS);
  }

  /**
   * Show the first picture: the moment that the address names, the one that the battle is shown for, or the title.
   * On the web the result is hidden, unless the address names a moment or somebody wants to see results.
   *
   * @param {boolean} [isStory] Whether the page tells the result anyway.
   */
  open(isStory = false) {
    // The stage has the whole width until somebody unfolds the story.
    this.fold(remembered(FOLDS) !== "off", false);
    this.reach();
    if (this.follow()) return;
    const { frames, starts } = this.timeline;
    const place = this.moment === null ? 0 : frames.findIndex(({ tick }) => tick === this.moment);
    this.show(starts[Math.max(0, place)] ?? 0, false);
    if (this.moment !== null || frames.length === 0) return;
    const wish = remembered(HIDES);
    // Whoever plays a battle in the studio wants to see how it went.
    const isOnWeb = /^https?:$/u.test(location.protocol) && !location.pathname.startsWith("/battles/");
    this.setHiding(!isStory && (wish === null ? isOnWeb : wish === "on"), false);
    this.cover.title();
  }

  /** Go to the moment that an address names. @param {string} [hash] @returns {boolean} Whether it names one. */
  follow(hash = location.hash) {
    const { address } = this.place;
    const found = hash.startsWith(address) ? /^t=(\d+(?:\.\d+)?)$/.exec(hash.slice(address.length)) : null;
    if (found === null) return false;
    this.pause();
    this.cover.hide();
    // What was to be written is older than what was asked for now.
    clearTimeout(this.linking);
    this.linking = null;
    // A link has one digit after the point: a moment just before a frame is meant for it.
    this.show(Math.min(Number(found[1]) + 0.051, this.timeline.length), false);
    return true;
  }
}
