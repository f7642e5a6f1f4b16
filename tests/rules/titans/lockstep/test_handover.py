"""Duels change hands at the start of any round: lanes leave every titan as the rules leave it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import LEFT, Lanes

import fracas
from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import FROM_ROUND, FROM_SET_UP, WITH_CHOICE, as_words, mutable_spans, save_snapshot
from fracas.lanes.lane_state import BLOCKS_DRAWN
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import LANES, no_lanes, one_lane
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.titans.lockstep import state as rows
from fracas.rulesets.titans.lockstep.entry_points import clear
from fracas.rulesets.titans.lockstep.handover import load_lane
from fracas.rulesets.titans.lockstep.rounds import play_round
from fracas.rulesets.titans.rules.constants import ATTACK, CHOICES, FIRST_ABILITY, PLAYERS, STATS, UNDECIDED
from fracas.rulesets.titans.rules.mechanics import play_round as play_round_by_rules
from fracas.rulesets.titans.rules.mechanics import set_up

TITANS = Lanes("titans")
FOLDER = Path(__file__).parents[4] / "examples" / "titans"
SEVERAL = 5


def differences(state: Any, battle: Any, lane: int) -> list[str]:
    """In what a lane differs from a duel that the rules have played."""
    found = []
    for index in range(PLAYERS):
        one = battle.titans[index]
        fields = {
            "charge": (state.rows[rows.CHARGE + index], one.charge),
            "choice": (state.rows[rows.CHOICE + index], one.choice + 1),
            "last_choice": (state.rows[rows.LAST_CHOICE + index], one.last_choice + 1),
            "missed": (state.rows[rows.MISSED + index], one.missed),
            "shield": (state.reals[rows.SHIELD + index], one.shield),
        }
        for place in range(battle.change_count):
            fields[f"until {place}"] = (state.rows[rows.UNTIL + PLAYERS * place + index], one.until[place])
        for stat, name in enumerate(STATS):
            fields[name] = (state.reals[rows.NOW + PLAYERS * stat + index], one.now[stat])
        raised = sum(one.until[place] > 0 and battle.changes[place].percent > 0 for place in range(battle.change_count))
        fields["raised"] = (state.rows[rows.RAISED + index], raised)
        fields["lowered"] = (state.rows[rows.LOWERED + index], one.active - raised)
        found += [f"{index}.{name}" for name, (lanes, number) in fields.items() if lanes[lane] != number]
    return found


def play_in_both(record: Rows, lanes: int) -> int:
    """Play duels by the rules, and each of their rounds in lanes too, handed over at its start."""
    plans = TITANS.plain_plan(record)
    states = aligned_records(rows.lanes_t)
    battles = [record.copy() for _ in range(lanes)]
    for stream, each in enumerate(battles):
        seek_stream(each[0].dice, stream)
        set_up(each[0], None)
    clear(states[0], battles[0][0], plans[0])
    rounds = 0
    while battles:
        running = no_lanes()
        for lane, each in enumerate(battles):
            load_lane(states[0], each[0], plans[0], lane, lane)
            running = running | one_lane(lane)
        left = play_round(states[0], battles[0][0], plans[0], running)
        for lane, each in enumerate(battles):
            play_round_by_rules(each[0], None)
            assert left[lane] == (each[0].reason == UNDECIDED)
            # Once a duel is decided, only HP, charge and dice count.
            if each[0].reason == UNDECIDED:
                assert differences(states[0], each[0], lane) == []
            for row, field in ((rows.HP, "hp"), (rows.CHARGE, "charge")):
                assert np.array_equal(states[0].rows[row : row + PLAYERS, lane], each[0].titans[field])
            assert states[0].words[BLOCKS_DRAWN, lane] == each[0].dice.blocks_drawn
            rounds += 1
        battles = [each for each in battles if each[0].reason == UNDECIDED]
    return rounds


@pytest.mark.parametrize("name", ["head-profile", "striker-weaver", "bastion-weaver", "forfeit", "weaver-vessel"])
def test_every_round_of_a_duel_may_be_handed_over(name: str) -> None:
    assert play_in_both(fracas.load(FOLDER / f"{name}.toml").compiled.record, SEVERAL) > SEVERAL


def test_every_round_of_random_duels_may_be_handed_over() -> None:
    played = 0
    for number in range(12):
        record = fracas.load(registry.get("titans").random_scenario(number)).compiled.record
        if TITANS.plain_plan(record)[0].bits:
            played += play_in_both(record, 2)
    assert played > 0


@pytest.mark.parametrize("kind", [FROM_SET_UP, FROM_ROUND, WITH_CHOICE])
@pytest.mark.parametrize(("name", "rounds"), [("head-profile", 3), ("weaver-vessel", 3), ("forfeit", 4)])
def test_rollouts_come_out_alike(kind: int, name: str, rounds: int) -> None:
    record = fracas.load(FOLDER / f"{name}.toml").compiled.record.copy()
    spans = mutable_spans(TITANS.kernels.battle_type, TITANS.kernels.constant_fields)
    seek_stream(record[0].dice, 5)
    set_up(record[0], None)
    for _ in range(rounds):
        play_round_by_rules(record[0], None)
    assert record[0].reason == UNDECIDED
    kept = save_snapshot(record, spans)
    place = np.array([kind, ATTACK, FIRST_ABILITY], np.int64)
    assert place.max() < CHOICES
    expected, found = (np.zeros(2 * LANES + 7, TITANS.kernels.result_type) for _ in range(2))
    one = record.copy()
    assert TITANS.kernels.resume_many is not None
    TITANS.kernels.resume_many(one, as_words(one), kept, spans, 2**32 - 60, expected, place, None)
    plans, states, other = TITANS.native_plan(record), aligned_records(rows.lanes_t), record.copy()
    TITANS.native("resume_in_lanes")(other, plans, states, as_words(other), kept, spans, 2**32 - 60, found, place)
    kept_rows = found["winner"] != LEFT
    assert kept_rows.sum() >= 2 * LANES
    assert np.array_equal(found[kept_rows], expected[kept_rows])
