"""Which own statuses a battle has, when a `state` names them: they take numbers, so digests depend on it."""

from __future__ import annotations

import pytest

import fracas

STATE = {"hp": 20, "hp_max": 20, "atk": 3, "armor": 2, "speed": 3}
RIGHT = {"name": "Right", "weapon": "rusty_blade", "items": ["oak_targe"]}


def fought(**state):
    return fracas.run({"ruleset": "relics", "left": {"name": "Left", "state": {**STATE, **state}}, "right": RIGHT})


@pytest.mark.parametrize("stacks", [0, 2])
def test_a_state_that_names_a_status_brings_it_whatever_its_stacks(stacks):
    battle = fought(statuses={"embers": stacks})
    assert list(battle.scenario.document["statuses"]) == ["embers"]
    assert battle.scenario.compiled.books["quantity"][-1] == "embers"


def test_a_status_with_no_stacks_counts_in_the_digest_and_an_empty_table_does_not():
    assert fought(statuses={}).digest == fought().digest
    assert fought(statuses={"embers": 0}).digest != fought().digest
