"""What the database says about the server's work, for metrics: its queues, days that are late, its size."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, Select, func, select

from fracas.server.clock import SECOND, day_of
from fracas.server.database.tables import league, league_day, ticket


def figures(connection: Connection, now: int) -> dict[str, dict[str, float]]:
    """The figures of each league as of `now`, milliseconds UTC, by the names of their metrics."""
    leagues = list(connection.execute(select(league.c.id)).scalars())
    # A ticket that is played once is due from the moment it was entered; standing ones that are not due do not wait.
    waits = ticket.c.state.in_(("waiting", "standing")) & (ticket.c.due_at <= now)
    is_late = (league_day.c.day < day_of(now)) & league_day.c.published_at.is_(None)
    count = func.count()
    begins = _by_league(connection, select(ticket.c.league, func.min(ticket.c.due_at)).where(waits))
    found: dict[str, Mapping[str, float]] = {
        "queue_length": _by_league(connection, select(ticket.c.league, count).where(waits)),
        "queue_age_seconds": {name: (now - since) / SECOND for name, since in begins.items()},
        "parked_tickets": _by_league(connection, select(ticket.c.league, count).where(ticket.c.state == "parked")),
        "undelivered_days": _by_league(connection, select(league_day.c.league, count).where(is_late)),
    }
    return {figure: {name: values.get(name, 0) for name in leagues} for figure, values in found.items()}


def _by_league(connection: Connection, query: Select[str, int]) -> dict[str, int]:
    """A figure for each league that has one; the query's first column is the league."""
    return {row[0]: row[1] for row in connection.execute(query.group_by(query.selected_columns[0]))}


def size_of(connection: Connection) -> int:
    """How many bytes the database takes on the disk; of SQLite with the journal beside it."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one())
    file = Path(str(connection.engine.url.database))
    return sum(each.stat().st_size for each in (file, Path(f"{file}-wal")) if each.exists())
