"""Simulates to files: a Parquet table, a JSON summary, and a checkpoint meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.files.atomic_write import writable_path
from fracas.files.read import read_document
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.tally import Tally
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.contributions import BattleProgress
from fracas.lab.simulation.finished_run import check_continues, continued, finished_run
from fracas.lab.simulation.first_battles import with_contributions, with_timeline
from fracas.lab.simulation.merge_runs import Part, write_table
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, simulate
from fracas.lab.simulation.summary_file import asked_json, summary_json, summary_of, write_summary
from fracas.lab.store.parquet import TableWriter, check_table_library
from fracas.lab.store.run_checkpoint import RunCheckpoint


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
    True, and the finished chunks stay for `resume`. If `out` already has the first battles of this very run, `resume`
    plays those that follow. With `start` the run plays the battles from that number on, as a part of a run; `merge`
    combines parts.

    Raises:
        InputError: as `simulate`; files that cannot be written; finished chunks or, with `resume`, a complete result of
            another run; finished chunks of this one without `resume`.
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
    asked = asked_json(n, precision, start, contributions)
    with ExitStack() as stack:
        checkpoint = RunCheckpoint(out, resume=resume, notice=notice)
        before = finished_run(out, checkpoint.first_battle) if resume else None
        left, first, table_path, to_play = n, start, out, asked
        if before is not None:
            left = check_continues(before, scenario, asked)
            first, table_path = before.battles.stop, checkpoint.spool / "rest.parquet"
            to_play = asked_json(left, None, first)
            checkpoint.resume = checkpoint.first_battle is not None
            if notice is not None:
                what = "plays those that follow" if left else "nothing is left to play"
                notice(f"{out} has {len(before.battles):,} battles already; {what}")
        stack.enter_context(checkpoint)
        table, results = None, None
        if left != 0:
            if is_table:
                table = stack.enter_context(TableWriter(table_path, scenario, checkpoint.spool, to_play))
            results = simulate(
                scenario,
                left,
                precision=precision,
                threads=threads,
                progress=progress,
                sink=table.add if table is not None else None,
                notice=notice,
                checkpoint=checkpoint,
                start=first,
            )
        if before is not None:
            results = continued(before, results, scenario)
        assert results is not None
        results = with_contributions(results, contributions, notice, logging_progress)
        results = with_timeline(results, timeline, notice, logging_progress)
        if results.interrupted and (out.exists() or summary.exists()) and not _is_partial(summary):
            return replace(results, left_older=True)
        if table is not None:
            table.finish()
            if before is not None:
                rest = Part(table_path, {"asked": to_play}, Tally(), range(first, first + table.rows))
                write_table(out, [before, rest], scenario, asked)
        write_summary(summary, summary_json(results, asked))
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
