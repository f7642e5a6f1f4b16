"""What environments play: scenarios of the generator by seed and split, and opponents by their names in tables."""

from __future__ import annotations

from typing import Any

import pytest

import fracas
import fracas.envs
from fracas.envs.battles.single import BattleEnv
from fracas.envs.names import RULESETS
from fracas.envs.scenarios import Random, scenarios_of
from fracas.rulesets import registry


def documents(wanted: Any) -> list[Any]:
    return [dict(each.document) for each in scenarios_of("titans", wanted)]


def test_splits_and_seeds_share_no_scenario() -> None:
    drawn = {(seed, split): documents(Random(seed, split, 6)) for seed in (0, 1) for split in ("train", "test")}
    everything = [each for some in drawn.values() for each in some]
    assert len(everything) == 24
    assert all(everything.count(each) == 1 for each in everything)
    assert documents(Random(1, "test", 6)) == drawn[1, "test"]
    assert documents(Random(count=3)) == drawn[0, "train"][:3]
    assert fracas.envs.Random is Random


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"split": "valid"}, 'split: is \'valid\'; take "train" or "test"'),
        ({"seed": -1}, "seed: is -1; 0 to"),
        ({"count": 0}, "count: is 0; 1 to 1,024"),
    ],
)
def test_what_is_wrong_with_a_draw_is_said(arguments: Any, message: str) -> None:
    with pytest.raises(fracas.UsageError, match=message):
        Random(**arguments)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_players_of_the_content_are_opponents_by_their_names(ruleset: str) -> None:
    players = registry.get(ruleset).agent_interface().content_players()
    for name, value in players[:3]:
        if value is not None:
            env, by_value = BattleEnv(ruleset, opponent=name), BattleEnv(ruleset, opponent=value)
            assert env._match.scenario.document == by_value._match.scenario.document
