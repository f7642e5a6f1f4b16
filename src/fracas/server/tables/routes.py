"""Routes of live tables: the lobby, opening and joining, proofs, and the socket at which people play."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import APIRouter, Query, Request, Response, WebSocket
from pydantic import Field
from sqlalchemy import Connection as Database

from fracas.errors import Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.portable.artefacts import is_current
from fracas.replay.bundle_file import bundle_of
from fracas.replay.table_file import open_battle, read_proof
from fracas.server.arena.routes.common import Cursor, Limit
from fracas.server.arena.store.leaderboards import Row, sort_key
from fracas.server.arena.store.people import account_by_handle
from fracas.server.database import documents
from fracas.server.http.answers import ROOT, Body, Document, answers, cut_page, link, links, read_cursor
from fracas.server.http.authorisation import Needs, Scope, socket_route
from fracas.server.http.context import Context, context_of, in_background, principal_of
from fracas.server.http.idempotency import created
from fracas.server.http.problems import ApiProblem, not_found
from fracas.server.ids import random_bytes
from fracas.server.tables import catalogue, ladders, store
from fracas.server.tables import quick_match as quick_match_rules
from fracas.server.tables.live_tables import LiveTables
from fracas.server.tables.store import NewTable, Stored
from fracas.server.tables.talk import talk
from fracas.server_models.answer import Page
from fracas.server_models.arena import Rank
from fracas.server_models.tables import GameTable, TableGame, TableRank, message_schemas

router = APIRouter(prefix=ROOT)
Ranked = TypeVar("Ranked", bound=Rank)

LONGEST_NAME = 100
PROOF_EXAMPLE = {"format": "fracas table", "version": 1, "commitment": "4be9" * 16}


class Asked(Body):
    """What is to be played."""

    game: str = Field(max_length=LONGEST_NAME, examples=["titans"])
    scenario: str | None = Field(
        None, max_length=LONGEST_NAME, examples=["standard"], description="Default: the game's first."
    )


class OpenTable(Asked):
    """A table to open."""

    seconds: int = Field(60, ge=5, le=86_400, description="How long a decision may take.")
    listed: bool = Field(True, description="Whether the lobby shows it; else only who has the link finds it.")
    bot: str | None = Field(None, max_length=LONGEST_NAME, examples=["tree search"], description="Who plays you.")
    side: Literal[1, 2] = Field(1, description="Where you sit.")


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Take up the tables where they were, and keep their clocks while the server runs."""
    tables = LiveTables(context)
    context.parts["tables"] = tables
    context.listeners.add(tables.hear)
    context.on_stop.append(tables.stop)
    await tables.start()
    tables.warm_up()
    async with in_background(context, tables.beat_loop):
        yield
    await tables.finish()


def tables_of(request: Request | WebSocket) -> LiveTables:
    """This room's part of the running server."""
    context: Context = request.app.state.context
    tables: LiveTables = context.parts["tables"]
    return tables


async def _asked(request: Request, body: Asked, **more: Any) -> NewTable:
    """The game, scenario and bot that somebody asked for.

    Raises:
        ApiProblem: 404, no such game; 422, no such scenario or bot.
    """
    game = await asyncio.to_thread(catalogue.game_of, body.game, context_of(request).settings.games)
    scenario = body.scenario or next(iter(game.scenarios))
    problems = []
    if scenario not in game.scenarios:
        hint = nearest(scenario, list(game.scenarios))
        problems.append(Problem("scenario", f"{game.name} has no scenario {quoted(scenario)} here", hint))
    bot = more.get("bot")
    if bot is not None and bot not in game.bots:
        problems.append(Problem("bot", f"no bot {quoted(bot)} plays {game.name} here", nearest(bot, game.bots)))
    if problems:
        raise ApiProblem("invalid-input", "There is no such table.", problems=problems)
    return NewTable(game, scenario, **more)


async def view_of(request: Request, stored: Stored) -> GameTable:
    """A table as answers show it."""
    table = await tables_of(request).table(stored.row.id)
    return stored.view(table.names)


@router.get("/table-games", **answers(200, Page[TableGame], needs=Needs.NOTHING))
async def list_games(request: Request) -> Page[TableGame]:
    """List the games that are played at tables, with their scenarios and bots."""
    found = await asyncio.to_thread(catalogue.offered, context_of(request).settings.games)
    return Page[TableGame](items=[each.view for each in found.values()], links=links(self=link("table-games")))


@router.get("/table-games/{game}/leaderboard", **answers(200, Page[Rank], needs=Needs.NOTHING, errors=("not-found",)))
async def get_ladder(
    request: Request,
    game: str,
    scenario: Annotated[str | None, Query(max_length=LONGEST_NAME, description="Default: the game's first.")] = None,
    around: Annotated[
        str | None, Query(max_length=LONGEST_NAME, description="Only the ranks around this handle.")
    ] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[Rank]:
    """Get the leaderboard of a game and one of its scenarios: sorted by mu - 3 sigma, then by fewer rated tables."""
    asked = await _asked(request, Asked(game=game, scenario=scenario), seconds=quick_match_rules.SECONDS)
    ladder = ladders.ladder_of(asked.game.name, asked.scenario)
    after = read_cursor(cursor if around is None else None, int, int, str)
    key = None if after is None else (after[0], after[1], after[2])

    def query(connection: Database) -> list[Row]:
        if around is None:
            return ladders.leaderboard(connection, ladder, limit + 1, key)
        return ladders.ranks_around(connection, ladder, account_by_handle(connection, around).id)

    rows = await context_of(request).readers.run(query)
    path = partial(link, "table-games", asked.game.name, "leaderboard", scenario=asked.scenario)
    if around is not None:
        return Page[Rank](items=_without_dead_links(request, rows), links=links(self=path(around=around)))
    shown, following = cut_page(rows, limit, sort_key)
    more = None if following is None else path(cursor=following, limit=limit)
    found = links(self=path(cursor=cursor, limit=limit), next=more)
    return Page[Rank](items=_without_dead_links(request, shown), links=found)


@router.get("/table-ratings/{handle}", **answers(200, Page[TableRank], needs=Needs.NOTHING, errors=("not-found",)))
async def list_ratings(request: Request, handle: str) -> Page[TableRank]:
    """List an account's ranks on the ladders of tables."""

    def query(connection: Database) -> list[TableRank]:
        return ladders.ranks_of(connection, account_by_handle(connection, handle).id)

    items = _without_dead_links(request, await context_of(request).readers.run(query))
    return Page[TableRank](items=items, links=links(self=link("table-ratings", handle)))


def _without_dead_links(request: Request, rows: Sequence[Ranked]) -> list[Ranked]:
    """Ranks without the links to profiles where this server has none."""
    if "arena" in context_of(request).settings.services:
        return list(rows)
    return [row.model_copy(update={"links": {}}) for row in rows]


async def game_of(request: Request, name: str) -> TableGame:
    """A game that is played at tables.

    Raises:
        ApiProblem: 404, there is none of this name.
    """
    return (await asyncio.to_thread(catalogue.game_of, name, context_of(request).settings.games)).view


@router.get(
    "/table-messages",
    **answers(200, Document, needs=Needs.NOTHING, example={"client": {"oneOf": []}, "server": {"oneOf": []}}),
)
async def get_message_schemas() -> Document:
    """Get the JSON Schema of every message at a table's socket, by who sends it."""
    return message_schemas()


@router.get("/tables", **answers(200, Page[GameTable], needs=Needs.NOTHING))
async def list_tables(
    request: Request, mine: Annotated[bool, Query(description="Your tables, those that are over too.")] = False
) -> Page[GameTable]:
    """List the tables of the lobby: those that wait for somebody, and those that are played."""
    context, whom = context_of(request), principal_of(request).account
    now = context.clock.now_ms()

    def query(connection: Database) -> list[Stored]:
        return store.own_tables(connection, whom, now) if mine and whom else store.lobby(connection, now)

    found = await context.readers.run(query)
    items = []
    for each in found:
        try:
            items.append(await view_of(request, each))
        except ApiProblem:
            # Of a game that this server has no longer.
            continue
    return Page[GameTable](items=items, links=links(self=link("tables", mine="true" if mine else None)))


@router.post(
    "/tables", **answers(201, GameTable, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found", "invalid-input"))
)
async def open_table(request: Request, body: OpenTable) -> Response:
    """Open a table: for whoever comes, for who has its link, or against a bot."""
    new = await _asked(request, body, seconds=body.seconds, listed=body.listed, bot=body.bot, side=body.side - 1)
    return await _made(request, store.open_table, new)


@router.post(
    "/tables/quick",
    **answers(201, GameTable, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found", "invalid-input")),
)
async def quick_match(request: Request, body: Asked) -> Response:
    """Sit down with whoever is closest by rating among those who wait for the same, or wait for the next."""
    # Sides may not be equally strong, and who waits must not always have the same one.
    side = random_bytes(1)[0] % 2
    new = await _asked(request, body, seconds=quick_match_rules.SECONDS, quick=True, side=side)
    return await _made(request, quick_match_rules.quick_match, new)


async def _made(request: Request, make: Any, new: NewTable) -> Response:
    tables, whom = tables_of(request), principal_of(request).id
    names = new.game.ruleset.side_names(new.game.scenarios[new.scenario].document)

    def work(connection: Database) -> GameTable:
        identifier = make(connection, new, whom, tables.here, tables.now)
        return store.load(connection, identifier, tables.now).view(names)

    return await created(request, work)


@router.get("/tables/{table}", **answers(200, GameTable, needs=Needs.NOTHING, errors=("not-found", "gone")))
async def get_table(request: Request, table: str) -> GameTable:
    """Get a table. Who knows its id may."""
    context = context_of(request)
    found = await context.readers.run(partial(store.load, identifier=table, now=context.clock.now_ms()))
    return await view_of(request, found)


@router.post(
    "/tables/{table}/seat",
    **answers(200, GameTable, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found", "conflict", "gone")),
)
async def sit_down(request: Request, table: str) -> GameTable:
    """Take the free seat of a table."""
    context = context_of(request)
    now = context.clock.now_ms()
    await tables_of(request).table(table)
    await context.writer.run(partial(store.join, identifier=table, whom=principal_of(request).id, now=now))
    return await get_table(request, table)


@router.delete(
    "/tables/{table}/seat",
    **answers(204, needs=Needs.OWNER, scope=Scope.PLAY),
)
async def get_up(request: Request, table: str) -> Response:
    """Leave your seat: a loss after the first step; before it the table closes, and nobody has won."""
    context, whom = context_of(request), principal_of(request).id
    now = context.clock.now_ms()

    def work(connection: Database) -> None:
        side = store.load(connection, table, now).side_of(whom)
        if side is None:
            raise not_found("no seat of yours")
        store.leave(connection, table, side, now)

    await context.writer.run(work)
    return Response(status_code=204)


@router.get(
    "/tables/{table}/proof",
    **answers(200, Document, needs=Needs.NOTHING, example=PROOF_EXAMPLE, errors=("not-found",)),
)
async def get_proof(request: Request, table: str) -> Response:
    """Get the proof of a table that is over; `fracas verify` checks it."""
    context = context_of(request)

    def query(connection: Database) -> bytes:
        row = store.load(connection, table, context.clock.now_ms()).row
        if row.proof is None:
            raise not_found("no proof before the end")
        return documents.get_bytes(connection, bytes(row.proof))

    headers = {"Content-Disposition": f'attachment; filename="table-{table}.json"'}
    return Response(await context.readers.run(query), media_type="application/json", headers=headers)


@router.get(
    "/tables/{table}/bundle",
    **answers(
        200, Document, needs=Needs.NOTHING, rate="run", example={"format": "fracas-bundle"}, errors=("not-found",)
    ),
)
async def get_bundle(request: Request, table: str) -> Response:
    """Get the battle of a table that is over as a bundle, which fracas.js plays by WebAssembly.

    There is none without a module of the rules, nor of a duel of titans that the rules did not decide.
    """
    document = json.loads(bytes((await get_proof(request, table)).body))

    def made() -> bytes:
        proof = read_proof(document, "proof")
        if not is_current(proof.game.name):
            raise not_found(f"no WebAssembly module of {proof.game.name}")
        battle = open_battle(proof)
        if battle is None:
            raise not_found("no bundle of a battle that the rules did not decide")
        return msgspec.json.encode(bundle_of(battle))

    return Response(await asyncio.to_thread(made), media_type="application/json")


@socket_route(router, "/tables/{table}/live", needs=Needs.NOTHING)
async def play(websocket: WebSocket, table: str) -> None:
    """Play at a table, or watch it: /api/v1/table-messages describes the messages."""
    await talk(tables_of(websocket), websocket, table)
