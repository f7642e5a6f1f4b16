"""Entry points: play battles of relics from set-up or from a snapshot. relics/README.md, Order of play."""

from __future__ import annotations

from fracas.kernel.dice import seek_stream
from fracas.kernel.entry_points import batch, enumerator, rollout
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_SET_UP, stops_before
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import HP, SIDES, UNDECIDED
from fracas.rulesets.relics.rules.setup import set_up
from fracas.rulesets.relics.rules.state_enumeration import STATE, step
from fracas.rulesets.relics.rules.turns import announce_outcome, begin_turn, play_turn


@kernel
def play(battle, log, plugins) -> None:
    """Play one battle from set-up to outcome."""
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_turn(battle, log)
    announce_outcome(battle, log)


@kernel
def write_result(battle, result) -> None:
    """Write the result of a battle (README, Death check)."""
    result.rounds = battle.turn
    result.cuts = battle.cut_count
    for side in range(SIDES):
        fighter = fighter_of(battle, side)
        result.hp_left[side] = fighter.values[HP]
        result.units_left[side] = 1 if fighter.values[HP] > 0 else 0
        result.strikes[side] = fighter.strikes_made
        result.dealt[side] = fighter.dealt
        result.absorbed[side] = fighter.absorbed
        result.healed[side] = fighter.healed


@kernel
def resume(battle, place, plugins) -> None:
    """Play a battle from a given place to its outcome, or to the turn before which the place says to stop."""
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    while battle.reason == UNDECIDED and not stops_before(place, battle.turn + 1):
        play_turn(battle, None)


def state_parts(battle) -> tuple[str, ...]:
    """The parts of a battle's record that distinguish its states."""
    spans = (battle.builds[side].effects for side in range(SIDES))
    places = (place for span in spans for place in range(span.first, span.first + span.entries))
    return *STATE, *(f"runs.{place}" for place in places)


def play_until(battle, stream: int, wanted_turn: int) -> bool:
    """Play one battle in plain Python until a turn's turn_start effects are due; False if it ends before.

    After False battle.turn and battle.reason say how far it came.
    """
    seek_stream(battle.dice, stream)
    set_up(battle, None)
    while battle.reason == UNDECIDED and battle.turn < wanted_turn - 1:
        play_turn(battle, None)
    if battle.reason != UNDECIDED:
        return False
    begin_turn(battle, None)
    return battle.reason == UNDECIDED


play_many = batch(play, write_result)
resume_many = rollout(resume, write_result)
enumerate_step = enumerator(step)
