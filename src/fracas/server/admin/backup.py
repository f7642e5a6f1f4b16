"""Back up and restore a database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import URL, NullPool, create_engine, inspect

from fracas.errors import InputError
from fracas.server.admin import transfer
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import Database, database_url, open_database
from fracas.server.database.tables import game_table
from fracas.server.tables.leftovers import forget_seeds

_SQLITE = b"SQLite format 3\x00"


def back_up(database: Database, path: Path) -> None:
    """Write a backup, also while a server runs: of SQLite a copy of the file, of PostgreSQL an export.

    It holds no seed of a table that is being played.

    Raises:
        InputError: the file exists, or cannot be written.
    """
    if database.file is None:
        with database.snapshot() as connection:
            transfer.export(connection, path)
        return
    with transfer.new_file(path) as part:
        schema.copy_sqlite(database.file, part)
        _forget_seeds(part)


def _forget_seeds(copy: Path) -> None:
    """Take the seeds of tables that are being played out of a copy, also out of what its pages hold unused."""
    engine = create_engine(URL.create("sqlite", database=str(copy)), poolclass=NullPool)
    if not inspect(engine).has_table(game_table.name):
        return
    with engine.begin() as connection:
        count = forget_seeds(connection)
    if count:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM")


def restore(url: str, path: Path, clock: Clock) -> Database:
    """Fill an empty or missing database from a backup or an export; return it open.

    An older SQLite copy is migrated. Tables that were being played are closed when the server starts.

    Raises:
        InputError: the database is not empty or in use; the backup is unreadable, damaged or newer than this program.
    """
    try:
        with path.open("rb") as file:
            is_sqlite = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise InputError.of(str(path), f"cannot be read: {error.strerror}") from None
    if not is_sqlite:
        return _restore_export(url, path, clock)
    if database_url(url).get_backend_name() != "sqlite":
        message = "is a copy of a SQLite file, which PostgreSQL cannot read"
        raise InputError.of(str(path), message, "restore it to a SQLite file, then use fracas server export and import")
    _refuse_damaged(path)
    database = open_database(url)
    try:
        _refuse_unless_new(database)
        assert database.file is not None
        database.writing.dispose()
        database.reading.dispose()
        schema.copy_sqlite(path, database.file)
        schema.migrate(database, clock)
        with database.writing.begin() as connection:
            # Of a copy that was made otherwise.
            forget_seeds(connection)
    except BaseException:
        database.close()
        raise
    return database


def _restore_export(url: str, path: Path, clock: Clock) -> Database:
    transfer.refuse_unless_export(path)
    database = open_database(url)
    try:
        schema.migrate(database, clock)
        with database.writing.begin() as connection:
            transfer.import_into(connection, path)
    except BaseException:
        database.close()
        raise
    return database


def _refuse_unless_new(database: Database) -> None:
    with database.reading.connect() as connection:
        if schema.current(connection):
            transfer.refuse_unless_empty(connection)


def _refuse_damaged(path: Path) -> None:
    try:
        connection = sqlite3.connect(
            f"file:{path.absolute().as_posix().replace('?', '%3f').replace('#', '%23')}?immutable=1", uri=True
        )
        try:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            is_ours = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
            ).fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise InputError.of(str(path), f"is damaged: {error}") from None
    if verdict != "ok":
        raise InputError.of(str(path), f"is damaged: {verdict}")
    if not is_ours:
        raise InputError.of(str(path), "is not a database of fracas serve")
