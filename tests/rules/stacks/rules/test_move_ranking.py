"""The ranking of moves chooses what valuing all pairs chooses: policies.py is its oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.helpers.prepared_battles import Preparation

import fracas
from fracas.kernel import jit
from fracas.rulesets import registry
from fracas.rulesets.stacks.rules.constants import (
    BOMBARD,
    CHARGE,
    HEALING,
    JAVELIN,
    PREPARED,
    SACRIFICE,
    UNPREPARED,
    WITHOUT_RANKING,
)
from fracas.rulesets.stacks.rules.entry_points import prepare_battles
from fracas.rulesets.stacks.rules.move_ranking import ENTRY_MASK, TARGET_SHIFT
from fracas.rulesets.stacks.rules.policies import choose_move
from fracas.rulesets.stacks.rules.preparation import prepare

EXAMPLE = Path(__file__).parents[4] / "examples" / "stacks" / "standard-16v16.toml"
KERNELS = registry.get("stacks").kernels
BATTLES = 24
SCENARIOS = 40
RANKING = Preparation("stacks", "ranking", PREPARED, WITHOUT_RANKING, BATTLES)


def test_random_battles_come_out_as_with_all_pairs_valued() -> None:
    assert 5 < RANKING.compare_random(SCENARIOS) < SCENARIOS, "exact and sampled values are tried"


def test_all_shipped_scenarios_come_out_as_with_all_pairs_valued() -> None:
    for file in sorted(EXAMPLE.parent.glob("*.toml")):
        scenario = fracas.load(file)
        if scenario.compiled.plugins:
            continue
        records = scenario.compiled.record
        assert np.array_equal(RANKING.results(records, prepared=True), RANKING.results(records, prepared=False)), file


@pytest.mark.parametrize("estimate", ["attack", "value"])
def test_each_choice_is_the_one_of_all_pairs(estimate: str) -> None:
    """Row for row: every participant's choice in states of many kinds, among them equal values."""
    records = fracas.load(EXAMPLE, overrides={"options.charge_estimate": estimate}).compiled.record.copy()
    battle = records[0]
    prepare(battle)
    assert battle.ranking.state == PREPARED
    draw = np.random.default_rng(7)
    chosen_moves = set()
    numbers = battle.involved[: battle.involved_count]
    for _ in range(30):
        battle.turn = draw.integers(0, 2)
        share_living, like = draw.choice([0.2, 0.7, 1.0]), draw.integers(1, 4)
        for number in numbers:
            one = battle.participants[number]
            one.health = draw.integers(like, one.full_health + 1) if draw.random() < share_living else 0
            one.used[JAVELIN] = draw.integers(0, 2)
            one.used[HEALING] = draw.integers(0, 4)
        for actor in numbers:
            if battle.participants[actor].health > 0:
                battle.ranking.state = PREPARED
                choose_move(battle, actor, None, None)
                looked_up = battle.chosen_target, battle.chosen_move
                battle.ranking.state = WITHOUT_RANKING
                choose_move(battle, actor, None, None)
                assert looked_up == (battle.chosen_target, battle.chosen_move)
                chosen_moves.add(int(battle.chosen_move))
    assert chosen_moves >= {CHARGE, JAVELIN, HEALING, BOMBARD, SACRIFICE}


def test_a_wrong_entry_is_noticed() -> None:
    """A negative control."""
    records = fracas.load(EXAMPLE).compiled.record.copy()
    right = RANKING.results(records, prepared=True)
    prepare(records[0])
    ranked = records[0].ranking.participants[int(records[0].involved[0])]
    first, second = int(ranked.first), int(ranked.first_turn) - 1
    pairs = records[0].ranking.pairs
    pairs[first], pairs[second] = pairs[second], pairs[first]
    assert not np.array_equal(RANKING.results(records, prepared=True), right)


def test_an_edited_record_that_is_prepared_again_equals_one_that_is_compiled_anew() -> None:
    scenario = fracas.load(EXAMPLE)
    edited = scenario.compiled.record.copy()
    # As it is after battles: hurt, with moves used up.
    jit.native(KERNELS.play_many)(edited, 0, np.zeros(BATTLES, KERNELS.result_type), None, None)
    anew = scenario.compiled.record.copy()
    for record in (edited, anew):
        for place, number in enumerate(record[0].involved[: record[0].involved_count]):
            record[0].participants[number].first_defence = 9 - place // 2 % 8
    stale = RANKING.results(edited, prepared=True)
    prepare(edited[0])
    prepare(anew[0])
    assert edited[0].ranking.tobytes() == anew[0].ranking.tobytes()
    wanted = RANKING.results(anew, prepared=False)
    assert np.array_equal(RANKING.results(edited, prepared=True), wanted)
    assert not np.array_equal(stale, wanted), "the edit matters"


def test_sampled_values_and_plug_ins_have_no_ranking() -> None:
    sampled = fracas.load(EXAMPLE, overrides={"options.valuation": "sampled"}).compiled.record.copy()
    prepare(sampled[0])
    assert sampled[0].ranking.state == WITHOUT_RANKING
    with_plugin = fracas.load(EXAMPLE).compiled.record.copy()
    with_plugin[0].move_type_count += 1
    prepare(with_plugin[0])
    assert with_plugin[0].ranking.state == WITHOUT_RANKING


def test_few_battles_and_logged_ones_rank_nothing() -> None:
    records = fracas.load(EXAMPLE.with_name("first-attack.toml")).compiled.record.copy()
    KERNELS.play_many(records, 0, np.zeros(2, KERNELS.result_type), None, None)
    KERNELS.play_many(records, 0, np.zeros(1, KERNELS.result_type), np.zeros(1, KERNELS.log_type), None)
    assert records[0].ranking.state == UNPREPARED


def test_plain_and_compiled_rank_the_same() -> None:
    one, other = (fracas.load(EXAMPLE).compiled.record.copy() for _ in range(2))
    prepare_battles(one)
    jit.native(prepare_battles)(other)
    assert one.tobytes() == other.tobytes()
    battle = one[0]
    for number in battle.involved[: battle.involved_count]:
        ranked = battle.ranking.participants[number]
        pairs = [int(pair) for pair in battle.ranking.pairs[ranked.first : ranked.end]]
        assert len(set(pairs)) == len(pairs) > 0
        assert {battle.participants[pair >> TARGET_SHIFT].side for pair in pairs} == {
            1 - battle.participants[number].side
        }
        assert max(pair & ENTRY_MASK for pair in pairs) < battle.participants[number].move_count
