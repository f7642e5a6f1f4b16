"""Continues a complete result: `simulate --resume` with more battles than the file has plays only those that follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.lab.execution.tally import Tally
from fracas.lab.simulation.merge_runs import RunPart, read_part
from fracas.lab.simulation.results import Results, results_of
from fracas.lab.simulation.simulate import DEFAULT_BATTLES
from fracas.lab.simulation.summary_file import summary_of
from fracas.lab.store.run_checkpoint import difference, run_inputs
from fracas.rulesets.contract.measures import Sums


def finished_run(out: Path, first_battle: int | None) -> RunPart | None:
    """The complete result at a path; None if there is none, or if the chunks beside it are not of its continuation.

    `first_battle` is that of the finished chunks beside it, None without any.
    """
    if not out.exists() or not summary_of(out).exists():
        return None
    try:
        part = read_part(out, with_tables=summary_of(out) != out)
    except InputError:
        return None
    return part if first_battle in (None, part.battles.stop) else None


def check_continues(before: RunPart, scenario: Scenario, asked: dict[str, Any]) -> int:
    """Check that a result has the first battles of a run, and return how many the run has beyond them.

    Raises:
        InputError: it belongs to another run, or has more battles than the run.
    """
    there = before.summary | {"start": before.battles.start}
    here = run_inputs(scenario) | {"start": asked.get("start", 0)}
    said = difference(there, here)
    where = str(before.path)
    if said is not None:
        raise InputError.of(
            where,
            f"is a complete result of another run: {said}",
            "choose another --out, or leave out --resume to replace it",
        )
    if asked["precision"] is not None:
        raise InputError.of(
            where,
            "is a complete result, and more battles to a precision cannot be added",
            "use -n, or leave out --resume to replace it",
        )
    wanted = asked["n"] or DEFAULT_BATTLES
    if wanted < len(before.battles):
        raise InputError.of(
            where,
            f"has {len(before.battles):,} battles, more than the {wanted:,} of this run",
            "leave out --resume to replace it",
        )
    return wanted - len(before.battles)


def continued(before: RunPart, rest: Results | None, scenario: Scenario) -> Results:
    """The results of a finished run and the battles that follow it, None for no more."""
    tally = Tally(sums=Sums(scenario.ruleset.measures(scenario.compiled, scenario.document)))
    tally.merge(before.tally)
    if rest is not None and rest.tally is not None:
        tally.merge(rest.tally)
    return results_of(
        scenario,
        tally,
        deterministic=before.summary["deterministic"],
        resumed=len(before.battles) + (rest.resumed if rest is not None else 0),
        start=before.battles.start,
        **({} if rest is None else _ended(rest)),
    )


def _ended(rest: Results) -> dict[str, Any]:
    """How the play of the battles that follow ended."""
    return {
        "interrupted": rest.interrupted,
        "stop_asked": rest.stop_asked,
        "seconds": rest.timing.seconds,
        "threads": rest.timing.threads,
    }
