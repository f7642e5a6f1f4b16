"""The schema's version: read it, and bring a database to the one that this program needs.

Versions are numbers: migration 0012 makes schema 12. A release can read the schema before its own, so that processes of
both run side by side while a deployment changes over.
"""

from __future__ import annotations

import shutil
import sqlite3
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from fracas.errors import InputError
from fracas.server.clock import Clock
from fracas.server.database.engine import Database, create_private
from fracas.server.database.tables import metadata

# alembic takes a tenth of a second to import, and most starts have nothing to migrate.
if TYPE_CHECKING:
    from alembic.config import Config

BACKUPS_KEPT = 3
MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def needed() -> int:
    """The schema that this program writes: the number of the last migration."""
    return max(int(file.name[1:].partition("_")[0]) for file in (MIGRATIONS / "versions").glob("v[0-9]*_*.py"))


def oldest_readable() -> int:
    """The oldest schema that this program can serve: it looks for live tables all the time, as schema 9 has them."""
    return max(9, needed() - 1)


def current(connection: Connection) -> int:
    """The schema of a database; 0 if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return 0
    return int(connection.execute(text("SELECT max(version_num) FROM alembic_version")).scalar_one() or 0)


def problem(connection: Connection) -> str | None:
    """Why this program cannot serve a database, in a sentence; None if it can."""
    found, wanted = current(connection), needed()
    if oldest_readable() <= found <= wanted:
        return None
    remedy = "run fracas server migrate" if found < wanted else "install a newer release"
    return f"the database has schema {found}, this program needs {wanted}: {remedy}"


def migrate(database: Database, clock: Clock) -> tuple[int, int]:
    """Bring a database to the needed schema in one transaction; return the schema before and after.

    A SQLite file that is not empty is copied first, to `fracas.db.v12-<time>`; the last three copies are kept.

    Raises:
        InputError: the schema is newer than this program, or the disk has no room for the copy.
    """
    with database.writing.connect() as connection:
        before = current(connection)
    wanted = needed()
    if before > wanted:
        message = f"has schema {before}, and this program knows only {wanted}"
        raise InputError.of(str(database.file or "--database"), message, "install a newer release")
    if before == wanted:
        return before, before
    if database.file is not None and before > 0:
        back_up_before(database.file, before, clock.now_ms())
    with database.writing.begin() as connection:
        upgrade(connection)
    return before, wanted


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migrations that are missing, in the connection's transaction."""
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def differences(connection: Connection) -> list[object]:
    """How a migrated database differs from tables.py; nothing if the migrations are complete."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    context = MigrationContext.configure(connection, opts={"compare_server_default": False})
    return list(compare_metadata(context, metadata))


def write_migration(connection: Connection, message: str, number: int) -> None:
    """Write the migration from a database's schema to tables.py; scripts/new_migration.py calls it."""
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")


def back_up_before(file: Path, version: int, now: int) -> Path:
    """Copy a SQLite file beside itself before a migration; remove all but the last three copies.

    Raises:
        InputError: the disk has no room for it.
    """
    size, free = file.stat().st_size, shutil.disk_usage(file.parent).free
    if free < 2 * size + 1_000_000:
        message = f"a backup of {size:,} bytes and the migration do not fit: {free:,} bytes are free"
        raise InputError.of(str(file), message, "make room on the disk")
    copy = file.with_name(f"{file.name}.v{version}-{now}")
    copy_sqlite(file, copy)
    old = sorted(file.parent.glob(f"{file.name}.v*-*"), key=lambda each: int(each.name.rpartition("-")[2]))
    for each in old[:-BACKUPS_KEPT]:
        each.unlink()
    return copy


def copy_sqlite(source: Path, copy: Path) -> None:
    """Copy a SQLite file as of one moment, also while a server writes it. Only this user can read the copy."""
    create_private(copy)
    with sqlite3.connect(source) as reading, sqlite3.connect(copy) as writing:
        reading.backup(writing)
    reading.close()
    writing.close()


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    return config
