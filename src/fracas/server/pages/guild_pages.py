"""Pages of guilds and their wars: found, join and manage a guild, and read how a war went."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from fracas.server.arena.guilds.service import MOST_MEMBERS
from fracas.server.arena.refusals import Missing
from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import guilds
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes.common import Cursor
from fracas.server.arena.wars.war import MOST_NAMED
from fracas.server.http.authorisation import Needs, Scope, admits
from fracas.server.http.context import principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.pages.forms import Fields, Form, fields_of, on_refusal, values_of
from fracas.server.pages.rendering import following, go, page
from fracas.server.pages.war_chart import chart
from fracas.server_models.guilds import Guild, War

router = APIRouter(include_in_schema=False)

Text = Annotated[str | None, Query(max_length=100)]
_LATEST = 6


@router.get("/guilds", **admits(Needs.NOTHING))
async def show_guilds(request: Request, cursor: Cursor = None) -> Response:
    """Show all guilds, your own first, the latest wars, and the forms to join and to found one."""
    return await _guilds(request, cursor=cursor)


async def _guilds(
    request: Request, problem: ApiProblem | None = None, fields: Fields | None = None, cursor: str | None = None
) -> Response:
    found = await guilds.list_guilds(request, None, cursor, 50)
    wars = await guilds.list_wars(request, None, None, None, _LATEST)
    return page(
        request,
        "guilds.html",
        problem=problem,
        mine=await _own_guild(request),
        guilds=found.items,
        following=following(found, "/guilds"),
        wars=wars.items,
        leagues=(await league_routes.list_leagues(request)).items,
        fields=fields or Fields(),
    )


async def _own_guild(request: Request) -> Guild | None:
    if not principal_of(request).is_somebody:
        return None
    try:
        return await guilds.get_own_guild(request)
    except Missing:
        return None


@router.post("/guilds", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_guilds)
async def found(request: Request, fields: Form) -> Response:
    """Found a guild."""
    body = guilds.NewGuild(name=fields["name"], league=fields["league"])
    return go(f"/guilds/{values_of(await guilds.found_guild(request, body))['id']}")


@router.post("/guilds/join", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_guilds)
async def join(request: Request, fields: Form) -> Response:
    """Join a guild by its code."""
    joined = await guilds.join_guild(request, guilds.GuildCode(code=fields["code"]))
    return go(f"/guilds/{values_of(joined)['id']}")


@router.get("/guilds/{guild}", **admits(Needs.NOTHING))
async def show_guild(request: Request, guild: str) -> Response:
    """Show a guild: its members, its wars, and to its members what they can do."""
    return await _guild(request, guild)


async def _guild(
    request: Request, guild: str, problem: ApiProblem | None = None, fields: Fields | None = None
) -> Response:
    view = await guilds.get_guild(request, guild)
    wars = await guilds.list_wars(request, None, guild, None, 20)
    mine = next((each for each in view.members if each.account.handle == principal_of(request).handle), None)
    own: list[Any] = []
    if mine is not None:
        own = [each for each in (await entry_routes.list_entries(request, view.league)).items if each.state == "active"]
    return page(
        request,
        "guild.html",
        problem=problem,
        guild=view,
        mine=mine,
        own=own,
        wars=wars.items,
        following=following(wars, "/wars"),
        most_members=MOST_MEMBERS,
        most_named=MOST_NAMED,
        fields=fields or Fields(),
    )


@router.post("/guilds/{guild}/entry", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_guild)
async def name(request: Request, guild: str, fields: Form) -> Response:
    """Name an entry for the guild's wars."""
    await guilds.name_entry(request, guild, guilds.Naming(entry=fields["entry"]))
    return go(f"/guilds/{guild}")


@router.post("/guilds/{guild}/members/{handle}/entry", **admits(Needs.OWNER, scope=Scope.PLAY))
async def take_back(request: Request, guild: str, handle: str) -> Response:
    """Take back what a member named."""
    await fields_of(request)
    await guilds.take_back(request, guild, handle)
    return go(f"/guilds/{guild}")


@router.post("/guilds/{guild}/members/{handle}/remove", **admits(Needs.OWNER, scope=Scope.PLAY))
async def remove(request: Request, guild: str, handle: str) -> Response:
    """Leave the guild, or remove a member from it."""
    await fields_of(request)
    await guilds.remove_member(request, guild, handle)
    return go("/guilds" if handle == principal_of(request).handle else f"/guilds/{guild}")


@router.post("/guilds/{guild}/owner", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_guild)
async def hand_over(request: Request, guild: str, fields: Form) -> Response:
    """Hand the guild over to another member."""
    await guilds.hand_over(request, guild, guilds.NewOwner(handle=fields["handle"]))
    return go(f"/guilds/{guild}")


@router.post("/guilds/{guild}/code", **admits(Needs.OWNER, scope=Scope.PLAY))
async def renew(request: Request, guild: str) -> Response:
    """Give the guild a new code."""
    await fields_of(request)
    await guilds.renew_code(request, guild)
    return go(f"/guilds/{guild}")


@router.post("/guilds/{guild}/dissolve", **admits(Needs.OWNER, scope=Scope.PLAY))
async def dissolve(request: Request, guild: str) -> Response:
    """Dissolve the guild."""
    await fields_of(request)
    await guilds.dissolve_guild(request, guild)
    return go("/guilds")


@router.get("/wars", **admits(Needs.NOTHING))
async def show_wars(request: Request, league: Text = None, guild: Text = None, cursor: Cursor = None) -> HTMLResponse:
    """Show wars, the newest week first."""
    wars = await guilds.list_wars(request, league or None, guild or None, cursor, 50)
    return page(request, "wars.html", wars=wars.items, following=following(wars, "/wars"))


@router.get("/wars/{war}", **admits(Needs.NOTHING))
async def show_war(request: Request, war: str) -> HTMLResponse:
    """Show a war: its story, the points over its matches, who fought, and every match."""
    view = await guilds.get_war(request, war)
    people = [{each.position: each.account for each in side.entries} for side in view.sides]
    return page(request, "war.html", war=view, people=people, chart=chart(view, _names(view)))


def _names(war: War) -> list[str]:
    """Each match of a war in a few words."""
    people = [{each.position: each.account.name for each in side.entries} for side in war.sides]
    found = []
    for each in war.matches:
        first, second = (people[place][each.positions[place]] for place in (0, 1))
        sign = "could not meet" if each.score is None else "drew with" if each.points[0] == each.points[1] else "beat"
        one, other = (second, first) if each.points[1] > each.points[0] else (first, second)
        found.append(f"{one} {sign} {other}")
    return found
