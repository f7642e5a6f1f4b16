"""Measures, sums and statistics over the results of many battles; and types for loot.

A ruleset declares measures, the lab sums them, and the ruleset turns the sums into statistics. Sums are whole numbers,
so any split of a range of battles adds up to the same, and memory does not depend on the number of battles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import count as count_from
from typing import Any

import numpy as np

Rows = np.ndarray[Any, np.dtype[Any]]

# A spread counts every value below this exactly, larger ones by their first 10 binary digits.
EXACT_BELOW = 1024
_KEPT_BITS = EXACT_BELOW.bit_length() - 1
# Values within this range are counted without sorting.
COUNTED_RANGE = 8 * EXACT_BELOW
MOST_BINS = 20


class MeasureKind(Enum):
    """How a measure is summed."""

    TOTAL = "the sum of each entry"
    ABOVE_ZERO = "how often each entry is above 0"
    SPREAD = "how often each value occurs"


@dataclass(frozen=True)
class Measure:
    """A value in result rows: a field, one entry of a field, or its labelled entries."""

    name: str
    field: str
    kind: MeasureKind
    entry: int | None = None
    labels: tuple[str, ...] = ()

    def values(self, rows: Rows) -> Rows:
        """The values of the rows: a number for each row, or one for each label."""
        if self.labels:
            return rows[self.field][:, : len(self.labels)]
        return rows[self.field] if self.entry is None else rows[self.field][:, self.entry]

    def columns(self, rows: Rows) -> Iterator[tuple[str, Rows]]:
        """The values as named columns; a field with labels has one column for each label."""
        values = self.values(rows)
        if not self.labels:
            yield self.name, values
        for index, label in enumerate(self.labels):
            yield f"{self.field}_{label}", values[:, index]


@dataclass
class Spread:
    """How often each value occurred; values from 1,024 are grouped by their first 10 binary digits."""

    counts: dict[int, int] = field(default_factory=dict)
    battles: int = 0
    total: int = 0
    least: int = 0
    most: int = 0

    def add(self, values: Rows, times: int = 1) -> None:
        """Count values, each `times` times."""
        if not len(values):
            return
        least, most = int(values.min()), int(values.max())
        self.least = least if not self.battles else min(self.least, least)
        self.most = most if not self.battles else max(self.most, most)
        self.battles += len(values) * times
        self.total += (least * len(values) if least == most else int(values.sum())) * times
        for value, count in _counted(_rounded(values)) if least < most else _counted_alike(values):
            self.counts[value] = self.counts.get(value, 0) + count * times

    def merge(self, other: Spread) -> None:
        """Add another spread's counts."""
        if not other.battles:
            return
        self.least = other.least if not self.battles else min(self.least, other.least)
        self.most = other.most if not self.battles else max(self.most, other.most)
        self.battles += other.battles
        self.total += other.total
        for value, count in other.counts.items():
            self.counts[value] = self.counts.get(value, 0) + count

    @property
    def mean(self) -> float:
        """The exact mean of all values; 0 if there are none."""
        return self.total / self.battles if self.battles else 0.0

    def quantile(self, per_cent: int) -> int:
        """The least value that `per_cent` of the battles do not exceed; 0 if there are none."""
        wanted, seen = max(1, -(-per_cent * self.battles // 100)), 0
        for value, count in sorted(self.counts.items()):
            seen += count
            if seen >= wanted:
                return value
        return 0

    def bins(self) -> list[tuple[int, int, int]]:
        """A histogram: the least and the largest value of each bin, and its count; empty if there are no values.

        Values up to 0 are one bin. The others are cut at multiples of a round width that gives at most MOST_BINS bins;
        the bins at both ends are not empty.
        """
        above = {value: count for value, count in self.counts.items() if value > 0}
        low = self.battles - sum(above.values())
        found = [(min(self.least, 0), 0, low)] if low else []
        if not above:
            return found
        width = next(
            width for width in _round_widths() if (self.most - 1) // width - (min(above) - 1) // width < MOST_BINS
        )
        first = (min(above) - 1) // width
        heights = [0] * ((self.most - 1) // width - first + 1)
        for value, count in above.items():
            heights[(value - 1) // width - first] += count
        return found + [
            ((first + index) * width + 1, (first + index + 1) * width, count) for index, count in enumerate(heights)
        ]


def _round_widths() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    return (digit * 10**power for power in count_from() for digit in (1, 2, 5))


def _counted(values: Rows) -> Iterator[tuple[int, int]]:
    """Each value with its count. Counting needs memory for each possible value, sorting needs more time."""
    least = int(values.min())
    if int(values.max()) - least < COUNTED_RANGE:
        counts = np.bincount(values - least)
        kept = np.flatnonzero(counts)
        return zip((kept + least).tolist(), counts[kept].tolist(), strict=True)
    sorted_values, numbers = np.unique(values, return_counts=True)
    return zip(sorted_values.tolist(), numbers.tolist(), strict=True)


def _counted_alike(values: Rows) -> Iterator[tuple[int, int]]:
    """The value and its count, if all values are the same."""
    return zip(_rounded(values[:1]).tolist(), [len(values)], strict=True)


def _rounded(values: Rows) -> Rows:
    """Values cut to their first 10 binary digits; those below 1,024 as they are."""
    if not len(values) or int(values.max()) < EXACT_BELOW:
        return values
    bits = np.frexp(np.maximum(values, 1).astype(np.float64))[1]
    shift = np.maximum(bits - _KEPT_BITS, 0)
    return np.where(values < EXACT_BELOW, values, (values >> shift) << shift)


@dataclass
class Sums:
    """The sums of a ruleset's measures over many battles, by name."""

    measures: Sequence[Measure] = ()
    battles: int = 0
    totals: dict[str, list[int]] = field(default_factory=dict)
    spreads: dict[str, Spread] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, rows: Rows, times: int = 1) -> None:
        """Add result rows, each `times` times."""
        self.battles += len(rows) * times
        for measure in self.measures:
            values = measure.values(rows)
            if measure.kind is MeasureKind.SPREAD:
                self.spreads.setdefault(measure.name, Spread()).add(values, times)
                continue
            sums = ((values > 0) if measure.kind is MeasureKind.ABOVE_ZERO else values).sum(axis=0)
            before = self.totals.get(measure.name, [0] * len(measure.labels))
            self.totals[measure.name] = [old + new * times for old, new in zip(before, sums.tolist(), strict=True)]

    def merge(self, other: Sums) -> None:
        """Add the sums of other battles over the same measures."""
        self.battles += other.battles
        for name, entries in other.totals.items():
            before = self.totals.get(name, [0] * len(entries))
            self.totals[name] = [old + new for old, new in zip(before, entries, strict=True)]
        for name, spread in other.spreads.items():
            self.spreads.setdefault(name, Spread()).merge(spread)

    def spread(self, name: str) -> Spread:
        """A spread; empty before the first battle."""
        return self.spreads.get(name, Spread())

    def labelled(self, name: str) -> list[tuple[str, int]]:
        """The totals of a measure with their labels; zeros before the first battle."""
        labels = next(measure.labels for measure in self.measures if measure.name == name)
        return list(zip(labels, self.totals.get(name, [0] * len(labels)), strict=True))


@dataclass(frozen=True)
class Share:
    """A count out of a number of battles; shown with its 95% interval, a point if nothing is random."""

    count: int
    of: int
    is_certain: bool = False


@dataclass(frozen=True)
class Part:
    """An amount out of a total; not a sample, so without an interval."""

    amount: int
    of: int

    @property
    def share(self) -> float:
        """The share; 0 if the total is 0."""
        return self.amount / self.of if self.of else 0.0


@dataclass(frozen=True)
class Statistic:
    """A table over many battles: the name of its list in JSON, its title, columns and rows.

    A cell is a text, a whole number, a mean, a `Share`, a `Part` or None. Columns whose names start with `_` only
    appear in JSON.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


Item = tuple[str, str]


@dataclass(frozen=True)
class LootSource:
    """A source of items: its name, its table, its chance to hold an item, and the distribution of items.

    `drops` maps item and rarity to a chance; the chances add up to 1.
    """

    name: str
    table: str
    chance: Fraction
    drops: dict[Item, Fraction]


@dataclass(frozen=True)
class LootPlan:
    """The exact expected loot of a run through a quest, and the record to roll it with."""

    ruleset: str
    quest: str
    difficulty: str
    seed: str
    encounters: int
    """The number of the quest's encounters that the run passes."""
    sources: tuple[LootSource, ...]
    items: dict[str, str]
    """Item names by id."""
    rarities: tuple[str, ...]
    bonuses: dict[Item, Fraction]
    """The mean number of bonuses of each kind and tier in a run."""
    record: Rows
    books: Mapping[str, Sequence[Any]]
    """The code books of the record."""


@dataclass(frozen=True)
class LootCounts:
    """The loot of many runs: items by source, id and rarity, and bonuses by id and tier."""

    items: dict[tuple[str, str, str], int]
    bonuses: dict[Item, int]
