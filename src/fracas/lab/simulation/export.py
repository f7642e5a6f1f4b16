"""Simulates to files: a Parquet table, a JSON summary, and a checkpoint meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.files.atomic_write import writable_path, write_atomic
from fracas.files.read import read_document
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.tally import Tally
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.contributions import BattleProgress
from fracas.lab.simulation.first_battles import with_contributions, with_timeline
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, simulate
from fracas.lab.store.parquet import TableWriter, check_table_library
from fracas.lab.store.run_checkpoint import RunCheckpoint
from fracas.version import __version__


@DeferInterrupt()
def simulate_to_file(
    out: Path,
    scenario: Scenario,
    n: int | None = None,
    *,
    precision: float | None = None,
    threads: ExecutorOrThreads = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    resume: bool = False,
    contributions: int | None = 0,
    timeline: int = 0,
    logging_progress: BattleProgress | None = None,
    start: int = 0,
) -> Results:
    """Simulate like `simulate`, and write the result: a table and a summary, or only the summary (.json).

    Finished chunks are kept in a folder beside `out` until everything is written; `resume` continues from it. For
    `contributions` and `logging_progress` see `with_contributions`, for `timeline` see `with_timeline`. An
    interrupted run replaces another partial result, but never a complete one: that stays, `Results.left_older` is
    True, and the finished chunks stay for `resume`. With `start` the run plays the battles from that number on, as a
    part of a run; `merge` combines parts.

    Raises:
        InputError: as `simulate`; files that cannot be written; finished chunks of another run, or of this one without
            `resume`.
        FaultError: a battle hit a limit of the engine.
    """
    summary = summary_of(out)
    is_table = summary != out
    if is_table:
        check_table_library()
    writable_path(out)
    if is_table:
        _check_ending(out)
    writable_path(summary)
    with ExitStack() as stack:
        checkpoint = stack.enter_context(RunCheckpoint(out, resume=resume, notice=notice))
        asked = asked_json(n, precision, start)
        table = stack.enter_context(TableWriter(out, scenario, checkpoint.spool, asked)) if is_table else None
        results = simulate(
            scenario,
            n,
            precision=precision,
            threads=threads,
            progress=progress,
            sink=table.add if table is not None else None,
            notice=notice,
            checkpoint=checkpoint,
            start=start,
        )
        results = with_contributions(results, contributions, notice, logging_progress)
        results = with_timeline(results, timeline, notice, logging_progress)
        if results.interrupted and (out.exists() or summary.exists()) and not _is_partial(summary):
            return replace(results, left_older=True)
        if table is not None:
            table.finish()
        document = summary_json(results, n, precision)
        write_atomic(summary, msgspec.json.format(msgspec.json.encode(document)) + b"\n")
        checkpoint.is_done = not results.interrupted
    return results


def _is_partial(summary: Path) -> bool:
    """Whether the file holds the result of an interrupted run."""
    try:
        document = read_document(summary)
    except InputError:
        return False
    return document.get("command") == "simulate" and document.get("interrupted") is True


def _check_ending(out: Path) -> None:
    if out.suffix.lower() != ".parquet":
        raise InputError.of(str(out), "must end in .parquet or .json")


def summary_of(out: Path) -> Path:
    """The path of a result's summary: beside its table, or the result itself."""
    return out if out.suffix.lower() == ".json" else out.with_name(f"{out.stem}.summary.json")


def summary_json(results: Results, n: int | None, precision: float | None) -> dict[str, Any]:
    """Results with every input and version, and nothing that depends on the machine or the run."""
    scenario = results.scenario
    counted = results.as_json()
    del counted["timing"]
    return counted | {
        "fracas": __version__,
        "asked": asked_json(n, precision, results.start),
        "plugins": {plugin.name: plugin.source_hash for plugin in scenario.compiled.plugins},
        **({"rules": scenario.ruleset.rules_hash} if scenario.ruleset.rules_hash else {}),
        "document": scenario.document,
        "sums": None if results.tally is None else sums_json(results.tally),
    }


def asked_json(n: int | None, precision: float | None, start: int = 0) -> dict[str, Any]:
    """The request apart from the scenario."""
    return {"n": n, "precision": precision} | ({"start": start} if start else {})


def sums_json(tally: Tally) -> Any:
    """All counts, in an order that does not depend on the executor; `merge` adds these up."""
    # The reader of the sums knows the ruleset's measures.
    bare = replace(tally, sums=replace(tally.sums, measures=()))
    return _in_order(msgspec.json.decode(msgspec.json.encode(bare)))


def _in_order(value: Any) -> Any:
    """Plain values with sorted keys: shorter keys first, so that numbers sort by value."""
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
    return [_in_order(each) for each in value] if isinstance(value, list) else value
