"""The draft of relics: offers can be repeated, masks are what fits, the battle at the end is a replay that verifies."""

from __future__ import annotations

import json
import pickle
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from tests.helpers import soak
from tests.helpers.episodes import legal_choice, play_at_random

import fracas
import fracas.envs
from fracas.envs.drafting.single import DraftEnv
from fracas.envs.drafting.vector import DraftVectorEnv
from fracas.envs.scenarios import RANDOM_CONTENTS
from fracas.rulesets import registry
from fracas.rulesets.relics.analysis.draft import ALL_PLACES, FIRST_ITEM, LEAVING, OFFERED, WAYS

SHORT = "examples/relics/first-duel.toml"
PLACES = 4


def small(**arguments: Any) -> DraftEnv:
    return DraftEnv("relics", SHORT, **arguments)


def test_gymnasium_checks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(gymnasium.make("fracas/Relics-v1", scenario=SHORT).unwrapped)


@pytest.mark.parametrize("number", range(4))
def test_a_draft_ends_with_full_places_and_a_build_that_the_content_resolves(number: int) -> None:
    env = DraftEnv("relics", registry.get("relics").random_scenario(number))
    rng, over = np.random.default_rng(number), False
    seen, _ = env.reset(seed=number)
    while not over:
        assert env.observation_space.contains(seen)
        assert seen["action_mask"].any()
        seen, _, over, _, info = env.step(legal_choice(seen["action_mask"], rng))
        assert info["was_legal"]
    assert seen["observation"][0] == 1
    assert not seen["action_mask"].any()
    state, own = env._match.current_state(), env.battle().scenario.document["left"]
    items = [name for name, (key, _) in zip(state.worn, ALL_PLACES, strict=True) if key == "items" and name]
    assert [piece["id"] for piece in own["items"]] == items
    unique = {piece["id"] for piece in own["items"] if piece["unique"]}
    assert all(Counter(items)[name] == 1 for name in unique)


def test_masks_are_what_fits() -> None:
    """Without the mask: what is legal is what the state's own words allow."""
    env, rng, states = small(), np.random.default_rng(3), 0
    for _ in range(4):
        seen, info = env.reset(seed=2) if not states else env.reset()
        over = False
        while not over:
            state = env._match.current_state()
            free = {place for place in range(3) if state.worn[FIRST_ITEM + place] is None}
            wanted = {LEAVING} if state.leaves else set()
            for number, name in enumerate(state.offered):
                is_item = env._match.draft._pieces[name]["place"] == "items"  # type: ignore[attr-defined]
                wanted |= {number * WAYS} | ({number * WAYS + 1 + place for place in free} if is_item else set())
            assert set(np.flatnonzero(seen["action_mask"]).tolist()) == wanted
            assert all(info["actions"][action] for action in wanted)
            states += 1
            seen, _, over, _, info = env.step(legal_choice(seen["action_mask"], rng))
    assert states > 16


def test_offers_are_leavable_only_so_often() -> None:
    env = small()
    seen, _ = env.reset(seed=1)
    offers = set()
    for _ in range(8):
        assert seen["action_mask"][LEAVING]
        offers.add(env._match.current_state().offered)
        seen, *_ = env.step(LEAVING)
    assert len(offers) == 8
    assert not seen["action_mask"][LEAVING]
    before = env._match.current_state()
    assert not env.step(LEAVING)[-1]["was_legal"]
    assert before.offered[0] in env._match.current_state().worn, "the first legal action took the first piece"


def test_placing_puts_an_item_where_it_says() -> None:
    env = small()
    seen, info = env.reset(seed=5)
    action = next(a for a in np.flatnonzero(seen["action_mask"]) if a % WAYS == 3 and a < OFFERED * WAYS)
    name = env._match.current_state().offered[action // WAYS]
    assert info["actions"][action].endswith("into place 3")
    env.step(action)
    assert env._match.current_state().worn[FIRST_ITEM + 2] == name


@pytest.mark.parametrize("side", [1, 2])
def test_the_battle_is_a_replay_that_verifies_and_the_reward(side: int, tmp_path: Path) -> None:
    env = small(side=side)
    battle = play_at_random(env, seed=4, stream=3)
    battle.save(tmp_path / "draft.json")
    verification = fracas.verify(tmp_path / "draft.json")
    assert verification.matches
    assert (battle.stream, battle.scenario.seed) == (3, "4")
    assert env._match.reward == {0: 0.0, side: 1.0, 3 - side: -1.0}[battle.winner]


def test_several_battles_are_a_mean() -> None:
    env = DraftEnv("relics", battles=6)
    battle = play_at_random(env, seed=6, stream=1)
    winners = [fracas.run(battle.scenario, stream=stream, log=False).winner for stream in range(6, 12)]
    assert battle.stream == 6
    assert env._match.reward == (winners.count(1) - winners.count(2)) / 6


def test_a_seed_repeats_everything_and_another_does_not() -> None:
    def played(seed: int) -> list[Any]:
        env, rng, over = small(), np.random.default_rng(0), False
        seen, _ = env.reset(seed=seed)
        offers: list[Any] = []
        reward = 0.0
        while not over:
            offers.append(env._match.current_state().offered)
            seen, reward, over, *_ = env.step(legal_choice(seen["action_mask"], rng))
        return [offers, reward, env.battle().digest]

    assert played(8) == played(8)
    assert played(8)[0] != played(9)[0]


def test_what_was_taken_does_not_change_the_dice_of_later_offers() -> None:
    """An offer is a function of its address and of what could be worn, whatever was drawn before."""
    env = small()
    env.reset(seed=1)
    snapshot = env.snapshot()
    env.step(LEAVING)
    first = env._match.current_state().offered
    env.restore(snapshot)
    env.step(LEAVING)
    assert env._match.current_state().offered == first


def test_children_use_other_dice_and_snapshots_hold_none() -> None:
    env = small()
    env.reset(seed=1)
    snapshot = env.snapshot()
    children = env.children(0, samples=3)
    assert children.observations.shape == (3, 1, len(env._match.spaces.features))
    seen, *_ = env.step(0)
    assert all((child != seen["observation"]).any() for child in children.observations[:, 0])
    restored = env.restore(snapshot)
    assert (restored["observation"] != seen["observation"]).any()
    env.reset()
    with pytest.raises(fracas.FracasError, match="is of draft 0 of this seed; this environment plays draft 1"):
        env.restore(snapshot)


def test_an_observation_does_not_depend_on_the_offers_to_come() -> None:
    env = small()
    env.reset(seed=1)
    state, draft = env._match.current_state(), env._match.draft
    seen = draft.observe(state)
    env.reset(seed=2)
    np.testing.assert_array_equal(seen, draft.observe(state))
    assert (draft.observe(env._match.current_state()) != seen).any(), "an observation that leaks would be caught"


def transcript(env: DraftVectorEnv, steps: int) -> list[tuple[Any, ...]]:
    seen, _ = env.reset(seed=3)
    said: list[tuple[Any, ...]] = [(seen,)]
    for _ in range(steps):
        actions = seen["action_mask"].argmax(axis=1)
        seen, rewards, ended, _, _ = env.step(actions)
        said.append((seen, rewards, ended, actions))
    return said


def test_a_batch_is_its_single_environments() -> None:
    said = transcript(DraftVectorEnv("relics", 2, SHORT), steps=PLACES + 3)
    for number in range(2):
        env, over = small(), False
        seen, _ = env.reset(seed=3 + number)
        np.testing.assert_array_equal(seen["observation"], said[0][0]["observation"][number])
        for observations, rewards, ended, actions in said[1:]:
            reward = 0.0
            if over:
                over = False
                seen, _ = env.reset()
            else:
                seen, reward, over, _, _ = env.step(actions[number])
            np.testing.assert_array_equal(seen["observation"], observations["observation"][number])
            np.testing.assert_array_equal(seen["action_mask"], observations["action_mask"][number])
            assert (reward, over) == (rewards[number], ended[number])
    assert any(ended.any() for _, _, ended, _ in said[1:])


def test_autoreset_in_the_same_step_and_not_at_all() -> None:
    env = DraftVectorEnv("relics", 2, SHORT, autoreset_mode=AutoresetMode.SAME_STEP)
    seen, _ = env.reset(seed=3)
    info: dict[str, Any] = {}
    ended = np.zeros(2, bool)
    for _ in range(PLACES):
        seen, _, ended, _, info = env.step(seen["action_mask"].argmax(axis=1))
    assert ended.all()
    assert info["_final_obs"].all()
    assert all(each["observation"][0] == 1 for each in info["final_obs"])
    assert (seen["observation"][:, 0] == 0).all()
    waiting = DraftVectorEnv("relics", 2, SHORT, autoreset_mode="Disabled")
    seen, _ = waiting.reset(seed=3)
    for _ in range(PLACES + 1):
        seen, *_ = waiting.step(seen["action_mask"].argmax(axis=1))
    assert not seen["action_mask"].any()
    seen, _ = waiting.reset(options={"reset_mask": np.array([True, False])})
    assert seen["action_mask"].any(axis=1).tolist() == [True, False]


def test_a_pickled_environment_begins_anew() -> None:
    env = small()
    copy = pickle.loads(pickle.dumps(env))
    first, second = env.reset(seed=3)[0], copy.reset(seed=3)[0]
    np.testing.assert_array_equal(first["observation"], second["observation"])


def test_rendering() -> None:
    env = small(render_mode="ansi")
    env.reset(seed=1)
    assert "0 of 4 places are filled" in env.render()
    play_at_random(env, seed=1)
    assert len(env.render().splitlines()) > 10
    drawn = small(render_mode="rgb_array")
    drawn.reset(seed=1)
    assert drawn.render().shape == (120, 320, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"side": 3}, "side: is 3; take 1 or 2"),
        ({"battles": 0}, "battles: is 0; 1 to 65,536"),
        ({"render_mode": "human"}, "render_mode: is 'human'; take ansi or rgb_array"),
        ({"opponent": {"shoes": 1}}, "write a table of weapon"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_said(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(fracas.FracasError, match=message):
        small(**arguments)


def bare() -> dict[str, Any]:
    """The short scenario with a left fighter who wears nothing."""
    document: dict[str, Any] = json.loads(json.dumps(fracas.load(SHORT).document))
    for key in ("items", "upgrades", "food", "sets"):
        document["left"][key] = []
    del document["left"]["weapon"]
    return document


def test_who_wears_nothing_may_fill_every_place_of_the_rules() -> None:
    env = DraftEnv("relics", bare())
    seen, _ = env.reset(seed=1)
    over = False
    while not over:
        assert seen["action_mask"].any()
        seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))
    assert seen["observation"][0] == 1
    assert None not in env._match.current_state().worn


def test_every_scenario_of_the_generator_can_be_drafted() -> None:
    """Six of the 64 have a fighter who wears nothing."""
    for side in soak.some((1, 2), 1):
        env = DraftEnv("relics", "random", side=side)
        assert len(env._match.scenarios) == RANDOM_CONTENTS


def test_other_rulesets_have_no_draft() -> None:
    with pytest.raises(fracas.FracasError, match="titans has no draft"):
        DraftEnv("titans")
