"""The demo, the commands about the arena, and what restoring a backup does to secrets."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from sqlalchemy import Connection, select, update
from tests.helpers.arena import Playground
from tests.helpers.commands import call
from tests.helpers.serving import RunningServer
from tests.server.arena.test_league_day import fought_day
from tests.server.arena.test_routes import settings  # noqa: F401

from fracas.errors import InputError
from fracas.server.arena import demo, dues
from fracas.server.arena.arena_loop import RunningArena, secret_file
from fracas.server.arena.day_secrets import SecretBox, commitment_of
from fracas.server.arena.matches.matchmaker import claim, release
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.seasons.days import publish_days, replace_secrets
from fracas.server.arena.tournaments import store
from fracas.server.clock import DAY, WEEK, day_of
from fracas.server.database.tables import league_day, match, rating, ticket


def test_the_demo_fills_an_empty_database_once(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(demo, "DAYS", 2)
    running: RunningArena = sqlite_server.context.parts["arena"]
    arena = sqlite_server.wait(running.ready())
    filling = demo.Demo(sqlite_server.context, arena, running.now)
    made = sqlite_server.wait(filling.fill())
    assert made >= 2 * demo.ROUNDS * len(arena.leagues) * len(demo.NAMES) // 4
    assert sqlite_server.wait(filling.fill()) == 0
    report = sqlite_server.read(lambda connection: check_arena(connection, arena))
    assert report.is_sound, report.faults
    assert report.matches == made
    standing = sqlite_server.read(
        lambda connection: (
            connection.execute(select(ticket.c.league).where(ticket.c.state == "standing")).scalars().all()
        )
    )
    assert set(standing) == arena.leagues.keys() - set(demo.LEFT_TO_VISITORS)
    for _ in range(3):
        while sqlite_server.write(partial(dues.do_next, arena=arena, now=running.now)):
            pass
        sqlite_server.clock.step(WEEK)
    # Each week's begins an hour after it is made; nobody has played them here.
    cups = sqlite_server.read(lambda connection: store.tournaments_before(connection, 9))
    assert sorted((cup.state, cup.entrants) for cup in cups) == [("entering", 10), ("running", 10), ("running", 10)]


def test_a_killed_demo_goes_on(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    """Every transaction of the demo may be its last one."""
    monkeypatch.setattr(demo, "DAYS", 2)
    running: RunningArena = sqlite_server.context.parts["arena"]
    arena = sqlite_server.wait(running.ready())
    context = sqlite_server.context
    left = 0

    async def until_killed(command: Callable[[Connection], Any], *, alone: bool) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise InterruptedError
        return await context.writer.run(command, alone=alone)

    killed = SimpleNamespace(readers=context.readers, clock=context.clock, writer=SimpleNamespace(run=until_killed))
    for allowed in (1, len(arena.leagues) + 1):
        left = allowed
        with pytest.raises(InterruptedError):
            sqlite_server.wait(demo.Demo(cast(Any, killed), arena, running.now).fill())
        assert not sqlite_server.read(demo.is_over)
    sqlite_server.wait(demo.Demo(context, arena, running.now).fill())
    assert sqlite_server.read(demo.is_over)
    report = sqlite_server.read(lambda connection: check_arena(connection, arena))
    assert report.is_sound, report.faults
    fought = sqlite_server.read(lambda connection: connection.execute(select(match.c.day).distinct()).scalars().all())
    assert len(fought) == 2


def test_verify_checks_a_league_day(small: Playground, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    document = fought_day(small)
    file = tmp_path / "day.json"
    file.write_bytes(msgspec.json.encode(document))
    ended = call(capsys, "verify", "--league-day", file, "--format", "json")
    (found,) = json.loads(ended.out)["league_days"]
    assert ended.status == 0
    assert (found["matches"], found["matches_checked"]) == (True, 4)
    document.matches[0].seed = "00" * 32
    file.write_bytes(msgspec.json.encode(document))
    ended = call(capsys, "verify", "--league-day", file)
    assert (ended.status, "DIFFERS: match 1: the seed differs" in ended.out) == (1, True)
    file.write_text("{}")
    assert call(capsys, "verify", "--league-day", file).status == 2
    ended = call(capsys, "verify")
    assert (ended.status, "--league-day" in ended.err) == (2, True)


def test_the_schema_of_entries_is_printed(capsys: pytest.CaptureFixture[str]):
    assert json.loads(call(capsys, "content", "schema", "titans", "entry").out)["title"] == "TitansEntry"


def test_admin_check_says_what_is_wrong(
    sqlite_server: RunningServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(demo, "DAYS", 1)
    running: RunningArena = sqlite_server.context.parts["arena"]
    arena = sqlite_server.wait(running.ready())
    sqlite_server.wait(demo.Demo(sqlite_server.context, arena, running.now).fill())
    options = sqlite_server.settings
    used = sqlite_server.database
    url = str(used.file) if used.file else used.url.render_as_string(hide_password=False)
    at = ["--database", url, "--leagues", options.leagues]
    at += ["--secret-file", options.secret_file]
    from fracas.server.database import schema

    monkeypatch.setattr(schema, "problem", lambda connection: None)
    ended = call(capsys, "server", "check", *at)
    assert (ended.status, "everything fits" in ended.out) == (0, True), ended
    sqlite_server.write(lambda connection: connection.execute(update(rating).values(wins=99)))
    ended = call(capsys, "server", "check", *at)
    assert (ended.status, "99 wins" in ended.out) == (1, True), ended


def test_a_restored_backup_gets_new_secrets(small: Playground):
    """A day without matches gets another secret; one with matches ends, so that no seed can repeat."""

    def days() -> list[tuple[str, bytes, bool]]:
        with small.read() as connection:
            rows = connection.execute(select(league_day).order_by(league_day.c.day)).all()
        return [(row.day, bytes(row.commitment), row.published_at is not None) for row in rows]

    players = small.players(2)
    small.fight(players)
    before = days()
    with small.write() as connection:
        replace_secrets(connection, small.arena.box, small.now)
    today, tomorrow = days()
    assert today == (before[0][0], before[0][1], True)
    assert tomorrow[1] != before[1][1]
    with small.read() as connection:
        row = connection.execute(select(league_day).where(league_day.c.day == tomorrow[0])).one()
        secret = small.arena.box.open(bytes(row.secret_enc), row.league, row.day)
    assert commitment_of(secret, "squads", tomorrow[0]) == tomorrow[1]
    for owner, entry in players:
        small.queue(owner, entry)
    small.clock.step(61_000)
    with small.write() as connection:
        (planned,) = claim(connection, small.arena, small.arena.leagues["squads"], small.now)
        assert resolve(connection, small.arena, [planned], small.now, player=small.player) == [None]
        release(connection, [planned])
    small.clock.step(DAY)
    with small.write() as connection:
        publish_days(connection, small.arena, "squads", small.now)
    assert small.match_up()
    assert day_of(small.now) == tomorrow[0]


def test_a_secret_file_is_private_and_opens_only_its_own(tmp_path: Path):
    file = secret_file("", tmp_path / "fracas.db")
    assert file == tmp_path / "fracas.secret"
    with pytest.raises(InputError, match="No such file"):
        SecretBox.of_file(file)
    box = SecretBox.of_file(file, make=True)
    assert file.stat().st_mode & 0o777 == 0o600
    locked = box.lock(b"s" * 32, "squads", "2026-11-22")
    assert SecretBox.of_file(file).open(locked, "squads", "2026-11-22") == b"s" * 32
    for other, league in ((SecretBox(bytes(32)), "squads"), (box, "relics")):
        with pytest.raises(InputError, match="does not open the secret"):
            other.open(locked, league, "2026-11-22")
    file.chmod(0o644)
    with pytest.raises(InputError, match="others may read"):
        SecretBox.of_file(file)
    file.chmod(0o600)
    file.write_text("short")
    with pytest.raises(InputError, match="is not a secret file"):
        SecretBox.of_file(file)


def test_a_secret_file_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The disk may be full, and two servers may start at once."""
    file = tmp_path / "fracas.secret"

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(InputError, match=r"fracas\.secret"):
            SecretBox.of_file(file, make=True)
    assert list(tmp_path.iterdir()) == []

    def other_is_first(handle: int) -> None:
        file.write_text("ab" * 32)
        file.chmod(0o600)

    monkeypatch.setattr(os, "fsync", other_is_first)
    locked = SecretBox.of_file(file, make=True).lock(b"s" * 32, "squads", "2026-11-22")
    assert SecretBox(b"\xab" * 32).open(locked, "squads", "2026-11-22") == b"s" * 32
    assert list(tmp_path.iterdir()) == [file]


def test_a_secret_file_is_made_where_there_are_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refused(source: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    SecretBox.of_file(tmp_path / "fracas.secret", make=True)
    assert [each.name for each in tmp_path.iterdir()] == ["fracas.secret"]


def test_no_answer_holds_a_running_days_secret(sqlite_server: RunningServer):
    running: RunningArena = sqlite_server.context.parts["arena"]
    arena = sqlite_server.wait(running.ready())
    from fracas.server.arena.seasons.days import secret_of

    day = day_of(running.now)
    secret = sqlite_server.read(lambda connection: secret_of(connection, arena, "open", day))
    stored = sqlite_server.read(
        lambda connection: [bytes(each) for each in connection.execute(select(league_day.c.secret_enc)).scalars()]
    )
    nobody = sqlite_server.client()
    for path in ("leagues", "leagues/open", "leagues/open/head", "leagues/open/days", f"leagues/open/days/{day}"):
        text = nobody.get(f"/api/v1/{path}").text
        assert secret.hex() not in text
        assert not any(each.hex() in text for each in stored)


def test_a_server_does_not_start_with_bad_leagues(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "bad.toml").write_text('id = "bad"')
    ended = call(capsys, "serve", "--leagues", tmp_path, "--database", tmp_path / "fracas.db")
    assert (ended.status, "bad.toml: ruleset" in ended.err) == (2, True), ended
    assert not (tmp_path / "fracas.db").exists()
