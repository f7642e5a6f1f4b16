"""Ranks the entrants of a round robin: standings, groups, the equilibrium mix, and cycles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.lab.statistics.intervals import CONFIDENCE, holm, mean_and_error, mean_interval, two_sided
from fracas.lab.statistics.nash_equilibrium import Mix, most_even_mix
from fracas.rulesets.contract.types import Rows

if TYPE_CHECKING:
    from fracas.lab.studies.matchup_cells import Cell

# The maximum of a stream in one cell, in quarters of a win.
WHOLE = 4


class RowSums:
    """Each entrant's points against all others per stream: their sums, and the sums of their products."""

    def __init__(self, count: int) -> None:
        self.streams = 0
        self.totals = np.zeros(count, np.int64)
        self.products = np.zeros((count, count), np.int64)

    def add(self, points: Rows) -> None:
        """Add streams: a row for each entrant, a column for each stream."""
        wide = points.astype(np.int64)
        self.streams += wide.shape[1]
        self.totals += wide.sum(axis=1)
        self.products += wide @ wide.T


@dataclass(frozen=True)
class Standing:
    """One entrant's rank, by its share of the points against all others."""

    entrant: int
    rank: int
    """1 is the best."""
    group: int
    """Entrants of one group cannot be told apart from the group's best; 1 is the best group. Equals end up in different
    groups in at most 5% of all round robins."""
    share: float
    """The mean of its shares in all its cells."""
    interval95: tuple[float, float]
    behind: float
    """How much less its share is than that of the group's best."""
    behind95: tuple[float, float]
    """The interval of that difference, from streams with the same dice."""
    behind_p: float
    """The probability that equals differ this much, corrected for all pairs: above 0.05 within a group."""
    mix: float
    """Its part in the equilibrium mix."""
    against_mix: float
    """Its share of the points against that mix; never more than half."""


@dataclass(frozen=True)
class Cycle:
    """Three entrants in a cycle: the first beats the second, the second the third, the third the first."""

    entrants: tuple[int, int, int]
    shares: tuple[float, float, float]
    intervals95: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Analysis:
    """The analysis of a complete round robin."""

    standings: tuple[Standing, ...]
    """The best first."""
    mix: Mix
    cycles: tuple[Cycle, ...]
    """Cycles, those whose weakest link is strongest first."""

    @property
    def groups(self) -> list[list[int]]:
        """The numbers of the entrants of each group, the best group first."""
        count = max(standing.group for standing in self.standings)
        return [[each.entrant for each in self.standings if each.group == group + 1] for group in range(count)]

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The analysis as plain values."""
        return {
            "standings": [_standing_json(standing, names) for standing in self.standings],
            "groups": [[names[entrant] for entrant in group] for group in self.groups],
            "mix": {
                "shares": {names[each.entrant]: each.mix for each in self.standings if each.mix > 0},
                "only_one": self.mix.is_only_one,
                "most_even": self.mix.is_most_even,
                "best_reply": self.mix.best_reply,
            },
            "cycles": [
                {
                    "names": [names[entrant] for entrant in cycle.entrants],
                    "entrants": list(cycle.entrants),
                    "shares": list(cycle.shares),
                    "interval95": [list(interval) for interval in cycle.intervals95],
                }
                for cycle in self.cycles
            ],
        }


def _standing_json(standing: Standing, names: Sequence[str]) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "name": names[standing.entrant],
        "entrant": standing.entrant,
        "group": standing.group,
        "share": standing.share,
        "interval95": list(standing.interval95),
        "behind": standing.behind,
        "behind95": list(standing.behind95),
        "behind_p": standing.behind_p,
        "mix": standing.mix,
        "against_mix": standing.against_mix,
    }


def analyse(cells: Sequence[Cell], rows: RowSums) -> Analysis:
    """Analyse the cells of a complete round robin, with the points of each stream summed over each row."""
    count = len(rows.totals)
    advantages = np.zeros((count, count))
    for cell in cells:
        advantages[cell.first, cell.second] = cell.share - 0.5
        advantages[cell.second, cell.first] = 0.5 - cell.share
    mix = most_even_mix(advantages)
    certain = [
        all(cell.deterministic for cell in cells if entrant in (cell.first, cell.second)) for entrant in range(count)
    ]
    return Analysis(tuple(_standings(rows, certain, mix)), mix, find_cycles(cells, count))


def _standings(rows: RowSums, certain: Sequence[bool], mix: Mix) -> Iterable[Standing]:
    """All entrants in order. A group ends where an entrant differs significantly from the group's best."""
    order = sorted(range(len(certain)), key=lambda entrant: (-rows.totals[entrant], entrant))
    chances = _chances(rows, certain)
    group, best = 1, order[0]
    for rank, entrant in enumerate(order, 1):
        if chances[best, entrant] <= 1 - CONFIDENCE:
            group, best = group + 1, entrant
        yield Standing(
            entrant,
            rank,
            group,
            *_row_share(rows, entrant, certain[entrant]),
            *_difference(rows, best, entrant, certain[best] and certain[entrant]),
            float(chances[best, entrant]),
            float(mix.shares[entrant]),
            0.5 + float(mix.gains[entrant]),
        )


def _chances(rows: RowSums, certain: Sequence[bool]) -> Rows:
    """The probability that equals differ as much as each pair does, corrected for all pairs together.

    The same battles chose the best entrant, so comparing it with one other alone would mislead: the most distant of 20
    equals is far away. Pairs that are free of luck are not tested.
    """
    count = len(certain)
    found = np.ones((count, count))
    tested: list[tuple[int, int]] = []
    values: list[float] = []
    for one, other in combinations(range(count), 2):
        if certain[one] and certain[other]:
            found[one, other] = found[other, one] = float(rows.totals[one] == rows.totals[other])
        else:
            total, squares = _apart(rows, one, other)
            tested.append((one, other))
            values.append(two_sided(*mean_and_error(total, squares, rows.streams, -_most(rows), _most(rows))))
    for (one, other), chance in zip(tested, holm(values), strict=True):
        found[one, other] = found[other, one] = chance
    return found


def _most(rows: RowSums) -> int:
    """The most points that a stream can give an entrant over all its cells."""
    return WHOLE * (len(rows.totals) - 1)


def _row_share(rows: RowSums, place: int, is_certain: bool) -> tuple[float, tuple[float, float]]:
    """An entrant's share of all its points, and its interval."""
    most, total = _most(rows), int(rows.totals[place])
    share = total / (most * rows.streams)
    if is_certain:
        return share, (share, share)
    low, high = mean_interval(total, int(rows.products[place, place]), rows.streams, 0, most)
    return share, (low / most, high / most)


def _difference(rows: RowSums, one: int, other: int, is_certain: bool) -> tuple[float, tuple[float, float]]:
    """How much larger one entrant's share is than another's, stream by stream, with its interval."""
    most, total = _most(rows), int(rows.totals[one] - rows.totals[other])
    difference = total / (most * rows.streams)
    if is_certain or one == other:
        return difference, (difference, difference)
    _, squares = _apart(rows, one, other)
    low, high = mean_interval(total, squares, rows.streams, -most, most)
    return difference, (low / most, high / most)


def _apart(rows: RowSums, one: int, other: int) -> tuple[int, int]:
    """One entrant's lead over another per stream: the sum and the sum of squares."""
    products = rows.products
    squares = int(products[one, one] + products[other, other] - 2 * products[one, other])
    return int(rows.totals[one] - rows.totals[other]), squares


def find_cycles(cells: Iterable[Cell], count: int) -> tuple[Cycle, ...]:
    """All cycles of three in which each clearly beats the next: all three lower bounds are above 1/2."""
    shares = np.full((count, count), 0.5)
    lows, highs = np.zeros((count, count)), np.ones((count, count))
    for cell in cells:
        (low, high), one, other = cell.interval95, cell.first, cell.second
        shares[one, other], lows[one, other], highs[one, other] = cell.share, low, high
        shares[other, one], lows[other, one], highs[other, one] = 1 - cell.share, 1 - high, 1 - low
    beats = lows > 0.5
    found: list[Cycle] = []
    for one, two, three in combinations(range(count), 3):
        for ring in ((one, two, three), (one, three, two)):
            links = list(zip(ring, (*ring[1:], ring[0]), strict=True))
            if all(beats[link] for link in links):
                values = tuple(float(shares[link]) for link in links)
                intervals = tuple((float(lows[link]), float(highs[link])) for link in links)
                found.append(Cycle(ring, values, intervals))  # type: ignore[arg-type]
    return tuple(sorted(found, key=lambda cycle: (-min(cycle.shares), cycle.entrants)))
