// @ts-check
/** The text: CodeMirror with the schema's completion and the studio's problems. @module */

import {
  Compartment,
  EditorState,
  EditorView,
  HighlightStyle,
  StreamLanguage,
  autocompletion,
  bracketMatching,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSelectionMatches,
  history,
  historyKeymap,
  json,
  keymap,
  lineNumbers,
  lintGutter,
  lintKeymap,
  search,
  searchKeymap,
  setDiagnostics,
  syntaxHighlighting,
  tags,
  toml,
} from "./vendored/codemirror.js";

const look = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.variableName), tags.atom], color: "var(--side2)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--help)" },
  { tag: [tags.number, tags.bool, tags.null, tags.literal], color: "var(--side1)" },
  { tag: [tags.heading, tags.keyword, tags.bracket], color: "var(--spell)", fontWeight: "600" },
  { tag: tags.invalid, color: "var(--harm)" },
]);

const kinds = { key: "property", value: "enum", name: "class", fact: "variable", group: "namespace", condition: "function", word: "keyword" };

/** The one change between two texts that leaves what they share at both ends. @param {string} before @param {string} after */
export function changeBetween(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}

export class Editor {
  /**
   * @param {any} parent
   * @param {string} nonce Allows the styles that the editor adds.
   * @param {{ onChange: () => void, onSave: () => void, complete: (offset: number, signal: AbortSignal) => Promise<any> }} does
   */
  constructor(parent, nonce, does) {
    this.does = does;
    this.language = new Compartment();
    this.problems = [];
    const keys = [
      { key: "Mod-s", run: () => (does.onSave(), true), preventDefault: true },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ];
    this.extensions = [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      bracketMatching(),
      closeBrackets(),
      search({ top: true }),
      autocompletion({ override: [(/** @type {any} */ context) => this.offers(context)], icons: false }),
      syntaxHighlighting(look),
      this.language.of([]),
      keymap.of(keys),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "The scenario as text", id: "text" }),
      EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && does.onChange()),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions: this.extensions }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Begin with another document; its past is forgotten. @param {string} text @param {boolean} isJson */
  open(text, isJson) {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
    this.view.dispatch({ effects: this.language.reconfigure(isJson ? json() : StreamLanguage.define(toml)) });
    this.does.onChange();
  }

  /** Write a new version of the text, as one step that can be undone. @param {string} text */
  write(text) {
    const change = changeBetween(this.text, text);
    if (change.from === change.to && change.insert === "") return;
    this.view.dispatch({ changes: change, effects: EditorView.scrollIntoView(change.from, { y: "nearest", yMargin: 40 }) });
  }

  /** Replace a part, as a problem's suggestion says. @param {{ from: number, to: number, insert: string }} fix */
  apply(fix) {
    const length = this.view.state.doc.length;
    if (fix.to > length) return;
    this.view.dispatch({ changes: { from: fix.from, to: fix.to, insert: fix.insert }, selection: { anchor: fix.from + fix.insert.length } });
    this.view.focus();
  }

  /** Put the cursor somewhere. @param {number} from @param {number} to */
  select(from, to) {
    const length = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(from, length), head: Math.min(to, length) }, scrollIntoView: true });
    this.view.focus();
  }

  /** Mark what is wrong. @param {any[]} problems */
  mark(problems) {
    const length = this.view.state.doc.length;
    const marks = problems.map((problem) => ({
      from: Math.min(problem.from, length),
      to: Math.min(Math.max(problem.to, problem.from), length),
      severity: problem.severity,
      message: problem.hint ? `${problem.message} (${problem.hint})` : problem.message,
      actions: problem.fixes.slice(0, 3).map((/** @type {any} */ fix) => ({ name: fix.label, apply: () => this.apply(fix) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** @param {any} context */
  async offers(context) {
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !/[\w."'.]/.test(before)) return null;
    const control = new AbortController();
    context.addEventListener("abort", () => control.abort());
    try {
      const { from, options } = await this.does.complete(context.pos, control.signal);
      if (options.length === 0) return null;
      return {
        from,
        validFor: /^[\w.-]*$/,
        options: options.map((/** @type {any} */ option) => ({
          label: option.label,
          detail: option.detail || undefined,
          info: option.info || undefined,
          apply: option.insert,
          type: kinds[/** @type {keyof typeof kinds} */ (option.kind)],
        })),
      };
    } catch {
      return null;
    }
  }
}
