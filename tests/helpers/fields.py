"""Battles that are not played: outcomes drawn from chances that a test names, a number for each stream."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from fracas.lab.simulation.scores import ScoreSample

Chance = Callable[[Any], float]


def results_like(battles: int, **values: bool) -> Any:
    """What a study takes from results besides scores, in place of results."""
    nothing = SimpleNamespace(mean=0.0)
    return SimpleNamespace(
        battles=battles, shares=(0.0, 0.0), draw_share=0.0, rounds=nothing, hp_left=(nothing, nothing), **values
    )


def numbers(start: int, count: int) -> np.ndarray:
    """For each stream a number from 0 to 1 that depends on nothing else."""
    mixed = (np.arange(start, start + count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ (mixed >> np.uint64(31))).astype(np.float64) / 2.0**64


class Field:
    """Takes the place of `sample`: side 1 wins with the chance that its scenario's document has."""

    def __init__(self, chance: Chance, stop_after: int | None = None) -> None:
        self.chance = chance
        self.stop_after = stop_after
        self.calls: list[tuple[Any, int, int]] = []
        """Document, first stream and number of streams of each call."""

    def __call__(self, scenario: Any, n: int, *, start: int = 0, **_: Any) -> ScoreSample:
        """The battles start to start + n - 1."""
        self.calls.append((scenario.document, start, n))
        interrupted = self.stop_after is not None and len(self.calls) > self.stop_after
        chance = self.chance(scenario.document)
        certain = chance in (0.0, 1.0)
        scores = np.where(numbers(start, n) < chance, 2, 0).astype(np.int8)
        return ScoreSample(results_like(n, interrupted=interrupted, deterministic=certain), scores)
