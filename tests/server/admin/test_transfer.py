"""Backups and exports bring everything back, between SQLite and PostgreSQL, and refuse what is damaged or not empty."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select
from tests.server.database import unique_rows

from fracas.errors import InputError
from fracas.server.admin import transfer
from fracas.server.admin.backup import back_up, restore
from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import game_table, league_day


def fill(database: Database) -> None:
    """A few rows in every table."""
    with database.writing.begin() as connection:
        unique_rows.parents(connection)
        for name, table, columns in unique_rows.constraints():
            keys = {each.parent.name for each in table.foreign_keys}
            own = unique_rows.own_word("1", table, columns)
            row = unique_rows.row(table, name) | {key: unique_rows.value(table, key, own) for key in keys}
            row |= {column.name: None for column in table.columns if column.nullable and column.name not in keys}
            connection.execute(insert(table), row)


def contents(database: Database) -> dict:
    with database.reading.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for table in transfer.tables()
        }


def export(database: Database, path: Path) -> dict[str, int]:
    with database.reading.connect() as connection:
        return transfer.export(connection, path)


def imported(database: Database, path: Path) -> dict[str, int]:
    with database.writing.begin() as connection:
        return transfer.import_into(connection, path)


def test_an_export_goes_to_the_other_kind_of_database_and_back(sqlite: Database, postgresql, tmp_path):
    fill(sqlite)
    counts = export(sqlite, tmp_path / "a.zip")
    assert all(counts.values())
    other = open_database(postgresql.empty_schema())
    assert imported(other, tmp_path / "a.zip") == counts
    export(other, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    other.close()
    third = restore(str(tmp_path / "third.db"), tmp_path / "b.zip", SteppingClock())
    # Only the secrets of unpublished days and the seeds of tables that are played are missing.
    with sqlite.writing.begin() as connection:
        connection.execute(league_day.update().where(league_day.c.published_at.is_(None)).values(secret_enc=b""))
        connection.execute(game_table.update().values(server_seed=b""))
    assert contents(third) == contents(sqlite)
    third.close()


def test_secrets_of_days_that_are_not_published_are_not_exported(sqlite: Database, tmp_path):
    fill(sqlite)
    with sqlite.writing.begin() as connection:
        connection.execute(league_day.update().values(secret_enc=b"the secret", published_at=None))
    export(sqlite, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        lines = archive.read("league_day.jsonl").decode()
    assert '"secret_enc":""' in lines
    assert "dGhlIHNlY3JldA" not in lines


def test_a_sqlite_backup_is_a_private_copy_that_opens(sqlite: Database, tmp_path):
    fill(sqlite)
    back_up(sqlite, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0
    again = restore(str(tmp_path / "again.db"), tmp_path / "copy.db", SteppingClock())
    # But for the seeds of tables that are played.
    with sqlite.writing.begin() as connection:
        connection.execute(game_table.update().values(server_seed=b""))
    assert contents(again) == contents(sqlite)
    again.close()
    assert sorted(each.name for each in tmp_path.iterdir() if "copy" in each.name) == ["copy.db"]
    with pytest.raises(InputError, match="exists already"):
        back_up(sqlite, tmp_path / "copy.db")


def test_nothing_is_restored_into_a_database_with_rows_or_in_use(sqlite: Database, tmp_path):
    fill(sqlite)
    back_up(sqlite, tmp_path / "copy.db")
    export(sqlite, tmp_path / "a.zip")
    full = restore(str(tmp_path / "full.db"), tmp_path / "copy.db", SteppingClock())
    with pytest.raises(InputError, match="in use by"):
        restore(str(tmp_path / "full.db"), tmp_path / "copy.db", SteppingClock())
    full.close()
    for backup in ("copy.db", "a.zip"):
        with pytest.raises(InputError, match="is not empty"):
            restore(str(tmp_path / "full.db"), tmp_path / backup, SteppingClock())


def rewritten(path: Path, name: str, change) -> Path:
    """A copy of an export with one changed file."""
    found = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(found, "w") as new:
        for each in old.namelist():
            data = old.read(each)
            new.writestr(each, change(data) if each == name else data)
    return found


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, empty_sqlite: Path) -> bytes:
    """The export of a database with a few rows in every table."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "source.db").write_bytes(empty_sqlite.read_bytes())
    source = open_database(str(folder / "source.db"))
    fill(source)
    export(source, folder / "a.zip")
    source.close()
    return (folder / "a.zip").read_bytes()


def bombed(data: bytes) -> bytes:
    return b"[" * 100_000


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("account.jsonl", lambda data: data[:-2]),
        ("account.jsonl", lambda data: data.replace(b'"role":"', b'"role":"x')),
        ("account.jsonl", lambda data: b""),
        ("account.jsonl", bombed),
        ("account.jsonl", lambda data: b'{"id": 1}\n'),
        ("document.jsonl", lambda data: data.replace(b'"hash":"', b'"hash":"!')),
        ("manifest.json", lambda data: data.replace(b"fracas-export", b"other")),
        ("manifest.json", lambda data: data.replace(b'"schema": ', b'"schema": 9')),
        ("manifest.json", lambda data: json.dumps({**json.loads(data), "tables": {}}).encode()),
        ("manifest.json", bombed),
        ("manifest.json", lambda data: b" " * 2_000_000),
    ],
)
def test_a_damaged_export_changes_nothing(sqlite: Database, exported: bytes, tmp_path, name, change):
    (tmp_path / "a.zip").write_bytes(exported)
    with pytest.raises(InputError):
        imported(sqlite, rewritten(tmp_path / "a.zip", name, change))
    assert not any(contents(sqlite).values())


@pytest.mark.parametrize("data", [b"", b"x" * 100, b"SQLite format 3\x00" + b"x" * 5_000, b"PK\x03\x04" + b"x" * 99])
def test_other_files_are_not_restored(tmp_path, data):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(InputError):
        restore(str(tmp_path / "new.db"), tmp_path / "file", SteppingClock())
    with pytest.raises(InputError):
        restore(str(tmp_path / "new.db"), tmp_path / "missing", SteppingClock())


def test_an_export_is_written_whole_or_not_at_all(sqlite: Database, tmp_path, monkeypatch):
    def fail(*_: object):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(transfer, "_lines", fail)
    with pytest.raises(InputError, match="cannot be written"):
        export(sqlite, tmp_path / "a.zip")
    assert not list(tmp_path.glob("a.zip*"))
    with sqlite.writing.begin() as connection:
        connection.execute(delete(league_day))
