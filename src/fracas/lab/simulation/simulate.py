"""`simulate`: play many battles of one scenario in index order, until a number or a precision is reached."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.lab.execution.chunk import Chunk, ChunkOutput
from fracas.lab.execution.chunk_size import LARGEST_CHUNK
from fracas.lab.execution.executor import Executor, SimulationTask
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.lab.execution.tally import Tally
from fracas.lab.execution.thread_executor import ExecutorOrThreads, check_threads, executor_for
from fracas.lab.simulation.results import Results, results_of
from fracas.lab.store.run_checkpoint import RunCheckpoint
from fracas.rulesets.contract.measures import Sums
from fracas.rulesets.contract.types import Rows

DEFAULT_BATTLES = 10_000
MOST_BATTLES = 10**9
# Percentage points. Even sides get down to 0.0031 after the most battles; smaller values need uneven sides.
LEAST_PRECISION, LARGEST_PRECISION = 0.001, 50

Progress = Callable[["Tally", int], None]
Sink = Callable[[int, Rows], None]


def check_amounts(n: int | None, precision: float | None, threads: ExecutorOrThreads) -> None:
    """Check the amounts of a simulation.

    Raises:
        InputError: n outside 1..10^9, precision outside 0.001..50, threads outside 1..256, something that is not a
            number, or both n and precision.
    """
    if n is not None and precision is not None:
        raise UsageError.of("-n, --precision", "give one of them, not both")
    if n is not None:
        check_whole("-n", n, 1, MOST_BATTLES)
    if precision is not None:
        _check_precision(precision)
    check_threads(threads)


def check_start(start: int, n: int | None, precision: float | None) -> None:
    """Check the number of the first battle.

    Raises:
        UsageError: it is outside 0..10^9 - 1, the battles go beyond number 10^9, or there is a target precision.
    """
    check_whole("--start", start, 0, MOST_BATTLES - 1)
    if start and precision is not None:
        raise UsageError.of(
            "--start, --precision", "a part of a run needs a fixed number of battles", "use -n instead of --precision"
        )
    if start + (n or DEFAULT_BATTLES) > MOST_BATTLES:
        raise UsageError.of("--start", f"{n or DEFAULT_BATTLES:,} battles from number {start:,} on go beyond 10^9")


def not_reached(wanted: float, reached: float, played: str) -> str:
    """The notice that a target precision was not reached."""
    return f"a half-width of {wanted:.4%} was not reached: it is {reached:.4%} after {played}, the most that are played"


def _check_precision(precision: float) -> None:
    if isinstance(precision, bool) or not isinstance(precision, int | float):
        raise UsageError.of("--precision", f"{shown(precision)} is not a number of percentage points")
    if not LEAST_PRECISION <= precision <= LARGEST_PRECISION:
        allowed = f"at least {LEAST_PRECISION}, at most {LARGEST_PRECISION} percentage points"
        raise UsageError.of("--precision", f"{shown(precision)} is out of range: {allowed}")


def simulate(
    scenario: Scenario,
    n: int | None = None,
    *,
    precision: float | None = None,
    threads: ExecutorOrThreads = None,
    progress: Progress | None = None,
    sink: Sink | None = None,
    notice: Notice | None = None,
    planned: int = 0,
    start: int = 0,
    checkpoint: RunCheckpoint | None = None,
) -> Results:
    """Play n battles from number `start` on, or until the widest half-width is `precision` percentage points.

    `progress` is called with the tally so far and the target number of battles; `sink` with each chunk's first index
    and results, in index order. Ctrl-C ends with the battles played so far. The counts do not depend on `threads`, a
    number of threads or an executor. `checkpoint` has the chunks finished before, and stores those finished now.
    `planned` is the number of battles in a larger plan, which decides whether compiling pays. Use `start` for battles
    that nobody has seen yet; indexes given to `sink` begin with it.

    Raises:
        InputError: amounts out of range (see `check_amounts`), a plug-in that does not compile.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, precision, threads)
    wanted = None if precision is None else precision / 100
    total = n or (MOST_BATTLES if precision is not None else DEFAULT_BATTLES)
    executor = executor_for(threads)
    measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
    tally = Tally(sums=Sums(measures))
    with DeferInterrupt() as interrupt:
        try:
            with AllowInterrupt():
                here = 1 if executor.is_remote else max(total, planned)
                player = make_player(scenario, logged=False, battles=here, notice=notice)
        except KeyboardInterrupt:
            return results_of(scenario, tally, interrupted=True, threads=executor.threads, stop_asked=True)
        row = player.play(start, 1)
        deterministic = not int(row["blocks_drawn"][0])
        needs_rows = sink is not None or (checkpoint is None and not executor.prefers_sums)
        back = ChunkOutput(measures, rows=needs_rows, looks=wanted is not None, start=start)
        task = SimulationTask(
            scenario,
            player,
            range(start, start + total),
            back,
            checkpoint is not None,
            lambda: interrupt.stop_requested,
        )
        asked = {"battles": total, "precision": precision} | ({"start": start} if start else {})
        if deterministic:
            if checkpoint is not None:
                # Nothing needs storing, but the folder may belong to another run.
                checkpoint.begin(task, asked, LARGEST_CHUNK)
            chunks = _repeated(row, task.battles, total if sink is None else LARGEST_CHUNK)
        else:
            chunks = _played(task, executor, checkpoint, asked)
        started = time.perf_counter()
        for chunk in chunks:
            counted = chunk.add_to(tally, wanted)
            if sink is not None and chunk.rows is not None:
                sink(chunk.battles.start, chunk.rows[:counted])
            if progress is not None:
                progress(tally, total)
            if interrupt.stop_requested or tally.is_precise(wanted):
                break
        is_enough = tally.is_precise(wanted)
        interrupted = interrupt.stop_requested and tally.battles < total and not is_enough
        seconds = time.perf_counter() - started
        chunks.close()
    resumed = min(checkpoint.battles, tally.battles) if checkpoint is not None else 0
    results = results_of(
        scenario,
        tally,
        deterministic=deterministic,
        interrupted=interrupted,
        seconds=seconds,
        threads=executor.threads,
        resumed=resumed,
        start=start,
        stop_asked=interrupt.stop_requested,
    )
    if wanted is not None and notice is not None and not (is_enough or interrupted or deterministic):
        notice(not_reached(wanted, results.half_width, f"{results.battles:,} battles"))
    return results


def _repeated(row: Rows, battles: range, size: int) -> Generator[Chunk]:
    """A battle without luck, counted as if all battles were played, in ranges of `size`."""
    for first in range(battles.start, battles.stop, size):
        part = range(first, min(first + size, battles.stop))
        yield Chunk(part, np.broadcast_to(row, (len(part),)))


def _played(
    task: SimulationTask, executor: Executor, checkpoint: RunCheckpoint | None, asked: dict[str, Any]
) -> Generator[Chunk]:
    """Chunks in index order; stored ones are not played again."""
    size = executor.range_size(task)
    if checkpoint is None:
        return executor.play(task, task.ranges(size), lambda chunk: None)
    checkpoint.begin(task, asked, size)
    return checkpoint.play(checkpoint.simulation, executor, task, task.ranges(checkpoint.size), lambda chunk: None)
