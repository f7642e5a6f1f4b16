"""Exchanges in every ruleset, within limits, and several at once."""

from __future__ import annotations

import pytest
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import problems_of

import fracas
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import simulate
from fracas.lab.studies.swaps import Limits
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
    found = fracas.swaps(EXAMPLES / FIRST["relics"], 2, limits=limits)
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
        assert each.as_json(1)["parts"][0].keys() == {"place", "out", "in"}
        alone = simulate(with_document(found.scenario, each.swap.document), 2)
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
        (Limits(only=["nothing"]), "swaps"),
        (Limits(places=["nowhere"]), "swaps"),
    ],
)
def test_limits_that_cannot_be_meant_are_refused(limits, where):
    assert problems_of(fracas.swaps, EXAMPLES / FIRST["relics"], 2, limits=limits)[0].where == where
