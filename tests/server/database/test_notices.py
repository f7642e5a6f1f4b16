"""Other processes on PostgreSQL hear of commits; this one hears before its command is answered."""

from __future__ import annotations

import queue

import pytest

from fracas.server.database import streams
from fracas.server.database.engine import open_database
from fracas.server.database.notices import Listeners, PostgresqlListener, notify
from fracas.server.database.writer import Writer


@pytest.fixture
def url(postgresql) -> str:
    return str(postgresql.empty_schema())


def test_another_process_hears_of_a_commit_and_of_no_rollback(url):
    """Tests of other workers share the database, and so the channel: their notices are heard too."""
    heard: queue.Queue[str] = queue.Queue()
    listeners = Listeners()
    listeners.add(heard.put)
    database = open_database(url)
    listener = PostgresqlListener(database.url, listeners)
    listener.start()
    writer = Writer(database)

    def fail(connection):
        notify(connection, "token:rolled-back-here")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        writer.run_now(fail)
    writer.run_now(lambda c: streams.append(c, [("committed-here", "x", {})], 1))
    notices = list(iter(lambda: heard.get(timeout=20), "stream:committed-here"))
    assert "token:rolled-back-here" not in notices
    listener.stop()
    writer.stop()
    database.close()


def test_the_own_process_hears_before_the_answer(url):
    heard: list[str] = []
    listeners = Listeners()
    listeners.add(heard.append)
    database = open_database(url)
    writer = Writer(database, listeners)
    writer.run_now(lambda c: notify(c, "token:a"))
    assert heard == ["token:a"]
    writer.stop()
    database.close()
    with pytest.raises(RuntimeError, match="was stopped"):
        writer.submit(lambda c: None)
