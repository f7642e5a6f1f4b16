"""Commands happen once or not at all, and are answered after the commit."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from functools import partial

import pytest
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import OperationalError

from fracas.errors import InputError
from fracas.server.database import documents, due, streams
from fracas.server.database import writer as writing
from fracas.server.database.engine import Database, open_database
from fracas.server.database.notices import Listeners
from fracas.server.database.readers import Readers
from fracas.server.database.tables import audit, stream
from fracas.server.database.writer import Writer


def row(number: int) -> dict[str, object]:
    return {"id": f"{number:03}", "who": "test", "what": "write", "subject": "", "at": number}


@pytest.fixture
def writer(database: Database):
    found = Writer(database)
    yield found
    found.stop()


def test_a_transaction_that_cannot_begin_is_told_to_who_asked(sqlite: Database):
    """Another program holds the file: whoever asked first is answered too, and the writer goes on."""
    found = Writer(sqlite)
    file = str(sqlite.url.database)
    try:
        found.run_now(lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout = 10"))
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(OperationalError, match="locked"):
                found.submit(lambda connection: "done").result(20)
            other.execute("ROLLBACK")
        assert found.submit(lambda connection: "done").result(10) == "done"
    finally:
        found.stop()


def test_a_full_disk_is_told_by_its_name_and_the_writer_goes_on(sqlite: Database, monkeypatch: pytest.MonkeyPatch):
    """SQLite itself rolls the whole transaction back, with all savepoints and what others wrote in it."""
    monkeypatch.setattr(writing, "LONGEST_BATCH", 20.0)
    found = Writer(sqlite)
    held = threading.Event()

    def limit(connection: Connection, pages: int) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def first(connection: Connection) -> None:
        held.wait(10)
        connection.execute(insert(audit).values(row(1)))

    def fill(connection: Connection) -> None:
        connection.execute(insert(audit).values({**row(2), "subject": "x" * 50_000_000}))

    try:
        pages = found.run_now(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        found.run_now(partial(limit, pages=pages + 10))
        asked = [found.submit(first), found.submit(fill)]
        held.set()
        for each in asked:
            with pytest.raises(OperationalError, match="database or disk is full"):
                each.result(20)
        found.run_now(partial(limit, pages=2**31))
        found.run_now(lambda connection: connection.execute(insert(audit).values(row(3))))
    finally:
        found.stop()
    with sqlite.reading.connect() as connection:
        assert connection.execute(select(audit.c.id)).scalars().all() == ["003"]


def test_a_failing_command_takes_back_only_itself(database: Database, writer: Writer):
    blocked = threading.Event()

    def wait(connection):
        blocked.wait(10)
        connection.execute(insert(audit).values(row(1)))

    def fail(connection):
        connection.execute(insert(audit).values(row(2)))
        raise ValueError("no")

    def succeed(connection):
        connection.execute(insert(audit).values(row(3)))
        return "done"

    first = writer.submit(wait)
    second = writer.submit(fail)
    third = writer.submit(succeed)
    blocked.set()
    first.result(10)
    with pytest.raises(ValueError, match="no"):
        second.result(10)
    assert third.result(10) == "done"
    with database.reading.connect() as connection:
        assert connection.execute(select(audit.c.id).order_by(audit.c.id)).scalars().all() == ["001", "003"]


def test_documents_are_stored_once_and_come_back(database: Database, writer: Writer):
    value = {"b": [1, 2.5, None], "a": {"ü": "text"}}
    first = writer.run_now(lambda connection: documents.put(connection, value))
    again = writer.run_now(lambda connection: documents.put(connection, dict(reversed(value.items()))))
    assert first == again
    assert Readers(database).run_now(lambda connection: documents.get(connection, first)) == value


def test_streams_number_each_accounts_events_without_gaps(database: Database, writer: Writer):
    for _ in range(2):
        writer.run_now(lambda c: streams.append(c, {"b": [("x", {}), ("y", {"n": 1})], "a": [("z", {})]}, 5))
    with database.reading.connect() as connection:
        found = streams.after(connection, "b", 1)
        assert found is not None
        assert [(event.seq, event.type) for event in found] == [(2, "y"), (3, "x"), (4, "y")]
        assert streams.after(connection, "b", 4) == []
        assert streams.after(connection, "b", 5) is None
        assert streams.last_number(connection, "a") == 2
        assert connection.execute(select(func.count()).select_from(stream)).scalar_one() == 2


def test_a_stream_that_forgot_what_is_asked_for_says_so(database: Database, writer: Writer):
    writer.run_now(lambda c: streams.append(c, {"a": [("old", {})]}, 0))
    writer.run_now(lambda c: streams.append(c, {"a": [("new", {})]}, streams.KEPT))
    assert writer.run_now(lambda c: streams.forget_old(c, streams.KEPT + 1)) == 1
    with database.reading.connect() as connection:
        assert streams.after(connection, "a", 0) is None
        assert [event.type for event in streams.after(connection, "a", 1) or ()] == ["new"]


def test_due_work_is_taken_once_in_order(database: Database, writer: Writer):
    for at in (30, 10, 20):
        assert writer.run_now(partial(due.schedule, kind="fold", subject="squads", at=at))
    assert not writer.run_now(lambda c: due.schedule(c, "fold", "squads", 10))
    taken = [writer.run_now(lambda c: due.take(c, "fold", 25)) for _ in range(3)]
    assert [[each.at for each in some] for some in taken] == [[10], [20], []]
    assert writer.run_now(lambda c: due.next_at(c, "fold")) == 30


def test_listeners_hear_of_commits_only(sqlite: Database):
    heard: list[str] = []
    listeners = Listeners()
    listeners.add(heard.append)
    writer = Writer(sqlite, listeners)

    def fail(connection):
        streams.append(connection, {"a": [("x", {})]}, 1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        writer.run_now(fail)
    writer.run_now(lambda c: streams.append(c, {"b": [("x", {})]}, 1))
    writer.stop()
    assert heard == ["stream:b"]


def test_a_second_process_on_the_same_file_is_refused(sqlite: Database):
    with pytest.raises(InputError, match="only one server can use a SQLite file"):
        open_database(str(sqlite.file))


def test_a_snapshot_does_not_see_what_is_written_meanwhile(database: Database):
    count = select(func.count()).select_from(audit)
    with database.snapshot() as connection:
        assert connection.execute(count).scalar_one() == 0
        with database.writing.begin() as writing:
            writing.execute(insert(audit), row(1))
        assert connection.execute(count).scalar_one() == 0
    with database.reading.connect() as connection:
        assert connection.execute(count).scalar_one() == 1
