"""`fracas verify` and `fracas replay`: battles that were saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.play.run import Detail
from fracas.cli.shared.exit_status import BAD_INPUT, CHECK_FAILED, DONE
from fracas.cli.shared.output import notice, print_errors, print_json, print_lines, problem_json, results_only, say
from fracas.cli.shared.parameters import Format, Plugins
from fracas.errors import FaultError, InputError, Problem
from fracas.errors.suggestions import quoted

if TYPE_CHECKING:
    from fracas.engine.battle import Battle
    from fracas.engine.replay_file import Verification
    from fracas.replay.session_file import SessionVerification
    from fracas.rulesets.contract.types import KeptSession

LAST_TICK = 2**31 - 1


def verify(
    replay: Annotated[list[Path], Parameter(help="Replays, one or more.")],
    /,
    *,
    plugin: Plugins = None,
    commitment: Annotated[
        str | None,
        Parameter(name="--commitment", help="Of a duel: the commitment, or the handshake, that you noted down."),
    ] = None,
    salt: Annotated[str | None, Parameter(name="--salt", help="Of a duel: the salt that you gave.")] = None,
    format: Format = "text",
) -> int:
    """Play saved battles again and compare every event, digest and result.

    Of a duel between people it is checked besides that its dice, its scenario and its policies are those that were
    promised before anybody chose.

    Exit status 1 if one differs, 2 if one cannot be checked (unreadable, edited content, rules that are not installed).

    Try:

        fracas run examples/squads/first-battle.toml --save battle.json
        fracas verify battle.json
        fracas verify duel.json --salt "any word" --commitment 4be9...
    """
    from fracas.engine.replay_file import verify_replay
    from fracas.plugins.loader import load_plugins
    from fracas.replay.session_file import NOTHING_NOTED, Noted, holds_session, verify_session

    noted = Noted(commitment, salt)
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
                    verification = verify_replay(path, plugins, notice, alone=len(replay) == 1)
        except InputError as error:
            print_errors(error.problems, as_json=False)
            documents.append({"file": str(path), "errors": [problem_json(problem) for problem in error.problems]})
            status = BAD_INPUT
            continue
        documents.append(as_json(verification))
        if not verification.matches:
            status = max(status, CHECK_FAILED)
        if format == "text":
            say(*told(verification))
    if format == "json":
        bad = [problem for document in documents for problem in document.get("errors", [])]
        print_json({"replays": documents, **({"errors": bad} if bad else {})})
    return status


def told(verification: Verification | SessionVerification) -> list[str]:
    """A verification in words."""
    from fracas.engine.replay_file import Verification

    if not isinstance(verification, Verification):
        return told_session(verification)
    battle = verification.battle
    if verification.matches:
        assert battle.rows is not None
        return [f"{verification.file}: verified, {len(battle.rows):,} events, digest {battle.digest}"]
    at = f" in {battle.place(verification.tick)}" if verification.tick is not None else ""
    return [
        f"{verification.file}: DIFFERS{at}: {verification.explanation}",
        f"  stored: {json.dumps(verification.stored, ensure_ascii=False)}",
        f"  played: {json.dumps(verification.played, ensure_ascii=False)}",
    ]


def told_session(verification: SessionVerification) -> list[str]:
    """A session's verification in words."""
    if not verification.matches:
        return [f"{verification.file}: DIFFERS: {verification.explanation}"]
    battle, kept = verification.battle, verification.kept
    salts = ", ".join(f"{name} {quoted(salt or '')}" for name, salt in kept.salts.items())
    noted = (verification.compared.commitment or "").strip().casefold()
    shown = ", as you were shown" if noted else "; is it the one you were shown?"
    given = "; is yours the one you gave?" if verification.compared.salt is None else "; among them the one you gave"
    names = battle.scenario.ruleset.side_names(battle.scenario.document)
    ended = f"{names[battle.winner - 1]} wins ({battle.reason})" if battle.winner else f"a draw ({battle.reason})"
    return [
        f"{verification.file}: verified, {verification.rounds} rounds, "
        + (f"{ended}, digest {battle.digest}" if verification.is_over else "not over yet"),
        f"  commitment {kept.commitment}: it binds this duel, its policies and the seed of every roll"
        + ("" if noted and noted == kept.handshake else shown),
        *(
            [f"  handshake {kept.handshake}: it binds the sealed salts too{_seen(kept, noted)}"]
            if kept.handshake
            else ()
        ),
        f"  salts: {salts}{given}",
    ]


def _seen(kept: KeptSession, noted: str) -> str:
    return ", as you were shown" if noted == kept.handshake else "; is it the one you were shown?"


def session_json(verification: SessionVerification) -> dict[str, Any]:
    """A session's verification as plain values."""
    kept = verification.kept
    return {
        "file": verification.file,
        "matches": verification.matches,
        "explanation": verification.explanation,
        "commitment": kept.commitment,
        "handshake": kept.handshake,
        "salts": dict(kept.salts),
        "rounds": verification.rounds,
        "is_over": verification.is_over,
        "digest": verification.battle.digest if verification.is_over else None,
    }


def as_json(verification: Verification | SessionVerification) -> dict[str, Any]:
    """A verification as plain values."""
    from fracas.engine.replay_file import Verification

    if not isinstance(verification, Verification):
        return session_json(verification)
    document: dict[str, Any] = {"file": verification.file, "matches": verification.matches}
    if not verification.matches:
        document |= {
            "tick": verification.tick,
            "stored": verification.stored,
            "played": verification.played,
            "explanation": verification.explanation,
        }
    return document | {"digest": verification.battle.digest}


def replay(
    file: Annotated[Path, Parameter(help="A replay.")],
    /,
    *,
    from_: Annotated[
        str | None, Parameter(name="--from", help="The first round to tell; of a run ENCOUNTER.ROUND or ENCOUNTER.")
    ] = None,
    to: Annotated[str | None, Parameter(name="--to", help="The last round to tell, likewise.")] = None,
    detail: Detail = "story",
    format: Format = "text",
) -> int:
    """Tell a saved battle again, or some rounds of it, from its stored events; a finished duel by playing it again.

    A line on standard error says so if the file does not verify, or if that cannot be known here.

    Try:

        fracas replay battle.json
        fracas replay battle.json --from 3 --to 4 --detail all
    """
    from fracas.engine.replay_file import told_replay
    from fracas.replay.session_file import holds_session, told_session_again

    is_duel = holds_session(file)
    battle = told_session_again(file) if is_duel else told_replay(file)
    is_told = part_of(battle, from_, to)
    # A duel was played again just now; a replay tells what it stores.
    verified, doubt = (True, "") if is_duel else standing(file)
    if format == "json":
        document = battle.as_json() if from_ is None and to is None else battle.outcome_json()
        events = [event.as_json() for event in battle.events if is_told(event.tick)]
        print_json({**document, "events": events, **({"verified": verified} if doubt else {})})
    else:
        print_lines(line for line in battle.lines(detail) if is_told(line.tick))
    if doubt:
        notice(f"{file}: {doubt}")
    return DONE


def standing(file: Path) -> tuple[bool | None, str]:
    """Whether a replay verifies, and if not, or if nobody can say, the sentence about it."""
    from fracas.engine.replay_file import verify_replay

    try:
        verification = verify_replay(file, notice=notice, alone=True)
    except (InputError, FaultError) as error:
        return None, f"is told as it is stored, and was not verified: {str(error).removeprefix(f'{file}: ')}"
    if verification.matches:
        return True, ""
    return False, f"DOES NOT VERIFY, and is told as it is stored: {verification.explanation}"


def part_of(battle: Battle, first: str | None, last: str | None) -> Callable[[int], bool]:
    """Whether a tick lies between two places as they are written, both included.

    Raises:
        InputError: one of them is no place of this battle, or they stand the wrong way round.
    """
    places = battle.scenario.ruleset.places(battle.scenario.document)
    problems: list[Problem] = []
    ends = [0, LAST_TICK]
    for end, option, text in ((0, "--from", first), (1, "--to", last)):
        try:
            ends[end] = ends[end] if text is None else places.read(text, is_last=bool(end))
        except ValueError as error:
            problems.append(Problem(option, str(error)))
    if not problems and ends[0] > ends[1]:
        problems.append(Problem("--from, --to", f"round {first} comes after round {last}"))
    if not problems and not any(places.order(event.tick) >= ends[0] for event in battle.events):
        ended = battle.place(battle.events[-1].tick)
        problems.append(Problem("--from", f"nothing happens in round {first} or later", f"the battle ends in {ended}"))
    if problems:
        raise InputError(problems)
    return lambda tick: ends[0] <= places.order(tick) <= ends[1]
