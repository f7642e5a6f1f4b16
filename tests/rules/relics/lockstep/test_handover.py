"""Battles change hands between any two turns: lanes leave both fighters as the rules leave them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.helpers.relics_lanes import plain_plan, random_record, record_of
from tests.helpers.soak import some

from fracas.kernel.dice import seek_stream
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import load_mask, one_lane
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.handover import clear, enter, give_dice, signed
from fracas.rulesets.relics.lockstep.turns import play_turn as play_turn_in_lanes
from fracas.rulesets.relics.rules.constants import COUNTDOWN, UNDECIDED, VALUE_SLOTS
from fracas.rulesets.relics.rules.setup import set_up
from fracas.rulesets.relics.rules.turns import play_turn

FIELDS = {
    "own_turn": rows.OWN_TURN,
    "phase": rows.PHASE,
    "strikes_made": rows.STRIKES_MADE,
    "extra_next": rows.EXTRA_NEXT,
    "extra_always": rows.EXTRA_ALWAYS,
}
MARKS = {
    "struck": rows.STRUCK,
    "reflected": rows.REFLECTED,
    "exposed": rows.IS_EXPOSED,
    "wounded": rows.IS_WOUNDED,
}
SUMS = {"dealt": rows.DEALT, "absorbed": rows.ABSORBED, "healed": rows.HEALED}
SEVERAL = 4


def differences(state: Any, plan: Any, battle: Any, lane: int) -> list[str]:
    """In what a lane differs from a battle that the rules have played."""
    found = []
    for side in (0, 1):
        fighter = battle.fighters[side]
        values = [signed(state, rows.VALUES + side * VALUE_SLOTS + place, lane) for place in range(VALUE_SLOTS)]
        found += [f"{side}.values"] * (values != fighter.values.tolist())
        found += [f"{side}.{name}" for name, row in FIELDS.items() if signed(state, row + side, lane) != fighter[name]]
        found += [f"{side}.{name}" for name, row in SUMS.items() if state.words[row + side, lane] != fighter[name]]
        for name, row in MARKS.items():
            found += [f"{side}.{name}"] * (bool(load_mask(state, row + side)[lane]) != bool(fighter[name]))
        span = battle.builds[side].effects
        for place in range(span.first, span.first + span.entries):
            run, effect = battle.runs[place], battle.effects[place]
            if effect.per_battle > 0 and state.rows[rows.THIS_BATTLE + place, lane] != run.this_battle:
                found.append(f"{place}.this_battle")
            if effect.trigger == COUNTDOWN and state.rows[rows.TURNS_LEFT + place, lane] != run.left:
                found.append(f"{place}.left")
    pieces = [piece for piece in range(64) if plan.counters >> piece & 1]
    found += [f"counter {each}" for each in pieces if state.rows[rows.COUNTERS + each, lane] != battle.counters[each]]
    found += ["cuts"] * int(state.rows[rows.CUTS, lane] != battle.cut_count)
    found += ["blocks"] * int(state.words[rows.BLOCKS_DRAWN, lane] != battle.dice.blocks_drawn)
    return found


def play_in_both(record: Rows, lanes: int) -> int:
    """Play battles by the rules, and each of their turns in lanes too, handed over at its start; returns the turns."""
    plan, states = plain_plan(record)[0], aligned_records(rows.lanes_t)
    state = states[0]
    assert plan.bits
    turns = 0
    for stream in range(lanes):
        battle = record.copy()[0]
        seek_stream(battle.dice, stream)
        set_up(battle, None)
        while battle.reason == UNDECIDED and turns < 60 * (stream + 1):
            lane = one_lane(stream)
            clear(state)
            give_dice(state, stream, stream, 0)
            enter(state, battle, plan, lane)
            state.words[rows.BLOCKS_DRAWN, stream] = battle.dice.blocks_drawn
            play_turn_in_lanes(state, record[0], battle.first ^ (battle.turn & 1), lane)
            play_turn(battle, None)
            assert load_mask(state, rows.ALIVE)[stream] == (battle.reason == UNDECIDED)
            assert signed(state, rows.REASON, stream) == battle.reason
            assert signed(state, rows.WINNER, stream) == battle.winner
            assert differences(state, plan, battle, stream) == []
            turns += 1
    return turns


@pytest.mark.parametrize("name", some(["standard", "home-made-items", "the-lamplighter", "own-statuses"], 2))
def test_every_turn_of_a_battle_may_be_handed_over(name: str) -> None:
    with np.errstate(over="ignore"):
        assert play_in_both(record_of(name), SEVERAL) > SEVERAL


def test_every_turn_of_random_battles_may_be_handed_over() -> None:
    with np.errstate(over="ignore"):
        for number in some((4, 9, 21, 78), 2):
            play_in_both(random_record(number), 2)
