"""Routes of tournaments: make one, enter and leave it, start and cancel it, and see how it goes."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field
from sqlalchemy import Connection

from fracas.errors import InputError
from fracas.server.arena.routes.common import (
    ID_EXAMPLE,
    LONGEST_TEXT,
    Cursor,
    Limit,
    arena_of,
    league_of,
    read,
    running_of,
)
from fracas.server.arena.tournaments import service, store
from fracas.server.arena.tournaments.pairing import Format
from fracas.server.arena.tournaments.store import TournamentView
from fracas.server.http.answers import ROOT, Body, answers, cut_page, link, links, read_cursor
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server_models.answer import Page
from fracas.server_models.tournaments import Bracket, Entrants, State, Tournament

router = APIRouter(prefix=ROOT)

# Beyond them a number is none that could be stored.
_MOST = 1_000_000


class NewTournament(Body):
    """A tournament to make."""

    title: str = Field(max_length=LONGEST_TEXT, examples=["Friday cup"])
    league: str = Field(max_length=LONGEST_TEXT, examples=["squads"], description="Whose rules it is played by.")
    format: Format = Field(examples=["swiss"])
    best_of: int = Field(1, ge=-_MOST, le=_MOST, examples=[3], description="Games of a pairing, an odd number.")
    rounds: int | None = Field(None, ge=-_MOST, le=_MOST, examples=[5], description="Of a Swiss. Default: enough.")
    rated: bool = Field(False, description="Whether its matches change ratings. Only operators may say so.")
    most: int | None = Field(None, ge=-_MOST, le=_MOST, examples=[64], description="Entrants. Default: 512, or 64.")
    starts_at: str | None = Field(
        None, max_length=40, examples=["2026-11-27T18:00:00Z"], description="UTC. Without it you start it."
    )
    pause_minutes: int = Field(0, ge=-_MOST, le=_MOST, examples=[10], description="Between rounds.")


class Entering(Body):
    """With what to enter a tournament."""

    entry: str = Field(max_length=LONGEST_TEXT, examples=[ID_EXAMPLE])
    salt: str | None = Field(None, max_length=200, description="A text of your own that goes into the seeds.")


@router.get("/tournaments", **answers(200, Page[Tournament], needs=Needs.NOTHING))
async def list_tournaments(
    request: Request,
    league: Annotated[str | None, Query(max_length=100)] = None,
    state: State | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[Tournament]:
    """List tournaments, the newest first."""
    decoded = read_cursor(cursor, int, str)
    before = None if decoded is None else (decoded[0], decoded[1])
    query = partial(store.tournaments_before, limit=limit + 1, league=league, state=state, before=before)
    shown, following = cut_page(await read(request, query), limit, lambda row: (row.created_ms, row.id))
    path = partial(link, "tournaments", league=league, state=state, limit=limit)
    more = None if following is None else path(cursor=following)
    return Page[Tournament](items=shown, links=links(self=path(cursor=cursor), next=more))


@router.post(
    "/tournaments", **answers(201, Tournament, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found", "conflict"))
)
async def make(request: Request, body: NewTournament) -> Response:
    """Make a tournament. Anyone with an entry in its league can enter until it starts, at its time or when you say."""
    arena, now, principal = await arena_of(request), running_of(request).now, principal_of(request)
    await league_of(request, body.league)
    values: dict[str, Any] = body.model_dump()
    plan = service.Plan(**{**values, "starts_at": time_of(body.starts_at)})

    def work(connection: Connection) -> TournamentView:
        made = service.make(connection, arena, principal.id, principal.role, plan, now)
        return store.tournament_by_id(connection, made)

    return await created(request, work)


def time_of(text: str | None) -> int | None:
    """A time in milliseconds UTC; one without a zone is UTC.

    Raises:
        InputError: it is no time.
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        return round((found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise InputError.of("starts_at", "is not a time", "write 2026-11-27T18:00:00Z") from None


@router.get("/tournaments/{tournament}", **answers(200, Tournament, needs=Needs.NOTHING, errors=("not-found",)))
async def get_tournament(request: Request, tournament: str) -> Tournament:
    """Get a tournament: how it is played and how far it is."""
    return await read(request, partial(store.tournament_by_id, identifier=tournament))


@router.get("/tournaments/{tournament}/entrants", **answers(200, Entrants, needs=Needs.NOTHING, errors=("not-found",)))
async def list_entrants(request: Request, tournament: str) -> Entrants:
    """List everybody who takes part; once it has started, with ranks and points. Of entries you see your own only."""
    viewer = principal_of(request).account

    return await read(request, partial(store.entrants_of, identifier=tournament, viewer=viewer))


@router.get("/tournaments/{tournament}/bracket", **answers(200, Bracket, needs=Needs.NOTHING, errors=("not-found",)))
async def get_bracket(
    request: Request,
    tournament: str,
    round: Annotated[int | None, Query(ge=1, le=_MOST, description="One round only.")] = None,
) -> Bracket:
    """Get the rounds that are made so far: who meets whom, the results, and the match of each game."""
    return await read(request, partial(store.bracket_of, identifier=tournament, number=round))


@router.post(
    "/tournaments/{tournament}/entrants",
    **answers(201, Tournament, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found", "conflict")),
)
async def enter(request: Request, tournament: str, body: Entering) -> Response:
    """Enter a tournament, or change the entry that you have entered. Its newest version at the start fights."""
    arena, whom, now = await arena_of(request), principal_of(request).id, running_of(request).now

    def work(connection: Connection) -> TournamentView:
        service.enter(connection, arena, whom, tournament, body.entry, now, body.salt)
        return store.tournament_by_id(connection, tournament)

    return await created(request, work)


@router.delete(
    "/tournaments/{tournament}/entrants",
    **answers(204, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found", "conflict")),
)
async def leave(request: Request, tournament: str) -> Response:
    """Leave a tournament. Once it has started, you lose all pairings that are not decided."""
    work = partial(service.leave, whom=principal_of(request).id, identifier=tournament)
    await context_of(request).writer.run(work)
    return Response(status_code=204)


@router.post(
    "/tournaments/{tournament}/start",
    **answers(200, Tournament, needs=Needs.OWNER, scope=Scope.PLAY, errors=("conflict",)),
)
async def start(request: Request, tournament: str) -> Response:
    """Start your tournament: seeds, versions, modifier and rules are taken now."""
    arena, whom, now = await arena_of(request), principal_of(request).id, running_of(request).now

    def work(connection: Connection) -> TournamentView:
        service.start_now(connection, arena, whom, tournament, now)
        return store.tournament_by_id(connection, tournament)

    return await created(request, work, status=200, location=None)


@router.delete("/tournaments/{tournament}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY, errors=("conflict",)))
async def cancel(request: Request, tournament: str) -> Response:
    """Cancel your tournament. All in it are told; what it has played stays."""
    now = running_of(request).now
    work = partial(service.cancel, whom=principal_of(request).id, identifier=tournament, now=now)
    await context_of(request).writer.run(work)
    return Response(status_code=204)
