"""A batch is its single environments: plain or compiled, on one thread or two, however battles begin anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from tests.helpers import soak

import fracas
from fracas.envs import scenarios
from fracas.envs.batch import BattleBatch
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.names import RULESETS
from fracas.envs.scenarios import scenarios_of
from fracas.kernel.narrowing import has_all_widths
from fracas.rulesets import registry

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
        seen, _ = env.reset(seed=3 + number)
        np.testing.assert_array_equal(seen["observation"], said[0][0][number])
        over = False
        for observations, masks, rewards, ended, _, actions in said[1:]:
            if over:
                seen, _ = env.reset()
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
    final = info["final_obs"][place]["observation"]
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


def test_contents_change_from_battle_to_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "RANDOM_CONTENTS", 12)
    env = BattleVectorEnv("titans", 4, scenario="random")
    seen, _ = env.reset(seed=1)
    assert len(np.unique(seen["observation"], axis=0)) == 4
    single = BattleEnv("titans", scenario="random")
    for number in range(4):
        observation, _ = single.reset(seed=1 + number)
        np.testing.assert_array_equal(observation["observation"], seen["observation"][number])


@pytest.mark.parametrize(("ruleset", "side"), soak.some([("squads", 2), ("stacks", 1), ("delve", 1)], 1))
def test_random_scenarios_all_have_decisions(ruleset: str, side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one of a dozen the agent's side never decides. A batch that comes back to it again and again cannot begin."""
    monkeypatch.setattr(scenarios, "RANDOM_CONTENTS", 24)
    drawn = [fracas.load(registry.get(ruleset).random_scenario(number)) for number in range(24)]
    with_idle_ones = BattleBatch(drawn, (side - 1,), 24)
    with pytest.raises(fracas.UsageError, match="before an agent has anything to choose"):
        with_idle_ones.begin()
    seen, _ = BattleVectorEnv(ruleset, 24, "random", side=side).reset(seed=1)
    assert seen["action_mask"].any(axis=1).all()


def test_a_seed_for_each() -> None:
    env = BattleVectorEnv("titans", 2, side="both")
    env.reset(seed=[5, 6])
    assert (env._batch.battles["dice"]["key"][0] != env._batch.battles["dice"]["key"][1]).any()


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


def assert_seen_is_whole(env: BattleVectorEnv) -> None:
    """What steps have written, only where something changed, is what a look at everything writes."""
    batch = env._batch
    written = batch.seen.copy(), batch.masks.copy()
    batch.look()
    np.testing.assert_array_equal(written[0], batch.seen)
    np.testing.assert_array_equal(written[1], batch.masks)


@pytest.mark.parametrize(
    ("side", "mode"),
    soak.some(
        [
            (2, AutoresetMode.NEXT_STEP),
            (2, AutoresetMode.SAME_STEP),
            ("both", AutoresetMode.SAME_STEP),
            ("both", AutoresetMode.NEXT_STEP),
        ][::-1],
        1,
    ),
)
@pytest.mark.parametrize("ruleset", [*sorted(set(RULESETS) - {"relics"})])
def test_steps_leave_nothing_out_of_observations(ruleset: str, side: Any, mode: AutoresetMode) -> None:
    env = BattleVectorEnv(ruleset, 2, side=side, autoreset_mode=mode)
    rng = np.random.default_rng(4)
    seen, _ = env.reset(seed=4)
    for _ in range(40):
        seen, *_ = env.step(choices(seen["action_mask"], rng))
        assert_seen_is_whole(env)


@pytest.mark.parametrize(("ruleset", "name"), [("squads", "own_1.full_hp"), ("titans", "enemy.ability_1.cost")])
def test_an_entry_that_is_out_of_date_would_be_found(ruleset: str, name: str) -> None:
    env = BattleVectorEnv(ruleset, 1, side="both")
    seen, _ = env.reset(seed=4)
    names = [feature.name for feature in env._batch.interface.features]
    env._batch.seen[0, 0, names.index(name)] += 1
    env.step(seen["action_mask"].argmax(axis=-1))
    with pytest.raises(AssertionError):
        assert_seen_is_whole(env)


def test_arrays_that_are_not_copied_cannot_be_written() -> None:
    env = BattleVectorEnv("titans", 2, copy=False)
    seen, _ = env.reset(seed=1)
    after, rewards, *_ = env.step(seen["action_mask"].argmax(axis=-1))
    for array in (*seen.values(), *after.values(), rewards):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert after["observation"].base is not None, "the batch's own array"
    copied = BattleVectorEnv("titans", 2)
    copied.reset(seed=1)[0]["observation"][0] = 1


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
        single.reset(seed=1 + number)
        np.testing.assert_array_equal(single.step(0)[0]["observation"], seen["observation"][number])
    assert env.step(seen["action_mask"].argmax(axis=1))[-1]["was_legal"].all()


def test_a_wide_battle_takes_a_wider_record() -> None:
    """Content that does not fit the narrowest record still plays, with the same masks as before."""
    env = BattleVectorEnv("squads", 1)
    interface, compiled = env._batch.interface, env._batch.scenarios[0].compiled
    _, narrow, wide, *_ = interface.battle_types
    assert interface.fits(compiled, narrow)
    compiled = replace(compiled, record=compiled.record.copy())
    compiled.record[0].units[0].basic.ability = 20
    assert not interface.fits(compiled, narrow)
    assert interface.fits(compiled, wide)


def test_a_world_of_squares_takes_a_wider_record() -> None:
    """Nobody is looked up as the last participant, so it has to be one that does not exist."""
    env = BattleVectorEnv("stacks", 1)
    interface, compiled = env._batch.interface, env._batch.scenarios[0].compiled
    hexagons, _, squares, trained, whole = interface.battle_types
    assert env._batch.kind == squares, "the first with numbers of 64 bits, which plain Python needs"
    compiled = replace(compiled, record=compiled.record.copy())
    battle = compiled.record[0]
    battle.involved[battle.involved_count - 1] = 62
    assert interface.fits(compiled, hexagons)
    battle.involved[battle.involved_count - 1] = 63
    assert not interface.fits(compiled, hexagons)
    assert interface.fits(compiled, squares)
    battle.networks[1].inputs, battle.networks[1].hidden, battle.networks[1].choices = 8, 8, 8
    assert not interface.fits(compiled, squares)
    assert interface.fits(compiled, trained)
    battle.move_type_count = 9
    assert not interface.fits(compiled, trained)
    assert interface.fits(compiled, whole)


def test_random_duels_fit_records_without_room_for_large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    duels = scenarios_of("titans", "random", None)
    batch = BattleBatch(duels, (0,), 1)
    assert batch.kind == batch.interface.battle_types[3]
    # Batches compile when they begin, which this one need not.
    monkeypatch.setenv("FRACAS_JIT", "1")
    assert BattleBatch(duels, (0,), 1).kind == batch.interface.battle_types[2]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_small_numbers_are_played_compiled_and_change_nothing(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy would compute with 16 bits, so plain Python gets records whose numbers have 64."""
    plain = BattleVectorEnv(ruleset, 4, side="both")
    monkeypatch.setenv("FRACAS_JIT", "1")
    compiled = BattleVectorEnv(ruleset, 4, side="both")
    wide = compiled._batch.interface.battle_types[-1]
    assert has_all_widths(plain._batch.kind, wide)
    assert not has_all_widths(compiled._batch.kind, wide)
    assert compiled._batch.kind.itemsize < 20_000
    monkeypatch.setenv("FRACAS_JIT", "0")
    said = transcript(plain, 30)
    monkeypatch.setenv("FRACAS_JIT", "1")
    assert_equal(said, transcript(compiled, 30))


@pytest.mark.parametrize(
    ("ruleset", "change"),
    [
        ("titans", lambda battle, value: setattr(battle.abilities[0].effects[0], "amount", value)),
        ("squads", lambda battle, value: setattr(battle.abilities[0].effects[0], "percentage", value)),
        ("delve", lambda battle, value: setattr(battle.skills[0].conditions[0], "potency", value)),
        ("stacks", lambda battle, value: battle.participants[0].moves.__setitem__(0, value)),
    ],
)
def test_a_large_number_takes_a_wider_record(ruleset: str, change: Any) -> None:
    batch = BattleVectorEnv(ruleset, 1)._batch
    compiled = replace(batch.scenarios[0].compiled, record=batch.scenarios[0].compiled.record.copy())
    change(compiled.record[0], 2**15 - 1)
    assert batch.interface.fits(compiled, batch.interface.battle_types[0])
    change(compiled.record[0], 2**15)
    assert not batch.interface.fits(compiled, batch.interface.battle_types[0])
    assert batch.interface.fits(compiled, batch.kind)


def test_runs_and_fights_of_delve_fit_narrow_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenarios of the generator are not played with the whole record, which is four times as wide."""
    monkeypatch.setattr(scenarios, "RANDOM_CONTENTS", 16)
    interface = BattleVectorEnv("delve", 1)._batch.interface
    for scenario in scenarios_of("delve", "random", None):
        assert any(interface.fits(scenario.compiled, kind) for kind in interface.battle_types[:4])


def test_what_does_not_fit_a_small_fight_takes_a_wider_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each length is compared with, one more than there is room for."""
    monkeypatch.setenv("FRACAS_JIT", "1")
    env = BattleVectorEnv("delve", 1)
    interface, compiled = env._batch.interface, env._batch.scenarios[0].compiled
    small, usual = interface.battle_types[:2]
    assert env._batch.kind == small

    def fits_after(change: Any) -> tuple[bool, bool]:
        changed = replace(compiled, record=compiled.record.copy())
        change(changed.record[0])
        return interface.fits(changed, small), interface.fits(changed, usual)

    def more(name: str, value: int) -> Any:
        return lambda battle: setattr(battle, name, value)

    assert fits_after(lambda battle: None) == (True, True)
    assert fits_after(more("counted_slots", 33)) == (False, True)
    assert fits_after(more("counted_skills", 33)) == (False, True)
    assert fits_after(lambda battle: setattr(battle.skills[0], "condition_count", 3)) == (False, True)
    assert fits_after(lambda battle: setattr(battle.queue_slots[0], "ask_count", 17)) == (False, False)
    assert fits_after(lambda battle: setattr(battle.foes[0], "known_count", 9)) == (False, True)
    assert fits_after(lambda battle: battle.roster.__setitem__(0, 4)) == (False, True)


def test_a_duel_with_many_stat_changes_takes_a_wider_record() -> None:
    env = BattleVectorEnv("titans", 1)
    interface, compiled = env._batch.interface, env._batch.scenarios[0].compiled
    narrow, wide = interface.battle_types[0], interface.battle_types[4]
    compiled = replace(compiled, record=compiled.record.copy())
    compiled.record[0].change_count = 16
    assert interface.fits(compiled, narrow)
    compiled.record[0].change_count = 17
    assert not interface.fits(compiled, narrow)
    assert interface.fits(compiled, wide)


def test_children_see_what_is_given_for_a_whole_battle() -> None:
    """Their records do not come from the beginning of a battle, which is when that is written."""
    env = BattleEnv("titans")
    seen, _ = env.reset(seed=2)
    children = env.children(int(seen["action_mask"].argmax()), samples=2)
    of_abilities = [number for number, feature in enumerate(_features(env)) if "ability_1." in feature.name]
    for observation in children.observations[:, 0]:
        np.testing.assert_array_equal(observation[of_abilities], seen["observation"][of_abilities])
    assert seen["observation"][of_abilities].any()


def _features(env: BattleEnv) -> Any:
    return env._match.batch.interface.features
