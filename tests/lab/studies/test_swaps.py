"""Exchanges in every ruleset, within limits, and several at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import problems_of

import fracas
from fracas.lab.presentation.types import plain as as_values
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import simulate
from fracas.lab.studies.swaps import Limits
from fracas.lab.studies.swaps_result import Exchange
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Swap

EXAMPLES = ROOT / "examples"
FIRST = {
    "squads": "squads/standard-5v5.toml",
    "delve": "delve/standard-run.toml",
    "stacks": "stacks/first-attack.toml",
    "relics": "relics/first-duel.toml",
    "titans": "titans/standard.toml",
}


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_ruleset_has_exchanges_that_can_be_played(name):
    scenario = fracas.load(EXAMPLES / FIRST[name])
    for side in (1, 2):
        swaps = scenario.ruleset.swaps(scenario.document, side)
        if name == "delve" and side == 2:
            continue
        assert swaps
        for swap in (swaps[0], swaps[-1]):
            changed = with_document(scenario, swap.document)
            assert changed.compiled.record.tobytes() != scenario.compiled.record.tobytes()
            assert swap.removed != swap.added


@pytest.mark.parametrize(
    ("limits", "place", "comes", "is_allowed"),
    [
        (Limits(), "left.items.3", "oak_targe", True),
        (Limits(places=["items"]), "left.items.3", "oak_targe", True),
        (Limits(places=["items.3"]), "left.items.3", "oak_targe", True),
        (Limits(places=["items.3", "weapon"]), "left.weapon", "oak_targe", True),
        (Limits(places=["items.3"]), "left.items.31", "oak_targe", False),
        (Limits(places=["weapon"]), "left.items.3", "oak_targe", False),
        (Limits(only=["Oak Targe"]), "left.items.3", "oak_targe", True),
        (Limits(only=["sundial"]), "left.items.3", "oak_targe", False),
        (Limits(without=["OAK_TARGE"]), "left.items.3", "oak_targe", False),
    ],
)
def test_limits_say_what_is_tried(limits, place, comes, is_allowed):
    assert limits.allow(Swap(place, None, comes, {})) is is_allowed


def test_the_best_are_tried_together_once_each_in_different_places():
    limits = Limits(["items"], ["oak_targe", "ember_ring"], at_once=2, among=3)
    scenario = fracas.load(EXAMPLES / FIRST["relics"])
    found = fracas.swaps(scenario, 2, limits=limits)
    single = [each for each in found.tried if not each.swap.parts]
    pairs = [each for each in found.tried if each.swap.parts]
    assert len(found.tried) == found.possible
    assert pairs
    told = [frozenset((place, comes) for place, _, comes in each.swap.parts) for each in pairs]
    assert len(set(told)) == len(told)
    best = {(each.swap.place, each.swap.added) for each in single[:3]}
    for each, parts in zip(pairs, told, strict=True):
        assert parts <= best
        assert len({place for place, _ in parts}) == 2
        worn = [piece["id"] for piece in each.swap.document["left"]["items"]]
        assert all(comes in worn for _, comes in parts)
        assert each.parts
        alone = simulate(with_document(scenario, each.swap.document), 2)
        assert alone.wins == each.results.wins


def test_in_a_line_up_several_at_once_are_several_units():
    limits = Limits(only=["Scout"], at_once=2, among=2)
    found = fracas.swaps(EXAMPLES / FIRST["squads"], 2, limits=limits)
    [pair] = [each.swap for each in found.tried if each.swap.parts]
    units = pair.document["sides"][0]["units"]
    assert sum(unit["class"] == "ranger" for unit in units) == 3
    assert pair.place.count(" + ") == 1


@pytest.mark.parametrize(
    ("limits", "where"),
    [
        (Limits(at_once=0), "--at-once"),
        (Limits(at_once=5), "--at-once"),
        (Limits(among=1), "--among"),
        (Limits(costs={"scout": -1}), "--cost scout"),
        (Limits(costs={"scout": float("nan")}), "--cost scout"),
        (Limits(costs={"scuot": 2}), "--cost scuot"),
        (Limits(budget=float("inf")), "--budget"),
        (Limits(budget=True), "--budget"),
        (Limits(budget=-1), "swaps"),
        (Limits(only=["nothing"]), "swaps"),
        (Limits(places=["nowhere"]), "swaps"),
    ],
)
def test_limits_that_cannot_be_meant_are_refused(limits, where):
    assert problems_of(fracas.swaps, EXAMPLES / FIRST["relics"], 2, limits=limits)[0].where == where


COSTS = {"scout": 3, "Apprentice Wizard": 2.5, "bronze_knight": 1}


def test_a_cost_of_nothing_is_a_cost():
    made: dict[str, Any] = {
        "place": "items.3",
        "out": None,
        "comes": "oak_targe",
        "share": 0.5,
        "interval95": (0.4, 0.6),
    }
    made |= {"gain": 0.0, "gain95": (0.0, 0.0), "margin": 1.0}
    free, unpriced = (as_values(Exchange(**made, cost=cost)) for cost in (0.0, None))
    assert free["cost"] == free["gain"] == 0.0
    assert "cost" not in unpriced
    assert "parts" not in free


def test_a_cost_is_what_comes_in_less_what_goes():
    limits = Limits(costs=COSTS, budget=0)
    parts = (("units.0", "Bronze Knight", "scout"), ("units.2", "apprentice_wizard", "shield_bearer"))
    both = Swap("units.0 + units.2", None, "both", {}, parts)
    assert limits.cost(both) == 3 - 1 + 1 - 2.5
    assert limits.cost(Swap("units.0", None, "scout", {})) == 3
    assert [limits.affords(each) for each in (both, Swap("u", "scout", "scout", {}))] == [False, True]
    assert (Limits().shown_cost(both), Limits(budget=9).shown_cost(both)) == (None, 0)


def test_a_budget_is_kept_over_several_places():
    """What is too dear alone comes in where another exchange saves as much."""
    scenario = fracas.load(EXAMPLES / FIRST["squads"])
    asked = Limits(only=["Scout", "Bronze Knight"], costs={"scout": 3}, budget=0)
    alone = fracas.swaps(scenario, n=2, limits=asked)
    assert {(each.swap.removed, each.cost) for each in alone.tried if "Scout" in each.swap.added} == set()
    found = fracas.swaps(scenario, n=2, limits=replace(asked, at_once=2, among=8))
    assert found.possible == len(found.tried)
    assert all(each.cost is not None and each.cost <= 0 for each in found.tried)
    several = [each for each in found.tried if each.swap.parts]
    assert any("Scout" in comes for each in several for _, _, comes in each.swap.parts)
    document = found.as_json()
    assert (document["costs"], document["budget"]) == ({"scout": 3}, 0)
    assert {each["cost"] for each in document["swaps"]} == {each.cost for each in found.tried}
    [table] = found.shown_tables()
    assert "cost" in [column.key for column in table.columns]
    assert "cost" not in fracas.swaps(scenario, n=2, limits=Limits(only=["Scout"])).as_json()["swaps"][0]


def test_room_is_kept_for_what_saves():
    limits = Limits(costs={"dear": 5, "cheap": 0}, budget=0, among=4)
    dear = [Swap(f"u.{place}", "x", "dear", {}) for place in range(6)]
    cheap = [Swap(f"u.{place}", "x", "cheap", {}) for place in range(6)]
    assert limits.parts_of([*dear, *cheap]) == [*dear[:2], *cheap[:2]]
    assert Limits(among=4).parts_of([*dear, *cheap]) == dear[:4]
