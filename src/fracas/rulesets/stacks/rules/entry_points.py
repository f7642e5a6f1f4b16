"""Plays a stacks battle from set-up or from any place in it, and defines the compiled entry points.

The rules: stacks/README.md, Order of play.
"""

from __future__ import annotations

from fracas.kernel.dice import seek_stream
from fracas.kernel.entry_points import batch, enumerator, preparer, rollout
from fracas.kernel.event_log import NOBODY, PLUGIN_FAULT
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_DECISION, FROM_SET_UP, WITH_CHOICE, stops_before
from fracas.rulesets.stacks.rules.constants import SIDES, UNDECIDED
from fracas.rulesets.stacks.rules.mechanics import carry_out, play_turn, set_up, start_turn, take_turn, take_turns
from fracas.rulesets.stacks.rules.outcome import announce_outcome
from fracas.rulesets.stacks.rules.participants import in_order, involved_at, is_living, participant_at
from fracas.rulesets.stacks.rules.preparation import prepare, prepare_once
from fracas.rulesets.stacks.rules.state_enumeration import STATE, step


@kernel
def play(battle, log, plugins) -> None:
    """Play one battle from set-up to outcome."""
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_turn(battle, log, plugins)
    announce_outcome(battle, log)


@kernel
def write_result(battle, result) -> None:
    """Write a battle's result (README, End of a turn)."""
    result.rounds = battle.turns_played
    if battle.overfull != 0:
        result.fault |= PLUGIN_FAULT
    for number in range(SIDES):
        result.hp_left[number] = battle.sides[number].total_health
        result.units_left[number] = battle.sides[number].living
    for place in range(battle.involved_count):
        result.health[place] = participant_at(battle, involved_at(battle, place)).health


def state_parts(battle) -> tuple[str, ...]:
    """The parts of a battle's record that make up its state."""
    return *STATE, *(f"participants.{number}" for number in battle.involved[: battle.involved_count])


@kernel
def resume(battle, place, plugins) -> None:
    """Play a battle from a place to its outcome, or to the turn before which the place says to stop.

    Draws: as play_turn, without trial rolls for a given move.
    """
    first = NOBODY
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    elif place[0] == FROM_DECISION:
        first = place[1]
    elif place[0] == WITH_CHOICE:
        battle.chosen_move = place[2]
        battle.chosen_target = place[3]
        carry_out(battle, in_order(battle, place[1]), 0.0, None, plugins)
        first = place[1] + 1
    while battle.reason == UNDECIDED:
        if first == NOBODY:
            if stops_before(place, battle.first_tick + battle.turn):
                return
            start_turn(battle, None)
            first = 0
        take_turns(battle, first, None, plugins)
        first = NOBODY


def play_until(battle, stream: int, wanted_turn: int, actor: int, plugins) -> bool:
    """Play one battle, in plain Python, up to a participant's choice in a turn; False if it makes none there.

    After False, battle.turn and battle.reason say how far it got.
    """
    seek_stream(battle.dice, stream)
    set_up(battle, None)
    while battle.reason == UNDECIDED and battle.turn < wanted_turn:
        play_turn(battle, None, plugins)
    if battle.reason != UNDECIDED:
        return False
    start_turn(battle, None)
    for place in range(battle.involved_count):
        number = in_order(battle, place)
        if number == actor:
            return is_living(battle, actor)
        if is_living(battle, number):
            take_turn(battle, number, None, plugins)
    return False


play_many = batch(play, write_result, prepare_once)
resume_many = rollout(resume, write_result, prepare_once)
prepare_battles = preparer(prepare)
enumerate_step = enumerator(step)
