"""Agents that tell how often they make each choice: a solver answers such an agent best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fracas.rulesets.contract.types import Rows


class Mixer(Protocol):
    """An agent that tells how often it makes each choice."""

    def look(self, side: int, seen: Rows, masks: Rows) -> Mixes:
        """Let it look at states.

        Args:
            side: Whom it plays.
            seen: (n, entries) float32, what it sees without the content, the round and the last choices, which are 0.
            masks: (n, choices) int8, the legal choices.
        """


class Mixes(Protocol):
    """What an agent does in n states."""

    def under(self, further: Sequence[Mapping[int, float]]) -> Rows:
        """How often it makes each choice, (n, further, choices) float64, from 0 to 1.

        further: What it sees besides, by the place in what is seen: the round, and what was chosen before.
        """
