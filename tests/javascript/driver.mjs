// Plays what a test asks for with fracas.js, and answers in JSON: driver.mjs LIBRARY MODULE JOBS
import { readFileSync } from "node:fs";

const [library, module, jobsFile] = process.argv.slice(2);
const { digestOf, loadRules } = await import(library);
const rules = await loadRules(new URL(module));
const answers = [];

for (const job of JSON.parse(readFileSync(jobsFile, "utf8"))) {
  try {
    const packed = await rules.open(readFileSync(job.bundle, "utf8"));
    const record = packed.record;
    for (const [path, value] of job.edits ?? []) record.set(path, value);
    if (job.seed) record.setSeed(job.seed);
    const answer = {};
    if (job.verify) answer.verified = await rules.verify(packed.bundle, { workers: job.verify.workers });
    if (job.count) {
      const { first, count, workers } = { first: "0", workers: 0, ...job };
      const results = await rules.simulate(record, { first: BigInt(first), count, workers, rows: true });
      answer.results = digestOf(results.bytes);
      answer.wins = results.wins;
      answer.reasons = results.reasons;
      answer.rounds = [...results.rounds];
      answer.interval = results.interval(1);
    }
    if (job.course) answer.course = await rules.course(packed, job.course);
    answer.played = [];
    for (const stream of job.streams ?? []) {
      const { events, result, digest, rows } = await rules.play(record, BigInt(stream), job.decisions ?? packed.decisions);
      answer.played.push({ digest, result, count: rows.length / 8, events: job.events ? events : undefined });
    }
    answers.push(answer);
  } catch (error) {
    answers.push({ error: { name: error.name, code: error.code, message: error.message, scenario: error.scenario } });
  }
}
rules.close();
console.log(JSON.stringify(answers));
