"""`fracas lab replay`: print the story of a saved battle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.play.run import Detail
from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice, print_json, print_lines
from fracas.cli.shared.parameters import Format
from fracas.errors import FaultError, InputError, Problem

if TYPE_CHECKING:
    from fracas.engine.battle import Battle

LAST_TICK = 2**31 - 1


def replay(
    file: Annotated[Path, Parameter(help="A replay.")],
    /,
    *,
    from_: Annotated[
        str | None, Parameter(name="--from", help="First round to show; in a run ENCOUNTER.ROUND or ENCOUNTER.")
    ] = None,
    to: Annotated[str | None, Parameter(name="--to", help="Last round to show, in the same form.")] = None,
    detail: Detail = "story",
    format: Format = "text",
) -> int:
    """Print the story of a saved battle, or some of its rounds.

    A replay is told from its stored events; a finished duel is played again. A line on stderr warns you if the file
    does not verify, or if it cannot be verified here.

    Try:

        fracas lab replay battle.json
        fracas lab replay battle.json --from 3 --to 4 --detail all
    """
    from fracas.replay.session_file import holds_session, replayed_session
    from fracas.replay.verify import narrate_replay

    is_duel = holds_session(file)
    battle = replayed_session(file) if is_duel else narrate_replay(file)
    is_told = part_of(battle, from_, to)
    # A duel has just been played again; a replay is told from its stored events.
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
    """Whether a replay verifies (None if it cannot be verified here), and a sentence about it unless it does."""
    from fracas.replay.verify import verify_replay

    try:
        verification = verify_replay(file, notice=notice, alone=True)
    except (InputError, FaultError) as error:
        return None, f"is shown as stored, not verified: {str(error).removeprefix(f'{file}: ')}"
    if verification.matches:
        return True, ""
    return False, f"DOES NOT VERIFY, is shown as stored: {verification.explanation}"


def part_of(battle: Battle, first: str | None, last: str | None) -> Callable[[int], bool]:
    """A test whether a tick lies between two tick labels, both included.

    Raises:
        InputError: a label is not in this battle, or the first comes after the last.
    """
    places = battle.scenario.ruleset.tick_labels(battle.scenario.document)
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
