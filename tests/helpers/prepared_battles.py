"""Plays silent battles with and without what they prepare: tables of choices, rankings of moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import fracas
from fracas.kernel import jit
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows

# The numbers of both halves of a stream change within the first battles.
FIRST_STREAM = 2**32 - 5


@dataclass(frozen=True)
class Preparation:
    """What the battles of a ruleset prepare."""

    ruleset: str
    part: str
    """The field of the record that holds it."""
    ready: int
    """Its state once it is prepared."""
    unused: int
    """Its state in battles that do without."""
    battles: int
    besides: tuple[str, ...] = ()
    """Further fields that may differ after the same battles."""

    @cached_property
    def _play(self) -> Any:
        return jit.native(registry.get(self.ruleset).kernels.play_many)

    def played(self, records: Rows, *, prepared: bool) -> tuple[Rows, bytes]:
        """Results, and what is left of the record but for dice and what was prepared."""
        records = records.copy()
        if not prepared:
            records[self.part]["state"] = self.unused
        results = np.zeros(self.battles, registry.get(self.ruleset).kernels.result_type)
        self._play(records, FIRST_STREAM, results, None, None)
        assert prepared or (records[self.part]["state"] == self.unused).all()
        left = [name for name in records.dtype.names or () if name not in ("dice", self.part, *self.besides)]
        return results, b"".join(records[name].tobytes() for name in left)

    def results(self, records: Rows, *, prepared: bool) -> Rows:
        """Result rows alone."""
        return self.played(records, prepared=prepared)[0]

    def compare_random(self, scenarios: int) -> int:
        """Play random scenarios both ways, which must come out the same; returns in how many parts one is prepared."""
        ruleset = registry.get(self.ruleset)
        count = 0
        for number in range(scenarios):
            records = fracas.load(ruleset.random_scenario(number)).compiled.record
            results, left = self.played(records, prepared=True)
            others, left_by_others = self.played(records, prepared=False)
            assert np.array_equal(results, others), f"random scenario {number}"
            assert left == left_by_others, f"random scenario {number}"
            tried = records.copy()
            assert ruleset.kernels.prepare is not None
            jit.native(ruleset.kernels.prepare)(tried)
            count += int((tried[self.part]["state"] == self.ready).sum())
        return count
