// Turns battles into frames as the page does: driver.mjs FOLDER JOBS, where a job is what the page's data hold.
import { readFileSync } from "node:fs";

const [folder, jobsFile] = process.argv.slice(2);
const { booksOfPlaces, framesOf } = await import(`${folder}/web/interpreter.js`);
const { Timeline } = await import(`${folder}/web/timeline.js`);
const { Story } = await import(`${folder}/web/story.js`);
const { causing, ticksOf } = await import(`${folder}/web/odds.js`);
const { tellEvents } = await import(`${folder}/js/fracas.js`);

/** What is said to have made the odds of each side fall at a tick, beside everything that is seen there. */
const causesAt = (frames, tick) => {
  const within = frames.filter((frame) => frame.tick === tick);
  const toldOf = ({ frame, effect }) => [effect.look, frame.units.get(effect.on).side, effect.event];
  const seen = within.flatMap((frame) => frame.effects.map((effect) => toldOf({ frame, effect })));
  const causeOf = ({ frame, effects }) => effects.map((effect) => toldOf({ frame, effect }));
  return { seen, causes: [1, 2].map((side) => [causing(within, side)].map((found) => found && causeOf(found))[0]) };
};

const answers = [];
for (const { ruleset, cast, sides, books, rows, layout } of JSON.parse(readFileSync(jobsFile, "utf8"))) {
  const { table } = await import(`${folder}/web/rulesets/${layout.stage ? "game" : ruleset}.js`).then((found) =>
    layout.stage ? found.gameOf(layout) : found,
  );
  const all = { ...books, ...cast.books };
  const events = tellEvents(Int32Array.from(rows), layout, booksOfPlaces(table, { ...layout.books, ...all }));
  const frames = framesOf(events, table, cast, layout, all);
  const timeline = new Timeline(frames);
  answers.push({
    spans: frames.map(({ first, last }) => [first, last]),
    kinds: frames.map(({ kind }) => kind),
    hp: frames.at(-1).hp.slice(1),
    hps: frames.map(({ hp }) => hp.slice(1)),
    winner: frames.at(-1).scene.winner,
    fallen: [...frames.at(-1).units].filter(([, unit]) => unit.fallen).map(([place]) => place),
    titles: frames.map(({ title }) => title),
    cooling: frames.map(({ units }) =>
      [...units].flatMap(([place, { states }]) =>
        [...states.values()].filter(({ ready }) => ready !== undefined).map(({ name, amount }) => [place, name, amount]),
      ),
    ),
    effects: frames.flatMap(({ effects }, at) => effects.map((effect) => ({ ...effect, frame: at }))),
    causes: ticksOf(frames).map((tick) => causesAt(frames, tick)),
    starts: timeline.starts,
    length: timeline.length,
    found: timeline.starts.map((start) => timeline.at(start)),
    story: new Story(frames, cast, sides).lines().map(({ event, spans }) => [event, spans.map(([text]) => text).join("")]),
  });
}
console.log(JSON.stringify(answers));
