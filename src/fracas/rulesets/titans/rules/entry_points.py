"""Entry points: play duels of titans from set-up or from a snapshot. titans/README.md, Order of play."""

from __future__ import annotations

from fracas.kernel.dice import seek_stream
from fracas.kernel.entry_points import batch, enumerator, preparer, rollout
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_SET_UP, WITH_CHOICE, stops_before
from fracas.rulesets.titans.rules.constants import PLAYERS, UNDECIDED
from fracas.rulesets.titans.rules.mechanics import announce_outcome, carry_out, play_round, set_up, start_round
from fracas.rulesets.titans.rules.policies import choose
from fracas.rulesets.titans.rules.preparation import prepare, prepare_once
from fracas.rulesets.titans.rules.state_enumeration import STATE, step
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel
def play(battle, log, plugins) -> None:
    """Play one duel from set-up to outcome."""
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_round(battle, log)
    announce_outcome(battle, log)


@kernel
def write_result(battle, result) -> None:
    """Write the result of a duel (README, Outcome)."""
    result.rounds = battle.tick
    for index in range(PLAYERS):
        one = titan_at(battle, index)
        result.hp_left[index] = one.hp
        result.units_left[index] = 1 if one.hp > 0 else 0
        result.charge_left[index] = one.charge


@kernel
def resume(battle, place, plugins) -> None:
    """Play a duel from a given place to its outcome, or to the round before which the place says to stop."""
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    is_given = place[0] == WITH_CHOICE
    while battle.reason == UNDECIDED and not stops_before(place, battle.tick + 1):
        start_round(battle, None)
        for index in range(PLAYERS):
            one = titan_at(battle, index)
            choose(battle, one, None)
            if is_given:
                one.choice = place[1 + index]
        is_given = False
        carry_out(battle, None)


def state_parts(battle) -> tuple[str, ...]:
    """The parts of a battle's record that distinguish its states."""
    return STATE


def play_until(battle, stream: int, wanted_round: int) -> bool:
    """Play one duel in plain Python until both choose in a round; False if it ends before."""
    seek_stream(battle.dice, stream)
    set_up(battle, None)
    while battle.reason == UNDECIDED and battle.tick < wanted_round - 1:
        play_round(battle, None)
    if battle.reason != UNDECIDED:
        return False
    start_round(battle, None)
    return True


play_many = batch(play, write_result, prepare_once)
resume_many = rollout(resume, write_result, prepare_once)
prepare_battles = preparer(prepare)
enumerate_step = enumerator(step)
