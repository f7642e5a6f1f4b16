// Plays what a page offers to change: what_if.mjs ASKED, a JSON file.
// Prints every change that the form of a bundle offers: whose it is, its value, its words; so many of them, evenly
// spread, with two battles.
import { readFileSync } from "node:fs";

const { library, module, folder, script, stage, isWhole, count, bundle } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { loadRules } = await import(library);
const { Changes } = await import(`${folder}/studio/record.js`);
const parts = await import(`${folder}/web/rulesets/${script}.js`);
const { editing, castOf } = stage === null ? parts : parts.gameOf({ stage });
const rules = await loadRules(new URL(module));

/** Another value that a number may have; more by 4, which every tier of an item divides. */
function other({ value, least, most, step }) {
  const far = step === 1 ? 4 : 0.5;
  return value + far <= most ? value + far : value - step >= least ? value - step : value;
}

const packed = await rules.open(readFileSync(bundle, "utf8"));
// As the page has it: who is on the stage at the beginning.
const { units } = castOf(packed.bundle, packed.record);
const all = new Changes(packed, editing, units.filter(({ spare }) => !spare));
const asked = all.form({}).flatMap(({ choices, owners }) => [
  ...owners.flatMap(({ name: owner, numbers }) => numbers.map((each) => ({ owner, name: each.name, path: each.path, values: [other(each)], before: each.value }))),
  ...choices.map(({ part, name, path, labels, current }) => {
    const values = [...labels.keys()].filter((each) => each !== current);
    return { part, name, path, labels, values: isWhole ? values : values.slice(-1), before: current };
  }),
]);
const offered = asked.flatMap(({ values, ...rest }) => values.map((value) => ({ ...rest, value })));
const played = new Set(Array.from({ length: count }, (_, place) => Math.floor((place * offered.length) / count)));
const tried = [];
for (const [place, change] of offered.entries()) {
  const edits = all.with({}, change.path, change.value);
  const words = all.words(edits).map(([, each]) => each);
  if (!isWhole && !played.has(place)) {
    tried.push({ ...change, words });
    continue;
  }
  const record = all.edited(edits);
  const battles = [];
  for (const stream of [0n, 1n]) battles.push(await rules.play(record, stream));
  const digests = battles.map(({ digest }) => digest);
  const told = battles.map(({ result, rows }) => [result.winner, result.rounds, ...result.hp_left, rows.length / 8]);
  tried.push({ ...change, words, digests, told });
}
rules.close();
console.log(JSON.stringify(tried));
