"""Whether a condition can come out either way, as far as the ranges of its facts tell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from math import lcm
from operator import eq, ge, gt, le, lt, ne

from fracas.conditions.tree import And, Comparison, Constant, Group, Named, Not, Or, Status, Tree, Versus

# Shares are fractions, so their percentages are looked at in hundredths; everything else in a condition is whole.
SHARE_SCALE = 100


RELATIONS = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}


@dataclass(frozen=True, slots=True)
class Holding:
    """The values for which comparisons of one fact all hold: an interval, thinned to multiples, without single ones.

    Never spelt out value by value: a stat has millions of them, and the conditions come from players.
    """

    low: int
    high: int
    step: int = 1
    without: frozenset[int] = frozenset()

    def where(self, operator: str, bound: int) -> Holding:
        """Those of the values for which one more comparison holds."""
        match operator:
            case "<":
                return replace(self, high=min(self.high, bound - 1))
            case "<=":
                return replace(self, high=min(self.high, bound))
            case ">":
                return replace(self, low=max(self.low, bound + 1))
            case ">=":
                return replace(self, low=max(self.low, bound))
            case "==":
                return replace(self, low=max(self.low, bound), high=min(self.high, bound))
            case "!=":
                return replace(self, without=self.without | {bound})
            case "multiple_of" if bound > 0:
                return replace(self, step=lcm(self.step, bound))
        return replace(self, high=self.low - 1)

    def count(self) -> int:
        """How many values these are."""
        if self.high < self.low:
            return 0
        multiples = self.high // self.step - (self.low - 1) // self.step
        return multiples - sum(self.low <= value <= self.high and value % self.step == 0 for value in self.without)


class Bounds(ABC):
    """What bounds the facts of a condition where it is asked."""

    @abstractmethod
    def values(self, fact: str) -> range:
        """The values that a fact can have, one after the other; a share's in hundredths of a per cent."""

    @abstractmethod
    def size(self, group: str) -> int:
        """How many living units a group has at most."""

    def flag(self, subject: str, status: str) -> bool | None:
        """What is known about something that is true or false by itself, of `self`, of a group or of nobody."""
        return None


def constant_value(tree: Tree, bounds: Bounds) -> bool | None:
    """True or False if a condition cannot come out otherwise, None if it can.

    Decided from the ranges of facts, one comparison at a time and for comparisons of one fact joined by `and`.
    """
    match tree:
        case Named():
            return constant_value(tree.tree, bounds)
        case Constant():
            return tree.value
        case Not():
            inner = constant_value(tree.part, bounds)
            return None if inner is None else not inner
        case Comparison():
            possible = bounds.values(tree.fact)
            return _verdict(_all_of(possible).where(tree.operator, _bound(tree)), possible)
        case Versus(fact, operator, other):
            return _certain(operator, bounds.values(fact), bounds.values(other))
        case Status(subject, status):
            return bounds.flag(subject, status)
        case Group():
            return _constant_group(tree, bounds)
        case And():
            return _constant_and(tree, bounds)
        case Or():
            values = [constant_value(part, bounds) for part in tree.parts]
            return True if True in values else (False if all(value is False for value in values) else None)
    return None


def _certain(operator: str, left: range, right: range) -> bool | None:
    """What is certain of a comparison of two facts, by the ends of their ranges."""
    low, high = left[0] - right[-1], left[-1] - right[0]
    holds = RELATIONS[operator]
    if operator in ("==", "!="):
        never_equal = low > 0 or high < 0
        return (operator == "!=") if never_equal else (None if low < high else operator == "==")
    answers = {holds(low, 0), holds(high, 0)}
    return answers.pop() if len(answers) == 1 else None


def _constant_group(tree: Group, bounds: Bounds) -> bool | None:
    """A group is never empty: the deciding unit lives, and so does an enemy."""
    if isinstance(tree.inner, Status):
        inner = bounds.flag(tree.group, tree.inner.status)
    else:
        inner = constant_value(tree.inner, bounds)
    if tree.quantifier != "count" or tree.operator is None or tree.number is None:
        return inner
    size = bounds.size(tree.group)
    counts = range(1) if inner is False else range(1 if inner else 0, size + 1)
    return _verdict(_all_of(counts).where(tree.operator, tree.number), counts)


def _constant_and(tree: And, bounds: Bounds) -> bool | None:
    values = [constant_value(part, bounds) for part in tree.parts]
    if False in values:
        return False
    together: dict[str, Holding] = {}
    for part in tree.parts:
        inner = part.tree if isinstance(part, Named) else part
        if isinstance(inner, Comparison):
            before = together.get(inner.fact) or _all_of(bounds.values(inner.fact))
            together[inner.fact] = before.where(inner.operator, _bound(inner))
    if any(holding.count() == 0 for holding in together.values()):
        return False
    return True if all(value is True for value in values) else None


def _all_of(possible: range) -> Holding:
    return Holding(possible.start, possible.stop - 1)


def _bound(comparison: Comparison) -> int:
    """The number of a comparison, in the unit in which the values of its fact are given."""
    return comparison.number * (SHARE_SCALE if comparison.fact.endswith("_pct") else 1)


def _verdict(holding: Holding, possible: range) -> bool | None:
    count = holding.count()
    if count == 0:
        return False
    return True if count == len(possible) else None
