"""Pages of tournaments: the list, the form for a new one, and each with its bracket and its buttons."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes import tournaments
from fracas.server.arena.routes.common import Cursor
from fracas.server.http.authorisation import Needs, Role, Scope, admits
from fracas.server.http.context import principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.pages.forms import Fields, Form, count_of, on_refusal, values_of
from fracas.server.pages.rendering import go, page

router = APIRouter(include_in_schema=False)

FORMAT_NAMES = {"elimination": "single elimination", "round_robin": "round robin", "swiss": "Swiss"}
# A page shows one round of a large tournament at a time.
MOST_PAIRINGS_SHOWN = 128
Text = Annotated[str | None, Query(max_length=100)]


@router.get("/tournaments", **admits(Needs.NOTHING))
async def show_tournaments(request: Request, league: Text = None, cursor: Cursor = None) -> Response:
    """Show tournaments, the newest first, and the form to make one."""
    return await _tournaments(request, league=league, cursor=cursor)


async def _tournaments(
    request: Request,
    problem: ApiProblem | None = None,
    fields: Fields | None = None,
    league: str | None = None,
    cursor: str | None = None,
) -> Response:
    found = await tournaments.list_tournaments(request, league=league or None, cursor=cursor, limit=50)
    following = found.links.get("next")
    return page(
        request,
        "tournaments.html",
        problem=problem,
        fields=fields or Fields(best_of="1", pause_minutes="0"),
        tournaments=found.items,
        following=None if following is None else f"/tournaments?{following.partition('?')[2]}",
        leagues=(await league_routes.list_leagues(request)).items,
        formats=FORMAT_NAMES,
        is_operator=principal_of(request).role is Role.OPERATOR,
    )


@router.post("/tournaments", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_tournaments)
async def make(request: Request, fields: Form) -> Response:
    """Make a tournament."""
    values: dict[str, Any] = {name: fields[name] for name in ("title", "league", "format")}
    values |= {name: count_of(fields[name], name) for name in ("best_of", "pause_minutes")}
    values |= {name: count_of(fields[name], name) for name in ("rounds", "most") if fields[name]}
    body = tournaments.NewTournament(**values, rated=fields["rated"] == "yes", starts_at=fields["starts_at"] or None)
    return go(f"/t/{values_of(await tournaments.make(request, body))['id']}")


@router.get("/t/{tournament}", **admits(Needs.NOTHING))
async def show_tournament(
    request: Request, tournament: str, round: Annotated[int | None, Query(ge=1, le=1_000_000)] = None
) -> Response:
    """Show a tournament: its bracket, how everybody stands, and what the caller can do."""
    return await _tournament(request, tournament, number=round)


async def _tournament(
    request: Request,
    tournament: str,
    problem: ApiProblem | None = None,
    fields: Fields | None = None,
    number: int | None = None,
) -> Response:
    found = await tournaments.get_tournament(request, tournament)
    entrants = (await tournaments.list_entrants(request, tournament)).items
    is_large = found.entrants * (found.rounds or 0) > 2 * MOST_PAIRINGS_SHOWN
    shown = number or (max(1, found.round) if is_large and found.round else None)
    bracket = await tournaments.get_bracket(request, tournament, round=shown)
    me = principal_of(request)
    can_enter = found.state == "entering" and me.is_somebody
    own = (await entry_routes.list_entries(request, league=found.league)).items if can_enter else []
    return page(
        request,
        "tournament.html",
        problem=problem,
        found=found,
        format=FORMAT_NAMES[found.format],
        entrants=entrants,
        mine=next((each for each in entrants if each.account.handle == me.handle), None),
        bracket=bracket,
        number=shown,
        entries=[each for each in own if each.state == "active" and (each.ranked or not found.rated)],
        is_organiser=found.organiser.handle == me.handle,
    )


@router.post("/t/{tournament}/enter", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_tournament)
async def enter(request: Request, tournament: str, fields: Form) -> Response:
    """Enter the tournament."""
    await tournaments.enter(
        request, tournament, tournaments.Entering(entry=fields["entry"], salt=fields["salt"] or None)
    )
    return go(f"/t/{tournament}")


@router.post("/t/{tournament}/leave", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_tournament)
async def leave(request: Request, tournament: str, fields: Form) -> Response:
    """Leave the tournament."""
    await tournaments.leave(request, tournament)
    return go(f"/t/{tournament}")


@router.post("/t/{tournament}/start", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_tournament)
async def start(request: Request, tournament: str, fields: Form) -> Response:
    """Start your tournament."""
    await tournaments.start(request, tournament)
    return go(f"/t/{tournament}")


@router.post("/t/{tournament}/cancel", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_tournament)
async def cancel(request: Request, tournament: str, fields: Form) -> Response:
    """Cancel your tournament."""
    await tournaments.cancel(request, tournament)
    return go(f"/t/{tournament}")
