"""Ranks the entrants of a round robin: standings, groups, the equilibrium mix, and cycles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from fracas.lab.statistics.intervals import CONFIDENCE, holm, mean_and_error, mean_interval, two_sided
from fracas.lab.statistics.nash_equilibrium import Equilibrium, equilibrium_of
from fracas.lab.studies.matchup_cells import WHOLE, CellSums
from fracas.lab.studies.matchups_result import Analysis, Cycle, Mix, Standing
from fracas.rulesets.contract.types import Rows


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


def analyse(cells: Sequence[CellSums], rows: RowSums, names: Sequence[str]) -> Analysis:
    """Analyse the cells of a complete round robin, with the points of each stream summed over each row."""
    count = len(rows.totals)
    advantages = np.zeros((count, count))
    for cell in cells:
        advantages[cell.first, cell.second] = cell.share - 0.5
        advantages[cell.second, cell.first] = 0.5 - cell.share
    mix = equilibrium_of(advantages)
    certain = [
        all(cell.deterministic for cell in cells if entrant in (cell.first, cell.second)) for entrant in range(count)
    ]
    standings = list(_standings(rows, certain, mix, names))
    groups: dict[int, list[str]] = {}
    for standing in standings:
        groups.setdefault(standing.group, []).append(standing.name)
    return Analysis(
        standings,
        list(groups.values()),
        Mix(
            {each.name: each.mix for each in standings if each.mix > 0},
            only_one=mix.is_only_one,
            most_even=mix.is_only_one,
            best_reply=mix.best_reply,
        ),
        find_cycles(cells, names),
    )


def _standings(rows: RowSums, certain: Sequence[bool], mix: Equilibrium, names: Sequence[str]) -> Iterable[Standing]:
    """All entrants in order. A group ends where an entrant differs significantly from the group's best."""
    order = sorted(range(len(certain)), key=lambda entrant: (-rows.totals[entrant], entrant))
    chances = _chances(rows, certain)
    group, best = 1, order[0]
    for rank, entrant in enumerate(order, 1):
        if chances[best, entrant] <= 1 - CONFIDENCE:
            group, best = group + 1, entrant
        share, interval95 = _row_share(rows, entrant, certain[entrant])
        behind, behind95 = _difference(rows, best, entrant, certain[best] and certain[entrant])
        yield Standing(
            rank=rank,
            name=names[entrant],
            entrant=entrant,
            group=group,
            share=share,
            interval95=interval95,
            behind=behind,
            behind95=behind95,
            behind_p=float(chances[best, entrant]),
            mix=float(mix.shares[entrant]),
            against_mix=0.5 + float(mix.gains[entrant]),
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


def _row_share(rows: RowSums, index: int, is_certain: bool) -> tuple[float, tuple[float, float]]:
    """An entrant's share of all its points, and its interval."""
    most, total = _most(rows), int(rows.totals[index])
    share = total / (most * rows.streams)
    if is_certain:
        return share, (share, share)
    low, high = mean_interval(total, int(rows.products[index, index]), rows.streams, 0, most)
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


def find_cycles(cells: Iterable[CellSums], names: Sequence[str]) -> list[Cycle]:
    """All cycles of three in which each clearly beats the next: all three lower bounds are above 1/2."""
    count = len(names)
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
                found.append(
                    Cycle(
                        names=[names[entrant] for entrant in ring],
                        entrants=ring,
                        shares=[float(shares[link]) for link in links],
                        interval95=tuple((float(lows[link]), float(highs[link])) for link in links),
                    )
                )
    return sorted(found, key=lambda cycle: (-min(cycle.shares), cycle.entrants))
