"""What units did, from the events of the first battles; and how rounds, HP and endings are distributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.scenarios import events_of, loaded, problems_of

import fracas
from fracas.engine.player import Player, make_player
from fracas.lab.presentation import types
from fracas.lab.simulation import contributions as contributing
from fracas.lab.simulation.contributions import contributions
from fracas.lab.simulation.first_battles import with_contributions
from fracas.lab.simulation.simulate import simulate
from fracas.rulesets.contract.analysis import AnalysisHooks, Contribution
from fracas.rulesets.contract.measures import Spread


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def test_contributions_are_those_of_the_events_of_the_first_battles():
    scenario = loaded()
    found = contributions(scenario, 4)
    battles = [fracas.run(scenario, stream=stream) for stream in range(4)]
    expected = scenario.ruleset.analysis.contributions(
        np.concatenate([battle.rows for battle in battles]), scenario.compiled, scenario.document
    )
    assert found.battles == 4
    assert [(row.side, row.unit, row.ability, dict(row.amounts)) for row in found.rows] == [
        (row.side, row.unit, row.ability, {kind: int(amount) for kind, amount in row.amounts.items()})
        for row in expected
    ]
    lost = sum(hit.lost for battle in battles for hit in events_of(battle, "hit"))
    assert sum(row.amounts.get("damage", 0) for row in found.rows) == lost


def test_batches_change_nothing(monkeypatch):
    scenario = loaded()
    whole = contributions(scenario, 7)
    for name, size in (("BATCH", 3), ("GROUPS", 2)):
        monkeypatch.setattr(contributing, name, size)
        assert contributions(scenario, 7) == whole


class Told:
    """A ruleset's answer that is made up: of battle i a unit did values[i], and nothing now and then."""

    def __init__(self, values: Sequence[int]) -> None:
        self.values = values

    def __call__(self, rows: Any, *_: Any) -> list[Contribution]:
        done = [self.values[stream] for stream in rows]
        found = [Contribution(1, "Ada", "Hit", {"damage": sum(done)})] if any(done) else []
        return [*found, Contribution(1, "Ada", "", {"damage": len(done)})]


def half_widths(monkeypatch: pytest.MonkeyPatch, values: Sequence[int]) -> Any:
    scenario = loaded()
    streams: list[int] = []
    monkeypatch.setattr(Player, "play", lambda player, first, count: streams.append(first))
    monkeypatch.setattr(Player, "rows", lambda player: np.array([streams[-1]]))
    monkeypatch.setattr(type(scenario.ruleset.analysis), "contributions", lambda lab, *given: Told(values)(*given))
    return contributions(scenario, len(values))


@pytest.mark.parametrize("battles", [10, 37, 50])
def test_half_widths_are_those_of_the_mean_of_single_battles(monkeypatch, battles):
    values = np.random.default_rng(7).poisson(2, battles).tolist()
    found = half_widths(monkeypatch, values)
    error = scipy.stats.sem(values)
    expected = error * scipy.stats.t.ppf(0.975, battles - 1)
    hit, other = found.rows
    assert hit.half_widths == {"damage": pytest.approx(expected, rel=0.005)}
    # What is the same in each battle does not vary.
    assert other.half_widths == {"damage": 0}
    assert types.plain(found)["rows"][0]["half_widths"] == hit.half_widths


def test_half_widths_of_many_battles_are_those_of_the_means_of_fifty_groups(monkeypatch):
    values = np.random.default_rng(7).poisson(2, 2_000).tolist()
    found = half_widths(monkeypatch, values)
    error = scipy.stats.sem(np.reshape(values, (50, 40)).mean(axis=1))
    assert found.rows[0].half_widths["damage"] == pytest.approx(error * scipy.stats.t.ppf(0.975, 49), rel=1e-3)


def test_a_few_battles_do_not_tell_how_far_amounts_scatter(monkeypatch):
    found = half_widths(monkeypatch, list(range(9)))
    assert "half_widths" not in types.plain(found)["rows"][0]


def test_results_have_them_only_if_they_are_asked_for():
    scenario = loaded()
    assert fracas.simulate(scenario, n=3).contributions is None
    assert "contributions" not in fracas.simulate(scenario, n=3).as_json()
    found = fracas.simulate(scenario, n=3, contributions=9)
    assert found.contributions is not None
    assert found.contributions.battles == 3
    assert found.as_json()["contributions"]["battles"] == 3


@pytest.mark.parametrize("amount", [-1, 100_001, "all", 1.5])
def test_amounts_that_cannot_be_meant_are_refused(amount):
    assert problems_of(fracas.simulate, loaded(), n=2, contributions=amount)[0].where == "contributions"


def test_a_ruleset_that_does_not_tell_is_refused_only_if_it_was_asked(monkeypatch):
    scenario = loaded()
    monkeypatch.setattr(type(scenario.ruleset), "analysis", AnalysisHooks("squads"))
    results = simulate(scenario, 2)
    assert with_contributions(results, None).contributions is None
    (problem,) = problems_of(with_contributions, results, 2)
    assert "not available for this ruleset (squads)" in problem.message


# Distributions.


def test_distributions_are_those_of_the_result_rows():
    scenario = loaded()
    results = simulate(scenario, 40)
    rows = make_player(scenario, logged=False, battles=40).play(0, 40)
    assert results.rounds.spread.counts == Counter(rows["rounds"].tolist())
    for side, left in enumerate(results.hp_left):
        assert left.spread.counts == Counter(rows["hp_left"][:, side].tolist())
    document = results.as_json()
    assert document["rounds"]["p50"] == sorted(rows["rounds"].tolist())[19]
    assert document["hp_left"][0]["mean"] == rows["hp_left"][:, 0].mean()
    assert sum(count for *_, count in document["rounds"]["histogram"]) == 40
    ending = document["endings"][0]
    assert ending["battles"] == document["reasons"][ending["reason"]] == sum(ending["wins"]) + ending["draws"]
    assert sum(each["share"] for each in document["endings"]) == pytest.approx(1)
    whole = [sum(each["wins"][side] for each in document["endings"]) for side in (0, 1)]
    assert whole == document["wins"]


@settings(deadline=None)
@given(st.lists(st.integers(-50, 1_000), min_size=1, max_size=60))
def test_bins_hold_every_value_once(values):
    spread = Spread()
    spread.add(np.array(values))
    bins = spread.bins()
    assert len(bins) <= 21
    for low, high, count in bins:
        assert count == sum(low <= value <= high for value in values)
    assert sum(count for *_, count in bins) == len(values)
    above = [each for each in bins if each[0] > 0]
    assert not above or (above[0][2] and above[-1][2])
    assert all(before[1] + 1 == after[0] for before, after in pairwise(above))


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=60))
def test_bins_of_large_values_lose_none(values):
    spread = Spread()
    spread.add(np.array(values))
    assert sum(count for *_, count in spread.bins()) == len(values)
    assert len(spread.bins()) <= 21


def test_no_values_have_no_bins():
    assert Spread().bins() == []
