"""What the arena's routes answer of leagues and seasons; other answers are made by their queries."""

from __future__ import annotations

from fracas.server.arena.league import League
from fracas.server.arena.seasons.season import Season
from fracas.server.clock import date_of, iso
from fracas.server.http.answers import link, links
from fracas.server_models import arena


def season_view(season: Season) -> arena.Season:
    """A season with what it pins."""
    return arena.Season(
        number=season.no,
        rules_version=season.rules_version,
        fingerprint=season.fingerprint.hex(),
        revision=season.revision.hex(),
        rating_model=season.rating_model,
        starts_at=iso(season.starts_at),
        ends_at=iso(season.ends_at),
        ended_at=None if season.ended_at is None else iso(season.ended_at),
    )


def listed_season(season: Season, tool: str | None) -> arena.ListedSeason:
    """A season of a league, and what played it."""
    leaderboard = link("leagues", season.league, "leaderboard", season=season.no)
    return arena.ListedSeason(**vars(season_view(season)), tool=tool, links=links(leaderboard=leaderboard))


def league_view(league: League, season: Season | None, now: int) -> arena.League:
    """A league with its rules, this week's modifier and its season."""
    places = ("schema", "head", "days", "seasons", "leaderboard", "bots")
    answered = {
        "note": league.file.note,
        "profile": league.profile,
        "modifier": league.modifier_at(date_of(now)),
        "modifier_rule": league.file.modifier,
        "revision": league.revision.hex(),
        "season": None if season is None else season_view(season),
        "open": season is not None and season.ended_at is None and season.fits(league),
        "links": links(
            self=link("leagues", league.id),
            **{name: link("leagues", league.id, name) for name in places},
            matches=link("matches", league=league.id),
        ),
    }
    return arena.League(**{**league.document, **answered})
