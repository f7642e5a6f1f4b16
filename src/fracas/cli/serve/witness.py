"""`fracas server witness`: watch over a server that somebody else runs."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import BAD_INPUT, CHECK_FAILED, DONE
from fracas.cli.shared.output import count, print_json, say
from fracas.cli.shared.parameters import Format
from fracas.errors import InputError, UsageError

if TYPE_CHECKING:
    from fracas.client.witness import Note, Report
    from fracas.server.arena.proofs.league_day import DayVerification


def witness(
    url: Annotated[str, Parameter(help="The server, such as https://fracas.example.")],
    /,
    *,
    notes: Annotated[Path, Parameter(name="--notes", help="The file of your notes; it is made, and it grows.")] = Path(
        "witness.jsonl"
    ),
    day: Annotated[
        list[Path] | None,
        Parameter(name="--day", help="A league-day file that you downloaded: verified against your notes."),
    ] = None,
    format: Format = "text",
) -> int:
    """Note what a server promises, and compare what you noted before with what it says now.

    Of each league it notes the commitments of today and tomorrow and the head of today's chain. The file of a day that
    is over is downloaded once and must have all heads that you noted. Let it run every day: what nobody noted, nobody
    can hold against a server. A file given with --day is verified as by fracas verify --league-day.

    Exit status 1 if the server or a file says otherwise than you noted, 2 if the server does not answer or a file
    cannot be verified.

    Try:

        fracas server witness https://fracas.example
        fracas server witness https://fracas.example --day day.json
    """
    if importlib.util.find_spec("httpx") is None:
        message = "requires a library that is not installed: httpx"
        raise UsageError.of("fracas server witness", message, "pip install 'fracas[client]'")
    from fracas.client.witness import read_notes

    report = _look(url, notes)
    days = _verified(day or [], read_notes(notes), report.server)
    statuses = [CHECK_FAILED] if report.faults else []
    statuses += [BAD_INPUT if found.matches else CHECK_FAILED for found in days if not found.is_verified]
    if format == "json":
        print_json(_as_json(report, days))
    else:
        _print(notes, report, days)
    return CHECK_FAILED if CHECK_FAILED in statuses else max(statuses, default=DONE)


def _look(url: str, notes: Path) -> Report:
    """Look at a server.

    Raises:
        InputError: it is no address, does not answer or refuses; or the notes cannot be read or written.
    """
    import httpx

    from fracas.client import Client, ConnectionFailed, ServerProblem
    from fracas.client.witness import witness as look

    if not url.startswith(("http://", "https://")):
        raise UsageError.of("URL", "is no address of a server", "write it as https://fracas.example")
    try:
        with Client(url) as client:
            return look(client, notes)
    except (ConnectionFailed, ServerProblem, httpx.InvalidURL) as error:
        raise InputError.of(url, f"cannot be asked: {error}", "is it the address of a Fracas server?") from None


def _verified(files: Sequence[Path], notes: Sequence[Note], name: str) -> list[DayVerification]:
    """League-day files, verified against what was noted of them.

    Raises:
        InputError: a file cannot be read, or is not a league-day file.
    """
    from fracas.client.witness import notes_of_day
    from fracas.server.arena.proofs.day_file import read_league_day
    from fracas.server.arena.proofs.league_day import Noted, verify_document

    found = []
    for path in files:
        document = read_league_day(path)
        noted = notes_of_day(notes, name, document.league, document.day)
        in_advance = [note for note in noted if note.is_in_advance]
        heads = {note.number: note.head for note in noted if note.number is not None and note.head is not None}
        commitment = in_advance[0].commitment if in_advance else None
        made = verify_document(document, str(path), Noted(commitment, heads))
        if not noted:
            made.obstacles.insert(0, f"not verified: you noted nothing of {document.league} on {document.day}")
        found.append(made)
    return found


def _as_json(report: Report, days: Sequence[DayVerification]) -> dict[str, Any]:
    return {
        "server": report.server,
        "leagues": report.leagues,
        "notes_added": len(report.added),
        "notes_compared": report.compared,
        "files": report.files,
        "faults": report.faults,
        "league_days": [day.as_json() for day in days],
    }


def _print(notes: Path, report: Report, days: Sequence[DayVerification]) -> None:
    from fracas.server.arena.proofs.league_day import render

    verdict = (
        "says otherwise than you noted" if report.faults else "fits what you noted" if report.compared else "noted"
    )
    say(f"{report.server}: {verdict}")
    added = f"{count(len(report.added), 'note')} added to {notes}"
    say(f"  {count(report.leagues, 'league')}, {count(report.compared, 'earlier note')} compared, {added}")
    say(*(f"  the file of {name} has all that you noted of it" for name in report.files))
    say(*(f"DIFFERS: {fault}" for fault in report.faults))
    for day in days:
        say(*render(day))
