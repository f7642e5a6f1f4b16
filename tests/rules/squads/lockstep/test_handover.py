"""Battles change hands at the start of any round: lanes leave every unit as the rules leave it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import KERNELS, LEFT, native, native_plan, plain_plan
from tests.helpers.soak import some

import fracas
from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import (
    FROM_DECISION,
    FROM_ROUND,
    FROM_SET_UP,
    WITH_CHOICE,
    as_words,
    mutable_spans,
    save_snapshot,
)
from fracas.lanes.lane_state import BLOCKS_DRAWN
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import LANES, one_lane
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.handover import load_lane
from fracas.rulesets.squads.lockstep.rounds import play_round
from fracas.rulesets.squads.lockstep.state import STATE_TYPES
from fracas.rulesets.squads.rules.constants import BY_CHARGE, SLOTS, UNDECIDED
from fracas.rulesets.squads.rules.entry_points import play_until
from fracas.rulesets.squads.rules.mechanics import play_round as play_round_by_rules
from fracas.rulesets.squads.rules.mechanics import set_up

FOLDER = Path(__file__).parents[4] / "examples" / "squads"
# Each row of lanes that holds a field of a unit as it is.
FIELDS = {
    "hp": rows.HP,
    "charge": rows.CHARGE,
    "cooldown": rows.COOLDOWN,
    "shield": rows.SHIELD,
    "taunt_until": rows.TAUNT_UNTIL,
    "stunned": rows.STUNNED,
    "just_stunned": rows.JUST_STUNNED,
    "wound": rows.WOUND,
    "wound_strikes": rows.WOUND_STRIKES,
}
SEVERAL = 5


def differences(state: Any, plan: Any, battle: Any, lane: int) -> list[str]:
    """In what a lane differs from a battle that the rules have played."""
    found = []
    for index in battle.by_speed[: battle.fielded]:
        unit = battle.units[index]
        if unit.hp > 0:
            found += [f"{index}.{name}" for name, row in FIELDS.items() if state.rows[row + index, lane] != unit[name]]
            if battle.options.ultimate_rule != BY_CHARGE:
                # Under the other rule nobody looks at it, and lanes do not count it.
                row = state.rows[rows.ULTIMATE_COOLDOWN + index]
                found += [f"{index}.ultimate_cooldown"] * int(row[lane] != unit.ultimate_cooldown)
            up = plan.ups[unit.side, state.rows[rows.ATTACK_UP + index, lane]]
            down = plan.downs[unit.side, state.rows[rows.ATTACK_DOWN + index, lane]]
            if (up, down) != (unit.attack_up, unit.attack_down):
                found.append(f"{index}.attack")
    return found


def play_in_both(record: Rows, lanes: int) -> int:
    """Play battles by the rules, and each of their rounds in lanes too, handed over at its start."""
    plans = plain_plan(record)
    states = aligned_records(STATE_TYPES[int(plans[0].bits)])
    battles = [record.copy() for _ in range(lanes)]
    for stream, each in enumerate(battles):
        seek_stream(each[0].dice, stream)
        set_up(each[0], None)
    rounds = 0
    while battles:
        running = ~(one_lane(0) | ~one_lane(0))
        for lane, each in enumerate(battles):
            load_lane(states[0], each[0], plans[0], lane, lane)
            running = running | one_lane(lane)
        left = play_round(states[0], battles[0][0], plans[0], running)
        for lane, each in enumerate(battles):
            play_round_by_rules(each[0], None, None)
            assert left[lane] == (each[0].reason == UNDECIDED)
            # Once a battle is decided, only HP and dice count.
            if each[0].reason == UNDECIDED:
                assert differences(states[0], plans[0], each[0], lane) == []
            hp = states[0].rows[rows.HP : rows.HP + SLOTS, lane]
            assert np.array_equal(hp, each[0].units["hp"])
            assert states[0].words[BLOCKS_DRAWN, lane] == each[0].dice.blocks_drawn
            rounds += 1
        battles = [each for each in battles if each[0].reason == UNDECIDED]
    return rounds


@pytest.mark.parametrize("name", some(["attack-up-down", "damage-over-time", "shields", "stun", "taunt"], 3))
def test_every_round_of_a_battle_may_be_handed_over(name: str) -> None:
    assert play_in_both(fracas.load(FOLDER / f"{name}.toml").compiled.record, SEVERAL) > SEVERAL


def test_every_round_of_random_battles_may_be_handed_over() -> None:
    for number in some((3, 21, 34, 36), 2):
        play_in_both(fracas.load(registry.get("squads").random_scenario(number)).compiled.record, 2)


@pytest.mark.parametrize("kind", [FROM_SET_UP, FROM_ROUND, FROM_DECISION, WITH_CHOICE])
def test_rollouts_come_out_alike(kind: int) -> None:
    record = fracas.load(FOLDER / "standard-5v5.toml").compiled.record.copy()
    spans = mutable_spans(KERNELS.battle_type, KERNELS.constant_fields)
    assert play_until(record[0], 5, 2, 1, None)
    at = [int(key) & 15 for key in record[0].order_keys[: record[0].order_count]].index(1)
    kept = save_snapshot(record, spans)
    place = np.array([kind, at, 0, 8, 0], np.int64)
    expected, found = (np.zeros(2 * LANES + 7, KERNELS.result_type) for _ in range(2))
    one = record.copy()
    native("resume_many")(one, as_words(one), kept, spans, 2**32 - 60, expected, place, None)
    plans = native_plan(record)
    states = aligned_records(STATE_TYPES[int(plans[0].bits)])
    other = record.copy()
    native("resume_in_lanes")(other, plans, states, as_words(other), kept, spans, 2**32 - 60, found, place)
    kept_rows = found["winner"] != LEFT
    assert kept_rows.sum() >= 2 * LANES
    assert np.array_equal(found[kept_rows], expected[kept_rows])
