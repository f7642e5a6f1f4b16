import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise

import pytest

from fracas.conditions.range_analysis import SHARE_SCALE, Bounds, constant_value, declared_values
from fracas.conditions.tree import And, Comparison, Constant, Group, Named, Not, Or, Status, Tree
from fracas.conditions.vocabulary import Vocabulary
from fracas.kernel.fact_table import Fact, FactKind

FACTS = {"round": range(1, 8), "self.hp_pct": range(1, 3 * SHARE_SCALE + 1), "drift": range(-3, 6), "stat": range(1)}
OPERATORS = ("<", "<=", ">", ">=", "==", "!=", "multiple_of")
RELATIONS = {
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: value == bound,
    "!=": lambda value, bound: value != bound,
    "multiple_of": lambda value, bound: bound > 0 and value % bound == 0,
}


class Small(Bounds):
    def values(self, fact: str) -> range:
        return FACTS[fact]

    def size(self, group: str) -> int:
        return {"allies": 3, "nobody": 0}[group]

    def flag(self, subject: str, status: str) -> bool | None:
        return {"stunned": False, "awake": True}.get(status)


def holding(tree: Comparison) -> set[int]:
    bound = tree.number * (SHARE_SCALE if tree.fact.endswith("_pct") else 1)
    return {value for value in FACTS[tree.fact] if RELATIONS[tree.operator](value, bound)}


def verdict(values: set[int], possible: range) -> bool | None:
    return False if not values else (True if len(values) == len(possible) else None)


def by_enumeration(tree: Tree) -> bool | None:
    """The same question, answered by looking at each value of each fact."""
    match tree:
        case Named():
            return by_enumeration(tree.tree)
        case Constant():
            return tree.value
        case Not():
            inner = by_enumeration(tree.part)
            return None if inner is None else not inner
        case Comparison():
            return verdict(holding(tree), FACTS[tree.fact])
        case Status(subject, status):
            return Small().flag(subject, status)
        case Group():
            inner = by_enumeration(tree.inner)
            if tree.operator is None or tree.number is None:
                return inner
            counts = range(1) if inner is False else range(1 if inner else 0, Small().size(tree.group) + 1)
            return verdict({count for count in counts if RELATIONS[tree.operator](count, tree.number)}, counts)
        case Or():
            values = [by_enumeration(part) for part in tree.parts]
            return True if True in values else (False if all(value is False for value in values) else None)
        case And():
            return enumerated_and(tree)
    raise AssertionError(tree)


def enumerated_and(tree: And) -> bool | None:
    values = [by_enumeration(part) for part in tree.parts]
    together: dict[str, set[int]] = {}
    for part in tree.parts:
        inner = part.tree if isinstance(part, Named) else part
        if isinstance(inner, Comparison):
            together[inner.fact] = together.get(inner.fact, holding(inner)) & holding(inner)
    if False in values or not all(together.values()):
        return False
    return True if all(value is True for value in values) else None


def trees(seed: int) -> Iterator[Tree]:
    dice = random.Random(seed)

    def comparison() -> Comparison:
        return Comparison(dice.choice(list(FACTS)), dice.choice(OPERATORS), dice.randrange(-4, 9))

    def tree(depth: int) -> Tree:
        kind = dice.randrange(10) if depth < 3 else dice.randrange(4)
        if kind < 3:
            return comparison()
        if kind == 3:
            return dice.choice([Status("self", name) for name in ("stunned", "awake", "marked")])
        if kind == 4:
            status = Status("", dice.choice(["stunned", "awake", "marked"]))
            inner: Comparison | Status = status if dice.randrange(2) else comparison()
            group = dice.choice(["allies", "nobody"])
            if dice.randrange(2):
                return Group(group, "any", inner)
            return Group(group, "count", inner, dice.choice(OPERATORS[:6]), dice.randrange(5))
        if kind == 5:
            return Not(tree(depth + 1))
        if kind == 6:
            return Named("name", comparison())
        parts = tuple(tree(depth + 1) for _ in range(dice.randrange(2, 6)))
        return Or(parts) if kind == 7 else And(parts)

    for _ in range(3000):
        yield tree(0)


def test_intervals_decide_what_looking_at_each_value_decides():
    found = [(constant_value(tree, Small()), by_enumeration(tree), tree) for tree in trees(7)]
    assert [tree for interval, each, tree in found if interval is not each] == []
    assert {interval for interval, _, _ in found} == {True, False, None}


@pytest.mark.parametrize("fact", FACTS)
def test_every_pair_of_comparisons_of_a_fact_is_decided_as_by_enumeration(fact):
    each = [Comparison(fact, operator, number) for operator in OPERATORS for number in range(-4, 9)]
    wrong = [
        pair
        for pair in combinations_with_replacement(each, 2)
        if constant_value(And(pair), Small()) is not by_enumeration(And(pair))
    ]
    assert wrong == []


class Wide(Bounds):
    def values(self, fact: str) -> range:
        return range(-(10**18), 10**18)

    def size(self, group: str) -> int:
        return 10**18


def test_a_fact_of_any_width_is_decided_without_looking_at_its_values():
    numbers = [10**17 + place for place in range(40)]
    assert constant_value(And(tuple(Comparison("stat", "!=", number) for number in numbers)), Wide()) is None
    assert constant_value(And((Comparison("stat", ">", 5), Comparison("stat", "<", 6))), Wide()) is False
    primes = And(tuple(Comparison("stat", "multiple_of", number) for number in (2, 3, 5, 7, 11, 13)))
    assert constant_value(primes, Wide()) is None
    steps = [And((Comparison("stat", ">=", low), Comparison("stat", "<=", high))) for low, high in pairwise(numbers)]
    assert constant_value(Or(tuple(steps)), Wide()) is None
    assert constant_value(Group("allies", "count", Status("", "marked"), ">", 10**18), Wide()) is False


def test_declared_values_are_those_of_a_fact_anywhere_and_shares_are_in_hundredths() -> None:
    known = Vocabulary(
        (Fact("speed", 1, FactKind.PLAIN, "", 2, 9),), unit_facts=(Fact("shield_pct", 2, FactKind.PERCENT, ""),)
    )
    assert declared_values(known, "speed") == range(2, 10)
    assert declared_values(known, "shield_pct") == range(100 * SHARE_SCALE + 1)
