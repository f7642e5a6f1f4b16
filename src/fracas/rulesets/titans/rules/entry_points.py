"""One duel; many duels; the worth of many states. `play_many` and `sweep` are compiled and cached."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.enumerating_dice import next_outcome
from fracas.kernel.event_log import SOUND
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_SET_UP, WITH_CHOICE, restore
from fracas.kernel.state_pages import load_state, next_parent, store_successor
from fracas.rulesets.titans.rules.constants import PLAYERS, UNDECIDED
from fracas.rulesets.titans.rules.mechanics import announce_outcome, carry_out, play_round, set_up, start_round
from fracas.rulesets.titans.rules.policies import choose
from fracas.rulesets.titans.rules.state_enumeration import STATE, step
from fracas.rulesets.titans.rules.titan_stats import titan_at


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
def write_result(battle: Any, log: Any, result: Any) -> None:
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
            write_result(battle, None, results[place])
        else:
            log = logs[0]
            log.count = 0
            log.fault = SOUND
            play(battle, log)
            write_result(battle, log, results[place])


def resume_many(
    battles: Any, memory: Any, kept: Any, spans: Any, first_stream: int, results: Any, place: Any, plugins: Any
) -> None:
    """Go on from the middle of a duel with the dice of streams first_stream, first_stream + 1, ..., one for each row.

    battles: (1,) of battle_t. memory: its words. kept: what changes of them, as it was (snapshots.py). spans: where
    that belongs. results: (n,) of result_t. place: (3,) of int64, see decision_points.py. plugins: as in play_many.
    """
    battle = battles[0]
    for number in range(len(results)):
        restore(memory, kept, spans)
        seek_stream(battle.dice, first_stream + number)
        resume(battle, place)
        write_result(battle, None, results[number])


@kernel
def resume(battle: Any, place: Any) -> None:
    """Play a duel from a place until it is decided.

    Rule:    README, Order of play.
    Changes: the battle.
    Draws:   as play_round.
    Emits:   nothing.
    """
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    is_given = place[0] == WITH_CHOICE
    while battle.reason == UNDECIDED:
        start_round(battle, None)
        for index in range(PLAYERS):
            one = titan_at(battle, index)
            choose(battle, one, None)
            if is_given:
                one.choice = place[1 + index]
        is_given = False
        carry_out(battle, None)


def state_parts(battle: Any) -> tuple[str, ...]:
    """The parts of a battle's record that tell its states apart."""
    return STATE


def enumerate_step(
    battles: Any, words: Any, live: Any, ranges: Any, parents: Any, children: Any, notes: Any, pages: Any
) -> None:
    """Play states one step on, in all their ways. What the parameters are stands in fracas/lab/ways.py."""
    battle, page = battles[0], pages[0]
    while next_parent(battle.dice, page, parents):
        goes_on = True
        while goes_on:
            load_state(words, live, parents, page)
            step(battle, page)
            if not store_successor(battle, words, live, ranges, children, notes, page):
                return
            goes_on = next_outcome(battle.dice)


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
