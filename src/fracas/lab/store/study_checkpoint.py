"""Checkpoints of studies: finished chunks in a folder, so that an interrupted study loses nothing.

A study, such as a sweep or a search, plays many simulations. Its inputs decide which, so a study started again plays
the same ones and gets finished chunks from the folder. The study itself does not know: the checkpoint stands between
the study and its executor.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from blake3 import blake3

from fracas.engine.player import Notice
from fracas.errors import FaultError
from fracas.lab.execution.chunk import Chunk
from fracas.lab.execution.executor import Executor, OnChunk, SimulationTask, StudyResult
from fracas.lab.store.chunk_folder import ChunkFolder, run_inputs
from fracas.version import __version__

FORMAT = 2


def simulation_of(task: SimulationTask) -> bytes:
    """A digest of all inputs of a simulation and of the requested output."""
    wanted = task.output
    plan = {
        "fracas": __version__,
        **run_inputs(task.scenario),
        "battles": [task.battles.start, task.battles.stop],
        "rows": str(task.player.kernels.result_type.descr) if wanted.rows else None,
        "looks": wanted.looks,
    }
    return blake3(msgspec.json.encode(plan, order="sorted")).digest()


class StudyCheckpoint(ChunkFolder):
    """The finished chunks of a study, as a `with` block: success removes the folder, anything else leaves it.

    Chunks of other studies in the folder stay there.
    """

    PLAN = "study.json"
    OTHERS = ("exists, but is not a checkpoint folder", "name a new or an empty folder")
    write_seconds = 1.0

    def __init__(self, path: Path, notice: Notice | None = None) -> None:
        super().__init__(path, notice)
        self._asked: set[bytes] = set()

    def open(self, plan: dict[str, Any]) -> None:
        """Take the folder for studies, read it, and say what it has."""
        self._write(self.PLAN, msgspec.json.encode({"format": FORMAT}) + b"\n")
        battles = self.read_folder()
        if self.damaged:
            said = "finished chunks or their files are damaged and will be played again"
            self.notice(f"{self.path}: {self.damaged:,} {said}")
        if battles:
            self.notice(f"resumes with {battles:,} battles from {self.path}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A battle that hits a limit would hit it again, so there is nothing to resume.
        is_over = self.is_done or isinstance(error, FaultError)
        try:
            if is_over:
                self._forget()
            else:
                self.flush()
        finally:
            self.release(remove=not self.files and self.has_nothing_else())
        if not is_over and self.files:
            self.notice(f"finished chunks are in {self.path}; add --resume {self.path} to continue")
        elif self.files:
            self.notice(f"{self.path} stays: it has finished chunks of another study")

    def size_of(self, simulation: bytes) -> int | None:
        """The chunk size of a simulation; None if it was not begun."""
        if not self._asked and self.sizes and simulation not in self.sizes and not self.damaged:
            self.notice(f"the chunks in {self.path} belong to another study and are not used")
        self._asked.add(simulation)
        return self.sizes.get(simulation)

    def _forget(self) -> None:
        """Remove the files that hold only chunks of this study."""
        for file, simulations in list(self.files.items()):
            if simulations <= self._asked:
                with suppress(OSError):
                    file.unlink()
                del self.files[file]

    def is_plan(self, plan: dict[str, Any]) -> bool:
        """Only of this format."""
        return plan == {"format": FORMAT}


class CheckpointingExecutor(Executor):
    """An executor that stores finished chunks in a folder and plays only those that are missing there."""

    prefers_sums = True

    def __init__(self, executor: Executor, folder: StudyCheckpoint) -> None:
        self.executor = executor
        self.folder = folder
        self.is_remote = executor.is_remote

    @property
    def threads(self) -> int:
        """How many battles it plays at the same time."""
        return self.executor.threads

    @property
    def local_threads(self) -> int | None:
        """As many as the executor that plays."""
        return self.executor.local_threads

    def range_size(self, task: SimulationTask) -> int:
        """The chunk size with which the simulation was begun."""
        return self._begun(task)[1]

    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Load stored chunks; play and store the rest."""
        return self.folder.play(self._begun(task)[0], self.executor, task, ranges, keep)

    def finish_study(self, result: StudyResult) -> StudyResult:
        """Remove the study's chunks if it is complete."""
        self.folder.is_done = not result.interrupted
        return result

    def _begun(self, task: SimulationTask) -> tuple[bytes, int]:
        """A simulation's digest and its chunk size."""
        simulation = simulation_of(task)
        size = self.folder.size_of(simulation)
        if size is None:
            size = self.executor.range_size(task)
            self.folder.sizes[simulation] = size
        return simulation, size
