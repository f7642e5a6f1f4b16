"""Routes of matches and their legs, and of practice and challenges."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field
from sqlalchemy import Connection

from fracas.errors import InputError
from fracas.server.arena import exports, legs
from fracas.server.arena.matches import unranked
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.routes.common import (
    ID_EXAMPLE,
    LONGEST_TEXT,
    MOST_ROWS,
    Cursor,
    Limit,
    Result,
    arena_of,
    read,
    running_of,
)
from fracas.server.arena.store.matches import MatchView, match_by_id, match_with_legs, matches_before, visible_match
from fracas.server.arena.store.people import account_by_handle
from fracas.server.http.answers import ROOT, Body, Document, answers, cut_page, link, links, read_cursor
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server_models.answer import Page
from fracas.server_models.arena import Event, Leg, Match

router = APIRouter(prefix=ROOT)


class Practice(Body):
    """A match against a bot."""

    entry: str = Field(max_length=LONGEST_TEXT, examples=[ID_EXAMPLE])
    bot: str = Field(max_length=LONGEST_TEXT, examples=["toll-gate"], description="The handle of a bot of the league.")


class Challenge(Body):
    """A match against a named rival."""

    entry: str = Field(max_length=LONGEST_TEXT, examples=[ID_EXAMPLE])
    rival: str = Field(max_length=LONGEST_TEXT, examples=["bob"], description="The rival's handle.")


@router.get("/matches", **answers(200, Page[Match], needs=Needs.NOTHING, errors=("not-found",)))
async def list_matches(
    request: Request,
    league: Annotated[str | None, Query(max_length=100)] = None,
    account: Annotated[str | None, Query(max_length=100, description="Only matches of this handle.")] = None,
    opponent: Annotated[str | None, Query(max_length=100, description="Of those, only against this handle.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[Match]:
    """List matches, the newest first; your own practice and challenges among them."""
    decoded = read_cursor(cursor, int, str)
    before = None if decoded is None else (decoded[0], decoded[1])
    rows = await _matches(request, league, account, opponent, before, limit + 1)
    shown, following = cut_page(rows, limit, lambda row: (row.played_ms, row.id))
    path = partial(link, "matches", league=league, account=account, opponent=opponent, limit=limit)
    more = None if following is None else path(cursor=following)
    return Page[Match](items=shown, links=links(self=path(cursor=cursor), next=more))


async def _matches(
    request: Request,
    league: str | None,
    account: str | None,
    opponent: str | None,
    before: tuple[int, str] | None,
    limit: int,
) -> list[MatchView]:
    viewer = principal_of(request).account

    def query(connection: Connection) -> list[MatchView]:
        whom = None if account is None else account_by_handle(connection, account).id
        rival = None if opponent is None else account_by_handle(connection, opponent).id
        return matches_before(connection, limit, league=league, whom=whom, opponent=rival, viewer=viewer, before=before)

    return await read(request, query)


@router.get(
    "/matches.csv",
    **answers(200, needs=Needs.NOTHING, example="match,played_at\n", media_type="text/csv", errors=("not-found",)),
)
async def list_matches_csv(
    request: Request,
    league: Annotated[str | None, Query(max_length=100)] = None,
    account: Annotated[str | None, Query(max_length=100)] = None,
    opponent: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Get matches as CSV, the newest 10,000."""
    rows = await _matches(request, league, account, opponent, None, MOST_ROWS)
    return PlainTextResponse(exports.history_csv(rows), media_type="text/csv")


@router.get("/matches/{match}", **answers(200, Match, needs=Needs.NOTHING, errors=("not-found",)))
async def get_match(request: Request, match: str) -> Match:
    """Get a match with its legs."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> Match:
        return match_with_legs(connection, visible_match(connection, match, viewer))

    return await read(request, query)


async def play_leg(request: Request, match: str, leg: int, work: Callable[[legs.StoredLeg], Result]) -> Result:
    """Play a leg again as far as the caller may see it.

    Raises:
        OtherRules: it is of rules that this program does not have.
    """
    viewer = principal_of(request).account
    found = await read(request, partial(legs.viewed_leg, identifier=match, number=leg, viewer=viewer))
    return await running_of(request).play_again(partial(work, found))


@router.get(
    "/matches/{match}/legs/{leg}", **answers(200, Leg, needs=Needs.NOTHING, rate="run", errors=("not-found", "gone"))
)
async def get_leg(request: Request, match: str, leg: int) -> Leg:
    """Get a leg: outcome and story. One of older rules is gone: the answer names the release that plays it again."""
    return await told_leg(request, match, leg)


async def told_leg(request: Request, match: str, leg: int, *, with_people: bool = False) -> Leg:
    """A leg; its story may call the sides by their people, too. Errors as for `play_leg`."""
    body = await play_leg(request, match, leg, partial(legs.leg_document, with_people=with_people))
    path = partial(link, "matches", match, "legs", leg)
    replay = None if body["hidden_sides"] else path("replay")
    return Leg(**body, links=links(self=path(), events=path("events"), replay=replay))


@router.get(
    "/matches/{match}/legs/{leg}/events",
    **answers(200, Page[Event], needs=Needs.NOTHING, rate="run", errors=("not-found", "gone")),
)
async def get_events(request: Request, match: str, leg: int) -> Page[Event]:
    """Get a leg's events; those of a hidden entry without the reasons of its decisions."""
    found = await play_leg(request, match, leg, legs.leg_events)
    return Page[Event](items=found, links=links(self=link("matches", match, "legs", leg, "events")))


@router.get(
    "/matches/{match}/legs/{leg}/replay",
    **answers(
        200,
        Document,
        needs=Needs.NOTHING,
        rate="run",
        example={"format": "fracas-replay"},
        errors=("not-found", "gone"),
    ),
)
async def get_replay(request: Request, match: str, leg: int) -> Response:
    """Get a leg as a replay, which `fracas verify` checks; only if no entry in it is hidden from you."""
    found = await play_leg(request, match, leg, lambda stored: msgspec.json.encode(legs.leg_replay(stored)))
    return Response(found, media_type="application/json")


@router.post(
    "/practice", **answers(201, Match, needs=Needs.ACCOUNT, scope=Scope.PLAY, rate="run", errors=("not-found",))
)
async def practise(request: Request, body: Practice) -> Response:
    """Fight a bot of known strength, at once. Nothing is rated, and only you see the match."""
    whom, plan = principal_of(request).id, unranked.plan_practice
    return await _fight(request, partial(plan, whom=whom, entry_id=body.entry, bot=body.bot))


@router.post(
    "/challenges", **answers(201, Match, needs=Needs.ACCOUNT, scope=Scope.PLAY, rate="run", errors=("not-found",))
)
async def challenge(request: Request, body: Challenge) -> Response:
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

    def work(connection: Connection) -> Match:
        if isinstance(found, Exception):
            raise found
        identifier = unranked.store(connection, arena, found, now)
        return match_with_legs(connection, match_by_id(connection, identifier))

    return await created(request, work)
