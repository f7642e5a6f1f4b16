"""Queries of leagues as they were."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from fracas.server.database import documents
from fracas.server.database.tables import league as league_table


def stored_league(connection: Connection, revision: bytes) -> Any:
    """The document of a league as it was at a revision.

    Raises:
        KeyError: no match was ever fought under it.
    """
    return documents.get(connection, revision)


def league_ids(connection: Connection) -> list[str]:
    """The ids of all leagues that ever were."""
    return list(connection.execute(select(league_table.c.id).order_by(league_table.c.id)).scalars())
