"""Puts battles into lanes, as the rules have set them up or left them, and writes their results."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import load_words, no_lanes, select, splat, splat_words, store, store_mask, store_words
from fracas.rulesets.relics.lockstep.signed_lanes import HIGHEST_BIT, mark, number, unmark
from fracas.rulesets.relics.lockstep.state import (
    ABSORBED,
    ALIVE,
    BLOCKS_DRAWN,
    COUNTERS,
    CUTS,
    DEALT,
    DUE,
    EXPOSED_DUE,
    EXTRA_ALWAYS,
    EXTRA_NEXT,
    EXTRA_NOW,
    FRAME_LANES,
    GIVEN_UP,
    HEALED,
    IS_EXPOSED,
    IS_OPEN,
    IS_WOUNDED,
    JUDGING,
    MOST_EFFECTS,
    OWN_TURN,
    PAYLOADS,
    PHASE,
    REASON,
    REFLECTED,
    REPORTED,
    RIGHT_IS_NEXT,
    RUN_TURN,
    STREAM_HIGH,
    STREAM_LOW,
    STRIKE,
    STRIKES_MADE,
    STRUCK,
    THIS_BATTLE,
    THIS_TURN,
    TICK_WORDS,
    TURN,
    TURNS_LEFT,
    VALUES,
    WINNER,
    WOUNDED_DUE,
)
from fracas.rulesets.relics.rules.constants import (
    COUNTDOWN,
    EFFECT_MASK,
    HP,
    NOBODY,
    PIECE_SLOTS,
    RIGHT,
    SIDES,
    UNDECIDED,
    VALUE_SLOTS,
)


@kernel
def clear(state: Any) -> None:
    """Make rows zero and masks false: what nothing in a battle changes is never written. Frames need no clearing.

    Rule:    none.
    Changes: the state.
    Draws:   none.
    Emits:   nothing.
    """
    for row in range(PAYLOADS):
        store(state, row, splat(state, 0))
    for row in range(FRAME_LANES):
        store_mask(state, row, no_lanes())
    for place in range(MOST_EFFECTS):
        state.running[place] = 0
    state.frame_count = 0
    state.active = NOBODY
    state.striking = 0
    state.deferring = 0
    state.may_strike = 0


@kernel
def assign(state: Any, row: int, mask: Any, value: int) -> None:
    """Write one number into a row where a mask is true.

    Rule:    none.
    Changes: the row.
    Draws:   none.
    Emits:   nothing.
    """
    change(state, row, mask, number(state, value))


@kernel
def assign_mask(state: Any, row: int, mask: Any, value: int) -> None:
    """Write 0 or 1 into a kept mask where another is true.

    Rule:    none.
    Changes: state.masks.
    Draws:   none.
    Emits:   nothing.
    """
    unmark(state, row, mask)
    if value == 1:
        mark(state, row, mask)


@kernel
def assign_words(state: Any, row: int, mask: Any, value: int) -> None:
    """Write one number into a row of words where a mask is true.

    Rule:    none.
    Changes: the row of words.
    Draws:   none.
    Emits:   nothing.
    """
    store_words(state, row, select(mask, splat_words(value), load_words(state, row)))


@kernel_noinline
def enter(state: Any, battle: Any, plan: Any, mask: Any) -> None:
    """Put battles into lanes as the rules left one: set up, or between two turns.

    Rule:    relics/README.md, State.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    assign(state, TURN, mask, battle.turn)
    assign_words(state, TICK_WORDS, mask, battle.turn)
    assign_words(state, BLOCKS_DRAWN, mask, 0)
    assign(state, STRIKE, mask, battle.strike)
    assign(state, WINNER, mask, battle.winner)
    assign(state, REASON, mask, battle.reason)
    assign(state, CUTS, mask, battle.cut_count)
    assign_mask(state, ALIVE, mask, 1 if battle.reason == UNDECIDED else 0)
    assign_mask(state, GIVEN_UP, mask, 0)
    assign_mask(state, JUDGING, mask, 0)
    assign_mask(state, IS_OPEN, mask, 0)
    assign_mask(state, RIGHT_IS_NEXT, mask, 1 if battle.first ^ (battle.turn & 1) == RIGHT else 0)
    for side in range(SIDES):
        enter_fighter(state, battle.fighters[side], side, mask)
        enter_runs(state, battle, battle.builds[side].effects, mask)
    for piece in range(PIECE_SLOTS):
        if plan.counters >> piece & 1 == 1:
            assign(state, COUNTERS + piece, mask, battle.counters[piece])


@kernel
def enter_fighter(state: Any, fighter: Any, side: int, mask: Any) -> None:
    """Put a fighter into lanes.

    Rule:    relics/README.md, State.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    for quantity in range(VALUE_SLOTS):
        assign(state, VALUES + side * VALUE_SLOTS + quantity, mask, fighter.values[quantity])
    assign(state, OWN_TURN + side, mask, fighter.own_turn)
    assign(state, PHASE + side, mask, fighter.phase)
    assign(state, STRIKES_MADE + side, mask, fighter.strikes_made)
    assign(state, EXTRA_NOW + side, mask, fighter.extra_now)
    assign(state, EXTRA_NEXT + side, mask, fighter.extra_next)
    assign(state, EXTRA_ALWAYS + side, mask, fighter.extra_always)
    assign_words(state, DEALT + side, mask, fighter.dealt)
    assign_words(state, ABSORBED + side, mask, fighter.absorbed)
    assign_words(state, HEALED + side, mask, fighter.healed)
    assign_mask(state, STRUCK + side, mask, fighter.struck)
    assign_mask(state, REFLECTED + side, mask, fighter.reflected)
    assign_mask(state, IS_EXPOSED + side, mask, fighter.exposed)
    assign_mask(state, IS_WOUNDED + side, mask, fighter.wounded)
    assign_mask(state, EXPOSED_DUE + side, mask, fighter.exposed_due)
    assign_mask(state, WOUNDED_DUE + side, mask, fighter.wounded_due)


@kernel
def enter_runs(state: Any, battle: Any, span: Any, mask: Any) -> None:
    """Load the state of a fighter's effects into lanes, as far as it affects the battle.

    Rule:    relics/README.md, State.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(span.first, span.first + span.entries):
        run, effect = battle.runs[place & EFFECT_MASK], battle.effects[place & EFFECT_MASK]
        assign_mask(state, REPORTED + place, mask, run.reported)
        if effect.per_turn > 0:
            assign(state, THIS_TURN + place, mask, run.this_turn)
            assign(state, RUN_TURN + place, mask, run.tick)
        if effect.per_battle > 0:
            assign(state, THIS_BATTLE + place, mask, run.this_battle)
        if effect.trigger == COUNTDOWN:
            assign(state, TURNS_LEFT + place, mask, run.left)
            assign_mask(state, DUE + place, mask, run.due)


@kernel
def give_dice(state: Any, lane: int, stream: int, place: int) -> None:
    """Give a lane the dice of a battle, and note which battle it is.

    Rule:    docs/reference/dice.md (the stream is the battle's number).
    Changes: the lane.
    Draws:   none.
    Emits:   nothing.
    """
    state.words[STREAM_LOW, lane] = stream & 0xFFFFFFFF
    state.words[STREAM_HIGH, lane] = (stream >> 32) & 0xFFFFFFFF
    state.places[lane] = place


@kernel
def signed(state: Any, row: int, lane: int) -> int:
    """The number of a row in one lane.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return (int(state.rows[row, lane]) ^ HIGHEST_BIT) - HIGHEST_BIT


@kernel_noinline
def write_lane(state: Any, lane: int, result: Any) -> None:
    """Write the result of a decided battle.

    Rule:    relics/README.md, Death check.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.winner = signed(state, WINNER, lane)
    result.reason = signed(state, REASON, lane)
    result.rounds = signed(state, TURN, lane)
    result.cuts = signed(state, CUTS, lane)
    result.blocks_drawn = state.words[BLOCKS_DRAWN, lane]
    for side in range(SIDES):
        hp = signed(state, VALUES + side * VALUE_SLOTS + HP, lane)
        result.hp_left[side] = hp
        result.units_left[side] = 1 if hp > 0 else 0
        result.strikes[side] = signed(state, STRIKES_MADE + side, lane)
        result.dealt[side] = state.words[DEALT + side, lane]
        result.absorbed[side] = state.words[ABSORBED + side, lane]
        result.healed[side] = state.words[HEALED + side, lane]
