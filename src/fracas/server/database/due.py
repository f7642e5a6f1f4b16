"""Work that is due at a time: each row is done once, in order, also after an outage."""

from __future__ import annotations

from collections.abc import Iterable
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


def is_planned(connection: Connection, kind: str, subject: str) -> bool:
    """Whether work of a kind was ever noted for a subject: work that recurs notes its next time itself."""
    known = select(due.c.at).where(due.c.kind == kind, due.c.subject == subject).limit(1)
    return connection.execute(known).first() is not None


def take(connection: Connection, kinds: Iterable[str], now: int) -> Due | None:
    """Take the oldest work of some kinds whose time has come, and mark it as done; None if there is none.

    Do the work in the same transaction: if it fails, the rollback makes the work due again. Another process waits
    meanwhile, so that the work is done in order.
    """
    statement = (
        select(due.c.kind, due.c.subject, due.c.at)
        .where(due.c.kind.in_(kinds), due.c.done_at.is_(None), due.c.at <= now)
        .order_by(due.c.at, due.c.kind, due.c.subject)
        .limit(1)
        .with_for_update()
    )
    row = connection.execute(statement).first()
    if row is None:
        return None
    found = Due(row.kind, row.subject, row.at)
    this = (due.c.kind == found.kind) & (due.c.subject == found.subject) & (due.c.at == found.at)
    connection.execute(update(due).where(this).values(done_at=now))
    return found
