"""One battle; many battles. `play_many` is the entry point that is compiled and cached."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.enumerating_dice import next_outcome
from fracas.kernel.event_log import SOUND
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_SET_UP, restore
from fracas.kernel.state_pages import load_state, next_parent, store_successor
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import HP, SIDES, UNDECIDED
from fracas.rulesets.relics.rules.setup import set_up
from fracas.rulesets.relics.rules.state_enumeration import STATE, step
from fracas.rulesets.relics.rules.turns import announce_outcome, begin_turn, play_turn


@kernel
def play(battle: Any, log: Any) -> None:
    """Play one battle from set-up to outcome.

    Rule:    README, Order of play.
    Changes: the battle.
    Draws:   as set_up and play_turn.
    Emits:   what set_up emits, the turns' events, OUTCOME.
    """
    set_up(battle, log)
    while battle.reason == UNDECIDED:
        play_turn(battle, log)
    announce_outcome(battle, log)


@kernel
def write_result(battle: Any, log: Any, result: Any) -> None:
    """Write down what is kept of a battle.

    Rule:    README, Death check.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.winner = battle.winner
    result.reason = battle.reason
    result.rounds = battle.turn
    result.fault = battle.dice.exhausted << 8
    if log is not None:
        result.fault |= log.fault
    result.blocks_drawn = battle.dice.blocks_drawn
    result.cuts = battle.cut_count
    for side in range(SIDES):
        fighter = fighter_of(battle, side)
        result.hp_left[side] = fighter.values[HP]
        result.units_left[side] = 1 if fighter.values[HP] > 0 else 0
        result.strikes[side] = fighter.strikes_made
        result.dealt[side] = fighter.dealt
        result.absorbed[side] = fighter.absorbed
        result.healed[side] = fighter.healed


def play_many(battles: Any, first_stream: int, results: Any, logs: Any, plugins: Any) -> None:
    """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

    battles: (1,) of battle_t. results: (n,) of result_t. logs: None, or (1,) of log_t, which keeps the last battle's
    rows. plugins: None; relics has no place for any.
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
    """Go on from the middle of a battle with the dice of streams first_stream, first_stream + 1, ..., one for each row.

    battles: (1,) of battle_t. memory: its words. kept: what changes of them, as it was (snapshots.py). spans: where
    that belongs. results: (n,) of result_t. place: (1,) of int64, see decision_points.py. plugins: as in play_many.
    """
    battle = battles[0]
    for number in range(len(results)):
        restore(memory, kept, spans)
        seek_stream(battle.dice, first_stream + number)
        resume(battle, place)
        write_result(battle, None, results[number])


@kernel
def resume(battle: Any, place: Any) -> None:
    """Play a battle from a place to its outcome.

    Rule:    README, Order of play.
    Changes: the battle.
    Draws:   as set_up and play_turn.
    Emits:   nothing.
    """
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    while battle.reason == UNDECIDED:
        play_turn(battle, None)


def state_parts(battle: Any) -> tuple[str, ...]:
    """The parts of a battle's record that tell its states apart."""
    spans = (battle.builds[side].effects for side in range(SIDES))
    places = (place for span in spans for place in range(span.first, span.first + span.entries))
    return *STATE, *(f"runs.{place}" for place in places)


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


def play_until(battle: Any, stream: int, wanted_turn: int) -> bool:
    """Play one battle, plain, up to where turn_start effects would be looked at in a turn; False if it ends before.

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
