"""What a study has played, kept in a folder while it goes on, so that whatever ends it early loses nothing.

A study, such as a sweep or a search, asks for many simulations. Its inputs decide which, so it asks for the same ones
when it is begun again, and gets from the folder what was finished before. It need not know of that: the folder stands
between a study and whoever plays. Ranges are known by a digest of all inputs of their simulation.
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
from fracas.files.folder_lock import LOCK, PART, LockedFolder
from fracas.files.read import is_there
from fracas.lab.execution.chunk import Chunk, decode_chunk, encode_chunk
from fracas.lab.execution.chunk_size import CHUNK_BYTES
from fracas.lab.execution.executor import Executor, OnChunk, SimulationTask, StudyResult
from fracas.lab.store.run_checkpoint import run_inputs
from fracas.version import __version__

FORMAT = 1
PLAN = "study.json"
# What is finished goes into a file that often, or when there is so much of it.
WRITE_SECONDS = 1.0
WRITE_BYTES = CHUNK_BYTES
# So many files are in memory at a time: ranges are asked for in about the order in which they were written.
MOST_READ = 4
_NAME = re.compile(r"(\d{8})\.ranges")


class StoredChunk(msgspec.Struct, array_like=True, frozen=True):
    """A finished range as it stands in a file."""

    simulation: bytes
    """A digest of all that decides what the simulation comes to."""
    size: int
    """How many battles its ranges have."""
    first: int
    stop: int
    content: bytes
    digest: bytes

    @property
    def battles(self) -> range:
        """The range."""
        return range(self.first, self.stop)

    @property
    def is_whole(self) -> bool:
        """Whether it is what was written."""
        return self.digest == digest_of(self.simulation, self.size, self.battles, self.content)


def digest_of(simulation: bytes, size: int, battles: range, content: bytes) -> bytes:
    """What binds a range's content to its place."""
    return blake3(f"{size} {battles.start} {battles.stop}\n".encode() + content, key=simulation).digest()


def simulation_of(task: SimulationTask) -> bytes:
    """A digest of all inputs of a simulation, and of what shall come back of it."""
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
    """The finished ranges of a study. Used in a `with` block: what ends it early leaves the folder, success removes it.

    What another study has left in the folder stays there.
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
        # A battle that runs into a limit does so again; there is nothing to continue.
        is_over = self.is_done or isinstance(error, FaultError)
        try:
            if is_over:
                self._forget()
            else:
                self._flush()
        finally:
            self.release(remove=not self._files and self._has_nothing_else())
        if not is_over and self._files:
            self.notice(f"finished ranges are kept in {self.path}; the same with --resume {self.path} continues")
        elif self._files:
            self.notice(f"{self.path} stays: it has finished ranges of something else")

    def size_of(self, simulation: bytes) -> int | None:
        """How many battles the ranges of a simulation have; None if it was not begun."""
        if not self._asked and self._sizes and simulation not in self._sizes and self._is_of_use:
            self.notice(f"what is kept in {self.path} is of something else, and of no use here")
        self._asked.add(simulation)
        return self._sizes.get(simulation)

    def begin(self, simulation: bytes, size: int) -> None:
        """Say how many battles the ranges of a simulation have."""
        self._sizes[simulation] = size

    def holds(self, simulation: bytes, battles: range) -> bool:
        """Whether a range is kept from before."""
        return battles in self._places.get(simulation, {})

    def load(self, simulation: bytes, battles: range) -> bytes:
        """A finished range that is kept from before.

        Raises:
            InputError: its file is gone, or was changed, since the study was begun.
        """
        file, place = self._places[simulation][battles]
        if file not in self._read:
            while len(self._read) >= MOST_READ:
                del self._read[next(iter(self._read))]
            self._read[file] = _stored_chunks(file)
        entries = self._read[file]
        entry = entries[place] if place < len(entries) else None
        if entry is None or not entry.is_whole or (entry.simulation, entry.battles) != (simulation, battles):
            raise InputError.of(str(file), "was removed or changed while the program went on")
        return entry.content

    def add(self, simulation: bytes, battles: range, content: bytes) -> None:
        """Keep a finished range of a simulation that was begun.

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
        """Write what is finished into a file of its own."""
        if self._ready:
            number = 1 + max((int(file.stem) for file in self._files), default=-1)
            name = f"{number:08}.ranges"
            self._write(name, msgspec.msgpack.encode(self._ready))
            self._files[self.path / name] = {entry.simulation for entry in self._ready}
            self._ready, self._bytes = [], 0
        self._written = time.monotonic()

    def _forget(self) -> None:
        """Remove the files that hold nothing but what this study has asked for."""
        for file, simulations in list(self._files.items()):
            if simulations <= self._asked:
                with suppress(OSError):
                    file.unlink()
                del self._files[file]

    def _has_nothing_else(self) -> bool:
        """Whether nobody has put something of his own into the folder."""
        with suppress(OSError):
            return all(_is_ours(entry.name) for entry in self.path.iterdir())
        return False

    def _check(self) -> None:
        """Refuse what is no folder in which a study keeps something.

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
        message = "is there, and is no folder in which finished ranges were kept"
        raise InputError.of(str(self.path), message, "name a folder that is not there yet, or an empty one")

    def _resume(self) -> None:
        """See what is there."""
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
            self.notice(f"{self.path}: {damaged:,} finished ranges or files of them are damaged and played again")
        if battles:
            self.notice(f"resumes: {battles:,} battles are kept in {self.path}")


def _stored_chunks(file: Path) -> list[StoredChunk]:
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        return msgspec.msgpack.decode(file.read_bytes(), type=list[StoredChunk])
    return []


def _is_ours(name: str) -> bool:
    return name in (LOCK, PLAN) or name.endswith(PART) or _NAME.fullmatch(name) is not None


class CheckpointingExecutor(Executor):
    """An executor whose finished ranges are kept in a folder, and that plays none which is kept there already."""

    prefers_sums = True

    def __init__(self, executor: Executor, folder: StudyCheckpoint) -> None:
        self.executor = executor
        self.folder = folder
        self.is_remote = executor.is_remote

    @property
    def threads(self) -> int:
        """How many battles are played at the same time."""
        return self.executor.threads

    def range_size(self, task: SimulationTask) -> int:
        """As it was when the simulation was begun."""
        return self._begun(task)[1]

    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """What is kept is read, and the rest is played and kept."""
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
        """What was kept for it goes, if it is whole."""
        self.folder.is_done = not found.interrupted
        return found

    def _begun(self, task: SimulationTask) -> tuple[bytes, int]:
        """A simulation, and how many battles its ranges have."""
        simulation = simulation_of(task)
        size = self.folder.size_of(simulation)
        if size is None:
            size = self.executor.range_size(task)
            self.folder.begin(simulation, size)
        return simulation, size


def _say_nothing(text: str) -> None:
    """For callers who want no notices."""
