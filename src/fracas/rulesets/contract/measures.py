"""What result rows say besides who won: sums over many battles, and the tables that are made of them; and loot.

A ruleset declares measures, the lab sums them, the ruleset makes statistics of the sums. Sums are whole numbers, so any
split of a range of battles adds up to the same, and they need the same memory for a hundred battles and for a million.
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
# Values within so many of each other are counted without sorting them.
COUNTED_RANGE = 8 * EXACT_BELOW
MOST_BINS = 20


class Kind(Enum):
    """What is summed."""

    TOTAL = "the sum of each entry"
    ABOVE_ZERO = "how often each entry is above 0"
    SPREAD = "how often each value occurs"


@dataclass(frozen=True)
class Measure:
    """Something that result rows hold: a field, or one entry of a field, or the first of its entries with a label."""

    name: str
    field: str
    kind: Kind
    entry: int | None = None
    labels: tuple[str, ...] = ()

    def values(self, rows: Rows) -> Rows:
        """What the rows hold: a number for each row, or a row of numbers, one for each label."""
        if self.labels:
            return rows[self.field][:, : len(self.labels)]
        return rows[self.field] if self.entry is None else rows[self.field][:, self.entry]

    def columns(self, rows: Rows) -> Iterator[tuple[str, Rows]]:
        """The same as named columns of a table; a field with many entries is one column for each label."""
        values = self.values(rows)
        if not self.labels:
            yield self.name, values
        for place, label in enumerate(self.labels):
            yield f"{self.field}_{label}", values[:, place]


@dataclass
class Spread:
    """How often each value occurred; from 1,024 on, how often a value with the same first 10 binary digits did."""

    counts: dict[int, int] = field(default_factory=dict)
    battles: int = 0
    total: int = 0
    least: int = 0
    most: int = 0

    def add(self, values: Rows, times: int = 1) -> None:
        """Count values, each of them so many times."""
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
        """Take in what another spread counted."""
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
        """The mean of all values, exact; 0 without any."""
        return self.total / self.battles if self.battles else 0.0

    def quantile(self, per_cent: int) -> int:
        """The least value that so many per cent of the battles do not exceed; 0 without any."""
        wanted, seen = max(1, -(-per_cent * self.battles // 100)), 0
        for value, count in sorted(self.counts.items()):
            seen += count
            if seen >= wanted:
                return value
        return 0

    def bins(self, most: int = MOST_BINS) -> list[tuple[int, int, int]]:
        """A histogram: the least and the largest value of each bin, and how many fell there; empty without any.

        Values up to 0 are one bin. The others are cut at multiples of a round width, so wide that there are at most
        `most` of them; none at either end is empty.
        """
        above = {value: count for value, count in self.counts.items() if value > 0}
        low = self.battles - sum(above.values())
        found = [(min(self.least, 0), 0, low)] if low else []
        if not above:
            return found
        width = next(width for width in _round_widths() if (self.most - 1) // width - (min(above) - 1) // width < most)
        first = (min(above) - 1) // width
        heights = [0] * ((self.most - 1) // width - first + 1)
        for value, count in above.items():
            heights[(value - 1) // width - first] += count
        return found + [
            ((first + place) * width + 1, (first + place + 1) * width, count) for place, count in enumerate(heights)
        ]


def _round_widths() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    return (digit * 10**power for power in count_from() for digit in (1, 2, 5))


def _counted(values: Rows) -> Iterator[tuple[int, int]]:
    """Each value with how often it occurs. Counting needs a place for each possible value, sorting needs more time."""
    least = int(values.min())
    if int(values.max()) - least < COUNTED_RANGE:
        counts = np.bincount(values - least)
        kept = np.flatnonzero(counts)
        return zip((kept + least).tolist(), counts[kept].tolist(), strict=True)
    sorted_values, numbers = np.unique(values, return_counts=True)
    return zip(sorted_values.tolist(), numbers.tolist(), strict=True)


def _counted_alike(values: Rows) -> Iterator[tuple[int, int]]:
    """The same of values that are all the same."""
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
    """The sums of a ruleset's measures over so many battles, by their names."""

    measures: Sequence[Measure] = ()
    battles: int = 0
    totals: dict[str, list[int]] = field(default_factory=dict)
    spreads: dict[str, Spread] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, rows: Rows, times: int = 1) -> None:
        """Take in result rows, each of them so many times."""
        self.battles += len(rows) * times
        for measure in self.measures:
            values = measure.values(rows)
            if measure.kind is Kind.SPREAD:
                self.spreads.setdefault(measure.name, Spread()).add(values, times)
                continue
            sums = ((values > 0) if measure.kind is Kind.ABOVE_ZERO else values).sum(axis=0)
            before = self.totals.get(measure.name, [0] * len(measure.labels))
            self.totals[measure.name] = [old + new * times for old, new in zip(before, sums.tolist(), strict=True)]

    def merge(self, other: Sums) -> None:
        """Take in the sums of other battles over the same measures."""
        self.battles += other.battles
        for name, entries in other.totals.items():
            before = self.totals.get(name, [0] * len(entries))
            self.totals[name] = [old + new for old, new in zip(before, entries, strict=True)]
        for name, spread in other.spreads.items():
            self.spreads.setdefault(name, Spread()).merge(spread)

    def spread(self, name: str) -> Spread:
        """A spread; an empty one before the first battle."""
        return self.spreads.get(name, Spread())

    def labelled(self, name: str) -> list[tuple[str, int]]:
        """The totals of a measure with their labels; zeros before the first battle."""
        labels = next(measure.labels for measure in self.measures if measure.name == name)
        return list(zip(labels, self.totals.get(name, [0] * len(labels)), strict=True))


@dataclass(frozen=True)
class Share:
    """So many of so many; shown with its 95% interval, which is a point if nothing depends on luck."""

    count: int
    of: int
    is_certain: bool = False


@dataclass(frozen=True)
class Part:
    """So much of so much; it is no sample, so there is no interval."""

    amount: int
    of: int

    @property
    def share(self) -> float:
        """The share, 0 of nothing."""
        return self.amount / self.of if self.of else 0.0


@dataclass(frozen=True)
class Statistic:
    """A table that many battles fill: the name of its list in JSON, its title, its columns, and its rows.

    A cell is a text, a whole number, a mean, a `Share`, a `Part` or None. Columns whose name begins with `_` are for
    JSON alone.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


Item = tuple[str, str]


@dataclass(frozen=True)
class LootSource:
    """Something that may hold an item: what it is called, its table, its chance, and what the item is if there is one.

    `drops` has for each item and rarity how likely it is; they add up to 1.
    """

    name: str
    table: str
    chance: Fraction
    drops: dict[Item, Fraction]


@dataclass(frozen=True)
class LootPlan:
    """What a run through a quest promises to bring, exactly, and the record to roll it with."""

    ruleset: str
    quest: str
    difficulty: str
    seed: str
    encounters: int
    """How many of the quest's encounters are passed."""
    sources: tuple[LootSource, ...]
    items: dict[str, str]
    """Every item's name by its id."""
    rarities: tuple[str, ...]
    bonuses: dict[Item, Fraction]
    """How many bonuses of each kind and tier a run brings on average."""
    record: Rows
    books: Mapping[str, Sequence[Any]]
    """The names of its numbers."""


@dataclass(frozen=True)
class LootCounts:
    """What many runs brought: items by source, id and rarity, and bonuses by id and tier."""

    items: dict[tuple[str, str, str], int]
    bonuses: dict[Item, int]
