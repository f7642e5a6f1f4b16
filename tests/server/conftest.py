"""Fixtures of the server's tests: a database of each kind, a clock that stands still, a server without sockets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.helpers.postgresql import Postgresql
from tests.helpers.serving import RunningServer

from fracas.server.arena import bot_files
from fracas.server.clock import SteppingClock
from fracas.server.database import engine, schema
from fracas.server.database.engine import Database, open_database
from fracas.server.resolver import threads
from fracas.server.settings import Settings

# Password hashes that cost nothing, and no limits that a test does not ask for.
SETTINGS = Settings(argon2_kib=8, argon2_passes=1, rate_limit=0, sign_up="open", public_url="http://fracas.test")


# What touches SQL in a way of its own is tested on both databases. The rest runs on SQLite, which is quicker; with
# FRACAS_TEST_DATABASE=postgresql in the environment everything but tests of files runs on PostgreSQL.
ON_POSTGRESQL = os.environ.get("FRACAS_TEST_DATABASE") == "postgresql"


# A test's database need not survive a power cut.
engine.SYNCHRONOUS = "OFF"
# A machine that runs tests may be busy; what takes too long has a test of its own.
threads.SECONDS = 60.0


@pytest.fixture(scope="session")
def few_bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two of each league's bots: installing a dozen takes longer than most tests."""
    folder = tmp_path_factory.mktemp("bots")
    for file in bot_files.FOLDER.glob("*.toml"):
        text = "[[bots]]".join(file.read_text(encoding="utf-8").split("[[bots]]")[:3])
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    """A PostgreSQL server, one for all workers of a test run, with a schema for each worker."""
    server = Postgresql.shared()
    yield server
    server.leave()


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and no rows, to copy: making the tables takes longer than most tests."""
    file = tmp_path_factory.mktemp("sqlite") / "empty.db"
    database = open_database(str(file))
    with database.writing.begin() as connection:
        schema.upgrade(connection)
    with database.writing.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return file


@pytest.fixture(params=["postgresql"] if ON_POSTGRESQL else ["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An open database with all tables and no rows, on SQLite and on PostgreSQL, or on the DATABASES of a file."""
    if not ON_POSTGRESQL and request.param not in getattr(request.module, "DATABASES", (request.param,)):
        pytest.skip("in soaks only: scripts/soak/long_tests.py")
    if request.param == "sqlite":
        file = tmp_path / "fracas.db"
        file.write_bytes(request.getfixturevalue("empty_sqlite").read_bytes())
        url = str(file)
    else:
        url = request.getfixturevalue("postgresql").empty_schema()
    found = open_database(url)
    yield found
    found.close()


@pytest.fixture
def sqlite(tmp_path: Path, empty_sqlite: Path) -> Iterator[Database]:
    """An open SQLite database with all tables and no rows, for tests of what is about its file."""
    file = tmp_path / "fracas.db"
    file.write_bytes(empty_sqlite.read_bytes())
    found = open_database(str(file))
    yield found
    found.close()


@pytest.fixture
def one_database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """An open database with all tables and no rows, for tests that need not run on both."""
    if ON_POSTGRESQL:
        found = open_database(request.getfixturevalue("postgresql").empty_schema())
        yield found
        found.close()
    else:
        yield request.getfixturevalue("sqlite")


@pytest.fixture(scope="session")
def open_new(request: pytest.FixtureRequest) -> Callable[[Path], Database]:
    """Opens a database with all tables and no rows for a whole module: in a folder, or in a schema of its own."""

    def opened(folder: Path) -> Database:
        if not ON_POSTGRESQL:
            file = folder / "fracas.db"
            file.write_bytes(request.getfixturevalue("empty_sqlite").read_bytes())
            return open_database(str(file))
        # Folders of modules have names of their own, without what a schema's name cannot have.
        database = open_database(request.getfixturevalue("postgresql").new_schema(folder.name))
        with database.writing.begin() as connection:
            schema.upgrade(connection)
        return database

    return opened


@pytest.fixture
def clock() -> SteppingClock:
    """A clock that stands still until the test moves it."""
    return SteppingClock()


@pytest.fixture
def settings(tmp_path: Path, few_bots: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings for tests; override this fixture, or use `dataclasses.replace`, to change some."""
    monkeypatch.setattr(bot_files, "FOLDER", few_bots)
    return replace(SETTINGS, secret_file=str(tmp_path / "fracas.secret"))


@pytest.fixture
def server(settings: Settings, database: Database, clock: SteppingClock) -> Iterator[RunningServer]:
    """A server on either database, asked without sockets."""
    with RunningServer(settings, database, clock) as running:
        yield running


@pytest.fixture
def sqlite_server(settings: Settings, one_database: Database, clock: SteppingClock) -> Iterator[RunningServer]:
    """A server on one database, SQLite unless the environment says otherwise."""
    with RunningServer(settings, one_database, clock) as running:
        yield running
