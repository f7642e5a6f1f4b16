"""Export and import: a zip file with one JSON-lines file per table, in the order of keys, checksummed.

It moves a database between SQLite and PostgreSQL and is the backup of PostgreSQL. Equal databases make equal bytes.
"""

from __future__ import annotations

import base64
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from blake3 import blake3
from sqlalchemy import Connection, LargeBinary, Table, func, insert, select

from fracas.errors import InputError
from fracas.files.atomic_write import PRIVATE, writable_path
from fracas.server.database import schema
from fracas.server.database.tables import game_table, league_day, metadata, node
from fracas.server.tables.store import OVER

FORMAT = "fracas-export"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
ROWS_AT_ONCE = 1_000
LARGEST_LINE = 64 * 1024 * 1024
LARGEST_MANIFEST = 1_000_000
# Which processes live is not data.
_LEFT_OUT = {node.name}
# zip stores the time of each file; a fixed one keeps equal databases equal.
_TIME = (1980, 1, 1, 0, 0, 0)


def tables() -> list[Table]:
    """The tables of an export, each after those that it refers to."""
    return [table for table in metadata.sorted_tables if table.name not in _LEFT_OUT]


def export(connection: Connection, path: Path) -> dict[str, int]:
    """Write all tables to a zip file, completely or not at all; return the number of rows of each.

    The secrets of days that are not published yet are left out; those of published days are stored in clear and come
    along. Nor has it the seeds of tables that are being played. Hidden entries are in it: keep the file private.

    Raises:
        InputError: the file exists, or cannot be written.
    """
    with new_file(path) as part, os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb") as file:
        return _write(connection, file)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Where to write a new file, which then takes its name: completely, or not at all.

    Raises:
        InputError: the file exists, or cannot be written.
    """
    if path.exists():
        raise InputError.of(str(path), "exists already", "choose another name")
    target = writable_path(path)
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        part.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise InputError.of(str(path), f"cannot be written: {getattr(error, 'strerror', None) or error}") from None
    finally:
        part.unlink(missing_ok=True)


def _write(connection: Connection, file: BinaryIO) -> dict[str, int]:
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "schema": schema.current(connection),
    }
    manifest["tables"] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table in tables():
            digest, count = blake3(), 0
            with archive.open(zipfile.ZipInfo(f"{table.name}.jsonl", _TIME), "w", force_zip64=True) as writing:
                for line in _lines(connection, table):
                    digest.update(line)
                    count += 1
                    writing.write(line)
            manifest["tables"][table.name] = {"rows": count, "blake3": digest.hexdigest()}
        info = zipfile.ZipInfo(MANIFEST, _TIME)
        archive.writestr(info, json.dumps(manifest, indent=1) + "\n", zipfile.ZIP_DEFLATED)
    return {name: table["rows"] for name, table in manifest["tables"].items()}


def _lines(connection: Connection, table: Table) -> Iterator[bytes]:
    statement = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=ROWS_AT_ONCE)
    for row in connection.execute(statement).mappings():
        values = {name: _plain(value) for name, value in row.items()}
        if table is league_day and row["published_at"] is None:
            values["secret_enc"] = ""
        if table is game_table and row["state"] != OVER:
            values["server_seed"] = ""
        yield json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else value


def refuse_unless_export(path: Path) -> None:
    """Refuse what is no export before a database is made for it.

    Raises:
        InputError: the file cannot be read, or is not a zip file.
    """
    try:
        with path.open("rb") as file:
            is_zip = zipfile.is_zipfile(file)
    except OSError as error:
        raise InputError.of(str(path), f"cannot be read: {error.strerror}") from None
    if not is_zip:
        raise InputError.of(str(path), "is not an export", "fracas server export and fracas server backup write one")


def import_into(connection: Connection, path: Path) -> dict[str, int]:
    """Fill an empty database from an export, in the connection's transaction; return the number of rows of each table.

    Raises:
        InputError: the database is not empty; the file is not an export of this schema, or is damaged.
    """
    refuse_unless_empty(connection)
    where = str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive, where)
            here = schema.current(connection)
            if manifest["schema"] != here:
                message = f"holds schema {manifest['schema']}, this database has {here}"
                raise InputError.of(where, message, "import it with the release that wrote it, then migrate")
            return {
                table.name: _read(connection, archive, table, manifest["tables"].get(table.name), where)
                for table in tables()
            }
    except OSError as error:
        raise InputError.of(where, f"cannot be read: {error.strerror}") from None
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError) as error:
        raise InputError.of(where, f"is not an export: {error}") from None


def refuse_unless_empty(connection: Connection) -> None:
    """Refuse a database that has rows.

    Raises:
        InputError: it has some.
    """
    for table in tables():
        count = connection.execute(select(func.count()).select_from(table)).scalar_one()
        if count:
            message = f"is not empty: the table {table.name} has {count:,} rows"
            raise InputError.of("--database", message, "restore into a new database")


def _manifest(archive: zipfile.ZipFile, where: str) -> dict[str, Any]:
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise ValueError("its manifest is too large")
        manifest = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT or manifest["format_version"] != FORMAT_VERSION:
            raise ValueError("its format is another")
        found: dict[str, Any] = {"schema": int(manifest["schema"]), "tables": dict(manifest["tables"])}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError.of(where, f"is not an export: {error}") from None
    return found


def _read(connection: Connection, archive: zipfile.ZipFile, table: Table, said: Any, where: str) -> int:
    digest, count = blake3(), 0
    rows: list[dict[str, Any]] = []
    try:
        if set(said) != {"rows", "blake3"}:
            raise ValueError("is not in the manifest")
        with archive.open(f"{table.name}.jsonl") as reading:
            while line := reading.readline(LARGEST_LINE + 1):
                if len(line) > LARGEST_LINE:
                    raise ValueError("has a line that is too long")
                digest.update(line)
                rows.append(_row(table, json.loads(line)))
                count += 1
                if len(rows) == ROWS_AT_ONCE:
                    connection.execute(insert(table), rows)
                    rows = []
        if rows:
            connection.execute(insert(table), rows)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError.of(where, f"the table {table.name} is damaged: {error}") from None
    if (count, digest.hexdigest()) != (said["rows"], said["blake3"]):
        raise InputError.of(where, f"the table {table.name} is damaged: its checksum differs")
    return count


def _row(table: Table, values: Any) -> dict[str, Any]:
    """A row from a line.

    Raises:
        ValueError: it has other columns than the table.
    """
    if not isinstance(values, dict) or values.keys() != set(table.columns.keys()):
        raise ValueError("a row has other columns")
    return {
        name: base64.b64decode(value, validate=True)
        if isinstance(table.c[name].type, LargeBinary) and value is not None
        else value
        for name, value in values.items()
    }
