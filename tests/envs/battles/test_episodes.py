"""An episode is a battle: masks are the legal choices, replays verify, nothing hidden or future can be seen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.episodes import legal_choice, play_at_random
from tests.helpers.replays import chain_with, plugin_file
from tests.helpers.scenarios import duel

import fracas
from fracas.envs.battles.single import BattleEnv
from fracas.envs.names import RULESETS
from fracas.kernel.dice import below, open_address
from fracas.replay.bundle_file import bundle_of
from fracas.rulesets import registry
from fracas.rulesets.delve.analysis import decision_points as delve
from fracas.rulesets.delve.rules.constants import AT_OPTION
from fracas.rulesets.squads.analysis import decision_points as squads
from fracas.rulesets.stacks.analysis import decision_points as stacks
from fracas.rulesets.titans.rules.titan_stats import is_legal
from fracas.web.page import page_of

SCENARIOS = 6


def random_env(ruleset: str, number: int, side: int = 1) -> BattleEnv:
    return BattleEnv(ruleset, registry.get(ruleset).random_scenario(number), side=side)


def legal_decisions(env: BattleEnv) -> set[tuple[int, int]]:
    """Choice and target of everything that is legal now, found without the kernel that makes masks."""
    match = env._match
    battle, cursor = match.batch.battles.copy()[0], match.batch.cursors[0]
    ruleset, side = match.scenario.ruleset.name, int(match.batch.agents[0])
    actor = match.batch.interface.actor_of(battle, side, cursor)
    if ruleset == "titans":
        return {(choice, -1) for choice in range(8) if is_legal(battle.titans[side], choice)}
    if ruleset == "squads":
        return set(squads.legal_options(battle, battle.units[actor]))
    if ruleset == "stacks":
        return {*stacks.viable_options(battle, actor, None), stacks.WAITS}
    if cursor[0] == AT_OPTION:
        return {(32 + place, -1) for place in range(battle.encounters[battle.encounter].option_count)}
    return {*delve.usable_options(battle, battle.participants[actor], delve.PASSES), delve.PASSES}


def masked_decisions(env: BattleEnv, mask: Any) -> set[tuple[int, int]]:
    interface, side = env._match.batch.interface, int(env._match.batch.agents[0])
    return {interface.decode(side, int(action)) for action in np.flatnonzero(mask)}


def check_masks(ruleset: str, scenarios: int) -> int:
    """Compare masks with the legal choices at random decisions; how many."""
    states = 0
    for number in range(scenarios):
        env, rng = random_env(ruleset, number), np.random.default_rng(number)
        with suppress(fracas.UsageError):  # decided before an agent has anything to choose
            seen, _ = env.reset(seed=number)
        if not env._match.deciding():
            continue
        over = False
        for _ in range(12):
            if over:
                break
            assert env.observation_space.contains(seen)
            assert masked_decisions(env, seen["action_mask"]) == legal_decisions(env)
            states += 1
            seen, _, over, _, _ = env.step(legal_choice(seen["action_mask"], rng))
    return states


@pytest.mark.parametrize("ruleset", RULESETS)
def test_masks_are_the_legal_choices(ruleset: str) -> None:
    assert check_masks(ruleset, SCENARIOS) > 10


def change_result(monkeypatch: pytest.MonkeyPatch, ruleset: str, name: str, change: Callable[..., None]) -> None:
    """Plant a fault: what a kernel of the stepping has written is changed afterwards. change: takes its arguments."""
    stepping = import_module(f"fracas.rulesets.{ruleset}.rules.stepping")
    kernel = getattr(stepping, name)

    def faulty(*arguments: Any) -> None:
        kernel(*arguments)
        change(*arguments)

    monkeypatch.setattr(stepping, name, faulty)


def allow_too_much(*arguments: Any) -> None:
    mask = arguments[-1]
    if mask.any():
        mask[np.flatnonzero(mask == 0)[0]] = 1


def allow_too_little(*arguments: Any) -> None:
    mask = arguments[-1]
    if mask.sum() > 1:
        mask[np.flatnonzero(mask)[-1]] = 0


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("lie", [allow_too_much, allow_too_little])
def test_a_mask_that_lies_is_caught(ruleset: str, lie: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    change_result(monkeypatch, ruleset, "mark_legal", lie)
    with pytest.raises(AssertionError):
        check_masks(ruleset, SCENARIOS)


# Each ruleset with one of its sides; in a soak with both.
@pytest.mark.parametrize(
    ("ruleset", "side"),
    [(name, side) for place, name in enumerate(RULESETS) for side in (1, 2) if soak.is_on() or side == 1 + place % 2],
)
def test_an_episode_is_a_battle_whose_replay_verifies(ruleset: str, side: int, tmp_path: Path) -> None:
    battle = play_at_random(BattleEnv(ruleset, side=side), seed=5, stream=7)
    file = tmp_path / "episode.json"
    battle.save(file)
    verification = fracas.verify(file)
    assert verification.matches
    assert verification.battle.digest == battle.digest
    assert (battle.stream, battle.decisions.sides) == (7, [side])
    assert "agent" in battle.story("decisions") or ruleset in ("titans", "stacks", "delve")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "decisions: end after"),
        (lambda rows: [*rows, rows[-1]], "decisions: continue after number"),
        (lambda rows: [[1, 0, 7, -1], *rows[1:]], r"decisions.rows.0: is \[1, 0, 7, -1\], which is not a legal"),
        (lambda rows: [[2, *rows[0][1:]], *rows[1:]], r"contains decisions of sides other than \[1\]"),
    ],
)
def test_edited_decisions_are_refused(change: Any, message: str, tmp_path: Path) -> None:
    file = tmp_path / "episode.json"
    play_at_random(BattleEnv("titans"), seed=5).save(file)
    document = json.loads(file.read_text())
    document["decisions"]["rows"] = change(document["decisions"]["rows"])
    file.write_text(json.dumps(document))
    with pytest.raises(fracas.InputError, match=message):
        fracas.verify(file)


def test_another_decision_gives_another_battle(tmp_path: Path) -> None:
    file = tmp_path / "episode.json"
    play_at_random(BattleEnv("titans"), seed=5).save(file)
    document = json.loads(file.read_text())
    rows = document["decisions"]["rows"]
    document["decisions"]["rows"][0][2] = 1 - min(rows[0][2], 1)
    file.write_text(json.dumps(document))
    with suppress(fracas.InputError):  # the battle goes on after the last decision
        assert not fracas.verify(file).matches


def test_hidden_stats_stay_hidden() -> None:
    scenario = fracas.load("examples/titans/standard.toml").document
    observations = {}
    for public in (True, False):
        for attack in (5, 9):
            document = json.loads(json.dumps(scenario))
            document["options"]["stats_public"] = public
            document["players"][1]["titan"]["attack"] = attack
            observations[public, attack] = BattleEnv("titans", document).reset(seed=1)[0]["observation"]
    assert (observations[False, 5] == observations[False, 9]).all()
    assert (observations[True, 5] != observations[True, 9]).any(), "an observation that leaks would be caught"


def hide_titans(battles: Any) -> None:
    """Another choice and policy of the enemy."""
    battles["titans"]["choice"][:, 1] += 1
    battles["policies"]["kind"][:, 1] += 1
    battles["policies"]["rules"]["chance"][:, 1] = 7


def hide_squads(battles: Any) -> None:
    """Other priorities of the enemy."""
    battles["sides"]["priorities"][:, 1] = battles["sides"]["priorities"][:, 1, ::-1]
    battles["sides"]["priority_count"][:, 1] = 1


def hide_delve(battles: Any) -> None:
    """Other queues of the enemies, and other loot."""
    for enemy in battles["participants"][0, 8:]:
        slots = slice(int(enemy["first_slot"]), int(enemy["first_slot"] + enemy["slot_count"]))
        battles["queue_slots"]["selector"][:, slots] += 1
        battles["queue_slots"]["first_step"][:, slots] = 0
    battles["drops"]["template"] += 1


def hide_stacks(battles: Any) -> None:
    """Other initiative, and other numbers of moves that the enemy made; one's own decide what is still legal."""
    battles["participants"]["initiative"] += 5
    battles["participants"]["used"][battles["participants"]["side"] == 1] += 1


HIDDEN = {"titans": hide_titans, "squads": hide_squads, "delve": hide_delve, "stacks": hide_stacks}
# What writes observations, and what sets battles up.
SEES = {"titans": "see_duel", "squads": "see_battle", "delve": "see_delve", "stacks": "see_attack"}
SETS_UP = {"titans": "set_up", "squads": "set_up", "delve": "start_run", "stacks": "set_up"}
HEALTH = {
    "titans": ("titans", "hp"),
    "squads": ("units", "hp"),
    "delve": ("participants", "hp"),
    "stacks": ("participants", "health"),
}


def check_hidden(ruleset: str) -> None:
    """In the middle of a battle, hidden parts of its record change, and nothing that is seen does."""
    env, rng = BattleEnv(ruleset), np.random.default_rng(5)
    seen, _ = env.reset(seed=5)
    for _ in range(3):
        seen, *_ = env.step(legal_choice(seen["action_mask"], rng))
    battles = env._match.batch.battles
    HIDDEN[ruleset](battles)
    for name in ("key", "stream", "words", "tick", "lane", "cursor"):
        battles["dice"][name] += 1
    env._match.batch.look()
    after = env._match.seen_by(0)
    np.testing.assert_array_equal(after["observation"], seen["observation"])
    np.testing.assert_array_equal(after["action_mask"], seen["action_mask"])
    whose, health = HEALTH[ruleset]
    battles[whose][health] //= 2
    env._match.batch.look()
    assert (env._match.seen_by(0)["observation"] != seen["observation"]).any(), "what is seen would be noticed"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_observation_has_nothing_that_is_hidden(ruleset: str) -> None:
    check_hidden(ruleset)


# What an observation of a battle could leak.
SECRETS = {
    "titans": lambda battle: battle.titans[1].choice,
    "squads": lambda battle: battle.sides[1].priority_count,
    "delve": lambda battle: battle.queue_slots["selector"].sum(),
    "stacks": lambda battle: battle.participants["initiative"].sum(),
}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("leaks_dice", [True, False])
def test_an_observation_that_leaks_is_caught(ruleset: str, leaks_dice: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(battle: Any, *arguments: Any) -> None:
        arguments[-2][0] += battle.dice.cursor if leaks_dice else SECRETS[ruleset](battle)

    change_result(monkeypatch, ruleset, SEES[ruleset], leak)
    with pytest.raises(AssertionError, match="not equal"):
        check_hidden(ruleset)


def check_reset(ruleset: str) -> None:
    """After another battle, a battle goes as it goes in a new environment."""
    fresh, used = BattleEnv(ruleset), BattleEnv(ruleset)
    play_at_random(used, seed=9, steps=25)
    seen, again = fresh.reset(seed=2)[0], used.reset(seed=2)[0]
    rng = np.random.default_rng(2)
    over = False
    for _ in range(25):
        np.testing.assert_array_equal(seen["observation"], again["observation"])
        np.testing.assert_array_equal(seen["action_mask"], again["action_mask"])
        if over:
            break
        action = legal_choice(seen["action_mask"], rng)
        seen, reward, over, _, _ = fresh.step(action)
        again, reward_again, over_again, _, _ = used.step(action)
        assert (reward, over) == (reward_again, over_again)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_reset_forgets_the_last_battle(ruleset: str) -> None:
    check_reset(ruleset)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_reset_that_forgets_to_forget_is_caught(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first battle of each record is set up, and later ones begin with what is left of the last."""
    stepping = import_module(f"fracas.rulesets.{ruleset}.rules.stepping")
    set_up = getattr(stepping, SETS_UP[ruleset])
    known: set[int] = set()

    def once(battle: Any, log: Any) -> None:
        place = battle.__array_interface__["data"][0]
        if place not in known:
            set_up(battle, log)
        battle.reason = 0
        known.add(place)

    monkeypatch.setattr(stepping, SETS_UP[ruleset], once)
    # Whichever of them is met first: an illegal choice, decisions after the end, another battle.
    with pytest.raises((AssertionError, fracas.UsageError, fracas.InputError)):
        check_reset(ruleset)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_snapshots_go_back_and_hold_no_dice(ruleset: str) -> None:
    env, rng = BattleEnv(ruleset), np.random.default_rng(0)
    seen, _ = env.reset(seed=4)
    snapshot = env.snapshot()
    actions: list[int] = []
    digests: list[str] = []
    for _ in range(2):
        env.restore(snapshot)
        over, step = False, 0
        seen = env._match.seen_by(0)
        while not over:
            if step == len(actions):
                actions.append(legal_choice(seen["action_mask"], rng))
            seen, _, over, _, _ = env.step(actions[step])
            step += 1
        digests.append(env.battle().digest)
    assert digests[0] == digests[1]
    key = env._match.batch.battles["dice"]["key"].tobytes()
    assert key not in snapshot.record


@pytest.mark.parametrize("ruleset", RULESETS)
def test_children_never_use_the_dice_of_the_battle(ruleset: str) -> None:
    env = BattleEnv(ruleset)
    seen, _ = env.reset(seed=4)
    children = env.children(int(np.flatnonzero(seen["action_mask"])[0]), samples=3)
    assert children.observations.shape == (3, 1, len(seen["observation"]))
    search, match = children._play, env._match
    keys = search.battles["dice"]["key"]
    assert (keys != match.batch.battles["dice"]["key"]).any(axis=1).all()
    rolls = []
    for battle in (match.batch.battles[0], search.battles[0]):
        open_address(battle.dice, 1, 0)
        rolls.append([below(battle.dice, 1000) for _ in range(8)])
    assert rolls[0] != rolls[1]


def test_a_snapshot_of_another_battle_is_refused() -> None:
    env, other = BattleEnv("titans"), BattleEnv("titans", "examples/titans/striker-vessel.toml")
    env.reset(seed=4)
    snapshot = env.snapshot()
    env.reset()
    with pytest.raises(fracas.FracasError, match="is of battle 0 of this seed; this environment plays battle 1"):
        env.restore(snapshot)
    env.reset(seed=5)
    with pytest.raises(fracas.FracasError, match="is of another seed, another scenario or another environment"):
        env.restore(snapshot)
    other.reset(seed=4)
    with pytest.raises(fracas.FracasError, match="is of another seed, another scenario or another environment"):
        other.restore(snapshot)


def test_names_of_actions_match_the_masks() -> None:
    for ruleset in RULESETS:
        env = BattleEnv(ruleset)
        seen, info = env.reset(seed=1)
        assert all(info["actions"][action] for action in np.flatnonzero(seen["action_mask"]))


def test_steps_make_no_list_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """E9: most of a single environment's step was the list of its actions. `reset` tells it, made once a content."""
    env, made = BattleEnv("titans"), Counter[int]()
    interface = env._match.batch.interface

    def names(document: Any, side: int) -> list[str]:
        made[side] += 1
        return interface.action_names(document, side)

    monkeypatch.setattr(env._match.batch, "interface", replace(interface, action_names=names))
    for seed in (1, 2):
        seen, info = env.reset(seed=seed)
        assert info["actions"][0] == "attack"
        over = False
        while not over:
            seen, _, over, _, info = env.step(int(seen["action_mask"].argmax()))
            assert set(info) == {"was_legal"}
    assert made == {0: 1}


def test_what_cannot_hold_decisions_refuses_them(tmp_path: Path) -> None:
    file = tmp_path / "episode.json"
    battle = play_at_random(BattleEnv("titans"), seed=5)
    battle.save(file)
    with pytest.raises(fracas.InputError, match="contains decisions of agents, which a bundle cannot contain"):
        bundle_of(battle)
    assert "agents decided in this battle" in page_of(battle)
    document = json.loads(file.read_text())
    document["plugins"] = [{"name": "blow", "source_hash": "0" * 64}]
    file.write_text(json.dumps(document))
    with pytest.raises(fracas.InputError, match="contains both plug-ins and decisions"):
        fracas.verify(file)


def test_scenarios_with_plugins_are_refused(tmp_path: Path) -> None:
    scenario = fracas.load(duel(options=chain_with("double")), plugins=[plugin_file(tmp_path)])
    with pytest.raises(fracas.UsageError, match="uses plug-ins, which environments do not play"):
        BattleEnv("squads", scenario)


def test_the_first_reason_of_every_ruleset_means_undecided() -> None:
    """What the shared kernels take for a battle that is still under way."""
    assert {registry.get(name).reasons[0] for name in registry.NAMES} == {"undecided"}
