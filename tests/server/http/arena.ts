// A program against the types of the OpenAPI document: it compiles only if they say what the arena answers.
import type { components, paths } from "./api";

type Answers = components["schemas"];
type JsonOf<P extends keyof paths, M extends "get" | "post", S extends number> = paths[P] extends {
  [method in M]: { responses: { [status in S]: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
// `any` would take everything, and say nothing.
type IsAny<T> = 0 extends 1 & T ? true : false;
type AnyKeys<T> = { [K in keyof T]-?: IsAny<T[K]> extends true ? K : never }[keyof T];
function nothingIsAny<T>(..._: AnyKeys<T> extends never ? [] : [AnyKeys<T>]): void {}

nothingIsAny<Answers["League"]>();
nothingIsAny<Answers["Season"]>();
nothingIsAny<Answers["Day"]>();
nothingIsAny<Answers["Head"]>();
nothingIsAny<Answers["Bot"]>();
nothingIsAny<Answers["Rank"]>();
nothingIsAny<Answers["Rating"]>();
nothingIsAny<Answers["Entry"]>();
nothingIsAny<Answers["Version"]>();
nothingIsAny<Answers["Submitted"]>();
nothingIsAny<Answers["Ticket"]>();
nothingIsAny<Answers["Match"]>();
nothingIsAny<Answers["Side"]>();
nothingIsAny<Answers["Leg"]>();
nothingIsAny<Answers["Profile"]>();
nothingIsAny<Answers["SchoolClass"]>();
nothingIsAny<Answers["Job"]>();
nothingIsAny<Answers["Account"]>();
nothingIsAny<Answers["Session"]>();
nothingIsAny<Answers["Token"]>();

export function leagueOf(page: JsonOf<"/api/v1/leagues", "get", 200>): string {
  const league = page.items[0];
  return `${league.title}: ${league.points} points, ${league.size.least} to ${league.size.most}, ${league.season?.number}`;
}

export function entryOf(entry: JsonOf<"/api/v1/entries/{entry}", "get", 200>): string {
  return `${entry.account.handle}: ${entry.title}, version ${entry.versions}${entry.ranked ? ", ranked" : ""}`;
}

export function submitted(found: JsonOf<"/api/v1/entries", "post", 201>): [string, number] {
  return [found.entry, found.warnings.length];
}

export function matchOf(match: JsonOf<"/api/v1/matches/{match}", "get", 200>): string {
  const [first, second] = match.sides;
  const after: number | undefined = first.after?.rating;
  const outcome: "win" | "draw" | "loss" = second.outcome;
  return `${first.score} : ${second.score}, ${outcome}, ${after}, ${match.legs?.map((leg) => leg.reason).join()}`;
}

export function rankOf(page: JsonOf<"/api/v1/leagues/{league}/leaderboard", "get", 200>): number[] {
  return page.items.map((row) => row.rank + row.rating + row.uncertainty + row.wins);
}

export function ratingsOf(profile: JsonOf<"/api/v1/profiles/{handle}", "get", 200>): string[] {
  return profile.ratings.map((each) => `${each.league} ${each.season}: ${each.rating}`);
}

export function pupilsOf(found: JsonOf<"/api/v1/classes/{class_id}", "get", 200>): string[] {
  return (found.pupils ?? []).map((each) => each.name);
}

export function progressOf(job: JsonOf<"/api/v1/jobs/{job}", "get", 200>): number {
  return job.state === "done" ? 1 : job.progress;
}
