"""The writer: runs commands, each once or not at all, and answers after the commit.

One thread puts up to 64 waiting commands into one commit, each but the first in a savepoint of its own: a command that
fails takes nothing else back. On SQLite it is the only writer. On PostgreSQL commands that lock much, such as the
matchmaker's, are transactions of their own in a pool of threads; and a command that has to wait for a lock there leaves
its batch, so that it holds up nobody.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any, TypeVar

from sqlalchemy import Connection, Transaction
from sqlalchemy.exc import DBAPIError, OperationalError

from fracas.server.database.engine import WRITERS, Database
from fracas.server.database.notices import Listeners, taken

Result = TypeVar("Result")
Command = Callable[[Connection], Result]
# Who waits for a command: a thread, or a coroutine.
Answer = Future[Any] | asyncio.Future[Any]
Asked = tuple[Command[Any], Answer]
Done = tuple[Answer, Any, BaseException | None]

MOST_PER_COMMIT = 64
LONGEST_BATCH = 0.020
# Commands that are answered in one turn of the event loop.
AT_ONCE = 8
# Two transactions met in a deadlock, or were not serialisable; the one that PostgreSQL cancelled runs again.
_RUN_AGAIN = ("40001", "40P01")
# What a command in a batch runs into when another transaction holds a lock; it then runs alone.
_HELD_UP = ("55P03", *_RUN_AGAIN)
MOST_ATTEMPTS = 5


class Writer:
    """Runs commands: functions of a connection. A command must not commit, and may run more than once on PostgreSQL."""

    def __init__(self, database: Database, listeners: Listeners | None = None) -> None:
        self._database = database
        self._listeners = listeners or Listeners()
        self._waiting: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        self._pool = None if database.is_sqlite else ThreadPoolExecutor(WRITERS, "fracas writer")
        self._is_open = True
        self._closing = threading.Lock()
        self.commits = 0
        """Commits so far; one commit may hold many commands."""
        self.failed_commits = 0
        """Transactions and commands that the database itself refused or lost: a full disk, a lost connection."""
        self._thread = threading.Thread(target=self._work, name="fracas writer", daemon=True)
        self._thread.start()

    async def run(self, command: Command[Result], *, alone: bool = False) -> Result:
        """Run a command and return its result once it is committed; its exception, if it failed, undone.

        With `alone` it is a transaction of its own on PostgreSQL: for what locks rows that others wait for.
        """
        if alone and self._pool is not None:
            # A caller who goes away must not cancel what may be half done.
            return await asyncio.shield(asyncio.wrap_future(self.submit(command, alone=True)))
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._put(command, answer)
        return await answer

    def run_now(self, command: Command[Result]) -> Result:
        """Run a command and wait in this thread; see `run`."""
        return self.submit(command).result()

    def submit(self, command: Command[Result], *, alone: bool = False) -> Future[Result]:
        """Put a command in the queue; see `run`.

        Raises:
            RuntimeError: the writer was stopped.
        """
        if alone and self._pool is not None:
            with self._closing:
                self._refuse_closed()
                return self._pool.submit(self._transact, command)
        future: Future[Result] = Future()
        self._put(command, future)
        return future

    def _put(self, command: Command[Any], answer: Answer) -> None:
        with self._closing:
            self._refuse_closed()
            self._waiting.put((command, answer))

    def _refuse_closed(self) -> None:
        if not self._is_open:
            raise RuntimeError("the writer was stopped")

    @property
    def waiting(self) -> int:
        """How many commands wait for the writer's thread."""
        return self._waiting.qsize()

    def stop(self) -> None:
        """Finish the commands in the queue, then stop."""
        with self._closing:
            was_open, self._is_open = self._is_open, False
        if was_open:
            self._waiting.put(None)
            self._thread.join()
        if self._pool is not None:
            self._pool.shutdown()

    def _work(self) -> None:
        with ExitStack() as stack:
            connection: Connection | None = None
            while (first := self._waiting.get()) is not None:
                if connection is None:
                    try:
                        connection = stack.enter_context(self._database.batching.connect())
                    except BaseException as error:
                        self.failed_commits += 1
                        _give([(first[1], None, error)])
                        continue
                if not self._commit_batch(connection, first):
                    return
                # A pool looks whether a connection still lives before it lends it: the next one may come much later.
                if self._pool is not None and self._waiting.empty():
                    stack.close()
                    connection = None

    def _commit_batch(self, connection: Connection, first: Asked) -> bool:
        """Run waiting commands in one transaction; return whether to go on."""
        ends = time.perf_counter() + LONGEST_BATCH
        # From the beginning, because the transaction itself may fail to begin.
        asked = [first]
        done: list[Done] = []
        held_up: list[Asked] = []
        next_one: Asked | None = first
        notices: list[str] = []
        goes_on = True
        try:
            with connection.begin() as transaction:
                while next_one is not None:
                    # A transaction is as good as a savepoint to the command that it begins with.
                    undoing = transaction if next_one is first else connection.begin_nested()
                    result, failure = _undone_if_failed(connection, undoing, next_one[0])
                    if failure is None and undoing is not transaction:
                        undoing.commit()
                    if self._pool is not None and _sqlstate(failure) in _HELD_UP:
                        held_up.append(next_one)
                    else:
                        done.append((next_one[1], result, failure))
                        self.failed_commits += isinstance(failure, OperationalError)
                    notices += taken(connection)
                    next_one = None
                    goes_further = transaction.is_active and len(asked) < MOST_PER_COMMIT and time.perf_counter() < ends
                    if goes_further and not self._waiting.empty():
                        next_one = self._waiting.get()
                        goes_on = next_one is not None
                        asked += [] if next_one is None else [next_one]
        except BaseException as error:
            self.failed_commits += 1
            if self._pool is not None:
                # Whatever state it is in: the next batch begins with another one.
                connection.invalidate(error)
            _give([(answer, None, error) for _, answer in asked])
            return goes_on
        self.commits += 1
        self._tell(notices)
        _give(done)
        for each in held_up:
            self._run_alone(*each)
        return goes_on

    def _run_alone(self, command: Command[Any], answer: Answer) -> None:
        """Run a command in a transaction of its own, after it was undone in a batch."""
        assert self._pool is not None

        def run() -> None:
            try:
                done: Done = answer, self._transact(command), None
            except BaseException as error:
                done = answer, None, error
            _give([done])

        self._pool.submit(run)

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
            except DBAPIError as error:
                if _sqlstate(error) not in _RUN_AGAIN or attempt == MOST_ATTEMPTS:
                    self.failed_commits += isinstance(error, OperationalError)
                    raise
                continue
            self.commits += 1
            self._tell(notices)
            return result
        raise AssertionError("unreachable")


def _undone_if_failed(
    connection: Connection, undoing: Transaction, command: Command[Any]
) -> tuple[Any, BaseException | None]:
    """Run one command in a savepoint or a transaction; return its result, or the exception that undid it.

    Raises:
        BaseException: the exception that undid the whole transaction: a lost connection, a full disk.
    """
    try:
        return command(connection), None
    except BaseException as error:
        # A connection that is lost has undone everything, and told so.
        if connection.invalidated:
            raise
        taken(connection)
        try:
            undoing.rollback()
        except DBAPIError:
            # There is no such savepoint any more: whoever waits hears why, and not this.
            raise error from None
        return None, error


def _sqlstate(error: BaseException | None) -> str | None:
    """PostgreSQL's code of an error."""
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None


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
            loop.call_soon_threadsafe(_settle_some, loop, some)


def _settle_some(loop: asyncio.AbstractEventLoop, done: list[Done]) -> None:
    """Answer some commands, and the others when the loop has looked at everything else.

    Who is answered goes on in the same turn of the loop: 64 at once would hold it for 20 ms.
    """
    _settle(done[:AT_ONCE])
    if len(done) > AT_ONCE:
        loop.call_soon(_settle_some, loop, done[AT_ONCE:])


def _settle(done: Iterable[Done]) -> None:
    for answer, result, failure in done:
        # Who asked may be gone.
        if answer.done():
            continue
        if failure is None:
            answer.set_result(result)
        else:
            answer.set_exception(failure)
