// What the tables of the rulesets name: tables.mjs FOLDER, prints {ruleset: {kind: [fields]}} and the looks.
const folder = process.argv[2];
const COMPARED = ["above", "upTo", "below", "notBelow", "unlike"];
const inText = (text) => [...String(text ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
const list = (value) => (value === undefined ? [] : [value].flat());

function fieldsOf(rule) {
  const found = [...Object.keys(rule.if ?? {}), ...Object.keys(rule.unless ?? {}), ...list(rule.given), ...Object.values(rule.marks ?? {})];
  for (const name of COMPARED) found.push(...(rule[name] ?? []).filter((each) => typeof each === "string"));
  for (const name of ["actor", "enters", "falls", "rises"]) found.push(...list(rule[name]));
  for (const [unit, gauge, value] of rule.sets ?? []) found.push(unit, value, ...inText(gauge));
  for (const [unit, , value] of rule.adds ?? []) found.push(unit, value);
  for (const [unit] of rule.holds ?? []) found.push(unit);
  for (const [unit, , text] of rule.notes ?? []) found.push(unit, ...inText(text));
  for (const { on, name, amount, until } of [...list(rule.state), ...list(rule.ends)]) {
    found.push(on, ...list(amount), ...list(until), ...inText(name));
  }
  if (rule.clock !== undefined) found.push(rule.clock);
  if (rule.cools !== undefined) found.push(rule.cools.on, ...inText(rule.cools.name));
  const { on, by, amount, also, piece, words } = rule.effect ?? {};
  found.push(...list(on), ...list(by), ...list(amount), ...list(also), ...list(piece), ...inText(words));
  return [...found, ...inText(rule.title), ...inText(rule.reason)].filter((name) => name !== "" && name !== null);
}

const told = {};
for (const ruleset of ["squads", "delve", "stacks", "relics", "titans"]) {
  const { table } = await import(`${folder}/web/rulesets/${ruleset}.js`);
  const kinds = Object.entries(table.rules).map(([kind, rules]) => [kind, list(rules).flatMap(fieldsOf)]);
  const joined = Object.values(table.rules).flatMap((rules) => list(rules).flatMap((rule) => rule.joins ?? []));
  told[ruleset] = { kinds: Object.fromEntries(kinds), joined, cast: table.cast };
}
console.log(JSON.stringify(told));
