"""Checkpoints of runs: finished chunks in a folder beside the result, so that an interrupted run loses nothing.

The folder has `run.json`, which describes the run and its chunk size, and a file for each finished chunk. Chunk files
appear complete or not at all, and a checksum binds each to all inputs of the run: a damaged chunk, or one of another
run, is played again. The number of battles is not such an input: you can resume a run with more or fewer battles.
"""

from __future__ import annotations

import re
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from blake3 import blake3

from fracas.content.validate import shown
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import FaultError, InputError
from fracas.files.atomic_write import writable_path, write_error
from fracas.files.locks import LOCK, PART, LockedFolder
from fracas.lab.execution.chunk import Chunk, decode_chunk, encode_chunk
from fracas.lab.execution.executor import SimulationTask

FORMAT = 2
PLAN = "run.json"
SPOOL = "table"
_NAME = re.compile(r"(\d{10})-(\d{10})\.range")
_DIGEST_BYTES = 32
# The fastest compression shrinks battle rows to a half or a third.
_PACKING = 1
# These may differ when a run is resumed.
_FREE = ("battles",)
# The keys of the plan, in the words of messages.
_WORDS = {
    "format": "format of the folder",
    "ruleset": "ruleset",
    "rules_version": "rules version",
    "rules": "rules of the game",
    "scenario": "scenario",
    "content_fingerprint": "content of the scenario",
    "seed": "seed",
    "plugins": "plug-ins",
    "battles": "number of battles",
    "precision": "precision",
    "table": "kind of result",
    "start": "first battle",
}


class RunCheckpoint(LockedFolder):
    """The finished chunks of one run, used as a `with` block: success removes the folder, anything else leaves it.

    A run can resume on any executor: it may begin on threads and end on a cluster.
    """

    def __init__(self, out: Path, *, resume: bool, notice: Notice | None = None) -> None:
        super().__init__(checkpoint_path(out))
        self.resume = resume
        self.notice = notice
        self.is_done = False
        self.size = 0
        self._finished: dict[range, Path] = {}
        self._key = b""
        self._task: SimulationTask | None = None

    def __enter__(self) -> RunCheckpoint:
        # A folder that is not a checkpoint stays untouched.
        self._read_plan()
        self.acquire()
        try:
            self._resume()
        except BaseException:
            self.release(remove=False)
            raise
        return self

    def _resume(self) -> None:
        plan = self._read_plan()
        if plan and not self.resume and any(self._files()):
            message = f"holds {len(list(self._files())):,} finished chunks of an unfinished run"
            raise InputError.of(
                str(self.path), message, "add --resume to continue it, or remove the folder to start over"
            )
        if self.resume and not plan and self.notice is not None:
            self.notice(f"nothing to resume: there is no {self.path}; the run starts from the beginning")
        try:
            shutil.rmtree(self.spool, ignore_errors=True)
            self.spool.mkdir()
        except OSError as error:
            raise write_error(self.path, error) from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.spool, ignore_errors=True)
        # A battle that hits a limit would hit it again, so there is nothing to resume.
        is_useless = self.is_done or isinstance(error, FaultError) or not any(self._files())
        self.release(remove=is_useless)
        if not is_useless and self.notice is not None:
            self.notice(f"finished chunks are in {self.path}; add --resume to continue")

    @property
    def spool(self) -> Path:
        """A folder for temporary files; removes what a killed run left there."""
        return self.path / SPOOL

    @property
    def battles(self) -> int:
        """How many battles the finished chunks have."""
        return sum(len(battles) for battles in self._finished)

    @property
    def first_battle(self) -> int | None:
        """The first battle of the run that the folder describes; None if there is none."""
        plan = self._read_plan()
        return plan["inputs"].get("start", 0) if plan else None

    def begin(self, task: SimulationTask, asked: dict[str, Any], size: int) -> None:
        """Record what is played and the chunk size, which stays the same if this run was begun before.

        Raises:
            InputError: the folder belongs to another run, or cannot be written.
        """
        inputs = {"format": FORMAT, **run_inputs(task.scenario), **asked, "table": task.output.rows}
        known = self._read_plan()
        if known:
            self._refuse_others(known["inputs"], inputs)
        self.size = int(known["range"]) if known else size
        plan = {"inputs": inputs, "range": self.size}
        if not known:
            self._write(PLAN, msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
        self._task = task
        self._key = blake3(msgspec.json.encode(known or plan, order="sorted")).digest()
        self._find_finished(task)

    def __contains__(self, battles: range) -> bool:
        return battles in self._finished

    def load(self, battles: range) -> Chunk:
        """Load a finished chunk.

        Raises:
            InputError: its file was removed or changed since the run began.
        """
        chunk = self._read(self._finished[battles], battles)
        if chunk is None:
            raise InputError.of(str(self._finished[battles]), "was removed or changed during the run")
        return chunk

    def save(self, chunk: Chunk) -> None:
        """Store a finished chunk.

        Raises:
            InputError: it cannot be written.
        """
        content = zlib.compress(encode_chunk(chunk), _PACKING)
        battles = chunk.battles
        self._write(f"{battles.start:010}-{battles.stop:010}.range", self._digest(battles, content) + content)

    def _refuse_others(self, known: dict[str, Any], inputs: dict[str, Any]) -> None:
        said = difference(known, inputs)
        if said is not None:
            message = f"belongs to another run: {said}"
            raise InputError.of(str(self.path), message, "resume with the original inputs, or remove the folder")

    def _find_finished(self, task: SimulationTask) -> None:
        damaged, total = 0, len(task.battles)
        for battles, file in self._files():
            if not self._is_range_of(task, battles):
                continue
            if self._read(file, battles) is None:
                damaged += 1
            else:
                self._finished[battles] = file
        if damaged and self.notice is not None:
            self.notice(f"{self.path}: {damaged:,} chunks are damaged and will be played again")
        if self._finished and self.notice is not None:
            self.notice(f"resumes with {self.battles:,} of {total:,} battles from {self.path}")

    def _is_range_of(self, task: SimulationTask, battles: range) -> bool:
        """Whether a run of this length has this chunk; the last chunk of a shorter run was smaller."""
        place = battles.start - task.battles.start
        return (
            place >= 0 and not place % self.size and battles.stop == min(battles.start + self.size, task.battles.stop)
        )

    def _files(self) -> Iterator[tuple[range, Path]]:
        with suppress(OSError):
            for file in sorted(self.path.iterdir()):
                found = _NAME.fullmatch(file.name)
                if found is not None:
                    yield range(int(found[1]), int(found[2])), file

    def _read_plan(self) -> dict[str, Any]:
        """The run that the folder describes; empty if the folder is missing or empty.

        Raises:
            InputError: it is something else.
        """
        if not self.path.exists():
            return {}
        try:
            plan = msgspec.json.decode((self.path / PLAN).read_bytes(), type=dict[str, Any])
            if isinstance(plan["inputs"], dict) and int(plan["range"]) > 0:
                return plan
        except FileNotFoundError:
            if self.path.is_dir() and all(
                entry.name in (SPOOL, LOCK) or entry.suffix == PART for entry in self.path.iterdir()
            ):
                return {}
        except (OSError, ValueError, KeyError, TypeError):
            pass
        raise InputError.of(
            str(self.path), "exists, but is not the folder of a run", "move it, or choose another --out"
        )

    def _digest(self, battles: range, content: bytes) -> bytes:
        hasher = blake3(key=self._key)
        hasher.update(f"{battles.start} {battles.stop}\n".encode() + content)
        return hasher.digest()

    def _read(self, file: Path, battles: range) -> Chunk | None:
        """A chunk's file; None if it is damaged or belongs to another run."""
        assert self._task is not None
        try:
            content = file.read_bytes()
            digest, content = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
            if digest != self._digest(battles, content):
                return None
            task = self._task
            return decode_chunk(zlib.decompress(content), battles, task.output, task.player.kernels.result_type)
        except (OSError, ValueError, zlib.error, msgspec.MsgspecError):
            return None


def checkpoint_path(out: Path) -> Path:
    """The folder for a result's finished chunks, beside the result.

    Raises:
        InputError: the result could not be written.
    """
    place = writable_path(out)
    return place.with_name(f"{place.name}.run")


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


def difference(known: Mapping[str, Any], inputs: Mapping[str, Any]) -> str | None:
    """How a stored run differs from the inputs of this one, in words; None if it is the same run."""
    for key, value in inputs.items():
        if known.get(key) != value and key not in _FREE:
            return f"the {_WORDS[key]} differs (here {_told(key, value)}, there {_told(key, known.get(key))})"
    return None


def _told(key: str, value: Any) -> str:
    if key == "table":
        return "a table" if value else "sums"
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else shown(value)
