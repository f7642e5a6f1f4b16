"""An executor of Dask workers: sends chunks through a scheduler and collects the results.

Chunks are collected as they are played and returned in order. If a worker dies, another one plays its chunk: the
scheduler retries, and this module resends what the scheduler gives up.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from distributed import CancelledError, Client, Future
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from fracas.cluster import worker
from fracas.cluster.local_workers import LocalWorkers
from fracas.cluster.tasks import decode_answer, encode_task
from fracas.engine.player import Notice
from fracas.errors import InputError
from fracas.lab.execution.chunk import Chunk, decode_chunk
from fracas.lab.execution.chunk_size import SMALLEST_RANGE, range_size
from fracas.lab.execution.executor import Executor, OnChunk, SimulationTask

# Seconds to wait for a worker, and until the wait is reported.
PATIENCE_SECONDS = 60.0
QUIET_SECONDS = 3.0
# How often to check for Ctrl-C and for lost workers.
LOOK_SECONDS = 0.1
COUNT_SECONDS = 1.0
FETCH_SECONDS = 2.0
# This many chunks per thread are with the workers or wait for an earlier one.
RANGES_AHEAD = 4
# A chunk may kill this many workers in a row, for example on a machine that runs out of memory; then it is given up.
MOST_TRIES = 5


class DaskExecutor(Executor):
    """The workers of a scheduler as an executor."""

    def __init__(self, client: Client, address: str, local: LocalWorkers | None, notice: Notice | None) -> None:
        self.client = client
        self.address = address
        self.local = local
        self.notice = notice if notice is not None else _say_nothing
        # Workers of this machine load what this process compiled; others compile for themselves.
        self.is_remote = self.prefers_sums = local is None
        self._threads = 0
        self._counted = 0.0
        self._alone: float | None = None
        self._has_told = False
        self._paces: dict[str, float] = {}

    @property
    def threads(self) -> int:
        """How many battles are played at the same time: the threads of all workers."""
        return self._threads or (self.local.count if self.local is not None else 1)

    def range_size(self, task: SimulationTask) -> int:
        """Chunks of about a second; waits until there is a worker."""
        ruleset = task.scenario.ruleset.name
        if ruleset not in self._paces:
            workers = self._workers(task)
            paces = self._prepared(task, workers)
            if not paces:
                return SMALLEST_RANGE
            self._paces[ruleset] = min(paces)
        return range_size(self._paces[ruleset], len(task.battles), self.threads)

    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Play chunks on the workers, even if some of them die."""
        sent = PendingChunk(self.client, encode_task(task))
        left = iter(ranges)
        ahead: deque[range] = deque()
        finished: dict[range, Chunk] = {}
        try:
            while True:
                while len(ahead) < RANGES_AHEAD * (self.threads + 1):
                    battles = next(left, None)
                    if battles is None:
                        break
                    sent.send(battles)
                    ahead.append(battles)
                while ahead and ahead[0] in finished:
                    yield finished.pop(ahead.popleft())
                if not ahead:
                    return
                arrived = self._next(task, sent)
                if arrived is None:
                    return
                battles, content = arrived
                chunk = decode_chunk(content, battles, task.output, task.player.kernels.result_type)
                keep(chunk)
                finished[battles] = chunk
        finally:
            sent.drop()

    def _workers(self, task: SimulationTask) -> list[str]:
        """The workers' addresses, once the requested number is there; empty after Ctrl-C."""
        wanted = self.local.count if self.local is not None else 1
        started = time.monotonic()
        while not task.should_stop():
            self._tend()
            threads = self._count()
            if len(threads) >= wanted:
                return list(threads)
            if time.monotonic() - started > PATIENCE_SECONDS:
                message = f"no worker joined within {PATIENCE_SECONDS:.0f} seconds"
                raise InputError.of(self.address, message, f"start one: fracas machine worker {self.address}")
            time.sleep(LOOK_SECONDS / 2)
        return []

    def _prepared(self, task: SimulationTask, workers: list[str]) -> list[float]:
        """Each worker's speed, once all are ready; empty after Ctrl-C."""
        sent = PendingChunk(self.client, encode_task(task))
        paces: list[float] = []
        started, is_warned = time.monotonic(), False
        try:
            for index, address in enumerate(workers):
                sent.ask(range(-index - 1, -index), address)
            while len(paces) < len(workers):
                arrived = self._next(task, sent, LOOK_SECONDS)
                if task.should_stop():
                    return []
                if arrived is not None:
                    paces.append(float(arrived[1]))
                elif not is_warned and time.monotonic() - started > QUIET_SECONDS:
                    self.notice("the workers compile the rules, once on each machine; it takes ten to thirty seconds")
                    is_warned = True
        finally:
            sent.drop()
        return paces

    def _next(
        self, task: SimulationTask, sent: PendingChunk, seconds: float | None = None
    ) -> tuple[range, bytes] | None:
        """The next answer; None after Ctrl-C, or if there is none within this many seconds."""
        started = time.monotonic()
        while not task.should_stop():
            if time.monotonic() - self._counted > COUNT_SECONDS:
                self._tend()
                self._count()
            try:
                found = sent.take(LOOK_SECONDS)
                if found is not None:
                    return found[0], decode_answer(found[1])
            except _LOST as error:
                raise self._lost(error) from None
            if seconds is not None and time.monotonic() - started > seconds:
                return None
        return None

    def _tend(self) -> None:
        if self.local is not None:
            self.local.tend(self.notice)

    def _count(self) -> dict[str, int]:
        """The connected workers, with their threads."""
        self._counted = time.monotonic()
        try:
            threads: dict[str, int] = dict(self.client.nthreads())
        except _LOST as error:
            raise self._lost(error) from None
        self._threads = sum(threads.values())
        self._tell_if_alone()
        return threads

    def _tell_if_alone(self) -> None:
        """Report once that there are no workers, because nothing goes on without them."""
        if self._threads or self.local is not None:
            self._alone, self._has_told = None, False
        elif self._alone is None:
            self._alone = self._counted
        elif not self._has_told and self._counted - self._alone > QUIET_SECONDS:
            self.notice(f"waiting for workers; start one with: fracas machine worker {self.address}")
            self._has_told = True

    def _lost(self, error: Exception) -> InputError:
        message = f"the scheduler is gone ({type(error).__name__})"
        return InputError.of(self.address, message, "start it again, and add --resume to continue")


class SchedulerLost(Exception):
    """The scheduler is gone, and so are the pending chunks."""


_LOST = (SchedulerLost, CancelledError, CommClosedError, OSError, TimeoutError)


@dataclass
class PendingChunk:
    """Chunks that are with the workers."""

    client: Client
    order: bytes
    out: dict[Future, range] = field(default_factory=dict)
    arrived: SimpleQueue[Future] = field(default_factory=SimpleQueue)
    tries: dict[range, int] = field(default_factory=dict)

    def send(self, battles: range) -> None:
        """Send a chunk to the workers."""
        self._note(battles, self.client.submit(worker.play, self.order, battles.start, battles.stop, pure=False))

    def ask(self, number: range, address: str) -> None:
        """Ask one worker to prepare, or another one if it is gone."""
        places: dict[str, Any] = {"workers": [address], "allow_other_workers": True}
        self._note(number, self.client.submit(worker.prepare, self.order, pure=False, **places))

    def take(self, seconds: float) -> tuple[range, bytes] | None:
        """The next answer and its range; None if there is none in that time."""
        try:
            future = self.arrived.get(timeout=seconds)
        except Empty:
            if self.client.status in ("closing", "closed"):
                raise SchedulerLost from None
            return None
        battles = self.out.pop(future)
        if future.status == "error":
            error = future.exception()
            if not isinstance(error, KilledWorker):
                raise error
            self._again(battles)
            return None
        if future.status == "cancelled":
            raise SchedulerLost
        content = self._fetched(future)
        if content is None:
            # Its worker died after finishing: the scheduler has the chunk played again.
            self._note(battles, future)
            return None
        future.release()
        return battles, content

    def _fetched(self, future: Future) -> bytes | None:
        if future.status != "finished":
            return None
        try:
            content: bytes = future.result(timeout=FETCH_SECONDS)
        except TimeoutError:
            return None
        return content

    def drop(self) -> None:
        """Cancel everything pending."""
        for future in self.out:
            future.release()
        self.out.clear()

    def _again(self, battles: range) -> None:
        self.tries[battles] = self.tries.get(battles, 1) + 1
        if self.tries[battles] > MOST_TRIES:
            where = f"battles {battles.start:,} to {battles.stop - 1:,}"
            raise InputError.of(where, "killed several workers in a row", "check whether they run out of memory")
        self.send(battles)

    def _note(self, battles: range, future: Future) -> None:
        self.out[future] = battles
        future.add_done_callback(self.arrived.put)


def _say_nothing(text: str) -> None:
    """A notice callback that does nothing."""
