"""Whether a condition can come out either way, as far as the ranges of its facts tell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from fracas.content.conditions.tree import (
    MULTIPLE_OF,
    And,
    Comparison,
    Constant,
    Group,
    Named,
    Not,
    Or,
    Status,
    Tree,
    Versus,
)

# Shares are fractions, so their percentages are looked at in hundredths; everything else in a condition is whole.
SHARE_SCALE = 100

RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: value == bound,
    "!=": lambda value, bound: value != bound,
    MULTIPLE_OF: lambda value, bound: bound > 0 and value % bound == 0,
}


class Bounds(ABC):
    """What bounds the facts of a condition where it is asked."""

    @abstractmethod
    def values(self, fact: str) -> range:
        """The values that a fact can have; a share's in hundredths of a per cent."""

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
            return _verdict(_holding(tree, bounds), bounds.values(tree.fact))
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
    return _verdict({count for count in counts if RELATIONS[tree.operator](count, tree.number)}, counts)


def _constant_and(tree: And, bounds: Bounds) -> bool | None:
    values = [constant_value(part, bounds) for part in tree.parts]
    if False in values:
        return False
    together: dict[str, set[int]] = {}
    for part in tree.parts:
        inner = part.tree if isinstance(part, Named) else part
        if isinstance(inner, Comparison):
            holding = _holding(inner, bounds)
            together[inner.fact] = together.get(inner.fact, holding) & holding
    if not all(together.values()):
        return False
    return True if all(value is True for value in values) else None


def _holding(comparison: Comparison, bounds: Bounds) -> set[int]:
    """The values of a fact for which a comparison holds."""
    bound = comparison.number * (SHARE_SCALE if comparison.fact.endswith("_pct") else 1)
    holds = RELATIONS[comparison.operator]
    return {value for value in bounds.values(comparison.fact) if holds(value, bound)}


def _verdict(holding: set[int], possible: range) -> bool | None:
    if not holding:
        return False
    return True if len(holding) == len(possible) else None
