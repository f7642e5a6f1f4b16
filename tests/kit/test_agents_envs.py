"""Environments of games: as Gymnasium and PettingZoo check them, by object, name and file."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from tests.helpers.commands import BAD_INPUT, DONE, Command, call
from tests.kit.choosing import CHOOSING, EXAMPLES, document_of, game_file

import fracas
import fracas.envs
from fracas.envs.agents.agent import RandomAgent
from fracas.envs.agents.look_ahead import GreedyAgent
from fracas.envs.agents.players import Player
from fracas.envs.agents.strength import strength_table
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.two_players import ParallelBattleEnv, TurnBattleEnv
from fracas.envs.descriptions import describe
from fracas.errors import InputError, UsageError
from fracas.kit import load
from fracas.rulesets.contract.ruleset import Ruleset


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that knows no game and compiles nothing."""
    monkeypatch.delenv(load.VARIABLE, raising=False)
    monkeypatch.setenv("FRACAS_JIT", "0")
    with load.fresh(), warnings.catch_warnings():
        # Both say that an observation is no array; it is a dict with a mask, as they ask for elsewhere.
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.fixture
def fracas_cli(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process."""
    return partial(call, capsys)


def used(folder: Path, name: str) -> Ruleset:
    return fracas.use(game_file(folder / name, name))


@pytest.mark.parametrize("name", CHOOSING)
def test_gymnasium_checks(name: str, tmp_path: Path) -> None:
    check_env(fracas.envs.battle(used(tmp_path, name), document_of(name)))


@pytest.mark.parametrize("name", CHOOSING)
def test_pettingzoo_checks(name: str, tmp_path: Path) -> None:
    used(tmp_path, name)

    def make() -> Any:
        return fracas.envs.battle(name, document_of(name), side="both")

    if name == "roshambo":
        assert isinstance(make(), ParallelBattleEnv)
        parallel_api_test(make(), num_cycles=10)
        parallel_seed_test(make, num_cycles=5)
    else:
        assert isinstance(make(), TurnBattleEnv)
        api_test(make(), num_cycles=10)
        seed_test(make, num_cycles=5)


@pytest.mark.parametrize("name", CHOOSING)
def test_a_batch_plays_what_single_environments_play(name: str, tmp_path: Path) -> None:
    game = used(tmp_path, name)
    batch = fracas.envs.battle(game, document_of(name), num_envs=3)
    singles = [fracas.envs.battle(game, document_of(name)) for _ in range(3)]
    seen, _ = batch.reset(seed=9)
    alone = [env.reset(seed=9 + index)[0] for index, env in enumerate(singles)]
    for _ in range(4):
        for index, one in enumerate(alone):
            assert np.array_equal(seen["observation"][index], one["observation"])
            assert np.array_equal(seen["action_mask"][index], one["action_mask"])
        actions = seen["action_mask"].argmax(axis=1)
        seen, *_ = batch.step(actions)
        alone = [env.step(actions[index])[0] for index, env in enumerate(singles)]


def test_an_episode_is_a_battle_that_verifies(tmp_path: Path) -> None:
    env = fracas.envs.battle(used(tmp_path, "cards"), document_of("cards"), side=2, render_mode="ansi")
    assert isinstance(env, BattleEnv)
    seen, info = env.reset(seed=3)
    assert all(info["actions"][action] for action in np.flatnonzero(seen["action_mask"]))
    over, reward = False, 0.0
    while not over:
        seen, reward, over, *_ = env.step(np.flatnonzero(seen["action_mask"])[-1])
    env.battle().save(tmp_path / "episode.json")
    assert fracas.verify(tmp_path / "episode.json").matches
    assert reward == {0: 0.0, 1: -1.0, 2: 1.0}[env.battle().winner]
    assert "wins in round" in env.render()


def test_games_are_found_by_file_and_name(tmp_path: Path) -> None:
    file = EXAMPLES / "roshambo" / "roshambo.py"
    by_file = fracas.envs.battle(file)
    by_name = fracas.envs.battle("roshambo")
    by_text = fracas.envs.battle(str(file))
    # Without a scenario it is the first one beside the file.
    seen = [env.reset(seed=1)[0]["observation"].tolist() for env in (by_file, by_name, by_text)]
    assert seen[0] == seen[1] == seen[2]
    again = pickle.loads(pickle.dumps(by_name))
    assert again.reset(seed=1)[0]["observation"].tolist() == seen[0]
    with pytest.raises(InputError, match='there is no ruleset "rochambeau"'):
        fracas.envs.battle("rochambeau")


def test_without_a_scenario_beside_it_a_game_draws_one(tmp_path: Path) -> None:
    env = fracas.envs.battle(used(tmp_path, "cards"))
    env.reset(seed=1)
    assert not env.step(0)[2]
    assert fracas.envs.battle("cards", "random", num_envs=2).reset(seed=1)[0]["observation"].shape[0] == 2


def test_a_game_that_scenarios_cannot_name_is_refused(tmp_path: Path) -> None:
    game = used(tmp_path, "cards")
    with load.fresh(), pytest.raises(UsageError, match="is not known to scenarios"):
        fracas.envs.battle(game)


def test_another_observation_is_refused(tmp_path: Path) -> None:
    game = used(tmp_path, "roshambo")
    known = game.agent_interface().observation_hash
    fracas.envs.battle(game, document_of("roshambo"), observation=known)
    fracas.envs.battle(game, document_of("roshambo"), observation=known[:12])
    with pytest.raises(UsageError, match=f"this version of roshambo shows {known[:12]}"):
        fracas.envs.battle(game, document_of("roshambo"), observation="0123456789ab")
    with pytest.raises(UsageError, match="titans has no such hash"):
        fracas.envs.battle("titans", observation="0123456789ab")


def test_opponents_are_functions_where_sides_have_no_strategy(tmp_path: Path) -> None:
    game = used(tmp_path, "cards")
    env = fracas.envs.battle(game, document_of("cards"), opponent=lambda seen: int(seen["action_mask"].argmax()))
    env.reset(seed=2)
    with pytest.raises(UsageError, match="the sides of cards have no strategy"):
        fracas.envs.battle(game, document_of("cards"), opponent="rush")


def test_pictures_have_bars(tmp_path: Path) -> None:
    env = fracas.envs.battle(used(tmp_path, "skirmish"), document_of("skirmish"), render_mode="rgb_array")
    env.reset(seed=1)
    assert len(np.unique(env.render().reshape(-1, 3), axis=0)) > 3


def test_agents_meet(tmp_path: Path) -> None:
    used(tmp_path, "roshambo")
    players = Player("greedy", GreedyAgent()), Player("random", RandomAgent())
    found = strength_table("roshambo", players, 20, document_of("roshambo")).meeting("greedy", "random")
    assert found.battles == 20
    assert found.score > 0.5


def test_descriptions(tmp_path: Path) -> None:
    used(tmp_path, "cards")
    found = describe("cards").as_json()
    assert (found["id"], found["actions"]) == ('fracas.envs.battle("cards")', 7)
    assert found["both_sides"] == 'fracas.envs.battle("cards", side="both")'
    assert len(found["observation_hash"]) == 64


def test_commands(fracas_cli: Command) -> None:
    game = EXAMPLES / "roshambo" / "roshambo.py"
    listed = fracas_cli("agents", "envs", "roshambo", "--format", "json", "--game", game)
    assert json.loads(listed.out)["environments"][0]["actions"] == 4
    assert 'fracas.envs.battle("roshambo")' in fracas_cli("agents", "envs", "--game", game).out
    assert "Observation: " in fracas_cli("agents", "envs", "roshambo", "--game", game).out
    table = fracas_cli("agents", "strength", "roshambo", "--players", "random,scenario", "-n", "4", "--game", game)
    assert table.status == DONE
    assert "market-day: scores in per cent" in table.out


def test_commands_say_why_not(fracas_cli: Command) -> None:
    coins = EXAMPLES / "coins" / "coins.py"
    for command in ("agents strength", "agents envs"):
        refused = fracas_cli(command, "coins", "--game", coins)
        assert refused.status == BAD_INPUT
        assert refused.err.count("\n") == 1
        assert "coins has no decisions for agents in its battles" in refused.err
    assert "coins" not in fracas_cli("agents", "envs", "--game", coins).out
