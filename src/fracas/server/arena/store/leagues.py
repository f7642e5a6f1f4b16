"""Queries of leagues as they were."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from fracas.server.database import documents


def stored_league(connection: Connection, revision: bytes) -> Any:
    """The document of a league as it was at a revision.

    Raises:
        KeyError: no match was ever fought under it.
    """
    return documents.get(connection, revision)
