"""Sums of what result rows hold: whole numbers, any split the same, bounded however many values there are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers import soak

from fracas.lab.simulation.statistic_rows import statistic_json
from fracas.lab.statistics.intervals import wilson_interval
from fracas.lab.store.parquet import measured_columns
from fracas.rulesets.contract.measures import EXACT_BELOW, Measure, MeasureKind, Part, Share, Spread, Statistic, Sums

ROW = np.dtype([("gold", np.int64), ("left", np.int64, (2,)), ("skill", np.int64, (4,))])
MEASURES = (
    Measure("gold", "gold", MeasureKind.SPREAD),
    Measure("alive", "left", MeasureKind.SPREAD, entry=1),
    Measure("skill", "skill", MeasureKind.TOTAL, labels=("a", "b", "c")),
    Measure("used", "skill", MeasureKind.ABOVE_ZERO, labels=("a", "b")),
)


def rows(seed: int, count: int) -> np.ndarray:
    chance = np.random.default_rng(seed)
    made = np.zeros(count, ROW)
    made["gold"] = chance.integers(-1, 5000, count)
    made["left"] = chance.integers(0, 9, (count, 2))
    made["skill"] = chance.integers(0, 3, (count, 4))
    return made


def test_each_kind_of_sum():
    made, sums = rows(1, 500), Sums(MEASURES)
    sums.add(made)
    assert sums.battles == 500
    assert sums.totals["skill"] == made["skill"][:, :3].sum(axis=0).tolist()
    assert sums.totals["used"] == (made["skill"][:, :2] > 0).sum(axis=0).tolist()
    assert sums.spreads["alive"].counts == Counter(made["left"][:, 1].tolist())
    assert sums.labelled("used") == list(zip("ab", sums.totals["used"], strict=True))


@settings(deadline=None)
@given(st.integers(0, 99), st.lists(st.integers(0, 300), max_size=6))
def test_any_split_adds_up_to_the_same(seed, cuts):
    made = rows(seed, 300)
    whole, parts = Sums(MEASURES), Sums(MEASURES)
    whole.add(made)
    for part in np.split(made, sorted(cuts)):
        parts.add(part)
    assert parts == whole


def test_a_row_that_stands_for_many_counts_as_many():
    made = rows(3, 1)
    shown, copied = Sums(MEASURES), Sums(MEASURES)
    shown.add(made, times=70)
    copied.add(made.repeat(70))
    assert shown == copied


@given(st.lists(st.integers(-1, EXACT_BELOW - 1), min_size=1, max_size=80))
def test_small_values_are_counted_one_by_one(values):
    spread = Spread()
    spread.add(np.array(values))
    assert spread.counts == Counter(values)
    assert (spread.least, spread.most, spread.total) == (min(values), max(values), sum(values))
    assert spread.mean == sum(values) / len(values)


@settings(max_examples=soak.times(30))
@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=80), st.sampled_from([5, 25, 50, 75, 95]))
def test_large_values_are_counted_to_one_part_in_five_hundred(values, per_cent):
    spread = Spread()
    spread.add(np.array(values))
    exact = sorted(values)[max(1, -(-per_cent * len(values) // 100)) - 1]
    assert spread.total == sum(values)
    assert exact * (1 - 1 / 512) <= spread.quantile(per_cent) <= exact


def test_memory_is_bounded_however_many_values_there_are():
    spread = Spread()
    for seed in range(20):
        spread.add(np.random.default_rng(seed).integers(0, 10**9, 20_000))
    assert len(spread.counts) < 512 * 21 + EXACT_BELOW


def test_nothing_is_nothing():
    spread, sums = Spread(), Sums(MEASURES)
    spread.add(np.zeros(0, np.int64))
    assert (spread.mean, spread.quantile(50), spread.counts) == (0.0, 0, {})
    assert sums.labelled("skill") == [("a", 0), ("b", 0), ("c", 0)]
    assert sums.spread("gold").battles == 0


def test_what_is_measured_becomes_columns_of_tables():
    made = rows(4, 10)
    columns = measured_columns(made.astype(ROW), [MEASURES[0], MEASURES[2]])
    assert list(columns) == ["gold", "skill_a", "skill_b", "skill_c"]
    assert np.array_equal(columns["skill_b"], made["skill"][:, 1])


# How statistics are shown.

TABLE = Statistic(
    "wipes",
    "Where it ends",
    ("_id", "place", "per run", "of all", "runs"),
    (("a", "the hall", 0.5, Part(1, 4), Share(30, 120)), ("b", None, 12.0, Part(3, 4), Share(0, 0))),
)


def test_a_statistic_as_plain_values():
    first, second = statistic_json(TABLE)
    interval = list(wilson_interval(30, 120))
    assert first == {
        "id": "a",
        "place": "the hall",
        "per_run": 0.5,
        "of_all": 0.25,
        "runs": 30,
        "share": 0.25,
        "interval95": interval,
    }
    assert (second["place"], second["share"], second["interval95"]) == (None, 0.0, [0.0, 1.0])


@pytest.mark.parametrize("of", [0, 5])
def test_parts_of_nothing_are_nothing(of):
    assert Part(0, of).share == 0.0
