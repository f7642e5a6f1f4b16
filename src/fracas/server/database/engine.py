"""Open the database: a SQLite file that one process holds, or PostgreSQL, which many processes share."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, OperationalError, ProgrammingError

from fracas.errors import InputError, Problem
from fracas.files.atomic_write import PRIVATE, write_error
from fracas.files.locks import Hold

# Wait this long for a lock that another transaction holds, in milliseconds.
LOCK_TIMEOUT = 5_000
# A transaction of many commands waits only this long on PostgreSQL: the others would wait with the one.
BATCH_LOCK_TIMEOUT = 50
READERS = 4
# SQLite returns from a commit when it is on the disk.
SYNCHRONOUS = "FULL"
WRITERS = 8
# Engines hide the parameters of statements: messages of faults are logged, and a parameter may be private.


@dataclass(frozen=True)
class Database:
    """An open database: engines to write with and one that can only read, and the lock of a SQLite file."""

    url: URL
    writing: Engine
    batching: Engine
    """Writes too, for transactions of many commands, which wait for no lock for long. On SQLite it is `writing`."""
    reading: Engine
    lock: Hold | None

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a SQLite file, which only this process writes."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for PostgreSQL."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that reads the database as of one moment, however long it reads and whoever writes meanwhile."""
        with self.reading.connect() as connection:
            # SQLite's transactions are like that already.
            yield connection if self.is_sqlite else connection.execution_options(isolation_level="REPEATABLE READ")

    def close(self) -> None:
        """Close all connections and release the file."""
        self.writing.dispose()
        self.batching.dispose()
        self.reading.dispose()
        if self.lock is not None:
            self.lock.__exit__(None, None, None)


def database_url(text: str) -> URL:
    """Read the setting `database`: the path of a SQLite file, or a URL of sqlite or postgresql.

    Raises:
        InputError: it is neither.
    """
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise InputError.of("--database", "is not a database URL", _EXAMPLES) from None
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise InputError.of("--database", f"databases of the kind {backend!r} are not supported", _EXAMPLES)
    if not url.database or url.database == ":memory:" or "mode=memory" in url.database:
        raise InputError.of("--database", "a database in memory would be lost at the end", _EXAMPLES)
    return URL.create("sqlite", database=url.database)


_EXAMPLES = "write the path of a file, or postgresql://name@host/database"


def open_database(text: str, *, shared: bool = False) -> Database:
    """Open a database for reading and writing. A SQLite file is created if it is missing, and locked.

    With `shared` the file must be there and no lock is taken: short commands of `fracas server` may write beside a
    server, whose transactions last for milliseconds.

    Raises:
        InputError: the URL is not valid; the file cannot be written, or another process has it open.
    """
    url = database_url(text)
    if url.get_backend_name() != "sqlite":
        writing = _postgresql(url, WRITERS)
        _refuse_unreachable(writing)
        batching = _postgresql(url, 1, lock_timeout=BATCH_LOCK_TIMEOUT)
        return Database(url, writing, batching, _postgresql(url, READERS, readonly=True), None)
    file = Path(str(url.database))
    if file.is_file():
        _refuse_foreign(file)
    elif shared:
        raise InputError.of(str(file), "there is no such database", "name the one of your server with --database")
    lock = None if shared else Hold(file)
    try:
        if lock is not None:
            lock.__enter__()
        create_private(file)
    except InputError as error:
        raise InputError([_held(problem.message, str(url.database)) or problem for problem in error.problems]) from None
    writing = _sqlite(url, 1, readonly=False)
    return Database(url, writing, writing, _sqlite(url, READERS, readonly=True), lock)


def _refuse_unreachable(engine: Engine) -> None:
    try:
        engine.connect().close()
    except (OperationalError, ProgrammingError) as error:
        engine.dispose()
        reason = str(error.orig).strip().splitlines()[0]
        raise InputError.of("--database", f"cannot be reached: {reason}", "is PostgreSQL running there?") from None


def create_private(file: Path) -> None:
    """Create a missing file that only this user can read; SQLite gives its journals the same rights.

    Raises:
        InputError: it cannot be created.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, PRIVATE))
    except OSError as error:
        raise write_error(file, error) from None


def _refuse_foreign(file: Path) -> None:
    """Refuse a file that is no database, or another program's, before anything is written to it."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        advice = "choose another --database; one that is missing is made, and fracas server restore reads a backup"
        raise InputError.of(str(file), f"cannot be used as a database: {error}", advice) from None
    if tables and "alembic_version" not in tables:
        raise InputError.of(str(file), "is a database of another program", "choose another --database")


def _held(message: str, file: str) -> Any:
    if "is in use by" not in message:
        return None
    return Problem(
        file,
        f"{message}; only one server can use a SQLite file",
        "stop the other one, choose another --database, or use PostgreSQL for several processes",
    )


def _sqlite(url: URL, size: int, *, readonly: bool) -> Engine:
    engine = create_engine(
        url, pool_size=size, max_overflow=2, connect_args={"check_same_thread": False}, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # Transactions begin where this module says so, not at the driver's first INSERT.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {LOCK_TIMEOUT}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        connection.execute("PRAGMA foreign_keys = ON")
        if readonly:
            connection.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


def _postgresql(url: URL, size: int, *, readonly: bool = False, lock_timeout: int = LOCK_TIMEOUT) -> Engine:
    engine = create_engine(url, pool_size=size, max_overflow=4, pool_pre_ping=True, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {lock_timeout}")
            cursor.execute("SET timezone = 'UTC'")
        connection.commit()
        connection.read_only = readonly

    return engine
