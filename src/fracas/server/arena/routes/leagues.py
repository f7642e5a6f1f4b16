"""Routes of leagues: their rules, days, seasons, leaderboards and bots; entries checked without submitting them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import FileResponse, PlainTextResponse
from sqlalchemy import Connection

from fracas.errors import InputError
from fracas.player_entries.registry import entry_json_schema
from fracas.server.arena import exports
from fracas.server.arena.arena_loop import RunningArena, private_folder
from fracas.server.arena.proofs import published
from fracas.server.arena.proofs.published import FOLDER, StoredDay, stored_day
from fracas.server.arena.refusals import Missing
from fracas.server.arena.routes.common import MOST_ROWS, Cursor, Limit, arena_of, league_of, read, running_of
from fracas.server.arena.routes.entries import EntryDocument
from fracas.server.arena.seasons.season import Season, all_seasons, latest_season, tools_of
from fracas.server.arena.store.leaderboards import Row, leaderboard_rows, rows_around, sort_key
from fracas.server.arena.store.people import account_by_handle
from fracas.server.arena.views import league_view, listed_season
from fracas.server.http.answers import ROOT, Document, answers, cut_page, link, links, read_cursor
from fracas.server.http.authorisation import Needs
from fracas.server.http.context import Context, context_of, in_background
from fracas.server.http.problems import ApiProblem
from fracas.server_models.answer import Page
from fracas.server_models.arena import Bot, Checked, Day, Head, League, ListedSeason, Rank

router = APIRouter(prefix=ROOT)


SeasonNumber = Annotated[int | None, Query(ge=1, description="A season's number. Default: the newest.")]


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Open the leagues and make matches while the server runs."""
    running = RunningArena(context)
    context.parts["arena"] = running
    async with in_background(context, running.loop):
        yield


@router.get("/leagues", **answers(200, Page[League], needs=Needs.NOTHING))
async def list_leagues(request: Request) -> Page[League]:
    """List the leagues."""
    arena, now = await arena_of(request), running_of(request).now
    newest = await read(request, lambda connection: {name: latest_season(connection, name) for name in arena.leagues})
    items = [league_view(league, newest[name], now) for name, league in arena.leagues.items()]
    return Page[League](items=items, links=links(self=link("leagues")))


@router.get("/leagues/{league}", **answers(200, League, needs=Needs.NOTHING, errors=("not-found",)))
async def get_league(request: Request, league: str) -> League:
    """Get a league: its rules, prices, modifier and season."""
    view = await league_of(request, league)
    season = await read(request, partial(latest_season, league=league))
    return league_view(view, season, running_of(request).now)


@router.get(
    "/leagues/{league}/schema",
    **answers(
        200, Document, needs=Needs.NOTHING, example={"title": "SquadsEntry", "type": "object"}, errors=("not-found",)
    ),
)
async def get_entry_schema(request: Request, league: str) -> Response:
    """Get the JSON Schema of the league's entries. Prices and sizes are the league's own."""
    view = await league_of(request, league)
    return Response(_entry_schema(view.file.ruleset), media_type="application/json")


@cache
def _entry_schema(ruleset: str) -> bytes:
    return msgspec.json.encode(entry_json_schema(ruleset))


@router.get("/leagues/{league}/head", **answers(200, Head, needs=Needs.NOTHING, errors=("not-found",)))
async def get_head(request: Request, league: str) -> Head:
    """Get today's commitment, the head of today's chain, and tomorrow's commitment."""
    await league_of(request, league)
    return await read(request, partial(published.head_of, league=league, now=running_of(request).now))


@router.get("/leagues/{league}/days", **answers(200, Page[Day], needs=Needs.NOTHING, errors=("not-found",)))
async def list_days(request: Request, league: str, cursor: Cursor = None, limit: Limit = 50) -> Page[Day]:
    """List the league's days, the newest first, with their commitments and published secrets."""
    await league_of(request, league)
    decoded = read_cursor(cursor, str)
    before = None if decoded is None else decoded[0]
    rows = await read(request, partial(published.days, league=league, before=before, limit=limit + 1))
    shown, following = cut_page(rows, limit, lambda row: (row.day,))
    path = partial(link, "leagues", league, "days")
    more = None if following is None else path(cursor=following, limit=limit)
    return Page[Day](items=shown, links=links(self=path(cursor=cursor, limit=limit), next=more))


@router.get(
    "/leagues/{league}/days/{day}",
    **answers(
        200,
        Document,
        needs=Needs.NOTHING,
        rate="run",
        example={"format": "fracas league day", "version": 2},
        errors=("not-found", "gone"),
    ),
)
async def get_day(
    request: Request,
    league: str,
    day: str,
    if_none_match: Annotated[str | None, Header(max_length=1_000, description="An ETag that you have.")] = None,
) -> Response:
    """Get the file of a published day, which `fracas verify --league-day FILE` verifies."""
    arena, context = await arena_of(request), context_of(request)
    await league_of(request, league)
    folder = private_folder(context.settings, context.database) / FOLDER

    def made(connection: Connection) -> StoredDay:
        try:
            return stored_day(connection, arena, folder, league, day)
        except InputError:
            # The day was imported, or the secret file was replaced.
            raise ApiProblem("gone", "This server no longer has the secret of that day.") from None

    found = await read(request, made)
    headers = {"ETag": f'"{found.tag}"'}
    if if_none_match is not None and (if_none_match.strip() == "*" or headers["ETag"] in if_none_match):
        return Response(status_code=304, headers=headers)
    if found.file is None:
        return Response(found.content, media_type="application/json", headers=headers)
    return FileResponse(found.file, media_type="application/json", headers=headers)


@router.get("/leagues/{league}/seasons", **answers(200, Page[ListedSeason], needs=Needs.NOTHING, errors=("not-found",)))
async def list_seasons(request: Request, league: str) -> Page[ListedSeason]:
    """List the league's seasons, the newest first. `tool` is the version of Fracas that played a season."""
    await league_of(request, league)

    def query(connection: Connection) -> list[ListedSeason]:
        tools = tools_of(connection, league)
        return [listed_season(row, tools.get(row.no)) for row in all_seasons(connection, league)]

    items = await read(request, query)
    return Page[ListedSeason](items=items, links=links(self=link("leagues", league, "seasons")))


def _season(connection: Connection, league: str, number: int | None) -> Season:
    """A season by its number, or the newest.

    Raises:
        Missing: the league has none of this number.
    """
    found = next((each for each in all_seasons(connection, league) if number in (None, each.no)), None)
    if found is None:
        raise Missing("season of this number")
    return found


@router.get("/leagues/{league}/leaderboard", **answers(200, Page[Rank], needs=Needs.NOTHING, errors=("not-found",)))
async def get_leaderboard(
    request: Request,
    league: str,
    season: SeasonNumber = None,
    around: Annotated[str | None, Query(max_length=100, description="Only the ranks around this handle.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[Rank]:
    """Get the leaderboard: sorted by mu - 3 sigma, then by fewer matches."""
    await league_of(request, league)
    after = read_cursor(cursor if around is None else None, int, int, str)
    key = None if after is None else (after[0], after[1], after[2])

    def query(connection: Connection) -> tuple[int, list[Row]]:
        number = _season(connection, league, season).no
        if around is None:
            return number, leaderboard_rows(connection, league, number, limit + 1, key)
        return number, rows_around(connection, league, number, account_by_handle(connection, around).id)

    number, rows = await read(request, query)
    path = partial(link, "leagues", league, "leaderboard", season=number)
    if around is not None:
        return Page[Rank](items=rows, links=links(self=path(around=around)))
    shown, following = cut_page(rows, limit, sort_key)
    more = None if following is None else path(cursor=following, limit=limit)
    return Page[Rank](items=shown, links=links(self=path(cursor=cursor, limit=limit), next=more))


@router.get(
    "/leagues/{league}/leaderboard.csv",
    **answers(200, needs=Needs.NOTHING, example="rank,handle\n1,ann\n", media_type="text/csv", errors=("not-found",)),
)
async def get_leaderboard_csv(request: Request, league: str, season: SeasonNumber = None) -> Response:
    """Get the leaderboard as CSV, at most 10,000 rows."""
    await league_of(request, league)

    def query(connection: Connection) -> list[Row]:
        return leaderboard_rows(connection, league, _season(connection, league, season).no, MOST_ROWS)

    return PlainTextResponse(exports.leaderboard_csv(await read(request, query)), media_type="text/csv")


@router.get("/leagues/{league}/bots", **answers(200, Page[Bot], needs=Needs.NOTHING, errors=("not-found",)))
async def list_bots(request: Request, league: str) -> Page[Bot]:
    """List the league's bots with their stories and measured strengths."""
    authored = running_of(request).bots_of(await league_of(request, league))
    items = await read(request, partial(published.bots_of, league=league, bots=authored))
    return Page[Bot](items=items, links=links(self=link("leagues", league, "bots")))


@router.post("/leagues/{league}/check", **answers(200, Checked, needs=Needs.NOTHING, rate="run", errors=("not-found",)))
async def check(request: Request, league: str, body: EntryDocument) -> Checked:
    """Check an entry without submitting it: what it costs, and all problems at once."""
    return await asyncio.to_thread(published.checked, await league_of(request, league), body.document)
