"""A match of older rules keeps its results and names the release that played it; nothing here plays it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, select, update
from tests.helpers import soak
from tests.helpers.arena import Playground, arena_of
from tests.helpers.commands import call
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import ROOT, TEAM, fought, settings, signed_up, submitted, tick  # noqa: F401

from fracas.server.admin import transfer
from fracas.server.arena.day_secrets import SecretBox
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import League
from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.proofs import check, published
from fracas.server.arena.proofs.check import Report, check_arena
from fracas.server.arena.proofs.day_file import LeagueDayFile
from fracas.server.arena.proofs.league_day import verify_document, verify_league_day
from fracas.server.arena.proofs.published import league_day_file
from fracas.server.arena.seasons.days import publish_days
from fracas.server.arena.seasons.season import latest_season, migrate_season
from fracas.server.clock import DAY, day_of
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import league_day, leg, season_program
from fracas.version import RELEASE

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)

FOUGHT = 2


def age(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the program has other rules than those that everything was fought under, and none of the old."""
    monkeypatch.setattr(League, "rules_version", property(lambda self: self.ruleset.rules_version + 1))

    def gone(*_: object) -> None:
        raise AssertionError("the installed rules played a match of older ones")

    monkeypatch.setattr(MatchPlayer, "ready", gone)


def aged(playground: Playground, monkeypatch: pytest.MonkeyPatch) -> str:
    """A day of two matches, published, of a season that ended because the rules changed."""
    playground.fight(playground.players(2 * FOUGHT))
    day = day_of(playground.now)
    playground.clock.step(DAY)
    with playground.write() as connection:
        publish_days(connection, playground.arena, "squads", playground.now)
    age(monkeypatch)
    with playground.write() as connection:
        migrate_season(connection, playground.arena, playground.arena.leagues["squads"], playground.now)
    with playground.read() as connection:
        season = latest_season(connection, "squads")
        assert season is not None
        assert season.no == 2
    return day


def checked(playground: Playground) -> Report:
    with playground.read() as connection:
        return check_arena(connection, playground.arena)


def file_of(playground: Playground, day: str) -> LeagueDayFile:
    with playground.read() as connection:
        return league_day_file(connection, playground.arena, "squads", day)


def test_the_check_counts_older_matches(playground: Playground, monkeypatch: pytest.MonkeyPatch):
    aged(playground, monkeypatch)
    report = checked(playground)
    assert report.is_sound, report.faults
    assert (report.matches, report.of_other_rules, report.ratings) == (0, FOUGHT, 4 * FOUGHT)
    with playground.write() as connection:
        connection.execute(delete(season_program))
        connection.execute(update(leg).where(leg.c.no == 0).values(digest=b"x" * 32))
    # Its chain and its ratings are followed all the same.
    report = checked(playground)
    assert report.of_other_rules == FOUGHT
    assert any("the digest of its result" in fault for fault in report.faults), report.faults


def test_a_match_of_older_rules_shows_its_results(server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    _, _, found = fought(server)
    nobody, here, path = server.client(), f"/m/{found['id']}", f"{ROOT}/matches/{found['id']}"
    before = nobody.get(path).json()
    assert f"{here}/legs/0/player" in nobody.get(here).text
    age(monkeypatch)
    assert nobody.get(path).json() == before
    (season,) = nobody.get(f"{ROOT}/leagues/open/seasons").json()["items"]
    assert season["tool"] == RELEASE
    page = nobody.get(here).text
    assert f"{here}/legs/" not in page
    assert f"<code>{RELEASE}</code> plays them again" in page
    for each in before["legs"]:
        assert f'<td>{each["reason"].replace("_", " ")}</td><td class="number">{each["rounds"]}</td>' in page
    legs = (
        f"{path}/legs/0",
        f"{path}/legs/1/events",
        f"{path}/legs/0/replay",
        f"{here}/legs/0",
        f"{here}/legs/1/player",
    )
    for each in legs:
        answer = nobody.get(each)
        assert (answer.status_code, f"{RELEASE} has those rules" in answer.text) == (410, True), each
    with server.database.writing.begin() as connection:
        connection.execute(delete(season_program))
    assert "has those rules" not in nobody.get(f"{path}/legs/0").json()["detail"]
    assert "plays them again" not in nobody.get(here).text


def test_practice_of_older_rules_has_no_day(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    ann = signed_up(sqlite_server, "ann")
    bots = ann.get(f"{ROOT}/leagues/open/bots").json()["items"]
    found = ann.post(f"{ROOT}/practice", {"entry": submitted(ann, document=TEAM), "bot": bots[0]["handle"]}).json()
    age(monkeypatch)
    page = ann.get(f"/m/{found['id']}").text
    assert f"<code>{RELEASE}</code> plays them again." in page
    # Others know of it as little as before.
    assert sqlite_server.client().get(f"{ROOT}/matches/{found['id']}/legs/0").status_code == 404


def test_what_is_hidden_stays_hidden_under_other_rules(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    """Once its season ends, everything that fought is revealed, and the file of its day can be followed."""
    ann, bob, found = fought(sqlite_server, "hidden")
    sqlite_server.clock.step(DAY)
    tick(sqlite_server)
    day = f"{ROOT}/leagues/hidden/days/{found['day']}"
    age(monkeypatch)
    for client in (ann, bob, sqlite_server.client()):
        assert client.get(f"{ROOT}/matches/{found['id']}/legs/0").status_code == 410
        document = msgspec.json.decode(client.get(day).content, type=LeagueDayFile)
        assert document.documents == {}
    running = sqlite_server.context.parts["arena"]
    arena = sqlite_server.wait(running.ready())
    sqlite_server.write(lambda c: migrate_season(c, arena, arena.leagues["hidden"], sqlite_server.clock.now_ms()))
    document = msgspec.json.decode(sqlite_server.client().get(day).content, type=LeagueDayFile)
    assert len(document.documents) == 2
    document.seasons["1"].tool = "fracas==0.0.9"
    verified = verify_document(document, "day")
    assert (verified.difference, verified.of_other_rules) == ("", 1)


def test_the_file_of_an_older_day_names_the_release_that_verifies_it(
    playground: Playground, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Nothing in it is played here; the rest of it is checked all the same."""
    day = aged(playground, monkeypatch)
    document = file_of(playground, day)
    assert document.seasons["1"].tool == RELEASE
    file = tmp_path / "day.json"
    # This program stands for a later release.
    document.seasons["1"].tool = "fracas==0.0.9"
    file.write_bytes(msgspec.json.encode(document))
    found = verify_league_day(file)
    assert (found.difference, found.is_verified) == ("", False)
    assert (found.replayed, found.of_other_rules, found.ratings_checked) == (0, FOUGHT, 2 * FOUGHT)
    said = call(capsys, "verify", "--league-day", file)
    assert said.status == 2
    rules = document.seasons["1"].rules_version
    assert f"not verified here: made by rules {rules}; fracas==0.0.9 verifies it" in said.out
    document.matches[1].sides[0].account = "somebody else"
    assert verify_document(document, "day").difference.startswith("match 2: the chain differs")


def test_a_file_with_keys_of_a_later_server_is_still_read(small: Playground, monkeypatch: pytest.MonkeyPatch, tmp_path):
    document = msgspec.to_builtins(file_of(small, aged(small, monkeypatch)))
    document["later"] = document["matches"][0]["later"] = document["seasons"]["1"]["later"] = 1
    file = tmp_path / "day.json"
    document["seasons"]["1"]["tool"] = "fracas==99.0"
    file.write_bytes(msgspec.json.encode(document))
    assert verify_league_day(file).matches


def test_an_export_keeps_releases_and_published_secrets(
    sqlite: Database, postgresql: Any, clock: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Into a database of the other kind, and with another secret file."""
    source = Playground(sqlite, clock)
    day = aged(source, monkeypatch)
    whole = msgspec.json.encode(file_of(source, day))
    with source.read() as connection:
        transfer.export(connection, tmp_path / "all.zip")
    database = open_database(postgresql.empty_schema())
    try:
        with database.writing.begin() as connection:
            transfer.import_into(connection, tmp_path / "all.zip")
        with database.writing.begin() as connection:
            moved = Arena(arena_of().leagues, SecretBox(bytes([7]) * 32))
            days = connection.execute(select(league_day)).all()
            assert [len(bytes(row.secret_enc)) for row in days if row.day == day] == [32]
            assert {bytes(row.secret_enc) for row in days if row.published_at is None} == {b""}
            assert msgspec.json.encode(league_day_file(connection, moved, "squads", day)) == whole
        document = msgspec.json.decode(whole, type=LeagueDayFile)
        document.seasons["1"].tool = "fracas==0.0.9"
        assert verify_document(document, "day").of_other_rules == FOUGHT
    finally:
        database.close()


def test_reading_in_portions_changes_nothing(playground: Playground, monkeypatch: pytest.MonkeyPatch):
    players = playground.players(6)
    for _ in range(2):
        playground.fight(players)
        playground.clock.step(61_000)
    day = day_of(playground.now)
    before = checked(playground)
    playground.clock.step(DAY)
    with playground.write() as connection:
        publish_days(connection, playground.arena, "squads", playground.now)
    whole = file_of(playground, day)
    for where in (check, published):
        monkeypatch.setattr(where, "AT_ONCE", 2)
    assert file_of(playground, day) == whole
    after = checked(playground)
    # A day was made for the day after.
    after.days = before.days
    assert (after, after.matches, after.is_sound) == (before, 6, True)
    with playground.write() as connection:
        connection.execute(update(leg).where(leg.c.no == 1).values(rounds=99))
    assert len([each for each in checked(playground).faults if "other legs" in each]) == 6
