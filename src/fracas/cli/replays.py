"""`fracas verify` and `fracas replay`: battles that were saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.options import Format, Plugins
from fracas.cli.play import Detail
from fracas.cli.show import notice, print_errors, print_json, print_lines, problem_json, results_only, say
from fracas.cli.statuses import BAD_INPUT, CHECK_FAILED, DONE
from fracas.errors import InputError

if TYPE_CHECKING:
    from fracas.replay.file import Verification

LAST_ROUND = 10**9


def verify(
    replay: Annotated[list[Path], Parameter(help="Replays, one or more.")],
    /,
    *,
    plugin: Plugins = None,
    format: Format = "text",
) -> int:
    """Play saved battles again and compare every event, digest and result.

    Exit status 1 if one differs, 2 if one cannot be checked (unreadable, edited content, rules that are not installed).

    Try:

        fracas run examples/squads/first-battle.toml --save battle.json
        fracas verify battle.json
    """
    from fracas.replay.file import verify_replay
    from fracas.replay.plugins import load_plugins

    with results_only():
        plugins = load_plugins(plugin or [])
    status, documents = DONE, []
    for path in replay:
        try:
            with results_only():
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


def told(verification: Verification) -> list[str]:
    """A verification in words."""
    battle = verification.battle
    if verification.matches:
        assert battle.rows is not None
        return [f"{verification.file}: verified, {len(battle.rows):,} events, digest {battle.digest}"]
    at = f" in tick {verification.tick}" if verification.tick is not None else ""
    return [
        f"{verification.file}: DIFFERS{at}: {verification.explanation}",
        f"  stored: {json.dumps(verification.stored, ensure_ascii=False)}",
        f"  played: {json.dumps(verification.played, ensure_ascii=False)}",
    ]


def as_json(verification: Verification) -> dict[str, Any]:
    """A verification as plain values."""
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
    from_: Annotated[int | None, Parameter(name="--from", help="The first round to tell.")] = None,
    to: Annotated[int | None, Parameter(name="--to", help="The last round to tell.")] = None,
    detail: Detail = "story",
    format: Format = "text",
) -> int:
    """Tell a saved battle again, or some rounds of it, from its stored events.

    Try:

        fracas replay battle.json
        fracas replay battle.json --from 3 --to 4 --detail all
    """
    from fracas.replay.battle import check_whole
    from fracas.replay.file import told_replay

    first, last = from_ or 0, LAST_ROUND if to is None else to
    check_whole("--from", first, 0, LAST_ROUND)
    check_whole("--to", last, 0, LAST_ROUND)
    if first > last:
        raise InputError.of("--from, --to", f"round {first} comes after round {last}")
    battle = told_replay(file)
    if format == "json":
        events = [event.as_json() for event in battle.events if first <= event.tick <= last]
        print_json({**battle.outcome_json(), "events": events})
    else:
        print_lines(line for line in battle.lines(detail) if first <= line.tick <= last)
    return DONE
