"""Limits on the exchanges of `swaps`: where, what, how many at once, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.content.validate import shown
from fracas.engine.battle import check_whole
from fracas.errors import Problem, UsageError
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.types import Swap

MOST_AT_ONCE, MOST_AMONG, MOST_POINTS = 4, 40, 1_000_000
# The cost of a thing that is not listed.
USUAL_COST = 1.0


@dataclass(frozen=True)
class Limits:
    """Which exchanges are allowed, and how many at once."""

    places: Sequence[str] = ()
    """Only exchange in these places, by the beginning or the end of their paths: items, items.3, weapon; empty: all."""
    only: Sequence[str] = ()
    """Only these may come in, by id or name; empty: everything."""
    without: Sequence[str] = ()
    """These may not come in."""
    at_once: int = 1
    """Up to this many exchanges at once, 1 to 4."""
    among: int = 12
    """Combinations are made from this many of the best single exchanges, 2 to 40."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """Costs in points, by id or name, 0 to 1,000,000; things not listed cost 1."""
    budget: float | None = None
    """The most that all exchanges together may add to the cost; below 0, they have to save points."""

    def check(self) -> None:
        """Check that all amounts are in range.

        Raises:
            UsageError: an amount is out of range.
        """
        check_whole("--at-once", self.at_once, 1, MOST_AT_ONCE)
        check_whole("--among", self.among, 2, MOST_AMONG)
        problems = [
            Problem(f"--cost {name}", f"{shown(cost)} is not a cost: from 0 to {MOST_POINTS:,}")
            for name, cost in self.costs.items()
            if not _is_number(cost) or not 0 <= cost <= MOST_POINTS
        ]
        if self.budget is not None and (not _is_number(self.budget) or not abs(self.budget) <= MOST_POINTS):
            problems.append(
                Problem("--budget", f"{shown(self.budget)} is not a number of points up to {MOST_POINTS:,}")
            )
        if problems:
            raise UsageError(problems)

    def check_names(self, swaps: Sequence[Swap]) -> None:
        """Check that costs name only things that can be exchanged.

        Raises:
            UsageError: a name is unknown.
        """
        names = {name for swap in swaps for name in (swap.removed, swap.added) if name is not None}
        known = {_plainly(name) for name in names}
        problems = [
            Problem(f"--cost {name}", "there is no such thing to exchange", nearest(name, sorted(names)))
            for name in self.costs
            if _plainly(name) not in known
        ]
        if problems:
            raise UsageError(problems)

    def allow(self, swap: Swap) -> bool:
        """Whether an exchange is within the limits, apart from its cost."""
        comes, path = _plainly(swap.added), swap.place.split(".")
        wanted = [each.split(".") for each in self.places]
        is_there = not wanted or any(
            path[start : start + len(each)] == each for each in wanted for start in range(len(path))
        )
        only, without = ({_plainly(each) for each in names} for names in (self.only, self.without))
        return is_there and (not only or comes in only) and comes not in without

    def cost(self, swap: Swap) -> float:
        """The cost of what comes in less that of what goes, over all parts of an exchange."""
        parts = swap.parts or ((swap.place, swap.removed, swap.added),)
        return sum(self._price(comes) - self._price(out) for _, out, comes in parts)

    def shown_cost(self, swap: Swap) -> float | None:
        """The cost of an exchange; None if the limits have neither costs nor a budget."""
        return self.cost(swap) if self.costs or self.budget is not None else None

    def affords(self, swap: Swap) -> bool:
        """Whether an exchange is within the budget."""
        return self.budget is None or self.cost(swap) <= self.budget

    def parts_of(self, ranked: Iterable[Swap]) -> list[Swap]:
        """The single exchanges to combine: the best ones, with half of the room for the best that save points.

        Without a budget no exchange has to save points.
        """
        every = list(ranked)
        savers = [] if self.budget is None else [swap for swap in every if self.cost(swap) < 0][: self.among // 2]
        best = [swap for swap in every if swap not in savers][: self.among - len(savers)]
        return [swap for swap in every if swap in best or swap in savers]

    def costs_json(self) -> dict[str, Any]:
        """The costs and the budget for a document; empty if there are none."""
        if not self.costs and self.budget is None:
            return {}
        return {"costs": dict(self.costs), "budget": self.budget}

    def _price(self, name: str | None) -> float:
        if name is None:
            return 0.0
        prices = {_plainly(each): float(cost) for each, cost in self.costs.items()}
        return prices.get(_plainly(name), USUAL_COST)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _plainly(name: str) -> str:
    """An id or a name in normal form."""
    return name.replace("_", " ").casefold()
