"""One duel; many duels. `play_many` is the entry point that is compiled and cached."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.jit import kernel
from fracas.kernel.log import SOUND
from fracas.rulesets.titans.constants import PLAYERS, UNDECIDED
from fracas.rulesets.titans.field import titan_at
from fracas.rulesets.titans.mechanics import announce_outcome, play_round, set_up, start_round


@kernel
def play(battle: Any, log: Any) -> None:
    """Play one duel from set-up to outcome.

    Rule:    README, Order of play.
    Changes: the battle.
    Draws:   as play_round.
    Emits:   what set_up emits, the rounds' events, what announce_outcome emits.
    """
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_round(battle, log)
    announce_outcome(battle, log)


@kernel
def note_result(battle: Any, log: Any, result: Any) -> None:
    """Write down what is kept of a duel.

    Rule:    README, Outcome.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.winner = battle.winner
    result.reason = battle.reason
    result.rounds = battle.tick
    result.fault = battle.dice.exhausted << 8
    if log is not None:
        result.fault |= log.fault
    result.blocks_drawn = battle.dice.blocks_drawn
    for index in range(PLAYERS):
        one = titan_at(battle, index)
        result.hp_left[index] = one.hp
        result.units_left[index] = 1 if one.hp > 0 else 0
        result.charge_left[index] = one.charge


def play_many(battles: Any, first_stream: int, results: Any, logs: Any, plugins: Any) -> None:
    """Play duels number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

    battles: (1,) of battle_t. results: (n,) of result_t. logs: None, or (1,) of log_t, which keeps the last duel's
    rows. plugins: None; titans has no place for them.
    """
    battle = battles[0]
    for place in range(len(results)):
        seek_stream(battle.dice, first_stream + place)
        if logs is None:
            play(battle, None)
            note_result(battle, None, results[place])
        else:
            log = logs[0]
            log.count = 0
            log.fault = SOUND
            play(battle, log)
            note_result(battle, log, results[place])


def play_until(battle: Any, stream: int, wanted_round: int) -> bool:
    """Play one duel, plain, up to where both choose in a round; False if it never comes to that."""
    seek_stream(battle.dice, stream)
    set_up(battle, None)
    while battle.reason == UNDECIDED and battle.tick < wanted_round - 1:
        play_round(battle, None)
    if battle.reason != UNDECIDED:
        return False
    start_round(battle, None)
    return True
