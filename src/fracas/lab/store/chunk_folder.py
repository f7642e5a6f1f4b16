"""A folder of finished chunks, so that an interrupted computation loses nothing.

Chunks are identified by a digest of all inputs of their simulation. Files hold one or more of them and appear complete
or not at all; a checksum binds each chunk to its simulation and range, so that a damaged one is played again.
"""

from __future__ import annotations

import re
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from itertools import tee
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
from blake3 import blake3

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.files.locks import LOCK, PART, LockedFolder
from fracas.files.read import is_there
from fracas.lab.execution.chunk import Chunk, decode_chunk, encode_chunk
from fracas.lab.execution.chunk_size import CHUNK_BYTES
from fracas.lab.execution.executor import Executor, OnChunk, SimulationTask

# At most this many files are in memory: chunks are read in about the order in which they were written.
MOST_READ = 4
# The fastest compression shrinks battle rows to a half or a third.
_PACKING = 1
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


def run_inputs(scenario: Scenario) -> dict[str, Any]:
    """Everything that decides the battles."""
    return {
        "ruleset": scenario.ruleset.name,
        "rules_version": scenario.ruleset.rules_version,
        **({"rules": scenario.ruleset.rules_hash} if scenario.ruleset.rules_hash else {}),
        "scenario": scenario.id,
        "content_fingerprint": scenario.fingerprint,
        "seed": scenario.seed,
        "plugins": {plugin.name: plugin.source_hash for plugin in scenario.compiled.plugins},
    }


class ChunkFolder(LockedFolder, ABC):
    """The finished chunks of one or more simulations, for a `with` block that ends when they are not needed."""

    PLAN: ClassVar[str]
    """The file that says whose folder it is."""
    OTHERS: ClassVar[tuple[str, str]]
    """What is said of a folder of something else, and the remedy."""
    TEMPORARY: ClassVar[tuple[str, ...]] = (LOCK,)
    """The names of what does not count."""
    write_seconds: ClassVar[float] = 0.0
    """How often finished chunks are written to a file; they also are when they reach 4 MiB."""

    def __init__(self, path: Path, notice: Notice | None) -> None:
        super().__init__(path)
        self.notice = notice if notice is not None else _say_nothing
        self.is_done = False
        self.damaged = 0
        """How many chunks, or files of them, were found damaged."""
        self.sizes: dict[bytes, int] = {}
        """How many battles a chunk of each simulation has."""
        self.files: dict[Path, set[bytes]] = {}
        """The simulations of each file."""
        self.places: dict[bytes, dict[range, tuple[Path, int]]] = {}
        """Where the chunks of each simulation are."""
        self._read: dict[Path, list[StoredChunk]] = {}
        self._ready: list[StoredChunk] = []
        self._bytes = 0
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        # A folder of something else stays untouched.
        self.read_plan()
        self.acquire()
        try:
            self.open(self.read_plan())
        except BaseException:
            self.release(remove=False)
            raise
        return self

    @abstractmethod
    def open(self, plan: dict[str, Any]) -> None:
        """Read what the locked folder has, and say so.

        Raises:
            InputError: it cannot be used.
        """

    def read_plan(self) -> dict[str, Any]:
        """What the file says whose folder it is; empty if the folder is missing or holds nothing that counts.

        Raises:
            InputError: it is something else.
        """
        if not is_there(self.path):
            return {}
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            if self.is_bare():
                return {}
            plan = msgspec.json.decode((self.path / self.PLAN).read_bytes(), type=dict[str, Any])
            if self.is_plan(plan):
                return plan
        raise InputError.of(str(self.path), *self.OTHERS)

    @abstractmethod
    def is_plan(self, plan: dict[str, Any]) -> bool:
        """Whether the file says that the folder is of this kind."""

    def read_folder(self) -> int:
        """Read which chunks the folder has, and return how many battles they have."""
        battles = 0
        for file in sorted(self.path.iterdir()):
            if _NAME.fullmatch(file.name) is None:
                continue
            entries = stored_chunks(file)
            self.damaged += not entries
            self.files[file] = set()
            for number, entry in enumerate(entries):
                if not entry.is_whole or entry.size != self.sizes.setdefault(entry.simulation, entry.size):
                    self.damaged += 1
                    continue
                self.files[file].add(entry.simulation)
                places = self.places.setdefault(entry.simulation, {})
                battles += len(entry.battles) if entry.battles not in places else 0
                places[entry.battles] = file, number
        return battles

    def is_bare(self) -> bool:
        """Whether the folder holds nothing that counts."""
        return all(name in self.TEMPORARY or name.endswith(PART) for name in self._names())

    def has_nothing_else(self) -> bool:
        """Whether the folder holds no files of the user."""
        with suppress(OSError):
            return all(
                name in (LOCK, self.PLAN) or name.endswith(PART) or _NAME.fullmatch(name) for name in self._names()
            )
        return False

    def _names(self) -> Iterator[str]:
        return (entry.name for entry in self.path.iterdir())

    def holds(self, simulation: bytes, battles: range) -> bool:
        """Whether the folder has this chunk."""
        return battles in self.places.get(simulation, {})

    def content_of(self, simulation: bytes, battles: range) -> bytes:
        """Load the content of a finished chunk.

        Raises:
            InputError: its file was removed or changed since the program began.
        """
        file, number = self.places[simulation][battles]
        if file not in self._read:
            while len(self._read) >= MOST_READ:
                del self._read[next(iter(self._read))]
            self._read[file] = stored_chunks(file)
        entries = self._read[file]
        entry = entries[number] if number < len(entries) else None
        if entry is None or not entry.is_whole or (entry.simulation, entry.battles) != (simulation, battles):
            raise InputError.of(str(file), "was removed or changed while the program was running")
        return zlib.decompress(entry.content)

    def play(
        self, simulation: bytes, executor: Executor, task: SimulationTask, ranges: Iterable[range], keep: OnChunk
    ) -> Generator[Chunk]:
        """Chunks in the order of their ranges: load those that are stored, play and store the rest.

        Raises:
            InputError: a file was removed or changed since the program began, or cannot be written.
        """

        def save(chunk: Chunk) -> None:
            self.add(simulation, chunk.battles, encode_chunk(chunk))
            keep(chunk)

        every, some = tee(ranges)
        played = executor.play(task, (each for each in some if not self.holds(simulation, each)), save)
        with closing(played):
            for battles in every:
                if self.holds(simulation, battles):
                    content = self.content_of(simulation, battles)
                    yield decode_chunk(content, battles, task.output, task.player.kernels.result_type)
                elif (chunk := next(played, None)) is not None:
                    yield chunk
                else:
                    return

    def add(self, simulation: bytes, battles: range, content: bytes) -> None:
        """Store a finished chunk of a simulation.

        Raises:
            InputError: it cannot be written.
        """
        size, packed = self.sizes[simulation], zlib.compress(content, _PACKING)
        digest = digest_of(simulation, size, battles, packed)
        self._ready.append(StoredChunk(simulation, size, battles.start, battles.stop, packed, digest))
        self._bytes += len(packed)
        if self._bytes >= CHUNK_BYTES or time.monotonic() - self._written >= self.write_seconds:
            self.flush()

    def flush(self) -> None:
        """Write finished chunks to a new file."""
        if self._ready:
            number = 1 + max((int(file.stem) for file in self.files), default=-1)
            name = f"{number:08}.ranges"
            self._write(name, msgspec.msgpack.encode(self._ready))
            self.files[self.path / name] = {entry.simulation for entry in self._ready}
            self._ready, self._bytes = [], 0
        self._written = time.monotonic()


def stored_chunks(file: Path) -> list[StoredChunk]:
    """The chunks of a file; none if it is damaged."""
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        return msgspec.msgpack.decode(file.read_bytes(), type=list[StoredChunk])
    return []


def _say_nothing(text: str) -> None:
    """A notice callback that does nothing."""
