"""Find conditions that are always true or always false, from the ranges of their facts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from math import lcm
from operator import eq, ge, gt, le, lt, ne

from fracas.conditions.tree import And, Comparison, Constant, Group, Named, Not, Or, Status, Tree, Versus
from fracas.conditions.vocabulary import Vocabulary
from fracas.kernel.fact_table import Fact, FactKind

# Shares are fractions, so their percentages are analysed in hundredths; everything else in a condition is whole.
SHARE_SCALE = 100


RELATIONS = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}


@dataclass(frozen=True, slots=True)
class Holding:
    """The values of one fact that satisfy several comparisons: an interval of multiples, minus single values.

    Values are never listed one by one: a stat has millions of them, and conditions come from players.
    """

    low: int
    high: int
    step: int = 1
    without: frozenset[int] = frozenset()

    def where(self, operator: str, bound: int) -> Holding:
        """Restrict the values by one more comparison."""
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
        """The number of values."""
        if self.high < self.low:
            return 0
        multiples = self.high // self.step - (self.low - 1) // self.step
        return multiples - sum(self.low <= value <= self.high and value % self.step == 0 for value in self.without)


class Bounds(ABC):
    """The possible values of facts in the place where a condition is used."""

    @abstractmethod
    def values(self, fact: str) -> range:
        """The possible values of a fact, in order; for a share, in hundredths of a percent."""

    @abstractmethod
    def size(self, group: str) -> int:
        """The largest number of living units in a group."""

    def flag(self, subject: str, status: str) -> bool | None:
        """What is known about a status of `self`, of a group or of no subject; None if it may be either."""
        return None


def declared_values(vocabulary: Vocabulary, fact: str) -> range:
    """The values that a fact, of a situation or of a group's unit, is declared with; a share in hundredths."""
    known = vocabulary.fact_by_name.get(fact) or vocabulary.inner_by_name[fact]
    assert isinstance(known, Fact), "only facts are compared"
    low, high = known.limits
    scale = SHARE_SCALE if known.kind is FactKind.PERCENT else 1
    return range(low * scale, high * scale + 1)


def constant_value(tree: Tree, bounds: Bounds) -> bool | None:
    """The value of a condition that is always true or always false; None if it can be either.

    Uses the ranges of facts, one comparison at a time, and comparisons of the same fact joined by `and`.
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
    """Decide a comparison of two facts by the ends of their ranges; None if it can be either."""
    low, high = left[0] - right[-1], left[-1] - right[0]
    holds = RELATIONS[operator]
    if operator in ("==", "!="):
        never_equal = low > 0 or high < 0
        return (operator == "!=") if never_equal else (None if low < high else operator == "==")
    answers = {holds(low, 0), holds(high, 0)}
    return answers.pop() if len(answers) == 1 else None


def _constant_group(tree: Group, bounds: Bounds) -> bool | None:
    """Decide a question about a group, which is never empty: the deciding unit and at least one enemy live."""
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
    """The number of a comparison, in the unit of its fact's values."""
    return comparison.number * (SHARE_SCALE if comparison.fact.endswith("_pct") else 1)


def _verdict(holding: Holding, possible: range) -> bool | None:
    count = holding.count()
    if count == 0:
        return False
    return True if count == len(possible) else None
