"""What other libraries take: memory without a copy, and replays as a dataset of Minari.

Stable-Baselines3 and PyTorch are tried by scripts/soak/training_libraries.py, for they are large.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.episodes import legal_choice, play_at_random

import fracas
import fracas.envs
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.datasets import episode_of, export
from fracas.envs.names import RULESETS

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:minari.*", "ignore::DeprecationWarning:minari.*")


def test_arrays_are_shared_without_a_copy() -> None:
    env = BattleVectorEnv("titans", 4, copy=False, version=2)
    seen, _ = env.reset(seed=1)
    arrays = env.shared_arrays()
    tensors = {name: np.from_dlpack(array) for name, array in arrays.items()}
    for name in ("observation", "action_mask"):
        assert np.shares_memory(tensors[name], seen[name])
        assert tensors[name].shape == seen[name].shape
    before = tensors["observation"].copy()
    after, rewards, *_ = env.step(seen["action_mask"].argmax(axis=1))
    assert (tensors["observation"] != before).any(), "tensors show later steps"
    np.testing.assert_array_equal(tensors["observation"], after["observation"])
    np.testing.assert_array_equal(tensors["reward"], rewards)


def test_arrays_of_both_sides_are_shared() -> None:
    env = BattleVectorEnv("titans", 4, side="both", copy=False)
    seen, _ = env.reset(seed=1)
    assert np.shares_memory(np.from_dlpack(env.shared_arrays()["observation"]), seen["observation"])
    assert env.shared_arrays()["reward"].shape == (4, 2)


# Each ruleset in one of the versions; in a soak in both.
@pytest.mark.parametrize(
    ("ruleset", "version"),
    [(name, one) for place, name in enumerate(RULESETS) for one in (1, 2) if soak.is_on() or one == 1 + place % 2],
)
def test_a_replay_is_the_episode_that_was_played(ruleset: str, version: int, tmp_path: Path) -> None:
    env, rng = BattleEnv(ruleset, side=1, version=version), np.random.default_rng(3)
    seen, _ = env.reset(seed=3)
    told: list[Any] = []
    over, reward = False, 0.0
    while not over:
        action = legal_choice(seen["action_mask"], rng)
        told.append((seen, action))
        seen, reward, over, *_ = env.step(action)
    env.battle().save(tmp_path / "battle.json")
    episode = episode_of(tmp_path / "battle.json", 1, version)
    for name, rows in (("observation", episode.observations), ("action_mask", episode.masks)):
        np.testing.assert_array_equal(rows, np.stack([*(one[name] for one, _ in told), seen[name]]))
    assert episode.actions.tolist() == [action for _, action in told]
    assert episode.rewards.tolist() == [0.0] * (len(told) - 1) + [reward]


def test_episodes_of_two_sides_are_those_of_each() -> None:
    """A function plays the other side, so both sides' decisions are in the replay."""
    env = BattleEnv("squads", opponent=lambda seen: int(seen["action_mask"].argmax()))
    battle = play_at_random(env, seed=2)
    one, two = (episode_of(battle, side) for side in (1, 2))
    assert len(one.actions) + len(two.actions) == len(battle.decisions.rows)
    assert one.rewards.sum() == -two.rewards.sum()
    assert (two.actions == two.masks[:-1].argmax(axis=1)).all()


def test_replays_become_a_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    battles = [play_at_random(BattleEnv("titans"), seed=seed) for seed in (1, 2, 3)]
    files = [tmp_path / f"{number}.json" for number in range(3)]
    for battle, file in zip(battles, files, strict=True):
        battle.save(file)
    export(files, "fracas/titans/random-v0", algorithm_name="random", author="somebody", description="At random.")
    dataset = minari.load_dataset("fracas/titans/random-v0")
    assert dataset.total_episodes == 3
    for episode, battle in zip(dataset.iterate_episodes(), battles, strict=True):
        expected = episode_of(battle)
        np.testing.assert_array_equal(episode.observations["observation"], expected.observations)
        np.testing.assert_array_equal(episode.observations["action_mask"], expected.masks)
        np.testing.assert_array_equal(episode.actions, expected.actions)
        np.testing.assert_array_equal(episode.rewards, expected.rewards)
        assert episode.terminations.tolist() == [False] * (len(expected.actions) - 1) + [True]
        assert not episode.truncations.any()
    again = dataset.recover_environment()
    assert again.observation_space == dataset.observation_space


def test_battles_of_a_game_become_a_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    env = fracas.envs.battle("examples/games/roshambo/roshambo.py")
    battles = [play_at_random(env, seed=seed) for seed in (1, 2)]
    export(battles, "roshambo/random-v0", author="somebody", algorithm_name="random", description="At random.")
    dataset = minari.load_dataset("roshambo/random-v0")
    assert dataset.observation_space == env.observation_space
    for episode, battle in zip(dataset.iterate_episodes(), battles, strict=True):
        np.testing.assert_array_equal(episode.actions, episode_of(battle).actions)


def test_what_is_no_episode_is_refused(tmp_path: Path) -> None:
    battle = fracas.run("examples/titans/standard.toml")
    with pytest.raises(fracas.UsageError, match="replay: holds no decisions of an agent on side 1"):
        episode_of(battle)
    decided = play_at_random(BattleEnv("titans"), seed=1)
    with pytest.raises(fracas.UsageError, match="holds no decisions of an agent on side 2"):
        episode_of(decided, 2)
    other = play_at_random(BattleEnv("squads"), seed=1)
    with pytest.raises(fracas.UsageError, match=r"replays: are of \['squads', 'titans'\]; take battles of one ruleset"):
        export([decided, other], "fracas/mixed-v0")
