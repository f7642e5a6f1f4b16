"""`fracas.why`: a battle, a replay or a scenario explained."""

from __future__ import annotations

import pytest
from tests.helpers.scenarios import loaded, problems_of

import fracas


def test_a_battle_a_replay_and_a_scenario_are_explained_alike(tmp_path):
    scenario = loaded()
    battle = fracas.run(scenario, stream=3)
    battle.save(tmp_path / "kept.json")
    found = [
        fracas.why(battle, 64),
        fracas.why(tmp_path / "kept.json", 64),
        fracas.why(scenario, 64, stream=3),
    ]
    documents = [each.as_json() for each in found]
    for document in documents:
        del document["timing"]
    assert documents[0] == documents[1] == documents[2]
    assert found[0].battle is battle or found[0].battle.digest == battle.digest
    assert repr(found[0]).startswith("<Why: ")


@pytest.mark.parametrize("asked", [{"stream": 1}, {"seed": "other"}])
def test_what_a_battle_settles_cannot_be_asked_for(asked):
    (problem,) = problems_of(fracas.why, fracas.run(loaded()), 64, **asked)
    assert problem.where == "seed, stream"


@pytest.mark.parametrize(
    "asked", [{"n": 1}, {"n": "many"}, {"n": True}, {"stream": "first"}, {"part": 3}, {"part": "bank"}, {"threads": -1}]
)
def test_what_cannot_be_meant_is_refused(asked):
    assert problems_of(fracas.why, loaded(), **asked)
