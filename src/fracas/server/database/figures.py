"""What the database says about the server's work, for metrics: its queues, days that are late, its size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Select, func, select

from fracas.server.clock import SECOND, day_of
from fracas.server.database.tables import league, league_day, ticket


@dataclass(frozen=True)
class Figures:
    """Figures by league, and of the whole database."""

    waiting: Mapping[str, int]
    """Tickets that wait for a match now; standing ones that are not due are not waiting."""
    longest_wait: Mapping[str, float]
    """For how many seconds the oldest of them has waited."""
    parked: Mapping[str, int]
    """Tickets whose matches failed three times."""
    undelivered: Mapping[str, int]
    """Days that are over and not published."""
    size: int
    """Bytes."""


def figures(connection: Connection, now: int) -> Figures:
    """The figures as of `now`, milliseconds UTC. Every league is in each of them."""
    leagues = list(connection.execute(select(league.c.id)).scalars())
    # A ticket that is played once is due from the moment it was entered.
    waits = ticket.c.state.in_(("waiting", "standing")) & (ticket.c.due_at <= now)
    begins = _by_league(connection, select(ticket.c.league, func.min(ticket.c.due_at)).where(waits))
    is_late = (league_day.c.day < day_of(now)) & league_day.c.published_at.is_(None)
    count = func.count()

    def of_all(found: Mapping[str, int]) -> dict[str, int]:
        return {name: found.get(name, 0) for name in leagues}

    return Figures(
        of_all(_by_league(connection, select(ticket.c.league, count).where(waits))),
        {name: (now - begins.get(name, now)) / SECOND for name in leagues},
        of_all(_by_league(connection, select(ticket.c.league, count).where(ticket.c.state == "parked"))),
        of_all(_by_league(connection, select(league_day.c.league, count).where(is_late))),
        size_of(connection),
    )


def _by_league(connection: Connection, query: Select[str, int]) -> dict[str, int]:
    """A figure for each league that has one; the query's first column is the league."""
    return {row[0]: row[1] for row in connection.execute(query.group_by(query.selected_columns[0]))}


def size_of(connection: Connection) -> int:
    """How many bytes the database takes on the disk; of SQLite with the journal beside it."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one())
    file = Path(str(connection.engine.url.database))
    return sum(each.stat().st_size for each in (file, Path(f"{file}-wal")) if each.exists())
