"""One battle; many battles. `play_many` is the entry point that is compiled and cached."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.enumerating_dice import next_outcome
from fracas.kernel.event_log import NOBODY, PLUGIN_FAULT, SOUND
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_DECISION, FROM_SET_UP, WITH_CHOICE, restore
from fracas.kernel.state_pages import load_state, next_parent, store_successor
from fracas.rulesets.stacks.rules.constants import SIDES, UNDECIDED
from fracas.rulesets.stacks.rules.mechanics import carry_out, play_turn, set_up, start_turn, take_turn, take_turns
from fracas.rulesets.stacks.rules.outcome import announce_outcome
from fracas.rulesets.stacks.rules.participants import in_order, involved_at, is_living, participant_at
from fracas.rulesets.stacks.rules.state_enumeration import STATE, step


@kernel
def play(battle: Any, log: Any, plugins: Any) -> None:
    """Play one battle from set-up to outcome.

    Rule:    README, Order of play.
    Changes: the battle.
    Draws:   as play_turn.
    Emits:   what set_up emits, the turns' events, OUTCOME.
    """
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_turn(battle, log, plugins)
    announce_outcome(battle, log)


@kernel
def write_result(battle: Any, log: Any, result: Any) -> None:
    """Write down what is kept of a battle.

    Rule:    README, End of a turn.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.winner = battle.winner
    result.reason = battle.reason
    result.rounds = battle.turns_played
    result.fault = battle.dice.exhausted << 8
    if battle.overfull != 0:
        result.fault |= PLUGIN_FAULT
    if log is not None:
        result.fault |= log.fault
    result.blocks_drawn = battle.dice.blocks_drawn
    for number in range(SIDES):
        result.hp_left[number] = battle.sides[number].total_health
        result.units_left[number] = battle.sides[number].living
    for place in range(battle.involved_count):
        result.health[place] = participant_at(battle, involved_at(battle, place)).health


def play_many(battles: Any, first_stream: int, results: Any, logs: Any, plugins: Any) -> None:
    """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

    battles: (1,) of battle_t. results: (n,) of result_t. logs: None, or (1,) of log_t, which keeps the last battle's
    rows. plugins: None, or for each function of a move type a tuple of MAX_PLUGINS of them.
    """
    battle = battles[0]
    for place in range(len(results)):
        seek_stream(battle.dice, first_stream + place)
        if logs is None:
            play(battle, None, plugins)
            write_result(battle, None, results[place])
        else:
            log = logs[0]
            log.count = 0
            log.fault = SOUND
            play(battle, log, plugins)
            write_result(battle, log, results[place])


def state_parts(battle: Any) -> tuple[str, ...]:
    """The parts of a battle's record that tell its states apart."""
    return *STATE, *(f"participants.{number}" for number in battle.involved[: battle.involved_count])


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


def resume_many(
    battles: Any, memory: Any, kept: Any, spans: Any, first_stream: int, results: Any, place: Any, plugins: Any
) -> None:
    """Go on from the middle of a battle with the dice of streams first_stream, first_stream + 1, ..., one for each row.

    battles: (1,) of battle_t. memory: its words. kept: what changes of them, as it was (snapshots.py). spans: where
    that belongs. results: (n,) of result_t. place: (4,) of int64, see decision_points.py. plugins: as in play_many.
    """
    battle = battles[0]
    for number in range(len(results)):
        restore(memory, kept, spans)
        seek_stream(battle.dice, first_stream + number)
        resume(battle, place, plugins)
        write_result(battle, None, results[number])


@kernel
def resume(battle: Any, place: Any, plugins: Any) -> None:
    """Play a battle from a place to its outcome.

    Rule:    README, Order of play.
    Changes: the battle.
    Draws:   as play_turn; nobody whose move is given tries any.
    Emits:   nothing.
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
            start_turn(battle, None)
            first = 0
        take_turns(battle, first, None, plugins)
        first = NOBODY


def play_until(battle: Any, stream: int, wanted_turn: int, actor: int, plugins: Any) -> bool:
    """Play one battle, plain, up to where a participant would choose in a turn; False if it never comes to that.

    After False battle.turn and battle.reason say how far it came.
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
