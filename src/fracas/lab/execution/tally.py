"""Sums over battles. Whole numbers only, so that any split of a range adds up to the same."""

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
    """How many battles ended how."""

    battles: int = 0
    winners: list[int] = field(default_factory=lambda: [0] * OUTCOMES)
    """Draws, wins of side 1, wins of side 2."""
    reasons: dict[int, int] = field(default_factory=dict)
    rounds: int = 0
    shortest: int = 0
    longest: int = 0
    sums: Sums = field(default_factory=Sums)
    """What the ruleset measures besides."""
    draw_reasons: dict[int, int] = field(default_factory=dict)
    """Of the battles that nobody won, how many ended how."""
    endings: dict[int, list[int]] = field(default_factory=dict)
    """Of the battles that ended so, how many were drawn, won by side 1, won by side 2."""
    lengths: Spread = field(default_factory=Spread)
    """How often battles took so many rounds."""
    hp_left: list[Spread] = field(default_factory=lambda: [Spread() for _ in range(SIDES)])
    """How often each side had so many HP left."""

    def add(self, results: Rows) -> None:
        """Count a range of results; one row that is shown many times (stride 0) is as much work as one."""
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
        """Take in what was counted of other battles."""
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
        """Count results up to the first look at which the estimate is precise enough; how many were counted.

        Looks are every 1,024 battles in index order, at the widest of the three half-widths.
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
        """The widest of the three outcomes' half-widths, as a share."""
        return max(half_width(count, self.battles) for count in self.winners)

    def is_precise(self, wanted: float | None) -> bool:
        """True if the last look found the estimate precise enough."""
        return (
            wanted is not None and self.battles > 0 and self.battles % LOOK_EVERY == 0 and self.half_width() <= wanted
        )

    def checksum(self) -> int:
        """A number that changes if any count does; benchmarks print it beside their speed."""
        value: int = 0
        for number in (self.battles, *self.winners, self.rounds, self.shortest, self.longest, *_pairs(self.reasons)):
            value = (value * 1_000_003 + number) % (1 << 48)
        return value


def _pairs(counts: dict[int, int]) -> list[Any]:
    return [number for pair in sorted(counts.items()) for number in pair]
