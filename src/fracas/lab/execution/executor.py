"""The interface of executors, which play a simulation's battles; the results never depend on the executor."""

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
    """A simulation to play: which battles of which scenario, and what to return."""

    scenario: Scenario
    player: Player
    """Plays the scenario in this process."""
    battles: range
    output: ChunkOutput
    is_stored: bool
    """Whether each chunk is written to a file."""
    should_stop: Callable[[], bool]
    """Whether Ctrl-C was pressed."""

    def ranges(self, size: int) -> Iterator[range]:
        """The battles cut into ranges of this size."""
        for first in range(self.battles.start, self.battles.stop, size):
            yield range(first, min(first + size, self.battles.stop))


class Interruptible(Protocol):
    """The result of a study that Ctrl-C may cut short."""

    @property
    def interrupted(self) -> bool:
        """True if Ctrl-C ended it early."""


StudyResult = TypeVar("StudyResult", bound=Interruptible)


class Executor(ABC):
    """Plays chunks of battles, several at a time."""

    is_remote = False
    """True if this process does not need to compile for many battles itself."""
    prefers_sums = False
    """True if it prefers sums over rows where sums suffice, because chunks are sent or stored."""

    @property
    @abstractmethod
    def threads(self) -> int:
        """How many battles it plays at the same time."""

    @property
    def local_threads(self) -> int | None:
        """How many threads of this process other work may take; None means one for each core."""
        return None

    @abstractmethod
    def range_size(self, task: SimulationTask) -> int:
        """How many battles a chunk has. This affects only the speed, never the results."""

    @abstractmethod
    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Play chunks and return them in order until the task is complete; pass each to `keep` when it is played.

        Raises:
            InputError: a plug-in failed, or the workers are unreachable or have other rules.
            FaultError: a battle hit a limit of the engine.
        """

    def finish_study(self, result: StudyResult) -> StudyResult:
        """Handle the result of a study that this executor played."""
        return result
