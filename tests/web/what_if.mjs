// Plays what a page offers to change: what_if.mjs LIBRARY MODULE FOLDER RULESET EVERY BUNDLE...
// Prints for each bundle its form and, for each change, its key, value, words and the digests of two battles.
import { readFileSync } from "node:fs";

const [library, module, folder, ruleset, every, ...bundles] = process.argv.slice(2);
const { loadRules } = await import(library);
const { Changes } = await import(`${folder}/studio/record.js`);
const { editing } = await import(`${folder}/web/rulesets/${ruleset}.js`);
const rules = await loadRules(new URL(module));

/** Another value that a number may have; more by 4, which every tier of an item divides. */
function other({ value, least, most, step }) {
  const far = step === 1 ? 4 : 0.5;
  return value + far <= most ? value + far : value - step >= least ? value - step : value;
}

const told = [];
for (const path of bundles) {
  const packed = await rules.open(readFileSync(path, "utf8"));
  const all = new Changes(packed, editing);
  const form = all.form({});
  const asked = form.flatMap(({ choices, owners }) => [
    ...owners.flatMap(({ name: owner, numbers }) => numbers.map((each) => ({ owner, name: each.name, path: each.path, values: [other(each)], before: each.value }))),
    ...choices.map(({ part, name, path, labels, current }) => {
      const values = [...labels.keys()].filter((each) => each !== current);
      return { part, name, path, labels, values: every === "every" ? values : values.slice(-1), before: current };
    }),
  ]);
  const tried = [];
  for (const { path: way, values, ...rest } of asked) {
    for (const value of values) {
      const edits = all.with({}, way, value);
      const record = all.edited(edits);
      const battles = [];
      for (const stream of [0n, 1n]) battles.push(await rules.play(record, stream));
      const digests = battles.map(({ digest }) => digest);
      const told = battles.map(({ result, rows }) => [result.winner, result.rounds, ...result.hp_left, rows.length / 8]);
      tried.push({ ...rest, path: way, value, words: all.words(edits).map(([, words]) => words), digests, told });
    }
  }
  told.push(tried);
}
rules.close();
console.log(JSON.stringify(told));
