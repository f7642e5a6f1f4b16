"""Drafts: agents choose a build before a battle in which they make no decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.rulesets.contract.agents import Feature, Terms
from fracas.rulesets.contract.types import Document

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class DraftState:
    """A draft in the middle. It holds no dice: which offers come next cannot be read from it."""

    offer: int
    """The number of the offer, from 1 on."""
    offered: tuple[str, ...]
    """The ids of the pieces that are offered; empty once the draft is over."""
    worn: tuple[str | None, ...]
    """The piece in each place."""
    leaves: int
    """How many more offers may be left."""


@dataclass(frozen=True, eq=False)
class DraftSpaces:
    """What agents see and do in a ruleset's drafts."""

    terms: Terms
    features: Sequence[Feature]
    actions: int


class Draft(ABC):
    """The draft of one side of a scenario. Dice are an argument: a record of `kernel/dice.py`, key and stream set."""

    @abstractmethod
    def begin(self, dice: Any) -> DraftState:
        """Nothing is worn, and the first offer lies there."""

    @abstractmethod
    def take(self, state: DraftState, action: int, dice: Any) -> DraftState:
        """What a legal action leads to, with the next offer."""

    @abstractmethod
    def legal_actions(self, state: DraftState) -> Array:
        """Which actions may be taken, (actions,) int8; none once the draft is over."""

    @abstractmethod
    def observe(self, state: DraftState, version: int = 1) -> Array:
        """What the agent sees, (features,) float32, in a version of observations."""

    @abstractmethod
    def action_names(self, state: DraftState) -> list[str]:
        """What the actions are called; empty for those that stand for nothing now."""

    @abstractmethod
    def places_filled(self, state: DraftState) -> float:
        """The share of places that are filled."""

    @abstractmethod
    def lines(self, state: DraftState) -> list[str]:
        """The build and the offer, told."""

    @abstractmethod
    def build(self, state: DraftState) -> Document:
        """What is worn, in the form that a scenario may name."""

    @abstractmethod
    def document(self, state: DraftState) -> Document:
        """The resolved scenario with the build."""
