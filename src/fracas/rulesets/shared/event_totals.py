"""Sum what each unit did with each ability from the event rows of one or more battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from fracas.rulesets.contract.analysis import Contribution
from fracas.rulesets.contract.types import Rows

KIND, ACTOR, TARGET, A, B, C, D = 1, 2, 3, 4, 5, 6, 7
NOTHING = -1


def latest(where: Rows) -> Rows:
    """For each row, the index of the last row so far where `where` is true; NOTHING before the first."""
    places = np.where(where, np.arange(len(where)), NOTHING)
    return np.asarray(np.maximum.accumulate(places)) if len(places) else places


def last_index_by_key(where: Rows, key: Rows, *, before: bool = False) -> Rows:
    """Like `latest`, among rows with the same key; with `before`, excluding the row itself."""
    if not len(key):
        return np.zeros(0, np.int64)
    order = np.argsort(key, kind="stable")
    starts = latest(np.concatenate([[True], np.diff(key[order]) != 0]))
    places = latest(where[order])
    if before:
        places = np.concatenate([[NOTHING], places[:-1]])
    found = np.full(len(key), NOTHING)
    # Places before the first row of a key belong to another key.
    found[order] = np.where(places >= starts, order[np.maximum(places, 0)], NOTHING)
    return found


def take_or(places: Rows, values: Rows, otherwise: int = NOTHING) -> Rows:
    """The values at the given places; `otherwise` where a place is NOTHING."""
    if not len(values):
        return np.full(len(places), otherwise)
    return np.where(places >= 0, values[np.maximum(places, 0)], otherwise)


class EventTotals:
    """Amounts by unit and ability, both by their numbers in event rows; rows with a negative unit are ignored."""

    def __init__(self, units: int, abilities: int) -> None:
        self.units = units
        self.abilities = abilities
        self.sums: dict[str, Rows] = {}

    def add(self, name: str, where: Rows, unit: Rows, ability: Rows, amount: Any = 1) -> None:
        """Add an amount for each row where `where` is true."""
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
        """A contribution for each unit and ability with any amount, and for each owned ability.

        `units` holds numbers, sides and names in output order; `owned` pairs units with their abilities, by number,
        which come first and in this order.
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
