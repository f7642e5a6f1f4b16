"""Commands happen once or not at all, and are answered after the commit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from functools import partial

import pytest
from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from fracas.errors import InputError
from fracas.server.database import documents, due, streams
from fracas.server.database import writer as writing
from fracas.server.database.engine import Database, open_database
from fracas.server.database.notices import Listeners
from fracas.server.database.readers import Readers
from fracas.server.database.tables import audit, stream
from fracas.server.database.writer import AT_ONCE, Writer


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
        writer.run_now(lambda c: streams.append(c, [("b", "x", {}), ("b", "y", {"n": 1}), ("a", "z", {})], 5))
    with database.reading.connect() as connection:
        found = streams.after(connection, "b", 1)
        assert found is not None
        assert [(event.seq, event.type) for event in found] == [(2, "y"), (3, "x"), (4, "y")]
        assert streams.after(connection, "b", 4) == []
        assert streams.after(connection, "b", 5) is None
        assert streams.last_number(connection, "a") == 2
        assert connection.execute(select(func.count()).select_from(stream)).scalar_one() == 2


def test_a_stream_that_forgot_what_is_asked_for_says_so(database: Database, writer: Writer):
    writer.run_now(lambda c: streams.append(c, [("a", "old", {})], 0))
    writer.run_now(lambda c: streams.append(c, [("a", "new", {})], streams.KEPT))
    assert writer.run_now(lambda c: streams.forget_old(c, streams.KEPT + 1)) == 1
    with database.reading.connect() as connection:
        assert streams.after(connection, "a", 0) is None
        assert [event.type for event in streams.after(connection, "a", 1) or ()] == ["new"]


def test_due_work_is_taken_once_in_order(database: Database, writer: Writer):
    for at in (30, 10, 20):
        assert writer.run_now(partial(due.schedule, kind="fold", subject="squads", at=at))
    assert not writer.run_now(lambda c: due.schedule(c, "fold", "squads", 10))
    assert writer.run_now(partial(due.schedule, kind="other", subject="relics", at=15))
    assert writer.run_now(partial(due.schedule, kind="strange", subject="relics", at=1))
    kinds = ("fold", "other")
    taken = [writer.run_now(lambda c: due.take(c, kinds, 25)) for _ in range(4)]
    assert [each and each.at for each in taken] == [10, 15, 20, None]
    assert writer.run_now(lambda c: due.take(c, kinds, 30)) == due.Due("fold", "squads", 30)


def test_listeners_hear_of_commits_only(sqlite: Database):
    heard: list[str] = []
    listeners = Listeners()
    listeners.add(heard.append)
    writer = Writer(sqlite, listeners)

    def fail(connection):
        streams.append(connection, [("a", "x", {})], 1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        writer.run_now(fail)
    writer.run_now(lambda c: streams.append(c, [("b", "x", {})], 1))
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


def test_commands_of_requests_share_a_commit(database: Database, writer: Writer, monkeypatch: pytest.MonkeyPatch):
    """The first one waits until the others are in the queue; one of them fails, and one asks for the whole."""
    monkeypatch.setattr(writing, "LONGEST_BATCH", 20.0)
    blocked = threading.Event()

    def wait(connection):
        blocked.wait(10)
        connection.execute(insert(audit).values(row(0)))

    def fail(connection):
        connection.execute(insert(audit).values(row(0)))

    def write(number):
        def insert_row(connection):
            connection.execute(insert(audit).values(row(number)))
            return number

        return writer.submit(insert_row)

    first = writer.submit(wait)
    others = [write(1), write(2)]
    failing = writer.submit(fail)
    last = write(3)
    blocked.set()
    assert [each.result(10) for each in (first, *others, last)] == [None, 1, 2, 3]
    with pytest.raises(IntegrityError):
        failing.result(10)
    # What waited longer than a batch lasts leaves the others to the next one.
    assert writer.commits <= 2
    with database.reading.connect() as connection:
        assert connection.execute(select(func.count()).select_from(audit)).scalar_one() == 4


def test_a_command_that_waits_for_a_lock_holds_up_nobody(postgresql):
    """Another transaction has the row: who wants it leaves the batch, and is answered when it is free."""
    database = open_database(postgresql.empty_schema())
    writer = Writer(database)
    change = update(audit).where(audit.c.id == "001").values(who="second")
    try:
        writer.run_now(lambda connection: connection.execute(insert(audit).values(row(1))))
        with database.writing.connect() as other:
            transaction = other.begin()
            other.execute(update(audit).where(audit.c.id == "001").values(who="first"))
            waits = writer.submit(lambda connection: connection.execute(change).rowcount)
            passes = [writer.submit(lambda connection: "passed") for _ in range(3)]
            assert [each.result(10) for each in passes] == ["passed"] * 3
            assert not waits.done()
            transaction.commit()
        assert waits.result(10) == 1
        with database.reading.connect() as connection:
            assert connection.execute(select(audit.c.who)).scalar_one() == "second"
    finally:
        writer.stop()
        database.close()


def test_a_deadlock_of_two_processes_runs_again(postgresql):
    """Both take two rows in opposite order; each command ends, and both changes are there."""
    database = open_database(postgresql.empty_schema())
    writers = [Writer(database), Writer(database)]
    both_hold_one = threading.Barrier(2)

    def add(connection, order, is_first_time):
        for number in order:
            connection.execute(update(audit).where(audit.c.id == row(number)["id"]).values(at=audit.c.at + 1))
            if is_first_time:
                is_first_time.pop()
                both_hold_one.wait(10)

    try:
        writers[0].run_now(lambda connection: connection.execute(insert(audit), [row(1), row(2)]))
        pairs = zip(writers, ((1, 2), (2, 1)), strict=True)
        asked = [each.submit(partial(add, order=order, is_first_time=[True]), alone=True) for each, order in pairs]
        for answer in asked:
            answer.result(20)
        with database.reading.connect() as connection:
            assert connection.execute(select(audit.c.at).order_by(audit.c.id)).scalars().all() == [3, 4]
    finally:
        for writer in writers:
            writer.stop()
        database.close()


def test_a_lost_connection_fails_one_batch_and_no_more(postgresql):
    database = open_database(postgresql.empty_schema())
    writer = Writer(database)
    try:
        end = text("SELECT pg_terminate_backend(pg_backend_pid())")
        with pytest.raises(OperationalError):
            writer.submit(lambda connection: connection.execute(end)).result(10)
        assert writer.submit(lambda connection: connection.execute(select(1)).scalar_one()).result(10) == 1
    finally:
        writer.stop()
        database.close()


def test_many_answers_of_a_commit_leave_the_loop_to_others(sqlite: Database, monkeypatch: pytest.MonkeyPatch):
    """Commands are answered in portions; what else waits in the loop has a turn in between."""
    # On a slow machine they would be those of two commits.
    monkeypatch.setattr(writing, "LONGEST_BATCH", 20.0)
    writer = Writer(sqlite)
    turns: list[str] = []

    async def ask(ready: threading.Event) -> None:
        loop = asyncio.get_running_loop()

        async def one() -> None:
            await writer.run(lambda connection: None)
            turns.append("answer")

        def look() -> None:
            turns.append("look")
            if turns.count("answer") < 3 * AT_ONCE:
                loop.call_soon(look)

        blocking = writer.submit(lambda connection: ready.wait(10))
        asked = [asyncio.ensure_future(one()) for _ in range(3 * AT_ONCE)]
        await asyncio.sleep(0)
        ready.set()
        loop.call_soon(look)
        await asyncio.gather(*asked)
        blocking.result(10)

    asyncio.run(ask(threading.Event()))
    writer.stop()
    longest = max(len(part) for part in "".join("a" if each == "answer" else "|" for each in turns).split("|"))
    assert longest <= AT_ONCE
