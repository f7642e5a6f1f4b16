"""Counts battle outcomes in whole numbers, so that any split into chunks gives the same sums."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fracas.lab.statistics.intervals import half_width
from fracas.rulesets.contract.measures import Spread, Sums
from fracas.rulesets.contract.types import Rows

LOOK_EVERY = 1024
OUTCOMES = 3
SIDES = 2


@dataclass
class Tally:
    """Outcome counts of battles."""

    battles: int = 0
    winners: list[int] = field(default_factory=lambda: [0] * OUTCOMES)
    """Draws, wins of side 1, wins of side 2."""
    reasons: dict[int, int] = field(default_factory=dict)
    rounds: int = 0
    shortest: int = 0
    longest: int = 0
    sums: Sums = field(default_factory=Sums)
    """The ruleset's own measures."""
    draw_reasons: dict[int, int] = field(default_factory=dict)
    """How many undecided battles ended for each reason."""
    endings: dict[int, list[int]] = field(default_factory=dict)
    """For each reason: how many battles were drawn, won by side 1, won by side 2."""
    lengths: Spread = field(default_factory=Spread)
    """How many battles took each number of rounds."""
    hp_left: list[Spread] = field(default_factory=lambda: [Spread() for _ in range(SIDES)])
    """How many battles left each side with each number of HP."""

    def add(self, results: Rows) -> None:
        """Count a range of results; a row repeated by a stride of 0 costs as much as one."""
        if not len(results):
            return
        is_repeated = len(results) > 1 and results.strides == (0,)
        rows, times = (results[:1], len(results)) if is_repeated else (results, 1)
        rounds = rows["rounds"]
        self.shortest = int(rounds.min()) if not self.battles else min(self.shortest, int(rounds.min()))
        self.longest = max(self.longest, int(rounds.max()))
        self.battles += len(results)
        self.rounds += int(rounds.sum()) * times
        self.sums.add(rows, times)
        self.lengths.add(rounds, times)
        for side, spread in enumerate(self.hp_left):
            spread.add(rows["hp_left"][:, side], times)
        for ending, count in enumerate(np.bincount(rows["reason"] * OUTCOMES + rows["winner"]).tolist()):
            if count:
                self._add_ending(*divmod(ending, OUTCOMES), count * times)

    def _add_ending(self, reason: int, winner: int, count: int) -> None:
        self.winners[winner] += count
        self.reasons[reason] = self.reasons.get(reason, 0) + count
        self.endings.setdefault(reason, [0] * OUTCOMES)[winner] += count
        if not winner:
            self.draw_reasons[reason] = self.draw_reasons.get(reason, 0) + count

    def merge(self, later: Tally) -> None:
        """Add the counts of other battles."""
        if not later.battles:
            return
        self.shortest = later.shortest if not self.battles else min(self.shortest, later.shortest)
        self.longest = max(self.longest, later.longest)
        self.battles += later.battles
        self.rounds += later.rounds
        self.sums.merge(later.sums)
        self.lengths.merge(later.lengths)
        for spread, other in zip(self.hp_left, later.hp_left, strict=True):
            spread.merge(other)
        for reason, counts in later.endings.items():
            for winner, count in enumerate(counts):
                if count:
                    self._add_ending(reason, winner, count)

    def add_until_precise(self, results: Rows, wanted: float | None) -> int:
        """Count results until the estimate is precise enough; returns how many were counted.

        Precision is checked every 1,024 battles in index order, at the widest of the three half-widths.
        """
        if wanted is None:
            self.add(results)
            return len(results)
        counted = 0
        while counted < len(results):
            following = min(len(results), counted + LOOK_EVERY - self.battles % LOOK_EVERY)
            self.add(results[counted:following])
            counted = following
            if self.battles % LOOK_EVERY == 0 and self.half_width() <= wanted:
                break
        return counted

    def half_width(self) -> float:
        """The widest half-width of the three outcomes, as a share."""
        return max(half_width(count, self.battles) for count in self.winners)

    def is_precise(self, wanted: float | None) -> bool:
        """True if the last check found the estimate precise enough."""
        return (
            wanted is not None and self.battles > 0 and self.battles % LOOK_EVERY == 0 and self.half_width() <= wanted
        )

    def checksum(self) -> int:
        """A checksum of all counts; benchmarks print it beside their speed."""
        value: int = 0
        for number in (self.battles, *self.winners, self.rounds, self.shortest, self.longest, *_pairs(self.reasons)):
            value = (value * 1_000_003 + number) % (1 << 48)
        return value


def _pairs(counts: dict[int, int]) -> list[Any]:
    return [number for pair in sorted(counts.items()) for number in pair]
