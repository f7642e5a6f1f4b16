"""Pages of the arena that anyone may read: leagues, leaderboards, profiles, entries, matches."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection

from fracas.server.arena import legs
from fracas.server.arena.domain import WAR
from fracas.server.arena.league import League
from fracas.server.arena.match_player import is_swapped
from fracas.server.arena.proofs import published
from fracas.server.arena.refusals import Missing
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes import matches as match_routes
from fracas.server.arena.routes import profiles as profile_routes
from fracas.server.arena.routes.common import Cursor, arena_of, read, running_of
from fracas.server.arena.seasons.season import all_seasons, latest_season, tools_of
from fracas.server.arena.store.leaderboards import leaderboard_rows
from fracas.server.arena.store.matches import matches_before, visible_match
from fracas.server.arena.views import league_view
from fracas.server.clock import iso
from fracas.server.http.answers import link
from fracas.server.http.authorisation import Needs, admits
from fracas.server.http.context import principal_of
from fracas.server.pages.entry_page import show_entry
from fracas.server.pages.happening import happening
from fracas.server.pages.rating_history import chart, rating_history
from fracas.server.pages.rendering import day_in_words, following, page, player_page
from fracas.server.tables.ladders import ranks_of
from fracas.server_models.arena import Match
from fracas.web.page import page_of

router = APIRouter(include_in_schema=False)


_LATEST, _TOP = 5, 3
Text = Annotated[str | None, Query(max_length=100)]


@router.get("/", **admits(Needs.NOTHING))
async def show_start(request: Request) -> HTMLResponse:
    """Show what happens now with the latest matches, and the leagues with their leaders."""
    opened, now = await arena_of(request), running_of(request).now
    viewer = principal_of(request).account

    def query(connection: Connection) -> dict[str, Any]:
        leagues = []
        for name, league in opened.leagues.items():
            season = latest_season(connection, name)
            top = [] if season is None else leaderboard_rows(connection, name, season.no, _TOP)
            leagues.append((league_view(league, season, now), top))
        latest = matches_before(connection, _LATEST, viewer=viewer)
        return {"leagues": leagues, "matches": latest}

    return page(request, "start.html", now=await happening(request), **await read(request, query))


@router.get("/leagues/{league}", **admits(Needs.NOTHING))
async def show_league(
    request: Request,
    league: str,
    season: league_routes.SeasonNumber = None,
    around: Text = None,
    cursor: Cursor = None,
) -> HTMLResponse:
    """Show a league: its leaderboard, whole or around an account, and its rules."""
    view = await league_routes.get_league(request, league)
    seasons = await league_routes.list_seasons(request, league)
    if not seasons.items:
        return page(request, "league.html", league=view, seasons=[], season=None, rows=[], following=None, around=None)
    table = await league_routes.get_leaderboard(request, league, season, around or None, cursor)
    number = season or seasons.items[0].number
    return page(
        request,
        "league.html",
        league=view,
        seasons=seasons.items,
        season=number,
        rows=table.items,
        following=following(table, f"/leagues/{league}"),
        around=around,
    )


@router.get("/leagues/{league}/days", **admits(Needs.NOTHING))
async def show_days(request: Request, league: str, cursor: Cursor = None) -> HTMLResponse:
    """Show a league's days with their commitments; a day that is over can be downloaded and verified."""
    view = await league_routes.get_league(request, league)
    days = await league_routes.list_days(request, league, cursor, 50)
    head, more = await league_routes.get_head(request, league), following(days, f"/leagues/{league}/days")
    return page(request, "days.html", league=view, days=days.items, head=head, following=more)


@router.get("/leagues/{league}/bots", **admits(Needs.NOTHING))
async def show_bots(request: Request, league: str) -> HTMLResponse:
    """Show a league's bots with their measured strength."""
    view = await league_routes.get_league(request, league)
    bots = await league_routes.list_bots(request, league)
    return page(request, "bots.html", league=view, bots=bots.items)


@router.get("/p/{handle}", **admits(Needs.NOTHING))
async def show_profile(request: Request, handle: str) -> HTMLResponse:
    """Show an account: its ratings and how they came about, its entries, its latest matches."""
    profile = await profile_routes.get_profile(request, handle)
    whom, viewer = await profile_routes.account_of(request, handle), principal_of(request).account

    def query(connection: Connection) -> tuple[list[Any], list[Any]]:
        charts = [chart(rating_history(connection, row.league, row.season, whom.id)) for row in profile.ratings]
        latest = matches_before(connection, _LATEST, whom=whom.id, viewer=viewer)
        return charts, latest

    charts, latest = await read(request, query)
    ratings = list(zip(profile.ratings, charts, strict=True))
    of_tables = await read(request, partial(ranks_of, whom=whom.id))
    return page(request, "profile.html", profile=profile, ratings=ratings, matches=latest, of_tables=of_tables)


@router.get("/e/{entry}", **admits(Needs.NOTHING))
async def show_one_entry(request: Request, entry: str) -> HTMLResponse:
    """Show an entry with its versions, and to its author what can be done with it."""
    return await show_entry(request, entry)


@router.get("/matches", **admits(Needs.NOTHING))
async def show_matches(
    request: Request, league: Text = None, account: Text = None, opponent: Text = None, cursor: Cursor = None
) -> HTMLResponse:
    """Show matches, the newest first."""
    chosen: dict[str, Any] = {"league": league or None, "account": account or None, "opponent": opponent or None}
    matches = await match_routes.list_matches(request, **chosen, cursor=cursor, limit=50)
    return page(
        request,
        "matches.html",
        matches=matches.items,
        following=following(matches, "/matches"),
        csv=link("matches.csv", **chosen),
        leagues=list((await arena_of(request)).leagues),
        **chosen,
    )


@router.get("/m/{match}", **admits(Needs.NOTHING))
async def show_match(request: Request, match: str) -> HTMLResponse:
    """Show a match: its outcome and its proof, with links to its legs."""
    view = await match_routes.get_match(request, match)
    seen = await _hidden_until(request, view)
    return page(request, "match.html", match=view, hidden_until=seen, **await _about(request, match))


@router.get("/m/{match}/legs/{leg}", **admits(Needs.NOTHING, rate="run"))
async def show_leg(request: Request, match: str, leg: int) -> HTMLResponse:
    """Show a leg's story; it is played again for that."""
    view = await match_routes.get_match(request, match)
    seen = await _hidden_until(request, view)
    found = await match_routes.told_leg(request, match, leg, with_people=True)
    return page(request, "leg.html", match=view, hidden_until=seen, leg=found)


@router.get("/m/{match}/legs/{leg}/player", **admits(Needs.NOTHING, rate="run"))
async def show_player(request: Request, match: str, leg: int) -> HTMLResponse:
    """Show a leg in the player, which plays it again on the visitor's device; only if nothing in it is hidden."""
    view = await match_routes.get_match(request, match)
    return player_page(await _player(request, view, leg, _around(view, leg)))


@router.get("/embed/m/{match}", **admits(Needs.NOTHING, rate="run"))
async def show_embedded(request: Request, match: str, leg: int = 0) -> HTMLResponse:
    """Show a leg in the player alone, for pages of others to frame: no links, no cookies, nothing that writes."""
    view = await match_routes.get_match(request, match)
    return player_page(await _player(request, view, leg, {}), framed_by="*")


async def _player(request: Request, match: Match, leg: int, links: Mapping[str, str]) -> str:
    """The player of a leg, if nothing in it is hidden."""

    def made(viewed: legs.StoredLeg) -> str:
        if viewed.hidden:
            raise Missing("player, because an entry in this match is still hidden")
        battle = viewed.battle()
        return page_of(battle, links, _note(match, leg), _people(match, leg))

    return await match_routes.play_leg(request, match.id, leg, made)


async def _hidden_until(request: Request, match: Match) -> str:
    """Until when an entry of a match stays hidden from the caller; empty if none is."""
    league = (await arena_of(request)).leagues.get(match.league)
    viewer = principal_of(request).account

    def query(connection: Connection) -> str:
        if not visible_match(connection, match.id, viewer).hidden_from(viewer):
            return ""
        found = next(each for each in all_seasons(connection, match.league) if each.no == match.season)
        return revealed(league, found.ends_at, is_public=match.number is not None or match.kind == WAR)

    return await read(request, query)


def revealed(league: League | None, season_ends: int, *, is_public: bool) -> str:
    """When a hidden entry of a match will be revealed, by its league's rule: words that follow "revealed"."""
    if league is None:
        return "by nobody: its league is no longer on this server"
    if not league.hides_entries:
        return "after its first public match"
    day = day_in_words(iso(season_ends))
    return f"on {day}, when the season ends" if is_public else f"on {day}, if it has fought in public by then"


def _around(match: Match, leg: int) -> dict[str, str]:
    """Where a leg's player leads to: address by text."""
    here = f"/m/{match.id}"
    first, second = match.sides
    others = {f"Battle {each.no + 1}": f"{here}/legs/{each.no}/player" for each in match.legs}
    return {
        "Fracas": "/",
        match.league: f"/leagues/{match.league}",
        f"The match {first.account.name} against {second.account.name}": here,
        "Story": f"{here}/legs/{leg}",
        **{text: address for text, address in others.items() if address != f"{here}/legs/{leg}/player"},
    }


def _people(match: Match, leg: int) -> list[str]:
    """Whose the sides of a leg's battle are."""
    names = [side.account.name for side in match.sides]
    return names[::-1] if is_swapped(leg) else names


def _note(match: Match, leg: int) -> str:
    """What the server says about a leg and a battle does not: its place in the match, the titles of the entries."""
    entries = [f"{side.account.name} plays “{side.title}” ({side.code})" for side in match.sides]
    return f"This server says: battle {leg + 1} of {len(match.legs)}; {'; '.join(entries)}."


async def _about(request: Request, match: str) -> dict[str, Any]:
    """The proof of a match: its day's commitment, the head over it, and what plays it again if this server cannot."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> dict[str, Any]:
        view = visible_match(connection, match, viewer)
        after = (date.fromisoformat(view.day) + timedelta(days=1)).isoformat()
        rows = published.days(connection, view.league, after, 1)
        day = next((row for row in rows if row.day == view.day), None)
        number = view.number
        over = None if number is None else published.head_over(connection, view.league, view.day, number)
        is_playable = legs.installed_rules(connection, view) is not None
        return {
            "day": day,
            "head": over,
            "is_playable": is_playable,
            "release": None if is_playable else tools_of(connection, view.league).get(view.season),
        }

    return await read(request, query)
