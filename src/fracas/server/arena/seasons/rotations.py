"""Rotations: a league that changes its modifier each week tells its authors on Monday at 00:00 UTC."""

from __future__ import annotations

from sqlalchemy import Connection, select

from fracas.server.arena.domain import Arena
from fracas.server.arena.league import WEEKLY, League
from fracas.server.clock import WEEK, date_of, iso, monday_of
from fracas.server.database import due, streams
from fracas.server.database.tables import account, entry
from fracas.server.http.authorisation import Role

# The kind of due work.
ROTATION = "rotation"


def plan(connection: Connection, league: League, now: int) -> None:
    """Note the first rotation of a league that has them."""
    if league.file.modifier == WEEKLY and not due.is_planned(connection, ROTATION, league.id):
        due.schedule(connection, ROTATION, league.id, monday_of(now) + WEEK)


def turn(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Tell everybody who has an entry in a league which modifier its week has. The calendar says it, and not this."""
    due.schedule(connection, ROTATION, league, at + WEEK)
    known = arena.leagues.get(league)
    if known is None or known.file.modifier != WEEKLY:
        return
    query = (
        select(entry.c.account)
        .join(account, account.c.id == entry.c.account)
        .where(entry.c.league == league, entry.c.state == "active", entry.c["class"].is_(None))
        .where(account.c.state == "active", account.c.role != Role.BOT)
        .distinct()
    )
    body = {"league": league, "modifier": known.modifier_at(date_of(at)), "since": iso(at)}
    whom = connection.execute(query).scalars()
    streams.append(connection, [(each, "modifier.changed", body) for each in whom], now)
