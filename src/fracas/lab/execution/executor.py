"""Who plays a simulation's battles: threads of this process, or others. What comes out never depends on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from fracas.engine.player import Player
from fracas.engine.scenario import Scenario
from fracas.lab.execution.chunk import Chunk, ChunkOutput

OnChunk = Callable[[Chunk], None]


@dataclass(frozen=True)
class SimulationTask:
    """A simulation to be played: which battles of what, and what shall come back of them."""

    scenario: Scenario
    player: Player
    """Plays the scenario in this process."""
    battles: range
    output: ChunkOutput
    is_stored: bool
    """What comes back goes into files, range by range."""
    should_stop: Callable[[], bool]
    """Whether somebody has had enough."""

    def ranges(self, size: int) -> Iterator[range]:
        """The battles cut into ranges of a size."""
        for first in range(self.battles.start, self.battles.stop, size):
            yield range(first, min(first + size, self.battles.stop))


class Interruptible(Protocol):
    """What came of a study."""

    @property
    def interrupted(self) -> bool:
        """True if Ctrl-C ended it early."""


StudyResult = TypeVar("StudyResult", bound=Interruptible)


class Executor(ABC):
    """Plays ranges of battles, several at a time."""

    is_remote = False
    """True if this process need not be able to play many battles itself."""
    prefers_sums = False
    """True if it had better give back sums than rows, where sums are enough: they travel, or are kept."""

    @property
    @abstractmethod
    def threads(self) -> int:
        """How many battles are played at the same time."""

    @abstractmethod
    def range_size(self, task: SimulationTask) -> int:
        """How many battles a range shall have. Only for how long it takes: what comes out does not depend on it."""

    @abstractmethod
    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Play ranges and give them back in their order, until the task is over; hand each to `keep` when it is played.

        Raises:
            InputError: a plug-in failed, or whoever plays is not there or plays by other rules.
            FaultError: a battle ran into a limit of ours.
        """

    def finish_study(self, found: StudyResult) -> StudyResult:
        """Take note of what came of the study for which this executor was there."""
        return found
