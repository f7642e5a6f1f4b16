"""Wilson intervals: those of another library, and covering the truth as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm, t

from fracas.lab.statistics.intervals import (
    half_width,
    has_few,
    holm,
    mean_interval,
    t_reach,
    two_sided,
    wilson_interval,
)

trials_and_successes = st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def of_scipy(successes: int, trials: int) -> tuple[float, float]:
    interval = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


@pytest.mark.parametrize(
    ("successes", "trials"),
    [
        (0, 1),
        (1, 1),
        (0, 10),
        (10, 10),
        (1, 2),
        (5, 10),
        (1, 1000),
        (999, 1000),
        (5234, 10_000),
        (3, 10**9),
        (10**9, 10**9),
    ],
)
def test_the_interval_is_scipys(successes, trials):
    assert wilson_interval(successes, trials) == pytest.approx(of_scipy(successes, trials), abs=1e-12)


@given(st.integers(1, 50_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_any_interval_is_scipys(counts):
    assert wilson_interval(*counts) == pytest.approx(of_scipy(*counts), abs=1e-12)


@given(trials_and_successes)
def test_the_interval_holds_the_share_and_stays_within_0_and_1(counts):
    low, high = wilson_interval(*counts)
    assert 0 <= low <= counts[0] / counts[1] <= high <= 1
    assert half_width(*counts) == (high - low) / 2


@given(trials_and_successes)
def test_the_other_outcomes_interval_is_the_mirror_image(counts):
    successes, trials = counts
    low, high = wilson_interval(successes, trials)
    assert wilson_interval(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_without_battles_anything_is_possible():
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials", "low", "high"), [(0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0)])
def test_all_or_nothing_leaves_room_on_one_side(successes, trials, low, high):
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize("share", [0.5, 0.3, 0.1, 0.97])
@pytest.mark.parametrize("trials", [200, 1024])
def test_intervals_cover_the_truth_about_as_often_as_they_say(share, trials):
    repeats = 4000
    counts = np.random.default_rng(20261120).binomial(trials, share, repeats)
    covered = sum(low <= share <= high for low, high in (wilson_interval(int(count), trials) for count in counts))
    # The rate itself oscillates with share and number by a percent or so; 4,000 repeats add a third of one.
    assert 0.935 <= covered / repeats <= 0.965


def test_an_interval_that_is_too_narrow_would_be_noticed():
    counts = np.random.default_rng(20261120).binomial(1024, 0.5, 4000)
    intervals = [wilson_interval(int(count), 1024) for count in counts]
    narrowed = sum(low + 0.004 <= 0.5 <= high - 0.004 for low, high in intervals)
    assert narrowed / 4000 < 0.935


def test_means_of_few_numbers_reach_as_far_as_scipys():
    for degrees in range(9, 200):
        assert t_reach(degrees) == pytest.approx(t.ppf(0.975, degrees), abs=0.01)


def test_holm_multiplies_the_smallest_by_how_many_there_are_and_none_falls_behind():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


@pytest.mark.parametrize(("mean", "error"), [(0.0, 1.0), (1.96, 1.0), (-0.3, 0.1), (4e-3, 1e-3)])
def test_two_sided_chances_are_those_of_scipy(mean, error):
    assert two_sided(mean, error) == pytest.approx(2 * norm.sf(abs(mean) / error))


def test_without_any_error_the_smallest_difference_counts():
    assert (two_sided(0.0, 0.0), two_sided(1e-9, 0.0)) == (1.0, 0.0)


@pytest.mark.parametrize("trials", [100, 350, 10_000])
def test_intervals_cover_what_they_say_unless_an_outcome_is_rare(trials):
    counts = np.arange(60)
    low, high = np.array([wilson_interval(count, trials) for count in range(60)]).T

    def coverage(expected):
        share = expected / trials
        return binom.pmf(counts, trials, share) @ ((low <= share) & (share <= high))

    rare = min(coverage(step / 100) for step in range(5, 1_000))
    assert 0.84 < rare < 0.85
    assert min(coverage(10 + step / 10) for step in range(150)) > 0.93
    assert [has_few(count, trials) for count in (0, 9, 10, trials - 10, trials - 9, trials)] == [
        True, True, False, False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize("trials", [100, 1_000, 10_000])
@pytest.mark.parametrize("most", [1, 2, 4, 12, 40])
def test_intervals_of_means_cover_what_the_page_of_statistics_says_also_where_an_outcome_is_rare(most, trials):
    def coverage(expected):
        share = expected / trials
        counts = np.arange(int(binom.isf(1e-10, trials, share)) + 1)
        ends = [mean_interval(count, count, trials, 0, most) for count in counts.tolist()]
        inside = [low <= share <= high for low, high in ends]
        return binom.pmf(counts, trials, share) @ inside

    # A score is 1, as a draw or a win in one order may be, or 0, of at most `most`.
    worst = min(coverage(expected) for expected in np.geomspace(0.02, min(trials / 2, 3_000), 60))
    assert worst > 0.91
