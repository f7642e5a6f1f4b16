"""Routes of the arena: leagues, entries, the queue, matches, practice, challenges, profiles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Path as PathParameter
from fastapi import Query, Request, Response
from fastapi.responses import PlainTextResponse
from sqlalchemy import Connection, bindparam, select

from fracas.errors import InputError
from fracas.server.arena import classes, exports, leagues_published, service, shapes, store, unranked, viewing, views
from fracas.server.arena.entries import check_entry
from fracas.server.arena.entry_schema.registry import entry_json_schema
from fracas.server.arena.league import League
from fracas.server.arena.publication import league_day_file
from fracas.server.arena.records import Arena, Conflict, Missing
from fracas.server.arena.running import RunningArena
from fracas.server.arena.seasons import Season, all_seasons, latest_season
from fracas.server.database.tables import account
from fracas.server.http import cursors
from fracas.server.http.answers import answers
from fracas.server.http.authorisation import Access, Needs
from fracas.server.http.context import Context, context_of, principal_of
from fracas.server.http.idempotency import Answer, idempotent
from fracas.server.http.json_routes import JsonRoute
from fracas.server.http.links import ROOT, link, with_links
from fracas.server.http.principal import Scope
from fracas.server.http.problems import ApiProblem, not_found
from fracas.server.http.rooms import Room

Result = TypeVar("Result")

router = Room(prefix=ROOT, route_class=JsonRoute)

# The most rows of a CSV file.
MOST_ROWS = 10_000

_LEAGUE = f"{ROOT}/leagues/{{league}}"
_ENTRY = f"{ROOT}/entries/{{entry}}"
_MATCH = f"{ROOT}/matches/{{match}}"
ACCESS = (
    Access("GET", f"{ROOT}/leagues", Needs.NOTHING),
    Access("GET", _LEAGUE, Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/schema", Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/head", Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/days", Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/days/{{day}}", Needs.NOTHING, rate="run"),
    Access("GET", f"{_LEAGUE}/seasons", Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/leaderboard", Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/leaderboard.csv", Needs.NOTHING),
    Access("GET", f"{_LEAGUE}/bots", Needs.NOTHING),
    Access("POST", f"{_LEAGUE}/check", Needs.NOTHING, rate="run"),
    Access("GET", f"{ROOT}/entries", Needs.ACCOUNT),
    Access("POST", f"{ROOT}/entries", Needs.ACCOUNT, Scope.PLAY, "write"),
    Access("GET", _ENTRY, Needs.NOTHING),
    Access("PATCH", _ENTRY, Needs.OWNER, Scope.PLAY, "write"),
    Access("DELETE", _ENTRY, Needs.OWNER, Scope.PLAY, "write"),
    Access("GET", f"{_ENTRY}/versions", Needs.NOTHING),
    Access("POST", f"{_ENTRY}/versions", Needs.OWNER, Scope.PLAY, "write"),
    Access("GET", f"{_ENTRY}/versions/{{version}}", Needs.NOTHING),
    Access("GET", f"{ROOT}/tickets", Needs.ACCOUNT),
    Access("POST", f"{ROOT}/tickets", Needs.ACCOUNT, Scope.PLAY, "write"),
    Access("DELETE", f"{ROOT}/tickets/{{ticket}}", Needs.OWNER, Scope.PLAY, "write"),
    Access("GET", f"{ROOT}/matches", Needs.NOTHING),
    Access("GET", f"{ROOT}/matches.csv", Needs.NOTHING),
    Access("GET", _MATCH, Needs.NOTHING),
    Access("GET", f"{_MATCH}/legs/{{leg}}", Needs.NOTHING, rate="run"),
    Access("GET", f"{_MATCH}/legs/{{leg}}/events", Needs.NOTHING, rate="run"),
    Access("GET", f"{_MATCH}/legs/{{leg}}/replay", Needs.NOTHING, rate="run"),
    Access("POST", f"{ROOT}/practice", Needs.ACCOUNT, Scope.PLAY, "run"),
    Access("POST", f"{ROOT}/challenges", Needs.ACCOUNT, Scope.PLAY, "run"),
    Access("GET", f"{ROOT}/profiles/{{handle}}", Needs.NOTHING),
)

Cursor = Annotated[str | None, Query(max_length=500, description="Where the page begins: the `next` link has it.")]
Limit = Annotated[int, Query(ge=1, le=cursors.MOST_PER_PAGE, description="How many items to answer.")]
VersionNumber = Annotated[int, PathParameter(ge=1, le=service.MOST_VERSIONS, description="From 1.")]
SeasonNumber = Annotated[int | None, Query(ge=1, description="A season's number. Default: the newest.")]


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Open the leagues and make matches while the server runs."""
    running = RunningArena(context)
    context.parts["arena"] = running
    task = asyncio.create_task(running.loop(), name="fracas matchmaker") if context.preload else None
    yield
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def running_of(request: Request) -> RunningArena:
    """This room's part of the running server."""
    running: RunningArena = context_of(request).parts["arena"]
    return running


async def arena_of(request: Request) -> Arena:
    """The leagues of the server."""
    return await running_of(request).ready()


async def league_of(request: Request, name: str) -> League:
    """A league of the server.

    Raises:
        ApiProblem: 404, there is none.
    """
    arena = await arena_of(request)
    if name not in arena.leagues:
        raise not_found("no league of this name")
    return arena.leagues[name]


async def told(work: Awaitable[Result]) -> Result:
    """Wait for something of the arena, and turn what it refuses into problems.

    Raises:
        ApiProblem: 404 or 409.
    """
    try:
        return await work
    except Missing as missing:
        raise not_found(f"no {missing}") from None
    except Conflict as conflict:
        raise ApiProblem("conflict", f"{conflict}.") from None


async def read(request: Request, query: Callable[[Connection], Result]) -> Result:
    """Run a query."""
    await arena_of(request)
    return await told(context_of(request).readers.run(query))


def command(work: Callable[[Connection], Result]) -> Callable[[Connection], Result]:
    """A command whose refusals are problems."""

    def run(connection: Connection) -> Result:
        try:
            return work(connection)
        except Missing as missing:
            raise not_found(f"no {missing}") from None
        except Conflict as conflict:
            raise ApiProblem("conflict", f"{conflict}.") from None

    return run


# --- Leagues --------------------------------------------------------------------------------------------------------


@router.get("/leagues", **answers(200, shapes.Items, example=shapes.items(shapes.LEAGUE_EXAMPLE, f"{ROOT}/leagues")))
async def list_leagues(request: Request) -> dict[str, Any]:
    """List the leagues."""
    arena, now = await arena_of(request), running_of(request).now
    newest = await read(request, lambda connection: {name: latest_season(connection, name) for name in arena.leagues})
    items = [views.league_json(league, newest[name], now) for name, league in arena.leagues.items()]
    return with_links({"items": items}, self=link("leagues"))


@router.get("/leagues/{league}", **answers(200, shapes.Item, example=shapes.LEAGUE_EXAMPLE, errors=("not-found",)))
async def get_league(request: Request, league: str) -> dict[str, Any]:
    """Get a league: its rules, prices, modifier and season."""
    found = await league_of(request, league)
    season = await read(request, partial(latest_season, league=league))
    return views.league_json(found, season, running_of(request).now)


@router.get(
    "/leagues/{league}/schema",
    **answers(200, example={"title": "SquadsEntry", "type": "object"}, errors=("not-found",)),
)
async def get_entry_schema(request: Request, league: str) -> Response:
    """Get the JSON Schema of the league's entries. Prices and sizes are the league's own."""
    found = await league_of(request, league)
    return Response(_entry_schema(found.file.ruleset), media_type="application/json")


@cache
def _entry_schema(ruleset: str) -> bytes:
    return msgspec.json.encode(entry_json_schema(ruleset))


@router.get("/leagues/{league}/head", **answers(200, shapes.Item, example=shapes.HEAD_EXAMPLE, errors=("not-found",)))
async def get_head(request: Request, league: str) -> dict[str, Any]:
    """Get today's commitment, the head of today's chain, and tomorrow's commitment."""
    await league_of(request, league)
    return await read(request, partial(leagues_published.head_json, league=league, now=running_of(request).now))


@router.get(
    "/leagues/{league}/days",
    **answers(
        200,
        shapes.Items,
        example=shapes.items({"day": "2026-11-21", "matches": 340}, f"{_LEAGUE}/days"),
        errors=("not-found",),
    ),
)
async def list_days(request: Request, league: str, cursor: Cursor = None, limit: Limit = 50) -> dict[str, Any]:
    """List the league's days, the newest first, with their commitments and published secrets."""
    await league_of(request, league)
    decoded = cursors.decode(cursor, str)
    before = None if decoded is None else decoded[0]
    rows = await read(request, partial(leagues_published.days, league=league, before=before, limit=limit + 1))
    shown, following = cursors.page(rows, limit, lambda row: (row["day"],))
    items = [with_links(row, file=link("leagues", league, "days", row["day"])) for row in shown]
    return with_links(
        {"items": items},
        self=link("leagues", league, "days", cursor=cursor, limit=limit),
        next=None if following is None else link("leagues", league, "days", cursor=following, limit=limit),
    )


@router.get(
    "/leagues/{league}/days/{day}",
    **answers(200, example={"format": "fracas league day", "version": 1}, errors=("not-found", "gone")),
)
async def get_day(request: Request, league: str, day: str) -> Response:
    """Get the file of a published day, which `fracas verify --league-day FILE` verifies."""
    arena = await arena_of(request)
    await league_of(request, league)

    def made(connection: Connection) -> bytes:
        try:
            return msgspec.json.encode(league_day_file(connection, arena, league, day))
        except InputError:
            # The day was imported, or the secret file was replaced.
            raise ApiProblem("gone", "This server no longer has the secret of that day.") from None

    return Response(await read(request, made), media_type="application/json")


@router.get(
    "/leagues/{league}/seasons",
    **answers(200, shapes.Items, example=shapes.items({"number": 3}, f"{_LEAGUE}/seasons"), errors=("not-found",)),
)
async def list_seasons(request: Request, league: str) -> dict[str, Any]:
    """List the league's seasons, the newest first."""
    await league_of(request, league)
    rows = await read(request, partial(all_seasons, league=league))
    items = [
        with_links(views.season_json(row), leaderboard=link("leagues", league, "leaderboard", season=row.no))
        for row in rows
    ]
    return with_links({"items": items}, self=link("leagues", league, "seasons"))


def _season(connection: Connection, league: str, number: int | None) -> Season:
    """A season by its number, or the newest.

    Raises:
        Missing: the league has none of this number.
    """
    found = next((each for each in all_seasons(connection, league) if number in (None, each.no)), None)
    if found is None:
        raise Missing("season of this number")
    return found


@router.get(
    "/leagues/{league}/leaderboard",
    **answers(
        200, shapes.Items, example=shapes.items(shapes.ROW_EXAMPLE, f"{_LEAGUE}/leaderboard"), errors=("not-found",)
    ),
)
async def get_leaderboard(
    request: Request,
    league: str,
    season: SeasonNumber = None,
    around: Annotated[str | None, Query(max_length=100, description="Only the ranks around this handle.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> dict[str, Any]:
    """Get the leaderboard: sorted by mu - 3 sigma, then by fewer matches."""
    await league_of(request, league)
    after = cursors.decode(cursor if around is None else None, int, int, str)
    key = None if after is None else (after[0], after[1], after[2])

    def query(connection: Connection) -> tuple[int, list[store.Row]]:
        number = _season(connection, league, season).no
        if around is None:
            return number, store.leaderboard(connection, league, number, limit + 1, key)
        return number, store.around(connection, league, number, account_by_handle(connection, around).id)

    number, rows = await read(request, query)
    path = partial(link, "leagues", league, "leaderboard", season=number)
    if around is not None:
        return with_links({"items": [views.row_json(row) for row in rows]}, self=path(around=around))
    shown, following = cursors.page(rows, limit, store.sort_key)
    return with_links(
        {"items": [views.row_json(row) for row in shown]},
        self=path(cursor=cursor, limit=limit),
        next=None if following is None else path(cursor=following, limit=limit),
    )


@router.get(
    "/leagues/{league}/leaderboard.csv",
    **answers(200, example="rank,handle\n1,ann\n", media_type="text/csv", errors=("not-found",)),
)
async def get_leaderboard_csv(request: Request, league: str, season: SeasonNumber = None) -> Response:
    """Get the leaderboard as CSV, at most 10,000 rows."""
    await league_of(request, league)

    def query(connection: Connection) -> list[store.Row]:
        return store.leaderboard(connection, league, _season(connection, league, season).no, MOST_ROWS)

    return PlainTextResponse(exports.leaderboard_csv(await read(request, query)), media_type="text/csv")


@router.get(
    "/leagues/{league}/bots",
    **answers(
        200, shapes.Items, example=shapes.items({"handle": "toll-gate"}, f"{_LEAGUE}/bots"), errors=("not-found",)
    ),
)
async def list_bots(request: Request, league: str) -> dict[str, Any]:
    """List the league's bots with their stories and measured strengths."""
    found, running = await league_of(request, league), running_of(request)

    def query(connection: Connection) -> list[dict[str, Any]]:
        return leagues_published.bots_json(connection, league, running.bots_of(found))

    return with_links({"items": await read(request, query)}, self=link("leagues", league, "bots"))


@router.post(
    "/leagues/{league}/check",
    **answers(200, shapes.Item, example=shapes.CHECKED_EXAMPLE, errors=("not-found",)),
)
async def check(request: Request, league: str, body: shapes.EntryDocument) -> dict[str, Any]:
    """Check an entry without submitting it: what it costs, and all problems at once."""
    found = await league_of(request, league)
    return await asyncio.to_thread(leagues_published.checked_json, found, body.document)


# --- Entries --------------------------------------------------------------------------------------------------------


@router.get("/entries", **answers(200, shapes.Items, example=shapes.items(shapes.ENTRY_EXAMPLE, f"{ROOT}/entries")))
async def list_entries(request: Request, league: Annotated[str | None, Query(max_length=100)] = None) -> dict[str, Any]:
    """List your entries."""
    whom = principal_of(request).id
    rows = await read(request, partial(store.entries_of, whom=whom, league=league))
    return with_links({"items": [views.entry_json(row) for row in rows]}, self=link("entries", league=league))


@router.post(
    "/entries",
    **answers(201, shapes.Item, example=shapes.SUBMITTED_EXAMPLE, errors=("conflict", "not-found")),
)
async def submit(request: Request, body: shapes.NewEntry) -> Response:
    """Submit an entry. All problems are answered at once."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    league = await league_of(request, body.league)
    checked = await asyncio.to_thread(check_entry, league, body.document)

    def work(connection: Connection) -> Answer:
        made = service.submit_entry(connection, arena, whom, body.league, body.title, checked, now, ranked=body.ranked)
        return Answer(201, views.submitted_json(made), {"Location": link("entries", made.entry)})

    return await idempotent(request, command(work))


@router.get("/entries/{entry}", **answers(200, shapes.Item, example=shapes.ENTRY_EXAMPLE, errors=("not-found",)))
async def get_entry(request: Request, entry: str) -> dict[str, Any]:
    """Get an entry, without its documents."""
    found = await read(request, partial(visible_entry, entry=entry, viewer=principal_of(request).account))
    return views.entry_json(found)


def visible_entry(connection: Connection, entry: str, viewer: str | None) -> store.EntryView:
    """An entry that the viewer may know of: one that has fought in public, its own, or one of its class.

    Raises:
        Missing: there is no such entry for the viewer.
    """
    found = store.entry_by_id(connection, entry)
    if found.account.id == viewer or store.is_known(connection, entry):
        return found
    if viewer is None or found.school_class is None:
        raise Missing("entry")
    classes.class_of(connection, viewer, found.school_class)
    return found


@router.patch("/entries/{entry}", **answers(200, shapes.Item, example=shapes.ENTRY_EXAMPLE, errors=("not-found",)))
async def rename(request: Request, entry: str, body: shapes.EntryTitle) -> dict[str, Any]:
    """Give an entry another title."""
    whom = principal_of(request).id
    await arena_of(request)

    def work(connection: Connection) -> dict[str, Any]:
        service.rename_entry(connection, whom, entry, body.title)
        return views.entry_json(store.entry_by_id(connection, entry))

    return await told(context_of(request).writer.run(command(work)))


@router.delete("/entries/{entry}", **answers(204, errors=("conflict", "not-found")))
async def withdraw(request: Request, entry: str) -> Response:
    """Withdraw an entry. One that never fought is deleted; what has fought stays readable."""
    whom = principal_of(request).id
    await arena_of(request)
    work = partial(service.withdraw_entry, account=whom, entry_id=entry)
    await told(context_of(request).writer.run(work))
    return Response(status_code=204)


@router.get(
    "/entries/{entry}/versions",
    **answers(
        200, shapes.Items, example=shapes.items(shapes.VERSION_EXAMPLE, f"{_ENTRY}/versions"), errors=("not-found",)
    ),
)
async def list_versions(request: Request, entry: str) -> dict[str, Any]:
    """List an entry's versions, the newest first. Documents that are hidden from you are null."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> list[store.VersionView]:
        visible_entry(connection, entry, viewer)
        return store.versions_of(connection, entry, viewer)

    rows = await read(request, query)
    return with_links({"items": [views.version_json(row) for row in rows]}, self=link("entries", entry, "versions"))


@router.post(
    "/entries/{entry}/versions",
    **answers(201, shapes.Item, example=shapes.SUBMITTED_EXAMPLE, errors=("conflict", "not-found")),
)
async def change(request: Request, entry: str, body: shapes.EntryDocument) -> Response:
    """Submit a new version of an entry. Tickets that wait keep the version that they named."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    row = await read(request, partial(service.own_entry, account=whom, entry_id=entry))
    checked = await asyncio.to_thread(check_entry, await league_of(request, row.league), body.document)

    def work(connection: Connection) -> Answer:
        made = service.change_entry(connection, arena, whom, entry, checked, now)
        return Answer(201, views.submitted_json(made), {"Location": link("entries", entry, "versions", made.version)})

    return await idempotent(request, command(work))


@router.get(
    "/entries/{entry}/versions/{version}",
    **answers(200, shapes.Item, example=shapes.VERSION_EXAMPLE, errors=("not-found",)),
)
async def get_version(request: Request, entry: str, version: VersionNumber) -> dict[str, Any]:
    """Get a version of an entry; its document once you may read it."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> store.VersionView:
        visible_entry(connection, entry, viewer)
        return store.version_of(connection, entry, version, viewer)

    return views.version_json(await read(request, query))


# --- The queue ------------------------------------------------------------------------------------------------------


@router.get("/tickets", **answers(200, shapes.Items, example=shapes.items(shapes.TICKET_EXAMPLE, f"{ROOT}/tickets")))
async def list_tickets(request: Request) -> dict[str, Any]:
    """List your places in queues."""
    rows = await read(request, partial(service.own_tickets, account=principal_of(request).id))
    return with_links({"items": [views.ticket_json(row) for row in rows]}, self=link("tickets"))


@router.post("/tickets", **answers(201, shapes.Item, example=shapes.TICKET_EXAMPLE, errors=("conflict", "not-found")))
async def enter(request: Request, body: shapes.NewTicket) -> Response:
    """Enter the queue with the newest version of an entry: once, or as a standing entry that fights while you sleep."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id

    def work(connection: Connection) -> Answer:
        made = service.enter_queue(connection, arena, whom, body.entry, now, kind=body.kind, salt=body.salt)
        return Answer(201, views.ticket_json(made), {"Location": link("tickets", made.id)})

    return await idempotent(request, command(work))


@router.delete("/tickets/{ticket}", **answers(204, errors=("conflict", "not-found")))
async def leave(request: Request, ticket: str) -> Response:
    """Leave a queue. It works until you are paired."""
    work = partial(service.leave_queue, account=principal_of(request).id, ticket_id=ticket)
    await told(context_of(request).writer.run(work))
    return Response(status_code=204)


# --- Matches --------------------------------------------------------------------------------------------------------


@router.get(
    "/matches",
    **answers(200, shapes.Items, example=shapes.items(shapes.MATCH_EXAMPLE, f"{ROOT}/matches"), errors=("not-found",)),
)
async def list_matches(
    request: Request,
    league: Annotated[str | None, Query(max_length=100)] = None,
    account: Annotated[str | None, Query(max_length=100, description="Only matches of this handle.")] = None,
    opponent: Annotated[str | None, Query(max_length=100, description="Of those, only against this handle.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> dict[str, Any]:
    """List matches, the newest first; your own practice and challenges among them."""
    decoded = cursors.decode(cursor, int, str)
    before = None if decoded is None else (decoded[0], decoded[1])
    rows = await _matches(request, league, account, opponent, before, limit + 1)
    shown, following = cursors.page(rows, limit, lambda row: (row.played_at, row.id))
    path = partial(link, "matches", league=league, account=account, opponent=opponent, limit=limit)
    return with_links(
        {"items": [views.match_json(row) for row in shown]},
        self=path(cursor=cursor),
        next=None if following is None else path(cursor=following),
    )


async def _matches(
    request: Request,
    league: str | None,
    account: str | None,
    opponent: str | None,
    before: tuple[int, str] | None,
    limit: int,
) -> list[store.MatchView]:
    viewer = principal_of(request).account

    def query(connection: Connection) -> list[store.MatchView]:
        whom = None if account is None else account_by_handle(connection, account).id
        rival = None if opponent is None else account_by_handle(connection, opponent).id
        return store.matches(connection, limit, league=league, whom=whom, opponent=rival, viewer=viewer, before=before)

    return await read(request, query)


@router.get("/matches.csv", **answers(200, example="match,played_at\n", media_type="text/csv", errors=("not-found",)))
async def list_matches_csv(
    request: Request,
    league: Annotated[str | None, Query(max_length=100)] = None,
    account: Annotated[str | None, Query(max_length=100)] = None,
    opponent: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Get matches as CSV, the newest 10,000."""
    rows = await _matches(request, league, account, opponent, None, MOST_ROWS)
    return PlainTextResponse(exports.history_csv(rows), media_type="text/csv")


@router.get("/matches/{match}", **answers(200, shapes.Item, example=shapes.MATCH_EXAMPLE, errors=("not-found",)))
async def get_match(request: Request, match: str) -> dict[str, Any]:
    """Get a match with its legs."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> dict[str, Any]:
        found = viewing.visible_match(connection, match, viewer)
        return views.match_json(found, store.legs_of(connection, match))

    return await read(request, query)


async def play_leg(request: Request, match: str, leg: int, work: Callable[[viewing.StoredLeg], Result]) -> Result:
    """Play a leg again as far as the caller may see it."""
    viewer = principal_of(request).account
    try:
        stored = await read(request, partial(viewing.stored_leg, identifier=match, number=leg, viewer=viewer))
    except viewing.OtherRules:
        message = "This match was fought under rules that this server no longer has."
        raise ApiProblem("gone", message) from None
    return await told(running_of(request).play_again(partial(work, stored)))


@router.get(
    "/matches/{match}/legs/{leg}",
    **answers(200, shapes.Item, example=shapes.LEG_EXAMPLE, errors=("not-found", "gone", "unavailable")),
)
async def get_leg(request: Request, match: str, leg: int) -> dict[str, Any]:
    """Get a leg: outcome and story."""
    body = await play_leg(request, match, leg, viewing.leg_document)
    path = partial(link, "matches", match, "legs", leg)
    replay = None if body["hidden_sides"] else path("replay")
    return with_links(body, self=path(), events=link("matches", match, "legs", leg, "events"), replay=replay)


@router.get(
    "/matches/{match}/legs/{leg}/events",
    **answers(200, shapes.Items, example=shapes.EVENTS_EXAMPLE, errors=("not-found", "gone", "unavailable")),
)
async def get_events(request: Request, match: str, leg: int) -> dict[str, Any]:
    """Get a leg's events; those of a hidden entry without the reasons of its decisions."""
    found = await play_leg(request, match, leg, viewing.leg_events)
    return with_links({"items": found}, self=link("matches", match, "legs", leg, "events"))


@router.get(
    "/matches/{match}/legs/{leg}/replay",
    **answers(200, example={"format": "fracas replay"}, errors=("not-found", "gone", "unavailable")),
)
async def get_replay(request: Request, match: str, leg: int) -> Response:
    """Get a leg as a replay, which `fracas verify` checks; only if no entry in it is hidden from you."""
    found = await play_leg(request, match, leg, lambda stored: msgspec.json.encode(viewing.leg_replay(stored)))
    return Response(found, media_type="application/json")


# --- Practice, challenges, profiles ---------------------------------------------------------------------------------


@router.post(
    "/practice",
    **answers(201, shapes.Item, example=shapes.MATCH_EXAMPLE, errors=("conflict", "not-found", "unavailable")),
)
async def practise(request: Request, body: shapes.Practice) -> Response:
    """Fight a bot of known strength, at once. Nothing is rated, and only you see the match."""
    whom, plan = principal_of(request).id, unranked.plan_practice
    return await _fight(request, partial(plan, whom=whom, entry_id=body.entry, bot=body.bot))


@router.post(
    "/challenges",
    **answers(201, shapes.Item, example=shapes.MATCH_EXAMPLE, errors=("conflict", "not-found", "unavailable")),
)
async def challenge(request: Request, body: shapes.Challenge) -> Response:
    """Challenge a named rival, at once. Nothing is rated, and only you two see the match."""
    whom, plan = principal_of(request).id, unranked.plan_challenge
    return await _fight(request, partial(plan, whom=whom, entry_id=body.entry, rival=body.rival))


async def _fight(request: Request, plan: Callable[..., unranked.Unranked]) -> Response:
    """Plan and play a match while no transaction is open, then store it, once per Idempotency-Key."""
    arena, running = await arena_of(request), running_of(request)
    now = running.now
    found: unranked.Played | Exception
    try:
        match = await context_of(request).readers.run(partial(plan, arena=arena, now=now))
        found = await running.play_again(partial(unranked.play, arena, match, now))
    except (Missing, Conflict, InputError) as refusal:
        # A repeated request gets its first answer, even if it would be refused by now.
        found = refusal

    def work(connection: Connection) -> Answer:
        if isinstance(found, Exception):
            raise found
        return _fought(connection, unranked.store(connection, arena, found, now))

    return await idempotent(request, command(work))


def _fought(connection: Connection, identifier: str) -> Answer:
    found = views.match_json(store.match_by_id(connection, identifier), store.legs_of(connection, identifier))
    return Answer(201, found, {"Location": link("matches", identifier)})


async def account_of(request: Request, handle: str) -> store.Person:
    """An account by its handle.

    Raises:
        ApiProblem: 404, there is none.
    """
    return await read(request, partial(account_by_handle, handle=handle))


_ACCOUNT = select(account.c.id.label("account"), account.c.handle, account.c.display_name, account.c.role).where(
    account.c.handle_key == bindparam("of_handle")
)


def account_by_handle(connection: Connection, handle: str) -> store.Person:
    """An account by its handle.

    Raises:
        Missing: there is none.
    """
    row = connection.execute(_ACCOUNT, {"of_handle": handle.casefold()}).first()
    if row is None:
        raise Missing("account")
    return store.person(row)


@router.get("/profiles/{handle}", **answers(200, shapes.Item, example=shapes.PROFILE_EXAMPLE, errors=("not-found",)))
async def get_profile(request: Request, handle: str) -> dict[str, Any]:
    """Get what an account shows: its ratings in all leagues and seasons, and the entries that have fought."""
    arena, viewer = await arena_of(request), principal_of(request).account

    def query(connection: Connection) -> dict[str, Any]:
        whom = account_by_handle(connection, handle)
        rows = [
            {"league": name, "season": season.no, **views.row_json(row)}
            for name in arena.leagues
            for season in all_seasons(connection, name)
            if (row := store.rating_of(connection, name, season.no, whom.id)) is not None and row.matches
        ]
        entries = [
            views.entry_json(each)
            for each in store.entries_of(connection, whom.id)
            if whom.id == viewer or store.is_known(connection, each.id)
        ]
        return {"account": views.person_json(whom), "ratings": rows, "entries": entries}

    body = await read(request, query)
    known_as = body["account"]["handle"]
    return with_links(body, self=link("profiles", known_as), matches=link("matches", account=known_as))
