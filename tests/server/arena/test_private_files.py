"""Every file that the server and `fracas server` write can be read by its user alone, temporary ones too."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.helpers.commands import COMMANDS, call
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import fought, tick
from tests.server.arena.test_routes import settings as settings

from fracas.server.arena import arena_loop
from fracas.server.arena.arena_loop import RunningArena
from fracas.server.clock import DAY, SteppingClock
from fracas.server.database import schema
from fracas.server.database.engine import Database, open_database
from fracas.server.settings import Settings

PRIVATE = 0o600
# What the operator wrote, not the program.
GIVEN = {"leagues/open.toml", "leagues/hidden.toml"}


@pytest.fixture
def no_umask() -> Iterator[None]:
    """No mask hides what the program asks for."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {
        str(each.relative_to(folder)): stat.S_IMODE(each.stat().st_mode)
        for each in sorted(folder.rglob("*"))
        if each.is_file() and str(each.relative_to(folder)) not in GIVEN
    }


@pytest.fixture
def temporaries(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The modes of files at the moment when they take their final name."""
    found: dict[str, int] = {}
    real_replace, real_link = Path.replace, os.link

    def replaced(self: Path, target: Path) -> Path:
        found[self.name] = stat.S_IMODE(self.stat().st_mode)
        return real_replace(self, target)

    def linked(source: Path, target: Path) -> None:
        found[Path(source).name] = stat.S_IMODE(Path(source).stat().st_mode)
        real_link(source, target)

    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(os, "link", linked)
    return found


def parked(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a match fail until it is kept."""

    def fails(*_: object, **__: object) -> None:
        raise ValueError

    with monkeypatch.context() as broken:
        broken.setattr(arena_loop, "resolve", fails)
        arena: RunningArena = server.context.parts["arena"]
        for _ in range(3):
            server.wait(arena.look())


@pytest.mark.usefixtures("no_umask")
def test_every_file_that_is_written_is_private(
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    temporaries: dict[str, int],
):
    folder = tmp_path / "server"
    folder.mkdir()
    file, clock = folder / "fracas.db", SteppingClock()
    settings = replace(settings, database=str(file), secret_file="")
    monkeypatch.chdir(folder)
    database = open_database(str(file))
    schema.migrate(database, clock)
    with RunningServer(settings, database, clock) as server:
        ann, bob, _ = fought(server)
        files = {"fracas.db", "fracas.db-shm", "fracas.db-wal", "fracas.db.lock", "fracas.secret"}
        assert set(modes(folder)) == {*files, "fracas.jobs/machine"}
        clock.step(DAY)
        tick(server)
        (entry,) = ann.get("/api/v1/entries?league=open").json()["items"][:1]
        for client in (ann, bob):
            (own,) = client.get("/api/v1/entries").json()["items"][:1]
            assert client.post("/api/v1/tickets", {"entry": own["id"]}).status_code == 201, entry
        parked(server, monkeypatch)
        assert call(capsys, "server", "backup", "monday.db").status == 0
        assert call(capsys, "server", "export", "all.zip").status == 0
    database.close()
    monkeypatch.setattr(schema, "upgrade", lambda connection: None)
    monkeypatch.setattr(schema, "current", lambda connection: 0 if is_empty(connection) else 1)
    monkeypatch.setattr(schema, "needed", lambda: 2)
    assert call(capsys, "server", "migrate").status == 0
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FRACAS_SERVER_LEAGUES", settings.leagues)
    for command, source in (("restore", "monday.db"), ("import", "all.zip")):
        at = folder / command
        at.mkdir()
        assert call(capsys, "server", command, source, "--database", str(at / "new.db")).status == 0
        assert {"fracas.secret", "new.db"} <= set(modes(at))
    database = open_database(str(file))
    found = modes(folder)
    database.close()
    named = {"monday.db", "all.zip", "fracas.db", "fracas.secret", "fracas.db.lock"}
    assert named <= set(found)
    kinds = ("fracas.db.v1-", "fracas.days/open_", "fracas.failed/open_")
    assert all(any(name.startswith(kind) for name in found) for kind in kinds), found
    assert {name: oct(mode) for name, mode in found.items() if mode != PRIVATE} == {}
    assert {name: oct(mode) for name, mode in temporaries.items() if mode != PRIVATE} == {}
    assert any(name.startswith("monday.db") for name in temporaries)
    assert any("secret" in name for name in temporaries)
    for each in ("fracas.days", "fracas.failed"):
        assert stat.S_IMODE((folder / each).stat().st_mode) == 0o700


def is_empty(connection) -> bool:
    return not connection.dialect.has_table(connection, "alembic_version")


# What writes no file but the database; a new command is put here or into the test above.
WRITES_NO_FILE = {"check", "create-admin", "grant", "invite", "reset-password", "suspend", "unpark"}


def test_every_command_is_looked_at():
    known = {each.removeprefix("server ") for each in COMMANDS if each.startswith("server ")} - {"witness"}
    assert known == WRITES_NO_FILE | {"backup", "export", "migrate", "restore", "import"}


@pytest.mark.usefixtures("no_umask")
def test_a_copy_that_others_can_read_is_noticed(sqlite: Database, clock: SteppingClock, monkeypatch):
    """The planted fault: the copy as SQLite makes it."""
    assert sqlite.file is not None
    copied: Callable[[Path], Path] = lambda file: schema.back_up_before(file, 1, clock.step(1))  # noqa: E731
    assert stat.S_IMODE(copied(sqlite.file).stat().st_mode) == PRIVATE
    monkeypatch.setattr(schema, "create_private", lambda file: None)
    assert stat.S_IMODE(copied(sqlite.file).stat().st_mode) != PRIVATE


def test_migrate_needs_no_secret_file(sqlite: Database, settings: Settings, clock, capsys, monkeypatch, tmp_path):
    with RunningServer(settings, sqlite, clock) as server:
        fought(server)
    sqlite.close()
    Path(settings.secret_file).unlink()
    monkeypatch.setenv("FRACAS_SERVER_LEAGUES", settings.leagues)
    league = Path(settings.leagues) / "open.toml"
    league.write_text(league.read_text().replace("max_copies = 3", "max_copies = 2"))
    ended = call(capsys, "server", "migrate", "--database", str(sqlite.file))
    assert (ended.status, "open: the season ended, entries withdrawn: 0" in ended.out) == (0, True), ended
    assert not Path(settings.secret_file).exists()


def test_migrate_changes_nothing_if_a_league_file_is_wrong(sqlite: Database, settings: Settings, capsys, monkeypatch):
    monkeypatch.setenv("FRACAS_SERVER_LEAGUES", settings.leagues)
    (Path(settings.leagues) / "open.toml").write_text("id = 3")
    sqlite.close()
    called: list[object] = []
    monkeypatch.setattr(schema, "migrate", lambda *found: called.append(found))
    assert call(capsys, "server", "migrate", "--database", str(sqlite.file)).status == 2
    assert called == []
