"""Migrations make the tables; a SQLite file is copied before it changes; PostgreSQL never changes by itself."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import MetaData, delete, insert, inspect, select, text, update
from tests.helpers.arena import Playground, arena_of
from tests.helpers.serving import RunningServer

from fracas.errors import InputError
from fracas.server import app
from fracas.server.arena.chain import FIRST_FORMAT, first_head
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.proofs.league_day import verify_document
from fracas.server.arena.proofs.published import league_day_file
from fracas.server.arena.seasons.days import format_of, publish_days
from fracas.server.clock import DAY, SteppingClock
from fracas.server.database import schema
from fracas.server.database.engine import Database, database_url, open_database
from fracas.server.database.tables import audit, league_day, league_day_format

NEWEST = schema.needed()
ROW = {"id": "1", "who": "x", "what": "y", "subject": "z", "at": 1}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database of its own, on both kinds: these tests change its schema."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    found = open_database(request.getfixturevalue("postgresql").new_schema("changed"))
    schema.migrate(found, SteppingClock())
    yield found
    found.close()


def test_migrations_and_tables_say_the_same(database: Database):
    with database.writing.begin() as connection:
        assert schema.differences(connection) == []
        assert schema.current(connection) == schema.needed()
        assert schema.problem(connection) is None


STORED = Path(__file__).parent / "stored"


def stored(file: Path, copy: Path) -> None:
    """A database as a release left it: SQL, as sqlite3 dumps it."""
    with sqlite3.connect(copy) as writing:
        writing.executescript(file.read_text(encoding="utf-8"))
    writing.close()


@pytest.mark.parametrize("file", sorted(STORED.glob("schema_*.sql")), ids=lambda file: file.stem)
def test_a_stored_database_is_upgraded_with_all_that_it_holds(file: Path, tmp_path: Path, clock: SteppingClock):
    stored(file, tmp_path / "fracas.db")
    database = open_database(str(tmp_path / "fracas.db"))
    try:
        assert schema.migrate(database, clock) == (int(file.stem[-4:]), NEWEST)
        with database.writing.begin() as connection:
            assert schema.differences(connection) == []
            report = check_arena(connection, arena_of())
        assert report.is_sound, report.faults
        assert report.matches + report.of_other_rules == 4
        assert (report.ratings, report.days) == (4, 3)
    finally:
        database.close()


def test_postgresql_is_upgraded_from_each_schema(postgresql, clock: SteppingClock, tmp_path: Path):
    """The rows of the stored SQLite database, in PostgreSQL's tables of that schema."""
    for file in sorted(STORED.glob("schema_*.sql")):
        stored(file, tmp_path / file.stem)
        old, database = open_database(str(tmp_path / file.stem)), open_database(postgresql.new_schema(file.stem))
        try:
            with old.reading.connect() as reading, database.writing.begin() as connection:
                schema.upgrade(connection, file.stem[-4:])
                tables = MetaData()
                tables.reflect(connection)
                for table in tables.sorted_tables:
                    names = [column.name for column in table.columns]
                    rows = [dict(zip(names, row, strict=True)) for row in reading.execute(select(table))]
                    if rows and table.name != "alembic_version":
                        connection.execute(insert(table), rows)
            assert schema.migrate(database, clock) == (int(file.stem[-4:]), NEWEST)
            with database.writing.begin() as connection:
                assert schema.differences(connection) == []
                assert check_arena(connection, arena_of()).is_sound
        finally:
            old.close()
            database.close()


def test_a_release_plays_on_the_oldest_schema_that_it_can_read(tmp_path: Path, clock: SteppingClock):
    """Until `fracas server migrate`, matches are made as before."""
    database = open_database(str(tmp_path / "fracas.db"))
    check_that_it_plays_before_and_after(database, clock)
    database.close()


def test_postgresql_plays_on_the_oldest_schema_that_it_can_read(postgresql, clock: SteppingClock):
    with open_postgresql(postgresql) as database:
        check_that_it_plays_before_and_after(database, clock)


def check_that_it_plays_before_and_after(database: Database, clock: SteppingClock) -> None:
    oldest = schema.oldest_readable()
    with database.writing.begin() as connection:
        schema.upgrade(connection, f"{oldest - 1:04}")
        assert schema.problem(connection) is not None
        schema.upgrade(connection, f"{oldest:04}")
        assert schema.problem(connection) is None
    playground = Playground(database, clock)
    players = playground.players(4)
    for matches in (2, 4):
        assert len(playground.fight(players)) == 2
        with playground.read() as connection:
            report = check_arena(connection, playground.arena)
        assert (report.matches, report.is_sound) == (matches, True), report.faults
        schema.migrate(database, clock)


def test_the_archive_of_older_rules_goes_after_a_copy(tmp_path: Path, clock: SteppingClock):
    database = open_database(str(tmp_path / "fracas.db"))
    with database.writing.begin() as connection:
        schema.upgrade(connection, "0003")
        for statement in ARCHIVED:
            connection.execute(text(statement), {"key": b"key", "content": b"battles"})
    schema.migrate(database, clock)
    with database.reading.connect() as connection:
        assert not {"archived_pair", "rules_module"} & set(inspect(connection).get_table_names())
    (copy,) = tmp_path.glob("fracas.db.v3-*")
    with sqlite3.connect(copy) as old:
        assert old.execute("SELECT content FROM archived_pair").fetchone() == (b"battles",)
    old.close()
    database.close()


ARCHIVED = (
    "INSERT INTO rules_module VALUES (:key, 'squads', 1, 'key', 'fracas==0.0.9', :content, :content)",
    "INSERT INTO archived_pair VALUES (:key, :key, :key, :content)",
)


def test_days_keep_the_format_that_they_began_with(sqlite: Database, clock: SteppingClock):
    """Days that a release before made finish in format 1; those made afterwards have format 2."""
    playground = Playground(sqlite, clock)
    with playground.write() as connection:
        connection.execute(delete(league_day_format))
        for row in connection.execute(select(league_day)).all():
            head = first_head(FIRST_FORMAT, bytes(row.commitment), "squads", row.day)
            connection.execute(update(league_day).where(league_day.c.day == row.day).values(head=head))
    players = playground.players(4)
    names: list[str] = []
    # Today and tomorrow were made before.
    for matches, formats in enumerate(([1, 1], [1, 1, 2], [1, 1, 2, 2]), 1):
        assert len(playground.fight(players)) == 2
        with playground.read() as connection:
            names = list(connection.execute(select(league_day.c.day).order_by(league_day.c.day)).scalars())
            assert [format_of(connection, "squads", name) for name in names] == formats
            report = check_arena(connection, playground.arena)
        assert (report.matches, report.is_sound) == (2 * matches, True), report.faults
        playground.clock.step(DAY)
        with playground.write() as connection:
            publish_days(connection, playground.arena, "squads", playground.now)
    with playground.read() as connection:
        found = [league_day_file(connection, playground.arena, "squads", name) for name in names[:3]]
    assert [each.version for each in found] == [1, 1, 2]
    assert verify_document(found[2], "day").is_verified


def test_the_needed_schema_is_alembics_head():
    """Which is read from the names of files, so that most starts need no alembic."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    assert schema.needed() == int(ScriptDirectory.from_config(config).get_current_head() or 0)


def test_a_missing_column_is_noticed(database: Database):
    with database.writing.begin() as connection:
        connection.execute(text("ALTER TABLE audit DROP COLUMN reason"))
    with database.writing.connect() as connection:
        assert schema.differences(connection) != []


@pytest.fixture
def migration(monkeypatch: pytest.MonkeyPatch):
    """A migration from the newest schema to the next, as a later release would bring it."""
    real, following = schema.upgrade, NEWEST + 1
    monkeypatch.setattr(schema, "needed", lambda: following)

    def upgrade(connection, revision="head"):
        if schema.current(connection) == 0:
            real(connection, revision)
        connection.execute(text("ALTER TABLE audit ADD COLUMN more TEXT"))
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{following:04}'"))

    monkeypatch.setattr(schema, "upgrade", upgrade)
    monkeypatch.setattr(schema, "current", lambda connection: int(version(connection)))
    return upgrade


def version(connection) -> str:
    if not connection.dialect.has_table(connection, "alembic_version"):
        return "0"
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "0")


def test_a_sqlite_file_is_copied_and_migrated(sqlite: Database, clock: SteppingClock, migration):
    with sqlite.writing.begin() as connection:
        connection.execute(insert(audit), ROW)
    assert schema.migrate(sqlite, clock) == (NEWEST, NEWEST + 1)
    assert sqlite.file is not None
    (copy,) = sqlite.file.parent.glob(f"fracas.db.v{NEWEST}-*")
    assert copy.name == f"fracas.db.v{NEWEST}-{clock.now_ms()}"
    with sqlite3.connect(copy) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == (f"{NEWEST:04}",)
        assert old.execute("SELECT who FROM audit").fetchone() == ("x",)
    old.close()
    assert schema.migrate(sqlite, clock) == (NEWEST + 1, NEWEST + 1)


def test_three_copies_are_kept(sqlite: Database, clock: SteppingClock):
    assert sqlite.file is not None
    for _ in range(5):
        schema.back_up_before(sqlite.file, 1, clock.step(1_000))
    kept = sorted(each.name for each in sqlite.file.parent.glob("fracas.db.v1-*"))
    assert kept == [f"fracas.db.v1-{clock.now_ms() - back}" for back in (2_000, 1_000, 0)]


def test_a_migration_that_fails_changes_nothing(sqlite: Database, clock: SteppingClock, migration, monkeypatch):
    def fail(connection, revision="head"):
        migration(connection)
        raise ValueError("the third statement was wrong")

    monkeypatch.setattr(schema, "upgrade", fail)
    with pytest.raises(ValueError, match="third"):
        schema.migrate(sqlite, clock)
    with sqlite.reading.connect() as connection:
        assert schema.current(connection) == NEWEST
        connection.execute(select(audit))
        assert "more" not in connection.execute(text("SELECT * FROM audit")).keys()  # noqa: SIM118


def test_a_full_disk_is_noticed_before_anything_changes(sqlite: Database, clock, migration, monkeypatch):
    usage = type("Usage", (), {"free": 1_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(InputError, match="1,000 bytes are free"):
        schema.migrate(sqlite, clock)


def test_a_newer_schema_is_refused(database: Database, clock: SteppingClock):
    with database.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    with pytest.raises(InputError, match=f"has schema 99, and this program knows only {NEWEST}"):
        schema.migrate(database, clock)
    with database.reading.connect() as connection:
        assert schema.problem(connection) == (
            f"the database has schema 99, this program needs {NEWEST}: install a newer release"
        )


def test_a_server_on_another_schema_says_which_it_needs_and_starts_when_it_fits(
    database: Database, settings, clock, monkeypatch
):
    monkeypatch.setattr(app, "SCHEMA_SECONDS", 0.01)
    with database.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    with RunningServer(settings, database, clock) as server:
        answer = server.client().get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["reason"].startswith(f"the database has schema 99, this program needs {NEWEST}")
        assert server.client().get("/healthz").status_code == 200
        answer = server.client().get("/api/v1/rulesets")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
        with database.writing.begin() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{NEWEST:04}'"))
        while server.client().get("/readyz").status_code != 200:
            server.wait(asyncio.sleep(0.01))
        assert server.client().get("/api/v1/rulesets").status_code == 200


def test_an_empty_postgresql_needs_the_command(postgresql, clock):
    with open_postgresql(postgresql) as database:
        with database.reading.connect() as connection:
            assert schema.problem(connection) == (
                f"the database has schema 0, this program needs {NEWEST}: run fracas server migrate"
            )
        assert schema.migrate(database, clock) == (0, NEWEST)
        with database.reading.connect() as connection:
            assert schema.problem(connection) is None
            assert schema.differences(connection) == []


class open_postgresql:  # noqa: N801
    """An open PostgreSQL database in a schema of its own, without tables."""

    def __init__(self, postgresql) -> None:
        self._url = postgresql.new_schema("fresh")

    def __enter__(self) -> Database:
        self.database = open_database(self._url)
        return self.database

    def __exit__(self, *_: object) -> None:
        self.database.close()


@pytest.mark.parametrize("text", ["mysql://x", "sqlite://", "sqlite:///:memory:", "://", "file:x.db://y"])
def test_wrong_databases(text):
    with pytest.raises(InputError):
        database_url(text)


def test_an_unreachable_postgresql_is_a_sentence():
    with pytest.raises(InputError, match="cannot be reached") as caught:
        open_database("postgresql://ann:secret@127.0.0.1:1/x")
    assert "secret" not in str(caught.value)


def test_database_urls():
    assert str(database_url("a/b.db")) == "sqlite:///a/b.db"
    assert str(database_url("postgresql://u@h/d")) == "postgresql+psycopg://u@h/d"


def test_a_missing_folder_is_a_sentence(tmp_path):
    with pytest.raises(InputError):
        open_database(str(tmp_path / "missing" / "fracas.db"))
