"""`loot`: roll a quest's loot many times and test it against the exact expectations of its tables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice
from fracas.lab.statistics.intervals import chi_square_tail, wilson_interval
from fracas.rulesets import registry
from fracas.rulesets.contract.measures import LootCounts, LootPlan, LootSource
from fracas.rulesets.contract.ruleset import Ruleset

DEFAULT_RUNS = 10_000
MOST_RUNS = 10**8
# Cells with a lower expectation are merged: the chi-square distribution holds for large samples.
LEAST_EXPECTED = 5
SUSPICIOUS = 0.001
FAR = 4.0


@dataclass(frozen=True)
class DropRow:
    """A possible find: how many are expected and how many were found."""

    names: tuple[str, ...]
    expected: Fraction
    """The exact expectation over all runs."""
    deviation: float
    """The standard deviation of the number found, according to the tables."""
    found: int

    @property
    def distance(self) -> float:
        """The number of standard deviations between found and expected; 0 if nothing can vary."""
        gap = self.found - float(self.expected)
        return gap / self.deviation if self.deviation else math.copysign(math.inf, gap) if gap else 0.0

    @property
    def is_far(self) -> bool:
        """True if they differ by more than luck explains."""
        return abs(self.distance) > FAR


@dataclass(frozen=True)
class ChiSquare:
    """A chi-square test of all cells together."""

    value: float
    degrees: int

    @property
    def p_value(self) -> float:
        """The probability of at least this much deviation by luck; 1 if there was nothing to test."""
        return chi_square_tail(self.value, self.degrees)

    @property
    def is_suspicious(self) -> bool:
        """True if that probability is below 1 in 1,000."""
        return self.p_value < SUSPICIOUS


@dataclass(frozen=True)
class LootResults:
    """The loot of many runs through a quest, compared with its tables."""

    plan: LootPlan
    runs: int
    drops: tuple[DropRow, ...]
    """By item and rarity."""
    rarities: tuple[DropRow, ...]
    bonuses: tuple[DropRow, ...]
    """By bonus and tier. Bonuses of one item depend on each other, so they have no standard deviation."""
    sources: tuple[DropRow, ...]
    """By encounter, and for the chest."""
    chi_square: ChiSquare

    @property
    def items(self) -> int:
        """Items found in all runs."""
        return sum(row.found for row in self.drops)

    @property
    def is_as_promised(self) -> bool:
        """True if neither the test nor any row differs from the tables by more than luck explains."""
        return not self.chi_square.is_suspicious and not any(row.is_far for row in (*self.drops, *self.sources))

    def share(self, row: DropRow) -> tuple[float, float, tuple[float, float]]:
        """A row's share of all items: expected, found, and the 95% interval of the found share."""
        whole = sum((drop.expected for drop in self.drops), Fraction(0))
        expected = float(row.expected / whole) if whole else 0.0
        found = row.found / self.items if self.items else 0.0
        return expected, found, wilson_interval(row.found, self.items)

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas content loot --format json` prints."""
        plan, test = self.plan, self.chi_square
        return {
            "ruleset": plan.ruleset,
            "quest": plan.quest,
            "difficulty": plan.difficulty,
            "seed": plan.seed,
            "runs": self.runs,
            "encounters": plan.encounters,
            "items": self.items,
            "sources": [self._row_json(row, ("source", "table")) for row in self.sources],
            "rarities": [self._share_json(row, ("rarity",)) for row in self.rarities],
            "drops": [self._share_json(row, ("item", "rarity")) for row in self.drops],
            "bonuses": [self._row_json(row, ("bonus", "tier")) for row in self.bonuses],
            "chi_square": {"value": test.value, "degrees": test.degrees, "p_value": test.p_value},
            "as_promised": self.is_as_promised,
        }

    def _row_json(self, row: DropRow, names: Iterable[str]) -> dict[str, Any]:
        per_run = row.expected / self.runs
        return {
            **dict(zip(names, row.names, strict=True)),
            "expected": float(row.expected),
            "expected_per_run": str(per_run),
            "found": row.found,
            "far": row.is_far,
        }

    def _share_json(self, row: DropRow, names: Iterable[str]) -> dict[str, Any]:
        expected, found, interval = self.share(row)
        shares = {"expected_share": expected, "share": found, "interval95": list(interval)}
        return self._row_json(row, names) | shares


def loot(
    ruleset: str,
    quest: str,
    difficulty: str,
    runs: int | None = None,
    *,
    seed: str | None = None,
    encounters: int | None = None,
    folders: Iterable[Path] = (),
    notice: Notice | None = None,
) -> LootResults:
    """Roll the loot of many runs through a quest, and compare it with the quest's tables.

    Raises:
        InputError: no such quest or difficulty, or an amount out of range.
    """
    count = DEFAULT_RUNS if runs is None else runs
    check_whole("-n", count, 1, MOST_RUNS)
    known: Ruleset = registry.get(ruleset)
    feature = known.required(known.loot, "quests and no loot", "RULESET")
    folders = tuple(folders)
    plan = feature.plan(known.read_library(None, folders), quest, difficulty, seed, encounters, folders)
    return compared(plan, count, feature.roll(plan, count, notice))


def compared(plan: LootPlan, runs: int, found: LootCounts) -> LootResults:
    """Compare found counts, by source, item and rarity and by bonus and tier, with their expectations."""
    drops: dict[tuple[str, str], DropRow] = {}
    sources, tests = [], []
    for source in plan.sources:
        counts = {key: found.items.get((source.name, *key), 0) for key in source.drops}
        tests += list(_test(source, runs, counts))
        whole = sum(counts.values())
        expected = source.chance * runs
        names = (source.name, source.table)
        sources.append(DropRow(names, expected, _deviation([source.chance], runs), whole))
        for key, count in counts.items():
            before = drops.get(key, DropRow(key, Fraction(0), 0.0, 0))
            chance = source.chance * source.drops[key]
            deviation = math.hypot(before.deviation, _deviation([chance], runs))
            drops[key] = DropRow(key, before.expected + chance * runs, deviation, before.found + count)
    items = list(plan.items)
    rows = tuple(
        drops[key] for key in sorted(drops, key=lambda key: (items.index(key[0]), plan.rarities.index(key[1])))
    )
    bonuses = tuple(
        DropRow(key, share * runs, math.inf, found.bonuses.get(key, 0)) for key, share in plan.bonuses.items()
    )
    test = ChiSquare(sum(value for value, _ in tests), sum(degrees for _, degrees in tests))
    return LootResults(plan, runs, rows, tuple(_by_rarity(plan, runs, rows)), bonuses, tuple(sources), test)


def _by_rarity(plan: LootPlan, runs: int, rows: Iterable[DropRow]) -> Iterable[DropRow]:
    own = list(rows)
    for rarity in plan.rarities:
        same = [row for row in own if row.names[1] == rarity]
        chances = [
            source.chance * sum((share for key, share in source.drops.items() if key[1] == rarity), Fraction(0))
            for source in plan.sources
        ]
        expected = sum((row.expected for row in same), Fraction(0))
        yield DropRow((rarity,), expected, _deviation(chances, runs), sum(row.found for row in same))


def _deviation(chances: Iterable[Fraction], runs: int) -> float:
    """The standard deviation of a count of independent chances, each tried in every run."""
    return math.sqrt(runs * float(sum((chance * (1 - chance) for chance in chances), Fraction(0))))


def _test(source: LootSource, runs: int, counts: dict[Any, int]) -> Iterable[tuple[float, int]]:
    """Chi-square and degrees of freedom: whether an item was found, then which one, given how many were found."""
    whole = sum(counts.values())
    yield _chi_square([(float(source.chance * runs), whole), (float((1 - source.chance) * runs), runs - whole)])
    yield _chi_square([(float(share * whole), counts[key]) for key, share in source.drops.items()])


def _chi_square(cells: list[tuple[float, int]]) -> tuple[float, int]:
    """Chi-square of expected and found counts; cells with a small expectation are merged."""
    large = [cell for cell in cells if cell[0] >= LEAST_EXPECTED]
    small = [cell for cell in cells if 0 < cell[0] < LEAST_EXPECTED]
    if small:
        large.append((sum(expected for expected, _ in small), sum(found for _, found in small)))
    value = sum((found - expected) ** 2 / expected for expected, found in large)
    return value, max(0, len(large) - 1)
