// Asks a server for a study and follows it, for Node 22 or a browser; it needs no packages and no account.
//
//     node examples/server/study.mjs http://127.0.0.1:8800
//
// A page of the server itself can use `new EventSource(job.links.events)` in place of the loop below.

const [url] = process.argv.slice(2);
const scenario = {
  ruleset: "relics",
  left: { items: ["horned_helm"] },
  right: { items: [] },
};

const answer = await fetch(`${url}/api/v1/jobs/simulate`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ scenario, n: 2000 }),
});
const job = await answer.json();
if (!answer.ok) throw new Error(`${job.status} ${job.detail} ${JSON.stringify(job.price ?? job.problems)}`);
console.log(`at most ${job.price.battles} battles and ${job.price.cpu_seconds} s`);

/** The events of a stream. */
async function* eventsOf(stream) {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n").map((line) => line.split(/: (.*)/s));
      const found = Object.fromEntries(lines);
      if (found.data) yield { type: found.event, data: JSON.parse(found.data) };
    }
  }
}

let last = job;
const followed = await fetch(url + job.links.events);
for await (const { data } of eventsOf(followed.body)) {
  last = data;
  console.log(`${last.state} ${Math.floor(100 * last.progress)} % ${last.step ?? ""}`);
}
if (last.state !== "done") throw new Error(last.problem ?? last.state);
const result = await (await fetch(url + last.links.result)).json();
console.log(`${result.wins.join(" : ")} of ${result.battles} battles`);
