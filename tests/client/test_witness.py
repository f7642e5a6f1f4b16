"""A witness notes what a server says, and tells when it says otherwise later."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, update
from tests.helpers.commands import call
from tests.server.arena.test_routes import OTHER, TEAM, settings, tick  # noqa: F401

from fracas.client import Client
from fracas.client.witness import Note, Report, check_day, notes_of_day, read_notes, witness
from fracas.errors import InputError
from fracas.server.arena.arena_loop import private_folder
from fracas.server.arena.proofs.published import FOLDER
from fracas.server.clock import DAY, day_of
from fracas.server.database.tables import league_day, league_head, leg, match, match_side

Connect = Callable[[], Client]
PASSWORD = "correct horse battery"


class Watched:
    """A server on which players fight, and a witness of it."""

    def __init__(self, connect: Connect, server: Any, notes: Path) -> None:
        self.server, self.notes = server, notes
        self.client = connect()
        self.players = []
        for handle, document in (("ann", TEAM), ("bob", OTHER), ("cleo", TEAM), ("dan", OTHER)):
            client = connect()
            client.register(handle, PASSWORD)
            self.players.append((client, client.arena.submit("open", "A team", document, ranked=True).entry))
        self.first_day = day_of(server.clock.now_ms())

    def fight(self) -> None:
        """Two players fight who have not met."""
        for client, entry in (self.players.pop(), self.players.pop()):
            client.arena.enter(entry)
            self.server.clock.step(1000)
        assert tick(self.server) == 1

    def look(self) -> Report:
        at = datetime.fromtimestamp(self.server.clock.now_ms() / 1000, UTC)
        return witness(self.client, self.notes, at=at)

    def next_day(self) -> None:
        self.server.clock.step(DAY)
        tick(self.server)

    def forge(self, statement: Any) -> None:
        self.server.write(lambda connection: connection.execute(statement))
        # The file of a published day is written once; whoever forges the day writes it anew.
        shutil.rmtree(private_folder(self.server.settings, self.server.context.database) / FOLDER, ignore_errors=True)


@pytest.fixture
def watched(connect: Connect, sqlite_server: Any, tmp_path: Path) -> Watched:
    """A day with two matches, noted the day before and after each match; the day is over."""
    found = Watched(connect, sqlite_server, tmp_path / "witness.jsonl")
    assert found.look().faults == []
    found.next_day()
    found.first_day = day_of(found.server.clock.now_ms())
    for _ in range(2):
        found.fight()
        assert found.look().faults == []
    return found


def test_what_is_noted_is_compared_and_the_file_of_a_day_with_it(watched: Watched):
    of_day = notes_of_day(read_notes(watched.notes), watched.client.url, "open", watched.first_day)
    assert [(note.number, note.is_in_advance, note.final) for note in of_day] == [
        (None, True, False),
        (1, False, False),
        (2, False, False),
    ]
    assert len({note.commitment for note in of_day}) == 1
    before = watched.notes.read_bytes()
    assert watched.look().added == []
    assert watched.notes.read_bytes() == before
    watched.next_day()
    report = watched.look()
    assert report.faults == []
    assert f"open, {watched.first_day}" in report.files
    assert report.leagues == 2
    assert watched.notes.read_bytes().startswith(before)
    # The file is downloaded once; from then on its end is compared with the list of days.
    assert watched.look().files == []
    assert read_notes(watched.notes)[-1].server == watched.client.url


OF_OPEN = league_day.c.league == "open"


def forgeries(day: str) -> dict[str, tuple[Any, str]]:
    """What an operator changes, and what the witness says."""
    of_day = OF_OPEN & (league_day.c.day == day)
    return {
        "another secret": (
            update(league_day).where(of_day).values(commitment=b"x" * 32),
            f"open, {day}: the commitment is now {'78' * 32}; noted at",
        ),
        "a shorter day": (
            update(league_day).where(of_day).values(last_no=1),
            "the last match is now number 1; noted at",
        ),
        "another head": (
            update(league_day).where(of_day).values(head=b"x" * 32),
            f"the head after match 2 is now {'78' * 32}; noted at",
        ),
        "another head on the way": (
            update(match).where(match.c.no == 1, match.c.day == day).values(chain=b"x" * 32),
            f"the head after match 1 is {'78' * 32}; noted at",
        ),
    }


@pytest.mark.parametrize("name", list(forgeries("")))
def test_what_a_server_says_otherwise_is_told(watched: Watched, name: str):
    watched.next_day()
    statement, sentence = forgeries(watched.first_day)[name]
    watched.forge(statement)
    for _ in range(2):
        report = watched.look()
        assert any(sentence in fault for fault in report.faults), report.faults
        assert f"open, {watched.first_day}" not in report.files


def test_a_head_of_today_is_compared_too(watched: Watched):
    watched.forge(update(league_day).where(OF_OPEN, league_day.c.day == watched.first_day).values(last_no=1))
    assert any("the last match is now number 1" in fault for fault in watched.look().faults)


def test_a_day_that_is_gone_and_a_league_that_is_gone_are_told(watched: Watched, monkeypatch: pytest.MonkeyPatch):
    watched.next_day()
    gone = league_day.c.day == watched.first_day
    for table in (match_side, leg):
        watched.forge(delete(table))
    watched.forge(delete(match))
    watched.forge(delete(league_head).where(league_head.c.day == watched.first_day))
    watched.forge(delete(league_day).where(gone, OF_OPEN))
    assert f"open, {watched.first_day}: the server has no such day; noted at" in watched.look().faults[0]
    monkeypatch.setattr(watched.client.arena, "leagues", list)
    assert watched.look().faults == [
        "hidden: the server has no such league any more",
        "open: the server has no such league any more",
    ]


def test_a_downloaded_file_is_compared_with_the_notes(watched: Watched):
    watched.next_day()
    content = watched.client.arena.day("open", watched.first_day)
    notes = notes_of_day(read_notes(watched.notes), watched.client.url, "open", watched.first_day)
    assert check_day(notes, content) == []
    document = json.loads(content)
    del document["matches"][0]
    assert "the file lacks match 1" in check_day(notes, json.dumps(document).encode())[0]
    document["matches"].clear()
    document["last_number"] = 0
    assert "the file ends with match 0; noted at" in check_day(notes, json.dumps(document).encode())[0]
    document["commitment"] = "00" * 32
    assert "the commitment is 0000" in check_day(notes, json.dumps(document).encode())[0]
    with pytest.raises(InputError, match="is not a league-day file"):
        check_day(notes, b"{}")


def test_a_line_that_is_no_note_is_refused(watched: Watched):
    lines = watched.notes.read_text().splitlines()
    watched.notes.write_text("\n".join([*lines, '{"at": 1}']))
    with pytest.raises(InputError, match=f"line {len(lines) + 1}: is no note"):
        watched.look()


def test_notes_are_added_whole_or_not_at_all(watched: Watched, monkeypatch: pytest.MonkeyPatch):
    before = watched.notes.read_bytes()
    watched.next_day()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(InputError, match="cannot be written"):
            watched.look()
    assert watched.notes.read_bytes() == before
    assert list(watched.notes.parent.glob("*.part")) == []


def test_notes_of_other_servers_stay_as_they_are(watched: Watched):
    other = Note(at="2026-01-01T00:00:00+00:00", server="https://other.example", league="x", day="x", commitment="x")
    # Without a new line at its end, as an editor may leave it.
    watched.notes.write_bytes(msgspec.json.encode(other))
    assert watched.look().faults == []
    notes = read_notes(watched.notes)
    assert notes[0] == other
    assert len(notes) == 5


def test_the_command(watched: Watched, connect: Connect, monkeypatch, capsys, tmp_path: Path):
    monkeypatch.setattr("fracas.client.Client", lambda _: connect())
    monkeypatch.setattr("fracas.client.witness.datetime", Clock(watched.server.clock))
    notes, file = ("--notes", watched.notes), tmp_path / "day.json"
    watched.next_day()
    ended = call(capsys, "server", "witness", "http://fracas.test", *notes)
    assert ended.status == 0
    assert "fits what you noted" in ended.out
    assert f"the file of open, {watched.first_day} has all that you noted of it" in ended.out
    file.write_bytes(watched.client.arena.day("open", watched.first_day))
    ended = call(capsys, "server", "witness", "http://fracas.test", *notes, "--day", file)
    assert ended.status == 0
    assert "verified against the noted commitment and 2 noted heads" in ended.out
    unknown = call(capsys, "server", "witness", "http://fracas.test", "--notes", tmp_path / "new", "--day", file)
    assert unknown.status == 2
    assert f"not verified: you noted nothing of open on {watched.first_day}" in unknown.out
    watched.forge(forgeries(watched.first_day)["another head"][0])
    for format in ("text", "json"):
        ended = call(capsys, "server", "witness", "http://fracas.test", *notes, "--format", format)
        assert (ended.status, "the head after match 2 is now" in ended.out) == (1, True)
    for url, said in (("fracas.test", "is no address"), ("http://[", "cannot be asked")):
        monkeypatch.undo()
        assert said in call(capsys, "server", "witness", url, *notes).err


class Clock:
    """What the module takes for `datetime`."""

    def __init__(self, clock: Any) -> None:
        self._clock = clock

    def now(self, zone: Any) -> datetime:
        return datetime.fromtimestamp(self._clock.now_ms() / 1000, zone)


def test_a_server_that_does_not_answer_is_a_sentence(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fracas.client.transport.MOST_REPEATS", 0)
    ended = call(capsys, "server", "witness", "http://127.0.0.1:1", "--notes", tmp_path / "witness.jsonl")
    assert (ended.status, "cannot be asked" in ended.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
