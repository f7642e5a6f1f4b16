"""`fracas verify`: play saved battles again and compare."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import BAD_INPUT, CHECK_FAILED, DONE
from fracas.cli.shared.output import notice, print_errors, print_json, results_only, say
from fracas.cli.shared.parameters import Format, Plugins
from fracas.cli.shared.verification import as_json, render
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import quoted

if TYPE_CHECKING:
    from fracas.replay.session_file import SessionVerification
    from fracas.replay.table_file import TableVerification
    from fracas.replay.verify import Verification

# More matches than these digits count are in no day.
MOST_DIGITS = 9


def verify(
    replay: Annotated[
        list[Path] | None, Parameter(help="One or more replays, bundles, duels or proofs of tables.")
    ] = None,
    /,
    *,
    league_day: Annotated[
        list[Path] | None,
        Parameter(name="--league-day", help="A published league-day of a server: seeds, digests, chain and ratings."),
    ] = None,
    plugin: Plugins = None,
    commitment: Annotated[
        str | None,
        Parameter(
            name="--commitment",
            help="What you noted: for a duel, its commitment or handshake; for a league-day, its commitment.",
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        Parameter(
            name="--head",
            help="For a league-day: a noted head of its chain: a match's number and the head, 12:9f3c... Repeatable.",
        ),
    ] = None,
    previous: Annotated[
        list[Path] | None,
        Parameter(
            name="--previous", help="For a league-day: an earlier day's file, whose ratings carry over. Repeatable."
        ),
    ] = None,
    salt: Annotated[str | None, Parameter(name="--salt", help="For a duel: the salt that you gave.")] = None,
    format: Format = "text",
) -> int:
    """Play saved battles again and compare every event, digest and result.

    For a bundle, the compiled record is compared too. For a duel between people, the dice, scenario and policies are
    checked against the commitment made before anyone chose. For a table of a server, the commitment binds the accounts
    and the table as well. For a league-day, all seeds, numbers, digests and ratings
    are computed again from the day's secret. A league-day alone is compared with itself only, because whoever runs the
    server could make all of it anew. What you noted before binds it: its commitment, heads of its chain, earlier days.

    Exit status 1 if a file differs, 2 if one cannot be checked (unreadable, edited, made by rules that are not
    installed, or a league-day with a match that could not be played).

    Try:

        fracas run examples/squads/first-battle.toml --save battle.json
        fracas verify battle.json
        fracas verify duel.json --salt "any word" --commitment 4be9...
        fracas verify --league-day day.json --commitment 4be9... --head 12:9f3c... --previous day-before.json
    """
    from fracas.plugins.loader import load_plugins
    from fracas.replay.load_battle import verify_saved
    from fracas.replay.session_file import NOTHING_NOTED, PlayerNotes, holds_session, verify_session
    from fracas.replay.table_file import holds_table, verify_table

    if league_day:
        if replay:
            raise UsageError.of("--league-day", "cannot be combined with replays", "verify them with a second command")
        return _verify_league_days(league_day, commitment, head or [], previous or [], format)
    for option, given in (("--head", head), ("--previous", previous)):
        if given:
            raise UsageError.of(option, "is for a league-day", "name its file with --league-day FILE")
    if not replay:
        raise UsageError.of("REPLAY", "is missing", "name a replay, a bundle, a duel or --league-day FILE")
    noted = PlayerNotes(commitment, salt)
    verification: Verification | SessionVerification | TableVerification
    with results_only():
        plugins = load_plugins(plugin or [])
    status, documents = DONE, []
    for path in replay:
        try:
            with results_only():
                if holds_table(path):
                    verification = verify_table(path, noted)
                elif noted != NOTHING_NOTED or holds_session(path):
                    verification = verify_session(path, noted, notice, alone=len(replay) == 1)
                else:
                    verification = verify_saved(path, plugins, notice, alone=len(replay) == 1)
        except InputError as error:
            print_errors(error.problems, as_json=False)
            documents.append({"file": str(path), "errors": [problem.as_json() for problem in error.problems]})
            status = BAD_INPUT
            continue
        documents.append(as_json(verification))
        if not verification.matches:
            status = max(status, CHECK_FAILED)
        if format == "text":
            say(*render(verification))
    if format == "json":
        bad = [problem for document in documents for problem in document.get("errors", [])]
        print_json({"replays": documents, **({"errors": bad} if bad else {})})
    return status


def _verify_league_days(
    files: list[Path], commitment: str | None, heads: list[str], previous: list[Path], format: Format
) -> int:
    """Verify published league-days; returns the exit status.

    Raises:
        UsageError: a note is none, or it is not clear of which day it is.
    """
    from fracas.server.arena.proofs.day_file import read_league_day
    from fracas.server.arena.proofs.league_day import Noted, verify_league_day
    from fracas.server.arena.proofs.league_day import render as render_day

    if len(files) > 1 and (commitment is not None or heads or previous):
        message = "with --commitment, --head or --previous takes one file"
        raise UsageError.of("--league-day", message, "verify each day with a command of its own")
    _check_digest("--commitment", commitment)
    noted = Noted(commitment, dict(map(_head, heads)), [read_league_day(path) for path in previous])
    status, documents = DONE, []
    for path in files:
        try:
            verification = verify_league_day(path, noted)
        except InputError as error:
            print_errors(error.problems, as_json=False)
            documents.append({"file": str(path), "errors": [problem.as_json() for problem in error.problems]})
            status = BAD_INPUT
            continue
        documents.append(verification.as_json())
        if not verification.is_verified:
            status = max(status, BAD_INPUT if verification.matches else CHECK_FAILED)
        if format == "text":
            say(*render_day(verification))
    if format == "json":
        bad = [problem for document in documents for problem in document.get("errors", [])]
        print_json({"league_days": documents, **({"errors": bad} if bad else {})})
    return status


def _head(text: str) -> tuple[int, str]:
    """A noted head: the number of the match before it, and its digest.

    Raises:
        UsageError: it is none.
    """
    number, colon, digest = text.partition(":")
    if not colon or not number.isdecimal() or len(number) > MOST_DIGITS:
        advice = "write the number of the match and the head after it: 12:9f3c..."
        raise UsageError.of("--head", f"{quoted(text)} is no noted head", advice)
    _check_digest("--head", digest)
    return int(number), digest


def _check_digest(option: str, text: str | None) -> None:
    """Refuse what cannot be a digest.

    Raises:
        UsageError: it is not 64 hexadecimal digits.
    """
    if text is not None and not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise UsageError.of(option, f"{quoted(text)} is not 64 hexadecimal digits", "note the whole of it")
