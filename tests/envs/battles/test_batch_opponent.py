"""A function that plays the other side of a batch: the same battles as in single environments, and clear errors."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from tests.helpers import soak

import fracas
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.names import RULESETS, environment_id

ENVS = 2
SLOW = {"id": "slow", "class": "warrior", "hp": 1, "attack": 5, "defense": 0, "speed": 1}
FAST = {"id": "fast", "class": "warrior", "hp": 90, "attack": 90, "defense": 0, "speed": 50}
NORMAL = {"id": "normal", "class": "warrior", "hp": 60, "attack": 20, "defense": 5, "speed": 20}


def chosen(seen: dict[str, Any]) -> int:
    """A legal action that depends on what is seen."""
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[int(np.abs(seen["observation"]).sum() * 7919) % len(legal)])


def chosen_by_all(seen: dict[str, Any]) -> Any:
    """The same for each battle of a batch; an action that is none where there is nothing to decide."""
    rows = [{name: values[place] for name, values in seen.items()} for place in range(len(seen["action_mask"]))]
    return np.array([chosen(row) if row["action_mask"].any() else -9 for row in rows])


def duel(own: dict[str, Any], enemy: dict[str, Any]) -> dict[str, Any]:
    sides = [{"name": name, "units": [unit]} for name, unit in (("Red", own), ("Blue", enemy))]
    return {"ruleset": "squads", "id": "duel", "sides": sides}


@pytest.mark.parametrize(
    ("side", "mode"), soak.some([(1, "NextStep"), (1, "SameStep"), (2, "SameStep"), (2, "NextStep")], 2)
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_batch_is_its_single_environments(
    ruleset: str, side: int, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRACAS_JIT", "1")
    batch = BattleVectorEnv(ruleset, ENVS, side=side, opponent=chosen_by_all, autoreset_mode=mode)
    singles = [BattleEnv(ruleset, side=side, opponent=chosen) for _ in range(ENVS)]
    is_over, ends = [False] * ENVS, 0
    expected = [one.reset(seed=3 + place)[0] for place, one in enumerate(singles)]
    seen, _ = batch.reset(seed=3)
    for _ in range(90):
        for place in range(ENVS):
            for name, values in expected[place].items():
                np.testing.assert_array_equal(values, seen[name][place])
        actions = chosen_by_all(seen)
        seen, rewards, ended, _, info = batch.step(actions)
        for place, one in enumerate(singles):
            reward, ends_now = 0.0, False
            if not is_over[place]:
                expected[place], reward, ends_now, *_ = one.step(actions[place])
            assert (rewards[place], ended[place]) == (reward, ends_now)
            if ends_now and mode == "SameStep":
                np.testing.assert_array_equal(info["final_obs"][place]["observation"], expected[place]["observation"])
            if is_over[place] or (ends_now and mode == "SameStep"):
                expected[place], _ = one.reset()
            is_over[place] = ends_now and mode == "NextStep"
            ends += ends_now
    assert ends > 1


def test_the_function_sees_its_own_side_and_cannot_write() -> None:
    asked = []

    def first_legal(seen: dict[str, Any]) -> Any:
        asked.append({name: values.copy() for name, values in seen.items()})
        for values in seen.values():
            with pytest.raises(ValueError, match="read-only"):
                values[0] = 1
        return seen["action_mask"].argmax(axis=-1)

    env = gymnasium.make_vec(environment_id("titans"), num_envs=3, opponent=first_legal)
    mine, _ = env.reset(seed=1)
    assert not asked, "both choose at once, so the other side is asked in the step"
    other, _ = gymnasium.make_vec(environment_id("titans"), num_envs=3, side=2).reset(seed=1)
    env.step(mine["action_mask"].argmax(axis=-1))
    for name, values in asked[0].items():
        np.testing.assert_array_equal(values, other[name])


def test_disabled_waits_for_a_reset() -> None:
    env = BattleVectorEnv("squads", 3, duel(NORMAL, NORMAL), opponent=chosen_by_all, autoreset_mode="Disabled")
    seen, _ = env.reset(seed=1)
    ended = np.zeros(3, bool)
    while not ended.any():
        seen, _, ended, _, _ = env.step(chosen_by_all(seen))
    streams = env._batch.streams.copy()
    before = seen["observation"][~ended]
    seen, _ = env.reset(options={"reset_mask": ended})
    assert seen["action_mask"].any(axis=1).all()
    assert (env._batch.streams - streams).tolist() == ended.astype(int).tolist()
    np.testing.assert_array_equal(seen["observation"][~ended], before)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_battle_that_ends_before_the_agent_decides_is_passed_over(mode: str) -> None:
    """Every other battle is one in which the opponent is first and fells the only unit."""
    contents = [duel(NORMAL, NORMAL), duel(SLOW, FAST)]
    env = BattleVectorEnv("squads", 3, contents, opponent=chosen_by_all, autoreset_mode=mode)
    seen, _ = env.reset(seed=0)
    assert env._batch.streams.tolist() == [0, 1, 0], "environment 1 begins with the second content"
    ends = 0
    ended = np.zeros(3, bool)
    for _ in range(60):
        before = ended
        seen, rewards, ended, _, _ = env.step(chosen_by_all(seen))
        assert mode == "SameStep" or not (ended & before).any(), "this step begins the next battle"
        assert (ended | (rewards == 0)).all()
        assert ((env._batch.streams + env._batch.starts) % 2 == 0).all()
        if mode == "SameStep":
            assert seen["action_mask"].any(axis=1).all()
        ends += int(ended.sum())
    assert ends
    single = BattleEnv("squads", contents, opponent=chosen)
    single.reset(seed=0, options={"stream": 1})
    assert single._match.stream == 2


@pytest.mark.parametrize(
    "make", [lambda **more: BattleVectorEnv("squads", 2, **more), lambda **more: BattleEnv("squads", **more)]
)
def test_a_scenario_in_which_the_agent_never_decides_is_an_error(make: Any) -> None:
    def any_of(seen: dict[str, Any]) -> Any:
        return seen["action_mask"].argmax(axis=-1)

    env = make(scenario=duel(SLOW, FAST), opponent=any_of)
    with pytest.raises(fracas.UsageError, match="before an agent has anything to choose, in 64 battles in a row"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (3, r"an array of int64, shape \(\)"),
        (np.zeros(3, int), r"an array of int64, shape \(3,\)"),
        (np.zeros(2), r"an array of float64, shape \(2,\)"),
        (None, r"an array of object, shape \(\)"),
    ],
)
def test_a_wrong_answer_is_told(answer: Any, told: str) -> None:
    env = BattleVectorEnv("titans", 2, opponent=lambda seen: answer)
    env.reset(seed=1)
    with pytest.raises(
        fracas.UsageError, match=rf"opponent: returned {told}; it has to return whole numbers, shape \(2,\)"
    ):
        env.step(np.zeros(2, int))


def test_an_illegal_action_of_the_opponent_counts_as_the_first_legal_one() -> None:
    transcripts = []
    made = [BattleVectorEnv("titans", 2, opponent=each) for each in (first_of_all, lambda seen: np.full(2, 99))]
    for env in made:
        seen, _ = env.reset(seed=1)
        seen, _, _, _, info = env.step(seen["action_mask"].argmax(axis=-1))
        assert info["was_legal"].all(), "it tells of the agent's actions alone"
        transcripts.append(seen["observation"])
    np.testing.assert_array_equal(transcripts[0], transcripts[1])
    _, _, _, _, info = made[0].step(np.array([0, 99]))
    assert info["was_legal"].tolist() == [True, False]


def test_threads_and_copies_change_nothing_and_a_pickled_one_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "1")
    made = [BattleVectorEnv("squads", 256, opponent=first_of_all, threads=threads) for threads in (1, 2)]
    made.append(pickle.loads(pickle.dumps(made[0])))
    said = []
    for env in made:
        seen, _ = env.reset(seed=1)
        for _ in range(12):
            seen, *_ = env.step(seen["action_mask"].argmax(axis=-1))
        said.append(seen["observation"])
        env.close()
    np.testing.assert_array_equal(said[0], said[1])
    np.testing.assert_array_equal(said[0], said[2])


def first_of_all(seen: dict[str, Any]) -> Any:
    return seen["action_mask"].argmax(axis=-1)
