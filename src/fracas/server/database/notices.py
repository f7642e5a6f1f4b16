"""Notices: tell this process, and the others on the same database, that a commit changed something.

A notice is a short text, `stream:ACCOUNT` or `token:ACCOUNT`, never data. It is sent after the commit: on SQLite by the
writer, on PostgreSQL by NOTIFY, which the server delivers to every listener when the transaction commits.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, text

CHANNEL = "fracas"
_WAITING = "fracas notices"


def notify(connection: Connection, notice: str) -> None:
    """Send a notice when the transaction commits; nothing is sent if it rolls back."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify(:channel, :notice)"), {"channel": CHANNEL, "notice": notice})
    else:
        connection.info.setdefault(_WAITING, []).append(notice)


def taken(connection: Connection) -> list[str]:
    """Take the notices that commands on this connection have left since the last call."""
    notices: list[str] = connection.info.pop(_WAITING, [])
    return notices


class Listeners:
    """Who wants to hear of notices. Listeners are called in the thread that committed, and must return at once."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[str], None]] = []

    def add(self, listener: Callable[[str], None]) -> None:
        """Call a function with every notice from now on."""
        self._listeners.append(listener)

    def tell(self, notice: str) -> None:
        """Hand a notice to every listener."""
        for listener in tuple(self._listeners):
            listener(notice)
