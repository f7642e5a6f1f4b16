"""Streams: each account's numbered events, kept seven days.

The numbers are the account's own and are given in the transaction that appends, so they have no gaps, and a client that
read up to a number never misses a later commit with a smaller one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from fracas.server.clock import DAY
from fracas.server.database.notices import notify
from fracas.server.database.tables import event, stream

KEPT = 7 * DAY
MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event of an account's stream."""

    seq: int
    type: str
    body: Any
    at: int


Notice = tuple[str, str, Mapping[str, Any]]
"""An event for an account: the account, the event's type and its body."""


def append(connection: Connection, events: Iterable[Notice], now: int) -> None:
    """Append events to the streams of accounts, in their order.

    Accounts are taken in sorted order, so that two transactions never wait for each other.
    """
    of_accounts: dict[str, list[Notice]] = {}
    for each in events:
        of_accounts.setdefault(each[0], []).append(each)
    if not of_accounts:
        return
    accounts = sorted(of_accounts)
    counts = [{"account": account, "last": len(of_accounts[account])} for account in accounts]
    last = {row.account: row.last for row in connection.execute(_advance(connection.dialect.name), counts)}
    rows = [
        {
            "account": account,
            "seq": last[account] - len(of_accounts[account]) + number,
            "type": kind,
            "body": json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(),
            "at": now,
        }
        for account in accounts
        for number, (_, kind, body) in enumerate(of_accounts[account], 1)
    ]
    connection.execute(insert(event), rows)
    notify(connection, *(f"stream:{account}" for account in accounts))


@cache
def _advance(dialect: str) -> Any:
    """Add the number of new events to the last number of each account; returns accounts and their new last numbers."""
    insert_into: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert_into(stream)
    last = stream.c.last + statement.excluded.last
    changed = statement.on_conflict_do_update(index_elements=[stream.c.account], set_={"last": last})
    return changed.returning(stream.c.account, stream.c.last)


def last_number(connection: Connection, account: str) -> int:
    """The number of an account's newest event; 0 if it never had one."""
    found = connection.execute(select(stream.c.last).where(stream.c.account == account)).scalar_one_or_none()
    return int(found or 0)


def after(connection: Connection, account: str, seq: int, limit: int = MOST_AT_ONCE) -> list[StreamEvent] | None:
    """The events of an account after a number, oldest first; None if some of them are no longer kept."""
    last = last_number(connection, account)
    if seq > last or seq < 0:
        return None
    if seq == last:
        return []
    rows = connection.execute(
        select(event.c.seq, event.c.type, event.c.body, event.c.at)
        .where(event.c.account == account, event.c.seq > seq)
        .order_by(event.c.seq)
        .limit(limit)
    ).all()
    if not rows or rows[0].seq != seq + 1:
        return None
    return [StreamEvent(row.seq, row.type, json.loads(row.body), row.at) for row in rows]


def forget_old(connection: Connection, now: int) -> int:
    """Delete events older than seven days; return how many."""
    return int(connection.execute(delete(event).where(event.c.at < now - KEPT)).rowcount)
