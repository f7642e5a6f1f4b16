from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.integer_math import LARGEST_VALUE, clamp, percent


@pytest.mark.parametrize(
    ("value", "percentage", "result"),
    [
        (100, 115, 115),
        (99, 90, 89),
        (1, 99, 0),
        (1, 100, 1),
        (7, 150, 10),
        (0, 1000, 0),
        (10**9, 1000, 10**10),
        (3, 0, 0),
    ],
)
def test_a_percentage_is_truncated(value, percentage, result):
    assert percent(value, percentage) == result


@given(st.integers(0, 10**9), st.integers(0, 1000))
def test_a_percentage_is_never_more_than_exact_and_less_than_one_below(value, percentage):
    assert 0 <= value * percentage - 100 * percent(value, percentage) < 100


@pytest.mark.parametrize(
    ("value", "held"),
    [(-1, 0), (-(10**18), 0), (0, 0), (1, 1), (10**9, 10**9), (10**9 + 1, 10**9), (10**18, 10**9)],
)
def test_values_are_held_to_0_to_a_thousand_million(value, held):
    assert clamp(value) == held
    assert LARGEST_VALUE == 10**9
