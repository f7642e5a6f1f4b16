"""Which numbers of an observation a trained policy reads: docs/reference/policy-files.md, Inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

NOTHING = -1
"""Stands for an entry that there is not; as an input it is 0."""


@dataclass(frozen=True)
class NetworkShape:
    """Which numbers of an observation are the inputs of a trained policy, and which choices it scores.

    The fields are those that `kernel/networks.py` explains.
    """

    common: int
    places: int
    width: int
    blocks: int
    targets: int
    plain: int
    actions: int
    acting: int
    may_mix: bool = False
    """Whether a policy may draw its actions instead of taking the best."""

    @property
    def inputs(self) -> int:
        """How many inputs a network has."""
        return self.common + self.places + 2 * self.width

    @property
    def choices(self) -> int:
        """How many choices it scores; an action is a choice and a target."""
        return self.plain // self.targets + self.actions - self.plain

    def for_kernels(self) -> tuple[int, ...]:
        """The numbers in the order in which kernels take them."""
        numbers = self.common, self.places, self.width, self.blocks, self.targets, self.plain, self.actions
        return *numbers, self.acting


@dataclass(frozen=True)
class Reading:
    """Which entries of an observation are the inputs of a trained policy.

    They are, in this order: the `common` entries; one for each place, 1 for the slot that acts; the block of the one
    who acts; the block of the action's target; what the action does.
    """

    shape: NetworkShape
    """What actions are made of, and which entry of a block is 1 if its one acts."""
    version: int
    """Of observations."""
    common: Array
    """(common,) int64, entries."""
    blocks: Array
    """(blocks, width) int64, the entries of each slot's block."""
    deeds: Array
    """(deeds, entries) int64, the entries that say what each deed does."""
    deed_of: Array
    """(slots, choices) int64, the deed of a choice of the one who acts, or NOTHING. Without slots there is one row."""
    deed_numbers: Array | None = None
    """In place of `deed_of` the entries, or NOTHING, that hold a deed's number: from 1 on, modulo the deeds."""
    most_number: int = 1
    """What such an entry is divided by."""

    @classmethod
    def plain(cls, shape: NetworkShape) -> Reading:
        """What policies of version 1 read: common numbers, and behind them the blocks."""
        blocks = shape.common + np.arange(shape.blocks * shape.width).reshape(shape.blocks, shape.width)
        no_deeds = np.full((1, shape.choices), NOTHING)
        return cls(shape, 1, np.arange(shape.common), blocks, np.zeros((0, 0), np.int64), no_deeds)

    @property
    def inputs(self) -> int:
        """How many inputs a network has."""
        return len(self.common) + self.shape.places + 2 * self.width + int(self.deeds.shape[1])

    @property
    def width(self) -> int:
        """How many entries a block has."""
        return int(self.blocks.shape[1])

    @property
    def choices(self) -> int:
        """How many choices a network scores."""
        return self.shape.choices

    @property
    def may_mix(self) -> bool:
        """Whether a policy may draw its actions."""
        return self.shape.may_mix

    @cached_property
    def ends(self) -> Array:
        """Where the common inputs end, those of places, and the block of the one who acts: (3,)."""
        ends: Array = np.cumsum([len(self.common), self.shape.places, self.width])
        return ends

    def deeds_in(self, seen: Array, acting: Array, choices: Array) -> Array:
        """The deed of each choice, (m,), or NOTHING. seen: (m, features). acting: (m,) slots. choices: (m,)."""
        if self.deed_numbers is None:
            return np.asarray(self.deed_of[acting, choices])
        entries = self.deed_numbers[acting, choices]
        numbers = np.rint(seen[np.arange(len(seen)), entries] * self.most_number).astype(np.int64)
        return np.where((entries != NOTHING) & (numbers > 0), (numbers - 1) % max(len(self.deeds), 1), NOTHING)


def entries_of(names: Sequence[str], is_wanted: Callable[[str], bool]) -> Array:
    """The entries with names that are wanted, in the order of the observation."""
    return np.array([index for index, name in enumerate(names) if is_wanted(name)], np.int64)


def under(stem: str, *without: str) -> Callable[[str], bool]:
    """Tells of a name whether it stands under a stem, and under none of these parts of it."""
    stem += "."
    others = tuple(f"{stem}{other}" for other in without)
    return lambda name: name.startswith(stem) and not (others and name.startswith(others))
