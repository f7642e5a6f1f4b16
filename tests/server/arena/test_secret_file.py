"""A secret file that is missing, another one, late, or unreadable: the server says so, and no ticket suffers for it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError
from tests.helpers.commands import call
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import OTHER, ROOT, TEAM, fought, signed_up, submitted, tick
from tests.server.arena.test_routes import settings as settings

from fracas.errors import InputError
from fracas.server.arena import arena_loop
from fracas.server.arena.arena_loop import RunningArena, check_secrets
from fracas.server.arena.day_secrets import SecretBox, SecretError
from fracas.server.arena.matches import matchmaker
from fracas.server.arena.seasons import days
from fracas.server.database.engine import Database
from fracas.server.database.tables import league_day, ticket
from fracas.server.settings import Settings


@pytest.fixture
def server(sqlite_server: RunningServer) -> RunningServer:
    """On one database: what is at fault here is a file, and what happens to tickets is tested on both elsewhere."""
    return sqlite_server


def other_file(folder: Path) -> Path:
    found = folder / "other.secret"
    SecretBox.of_file(found, make=True)
    return found


def queued(server: RunningServer) -> None:
    """Two accounts that wait, without anybody having looked yet."""
    for handle, document in (("ann", TEAM), ("bob", OTHER)):
        client = signed_up(server, handle)
        answer = client.post(f"{ROOT}/tickets", {"entry": submitted(client, document=document), "kind": "standing"})
        assert answer.status_code == 201, answer.text


def tickets(server: RunningServer) -> set[tuple[str, int]]:
    """States and failures of all tickets."""
    query = select(ticket.c.state, ticket.c.failures)
    return {tuple(row) for row in server.read(lambda connection: connection.execute(query).all())}


def look(server: RunningServer) -> None:
    arena: RunningArena = server.context.parts["arena"]
    server.wait(arena.look())


def relocked(server: RunningServer, old: SecretBox, new: SecretBox) -> None:
    """Lock the secrets of all days with another key, as another process does that has another file."""

    def command(connection) -> None:
        for row in connection.execute(select(league_day)).all():
            locked = new.lock(old.open(bytes(row.secret_enc), row.league, row.day), row.league, row.day)
            where = (league_day.c.league == row.league) & (league_day.c.day == row.day)
            connection.execute(update(league_day).where(where).values(secret_enc=locked))

    server.write(command)


OTHERS = SecretBox(b"o" * 32)


def test_a_secret_file_is_made_for_a_new_database_only(settings: Settings, database: Database, clock):
    file = Path(settings.secret_file)
    check_secrets(settings, database)
    with RunningServer(settings, database, clock) as server:
        server.wait(server.context.parts["arena"].ready())
    key = file.read_bytes()
    check_secrets(settings, database)
    file.rename(file.with_name("away"))
    with pytest.raises(SecretError, match=r"cannot be read: No such file.*--secret-file"):
        check_secrets(settings, database)
    assert not file.exists()
    # Late, but in time for the next start.
    file.with_name("away").rename(file)
    check_secrets(settings, database)
    assert file.read_bytes() == key


def test_a_process_with_another_file_does_not_start(settings: Settings, database: Database, clock, tmp_path: Path):
    with RunningServer(settings, database, clock) as server:
        server.wait(server.context.parts["arena"].ready())
        other = replace(settings, secret_file=str(other_file(tmp_path)))
        with pytest.raises(SecretError, match="does not open the secret of hidden on"):
            check_secrets(other, database)
    before = Path(settings.secret_file).read_bytes()
    # A day later the days of the first one still are to be published.
    clock.step(3 * 24 * 3_600_000)
    with pytest.raises(SecretError):
        check_secrets(other, database)
    assert Path(settings.secret_file).read_bytes() == before


@pytest.mark.parametrize("kind", ["missing", "another", "damaged", "open to others"])
def test_serve_refuses_with_a_sentence(
    settings: Settings, sqlite: Database, clock, kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    with RunningServer(settings, sqlite, clock) as server:
        server.wait(server.context.parts["arena"].ready())
    sqlite.close()
    file = Path(settings.secret_file)
    if kind == "missing":
        file.unlink()
    elif kind == "another":
        other_file(tmp_path).replace(file)
    elif kind == "damaged":
        file.write_text("0123")
    else:
        file.chmod(0o644)
    at = ["--database", str(sqlite.file), "--secret-file", str(file), "--leagues", settings.leagues, "--port", "0"]
    ended = call(capsys, "serve", *at)
    said = {
        "missing": "cannot be read",
        "another": "does not open",
        "damaged": "64 hex",
        "open to others": "others may",
    }
    assert (ended.status, said[kind] in ended.err) == (2, True), ended
    assert kind != "missing" or not file.exists()


def test_a_foreign_secret_costs_no_ticket_a_try(server: RunningServer, caplog: pytest.LogCaptureFixture):
    queued(server)
    own = server.wait(server.context.parts["arena"].ready()).box
    relocked(server, own, OTHERS)
    for _ in range(5):
        look(server)
        server.clock.step(30_000)
    assert tickets(server) == {("standing", 0)}
    answer = server.client().get("/readyz")
    assert answer.status_code == 503
    assert "the secret file does not open" in answer.json()["reason"]
    # Once, and not at each look.
    assert [each.levelname for each in caplog.records if each.name == "fracas.server.arena"] == ["ERROR"]
    relocked(server, OTHERS, own)
    look(server)
    assert server.client().get("/readyz").status_code == 200
    metrics = server.client(address="127.0.0.1").get("/metrics").text
    assert 'fracas_matches_total{league="open"} 1.0' in metrics


@pytest.mark.parametrize(
    "error", [SecretError.of("a", "b"), OperationalError("x", {}, Exception()), OSError(28, "full")]
)
def test_no_fault_of_the_operator_counts_as_a_try(server: RunningServer, monkeypatch, error: Exception):
    """The secret that cannot be opened in the middle of a match, the database that fails, the full disk."""
    queued(server)

    def fails(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(arena_loop, "resolve", fails)
        for _ in range(5):
            look(server)
        assert tickets(server) == {("standing", 0)}
        assert server.client().get("/readyz").status_code == 503
    look(server)
    assert server.client().get("/readyz").status_code == 200
    (found,) = server.client().get(f"{ROOT}/leagues/open/leaderboard").json()["items"][:1]
    assert found["matches"] == 1


def test_a_match_that_fails_is_logged_by_ids_and_kept_apart(
    server: RunningServer, monkeypatch, caplog: pytest.LogCaptureFixture, capsys, tmp_path: Path
):
    queued(server)

    def fails(*_: object, **__: object) -> None:
        raise ValueError("unit scout of the hidden entry")

    monkeypatch.setattr(arena_loop, "resolve", fails)
    for _ in range(3):
        look(server)
    assert tickets(server) == {("parked", 3)}
    (record,) = [each for each in caplog.records if each.name == "fracas.server.arena"]
    from fracas.server.logs import JsonLines

    line = JsonLines().format(record)
    assert not any(word in line for word in ("scout", "bronze_knight", "apprentice_wizard", "hidden entry"))
    assert "ValueError" in line
    entries = vars(record)["entries"]
    assert len(entries) == 2
    file = Path(vars(record)["file"])
    assert file.parent == tmp_path / "fracas.failed"
    assert all(each.split(" v")[0] in file.name for each in entries)
    assert file.stat().st_mode & 0o777 == file.with_suffix(".txt").stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert "unit scout of the hidden entry" in file.with_suffix(".txt").read_text()
    assert call(capsys, "run", str(file), "--seed", "1").status == 0


def test_the_log_says_it_when_a_failure_cannot_be_kept(server: RunningServer, monkeypatch, caplog, tmp_path: Path):
    queued(server)
    (tmp_path / "fracas.failed").write_text("a file where the folder should be")

    def fails(*_: object, **__: object) -> None:
        raise ValueError

    monkeypatch.setattr(arena_loop, "resolve", fails)
    for _ in range(3):
        look(server)
    (record,) = [each for each in caplog.records if each.name == "fracas.server.arena"]
    assert "fracas.failed" in vars(record)["file"]
    assert tickets(server) == {("parked", 3)}


def test_only_the_newest_failures_are_kept(server: RunningServer, tmp_path: Path, monkeypatch):
    from fracas.server.arena.matches import failures

    queued(server)
    arena = server.wait(server.context.parts["arena"].ready())
    (planned,) = server.write(
        lambda connection: matchmaker.claim(connection, arena, arena.leagues["open"], server.clock.now_ms())
    )
    monkeypatch.setattr(failures, "MOST_KEPT", 2)
    folder = tmp_path / "failed"
    kept = []
    for version in (1, 2, 3):
        again = replace(planned, first=replace(planned.first, version=version))
        kept.append(failures.keep_failure(folder, arena, again, ValueError("x"), 0))
        os.utime(kept[-1], (version, version))
    assert sorted(folder.glob("*.json")) == sorted(kept[1:])
    assert len(list(folder.glob("*.txt"))) == 2


def test_unpark_returns_tickets_to_their_queues(
    settings: Settings, sqlite: Database, clock, capsys: pytest.CaptureFixture[str]
):
    with RunningServer(settings, sqlite, clock) as server:
        queued(server)
        server.write(lambda connection: connection.execute(update(ticket).values(state="parked", failures=3)))
        assert 'fracas_parked_tickets{league="open"} 2.0' in server.client(address="127.0.0.1").get("/metrics").text
        ended = call(capsys, "server", "unpark", "--database", str(sqlite.file))
        assert (ended.status, ended.out.splitlines()) == (0, ["open  2", "2 tickets of 1 league wait again"])
        assert tickets(server) == {("standing", 0)}
        look(server)
        assert 'fracas_matches_total{league="open"} 1.0' in server.client(address="127.0.0.1").get("/metrics").text
    ended = call(capsys, "server", "unpark", "--database", str(sqlite.file))
    assert ended.out == "0 tickets of 0 leagues wait again\n"


def test_leagues_that_cannot_be_opened_are_a_problem_and_open_when_the_file_is_back(
    settings: Settings, database: Database, clock, tmp_path: Path
):
    with RunningServer(settings, database, clock) as server:
        fought(server)
    file, away = Path(settings.secret_file), tmp_path / "away"
    file.rename(away)
    with RunningServer(settings, database, clock) as server:
        answer = server.client().get(f"{ROOT}/leagues")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")
        assert str(tmp_path) not in answer.text
        assert server.client().get("/leagues/open").status_code == 503
        away.rename(file)
        assert server.client().get(f"{ROOT}/leagues").status_code == 200
        assert tick(server) == 0


def test_days_of_a_restored_backup_do_not_refuse_another_file(settings: Settings, database: Database, clock, tmp_path):
    """With the file lost, this is the way on: back up, restore; what only that file opened is lost."""
    with RunningServer(settings, database, clock) as server:
        fought(server)
    clock.step(24 * 3_600_000)
    other = replace(settings, secret_file=str(other_file(tmp_path)))
    with pytest.raises(InputError):
        check_secrets(other, database)
    box = SecretBox.of_file(Path(other.secret_file))
    with database.writing.begin() as connection:
        days.replace_secrets(connection, box, clock.now_ms())
    check_secrets(other, database)
