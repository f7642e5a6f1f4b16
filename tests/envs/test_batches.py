"""A batch is its single environments: plain or compiled, on one thread or two, however battles begin anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import fracas
from fracas.envs.names import RULESETS
from fracas.envs.single import BattleEnv
from fracas.envs.vector import BattleVectorEnv

ENVS = 3


def choices(masks: Any, rng: np.random.Generator) -> Any:
    """One legal action for each mask; 0 where nothing is."""
    return (rng.random(masks.shape) * masks).argmax(axis=-1)


def transcript(env: BattleVectorEnv, steps: int, seed: int = 3) -> list[tuple[Any, ...]]:
    """Everything that a batch says in so many steps of agents that choose at random."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    said: list[tuple[Any, ...]] = [(seen["observation"], seen["action_mask"])]
    for _ in range(steps):
        actions = choices(seen["action_mask"], rng)
        seen, rewards, ended, truncated, _ = env.step(actions)
        said.append((seen["observation"], seen["action_mask"], rewards, ended, truncated, actions))
    return said


def assert_equal(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> None:
    assert len(one) == len(other)
    for first, second in zip(one, other, strict=True):
        for mine, yours in zip(first, second, strict=True):
            np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_batch_is_its_single_environments(ruleset: str) -> None:
    said = transcript(BattleVectorEnv(ruleset, ENVS), steps=6)
    for number in range(ENVS):
        env = BattleEnv(ruleset)
        stream = number
        seen, _ = env.reset(seed=3, options={"stream": stream})
        np.testing.assert_array_equal(seen["observation"], said[0][0][number])
        over = False
        for observations, masks, rewards, ended, _, actions in said[1:]:
            if over:
                stream += ENVS
                seen, _ = env.reset(options={"stream": stream})
                reward, over = 0.0, False
            else:
                seen, reward, over, _, _ = env.step(actions[number])
            np.testing.assert_array_equal(seen["observation"], observations[number])
            np.testing.assert_array_equal(seen["action_mask"], masks[number])
            assert (reward, over) == (rewards[number], ended[number])


def test_compiled_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = transcript(BattleVectorEnv("titans", 130, side="both"), steps=4)
    monkeypatch.setenv("FRACAS_JIT", "1")
    assert_equal(plain, transcript(BattleVectorEnv("titans", 130, side="both"), steps=4))
    on_threads = BattleVectorEnv("titans", 300, side="both", threads=2)
    assert_equal(transcript(BattleVectorEnv("titans", 300, side="both"), 30), transcript(on_threads, 30))
    on_threads.close()


def test_next_step_begins_anew_one_step_later() -> None:
    env = BattleVectorEnv("titans", 2)
    seen, _ = env.reset(seed=1)
    ended, rewards = np.zeros(2, bool), np.zeros(2)
    while not ended.any():
        seen, rewards, ended, _, _ = env.step(seen["action_mask"].argmax(axis=-1))
    assert set(np.abs(rewards[ended])) == {1.0}
    assert not seen["action_mask"][ended].any()
    seen, rewards, again, _, _ = env.step(np.zeros(2, int))
    assert not again[ended].any()
    assert (rewards[ended] == 0).all()
    assert seen["action_mask"][ended].any(axis=-1).all()


def test_same_step_keeps_the_last_observation() -> None:
    env = BattleVectorEnv("titans", 2, autoreset_mode=AutoresetMode.SAME_STEP)
    seen, info = env.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        seen, _, ended, _, info = env.step(seen["action_mask"].argmax(axis=-1))
    place = int(np.flatnonzero(ended)[0])
    assert info["_final_obs"].tolist() == ended.tolist()
    final = info["final_obs"]["observation"][place]
    assert min(final[2], final[20]) == 0, "one of the titans has no HP left"
    assert seen["observation"][place][2] == 1


def test_disabled_waits_for_a_reset() -> None:
    env = BattleVectorEnv("titans", 6, autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = env.reset(seed=1)
    ended = np.zeros(6, bool)
    while not ended.any():
        seen, _, ended, _, _ = env.step(seen["action_mask"].argmax(axis=-1))
    place = int(np.flatnonzero(ended)[0])
    assert not ended.all()
    before = seen["observation"][~ended]
    seen, _ = env.reset(options={"reset_mask": ended})
    assert seen["action_mask"][place].any()
    np.testing.assert_array_equal(seen["observation"][~ended], before)


def test_contents_change_from_battle_to_battle() -> None:
    env = BattleVectorEnv("titans", 4, scenario="random")
    seen, _ = env.reset(seed=1)
    assert len(np.unique(seen["observation"], axis=0)) == 4
    single = BattleEnv("titans", scenario="random")
    for number in range(4):
        observation, _ = single.reset(seed=1, options={"stream": number})
        np.testing.assert_array_equal(observation["observation"], seen["observation"][number])


def test_a_seed_for_each() -> None:
    env = BattleVectorEnv("titans", 2, side="both")
    env.reset(seed=[5, 6])
    assert (env._batch.battles["dice"]["key"][0] != env._batch.battles["dice"]["key"][1]).any()
    with pytest.raises(fracas.FracasError, match="with several scenarios give one seed"):
        BattleVectorEnv("titans", 2, scenario="random").reset(seed=[5, 6])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs: is 0; 1 to 65,536"),
        ({"side": "left"}, "side: is 'left'; take 1, 2"),
        ({"side": "both", "opponent": "random"}, "opponent: cannot be given when agents play both sides"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_said(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(fracas.FracasError, match=message):
        BattleVectorEnv("titans", **arguments)


def test_illegal_actions_of_a_batch_count_as_the_first_legal_one() -> None:
    """Each of what was asked for plays what a single environment plays; the caller's array stays as it was."""
    asked = np.array([6, -1, 99, 0])
    env = BattleVectorEnv("titans", len(asked))
    env.reset(seed=1)
    seen, _, _, _, info = env.step(asked)
    assert asked.tolist() == [6, -1, 99, 0]
    assert info["was_legal"].tolist() == [False, False, False, True]
    for number in range(len(asked)):
        single = BattleEnv("titans")
        single.reset(seed=1, options={"stream": number})
        np.testing.assert_array_equal(single.step(0)[0]["observation"], seen["observation"][number])
    assert "was_legal" not in env.step(seen["action_mask"].argmax(axis=1))[-1]


def test_a_wide_battle_takes_a_wider_record() -> None:
    """Content that does not fit the narrowest record still plays, with the same masks as before."""
    env = BattleVectorEnv("squads", 1)
    interface, compiled = env._batch.interface, env._batch.scenarios[0].compiled
    narrow, wide = interface.battle_types[:2]
    assert interface.fits(compiled, narrow)
    compiled = replace(compiled, record=compiled.record.copy())
    compiled.record[0].units[0].basic.ability = 20
    assert not interface.fits(compiled, narrow)
    assert interface.fits(compiled, wide)
