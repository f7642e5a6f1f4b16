"""Who plays a simulation's battles: threads of this process, or others. What comes out never depends on it."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Protocol, TypeVar

from fracas.engine.battle import check_whole
from fracas.engine.player import Player
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.lab.execution.chunk import Stretch, Wanted, played
from fracas.lab.execution.tally import LOOK_EVERY

MOST_THREADS = 256
LARGEST_CHUNK = 16 * LOOK_EVERY
PLAIN_CHUNK = 16
TARGET_CHUNKS = 16
# Results of a few ranges are held at a time, whatever a row of them holds.
CHUNK_BYTES = 4 * 1024 * 1024
# How long one thread plays at a range that is kept or sent: worth the trouble, and little to lose.
RANGE_SECONDS = 1.0
# How long the pace is taken, which decides how large such ranges are.
TRIAL_SECONDS = 0.05
SMALLEST_RANGE = 16
LARGEST_RANGE = 1 << 24
# The part of such a range below which handing it over costs more than it helps.
SHORTEST = 32

Keep = Callable[[Stretch], None]


@dataclass(frozen=True)
class Task:
    """A simulation to be played: which battles of what, and what shall come back of them."""

    scenario: Scenario
    player: Player
    """Plays the scenario in this process."""
    battles: range
    wanted: Wanted
    is_kept: bool
    """What comes back goes into files, range by range."""
    is_over: Callable[[], bool]
    """Whether somebody has had enough."""

    def ranges(self, size: int) -> Iterator[range]:
        """The battles cut into ranges of a size."""
        for first in range(self.battles.start, self.battles.stop, size):
            yield range(first, min(first + size, self.battles.stop))


class Ending(Protocol):
    """What came of a study."""

    @property
    def interrupted(self) -> bool:
        """True if Ctrl-C ended it early."""


Study = TypeVar("Study", bound=Ending)


class Crew(ABC):
    """Plays ranges of battles, several at a time."""

    is_elsewhere = False
    """True if this process need not be able to play many battles itself."""
    adds_up = False
    """True if it had better give back sums than rows, where sums are enough: they travel, or are kept."""

    @property
    @abstractmethod
    def threads(self) -> int:
        """How many battles are played at the same time."""

    @abstractmethod
    def range_size(self, task: Task) -> int:
        """How many battles a range shall have. Only for how long it takes: what comes out does not depend on it."""

    @abstractmethod
    def play(self, task: Task, ranges: Iterable[range], keep: Keep) -> Generator[Stretch]:
        """Play ranges and give them back in their order, until the task is over; hand each to `keep` when it is played.

        Raises:
            InputError: a plug-in failed, or whoever plays is not there or plays by other rules.
            FaultError: a battle ran into a limit of ours.
        """

    def ended(self, found: Study) -> Study:
        """Take note of what came of the study for which this crew was there."""
        return found


# A number of threads of this process (None: one for each core), or who else plays.
Hands = int | Crew | None


def crew_of(hands: Hands) -> Crew:
    """Who plays: so many threads, one for each core, or the crew itself."""
    return hands if isinstance(hands, Crew) else Threads(thread_count(hands))


def check_hands(hands: Hands) -> None:
    """Refuse a number of threads that cannot be meant.

    Raises:
        InputError: it is outside of 1..256, or no number.
    """
    if hands is not None and not isinstance(hands, Crew):
        check_whole("--threads", hands, 1, MOST_THREADS)


def threads_of(hands: Hands) -> int | None:
    """So many threads, or one for each core, for what is never played elsewhere."""
    return hands.threads if isinstance(hands, Threads) else None if isinstance(hands, Crew) else hands


def thread_count(threads: int | None) -> int:
    """How many threads play: as many as asked for, or one for each core; plain Python plays on one."""
    return 1 if jit.jit_setting() == "never" else threads or os.cpu_count() or 1


class Threads(Crew):
    """Threads of this process."""

    def __init__(self, count: int) -> None:
        self.count = count

    @property
    def threads(self) -> int:
        """How many they are."""
        return self.count

    def range_size(self, task: Task) -> int:
        """Small ranges, for a lively progress bar; larger ones where each becomes a file."""
        player, row_bytes = task.player, task.player.kernels.result_type.itemsize
        if not task.is_kept:
            is_plain = player.play_many is player.kernels.play_many
            return chunk_size(len(task.battles), self.count, is_plain, row_bytes)
        most = floor_power(CHUNK_BYTES // row_bytes) if task.wanted.rows else LARGEST_RANGE
        return min(most, range_size(pace(player, task.battles), len(task.battles), self.count))

    def play(self, task: Task, ranges: Iterable[range], keep: Keep) -> Generator[Stretch]:
        """A few ranges are in the making at any time."""
        idle: SimpleQueue[Player] = SimpleQueue()
        for _ in range(self.count):
            idle.put(task.player.twin())

        def play(battles: range) -> Stretch:
            own = idle.get()
            try:
                return played(own, battles, task.wanted)
            finally:
                idle.put(own)

        def take() -> Stretch:
            stretch = pending.popleft().result()
            keep(stretch)
            return stretch

        pending: deque[Future[Stretch]] = deque()
        pool = ThreadPoolExecutor(self.count)
        try:
            for battles in ranges:
                pending.append(pool.submit(play, battles))
                if len(pending) > 2 * self.count:
                    yield take()
            while pending:
                yield take()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def chunk_size(total: int, workers: int, is_plain: bool, row_bytes: int = 1) -> int:
    """How many battles a thread plays at a time: enough to be worth it, few enough to stop soon and to be held."""
    if is_plain:
        return PLAIN_CHUNK
    share = total // (workers * TARGET_CHUNKS)
    most = min(LARGEST_CHUNK, CHUNK_BYTES // row_bytes)
    return max(min(share - share % LOOK_EVERY, most - most % LOOK_EVERY), LOOK_EVERY)


def pace(player: Player, battles: range) -> float:
    """About how many battles a thread plays in a second: found out by playing some."""
    count = SMALLEST_RANGE
    while True:
        started = time.perf_counter()
        player.play(battles.start, count)
        seconds = time.perf_counter() - started
        if seconds >= TRIAL_SECONDS or count >= LARGEST_RANGE:
            break
        count *= 2
    return count / max(seconds, 1e-9)


def range_size(battles_per_second: float, total: int, threads: int) -> int:
    """How many battles a thread plays in about a second; fewer where not all threads would have something to do.

    A power of two, so that small differences of pace make none.
    """
    most = int(battles_per_second * RANGE_SECONDS)
    size = min(most, max(total // (4 * threads), most // SHORTEST))
    return min(LARGEST_RANGE, max(SMALLEST_RANGE, floor_power(size)))


def floor_power(number: int) -> int:
    """The largest power of two that is not larger; 1 for numbers below."""
    return 1 << max(0, number.bit_length() - 1)
