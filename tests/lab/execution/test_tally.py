"""Sums over battles: any way to split a range gives the same, and precision is looked at every 1,024."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fracas.lab.execution.tally import LOOK_EVERY, Tally
from fracas.lab.statistics.intervals import half_width
from fracas.rulesets import registry

RESULT = registry.get("squads").kernels.result_type


def results_of(winners: Any, rounds: Any = 5, reasons: Any = 1) -> np.ndarray:
    """Results with these outcomes."""
    results = np.zeros(len(winners), RESULT)
    results["winner"], results["rounds"], results["reason"] = winners, rounds, reasons
    return results


def random_results(seed: int, count: int) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return results_of(dice.integers(0, 3, count), dice.integers(1, 51, count), dice.integers(1, 5, count))


def tally_of(*parts: np.ndarray) -> Tally:
    tally = Tally()
    for part in parts:
        tally.add(part)
    return tally


def test_outcomes_reasons_and_rounds_are_counted():
    tally = tally_of(results_of([0, 1, 1, 2, 1], [50, 3, 9, 4, 4], [3, 1, 1, 1, 2]))
    assert (tally.battles, tally.winners) == (5, [1, 3, 1])
    assert tally.reasons == {1: 3, 2: 1, 3: 1}
    assert (tally.rounds, tally.shortest, tally.longest) == (70, 3, 50)


@pytest.mark.parametrize("wanted", [None, 0.01])
@pytest.mark.parametrize("count", [1, 2, 1024, 50_000])
def test_one_row_that_stands_for_many_is_counted_as_many(count, wanted):
    row = results_of([2], 7, 3)
    shown, copied = Tally(), Tally()
    assert shown.add_until_precise(np.broadcast_to(row, (count,)), wanted) == copied.add_until_precise(
        row.repeat(count), wanted
    )
    assert shown == copied


@settings(deadline=None)
@given(st.integers(0, 99), st.lists(st.integers(0, 300), max_size=8))
def test_any_split_adds_up_to_the_same(seed, cuts):
    results = random_results(seed, 300)
    parts = np.split(results, sorted(cuts))
    assert tally_of(*parts) == tally_of(results)
    assert tally_of(*parts).checksum() == tally_of(results).checksum()


def test_nothing_is_counted_for_nothing():
    assert tally_of(results_of([])) == Tally()


@pytest.mark.parametrize(
    "other",
    [
        results_of([1, 2, 2], 5, 1),
        results_of([1, 1, 2], 6, 1),
        results_of([1, 1, 2], 5, 2),
        results_of([1, 1, 2, 0], 5, 1),
        results_of([1, 1, 2], [4, 5, 6], 1),
    ],
)
def test_the_checksum_changes_with_any_count(other):
    assert tally_of(other).checksum() != tally_of(results_of([1, 1, 2], 5, 1)).checksum()


def test_the_half_width_is_the_widest_of_the_three_outcomes():
    tally = tally_of(results_of([0] * 100 + [1] * 600 + [2] * 324))
    assert tally.half_width() == half_width(600, 1024) > half_width(324, 1024) > half_width(100, 1024)
    drawn = tally_of(results_of([0] * 500 + [1] * 100 + [2] * 424))
    assert drawn.half_width() == half_width(500, 1024)


def stopped_at(wanted: float, sizes: list[int], results: np.ndarray) -> int:
    """How many battles are counted if they arrive in chunks of these sizes, the last one repeatedly."""
    tally, start = Tally(), 0
    while start < len(results):
        size = sizes.pop(0) if len(sizes) > 1 else sizes[0]
        counted = tally.add_until_precise(results[start : start + size], wanted)
        if tally.is_precise(wanted):
            break
        assert counted == min(size, len(results) - start)
        start += size
    return tally.battles


def expected_stop(wanted: float, results: np.ndarray) -> int:
    """The first multiple of 1,024 at which the widest half-width is small enough, worked out from the start."""
    for battles in range(LOOK_EVERY, len(results) + 1, LOOK_EVERY):
        counts = np.bincount(results["winner"][:battles], minlength=3).tolist()
        if max(half_width(count, battles) for count in counts) <= wanted:
            return battles
    return len(results)


@pytest.mark.parametrize("wanted", [0.5, 0.0306, 0.02, 0.01, 0.005, 0.0001])
@pytest.mark.parametrize("sizes", [[1], [16], [1023], [1024], [1025], [16384], [100_000], [5, 1024, 3000]])
def test_precision_stops_at_the_same_look_however_battles_arrive(wanted, sizes):
    results = random_results(1, 40_000 if sizes != [1] else 1_100)
    assert stopped_at(wanted, list(sizes), results) == expected_stop(wanted, results)


def test_a_look_is_never_between_multiples_of_1024():
    tally = Tally()
    tally.add(results_of([1] * 1000))
    assert not tally.is_precise(0.4)
    assert tally.add_until_precise(results_of([1] * 5000), 0.4) == 24
    assert tally.is_precise(0.4)


def test_without_a_wanted_precision_everything_is_counted():
    tally = Tally()
    assert tally.add_until_precise(results_of([1] * 5000), None) == 5000
    assert not tally.is_precise(None)
