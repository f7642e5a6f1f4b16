"""Plays a squads battle from set-up or from any place in it, and defines the compiled entry points.

The rules: squads/README.md, Order of play.
"""

from __future__ import annotations

from fracas.kernel.dice import open_address, seek_stream
from fracas.kernel.entry_points import batch, enumerator, rollout
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_DECISION, FROM_SET_UP, WITH_CHOICE, stops_before
from fracas.rulesets.squads.rules.constants import UNDECIDED
from fracas.rulesets.squads.rules.mechanics import (
    act_on,
    begin_turn,
    play_round,
    set_up,
    start_round,
    take_turn,
    take_turns,
)
from fracas.rulesets.squads.rules.outcome import announce_outcome, decide_if_wiped_out, hp_left
from fracas.rulesets.squads.rules.policies import choose_action
from fracas.rulesets.squads.rules.state_enumeration import STATE, step
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def play(battle, log, plugins) -> None:
    """Play one battle from set-up to outcome."""
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_round(battle, log, plugins)
    announce_outcome(battle, log)


@kernel
def write_result(battle, result) -> None:
    """Write a battle's result (README, End)."""
    result.rounds = battle.tick
    for side in range(len(battle.sides)):
        result.hp_left[side] = hp_left(battle, side)
        result.units_left[side] = battle.sides[side].living


def state_parts(battle) -> tuple[str, ...]:
    """The parts of a battle's record that make up its state."""
    return *STATE, *(f"units.{index}" for index in battle.by_speed[: battle.fielded])


@kernel
def enter(battle, place, plugins) -> int:
    """Start from a place (analysis/decision_points.py); returns the next turn, NOBODY if a round is next."""
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    elif place[0] == FROM_DECISION:
        return place[1]
    elif place[0] == WITH_CHOICE:
        take_turn_as(battle, unit_at(battle, battle.order_keys[place[1]]), place[2], place[3], plugins)
        decide_if_wiped_out(battle)
        return place[1] + 1
    return NOBODY


@kernel
def resume(battle, place, plugins) -> None:
    """Play a battle from a place to its outcome, or to the round before which the place says to stop."""
    first = enter(battle, place, plugins)
    while battle.reason == UNDECIDED:
        if first == NOBODY:
            if stops_before(place, battle.tick + 1):
                return
            start_round(battle, None)
            first = 0
        take_turns(battle, first, None, plugins)
        first = NOBODY


@kernel
def take_turn_as(battle, unit, choice: int, target: int, plugins) -> None:
    """A unit's turn with a given choice and target; the strategy's own choice is made and then ignored.

    README, A turn.
    """
    if begin_turn(battle, unit, None):
        choose_action(battle, unit)
        open_address(battle.dice, battle.tick, unit.index)
        act_on(battle, unit, choice, target, None, plugins)


def play_until(battle, stream: int, wanted_round: int, index: int, plugins) -> bool:
    """Play one battle, in plain Python, up to a unit's decision in a round; False if it never makes that decision."""
    seek_stream(battle.dice, stream)
    set_up(battle, None)
    while battle.reason == UNDECIDED and battle.tick < wanted_round - 1:
        play_round(battle, None, plugins)
    if battle.reason != UNDECIDED:
        return False
    start_round(battle, None)
    for turn in range(battle.order_count):
        unit = unit_at(battle, battle.order_keys[turn])
        if unit.hp > 0 and battle.sides[0].living > 0 and battle.sides[1].living > 0:
            if unit.index == index:
                return begin_turn(battle, unit, None)
            take_turn(battle, unit, None, plugins)
    return False


play_many = batch(play, write_result)
resume_many = rollout(resume, write_result)
enumerate_step = enumerator(step)
