"""What a point of a budget brings, and two stats at a time."""

from __future__ import annotations

import pytest
from tests.helpers.fields import Field
from tests.helpers.scenarios import duel, problems_of

import fracas
from fracas.lab.studies import paired_battles
from fracas.lab.studies.sensitivity import sensitivity as sensitivity_of


def by_stats(document):
    """Attack and HP help each other; speed does nothing."""
    own = document["sides"][0]["units"][0]
    attack, hp = own["attack"] - 20, own["hp"] - 60
    return 0.4 + 0.1 * attack + 0.06 * hp + 0.15 * attack * hp


@pytest.fixture
def chances(monkeypatch):
    monkeypatch.setattr(paired_battles, "play_scores", Field(by_stats))


def test_stats_are_ranked_by_what_a_point_brings(chances):
    found = sensitivity_of(fracas.load(duel()), 4000, costs={"attack": 5, "hp": 0.5})
    worths = {each.name: each for each in found.stats}
    assert [each.name for each in found.stats][:2] == ["hp", "attack"]
    assert worths["attack"].gain > worths["hp"].gain
    assert worths["attack"].per_point == pytest.approx(worths["attack"].gain / 5)
    assert worths["hp"].per_point95 == tuple(2 * end for end in worths["hp"].gain95)
    assert worths["speed"].cost == 1
    assert found.costs == {"attack": 5.0, "hp": 0.5}


def test_two_stats_at_a_time_are_worth_what_they_are_and_what_they_add(chances):
    found = sensitivity_of(fracas.load(duel()), 20_000, pairs=3)
    assert len(found.pairs) == 3
    best = found.pairs[0]
    assert set(best.names) == {"attack", "hp"}
    assert best.gain == pytest.approx(0.31, abs=0.02)
    assert best.synergy == pytest.approx(0.15, abs=0.02)
    assert best.synergy95[0] < 0.15 < best.synergy95[1]
    assert all(each.synergy95[0] <= 0 <= each.synergy95[1] for each in found.pairs[1:])


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"costs": {"attak": 1}}, "costs attak"),
        ({"costs": {"attack": 0}}, "costs attack"),
        ({"costs": {"attack": float("nan")}}, "costs attack"),
        ({"pairs": 1}, "pairs"),
        ({"pairs": 41}, "pairs"),
        ({"pairs": 40, "n": 10**8}, "pairs"),
    ],
)
def test_costs_and_pairs_that_cannot_be_meant(values, where):
    assert where in [problem.where for problem in problems_of(fracas.sensitivity, fracas.load(duel()), **values)]
