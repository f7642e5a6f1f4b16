"""Environments keep the promises of Gymnasium and PettingZoo, as those check them."""

from __future__ import annotations

import pickle
import warnings
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec
from tests.helpers import soak
from tests.helpers.episodes import play_at_random

import fracas
import fracas.envs
from fracas.envs import squads_v1, titans_v1
from fracas.envs.battles.single import BattleEnv
from fracas.envs.names import RULESETS, VERSIONS, environment_id


@pytest.fixture(autouse=True)
def no_advice() -> Any:
    """Both say that an observation is no array; it is a dict with a mask, as they ask for elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


EACH = [(ruleset, version) for ruleset in RULESETS for version in VERSIONS]


@pytest.mark.parametrize(("ruleset", "version"), EACH)
def test_gymnasium_checks(ruleset: str, version: int) -> None:
    check_env(gymnasium.make(environment_id(ruleset, version)).unwrapped)


@pytest.mark.parametrize(("ruleset", "version"), soak.some(EACH, 4))
def test_pettingzoo_checks_turns(ruleset: str, version: int) -> None:
    make = import_module(f"fracas.envs.{ruleset}_v{version}").env
    api_test(make(), num_cycles=20)
    seed_test(make, num_cycles=10)


@pytest.mark.parametrize(("ruleset", "version"), soak.some(EACH[::-1], 4))
def test_pettingzoo_checks_both_sides_at_once(ruleset: str, version: int) -> None:
    """In rulesets with turns too: the mask of the one who waits is all 0."""
    make = import_module(f"fracas.envs.{ruleset}_v{version}").parallel_env
    parallel_api_test(make(), num_cycles=20)
    parallel_seed_test(make, num_cycles=10)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_pettingzoo_checks_max_cycles(ruleset: str) -> None:
    """Where agents decide in turns, one may decide more often than the other: cycles are those of `parallel_env`."""
    both = import_module(f"fracas.envs.{ruleset}_v2").parallel_env
    max_cycles_test(SimpleNamespace(parallel_env=both, env=lambda **given: parallel_to_aec(both(**given))))
    if ruleset == "titans":
        max_cycles_test(titans_v1)


@pytest.mark.parametrize("ruleset", ["squads", "delve", "stacks"])
def test_a_battle_in_turns_is_cut_after_so_many_decisions(ruleset: str) -> None:
    env = import_module(f"fracas.envs.{ruleset}_v2").env(max_cycles=3)
    env.reset(seed=1)
    decisions = 0
    for agent in env.agent_iter():
        seen, _, ended, cut, _ = env.last()
        decisions += not (ended or cut)
        env.step(None if ended or cut else int(seen["action_mask"].argmax()))
        assert agent in ("side_1", "side_2")
    assert decisions == 3
    assert not env.agents


def test_strict_environments_of_two_players_refuse_illegal_actions() -> None:
    at_once, in_turns = titans_v1.parallel_env(strict=True), squads_v1.env(strict=True)
    at_once.reset(seed=1)
    with pytest.raises(fracas.UsageError, match="action: is 6, which is not legal now; legal are 0, 1, 2"):
        at_once.step({"side_1": 0, "side_2": 6})
    in_turns.reset(seed=1)
    with pytest.raises(fracas.UsageError, match="action: is 50, which is not legal now"):
        in_turns.step(50)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_pettingzoo_checks_rendering(ruleset: str) -> None:
    make = import_module(f"fracas.envs.{ruleset}_v1").env

    def drawn(render_mode: str) -> Any:
        # Before it checks the modes that there are, the check makes an environment with a window, which it throws away.
        return make(render_mode=None if render_mode == "human" else render_mode)

    render_test(drawn)


def test_a_duel_is_cut_after_so_many_cycles() -> None:
    env = titans_v1.parallel_env(max_cycles=2)
    env.reset(seed=1)
    _, rewards, ended, cut, _ = env.step({"side_1": 0, "side_2": 0})
    assert (set(cut.values()), env.agents) == ({False}, ["side_1", "side_2"])
    _, rewards, ended, cut, _ = env.step({"side_1": 0, "side_2": 0})
    assert (set(rewards.values()), set(ended.values()), set(cut.values()), env.agents) == ({0.0}, {False}, {True}, [])
    with pytest.raises(fracas.UsageError, match=r"call reset\(\) first"):
        env.step({"side_1": 0, "side_2": 0})
    env.reset()
    assert not any(env.step({"side_1": 0, "side_2": 0})[3].values())
    with pytest.raises(fracas.UsageError, match="max_cycles: is 0; 1 to"):
        titans_v1.parallel_env(max_cycles=0)


def test_what_is_wrong_with_the_actions_of_two_players_is_said() -> None:
    at_once = titans_v1.parallel_env()
    at_once.reset(seed=1)
    for actions in ({"side_1": 0}, {}, [0, 0], None):
        with pytest.raises(fracas.UsageError, match="take one for each of side_1 and side_2"):
            at_once.step(actions)  # type: ignore[arg-type]
    in_turns = squads_v1.env()
    for env in (at_once, in_turns):
        for seed in ("x", -1, 1.5):
            with pytest.raises(fracas.UsageError, match="take a whole number from 0 on"):
                env.reset(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(fracas.UsageError, match=r"call reset\(\) first"):
        in_turns.step(0)
    in_turns.reset(seed=1)
    for action in (None, 0.5):
        with pytest.raises(fracas.UsageError, match="take a whole number from 0 to 50"):
            in_turns.step(action)
    agent = in_turns.agent_selection
    in_turns.step(50)
    assert not in_turns.infos[agent]["was_legal"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_pickled_environment_begins_anew(ruleset: str) -> None:
    env = BattleEnv(ruleset)
    copy = pickle.loads(pickle.dumps(env))
    first, second = env.reset(seed=3)[0], copy.reset(seed=3)[0]
    np.testing.assert_array_equal(first["observation"], second["observation"])


def test_environments_in_processes_of_their_own() -> None:
    """Gymnasium's own vectorisation, with a process for each environment, gives what single ones give."""
    envs = gymnasium.make_vec("fracas/Titans-v1", num_envs=2, vectorization_mode="async")
    seen, _ = envs.reset(seed=3)
    after, *_ = envs.step(seen["action_mask"].argmax(axis=1))
    envs.close()
    for number in range(2):
        env = BattleEnv("titans")
        first, _ = env.reset(seed=3 + number)
        np.testing.assert_array_equal(seen["observation"][number], first["observation"])
        second, *_ = env.step(int(first["action_mask"].argmax()))
        np.testing.assert_array_equal(after["observation"][number], second["observation"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rendering(ruleset: str) -> None:
    env = BattleEnv(ruleset, render_mode="ansi")
    play_at_random(env, seed=1, steps=2)
    assert len(env.render().splitlines()) > 3
    drawn = BattleEnv(ruleset, render_mode="rgb_array")
    drawn.reset(seed=1)
    assert drawn.render().shape == (120, 320, 3)
    assert len(np.unique(drawn.render().reshape(-1, 3), axis=0)) > 2


def test_opponents() -> None:
    assert play_at_random(BattleEnv("titans", opponent="random"), seed=1).digest
    seen = []

    def attack(observation: dict[str, Any]) -> int:
        seen.append(observation["action_mask"])
        return 0

    battle = play_at_random(BattleEnv("titans", side=2, opponent=attack), seed=1)
    assert len(seen) == battle.rounds
    assert battle.decisions.sides == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"side": 3}, "side: is 3; take 1 or 2"),
        ({"render_mode": "human"}, "render_mode: is 'human'; take ansi or rgb_array"),
        ({"scenario": []}, "scenario: has 0 scenarios"),
        ({"opponent": "nobody"}, "nobody"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_said(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(fracas.FracasError, match=message):
        BattleEnv("titans", **arguments)


def test_a_scenario_of_another_ruleset_is_refused() -> None:
    with pytest.raises(fracas.FracasError, match="is of the ruleset squads; this environment plays titans"):
        BattleEnv("titans", scenario="examples/squads/standard-5v5.toml")


def test_no_step_without_a_battle() -> None:
    env = BattleEnv("titans")
    with pytest.raises(fracas.FracasError, match=r"call reset\(\) first"):
        env.step(0)
    with pytest.raises(fracas.FracasError, match="the battle is not over yet"):
        env.battle()


def test_an_illegal_action_counts_as_the_first_that_is_legal() -> None:
    env = BattleEnv("titans")
    env.reset(seed=1)
    assert not env.step(6)[-1]["was_legal"]
    assert env.step(0)[-1]["was_legal"]
