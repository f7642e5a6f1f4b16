"""Notices: tell this process, and the others on the same database, that a commit changed something.

A notice is a short text, `stream:ACCOUNT` or `token:ACCOUNT`, never data. The writer tells it to this process after the
commit and before the command is answered: who signed out is out. On PostgreSQL the other processes hear of it by
NOTIFY, some milliseconds later, and this one a second time.
"""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, text

# Most servers have a SQLite file and never need it; importing it takes a tenth of a second.
if TYPE_CHECKING:
    import psycopg

CHANNEL = "fracas"
# PostgreSQL takes less than 8,000 bytes in one notification; notices contain no spaces.
LONGEST = 7_000
BETWEEN = " "
POLL_SECONDS = 0.1
RECONNECT_SECONDS = 1.0
_WAITING = "fracas notices"


_NOTIFY = text("SELECT pg_notify(:channel, :notices)")


def notify(connection: Connection, *notices: str) -> None:
    """Send notices when the transaction commits; nothing is sent if it rolls back."""
    connection.info.setdefault(_WAITING, []).extend(notices)
    if connection.dialect.name == "postgresql":
        # Each notification wakes every process; a batch of matches has a hundred notices.
        for some in textwrap.wrap(BETWEEN.join(notices), LONGEST, break_on_hyphens=False):
            connection.execute(_NOTIFY, {"channel": CHANNEL, "notices": some})


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


class PostgresqlListener:
    """Hears the notices of all processes on a PostgreSQL database, in a thread with a connection of its own."""

    def __init__(self, url: URL, listeners: Listeners) -> None:
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._listeners = listeners
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="fracas listener", daemon=True)

    def start(self) -> None:
        """Begin to listen; return when notices arrive."""
        self._connection = self._connect()
        self._thread.start()

    def stop(self) -> None:
        """Stop listening, within a tenth of a second."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg

        connection = psycopg.connect(self._url, autocommit=True)
        connection.execute(f"LISTEN {CHANNEL}")
        return connection

    def _listen(self) -> None:
        import psycopg

        while not self._stopping.is_set():
            try:
                for notification in self._connection.notifies(timeout=POLL_SECONDS):
                    for notice in notification.payload.split(BETWEEN):
                        self._listeners.tell(notice)
                    if self._stopping.is_set():
                        break
            except psycopg.OperationalError:
                self._reconnect()
        self._connection.close()

    def _reconnect(self) -> None:
        """Connect again after the server was lost. What was missed is read anew: streams by their numbers."""
        import psycopg

        while not self._stopping.wait(RECONNECT_SECONDS):
            try:
                self._connection = self._connect()
            except psycopg.OperationalError:
                continue
            return
