"""Plays battles on threads of this process."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from queue import SimpleQueue

from fracas.engine.battle import check_whole
from fracas.engine.player import Player
from fracas.kernel import jit
from fracas.lab.execution.chunk import Chunk, play_chunk
from fracas.lab.execution.chunk_size import (
    CHUNK_BYTES,
    LARGEST_RANGE,
    chunk_size,
    floor_power_of_two,
    measure_rate,
    range_size,
)
from fracas.lab.execution.executor import Executor, OnChunk, SimulationTask

MOST_THREADS = 256


# A number of threads of this process (None: one for each core), or an executor.
ExecutorOrThreads = int | Executor | None


def executor_for(executor: ExecutorOrThreads) -> Executor:
    """An executor with this many threads (None: one for each core), or the given executor itself."""
    return executor if isinstance(executor, Executor) else ThreadExecutor(thread_count(executor))


def check_threads(executor: ExecutorOrThreads) -> None:
    """Check a number of threads.

    Raises:
        InputError: it is not a number, or is outside 1..256.
    """
    if executor is not None and not isinstance(executor, Executor):
        check_whole("--threads", executor, 1, MOST_THREADS)


def local_threads(executor: ExecutorOrThreads) -> int | None:
    """The number of threads for work that always runs in this process; None means one for each core."""
    return executor.local_threads if isinstance(executor, Executor) else executor


def thread_count(threads: int | None) -> int:
    """How many threads play: the requested number, or one for each core; plain Python uses one."""
    return 1 if jit.jit_setting() == "never" else threads or os.cpu_count() or 1


class ThreadExecutor(Executor):
    """An executor that plays on threads of this process."""

    def __init__(self, count: int) -> None:
        self.count = count

    @property
    def threads(self) -> int:
        """The number of threads."""
        return self.count

    @property
    def local_threads(self) -> int | None:
        """The number of threads."""
        return self.count

    def range_size(self, task: SimulationTask) -> int:
        """Small chunks, for a smooth progress bar; larger ones if each becomes a file."""
        player, row_bytes = task.player, task.player.kernels.result_type.itemsize
        if not task.is_stored:
            is_plain = player.play_many is player.kernels.play_many
            return chunk_size(len(task.battles), self.count, is_plain, row_bytes)
        most = floor_power_of_two(CHUNK_BYTES // row_bytes) if task.output.rows else LARGEST_RANGE
        return min(most, range_size(measure_rate(player, task.battles), len(task.battles), self.count))

    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Play chunks with only a few in progress at any time."""
        ranges = iter(ranges)
        begin = list(islice(ranges, self.count))
        idle: SimpleQueue[Player] = SimpleQueue()
        # A record may be megabytes: as many as can play at the same time, and copied before the first is played on.
        for index in range(len(begin)):
            idle.put(task.player.clone() if index else task.player)

        def play(battles: range) -> Chunk:
            own = idle.get()
            try:
                return play_chunk(own, battles, task.output)
            finally:
                idle.put(own)

        def take() -> Chunk:
            chunk = pending.popleft().result()
            keep(chunk)
            return chunk

        pending: deque[Future[Chunk]] = deque()
        pool = ThreadPoolExecutor(max(1, len(begin)))
        try:
            for battles in chain(begin, ranges):
                pending.append(pool.submit(play, battles))
                if len(pending) > 2 * self.count:
                    yield take()
            while pending:
                yield take()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
