"""A match of older rules is still shown and verified: by the module and the compiled battles that were kept of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, func, select, update
from tests.helpers.arena import Playground, arena_of
from tests.helpers.commands import call

from fracas.portable import artefacts
from fracas.server.admin import transfer
from fracas.server.arena.archive import modules
from fracas.server.arena.archive.contents import PinnedRules, StoredPair, compressed, decompressed
from fracas.server.arena.archived_player import ArchivedPlayer
from fracas.server.arena.bots import read_bots
from fracas.server.arena.entries.checking import check_entry
from fracas.server.arena.league import League, read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules
from fracas.server.arena.proofs import check, publication
from fracas.server.arena.proofs.check import Report, check_arena
from fracas.server.arena.proofs.day_file import LeagueDayFile
from fracas.server.arena.proofs.league_day import verify_document, verify_league_day
from fracas.server.arena.proofs.publication import league_day_file
from fracas.server.arena.records import Arena
from fracas.server.arena.seasons.days import publish_days
from fracas.server.arena.seasons.season import latest_season, migrate_season
from fracas.server.arena.secrets import SecretBox
from fracas.server.clock import DAY, day_of
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import archived_pair, league_day, leg, rules_module, season_program

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


def test_the_check_plays_older_matches_by_their_module(playground: Playground, monkeypatch: pytest.MonkeyPatch):
    aged(playground, monkeypatch)
    report = checked(playground)
    assert report.is_sound, report.faults
    assert (report.matches, report.by_module, report.of_other_rules) == (0, FOUGHT, 0)
    assert (report.modules, report.pairs) == (1, FOUGHT)


def test_the_file_of_an_older_day_names_the_release_that_verifies_it(
    playground: Playground, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Nothing in it is played here; the rest of it is checked all the same."""
    day = aged(playground, monkeypatch)
    document = file_of(playground, day)
    assert document.seasons["1"].tool == modules.TOOL
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


def flipped(data: bytes, place: int = -1) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def swap_contents(connection: Any) -> None:
    """Give a pair the battles of another one, with a digest that fits."""
    one, other = connection.execute(select(archived_pair)).all()
    values = {"content": other.content, "digest": other.digest}
    connection.execute(update(archived_pair).where(archived_pair.c.key == one.key).values(**values))


def flip_content(connection: Any) -> None:
    row = connection.execute(select(archived_pair)).first()
    where = archived_pair.c.key == row.key
    connection.execute(update(archived_pair).where(where).values(content=flipped(bytes(row.content), 30)))


def flip_module(connection: Any) -> None:
    (row,) = connection.execute(select(rules_module)).all()
    connection.execute(update(rules_module).values(module=flipped(bytes(row.module), 900)))


def edit_description(connection: Any) -> None:
    """Another description that still fits its module."""
    (row,) = connection.execute(select(rules_module)).all()
    text = decompressed(bytes(row.description), 1 << 20).replace(b"wiped_out", b"wiped_off")
    connection.execute(update(rules_module).values(description=compressed(text)))


FAULTS: dict[str, Callable[[Any], Any]] = {
    "archived pair": flip_content,
    "has other legs": swap_contents,
    "archived module": flip_module,
    "of squads, rules version": edit_description,
    "has other legs when": lambda connection: connection.execute(
        update(leg).where(leg.c.no == 0).values(digest=b"x" * 32)
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_change_in_the_database_is_found(small: Playground, monkeypatch: pytest.MonkeyPatch, fault: str):
    aged(small, monkeypatch)
    with small.write() as connection:
        FAULTS[fault](connection)
    report = checked(small)
    assert any(fault in each for each in report.faults), report.faults


def test_what_was_never_kept_is_counted(small: Playground, monkeypatch: pytest.MonkeyPatch):
    aged(small, monkeypatch)
    with small.write() as connection:
        connection.execute(delete(archived_pair))
        connection.execute(delete(season_program))
    report = checked(small)
    assert report.is_sound, report.faults
    assert (report.matches, report.by_module, report.of_other_rules) == (0, 0, FOUGHT)


def test_without_wasmtime_older_matches_are_counted(small: Playground, monkeypatch: pytest.MonkeyPatch):
    aged(small, monkeypatch)
    monkeypatch.setattr("fracas.server.arena.proofs.check.can_play", lambda: False)
    assert checked(small).of_other_rules == FOUGHT


def test_nothing_is_kept_without_a_module_of_the_rules(small: Playground, monkeypatch: pytest.MonkeyPatch):
    modules.installed_module.cache_clear()
    monkeypatch.setattr(artefacts, "is_current", lambda _: False)
    try:
        small.fight(small.players(2))
    finally:
        modules.installed_module.cache_clear()
    with small.read() as connection:
        assert connection.execute(select(func.count()).select_from(archived_pair)).scalar_one() == 0
    assert checked(small).matches == 1


@pytest.mark.parametrize("name", ["squads", "delve", "stacks", "relics", "titans"])
def test_a_kept_pair_plays_the_same_legs_in_both_orders(name: str):
    rules = Rules(read_leagues()[name], "none")
    found = [check_entry(rules.league, bot.entry) for bot in read_bots(rules.league)[:2]]
    one, other = (Combatant(f"e{place}", each.document, each.digest) for place, each in enumerate(found))
    module, player = modules.installed_module(name), MatchPlayer()
    assert module is not None
    kept = [player.ready(rules, *sides).kept for sides in ((one, other), (other, one))]
    assert kept[0].key == kept[1].key
    assert kept[0].content == kept[1].content
    assert kept[0].key == PinnedRules.of_league(rules.league, "none").pair_key(other.side, one.side)
    stored = StoredPair(kept[0].key, module.digest, kept[0].digest, kept[0].packed)
    for sides in ((one, other), (other, one)):
        archived = ArchivedPlayer(module, stored, sides[0].side, sides[1].side)
        for seed in ("a", "b"):
            played = player.play(rules, *sides, seed)
            assert tuple(archived.play(seed, number) for number in range(len(played.legs))) == played.legs
    assert len(kept[0].packed) < 4_000, "the archive is planned with about two kilobytes a pair"


def test_a_pair_is_kept_once(playground: Playground):
    players = playground.players(2)
    for _ in range(3):
        playground.fight(players)
        playground.clock.step(DAY)
        with playground.write() as connection:
            publish_days(connection, playground.arena, "squads", playground.now)
    with playground.read() as connection:
        assert connection.execute(select(func.count()).select_from(archived_pair)).scalar_one() == 1
        assert connection.execute(select(rules_module.c.tool)).scalars().all() == [modules.TOOL]


def test_an_export_keeps_the_archive_and_published_secrets(
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
    for where in (check, publication):
        monkeypatch.setattr(where, "AT_ONCE", 2)
    assert file_of(playground, day) == whole
    after = checked(playground)
    # A day was made for the day after.
    after.days = before.days
    assert (after, after.matches, after.is_sound) == (before, 6, True)
    with playground.write() as connection:
        connection.execute(update(leg).where(leg.c.no == 1).values(rounds=99))
    assert len([each for each in checked(playground).faults if "other legs" in each]) == 6
