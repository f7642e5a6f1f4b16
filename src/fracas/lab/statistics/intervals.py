"""Confidence intervals and p-values, a few lines each; the tests compare them with scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

CONFIDENCE = 0.95
Z95 = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95% Wilson score interval of a share, as shares from 0 to 1; (0, 1) without trials.

    Source: E. B. Wilson, 1927; scipy.stats.binomtest(...).proportion_ci(method="wilson") gives the same.
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    widened = 1 + Z95 * Z95 / trials
    centre = (share + Z95 * Z95 / (2 * trials)) / widened
    reach = Z95 / widened * math.sqrt(share * (1 - share) / trials + Z95 * Z95 / (4 * trials * trials))
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    high = 1.0 if successes == trials else min(1.0, centre + reach)
    return low, high


# Below this many successes or failures an interval of a share covers less than it says.
FEW = 10
FEW_NOTE = "fewer than ten wins or losses: a 95% interval may cover only 84% here"


def has_few(successes: int, trials: int) -> bool:
    """Whether the Wilson interval of this share covers less than 95%, because one of its outcomes is rare.

    The least coverage of the Wilson interval, about 84%, is at shares near 0.17 / trials.
    Source: L. D. Brown, T. T. Cai and A. DasGupta, 2001, "Interval estimation for a binomial proportion", Statistical
    Science 16.
    """
    return min(successes, trials - successes) < FEW


def half_width(successes: int, trials: int) -> float:
    """Half the width of the Wilson interval, as a share."""
    low, high = wilson_interval(successes, trials)
    return (high - low) / 2


def paired_difference(both: int, first: int, second: int, neither: int) -> tuple[float, float]:
    """The 95% interval of how much more often the first of two events happens when both are tried together, -1 to 1.

    `both`, `first` alone, `second` alone and `neither` count the trials. Without trials it is (-1, 1).

    Source: R. G. Newcombe, 1998, "Improved confidence intervals for the difference between binomial proportions based
    on paired data", Statistics in Medicine 17, method 10.
    """
    trials = both + first + second + neither
    if trials == 0:
        return -1.0, 1.0
    one, other = (both + first) / trials, (both + second) / trials
    (low_1, high_1), (low_2, high_2) = wilson_interval(both + first, trials), wilson_interval(both + second, trials)
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    product = both * neither - first * second
    corrected = max(product - trials / 2, 0.0) if product > 0 else product
    correlation = corrected / math.sqrt(margins) if margins else 0.0

    def reach(this: float, that: float) -> float:
        return math.sqrt(max(0.0, this * this - 2 * correlation * this * that + that * that))

    difference = one - other
    return (
        max(-1.0, difference - reach(one - low_1, high_2 - other)),
        min(1.0, difference + reach(high_1 - one, other - low_2)),
    )


# This many observations are added at either end of the possible range.
_AT_EACH_END = 2


def mean_interval(total: float, squares: float, trials: int, least: float, most: float) -> tuple[float, float]:
    """The 95% interval of the mean of numbers from `least` to `most`, by their sum and the sum of their squares.

    Two more observations at either end keep the interval honest when a few numbers happen to be equal. Without trials
    it spans the whole range.

    Source: A. Agresti and B. A. Coull, 1998, "Approximate is better than 'exact' for interval estimation of binomial
    proportions", The American Statistician 52: of wins and losses this is their interval.
    """
    if trials == 0:
        return least, most
    mean, error = mean_and_error(total, squares, trials, least, most)
    return max(least, mean - Z95 * error), min(most, mean + Z95 * error)


def mean_and_error(total: float, squares: float, trials: int, least: float, most: float) -> tuple[float, float]:
    """The middle of `mean_interval`, and its standard error."""
    count = trials + 2 * _AT_EACH_END
    mean = (total + _AT_EACH_END * (least + most)) / count
    square = (squares + _AT_EACH_END * (least * least + most * most)) / count
    return mean, math.sqrt(max(0.0, square - mean * mean) / count)


def two_sided(mean: float, error: float) -> float:
    """The probability that a normal mean of 0 with this standard error lies at least this far from 0."""
    if not error:
        return 0.0 if mean else 1.0
    return math.erfc(abs(mean) / error / math.sqrt(2))


def holm(values: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected for all of them (Holm).

    If you call those at or below 5% different, you call equals different in at most 5% of all families of tests,
    no matter how the tests depend on each other.

    Source: S. Holm, 1979, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6.
    """
    corrected = [0.0] * len(values)
    highest = 0.0
    for done, place in enumerate(sorted(range(len(values)), key=lambda place: values[place])):
        highest = max(highest, min(1.0, (len(values) - done) * values[place]))
        corrected[place] = highest
    return corrected


def t_reach(degrees: int) -> float:
    """How many standard errors wide half a mean's 95% interval is when the error itself is an estimate.

    Source: Abramowitz and Stegun 26.7.5; from nine degrees of freedom on it is within 0.01 of
    scipy.stats.t.ppf(0.975, degrees).
    """
    first = (Z95**3 + Z95) / 4
    second = (5 * Z95**5 + 16 * Z95**3 + 3 * Z95) / 96
    return Z95 + first / degrees + second / degrees**2


def chi_square_tail(value: float, degrees: int) -> float:
    """The probability that a chi-square distributed number is at least this large; 1 without degrees of freedom.

    Source: Abramowitz and Stegun 26.4.4 and 26.4.5; scipy.stats.chi2.sf gives the same.
    """
    half = value / 2
    if degrees < 1 or half <= 0:
        return 1.0
    first, tail = (0.5, math.erfc(math.sqrt(half))) if degrees % 2 else (1.0, math.exp(-half))
    powers = (first + step for step in range((degrees - 1) // 2))
    return min(1.0, tail + sum(math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in powers))
