"""From event rows to what each unit did with each ability: sums over columns, however many battles they tell of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from fracas.rulesets.contract.analysis import Contribution
from fracas.rulesets.contract.types import Rows

KIND, ACTOR, TARGET, A, B, C, D = 1, 2, 3, 4, 5, 6, 7
NOTHING = -1


def latest(where: Rows) -> Rows:
    """For each row the place of the last row so far for which something holds; NOTHING before the first."""
    places = np.where(where, np.arange(len(where)), NOTHING)
    return np.asarray(np.maximum.accumulate(places)) if len(places) else places


def last_index_by_key(where: Rows, key: Rows, *, before: bool = False) -> Rows:
    """The same among the rows that have the same key; with `before` the last one above the row itself."""
    if not len(key):
        return np.zeros(0, np.int64)
    order = np.argsort(key, kind="stable")
    starts = latest(np.concatenate([[True], np.diff(key[order]) != 0]))
    places = latest(where[order])
    if before:
        places = np.concatenate([[NOTHING], places[:-1]])
    found = np.full(len(key), NOTHING)
    # What stands above the first row with this key belongs to another one.
    found[order] = np.where(places >= starts, order[np.maximum(places, 0)], NOTHING)
    return found


def take_or(places: Rows, values: Rows, otherwise: int = NOTHING) -> Rows:
    """The values that stand in the rows of such places; `otherwise` where there is none."""
    if not len(values):
        return np.full(len(places), otherwise)
    return np.where(places >= 0, values[np.maximum(places, 0)], otherwise)


class EventTotals:
    """Amounts by unit and by what it did them with, both numbers as rows hold them; a negative number is nobody."""

    def __init__(self, units: int, abilities: int) -> None:
        self.units = units
        self.abilities = abilities
        self.sums: dict[str, Rows] = {}

    def add(self, name: str, where: Rows, unit: Rows, ability: Rows, amount: Any = 1) -> None:
        """Count an amount for each row for which something holds."""
        size = self.units * (self.abilities + 1)
        sums = self.sums.setdefault(name, np.zeros(size, np.int64))
        here = where & (unit >= 0) & (unit < self.units)
        cells = unit[here].astype(np.int64) * (self.abilities + 1) + ability[here] + 1
        amounts = np.broadcast_to(np.asarray(amount, np.int64), where.shape)[here]
        np.add.at(sums, cells, amounts)

    def contributions(
        self,
        units: Sequence[tuple[int, int, str]],
        abilities: Sequence[Any],
        owned: Iterable[tuple[int, int]] = (),
    ) -> Iterator[Contribution]:
        """One for each unit and ability that there is anything to say of, and for those that are owned.

        `units` are their numbers, sides and names in the order in which they are told; `owned` pairs their numbers with
        those of what they can do, which is listed first and in this order.
        """
        wanted = list(owned)
        for unit, side, name in units:
            cells = {place: self._amounts(unit, place) for place in range(NOTHING, self.abilities)}
            first = dict.fromkeys(ability for owner, ability in wanted if owner == unit)
            for ability in [*first, *(place for place in cells if place not in first)]:
                if ability in first or any(cells[ability].values()):
                    title = "" if ability == NOTHING else str(abilities[ability])
                    yield Contribution(side, name, title, cells[ability])

    def _amounts(self, unit: int, ability: int) -> dict[str, int]:
        cell = unit * (self.abilities + 1) + ability + 1
        return {name: int(sums[cell]) for name, sums in self.sums.items()}
