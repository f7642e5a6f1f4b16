"""Small battles whose exact odds are known: every way was followed, and simulations agree.

`odds/<ruleset>/*.toml` are the battles; `odds/exact.json` lists what all their ways came to when kept. Two can
be known without following any way:

    titans/first-blow      Every blow fells, so whoever acts first wins: 3 times one number is above 1 times another in
                           1 - 1/6 of all cases.
    squads/coin-toss       Two equals: 1/2 each.

Every listed battle is simulated, 20,000 times, and wins, losses and rounds lie within four standard errors. The ways
are followed anew, compiled, and plain for the battles in PLAIN.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import soak

import fracas
from fracas.lab.exact.state_enumeration import ONE, Enumeration, enumerate_states
from fracas.lab.studies.odds import find_odds
from fracas.rulesets import registry

HERE = Path(__file__).parent / "odds"
LISTED: dict[str, dict[str, Any]] = json.loads((HERE / "exact.json").read_text())
FILES = sorted(str(path.relative_to(HERE).with_suffix("")) for path in HERE.glob("*/*.toml"))
BATTLES = 20_000
SIGMAS = 4
PLAIN = (
    "titans/first-blow",
    "relics/knuckle-bones",
    "relics/flail-against-pistol",
    pytest.param("delve/one-breath-each", marks=soak.only),
)
BY_HAND = {
    "titans/first-blow": Fraction(5, 6),
    "squads/coin-toss": Fraction(1, 2),
}


def load(name: str) -> fracas.Scenario:
    return fracas.load(HERE / f"{name}.toml")


def all_ways(name: str) -> Enumeration:
    ways = enumerate_states(load(name))
    assert ways.is_complete
    return ways


def chance(ways: Enumeration, winner: int) -> float:
    return sum(weight for (who, _, _), weight in ways.endings.items() if who == winner) / ONE


@pytest.fixture
def compiled(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "1")


def test_every_ruleset_has_three_such_battles():
    assert sorted(LISTED) == FILES
    for name in registry.NAMES:
        assert sum(each.startswith(f"{name}/") for each in FILES) >= 3


@pytest.mark.parametrize("name", FILES)
def test_all_ways_come_to_what_is_listed(name, compiled):
    compare(name, all_ways(name))


@pytest.mark.parametrize("name", PLAIN)
def test_all_ways_come_to_what_is_listed_plain(name):
    compare(name, all_ways(name))


def compare(name: str, ways: Enumeration) -> None:
    listed = LISTED[name]
    found = [chance(ways, winner) for winner in (1, 2, 0)]
    assert found == pytest.approx([listed["wins"], listed["losses"], listed["draws"]], rel=1e-12, abs=1e-15)
    rounds = sum(rounds * weight for (_, _, rounds), weight in ways.endings.items()) / ONE
    assert rounds == pytest.approx(listed["rounds"], rel=1e-12)
    assert ways.states == listed["states"]
    assert ways.resolved_mass == ONE
    assert ways.error < 1e-7


@pytest.mark.parametrize("name", FILES)
def test_simulations_agree(name, compiled):
    results = fracas.simulate(load(name), n=BATTLES)
    listed = LISTED[name]
    shares = (*results.shares, results.draw_share)
    for share, exact in zip(shares, (listed["wins"], listed["losses"], listed["draws"]), strict=True):
        assert abs(share - exact) <= SIGMAS * math.sqrt(exact * (1 - exact) / BATTLES)


@pytest.mark.parametrize("name", FILES)
def test_agreement_can_fail(name):
    # The interval that agreement is judged by is narrow enough to tell odds apart that differ by two points.
    exact = LISTED[name]["wins"]
    assert SIGMAS * math.sqrt(exact * (1 - exact) / BATTLES) < 0.02


@pytest.mark.parametrize("name", BY_HAND)
def test_what_can_be_worked_out_by_hand(name):
    assert LISTED[name]["wins"] == pytest.approx(float(BY_HAND[name]), abs=1e-15)


def test_the_method_is_said(compiled):
    found = find_odds(load("squads/coin-toss"))
    assert found.method == "exact"
    assert found.as_json()["exact"]["states"] == LISTED["squads/coin-toss"]["states"]
