"""Seasons: each pins its rules, content and league, and hands its ratings on to the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from fracas.errors import InputError
from fracas.server.arena.domain import Arena
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import League
from fracas.server.arena.ratings import Rating, folded, model_version
from fracas.server.arena.seasons import days
from fracas.server.arena.visibility import reveal_fought
from fracas.server.clock import DAY, day_of
from fracas.server.database import documents, due, streams
from fracas.server.database.tables import (
    account,
    entry,
    entry_version,
    is_newest,
    rating,
    season,
    season_program,
    ticket,
)
from fracas.server.database.tables import league as league_table
from fracas.server.database.upsert import insert_if_absent, insert_or_update
from fracas.server.http.authorisation import Role

# The kind of due work.
SEASON_END = "season-end"


@dataclass(frozen=True)
class Season:
    """A season of a league."""

    league: str
    no: int
    rules_version: int
    fingerprint: bytes
    revision: bytes
    rating_model: str
    starts_at: int
    ends_at: int
    ended_at: int | None

    def fits(self, league: League) -> bool:
        """Whether this program plays by what the season pins."""
        return (self.rules_version, self.fingerprint, self.revision, self.rating_model) == _pinned(league)


def _pinned(league: League) -> tuple[int, bytes, bytes, str]:
    return league.rules_version, league.fingerprint, league.revision, model_version()


def _season(row: Any) -> Season:
    return Season(
        row.league,
        row.no,
        row.rules_version,
        bytes(row.fingerprint),
        bytes(row.revision),
        row.rating_model,
        row.starts_at,
        row.ends_at,
        row.ended_at,
    )


# Built once: nearly every read asks for a season, and to build a statement costs as much as to run it.
_SEASONS = select(season).where(season.c.league == bindparam("the_league")).order_by(season.c.no.desc())
_LATEST = _SEASONS.limit(1)


def latest_season(connection: Connection, league: str) -> Season | None:
    """The newest season of a league, which may have ended."""
    row = connection.execute(_LATEST, {"the_league": league}).first()
    return None if row is None else _season(row)


def all_seasons(connection: Connection, league: str) -> list[Season]:
    """All seasons of a league, the newest first."""
    rows = connection.execute(_SEASONS, {"the_league": league})
    return [_season(row) for row in rows]


def open_league(connection: Connection, arena: Arena, league: League, now: int) -> Season:
    """Make a league's row, its season and its days, as far as they are missing; return its newest season.

    A season that pins other rules, content or prices than this program has stays as it is: nothing is matched in it
    until `migrate_season` ends it.
    """
    found = latest_season(connection, league.id)
    if found is None or found.fits(league):
        _store_league(connection, league)
    days.open_days(connection, arena, league.id, now)
    if found is not None and found.ended_at is None:
        if found.fits(league):
            _note_release(connection, league, found)
        return found
    return _begin(connection, league, 1 if found is None else found.no + 1, now)


def _store_league(connection: Connection, league: League) -> None:
    document = documents.put(connection, league.document)
    insert_or_update(connection, league_table, {"id": league.id, "revision": league.revision, "document": document})


def _begin(connection: Connection, league: League, number: int, now: int) -> Season:
    rules_version, fingerprint, revision, model = _pinned(league)
    ends_at = days.start_of_day(day_of(now)) + league.file.season_days * DAY
    made = Season(league.id, number, rules_version, fingerprint, revision, model, now, ends_at, None)
    connection.execute(insert(season).values(**vars(made)))
    due.schedule(connection, SEASON_END, league.id, ends_at)
    _note_release(connection, league, made)
    return made


def _note_release(connection: Connection, league: League, found: Season) -> None:
    """Note that this release plays a season, unless an earlier one began it."""
    values = {"league": found.league, "season": found.no, "tool": league.tool}
    insert_if_absent(connection, season_program, values)


def tools_of(connection: Connection, league: str) -> dict[int, str]:
    """What played each season, such as `fracas==1.2.0` or `fracas==1.2.0 dogs==1.0`; very old seasons are missing."""
    rows = connection.execute(select(season_program).where(season_program.c.league == league))
    return {row.season: row.tool for row in rows}


def end_season(connection: Connection, arena: Arena, league: League, now: int) -> Season:
    """End a league's season and begin the next: ratings fold over, versions that fought are revealed, tickets stay."""
    found = latest_season(connection, league.id)
    if found is None or found.ended_at is not None:
        return open_league(connection, arena, league, now)
    where = (season.c.league == league.id) & (season.c.no == found.no)
    connection.execute(update(season).where(where).values(ended_at=now))
    reveal_fought(connection, league.id, now)
    made = _begin(connection, league, found.no + 1, now)
    _store_league(connection, league)
    accounts = fold_ratings(connection, league.id, found.no, made.no)
    body = {"league": league.id, "season": found.no, "next": made.no}
    streams.append(connection, ((each, "season.ended", body) for each in accounts), now)
    return made


def end_when_due(connection: Connection, arena: Arena, league: str, at: int, now: int) -> bool:
    """End a season whose time has come; return whether it had not ended before."""
    found = latest_season(connection, league)
    is_due = league in arena.leagues and found is not None and found.ends_at <= at and found.ended_at is None
    if is_due:
        end_season(connection, arena, arena.leagues[league], now)
    return is_due


def season_by_number(connection: Connection, league: str, number: int) -> Season:
    """A season that exists."""
    where = (season.c.league == league) & (season.c.no == number)
    return _season(connection.execute(select(season).where(where)).one())


def fold_ratings(connection: Connection, league: str, number: int, following: int) -> list[str]:
    """Begin the next season with the folded ratings of this one; return the accounts."""
    query = (
        select(rating, account.c.role)
        .join(account, account.c.id == rating.c.account)
        .where(rating.c.league == league, rating.c.season == number)
        .order_by(rating.c.account)
    )
    rows = connection.execute(query).all()
    for row in rows:
        last = Rating.of_hex(row.mu, row.sigma)
        # A bot's strength was measured and stays.
        values = rating_row(league, following, row.account, last if row.role == Role.BOT else folded(last))
        insert_if_absent(connection, rating, {**values, "entry": row.entry, "version": row.version})
    return [row.account for row in rows if row.role != Role.BOT]


def rating_row(league: str, number: int, account: str, start: Rating) -> dict[str, Any]:
    """The row of a rating before the season's first match."""
    mu, sigma = start.as_hex()
    return {
        "league": league,
        "season": number,
        "account": account,
        "mu": mu,
        "sigma": sigma,
        "score": start.score,
        "n": 0,
        "start_mu": mu,
        "start_sigma": sigma,
    }


def migrate_season(connection: Connection, arena: Arena, league: League, now: int) -> list[str]:
    """End a season that pins other rules than this program's: tickets go back, and entries are checked again.

    Returns:
        The ids of the entries that the league no longer accepts, and that were withdrawn.
    """
    found = latest_season(connection, league.id)
    if found is None or found.ended_at is not None or found.fits(league):
        return []
    tickets = connection.execute(select(ticket.c.account, ticket.c.id).where(ticket.c.league == league.id)).all()
    connection.execute(delete(ticket).where(ticket.c.league == league.id))
    reason = {"reason": "the season ended because the rules changed"}
    events: list[streams.Notice] = [
        (row.account, "ticket.returned", {"league": league.id, "ticket": row.id, **reason}) for row in tickets
    ]
    end_season(connection, arena, league, now)
    withdrawn = []
    query = (
        select(entry.c.id, entry.c.account, entry.c.last_no, entry_version.c.document)
        .join(entry_version, is_newest)
        .where(entry.c.league == league.id, entry.c.state == "active")
        .order_by(entry.c.id)
    )
    for found_entry in connection.execute(query).all():
        try:
            check_entry(league, documents.get(connection, bytes(found_entry.document)))
        except InputError as error:
            connection.execute(update(entry).where(entry.c.id == found_entry.id).values(state="withdrawn"))
            problems = [{"where": each.where, "message": each.message} for each in error.problems]
            body = {"league": league.id, "entry": found_entry.id, "problems": problems}
            events.append((found_entry.account, "entry.withdrawn", body))
            withdrawn.append(found_entry.id)
    streams.append(connection, events, now)
    return withdrawn
