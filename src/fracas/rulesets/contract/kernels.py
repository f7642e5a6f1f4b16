"""Declarations of a ruleset's kernels and file models, for its `ruleset.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from pydantic import BaseModel

from fracas.rulesets.contract.plugin_kinds import PluginKind


class EntryPointModule(Protocol):
    """A shipped ruleset's `rules/entry_points.py`."""

    play_many: Callable[..., None]
    resume_many: Callable[..., None]
    enumerate_step: Callable[..., None]

    def state_parts(self, battle: Any, /) -> tuple[str, ...]:
        """See `Kernels.state_fields`."""


class StateModule(Protocol):
    """A shipped ruleset's `rules/state.py`."""

    battle_t: np.dtype[Any]
    result_t: np.dtype[Any]
    log_t: np.dtype[Any]
    GIVEN: frozenset[str]


@dataclass(frozen=True)
class Lockstep:
    """The entry points that play many silent battles of one scenario side by side, in lanes (docs/adr/0033)."""

    judge: Callable[..., None]
    """Judges a battle, in plain Python: (battles, plans). Afterwards the plan's `bits` says how wide lanes must be, or
    0 if the battle is not played in lanes."""
    plan: Callable[..., None]
    """Judges a battle and works out the rest of its plan: (battles, plans)."""
    play: Callable[..., None]
    """Plays battles: (battles, plans, states, first_stream, results). Rows with winner -1 are left to play_many."""
    resume: Callable[..., None]
    """Plays rollouts: (battles, plans, states, memory, saved, spans, first_stream, results, place); else the same."""
    plan_type: np.dtype[Any]
    state_types: Mapping[int, np.dtype[Any]]
    """The state of 64 battles, by the width of lanes in bits."""
    reasons: Mapping[int, str]
    """Why a battle is not played in lanes, by the plan's `reason`."""
    worth_loading: int
    """Runs of this many battles are worth loading code for lanes."""
    worth_compiling: int
    """Runs of this many battles are worth compiling it: a few of them save the time that it takes."""


@dataclass(frozen=True)
class Kernels:
    """The entry points of a ruleset, their records, and the plug-ins they accept."""

    play_many: Callable[..., None]
    result_type: np.dtype[Any]
    log_type: np.dtype[Any]
    battle_type: np.dtype[Any]
    """The record that a battle is played in, the same for every scenario."""
    plugin: PluginKind | None = None
    resume_many: Callable[..., None] | None = None
    """Plays on from the middle of a battle many times: (battles, memory, saved, spans, first_stream, results, place,
    plugins); memory, saved and spans are those of `kernel/snapshots.py`."""
    resume_length: int = 2
    """The number of integers in a place to resume from."""
    constant_fields: frozenset[str] = frozenset()
    """Large fields that no battle changes, so snapshots need no copy of them."""
    prepare: Callable[..., None] | None = None
    """Precomputes values in a battle's record, so that battles without a log need not: (battles). Call it again after
    changing a prepared record."""
    lockstep: Callable[[], Lockstep] | None = None
    """Returns the entry points that play battles in lanes. A function, because most runs never import them."""
    length_cap_option: str = "options.round_cap"
    """The option that limits a battle's length, and so its log."""
    enumerate_step: Callable[..., None] | None = None
    """Plays states one step on in every possible way, or to an end, for exact odds; see lab/exact/state_reader.py."""
    state_fields: Callable[[Any], Sequence[str]] | None = None
    """The parts of a battle's record that distinguish states between such steps: `tick`, `units.3`."""

    @classmethod
    def of(cls, entry_points: EntryPointModule, state: StateModule, **other: Any) -> Kernels:
        """The kernels of a shipped ruleset, which names them as the others do; `other` is what only some have."""
        return cls(
            play_many=entry_points.play_many,
            resume_many=entry_points.resume_many,
            enumerate_step=entry_points.enumerate_step,
            state_fields=entry_points.state_parts,
            battle_type=state.battle_t,
            result_type=state.result_t,
            log_type=state.log_t,
            constant_fields=state.GIVEN,
            **other,
        )


@dataclass(frozen=True)
class Models:
    """The models of a ruleset's files, by kind: scenario, content, strategy; and of a resolved battle."""

    scenario: type[BaseModel]
    content: type[BaseModel]
    strategy: type[BaseModel]
    resolved: type[BaseModel]
    strategy_label: str = "strategy"
    """The display name of strategy files; in a ruleset without strategies, of its other standalone file."""
