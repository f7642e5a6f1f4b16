"""The writer: runs commands, each once or not at all, and answers after the commit.

SQLite has one writer thread, which puts up to 64 waiting commands into one commit, each in a savepoint of its own: a
command that fails takes nothing else back. On PostgreSQL each command is a transaction in a pool of threads.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from fracas.server.database.engine import WRITERS, Database
from fracas.server.database.notices import Listeners, taken

Result = TypeVar("Result")
Command = Callable[[Connection], Result]
# Who waits for a command: a thread, or a coroutine.
Answer = Future[Any] | asyncio.Future[Any]
Done = tuple[Answer, Any, BaseException | None]

MOST_PER_COMMIT = 64
LONGEST_BATCH = 0.020
# Two transactions met in a deadlock, or were not serialisable; the one that PostgreSQL cancelled runs again.
_RUN_AGAIN = ("40001", "40P01")
MOST_ATTEMPTS = 5


class Writer:
    """Runs commands: functions of a connection. A command must not commit, and may run more than once on PostgreSQL."""

    def __init__(self, database: Database, listeners: Listeners | None = None) -> None:
        self._database = database
        self._listeners = listeners or Listeners()
        self._waiting: queue.SimpleQueue[tuple[Command[Any], Answer] | None] = queue.SimpleQueue()
        self._pool: ThreadPoolExecutor | None = None
        self._thread: threading.Thread | None = None
        self._is_open = True
        self._closing = threading.Lock()
        self.commits = 0
        """Commits so far; on SQLite one commit may hold many commands."""
        if database.is_sqlite:
            self._thread = threading.Thread(target=self._work, name="fracas writer", daemon=True)
            self._thread.start()
        else:
            self._pool = ThreadPoolExecutor(WRITERS, "fracas writer")

    async def run(self, command: Command[Result]) -> Result:
        """Run a command and return its result once it is committed; its exception, if it failed, undone."""
        if self._pool is not None:
            # A caller who goes away must not cancel what may be half done.
            return await asyncio.shield(asyncio.wrap_future(self.submit(command)))
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._put(command, answer)
        return await answer

    def run_now(self, command: Command[Result]) -> Result:
        """Run a command and wait in this thread; see `run`."""
        return self.submit(command).result()

    def submit(self, command: Command[Result]) -> Future[Result]:
        """Put a command in the queue.

        Raises:
            RuntimeError: the writer was stopped.
        """
        with self._closing:
            if not self._is_open:
                raise RuntimeError("the writer was stopped")
            if self._pool is not None:
                return self._pool.submit(self._transact, command)
        future: Future[Result] = Future()
        self._put(command, future)
        return future

    def _put(self, command: Command[Any], answer: Answer) -> None:
        with self._closing:
            if not self._is_open:
                raise RuntimeError("the writer was stopped")
            self._waiting.put((command, answer))

    @property
    def waiting(self) -> int:
        """How many commands wait for the writer thread of SQLite."""
        return self._waiting.qsize()

    def stop(self) -> None:
        """Finish the commands in the queue, then stop."""
        with self._closing:
            was_open, self._is_open = self._is_open, False
        if self._pool is not None:
            self._pool.shutdown()
        elif was_open and self._thread is not None:
            self._waiting.put(None)
            self._thread.join()

    def _work(self) -> None:
        with self._database.writing.connect() as connection:
            while (first := self._waiting.get()) is not None:
                if not self._commit_batch(connection, first):
                    return

    def _commit_batch(self, connection: Connection, first: tuple[Command[Any], Answer]) -> bool:
        """Run waiting commands in one transaction; return whether to go on."""
        ends = time.perf_counter() + LONGEST_BATCH
        # From the beginning, because the transaction itself may fail to begin.
        asked = [first[1]]
        done: list[Done] = []
        next_one: tuple[Command[Any], Answer] | None = first
        notices: list[str] = []
        goes_on = True
        try:
            with connection.begin():
                while next_one is not None:
                    command, answer = next_one
                    done.append((answer, *_in_savepoint(connection, command)))
                    notices += taken(connection)
                    next_one = None
                    if len(done) < MOST_PER_COMMIT and time.perf_counter() < ends and not self._waiting.empty():
                        next_one = self._waiting.get()
                        goes_on = next_one is not None
                        asked += [] if next_one is None else [next_one[1]]
        except BaseException as error:
            _give([(answer, None, error) for answer in asked])
            return goes_on
        self.commits += 1
        self._tell(notices)
        _give(done)
        return goes_on

    def _tell(self, notices: list[str]) -> None:
        """Tell what was committed, before its commands are answered."""
        for notice in dict.fromkeys(notices):
            self._listeners.tell(notice)

    def _transact(self, command: Command[Result]) -> Result:
        for attempt in range(1, MOST_ATTEMPTS + 1):
            try:
                with self._database.writing.begin() as connection:
                    taken(connection)  # Of an attempt that was undone.
                    result = command(connection)
                    notices = taken(connection)
            except OperationalError as error:
                if getattr(error.orig, "sqlstate", None) not in _RUN_AGAIN or attempt == MOST_ATTEMPTS:
                    raise
                continue
            self.commits += 1
            self._tell(notices)
            return result
        raise AssertionError("unreachable")


def _in_savepoint(connection: Connection, command: Command[Any]) -> tuple[Any, BaseException | None]:
    """Run one command in a savepoint of SQLite; return its result, or the exception that undid it.

    Raises:
        BaseException: the exception that undid the whole transaction: a full disk or a failing one ends it.
    """
    # Said to the driver itself: SQLAlchemy's savepoints take longer than a small command.
    say: Any = connection.connection.driver_connection
    say.execute("SAVEPOINT command")
    try:
        result = command(connection)
    except BaseException as error:
        taken(connection)
        try:
            say.execute("ROLLBACK TO command")
            say.execute("RELEASE command")
        except sqlite3.Error:
            # There is no such savepoint any more: whoever waits hears why, and not this.
            raise error from None
        return None, error
    say.execute("RELEASE command")
    return result, None


def _give(done: Iterable[Done]) -> None:
    """Answer commands; those of an event loop together, because each call to another thread's loop wakes it."""
    of_loops: dict[asyncio.AbstractEventLoop, list[Done]] = {}
    for each in done:
        answer = each[0]
        if isinstance(answer, asyncio.Future):
            of_loops.setdefault(answer.get_loop(), []).append(each)
        else:
            _settle([each])
    for loop, some in of_loops.items():
        # A loop that was closed asks no more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, some)


def _settle(done: Iterable[Done]) -> None:
    for answer, result, failure in done:
        # Who asked may be gone.
        if answer.done():
            continue
        if failure is None:
            answer.set_result(result)
        else:
            answer.set_exception(failure)
