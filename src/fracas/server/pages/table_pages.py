"""Pages of live tables: the lobby, and a table, whose script plays over its socket."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from fracas.rulesets import registry
from fracas.server.arena.routes.common import Cursor
from fracas.server.http.authorisation import Needs, Scope, admits
from fracas.server.http.middleware import PAGE_POLICY
from fracas.server.http.problems import ApiProblem
from fracas.server.pages.forms import Fields, Form, count_of, on_refusal, values_of
from fracas.server.pages.rendering import following, go, page
from fracas.server.tables import routes as tables
from fracas.server_models.tables import seats_of
from fracas.web.battle import island
from fracas.web.table_setup import table_setup

router = APIRouter(include_in_schema=False)

# Ranks of each game in the lobby.
_TOP = 3
Text = Annotated[str | None, Query(max_length=100)]

# The script compiles the rules, to check the proof.
_POLICY = PAGE_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:")


@router.get("/tables", **admits(Needs.NOTHING))
async def show_lobby(request: Request) -> Response:
    """Show the lobby: who waits, what is played, and how to open a table."""
    return await _lobby(request, Fields())


async def _lobby(request: Request, fields: Fields, problem: ApiProblem | None = None) -> Response:
    games = (await tables.list_games(request)).items
    listed = (await tables.list_tables(request, mine=False)).items
    mine = (await tables.list_tables(request, mine=True)).items if request.state.principal.is_somebody else []
    ranks = [(each, (await tables.get_ladder(request, each.game, limit=_TOP)).items) for each in games]
    shown: dict[str, Any] = {
        "ranks": ranks,
        "games": games,
        "waiting": [each for each in listed if each.state == "waiting"],
        "played": [each for each in listed if each.state != "waiting"],
        "mine": mine,
        "fields": fields,
    }
    return page(request, "tables.html", problem=problem, **shown)


@router.get("/ladders/{game}", **admits(Needs.NOTHING))
async def show_ladder(
    request: Request, game: str, scenario: Text = None, around: Text = None, cursor: Cursor = None
) -> Response:
    """Show the ranks of a game and one of its scenarios, all or those around an account."""
    found = await tables.game_of(request, game)
    chosen = scenario or found.scenarios[0]
    ranks = await tables.get_ladder(request, game, chosen, around or None, cursor)
    shown: dict[str, Any] = {"game": found, "scenario": chosen, "rows": ranks.items, "around": around}
    return page(request, "ladder.html", **shown, following=following(ranks, f"/ladders/{game}"))


@router.post("/tables", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_lobby)
async def open_table(request: Request, fields: Form) -> Response:
    """Open a table, or sit down at the next one."""
    game, _, scenario = fields["what"].partition("/")
    if fields["do"] == "quick":
        answer = await tables.quick_match(request, tables.Asked(game=game, scenario=scenario or None))
    else:
        body = tables.OpenTable(
            game=game,
            scenario=scenario or None,
            seconds=count_of(fields["seconds"] or "60", "seconds"),
            listed=fields["listed"] == "yes",
            bot=fields["bot"] or None,
            side=1,
        )
        answer = await tables.open_table(request, body)
    return go(f"/d/{values_of(answer)['id']}")


@router.get("/d/{table}", **admits(Needs.NOTHING))
async def show_table(request: Request, table: str) -> Response:
    """Show a table: to play at it, or to watch."""
    return await _table(request, Fields(), table=table)


async def _table(request: Request, fields: Fields, table: str, problem: ApiProblem | None = None) -> Response:
    found = await tables.get_table(request, table)
    free = [seat for seat in found.seats if seat.account is None and seat.bot is None]
    handles = [seat.account.handle for seat in found.seats if seat.account is not None]
    may_sit = found.state == "waiting" and bool(free) and request.state.principal.handle not in handles
    live = await tables.tables_of(request).table(table)
    drawn = live.game.scenarios.get(found.scenario, live.scenario)
    setup = island(await asyncio.to_thread(table_setup, live.scenario, drawn))
    answer = page(request, "table.html", problem=problem, table=found, may_sit=may_sit, setup=setup)
    answer.headers["Content-Security-Policy"] = _POLICY
    return answer


@router.get("/d/{table}/proof", **admits(Needs.NOTHING))
async def show_proof(request: Request, table: str) -> Response:
    """Show what was promised about the dice, and the check of it; before the end that there is none yet."""
    found = await tables.get_table(request, table)
    called = zip(found.seats, seats_of(found), strict=True)
    shown: dict[str, Any] = {
        "table": found,
        "is_there": "proof" in found.links,
        "seat_names": [seat.name if who is None else f"{who} ({seat.name})" for seat, who in called],
        "is_file": found.game not in registry.NAMES,
    }
    answer = page(request, "table_proof.html", **shown)
    answer.headers["Content-Security-Policy"] = _POLICY
    return answer


@router.post("/d/{table}/seat", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_table)
async def sit_down(request: Request, table: str, fields: Form) -> Response:
    """Take the free seat."""
    await tables.sit_down(request, table)
    return go(f"/d/{table}")
