"""Work that is due at a time: each row is done once, in order, also after an outage."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from fracas.server.database.tables import due
from fracas.server.database.upsert import insert_if_absent


@dataclass(frozen=True, slots=True)
class Due:
    """A piece of work: what kind, for what, and since when it is due (milliseconds UTC)."""

    kind: str
    subject: str
    at: int


def schedule(connection: Connection, kind: str, subject: str, at: int) -> bool:
    """Note work for a time; return False if exactly this work is noted or done already."""
    return insert_if_absent(connection, due, {"kind": kind, "subject": subject, "at": at})


def take(connection: Connection, kind: str, now: int, limit: int = 1) -> list[Due]:
    """Take work of a kind whose time has come, oldest first, and mark it as done.

    Do the work in the same transaction: if it fails, the rollback makes the work due again.
    """
    statement = (
        select(due.c.kind, due.c.subject, due.c.at)
        .where(due.c.kind == kind, due.c.done_at.is_(None), due.c.at <= now)
        .order_by(due.c.at, due.c.subject)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    found = [Due(row.kind, row.subject, row.at) for row in connection.execute(statement)]
    for each in found:
        connection.execute(
            update(due)
            .where(due.c.kind == each.kind, due.c.subject == each.subject, due.c.at == each.at)
            .values(done_at=now)
        )
    return found
