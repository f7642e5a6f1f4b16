"""`fracas agents envs`: what there is to learn in, and what is missing for it."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from tests.helpers.commands import BAD_INPUT, DONE

import fracas.envs  # noqa: F401  # registers them
from fracas.envs import descriptions
from fracas.envs.names import ENVIRONMENTS, VERSIONS


def test_every_environment_is_listed_with_its_spaces(fracas_cli):
    listed = fracas_cli("agents", "envs", "--format", "json").json
    assert [one["ruleset"] for one in listed["environments"]] == [name for name in ENVIRONMENTS for _ in VERSIONS]
    assert listed["extra"] == {"missing": [], "install": None}
    for one in listed["environments"]:
        env: Any = gymnasium.make(one["id"])
        assert env.action_space.n == one["actions"]
        assert env.observation_space["observation"].shape == (one["observation"],)


def test_the_memory_is_that_of_a_batch():
    from fracas.envs.battles.vector import BattleVectorEnv

    batch = BattleVectorEnv("titans", 3)._batch
    arrays = (
        "battles", "cursors", "states", "streams", "starts", "_keys", "seen", "finals", "masks", "rewards", "ended",
        "_actions", "_legal",
    )  # fmt: skip
    held = sum(getattr(batch, name).nbytes for name in arrays)
    assert held == 3 * descriptions.describe("titans").bytes_per_environment


def test_one_ruleset_with_what_its_actions_are(fracas_cli):
    ended = fracas_cli("agents", "envs", "squads")
    assert ended.status == DONE
    assert "17 × ability + target" in ended.out


def test_a_missing_extra_is_named(fracas_cli, monkeypatch):
    monkeypatch.setattr(descriptions, "find_spec", lambda name: None)
    ended = fracas_cli("agents", "envs", "titans")
    assert ended.status == DONE
    assert "not installed: gymnasium, pettingzoo; pip install 'fracas[envs]'" in ended.err
    assert fracas_cli("agents", "envs", "--format", "json").json["extra"]["missing"] == ["gymnasium", "pettingzoo"]


def test_no_such_ruleset(fracas_cli):
    ended = fracas_cli("agents", "envs", "titan")
    assert ended.status == BAD_INPUT
    assert 'did you mean "titans"' in ended.err


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("ruleset", ENVIRONMENTS)
def test_blocks_hold_every_entry_once(ruleset, version):
    features = descriptions.describe(ruleset, version).features
    expected = 0
    for block in descriptions.blocks_of(features):
        size = len(block.features)
        assert block.first == expected
        for number, name in enumerate(block.names):
            own = features[block.first + number * size : block.first + (number + 1) * size]
            assert own[0].name.rpartition(".")[0] == name
            assert [each.name.rpartition(".")[2] for each in own] == [
                each.name.rpartition(".")[2] for each in block.features
            ]
        expected += size * len(block.names)
    assert expected == len(features)
