"""`fracas.matchups` and `fracas.optimise`: how programs name sides, and what is refused."""

from __future__ import annotations

import pytest
from tests.helpers.scenarios import duel, problems_of

import fracas
from fracas.lab.search.optimise_result import SearchSettings

ROSTER = "examples/squads/rosters/formations.toml"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def test_scenarios_paths_mappings_and_pairs_take_part():
    scenario = fracas.load(duel())
    found = fracas.matchups([scenario, (scenario, 2), duel(id="other")], n=4)
    assert len(found.names) == len(set(found.names)) == 3
    assert len(found.cells) == 3
    assert sum(standing.mix for standing in found.analysis.standings) == pytest.approx(1)


def test_a_roster_is_named_by_its_path():
    found = fracas.matchups(ROSTER, n=2, seed="x")
    assert found.names == ["Balanced", "Aggressive", "Defensive", "Flanking"]
    assert found.as_json()["seed"] == "x"


@pytest.mark.parametrize(
    ("entrants", "where"),
    [
        ([duel()], "entrants"),
        ([], "entrants"),
        (duel(), "entrants"),
        ([duel(), 7], "entrants[1]"),
        ([duel(), (duel(), 3)], "entrants[1]: side"),
        ([duel(), "nowhere.toml"], "entrants[1]: nowhere.toml"),
        ([(duel(), 1, 2), duel()], "entrants[0]: source"),
    ],
)
def test_what_is_no_entrant_is_refused(entrants, where):
    assert problems_of(fracas.matchups, entrants, n=2)[0].where == where


def test_a_search_takes_the_same_names_and_gives_a_document_to_load(monkeypatch):
    monkeypatch.delenv("FRACAS_JIT")
    settings = SearchSettings(trials=2, stages=(40.0,), keep=(), budget=1, pairs=2)
    found = fracas.optimise(duel(), against=[duel(), (duel(), 2)], held_out=[ROSTER_SIDE], settings=settings)
    assert len(found.opponents) == 2
    assert len(found.held_out) == 1
    assert fracas.load(found.document).document == found.document


ROSTER_SIDE = "examples/squads/flanking-vs-defensive.toml:2"


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"side": 0}, "side"),
        ({"part": 7}, "part"),
        ({"search_seed": 7}, "search_seed"),
        ({"against": [7]}, "against[0]"),
        ({"held_out": [(duel(), 9)]}, "held_out[0]: side"),
        ({"against": "duel.toml"}, "against"),
    ],
)
def test_what_a_search_cannot_take_is_refused(options, where):
    assert problems_of(fracas.optimise, duel(), **options)[0].where == where
