"""A batch is what Gymnasium's own SyncVectorEnv makes of single environments: step by step, key by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from tests.helpers import soak

import fracas
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.names import RULESETS, environment_id

ENVS = 4
MODES = tuple(AutoresetMode)
# Each in one of the modes in turn; in a soak in all.
TRIED = [
    (ruleset, mode)
    for number, ruleset in enumerate(RULESETS)
    for place, mode in enumerate(MODES)
    if soak.is_on() or place == number % len(MODES)
]


def assert_same(one: Any, other: Any, where: str = "") -> None:
    """Equal all the way down, and of the same types."""
    if isinstance(one, dict):
        assert sorted(one) == sorted(other), where
        for key in one:
            assert_same(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, tuple | list):
        assert (type(one), len(one)) == (type(other), len(other)), where
        for place, (mine, yours) in enumerate(zip(one, other, strict=True)):
            assert_same(mine, yours, f"{where}[{place}]")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
        if one.dtype == object:
            for place, (mine, yours) in enumerate(zip(one, other, strict=True)):
                assert_same(mine, yours, f"{where}[{place}]")
        else:
            np.testing.assert_array_equal(one, other, where)
    else:
        assert one == other, where


def compare(
    make: Callable[[], Any], batch: Any, mode: AutoresetMode, seed: Any, steps: int, options: Any = None
) -> tuple[int, int]:
    """Play both with the same actions, now and then an illegal one; how many episodes ended, and were truncated."""
    singles = SyncVectorEnv([make] * ENVS, autoreset_mode=mode)
    rng = np.random.default_rng(1)
    one, other = (env.reset(seed=seed, options=options) for env in (singles, batch))
    assert_same(one, other, "reset")
    ends = cuts = 0
    for step in range(steps):
        masks = one[0]["action_mask"]
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        actions[rng.random(ENVS) < 0.1] = 0
        one, other = singles.step(actions), batch.step(actions)
        for part, (mine, yours) in enumerate(zip(one, other, strict=True)):
            assert_same(mine, yours, f"step {step}, part {part}")
        done = one[2] | one[3]
        ends, cuts = ends + one[2].sum(), cuts + one[3].sum()
        if mode == AutoresetMode.DISABLED and done.any():
            seeds = [number + 100 if step % 2 else None for number in range(ENVS)]
            one, other = (env.reset(seed=seeds, options={"reset_mask": done}) for env in (singles, batch))
            assert_same(one, other, f"reset after step {step}")
    return int(ends), int(cuts)


@pytest.mark.parametrize(("ruleset", "mode"), TRIED)
def test_a_batch_is_a_sync_vector_env(ruleset: str, mode: AutoresetMode) -> None:
    single = BattleEnv(ruleset)
    most = 9

    def make() -> Any:
        return TimeLimit(BattleEnv(ruleset, single._match.batch.scenarios), most)

    batch = BattleVectorEnv(ruleset, ENVS, autoreset_mode=mode, max_episode_steps=most)
    assert sum(compare(make, batch, mode, seed=3, steps=25)) > 1
    if ruleset == "titans":
        seeds = [9, 2, 2, 40]
        free = BattleVectorEnv(ruleset, ENVS, autoreset_mode=mode)
        ends, cuts = compare(lambda: BattleEnv(ruleset), free, mode, seeds, 40, {"stream": 2})
        assert (ends > 0, cuts) == (True, 0)


@pytest.mark.parametrize("mode", soak.some(MODES, 1))
def test_with_several_contents_and_a_function_as_opponent(mode: AutoresetMode) -> None:
    def first_legal(observation: dict[str, Any]) -> Any:
        return observation["action_mask"].argmax(axis=-1)

    contents = [fracas.load(f"examples/squads/{name}.toml") for name in ("standard-5v5", "coin-toss")]
    most = 7

    def make() -> Any:
        return TimeLimit(BattleEnv("squads", contents, side=2, opponent=first_legal), most)

    batch = BattleVectorEnv(
        "squads", ENVS, contents, side=2, opponent=first_legal, autoreset_mode=mode, max_episode_steps=most
    )
    assert compare(make, batch, mode, seed=6, steps=20)[1] > 0


@pytest.mark.parametrize("ruleset", RULESETS)
def test_make_and_make_vec_take_max_episode_steps(ruleset: str) -> None:
    name = environment_id(ruleset)
    native = gymnasium.make_vec(name, num_envs=2, max_episode_steps=2)
    synced = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", max_episode_steps=2)
    for env in (native, synced):
        seen, _ = env.reset(seed=1)
        assert not env.step(seen["action_mask"].argmax(axis=1))[3].any()
        assert env.step(seen["action_mask"].argmax(axis=1))[3].all()
    with pytest.raises(fracas.UsageError, match="max_episode_steps: is 0; 1 to"):
        BattleVectorEnv(ruleset, 1, max_episode_steps=0)


def test_a_difference_would_be_found() -> None:
    """Negative control: the same batch with another seed."""
    begin = BattleVectorEnv.reset

    class Wrong(BattleVectorEnv):
        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            return begin(self, seed=seed + 1, options=options)

    compare(lambda: BattleEnv("titans"), BattleVectorEnv("titans", ENVS), AutoresetMode.NEXT_STEP, 3, 3)
    with pytest.raises(AssertionError):
        compare(lambda: BattleEnv("titans"), Wrong("titans", ENVS), AutoresetMode.NEXT_STEP, 3, 3)


def test_strict_environments_refuse_illegal_actions() -> None:
    single = BattleEnv("titans", strict=True)
    seen, _ = single.reset(seed=1)
    legal = np.flatnonzero(seen["action_mask"]).tolist()
    shown = ", ".join(map(str, legal))
    with pytest.raises(fracas.UsageError, match=f"action: is 6, which is not legal now; legal are {shown}"):
        single.step(6)
    after = single.step(legal[0])[0]
    batch = BattleVectorEnv("titans", 2, strict=True)
    batch.reset(seed=1)
    with pytest.raises(fracas.UsageError, match=r"actions\[1\]: is 6, which is not legal now"):
        batch.step([legal[0], 6])
    np.testing.assert_array_equal(batch.step([legal[0], 0])[0]["observation"][0], after["observation"])
    both = BattleVectorEnv("titans", 2, side="both", strict=True)
    both.reset(seed=1)
    with pytest.raises(fracas.UsageError, match=r"actions\[1, 0\]: is 99"):
        both.step([[0, 0], [99, 0]])


def test_environments_of_a_batch_without_a_seed_differ() -> None:
    batch, single = BattleVectorEnv("titans", 3), BattleEnv("titans")
    _, infos = batch.reset()
    _, info = single.reset()
    own = info["seed"]
    assert infos["seed"].tolist() == [own, f"{own}/1", f"{own}/2"]
    _, infos = batch.reset(seed=[None, 5, None])
    assert (infos["seed"].tolist(), infos["stream"].tolist()) == ([own, "5", f"{own}/2"], [1, 0, 1])
