// A bot for the squads league, for Node 22 or a browser; it needs no packages.
//
//     node examples/server/bot.mjs http://127.0.0.1:8800 my-bot 'four random words here'
//
// It registers, practises against the strongest bot until it has tried three teams, enters the queue with the best
// one, and waits for a match.

const [url, handle, password] = process.argv.slice(2);
const TEAMS = [
  { units: ["scout", "bronze_knight", "novice_cleric"], strategy: "finish_the_weak" },
  { units: ["longshadow", "bronze_knight", "novice_cleric"] },
  { units: ["apprentice_wizard", "bronze_knight", "bronze_knight"] },
];
let token = null;

/** Ask the server; errors are problems of RFC 9457. */
async function ask(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  // A repeated request with the same key does nothing twice.
  if (token && method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (answer.status === 204) return null;
  const found = await answer.json();
  if (!answer.ok) {
    const problems = found.problems.map((each) => `\n  ${each.where}: ${each.message}`).join("");
    throw new Error(`${found.status} ${found.detail}${problems}`);
  }
  return found;
}

const session = await ask("POST", "/api/v1/accounts", { handle, password });
token = session.token;
const { items: bots } = await ask("GET", "/api/v1/leagues/squads/bots");
const submitted = await ask("POST", "/api/v1/entries", {
  league: "squads", title: "Tries before it queues", ranked: true, document: TEAMS[0],
});
let best = { score: -1, document: TEAMS[0] };
for (const document of TEAMS) {
  await ask("POST", `/api/v1/entries/${submitted.entry}/versions`, { document });
  const match = await ask("POST", "/api/v1/practice", { entry: submitted.entry, bot: bots[0].handle });
  const own = match.sides.find((side) => side.account.handle === handle);
  console.log(`${document.units.join(", ")}: ${own.outcome} against ${bots[0].name}`);
  if (own.score > best.score) best = { score: own.score, document };
}
await ask("POST", `/api/v1/entries/${submitted.entry}/versions`, { document: best.document });
// 16 random bytes of our own go into the match's seed, so that the server alone cannot choose it.
const salt = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
await ask("POST", "/api/v1/tickets", { entry: submitted.entry, kind: "once", salt });
for (;;) {
  const { items } = await ask("GET", `/api/v1/matches?account=${handle}&league=squads`);
  const match = items.find((each) => each.number !== null);
  if (match) {
    const own = match.sides.find((side) => side.account.handle === handle);
    console.log(`ranked match ${match.number}: ${own.outcome}, ${own.after?.rating ?? "unrated"}`);
    console.log(`${url}/m/${match.id}`);
    break;
  }
  await new Promise((done) => setTimeout(done, 500));
}
