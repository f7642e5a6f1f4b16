"""Note what a server promises, and hold it to that later.

Whoever runs a server can make a whole league-day anew: drop a match, draw another secret, invent a rating. It shows
only to those who noted the day's commitment and heads of its chain before. `witness` notes them and compares everything
that was noted with what the server says now. Notes are lines of JSON in a file, which only grows.

```python
from pathlib import Path
from fracas.client import Client
from fracas.client.witness import witness

with Client("https://fracas.example") as client:
    report = witness(client, Path("witness.jsonl"))
    for fault in report.faults:
        print(fault)
```
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from fracas.client.client import Client
from fracas.client.errors import ServerProblem
from fracas.errors import InputError
from fracas.files.atomic_write import write_atomic
from fracas.files.read import read_text
from fracas.server_models.arena import Day, Head

LARGEST_NOTES = 512 * 1024 * 1024


class Note(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a server said of a league-day at a time: its commitment, and where its chain stood if the day had begun."""

    at: str
    """When it was noted, ISO 8601 in UTC."""
    server: str
    league: str
    day: str
    """2026-11-22, UTC."""
    commitment: str
    """64 hex digits."""
    number: int | None = None
    """How many matches the day had."""
    head: str | None = None
    """Of the chain after them, 64 hex digits."""
    final: bool = False
    """Whether the day was over, and its file had all that was noted before."""

    @property
    def is_in_advance(self) -> bool:
        """Whether it was made before the day began, so that the secret cannot depend on anything of the day."""
        return self.at[:10] < self.day


@dataclass
class Report:
    """What a look at a server came to."""

    server: str
    leagues: int = 0
    added: list[Note] = field(default_factory=list)
    """Notes that were new."""
    compared: int = 0
    """Earlier notes that were compared with what the server says now."""
    files: list[str] = field(default_factory=list)
    """League-days whose files were downloaded and have all that was noted of them, as `squads, 2026-11-22`."""
    faults: list[str] = field(default_factory=list)
    """What the server says otherwise now than it did, as sentences."""


class _FileMatch(msgspec.Struct):
    number: int
    chain: str


class _DayFile(msgspec.Struct):
    """What notes are compared with in a league-day file."""

    league: str
    day: str
    commitment: str
    last_number: int
    head: str
    matches: list[_FileMatch]


def read_notes(file: Path) -> list[Note]:
    """The notes of a file, the oldest first; none if it does not exist.

    Raises:
        InputError: it cannot be read, or a line of it is no note.
    """
    if not file.exists():
        return []
    notes = []
    for number, line in enumerate(read_text(file, LARGEST_NOTES).splitlines(), 1):
        try:
            notes.append(msgspec.json.decode(line, type=Note))
        except (msgspec.MsgspecError, RecursionError):
            advice = "name another file with --notes, or remove the line"
            raise InputError.of(f"{file}: line {number}", "is no note of a witness", advice) from None
    return notes


def notes_of_day(notes: Iterable[Note], server: str, league: str, day: str) -> list[Note]:
    """The notes of one league-day of a server."""
    return [note for note in notes if (note.server, note.league, note.day) == (server, league, day)]


def witness(client: Client, file: Path, *, at: datetime | None = None) -> Report:
    """Note where all leagues of a server stand, and compare what was noted before with what it says now.

    Commitments of today and tomorrow and today's heads are noted. The file of a day that is over is downloaded once and
    compared with all heads noted of it. Notes are added to the file completely or not at all.

    Args:
        client: the server; it need not be signed in.
        file: the notes; made if it does not exist.
        at: the time of the notes. Default: now.

    Raises:
        ServerProblem: the server refused.
        ConnectionFailed: it did not answer.
        InputError: the file cannot be read or written.
    """
    notes = [note for note in read_notes(file) if note.server == client.url]
    look = _Look(client, notes, (at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds"))
    for league in client.arena.leagues():
        look.at_league(league.id)
    look.for_missing_leagues()
    if look.report.added:
        _append(file, look.report.added)
    return look.report


def check_day(notes: Sequence[Note], content: bytes) -> list[str]:
    """Compare a league-day file with the notes of its day; return what does not fit, as sentences.

    Only what the file says of itself is compared. That its chain is the one of its matches, `fracas verify` computes.

    Raises:
        InputError: it is not a league-day file.
    """
    try:
        document = msgspec.json.decode(content, type=_DayFile)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InputError.of("the file of the day", f"is not a league-day file: {error}") from None
    chain = {match.number: match.chain for match in document.matches} | {document.last_number: document.head}
    name, faults = f"{document.league}, {document.day}", []
    for note in notes:
        if note.commitment != document.commitment:
            faults.append(f"{name}: the commitment is {document.commitment}; noted at {note.at} was {note.commitment}")
        if note.number is None:
            continue
        if note.number > document.last_number:
            faults.append(
                f"{name}: the file ends with match {document.last_number}; noted at {note.at} was match {note.number}"
            )
        elif note.number in chain and chain[note.number] != note.head:
            said = f"the head after match {note.number} is {chain[note.number]}"
            faults.append(f"{name}: {said}; noted at {note.at} was {note.head}")
        elif note.number and note.number not in chain:
            faults.append(f"{name}: the file lacks match {note.number}, which was noted at {note.at}")
    return list(dict.fromkeys(faults))


class _Look:
    """One look at a server."""

    def __init__(self, client: Client, notes: Sequence[Note], at: str) -> None:
        self.client = client
        self.at = at
        self.report = Report(client.url)
        self._notes: dict[str, dict[str, list[Note]]] = {}
        """By league and day."""
        for note in notes:
            self._notes.setdefault(note.league, {}).setdefault(note.day, []).append(note)
        self._seen: set[str] = set()

    def at_league(self, league: str) -> None:
        """Compare and note a league."""
        self._seen.add(league)
        self.report.leagues += 1
        noted = self._notes.get(league, {})
        head = self.client.arena.head(league)
        # Tomorrow's day is in the list of days, too, but nothing of it has happened.
        days = self._days(league, min(noted, default=head.day))
        for day, notes in sorted(noted.items()):
            self.report.compared += len(notes)
            if day in days:
                self._compare(league, days[day], notes, head)
            else:
                self.report.faults.append(f"{league}, {day}: the server has no such day; noted at {notes[0].at}")
        self._note(league, head.day, head.commitment, head.number, head.head)
        if head.tomorrow is not None:
            self._note(league, head.tomorrow.day, head.tomorrow.commitment)

    def for_missing_leagues(self) -> None:
        """Say which leagues with notes are gone."""
        for league in sorted(self._notes.keys() - self._seen):
            self.report.faults.append(f"{league}: the server has no such league any more")

    def _days(self, league: str, oldest: str) -> dict[str, Day]:
        """The days of a league that the server lists, back to the oldest of interest."""
        found = {}
        for day in self.client.arena.days(league):
            if day.day < oldest:
                break
            found[day.day] = day
        return found

    def _compare(self, league: str, now: Day, notes: Sequence[Note], head: Head) -> None:
        """Compare the notes of a day with what the server says of it now."""
        name, faults = f"{league}, {now.day}", self.report.faults
        before = len(faults)
        said = {now.matches: now.head}
        if now.day == head.day:
            # The head may have moved on since the list of days was asked for.
            said |= {each.number: each.head for each in head.published} | {head.number: head.head}
        for note in notes:
            if note.commitment != now.commitment:
                faults.append(
                    f"{name}: the commitment is now {now.commitment}; noted at {note.at} was {note.commitment}"
                )
            if note.number is not None and note.number > max(said):
                faults.append(
                    f"{name}: the last match is now number {max(said)}; noted at {note.at} was number {note.number}"
                )
            elif note.number in said and note.head != said[note.number]:
                told = f"the head after match {note.number} is now {said[note.number]}"
                faults.append(f"{name}: {told}; noted at {note.at} was {note.head}")
        is_new = now.published_at is not None and not any(note.final for note in notes)
        if is_new and len(faults) == before:
            self._compare_file(league, now, notes)

    def _compare_file(self, league: str, now: Day, notes: Sequence[Note]) -> None:
        """Download the file of a day that is over, compare it, and note where its chain ended."""
        name = f"{league}, {now.day}"
        try:
            faults = check_day(notes, self.client.arena.day(league, now.day))
        except ServerProblem as problem:
            if problem.status not in (404, 410):
                raise
            faults = [f"{name}: the server does not give the file of the day: {problem.detail}"]
        except InputError as error:
            faults = [f"{name}: {error}"]
        self.report.faults += faults
        if not faults:
            self.report.files.append(name)
            self._note(league, now.day, now.commitment, now.matches, now.head, final=True)

    def _note(
        self,
        league: str,
        day: str,
        commitment: str,
        number: int | None = None,
        head: str | None = None,
        *,
        final: bool = False,
    ) -> None:
        """Note what the server says of a day, unless it is noted already."""
        made = Note(
            at=self.at,
            server=self.client.url,
            league=league,
            day=day,
            commitment=commitment,
            number=number,
            head=head,
            final=final,
        )
        known = self._notes.get(league, {}).get(day, [])
        if not any(msgspec.structs.replace(note, at=self.at) == made for note in known):
            self.report.added.append(made)


def _append(file: Path, notes: Sequence[Note]) -> None:
    """Add notes to a file, all of them or none.

    Raises:
        InputError: it cannot be written.
    """
    before = file.read_bytes() if file.exists() else b""
    if before and not before.endswith(b"\n"):
        before += b"\n"
    write_atomic(file, before + b"".join(msgspec.json.encode(note) + b"\n" for note in notes))
