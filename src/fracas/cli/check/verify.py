"""`fracas verify`: play saved battles again and compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import BAD_INPUT, CHECK_FAILED, DONE
from fracas.cli.shared.output import notice, print_errors, print_json, problem_json, results_only, say
from fracas.cli.shared.parameters import Format, Plugins
from fracas.cli.shared.verification import as_json, render
from fracas.errors import InputError, UsageError

if TYPE_CHECKING:
    from fracas.replay.session_file import SessionVerification
    from fracas.replay.verify import Verification


def verify(
    replay: Annotated[list[Path] | None, Parameter(help="One or more replays, bundles or duels.")] = None,
    /,
    *,
    league_day: Annotated[
        list[Path] | None,
        Parameter(name="--league-day", help="A published league-day of a server: seeds, digests, chain and ratings."),
    ] = None,
    plugin: Plugins = None,
    commitment: Annotated[
        str | None,
        Parameter(name="--commitment", help="For a duel: the commitment or handshake that you noted down."),
    ] = None,
    salt: Annotated[str | None, Parameter(name="--salt", help="For a duel: the salt that you gave.")] = None,
    format: Format = "text",
) -> int:
    """Play saved battles again and compare every event, digest and result.

    For a bundle, the compiled record is compared too. For a duel between people, the dice, scenario and policies are
    checked against the commitment made before anyone chose. For a league-day, all seeds, numbers, digests and ratings
    are computed again from the day's secret.

    Exit status 1 if a file differs, 2 if one cannot be checked (unreadable, edited, or made by rules that are not
    installed).

    Try:

        fracas run examples/squads/first-battle.toml --save battle.json
        fracas verify battle.json
        fracas verify duel.json --salt "any word" --commitment 4be9...
        fracas verify --league-day squads-2026-11-22.json
    """
    from fracas.plugins.loader import load_plugins
    from fracas.replay.load_battle import verify_saved
    from fracas.replay.session_file import NOTHING_NOTED, PlayerNotes, holds_session, verify_session

    if league_day:
        return _verify_league_days(league_day, replay, format)
    if not replay:
        raise UsageError.of("REPLAY", "is missing", "name a replay, a bundle, a duel or --league-day FILE")
    noted = PlayerNotes(commitment, salt)
    verification: Verification | SessionVerification
    with results_only():
        plugins = load_plugins(plugin or [])
    status, documents = DONE, []
    for path in replay:
        try:
            with results_only():
                if noted != NOTHING_NOTED or holds_session(path):
                    verification = verify_session(path, noted, notice, alone=len(replay) == 1)
                else:
                    verification = verify_saved(path, plugins, notice, alone=len(replay) == 1)
        except InputError as error:
            print_errors(error.problems, as_json=False)
            documents.append({"file": str(path), "errors": [problem_json(problem) for problem in error.problems]})
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


def _verify_league_days(files: list[Path], replays: list[Path] | None, format: Format) -> int:
    """Verify published league-days; returns the exit status.

    Raises:
        UsageError: replays were given too.
    """
    from fracas.server.arena.proofs.league_day import render as render_day
    from fracas.server.arena.proofs.league_day import verify_league_day

    if replays:
        raise UsageError.of("--league-day", "cannot be combined with replays", "verify them with a second command")
    status, documents = DONE, []
    for path in files:
        try:
            found = verify_league_day(path)
        except InputError as error:
            print_errors(error.problems, as_json=False)
            documents.append({"file": str(path), "errors": [problem_json(problem) for problem in error.problems]})
            status = BAD_INPUT
            continue
        documents.append(found.as_json())
        if not found.matches:
            status = max(status, CHECK_FAILED)
        if format == "text":
            say(*render_day(found))
    if format == "json":
        bad = [problem for document in documents for problem in document.get("errors", [])]
        print_json({"league_days": documents, **({"errors": bad} if bad else {})})
    return status
