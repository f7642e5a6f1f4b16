"""Copies of battles to search in: they can be stepped, roll other dice, and tell nothing of the battle's own."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from tests.helpers.episodes import legal_choice

import fracas
from fracas.envs.battles.single import BattleEnv
from fracas.envs.drafting.single import DraftEnv
from fracas.envs.names import RULESETS


def first_legal(observation: dict[str, Any]) -> int:
    return int(observation["action_mask"].argmax())


def in_the_middle(ruleset: str, **arguments: Any) -> tuple[Any, Any]:
    env = DraftEnv(ruleset, **arguments) if ruleset == "relics" else BattleEnv(ruleset, **arguments)
    seen, _ = env.reset(seed=5)
    seen, *_ = env.step(legal_choice(seen["action_mask"], np.random.default_rng(1)))
    return env, seen


@pytest.mark.parametrize("ruleset", [*RULESETS, "relics"])
def test_copies_begin_as_the_battle_stands_and_are_played_to_the_end(ruleset: str) -> None:
    env, seen = in_the_middle(ruleset)
    search, rng = env.search(3), np.random.default_rng(2)
    assert len(search) == 3
    before = env.snapshot()
    for copy in range(3):
        np.testing.assert_array_equal(search.observations[copy, 0], seen["observation"])
        np.testing.assert_array_equal(search.masks[copy, 0], seen["action_mask"])
    total = np.zeros(3)
    for _ in range(600):
        masks = search.masks[:, 0]
        rewards, ended = search.step((rng.random(masks.shape) * masks).argmax(axis=1))
        total += rewards[:, 0]
        assert (rewards[~ended] == 0).all()
        if ended.all():
            break
    assert search.ended.all()
    assert set(total.tolist()) <= {-1.0, 0.0, 1.0}
    assert not search.masks.any()
    search.restart()
    np.testing.assert_array_equal(search.masks[0, 0], seen["action_mask"])
    assert not search.rewards.any()
    # The battle itself has not moved.
    np.testing.assert_array_equal(env.restore(before)["observation"], seen["observation"])


@pytest.mark.parametrize("ruleset", ["squads", "relics"])
def test_copies_have_dice_of_their_own(ruleset: str) -> None:
    env, seen = in_the_middle(ruleset)
    action = int(np.flatnonzero(seen["action_mask"])[0])

    def played(search: Any) -> Any:
        for _ in range(3):
            masks = search.masks[:, 0]
            search.step(masks.argmax(axis=1))
        return search.observations[:, 0]

    one, again = played(env.children(action, 8)), played(env.children(action, 8))
    np.testing.assert_array_equal(one, again, "the same calls give the same copies")
    assert len(np.unique(one, axis=0)) > 1
    further = env.children(action, 8)
    further.restart()
    further.step(np.full(8, action))
    assert (played(further) != one).any(), "after a restart the dice are others"
    for _ in range(4):
        seen, _, over, *_ = env.step(action)
        assert not over
        action = int(seen["action_mask"].argmax())
    assert any((row != seen["observation"]).any() for row in one), "copies do not tell the battle's own future"


def test_copies_of_copies_go_on_from_there() -> None:
    env, seen = in_the_middle("squads")
    search = env.search(4)
    legal = np.flatnonzero(seen["action_mask"])
    search.step(legal[:4] if len(legal) >= 4 else np.resize(legal, 4))
    chosen = search.select([3, 0, 3])
    for place, source in enumerate((3, 0, 3)):
        np.testing.assert_array_equal(chosen.observations[place], search.observations[source])
    chosen.step(chosen.masks[:, 0].argmax(axis=1))
    chosen.restart()
    np.testing.assert_array_equal(chosen.observations[0, 0], seen["observation"])
    for rows, message in (([4], "has places from 4 to 4; there are 4 copies"), ([], "take an array"), ("x", "take an")):
        with pytest.raises(fracas.UsageError, match=f"rows: .*{message}"):
            search.select(rows)


def test_a_function_plays_the_other_side_of_copies() -> None:
    """As in the battle: it is asked until the agent has to decide again."""
    env, _ = in_the_middle("squads", opponent=first_legal)
    search = env.search(2)
    for _ in range(200):
        masks = search.masks[:, env._own]
        assert (masks.any(axis=1) | search.ended).all()
        search.step(masks.argmax(axis=1))
        if search.ended.all():
            break
    assert search.ended.all()
    assert np.abs(search.rewards[:, env._own]).max() <= 1


def test_what_is_wrong_is_said() -> None:
    env = BattleEnv("titans")
    with pytest.raises(fracas.UsageError, match=r"call reset\(\) first"):
        env.search(2)
    env.reset(seed=1)
    with pytest.raises(fracas.UsageError, match="copies: is 0; 1 to 65,536 are allowed"):
        env.search(0)
    search = env.search(2)
    with pytest.raises(fracas.UsageError, match=r"actions\[1\]: is 7, which is not legal now; legal are 0, 1, 2"):
        search.step([0, 7])
    with pytest.raises(fracas.UsageError, match=r"actions: have the shape \(3,\); \(2,\) is needed"):
        search.step([0, 0, 0])


@pytest.mark.parametrize("ruleset", ["titans", "relics"])
def test_snapshots_do_not_give_the_seed_away(ruleset: str) -> None:
    """Battles of two seeds in the same state have the same snapshot: no hash of the seed can be found by trying."""
    snapshots = []
    env: Any = DraftEnv(ruleset) if ruleset == "relics" else BattleEnv(ruleset, opponent=lambda seen: 1)
    for seed in (11, 12):
        env.reset(seed=seed)
        snapshots.append(env.snapshot())
    if ruleset == "titans":
        assert pickle.dumps(snapshots[0]) == pickle.dumps(snapshots[1])
    assert not any(str(seed) in repr(snapshot).replace("0x", "") for seed in ("'11'", "'12'") for snapshot in snapshots)
    with pytest.raises(fracas.UsageError, match="is of another seed"):
        env.restore(snapshots[0])
