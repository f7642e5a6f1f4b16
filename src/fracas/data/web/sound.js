// @ts-check
/** Ten short tones for what happens. They are off until somebody turns them on, which the browser remembers. @module */

/** Waves, from and to which frequency, and how long. @type {Record<string, [OscillatorType, number, number, number]>} */
const TONES = {
  hurt: ["triangle", 190, 90, 0.14],
  critical: ["sawtooth", 260, 70, 0.26],
  block: ["square", 330, 300, 0.07],
  miss: ["sine", 620, 480, 0.09],
  heal: ["sine", 440, 660, 0.22],
  shield: ["sine", 300, 400, 0.2],
  state: ["triangle", 380, 340, 0.12],
  fall: ["sawtooth", 150, 40, 0.5],
  ultimate: ["square", 220, 660, 0.34],
  end: ["triangle", 392, 784, 0.7],
};
const SOUND_KEPT = "fracas-sound";
const VOLUME = 0.09;
/** Of many effects at once these are heard. */
const MOST_TONES = 3;

/** The tone of an effect; null for those without. @param {any} effect */
export const toneOf = ({ look, critical }) => {
  if (look === "hurt" && critical) return "critical";
  if (look === "gain" || look === "success") return "heal";
  return Object.hasOwn(TONES, look) ? look : null;
};

/** Something that the browser remembers for these pages; nothing where it may not. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A page inside another has no memory of its own.
  }
}

export class Sound {
  constructor() {
    this.isOn = remembered(SOUND_KEPT) === "on";
    /** @type {any} */
    this.context = null;
  }

  toggle() {
    this.isOn = !this.isOn;
    remember(SOUND_KEPT, this.isOn ? "on" : "off");
    if (this.isOn) this.tone("shield");
  }

  /** What a frame sounds like. @param {any} frame */
  play(frame) {
    if (!this.isOn) return;
    const tones = new Set(frame.effects.map(toneOf).filter((/** @type {any} */ each) => each !== null));
    if (frame.kind === "end") tones.add("end");
    [...tones].slice(0, MOST_TONES).forEach((name, at) => this.tone(name, 0.07 * at));
  }

  /** @param {string} name @param {number} [delay] */
  tone(name, delay = 0) {
    this.context ??= new AudioContext();
    const { context } = this;
    const [type, from, to, seconds] = TONES[name];
    const start = context.currentTime + delay;
    const wave = context.createOscillator();
    const volume = context.createGain();
    wave.type = type;
    wave.frequency.setValueAtTime(from, start);
    wave.frequency.exponentialRampToValueAtTime(to, start + seconds);
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(VOLUME, start + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    wave.connect(volume).connect(context.destination);
    wave.start(start);
    wave.stop(start + seconds + 0.02);
  }
}
