"""The sequential test: wrong as seldom as it says, however it is looked at; and what looking at intervals does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.statistics.sequential_test import NO_DIFFERENCE, UNDECIDED, A, B, SignTest

RUNS = 1_500
MOST = 60_000
# Three standard errors of a share of 5% in so many runs.
SLACK = 3 * (0.05 * 0.95 / RUNS) ** 0.5


def signs(dice: np.random.Generator, share: float, count: int, differing: float = 1.0) -> np.ndarray:
    """Pairs in which B is the better one in so many of those that differ."""
    drawn = np.where(dice.random(count) < share, 1, -1)
    return np.where(dice.random(count) < differing, drawn, 0).astype(np.int8)


def verdicts(share: float, runs: int = RUNS, **values: float) -> dict[str, float]:
    """How often which verdict is reached."""
    dice = np.random.default_rng(20261121)
    counts: dict[str, int] = {}
    for _ in range(runs):
        test = SignTest(**values)
        while not test.is_decided and test.pairs < MOST:
            test.add(signs(dice, share, 3_000))
        counts[test.verdict] = counts.get(test.verdict, 0) + 1
    return {verdict: count / runs for verdict, count in counts.items()}


def test_equals_are_called_different_as_seldom_as_alpha_says():
    found = verdicts(0.5)
    assert found.get(A, 0) + found.get(B, 0) <= 0.05 + SLACK
    assert found[NO_DIFFERENCE] >= 0.9


@pytest.mark.parametrize(("share", "better"), [(0.52, B), (0.48, A)])
def test_a_difference_of_delta_is_missed_as_seldom_as_beta_says(share, better):
    found = verdicts(share)
    assert found[better] >= 0.95 - SLACK
    assert found.get(A if better == B else B, 0) <= 0.01


def test_a_large_difference_is_soon_seen():
    test = SignTest()
    test.add(signs(np.random.default_rng(1), 0.7, 5_000))
    assert test.verdict == B
    assert test.pairs < 600


def test_the_check_of_error_rates_finds_a_test_that_is_wrong_more_often():
    found = verdicts(0.5, runs=400, alpha=0.3)
    assert found.get(A, 0) + found.get(B, 0) > 0.05 + SLACK


def test_looking_at_a_plain_interval_after_every_few_pairs_is_wrong_far_more_often():
    """The reason for the test: with equals, an interval that is looked at again and again leaves zero some time."""
    dice, wrong = np.random.default_rng(7), 0
    looks = np.arange(200, 10_001, 200)
    for _ in range(400):
        totals = np.cumsum(signs(dice, 0.5, 10_000, differing=0.2), dtype=np.int64)[looks - 1]
        squares = looks * 0.2
        intervals = [
            mean_interval(total, square, int(look), -1.0, 1.0)
            for total, square, look in zip(totals.tolist(), squares.tolist(), looks, strict=True)
        ]
        wrong += any(low > 0 or high < 0 for low, high in intervals)
    assert wrong / 400 > 0.2


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 999), st.sampled_from([0.4, 0.5, 0.56]), st.lists(st.integers(0, 9_000), max_size=8))
def test_however_the_pairs_arrive_the_verdict_is_the_same(seed, share, cuts):
    pairs = signs(np.random.default_rng(seed), share, 9_000, differing=0.6)
    whole, parts = SignTest(), SignTest()
    whole.add(pairs)
    for part in np.split(pairs, sorted(cuts)):
        parts.add(part)
    assert (parts.verdict, parts.pairs, parts.better) == (whole.verdict, whole.pairs, whole.better)


def test_one_by_one_is_the_same_as_all_at_once():
    pairs = signs(np.random.default_rng(3), 0.58, 4_000)
    whole, single = SignTest(), SignTest()
    taken = whole.add(pairs)
    for place in range(len(pairs)):
        if not single.add(pairs[place : place + 1]):
            break
    assert single.pairs == whole.pairs == taken < len(pairs)
    assert single.verdict == whole.verdict == B


def test_the_pair_that_decides_is_the_first_at_which_the_ratio_is_large_enough():
    test = SignTest(0.1, 0.05, 0.05)
    assert test.add(np.ones(500, np.int8)) == test.pairs
    # log(1 / 0.025) / log(1.2) = 20.2
    assert (test.pairs, test.verdict) == (21, B)


def test_pairs_that_do_not_differ_decide_nothing():
    test = SignTest()
    assert test.add(np.zeros(100_000, np.int8)) == 100_000
    assert (test.verdict, test.better) == (UNDECIDED, {A: 0, B: 0})


def test_what_is_decided_stays_decided():
    test = SignTest(0.1)
    test.add(np.ones(500, np.int8))
    assert test.add(np.full(5_000, -1, np.int8)) == 0
    assert test.verdict == B


def test_b_is_a_seen_from_the_other_side():
    pairs = signs(np.random.default_rng(11), 0.55, 8_000)
    one, other = SignTest(), SignTest()
    assert one.add(pairs) == other.add(-pairs)
    assert (one.verdict, other.verdict) == (B, A)


# Intervals of paired differences.


@pytest.mark.parametrize("trials", [50, 400, 3_000])
@pytest.mark.parametrize(("worse", "better"), [(0.05, 0.05), (0.02, 0.08), (0.3, 0.35), (0.001, 0.001)])
def test_the_interval_of_a_paired_difference_covers_the_truth(trials, worse, better):
    dice = np.random.default_rng(5)
    counts = dice.multinomial(trials, [worse, better, 1 - worse - better], size=2_000)
    covered = 0
    for down, up, _ in counts.tolist():
        low, high = mean_interval(up - down, up + down, trials, -1.0, 1.0)
        covered += low <= better - worse <= high
    assert covered / 2_000 >= 0.94


def test_the_check_of_coverage_finds_an_interval_that_is_too_narrow():
    counts = np.random.default_rng(5).multinomial(400, [0.05, 0.05, 0.9], size=2_000)
    covered = 0
    for down, up, _ in counts.tolist():
        low, high = mean_interval(up - down, (up + down) / 2, 400, -1.0, 1.0)
        covered += low <= 0 <= high
    assert covered / 2_000 < 0.94


def test_it_says_how_many_pairs_have_to_differ_at_least():
    test = SignTest()
    test.add(np.ones(94, np.int8))
    assert (test.verdict, test.fewest, test.missing) == (UNDECIDED, 95, 1)
    test.add(np.ones(1, np.int8))
    assert (test.verdict, test.missing) == (B, 0)


def test_what_is_missing_hangs_on_how_one_sided_the_pairs_are():
    def after(better: int, worse: int) -> int:
        test = SignTest()
        test.add(np.array([1] * better + [-1] * worse, np.int8))
        assert test.differing == better + worse
        return test.missing

    assert after(0, 0) == 95
    assert 70 <= after(23, 2) - after(25, 0) + 70 < after(13, 12)
