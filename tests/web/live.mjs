// Makes frames of a live battle as its page does, step by step, and of the whole battle as a player does:
// live.mjs FOLDER JOBS, where a job has the page's setup, the events of each step as the server tells them, and all rows.
import { readFileSync } from "node:fs";

const [folder, jobsFile] = process.argv.slice(2);
const { booksOfPlaces, framesOf, Interpreter } = await import(`${folder}/web/interpreter.js`);
const { partsOf, readerOf } = await import(`${folder}/web/live-stage.js`);
const { tellEvents } = await import(`${folder}/js/fracas.js`);

const plain = (frames) => JSON.stringify(frames, (_, value) => (value instanceof Map ? [...value] : value));

const answers = [];
for (const { setup, steps, rows, books } of JSON.parse(readFileSync(jobsFile, "utf8"))) {
  const { table } = await partsOf(setup);
  const { cast, layout } = setup;
  const read = readerOf(setup, table);
  const interpreter = new Interpreter(table, cast, layout, setup.books);
  const counts = steps.map((events) => {
    interpreter.more(events.map(read));
    return interpreter.frames.length;
  });
  const { frames } = interpreter;
  const answer = { counts, frames: plain(frames), hp: frames.at(-1)?.hp.slice(1), winner: frames.at(-1)?.scene.winner, kind: frames.at(-1)?.kind };
  if (rows !== undefined) {
    const all = { ...books, ...cast.books };
    const events = tellEvents(Int32Array.from(rows), layout, booksOfPlaces(table, { ...layout.books, ...all }));
    answer.whole = plain(framesOf(events, table, cast, layout, all));
  }
  answers.push(answer);
}
console.log(JSON.stringify(answers));
