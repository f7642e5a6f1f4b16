"""Simulates with everything that the command and Python offer; to files with a checkpoint meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, TypedDict, Unpack

from msgspec.structs import replace

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, UsageError
from fracas.files.atomic_write import writable_path
from fracas.files.read import read_document
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.tally import Tally
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.contributions import BattleProgress, check_logged
from fracas.lab.simulation.finished_run import check_continues, continued, finished_run
from fracas.lab.simulation.first_battles import with_contributions, with_timeline
from fracas.lab.simulation.merge_runs import RunPart, write_table
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, check_amounts, check_start, simulate
from fracas.lab.simulation.summary_file import asked_json, summary_json, summary_of, write_summary
from fracas.lab.simulation.timeline import check_timed
from fracas.lab.store.parquet import TableWriter, check_table_library
from fracas.lab.store.run_checkpoint import RunCheckpoint


class RunOptions(TypedDict, total=False):
    """What can be asked of a run. The texts, and the defaults behind them, are those of `fracas.simulate`."""

    precision: Annotated[
        float | None,
        "instead of n, play until the widest of the three 95% half-widths is at most this many percentage points, "
        "0.001 to 50.",
    ]
    contributions: Annotated[
        int | None, "report what each unit did in this many first battles, which are played again for that.", 0
    ]
    timeline: Annotated[
        int, "report HP by round in this many first battles, at most 20,000, which are played again for that.", 0
    ]
    start: Annotated[
        int,
        "the number of the first battle, from 0, to play one part of a run; `fracas lab merge` combines the parts.",
        0,
    ]
    resume: Annotated[bool, "continue an earlier call from the chunks stored beside `out`.", False]


def check_run(n: int | None, threads: ExecutorOrThreads, out: Path | None, **asked: Unpack[RunOptions]) -> None:
    """Check what is asked of a run before its scenario is read.

    Raises:
        UsageError: an amount is out of range, or two of them do not go together.
    """
    check_amounts(n, asked.get("precision"), threads)
    check_start(asked.get("start", 0), n, asked.get("precision"))
    check_logged(asked.get("contributions", 0))
    check_timed(asked.get("timeline", 0))
    if asked.get("resume") and out is None:
        raise UsageError.of("--resume", "needs --out: finished chunks are stored beside the result")


@DeferInterrupt()
def simulate_run(
    scenario: Scenario,
    n: int | None = None,
    out: Path | None = None,
    *,
    threads: ExecutorOrThreads = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    logging_progress: BattleProgress | None = None,
    **asked: Unpack[RunOptions],
) -> Results:
    """Simulate, and write the result if `out` is given; then play the first battles again for what they report.

    Raises:
        InputError: as `simulate` and `simulate_to_file`.
        FaultError: a battle hit a limit of the engine.
    """
    if out is not None:
        return simulate_to_file(
            out, scenario, n, threads=threads, progress=progress, notice=notice, logging_progress=logging_progress,
            **asked,
        )  # fmt: skip
    precision, start = asked.get("precision"), asked.get("start", 0)
    results = simulate(scenario, n, precision=precision, threads=threads, progress=progress, notice=notice, start=start)
    return _with_first_battles(results, asked, notice, logging_progress)


def _with_first_battles(
    results: Results, asked: RunOptions, notice: Notice | None, progress: BattleProgress | None
) -> Results:
    results = with_contributions(results, asked.get("contributions", 0), notice, progress)
    return with_timeline(results, asked.get("timeline", 0), notice, progress)


@DeferInterrupt()
def simulate_to_file(
    out: Path,
    scenario: Scenario,
    n: int | None = None,
    *,
    threads: ExecutorOrThreads = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    logging_progress: BattleProgress | None = None,
    **asked: Unpack[RunOptions],
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
    precision, start, resume = asked.get("precision"), asked.get("start", 0), asked.get("resume", False)
    summary = summary_of(out)
    is_table = summary != out
    if is_table:
        check_table_library()
    writable_path(out)
    if is_table:
        _check_ending(out)
    writable_path(summary)
    inputs = asked_json(n, precision, start, asked.get("contributions", 0))
    with ExitStack() as stack:
        checkpoint = RunCheckpoint(out, resume=resume, notice=notice)
        before = finished_run(out, checkpoint.first_battle) if resume else None
        left, first, table_path, to_play = n, start, out, inputs
        if before is not None:
            left = check_continues(before, scenario, inputs)
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
        results = _with_first_battles(results, asked, notice, logging_progress)
        if results.interrupted and (out.exists() or summary.exists()) and not _is_partial(summary):
            return replace(results, left_older=True)
        if table is not None:
            table.finish()
            if before is not None:
                rest = RunPart(table_path, {"asked": to_play}, Tally(), range(first, first + table.rows))
                write_table(out, [before, rest], scenario, inputs)
        write_summary(summary, summary_json(results, inputs))
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
