"""Checkpoints of studies: finished chunks in a folder, so that an interrupted study loses nothing.

A study, such as a sweep or a search, plays many simulations. Its inputs decide which, so a study started again plays
the same ones and gets finished chunks from the folder. The study itself does not know: the checkpoint stands between
the study and its executor. Chunks are identified by a digest of all inputs of their simulation.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from itertools import tee
from pathlib import Path
from types import TracebackType

import msgspec
from blake3 import blake3

from fracas.engine.player import Notice
from fracas.errors import FaultError, InputError
from fracas.files.locks import LOCK, PART, LockedFolder
from fracas.files.read import is_there
from fracas.lab.execution.chunk import Chunk, decode_chunk, encode_chunk
from fracas.lab.execution.chunk_size import CHUNK_BYTES
from fracas.lab.execution.executor import Executor, OnChunk, SimulationTask, StudyResult
from fracas.lab.store.run_checkpoint import run_inputs
from fracas.version import __version__

FORMAT = 1
PLAN = "study.json"
# Finished chunks are written to a file this often, or when they reach this size.
WRITE_SECONDS = 1.0
WRITE_BYTES = CHUNK_BYTES
# At most this many files are in memory: chunks are read in about the order in which they were written.
MOST_READ = 4
_NAME = re.compile(r"(\d{8})\.ranges")


class StoredChunk(msgspec.Struct, array_like=True, frozen=True):
    """A finished chunk as stored in a file."""

    simulation: bytes
    """A digest of everything that decides the simulation's results."""
    size: int
    """How many battles each chunk of the simulation has."""
    first: int
    stop: int
    content: bytes
    digest: bytes

    @property
    def battles(self) -> range:
        """The chunk's battles."""
        return range(self.first, self.stop)

    @property
    def is_whole(self) -> bool:
        """Whether it is undamaged."""
        return self.digest == digest_of(self.simulation, self.size, self.battles, self.content)


def digest_of(simulation: bytes, size: int, battles: range, content: bytes) -> bytes:
    """A digest that binds a chunk's content to its simulation and range."""
    return blake3(f"{size} {battles.start} {battles.stop}\n".encode() + content, key=simulation).digest()


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


class StudyCheckpoint(LockedFolder):
    """The finished chunks of a study, as a `with` block: success removes the folder, anything else leaves it.

    Chunks of other studies in the folder stay there.
    """

    def __init__(self, path: Path, notice: Notice | None = None) -> None:
        super().__init__(path)
        self.notice = notice if notice is not None else _say_nothing
        self.is_done = False
        self._sizes: dict[bytes, int] = {}
        self._places: dict[bytes, dict[range, tuple[Path, int]]] = {}
        self._files: dict[Path, set[bytes]] = {}
        self._read: dict[Path, list[StoredChunk]] = {}
        self._asked: set[bytes] = set()
        self._is_of_use = True
        self._ready: list[StoredChunk] = []
        self._bytes = 0
        self._written = time.monotonic()

    def __enter__(self) -> StudyCheckpoint:
        self._check()
        self.acquire()
        try:
            self._check()
            self._write(PLAN, msgspec.json.encode({"format": FORMAT}) + b"\n")
            self._resume()
        except BaseException:
            self.release(remove=False)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A battle that hits a limit would hit it again, so there is nothing to resume.
        is_over = self.is_done or isinstance(error, FaultError)
        try:
            if is_over:
                self._forget()
            else:
                self._flush()
        finally:
            self.release(remove=not self._files and self._has_nothing_else())
        if not is_over and self._files:
            self.notice(f"finished chunks are in {self.path}; add --resume {self.path} to continue")
        elif self._files:
            self.notice(f"{self.path} stays: it has finished chunks of another study")

    def size_of(self, simulation: bytes) -> int | None:
        """The chunk size of a simulation; None if it was not begun."""
        if not self._asked and self._sizes and simulation not in self._sizes and self._is_of_use:
            self.notice(f"the chunks in {self.path} belong to another study and are not used")
        self._asked.add(simulation)
        return self._sizes.get(simulation)

    def begin(self, simulation: bytes, size: int) -> None:
        """Record the chunk size of a simulation."""
        self._sizes[simulation] = size

    def holds(self, simulation: bytes, battles: range) -> bool:
        """Whether the folder has this chunk."""
        return battles in self._places.get(simulation, {})

    def load(self, simulation: bytes, battles: range) -> bytes:
        """Load a finished chunk.

        Raises:
            InputError: its file was removed or changed since the study began.
        """
        file, place = self._places[simulation][battles]
        if file not in self._read:
            while len(self._read) >= MOST_READ:
                del self._read[next(iter(self._read))]
            self._read[file] = _stored_chunks(file)
        entries = self._read[file]
        entry = entries[place] if place < len(entries) else None
        if entry is None or not entry.is_whole or (entry.simulation, entry.battles) != (simulation, battles):
            raise InputError.of(str(file), "was removed or changed while the program was running")
        return entry.content

    def add(self, simulation: bytes, battles: range, content: bytes) -> None:
        """Store a finished chunk of a simulation.

        Raises:
            InputError: it cannot be written.
        """
        size = self._sizes[simulation]
        digest = digest_of(simulation, size, battles, content)
        self._ready.append(StoredChunk(simulation, size, battles.start, battles.stop, content, digest))
        self._bytes += len(content)
        if self._bytes >= WRITE_BYTES or time.monotonic() - self._written >= WRITE_SECONDS:
            self._flush()

    def _flush(self) -> None:
        """Write finished chunks to a new file."""
        if self._ready:
            number = 1 + max((int(file.stem) for file in self._files), default=-1)
            name = f"{number:08}.ranges"
            self._write(name, msgspec.msgpack.encode(self._ready))
            self._files[self.path / name] = {entry.simulation for entry in self._ready}
            self._ready, self._bytes = [], 0
        self._written = time.monotonic()

    def _forget(self) -> None:
        """Remove the files that hold only chunks of this study."""
        for file, simulations in list(self._files.items()):
            if simulations <= self._asked:
                with suppress(OSError):
                    file.unlink()
                del self._files[file]

    def _has_nothing_else(self) -> bool:
        """Whether the folder holds no files of the user."""
        with suppress(OSError):
            return all(_is_ours(entry.name) for entry in self.path.iterdir())
        return False

    def _check(self) -> None:
        """Check that the path can be a checkpoint folder.

        Raises:
            InputError: it is something else.
        """
        if not is_there(self.path):
            return
        with suppress(OSError, ValueError):
            names = {entry.name for entry in self.path.iterdir()}
            is_bare = all(name == LOCK or name.endswith(PART) for name in names)
            if is_bare or msgspec.json.decode((self.path / PLAN).read_bytes()) == {"format": FORMAT}:
                return
        message = "exists, but is not a checkpoint folder"
        raise InputError.of(str(self.path), message, "name a new or an empty folder")

    def _resume(self) -> None:
        """Read which chunks the folder has."""
        damaged = battles = 0
        for file in sorted(self.path.iterdir()):
            if _NAME.fullmatch(file.name) is None:
                continue
            entries = _stored_chunks(file)
            damaged += not entries
            self._files[file] = set()
            for place, entry in enumerate(entries):
                if not entry.is_whole or entry.size != self._sizes.setdefault(entry.simulation, entry.size):
                    damaged += 1
                    continue
                self._files[file].add(entry.simulation)
                places = self._places.setdefault(entry.simulation, {})
                battles += len(entry.battles) if entry.battles not in places else 0
                places[entry.battles] = file, place
        self._is_of_use = not damaged
        if damaged:
            self.notice(f"{self.path}: {damaged:,} finished chunks or their files are damaged and will be played again")
        if battles:
            self.notice(f"resumes with {battles:,} battles from {self.path}")


def _stored_chunks(file: Path) -> list[StoredChunk]:
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        return msgspec.msgpack.decode(file.read_bytes(), type=list[StoredChunk])
    return []


def _is_ours(name: str) -> bool:
    return name in (LOCK, PLAN) or name.endswith(PART) or _NAME.fullmatch(name) is not None


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

    def range_size(self, task: SimulationTask) -> int:
        """The chunk size with which the simulation was begun."""
        return self._begun(task)[1]

    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Load stored chunks; play and store the rest."""
        (simulation, _), folder = self._begun(task), self.folder

        def save(chunk: Chunk) -> None:
            folder.add(simulation, chunk.battles, encode_chunk(chunk))
            keep(chunk)

        def missing(battles: Iterator[range]) -> Iterator[range]:
            return (each for each in battles if not folder.holds(simulation, each))

        every, some = tee(ranges)
        played = self.executor.play(task, missing(some), save)
        with closing(played):
            for battles in every:
                if folder.holds(simulation, battles):
                    content = folder.load(simulation, battles)
                    chunk = decode_chunk(content, battles, task.output, task.player.kernels.result_type)
                else:
                    following = next(played, None)
                    if following is None:
                        return
                    chunk = following
                yield chunk

    def finish_study(self, found: StudyResult) -> StudyResult:
        """Remove the study's chunks if it is complete."""
        self.folder.is_done = not found.interrupted
        return found

    def _begun(self, task: SimulationTask) -> tuple[bytes, int]:
        """A simulation's digest and its chunk size."""
        simulation = simulation_of(task)
        size = self.folder.size_of(simulation)
        if size is None:
            size = self.executor.range_size(task)
            self.folder.begin(simulation, size)
        return simulation, size


def _say_nothing(text: str) -> None:
    """A notice callback that does nothing."""
