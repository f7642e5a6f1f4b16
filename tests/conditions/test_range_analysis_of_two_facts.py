"""What a comparison of two facts comes to, as far as the ranges of its facts tell."""

from itertools import product

import pytest
from tests.conditions.example import tree_of

from fracas.conditions.range_analysis import RELATIONS, Bounds, constant_value


class Between(Bounds):
    def __init__(self, **ranges: range) -> None:
        self.ranges = ranges

    def values(self, fact: str) -> range:
        return self.ranges[fact.replace(".", "_")]

    def size(self, group: str) -> int:
        return 3


RANGES = [range(low, high + 1) for low, high in ((0, 0), (0, 2), (1, 1), (2, 2), (2, 4), (-3, -1))]


@pytest.mark.parametrize("relation", ["<", "<=", ">", ">=", "==", "!="])
def test_it_is_certain_if_all_values_of_both_agree(relation):
    for left, right in product(RANGES, RANGES):
        answers = {RELATIONS[relation](one, other) for one in left for other in right}
        bounds = Between(round=left, used=right)
        assert constant_value(tree_of(f"round {relation} used"), bounds) == (
            answers.pop() if len(answers) == 1 else None
        ), (left, right)


def test_it_counts_inside_what_is_joined():
    bounds = Between(round=range(5, 9), used=range(3), self_charge=range(100))
    assert constant_value(tree_of("self.charge > 50 and used > round"), bounds) is False
    assert constant_value(tree_of("self.charge > 50 or not used > round"), bounds) is True
    assert constant_value(tree_of("self.charge > round"), bounds) is None
