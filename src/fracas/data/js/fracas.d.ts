/**
 * Fracas in JavaScript: plays battles with the rules as WebAssembly, in browsers, workers and Node 20.16 or newer.
 *
 *     import { loadRules } from "./fracas.js";
 *
 *     const rules = await loadRules("wasm/squads.wasm");
 *     const battle = await rules.open(await (await fetch("battle.fracas.json")).text());
 *     const { events, result, digest } = await rules.play(battle.record, battle.stream);
 *     const odds = await rules.simulate(battle.record, { count: 10_000 });
 *
 * One file without imports, so that it can also stand inside a page that is opened from disk. Nothing is fetched unless
 * you hand over an address.
 *
 * @module
 */
export type Kind = "i8" | "f8" | "u4" | "i4" | "u1" | "record";
export type Field = {
    name: string;
    /**
     * From the start of the record that holds it, in bytes.
     */
    offset: number;
    kind: Kind;
    /**
     * Lengths of an array's dimensions; empty for a single value.
     */
    shape: number[];
    /**
     * Bytes of one nested record.
     */
    size?: number;
    /**
     * Fields of a nested record.
     */
    fields?: Field[];
};
export type RecordLayout = {
    size: number;
    fields: Field[];
};
export type EventField = {
    name: string;
    column: number;
    form: "number" | "name" | "word" | "double" | "flag";
    /**
     * The code book of a name.
     */
    book?: string;
    /**
     * Whether -1 stands for nobody.
     */
    none?: boolean;
};
export type EventKind = {
    kind: number;
    name: string;
    detail: string;
    fields: EventField[];
};
export type RoundOdds = {
    /**
     * The round's tick.
     */
    tick: number;
    /**
     * Wins and half the draws, as a share.
     */
    odds: number;
    /**
     * How many battles were played on from there.
     */
    count: number;
    /**
     * Side 1's score in half points.
     */
    halves: number;
    /**
     * Whether no dice are rolled from there on; then it was played on once.
     */
    isCertain: boolean;
};
export type CourseOptions = {
    /**
     * The ticks of the battle's events, in order; rounds begin at some of them.
     */
    ticks: Iterable<number>;
    /**
     * How many battles from each round; absent: 1,000, as many as `fracas why`.
     */
    count?: number;
    /**
     * Called with each round's odds, first of a few battles, then of all.
     */
    onRound?: (round: RoundOdds) => void;
    signal?: AbortSignal;
};
export type ResumeLayout = {
    place_length: number;
    /**
     * The words to keep, as pairs of first word and end.
     */
    spans: number[][];
    kept_words: number;
    from_set_up: number;
    from_round: number;
};
export type Books = Record<string, readonly any[]>;
export type Layout = {
    format: string;
    format_version: number;
    ruleset: string;
    rules_version: number;
    /**
     * Names the rules and their layout; records of another key do not fit.
     */
    layout_key: string;
    module: {
        file: string;
        bytes: number;
        sha256: string;
    };
    record: RecordLayout;
    result: RecordLayout;
    log: {
        size: number;
        capacity: number;
        count: number;
        fault: number;
        rows: number;
    };
    resume: ResumeLayout;
    events: EventKind[];
    /**
     * Names that are the same in every battle.
     */
    books: Books;
    /**
     * Endings, by their numbers.
     */
    reasons: string[];
    faults: {
        log: number;
        log_full: number;
        log_misfit: number;
        dice: number;
        plugin: number;
    };
};
export type BattleEvent = {
    tick: number;
    kind: string;
    [field: string]: any;
};
export type Result = {
    /**
     * 1 or 2; 0 is a draw.
     */
    winner: number;
    reason: string;
    rounds: number;
    hp_left: number[];
    units_left: number[];
};
export type Played = {
    events: BattleEvent[];
    result: Result;
    /**
     * blake3 over all event rows, 64 hex digits: what `fracas verify` prints.
     */
    digest: string;
    /**
     * The event rows, eight numbers each.
     */
    rows: Int32Array;
};
export type Progress = {
    /**
     * Battles played so far.
     */
    done: number;
    /**
     * Battles asked for.
     */
    count: number;
    /**
     * Draws, wins of side 1 and wins of side 2 so far.
     */
    wins: number[];
};
export type SimulateOptions = {
    /**
     * Number of the first battle; absent: 0.
     */
    first?: number | bigint;
    /**
     * How many battles, 1 to 10^8.
     */
    count: number;
    /**
     * Called each time a part is done.
     */
    onProgress?: (progress: Progress) => void;
    /**
     * Ends the run: its workers are terminated.
     */
    signal?: AbortSignal;
    /**
     * How many workers play; 0 plays on this thread. Absent: one for each core.
     */
    workers?: number;
    /**
     * Keep the result of every battle, up to 256 MB.
     */
    rows?: boolean;
};
export type Verification = {
    /**
     * Whether the battle came out as the bundle says.
     */
    ok: boolean;
    /**
     * The first tick whose events differ; null if no event does.
     */
    tick: number | null;
    /**
     * The digest of the battle as it was played here.
     */
    digest: string;
    /**
     * The answer as a sentence.
     */
    message: string;
};
export type Bundle = {
    format: string;
    format_version: number;
    ruleset: string;
    rules_version: number;
    layout_key: string;
    /**
     * The resolved scenario document.
     */
    scenario: Record<string, any>;
    profile: string;
    seed: string;
    /**
     * The battle's number, in decimal digits.
     */
    stream: string;
    sides: string[];
    books: Books;
    result: {
        winner: number;
        reason: string;
        rounds: number;
    };
    event_count: number;
    tick_digests: [number, string][];
    digest: string;
    record_digest: string;
    record: string;
    seal: string;
    /**
     * The rules of a game that is no shipped ruleset.
     */
    game?: {
        name: string;
        version: number;
        rules: string;
    };
    /**
     * What agents or people chose, in battles of games with choices.
     */
    decisions?: Decisions;
};
export type Decisions = {
    /**
     * The sides that they play, 1 or 2.
     */
    sides: number[];
    /**
     * Each decision: side, actor, choice, target, as in replays.
     */
    rows: number[][];
};
/** What went wrong, in a sentence. */
export declare class FracasError extends Error {
    code: "fault" | "input" | "timeout" | "trap" | "version";
    scenario: Record<string, any> | undefined;
    /**
     * @param {"input" | "version" | "fault" | "trap" | "timeout"} code `input`: what you gave is wrong; `version`: made
     *   by another version of the rules; `fault`: a battle ran into a limit; `trap`: the module stopped; `timeout`.
     * @param {string} message
     * @param {Record<string, any>} [scenario] The scenario of a bundle made by another version, which you can pack again.
     */
    constructor(code: "input" | "version" | "fault" | "trap" | "timeout", message: string, scenario?: Record<string, any>);
}
/** A compiled battle as bytes, whose values can be read and changed by name: `units.0.attack`. */
export declare class BattleRecord {
    bytes: Uint8Array<ArrayBuffer>;
    layout: Layout;
    books: Books;
    /** Whether a value was changed, so that what follows from it has to be derived again. */
    isEdited: boolean;
    /**
     * @param {Uint8Array} bytes They are copied.
     * @param {Layout} layout
     * @param {Books} [books] Names for telling its events; those of the bundle.
     */
    constructor(bytes: Uint8Array, layout: Layout, books?: Books);
    /** @returns {BattleRecord} A copy that can be changed by itself. */
    copy(): BattleRecord;
    /**
     * @param {string} path Names and places from 0, with full stops between them: `units.0.attack`, `cells.3.1`, `units`.
     * @returns {any} A number; of an array an array, of a nested record an object.
     */
    get(path: string): any;
    /**
     * Change one number. What the rules derive from it is worked out before the next battle.
     *
     * @param {string} path
     * @param {number} value
     * @returns {this}
     */
    set(path: string, value: number): this;
    /**
     * Put what a part of a record is in the place of another part of its kind: a unit's numbers in another unit's place.
     *
     * @param {string} path
     * @param {BattleRecord} from A record of the same rules.
     * @param {string} model The part that is copied.
     * @param {readonly string[]} [kept] Fields of the part that stay as they are.
     * @returns {this}
     */
    put(path: string, from: BattleRecord, model: string, kept?: readonly string[]): this;
    /** Give the battle the dice of another seed text. @param {string} seed @returns {this} */
    setSeed(seed: string): this;
}
/** @param {Uint8Array} bytes @returns {string} blake3 as 64 hex digits. */
export declare function digestOf(bytes: Uint8Array): string;
/**
 * The digest of a text under a context: what promises and seals of duels are made with.
 *
 * @param {string} context
 * @param {string} text
 * @returns {string} 64 hex digits.
 */
export declare function digestUnder(context: string, text: string): string;
/**
 * Event rows as objects with names: what `fracas run --format json` calls `events`.
 *
 * @param {Int32Array} rows
 * @param {Layout} layout
 * @param {Books} [books] Names that belong to the battle; a number that no book explains stays a number.
 * @returns {BattleEvent[]}
 */
export declare function tellEvents(rows: Int32Array, layout: Layout, books?: Books): BattleEvent[];
/**
 * The 95 % Wilson score interval of a share.
 *
 * @param {number} successes
 * @param {number} trials
 * @returns {[number, number]} As shares from 0 to 1; 0 to 1 without trials.
 */
export declare function wilsonInterval(successes: number, trials: number): [number, number];
/** What came of many battles. The same battles give the same answer, on any number of workers. */
export declare class Results {
    layout: Layout;
    /** Number of the first battle. */
    first: bigint;
    /** How many battles. */
    count: number;
    /** Draws, wins of side 1 and wins of side 2. */
    wins: number[];
    /** How many ended in each way. @type {Record<string, number>} */
    reasons: Record<string, number>;
    /** How many ended in each round. @type {Map<number, number>} */
    rounds: Map<number, number>;
    /** HP that each side had left, of all battles together. */
    hpLeft: number[];
    /** Units that each side had left, of all battles together. */
    unitsLeft: number[];
    /** The result of every battle as bytes, if you asked for rows. @type {Uint8Array | null} */
    bytes: Uint8Array | null;
    /** @param {Layout} layout @param {bigint} first @param {number} count @param {boolean} keeps */
    constructor(layout: Layout, first: bigint, count: number, keeps: boolean);
    /** The share of battles that a side won. @param {1 | 2} side @returns {number} */
    share(side: 1 | 2): number;
    /** The 95 % interval of that share. @param {1 | 2} side @returns {[number, number]} */
    interval(side: 1 | 2): [number, number];
    /** One battle's result; only if you asked for rows. @param {number} place From 0. @returns {Result} */
    at(place: number): Result;
    /**
     * One field of every battle's result; only if you asked for rows.
     *
     * @param {string} name A field, such as `rounds`; of an array with the place: `hp_left.0`.
     * @returns {Float64Array}
     */
    column(name: string): Float64Array;
}
/**
 * Bytes that were deflated and written in base64.
 *
 * @param {string} text
 * @param {number} size How many bytes they are.
 * @returns {Promise<Uint8Array | null>} null if that is not what they are.
 */
export declare function unpacked(text: string, size: number): Promise<Uint8Array | null>;
/** A bundle that is whole and fits the rules: the battle's record and all there is to know about it. */
export declare class Packed {
    /** The bundle itself. */
    bundle: Bundle;
    /** The battle, to be played or changed. */
    record: BattleRecord;
    /** The resolved scenario document. */
    scenario: Record<string, any>;
    /** The number of the battle that was packed. */
    stream: bigint;
    /** The digest that it had then. */
    digest: string;
    /** What was chosen in it; null where nobody chose. @type {Decisions | null} */
    decisions: Decisions | null;
    /** @param {Bundle} bundle @param {BattleRecord} record */
    constructor(bundle: Bundle, record: BattleRecord);
}
/** A ruleset, ready to play. Made by `loadRules`. */
export declare class Rules {
    module: WebAssembly.Module;
    layout: Layout;
    /** The ruleset's name. */
    ruleset: string;
    /** The version of its rules. */
    version: number;
    /** @param {WebAssembly.Module} module @param {Layout} layout */
    constructor(module: WebAssembly.Module, layout: Layout);
    /**
     * Check a bundle and unpack it. Nothing is played.
     *
     * @param {string | Uint8Array | Bundle} bundle What `fracas publish pack` wrote: text, bytes, or the parsed object.
     * @returns {Promise<Packed>}
     * @throws {FracasError} It is no bundle, damaged, of another ruleset or made by another version.
     */
    open(bundle: string | Uint8Array | Bundle): Promise<Packed>;
    /**
     * Play one battle on this thread, with its events.
     *
     * @param {BattleRecord | Uint8Array} record
     * @param {number | bigint} [stream] The battle's number under the record's seed.
     * @param {Decisions | null} [decisions] What is chosen in it. If they stop before its end, so does the battle: it is
     *   `undecided`.
     * @returns {Promise<Played>}
     * @throws {FracasError} The battle ran into a limit, or a decision is not legal.
     */
    play(record: BattleRecord | Uint8Array, stream?: number | bigint, decisions?: Decisions | null): Promise<Played>;
    /**
     * Play many battles and count how they end.
     *
     * @param {BattleRecord | Uint8Array} record
     * @param {SimulateOptions} options
     * @returns {Promise<Results>} The same for any number of workers.
     * @throws {FracasError} A battle ran into a limit; or the signal's reason.
     */
    simulate(record: BattleRecord | Uint8Array, { first, count, onProgress, signal, workers, rows }: SimulateOptions): Promise<Results>;
    /**
     * Play a bundle's battle again in a worker of its own, and compare.
     *
     * @param {string | Uint8Array | Bundle} bundle
     * @param {{ timeout?: number, workers?: 0 | 1, signal?: AbortSignal }} [options] `timeout` in milliseconds; `workers`
     *   0 plays on this thread, for bundles that you trust.
     * @returns {Promise<Verification>}
     * @throws {FracasError} As `open`; or the battle did not end in time.
     */
    verify(bundle: string | Uint8Array | Bundle, { timeout, workers, signal }?: {
        timeout?: number;
        workers?: 0 | 1;
        signal?: AbortSignal;
    }): Promise<Verification>;
    /**
     * Side 1's odds at the start of each round of a battle, as `fracas why` finds them: from there on
     * the battle is played many times with other dice. One worker plays; the first answers are coarse.
     *
     * @param {Packed} packed The battle.
     * @param {CourseOptions} options
     * @returns {Promise<RoundOdds[]>} In order of play.
     * @throws {FracasError} A battle ran into a limit; or the signal's reason.
     */
    course(packed: Packed, { ticks, count, onRound, signal }: CourseOptions): Promise<RoundOdds[]>;
    /**
     * A battle to play on from moments of it, as `fracas why` does where somebody decides.
     *
     * @param {Packed} packed
     * @param {number} [workers]
     * @returns {Rollouts} Close it when you are done.
     */
    rollouts(packed: Packed, workers?: number): Rollouts;
    /** End the workers that wait for more. */
    close(): void;
}
export type Moment = {
    kept: BigInt64Array<ArrayBuffer> | null;
    place: number[];
};
/**
 * A moment of a battle: a snapshot, null for the beginning, and the place to go on from.
 *
 * @typedef {{ kept: BigInt64Array<ArrayBuffer> | null, place: number[] }} Moment
 */
/** A battle that is played on from moments of it, on workers of its own. Made by `Rules.rollouts`. */
export declare class Rollouts {
    #private;
    /** @param {Rules} rules @param {Packed} packed @param {number} workers */
    constructor(rules: Rules, packed: Packed, workers: number);
    /**
     * How the battle ends from a moment, with the dice of rollouts first to end - 1.
     *
     * @param {Moment} moment
     * @param {number} first
     * @param {number} end
     * @returns {Promise<{ scores: Uint8Array, isCertain: boolean }>} Side 1's scores, in half points.
     */
    scores(moment: Moment, first: number, end: number): Promise<{
        scores: Uint8Array;
        isCertain: boolean;
    }>;
    /**
     * The battle as it goes from a moment with its own dice.
     *
     * @param {Moment} moment
     * @param {number | null} tick It stops before this round; null plays to the end.
     * @returns {Promise<BigInt64Array>} What play changed in the record.
     */
    reached(moment: Moment, tick: number | null): Promise<BigInt64Array>;
    /** End its workers. */
    close(): void;
}
/**
 * Make a ruleset ready to play.
 *
 * @param {string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module} source The module: its address, its bytes, its
 *   bytes as base64, or compiled.
 * @param {string | URL | Layout} [layout] The JSON beside it: its address, its text or the parsed object; absent, it is
 *   fetched from the module's address with the ending `.json`.
 * @returns {Promise<Rules>}
 * @throws {FracasError} It is no module of Fracas, or the layout is not its own.
 */
export declare function loadRules(source: string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module, layout?: string | URL | Layout): Promise<Rules>;
