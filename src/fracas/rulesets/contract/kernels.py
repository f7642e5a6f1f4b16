"""The kernels of a ruleset and the models of its files, as its `ruleset.py` declares them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel

from fracas.rulesets.contract.plugin_kinds import PluginKind


@dataclass(frozen=True)
class Kernels:
    """What plays: the entry point, its records, what users may add to it."""

    play_many: Callable[..., None]
    result_type: np.dtype[Any]
    log_type: np.dtype[Any]
    battle_type: np.dtype[Any]
    """The record that a battle is played in, the same for every scenario."""
    plugin: PluginKind | None = None
    resume_many: Callable[..., None] | None = None
    """Goes on from the middle of a battle, many times over: (battles, memory, kept, spans, first_stream, results,
    place, plugins); memory, kept and spans are those of `kernel/snapshots.py`."""
    resume_length: int = 1
    """How many numbers a place in a battle has."""
    constant_fields: frozenset[str] = frozenset()
    """Large fields of a battle that no battle changes, so that going on needs no copy of them."""
    prepare: Callable[..., None] | None = None
    """Works out what a battle's record holds about itself, so that silent battles need not: (battles). Whoever changes
    a record that was prepared calls it again."""
    length_cap_option: str = "options.round_cap"
    """The option that keeps a battle's log short."""
    enumerate_step: Callable[..., None] | None = None
    """Plays states one step on in all their ways, or each to an end, for exact odds; see lab/exact/state_reader.py."""
    state_fields: Callable[[Any], Sequence[str]] | None = None
    """The parts of a battle's record that tell its states apart between two such steps: `tick`, `units.3`."""


@dataclass(frozen=True)
class Models:
    """The shapes of a ruleset's files, by kind: scenario, content, strategy; and of a resolved battle."""

    scenario: type[BaseModel]
    content: type[BaseModel]
    strategy: type[BaseModel]
    resolved: type[BaseModel]
    strategy_label: str = "strategy"
    """What people call a file of the kind strategy; in a ruleset without strategies it is what else stands alone."""
