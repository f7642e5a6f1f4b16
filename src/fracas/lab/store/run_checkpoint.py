"""Checkpoints of runs: finished chunks in a folder beside the result.

The folder's `run.json` describes the run and its chunk size. The number of battles is not an input that binds chunks to
their run: you can resume a run with more or fewer battles.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from blake3 import blake3

from fracas.content.validate import shown
from fracas.engine.player import Notice
from fracas.errors import FaultError, InputError
from fracas.files.atomic_write import writable_path, write_error
from fracas.files.locks import LOCK
from fracas.lab.execution.executor import SimulationTask
from fracas.lab.store.chunk_folder import ChunkFolder
from fracas.lab.store.chunk_folder import run_inputs as run_inputs

FORMAT = 3
SPOOL = "table"
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


class RunCheckpoint(ChunkFolder):
    """The finished chunks of one run, used as a `with` block: success removes the folder, anything else leaves it.

    A run can resume on any executor: it may begin on threads and end on a cluster.
    """

    PLAN = "run.json"
    OTHERS = ("exists, but is not the folder of a run", "move it, or choose another --out")
    TEMPORARY = (LOCK, SPOOL)

    def __init__(self, out: Path, *, resume: bool, notice: Notice | None = None) -> None:
        super().__init__(checkpoint_path(out), notice)
        self.resume = resume
        self.battles = 0
        """How many battles of this run the finished chunks had when it began."""
        self.simulation = b""

    def open(self, plan: dict[str, Any]) -> None:
        """Read the folder; without `resume` it must have no finished chunks."""
        self.read_folder()
        chunks = sum(len(places) for places in self.places.values())
        if plan and not self.resume and self.files:
            message = f"holds {chunks:,} finished chunks of an unfinished run"
            raise InputError.of(
                str(self.path), message, "add --resume to continue it, or remove the folder to start over"
            )
        if self.resume and not plan:
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
        is_useless = self.is_done or isinstance(error, FaultError) or not self.files
        self.release(remove=is_useless)
        if not is_useless:
            self.notice(f"finished chunks are in {self.path}; add --resume to continue")

    @property
    def spool(self) -> Path:
        """A folder for temporary files; removes what a killed run left there."""
        return self.path / SPOOL

    @property
    def size(self) -> int:
        """How many battles a chunk has."""
        return self.sizes[self.simulation]

    @property
    def first_battle(self) -> int | None:
        """The first battle of the run that the folder describes; None if there is none."""
        plan = self.read_plan()
        return plan["inputs"].get("start", 0) if plan else None

    def begin(self, task: SimulationTask, asked: dict[str, Any], size: int) -> None:
        """Record what is played and the chunk size, which stays the same if this run was begun before.

        Raises:
            InputError: the folder belongs to another run, or cannot be written.
        """
        inputs = {"format": FORMAT, **run_inputs(task.scenario), **asked, "table": task.output.rows}
        known = self.read_plan()
        plan = known or {"inputs": inputs, "range": size}
        if known:
            self._refuse_others(known["inputs"], inputs)
        else:
            self._write(self.PLAN, msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
        self.simulation = blake3(msgspec.json.encode(plan, order="sorted")).digest()
        self.sizes[self.simulation] = int(plan["range"])
        # A run that ends by itself may ask for a billion battles, so look at what there is.
        firsts, end = task.battles[:: self.size], task.battles.stop
        self.battles = sum(
            len(battles)
            for battles in self.places.get(self.simulation, ())
            if battles.start in firsts and battles.stop == min(battles.start + self.size, end)
        )
        if self.damaged:
            self.notice(f"{self.path}: {self.damaged:,} chunks are damaged and will be played again")
        if self.battles:
            self.notice(f"resumes with {self.battles:,} of {len(task.battles):,} battles from {self.path}")

    def _refuse_others(self, known: dict[str, Any], inputs: dict[str, Any]) -> None:
        said = difference(known, inputs)
        if said is not None:
            message = f"belongs to another run: {said}"
            raise InputError.of(str(self.path), message, "resume with the original inputs, or remove the folder")

    def is_plan(self, plan: dict[str, Any]) -> bool:
        """Of any format: what differs is said when the run begins."""
        return isinstance(plan.get("inputs"), dict) and isinstance(plan.get("range"), int) and plan["range"] > 0


def checkpoint_path(out: Path) -> Path:
    """The folder for a result's finished chunks, beside the result.

    Raises:
        InputError: the result could not be written.
    """
    target = writable_path(out)
    return target.with_name(f"{target.name}.run")


def difference(known: Mapping[str, Any], inputs: Mapping[str, Any]) -> str | None:
    """How a stored run differs from the inputs of this one, in words; None if it is the same run."""
    for key, value in inputs.items():
        if known.get(key) != value and key not in _FREE:
            return (
                f"the {_WORDS[key]} differs (here {_value_text(key, value)}, there {_value_text(key, known.get(key))})"
            )
    return None


def _value_text(key: str, value: Any) -> str:
    if key == "table":
        return "a table" if value else "sums"
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else shown(value)
