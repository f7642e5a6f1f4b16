"""below, between, d100, unit and pick, word by word: dice are scripted, and every scripted word has to be used."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.dice import roll_with, scripted, unused

from fracas.kernel.dice import below, between, d100, pick, ready_d100, unit

TWO_32 = 2**32
LARGEST = TWO_32 - 1

numbers = st.integers(1, 300) | st.integers(1, LARGEST) | st.integers(2**31 - 3, 2**31 + 3)


def threshold(n: int) -> int:
    """Words whose product's low half is below this would favour some results."""
    return TWO_32 % n


def first_word_of(n: int, result: int) -> int:
    """The smallest word that `below(n)` accepts for a result."""
    return -(-(result * TWO_32 + threshold(n)) // n)


def last_word_of(n: int, result: int) -> int:
    return -(-((result + 1) * TWO_32) // n) - 1


@given(numbers, st.data())
def test_every_result_has_equally_many_words(n, data):
    result = data.draw(st.integers(0, n - 1))
    first, last = first_word_of(n, result), last_word_of(n, result)
    assert last - first + 1 == TWO_32 // n
    assert roll_with([first], lambda dice: below(dice, n)) == result
    assert roll_with([last], lambda dice: below(dice, n)) == result


@given(numbers.filter(threshold), st.data())
def test_words_just_before_a_result_are_thrown_away_if_they_would_favour_it(n, data):
    result = data.draw(st.integers(0, n - 1))
    earlier = first_word_of(n, result) - 1
    if earlier * n // TWO_32 == result:
        assert roll_with([earlier, last_word_of(n, n - 1)], lambda dice: below(dice, n)) == n - 1
    else:
        assert roll_with([earlier], lambda dice: below(dice, n)) == result - 1


@pytest.mark.parametrize("n", [3, 5, 6, 7, 100, 1000, 2**31 + 1, 2**31 + 2**30, LARGEST - 1, LARGEST])
def test_the_word_at_the_exact_threshold_counts_and_the_one_below_it_does_not(n):
    step = n & -n
    inverse = pow(n // step, -1, TWO_32)
    at = threshold(n) // step * inverse % (TWO_32 // step)
    short = (threshold(n) // step - 1) * inverse % (TWO_32 // step)
    assert at * n % TWO_32 == threshold(n)
    assert short * n % TWO_32 == threshold(n) - step
    assert roll_with([at], lambda dice: below(dice, n)) == at * n // TWO_32
    assert roll_with([short, at], lambda dice: below(dice, n)) == at * n // TWO_32


def test_several_words_in_a_row_may_be_thrown_away():
    n = 2**31 + 1
    assert roll_with([0, 0, 0, 0, LARGEST], lambda dice: below(dice, n)) == 2**31


@pytest.mark.parametrize(
    ("n", "word", "result"),
    [
        (1, 0, 0),
        (1, LARGEST, 0),
        (2, 0, 0),
        (2, 2**31 - 1, 0),
        (2, 2**31, 1),
        (2, LARGEST, 1),
        (2**31, 0, 0),
        (2**31, 1, 0),
        (2**31, 2, 1),
        (2**31, LARGEST, 2**31 - 1),
        (LARGEST, 1, 0),
        (LARGEST, 2, 1),
        (LARGEST, LARGEST, LARGEST - 1),
    ],
)
def test_powers_of_two_and_the_largest_number(n, word, result):
    assert roll_with([word], lambda dice: below(dice, n)) == result


def test_below_the_largest_number_only_word_zero_is_thrown_away():
    assert roll_with([0, 1], lambda dice: below(dice, LARGEST)) == 0


def test_scripted_dice_notice_an_unused_and_an_extra_word():
    with pytest.raises(AssertionError, match="not asked for"):
        roll_with([1, 2], lambda dice: below(dice, 2))
    dice = scripted(1)
    below(dice, 2)
    below(dice, 2)
    with pytest.raises(AssertionError, match="more words"):
        unused(dice)


@given(st.integers(-(10**9), 10**9), st.integers(0, 10**9), st.integers(0, LARGEST))
def test_between_reaches_both_ends_and_nothing_else(low, span, word):
    high = low + span
    assert roll_with([first_word_of(span + 1, 0)], lambda dice: between(dice, low, high)) == low
    assert roll_with([LARGEST], lambda dice: between(dice, low, high)) == high
    dice = scripted(word, LARGEST)
    assert low <= between(dice, low, high) <= high


def test_between_equal_ends_still_takes_a_word():
    assert roll_with([12345], lambda dice: between(dice, 7, 7)) == 7


@pytest.mark.parametrize(
    ("word", "result"),
    [
        (first_word_of(100, 0), 1),
        (last_word_of(100, 0), 1),
        (first_word_of(100, 9), 10),
        (last_word_of(100, 9), 10),
        (first_word_of(100, 10), 11),
        (first_word_of(100, 99), 100),
        (LARGEST, 100),
    ],
)
def test_d100_is_one_to_one_hundred(word, result):
    assert roll_with([word], d100) == result


def test_d100_throws_a_word_away_that_would_favour_a_result():
    assert roll_with([0, LARGEST], d100) == 100


@given(st.integers(0, LARGEST) | st.sampled_from([0, first_word_of(100, 7), first_word_of(100, 7) - 1]))
def test_a_ready_d100_is_what_d100_rolls_or_takes_nothing(word):
    dice = scripted(word)
    if word * 100 % TWO_32 >= 100:
        assert roll_with([word], ready_d100) == roll_with([word], d100)
    else:
        assert ready_d100(dice) == 0
        assert dice.cursor == scripted(word).cursor


def test_a_ready_d100_fills_no_block():
    dice = scripted()
    assert ready_d100(dice) == 0


@pytest.mark.parametrize(
    ("low", "high", "result"),
    [
        (0, 0, 0.0),
        (LARGEST, LARGEST, 1 - 2**-53),
        (2**11, 0, 2.0**-53),
        (2**11 - 1, 0, 0.0),
        (0, 1, 2.0**-32),
        (0, 2**31, 0.5),
        (LARGEST, 2**31 - 1, 0.5 - 2**-53),
    ],
)
def test_unit_has_the_first_word_low_and_53_bits(low, high, result):
    answer = roll_with([low, high], unit)
    assert answer == result
    assert isinstance(float(answer), float)


@given(st.integers(0, LARGEST), st.integers(0, LARGEST))
def test_unit_is_at_least_0_and_below_1(low, high):
    answer = roll_with([low, high], unit)
    assert answer == float((high << 32 | low) >> 11) * 2.0**-53
    assert 0 <= answer < 1


@pytest.mark.parametrize(
    ("weights", "roll", "index"),
    [
        ([1], 0, 0),
        ([1, 1], 0, 0),
        ([1, 1], 1, 1),
        ([3, 2], 2, 0),
        ([3, 2], 3, 1),
        ([0, 3, 0, 1], 0, 1),
        ([0, 3, 0, 1], 2, 1),
        ([0, 3, 0, 1], 3, 3),
        ([2, 0], 1, 0),
        ([0, 0, 5], 0, 2),
    ],
)
def test_pick_is_the_first_index_whose_running_sum_exceeds_the_roll(weights, roll, index):
    word = first_word_of(sum(weights), roll)
    assert roll_with([word], lambda dice: pick(dice, np.array(weights, np.int64))) == index


def test_pick_among_one_still_takes_a_word():
    assert roll_with([99], lambda dice: pick(dice, np.array([4], np.int64))) == 0


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any))
def test_pick_gives_every_index_its_weight(weights):
    total = sum(weights)
    picked = [
        roll_with([first_word_of(total, roll)], lambda dice: pick(dice, np.array(weights, np.int64)))
        for roll in range(total)
    ]
    assert [picked.count(index) for index in range(len(weights))] == weights
