"""Puts battles into lanes, as the rules have set them up or left them, and writes their results.

The rules: relics/README.md, State.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import load_words, no_lanes, select, splat, splat_words, store, store_mask, store_words
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.signed_lanes import HIGHEST_BIT, mark, number, unmark
from fracas.rulesets.relics.rules import constants as codes


@kernel
def clear(state) -> None:
    """Make rows zero and masks false: what nothing in a battle changes is never written. Frames need no clearing."""
    for row in range(rows.PAYLOADS):
        store(state, row, splat(state, 0))
    for row in range(rows.FRAME_LANES):
        store_mask(state, row, no_lanes())
    for index in range(rows.MOST_EFFECTS):
        state.running[index] = 0
    state.frame_count = 0
    state.active = codes.NOBODY
    state.striking = 0
    state.deferring = 0
    state.may_strike = 0


@kernel
def assign(state, row: int, mask, value: int) -> None:
    """Write one number into a row where a mask is true."""
    change(state, row, mask, number(state, value))


@kernel
def assign_mask(state, row: int, mask, value: int) -> None:
    """Write 0 or 1 into a kept mask where another is true."""
    unmark(state, row, mask)
    if value == 1:
        mark(state, row, mask)


@kernel
def assign_words(state, row: int, mask, value: int) -> None:
    """Write one number into a row of words where a mask is true."""
    store_words(state, row, select(mask, splat_words(value), load_words(state, row)))


@kernel_noinline
def enter(state, battle, plan, mask) -> None:
    """Put battles into lanes as the rules left one: set up, or between two turns."""
    assign(state, rows.TURN, mask, battle.turn)
    assign_words(state, rows.TICK_WORDS, mask, battle.turn)
    assign_words(state, rows.BLOCKS_DRAWN, mask, 0)
    assign(state, rows.STRIKE, mask, battle.strike)
    assign(state, rows.WINNER, mask, battle.winner)
    assign(state, rows.REASON, mask, battle.reason)
    assign(state, rows.CUTS, mask, battle.cut_count)
    assign_mask(state, rows.ALIVE, mask, 1 if battle.reason == codes.UNDECIDED else 0)
    assign_mask(state, rows.GIVEN_UP, mask, 0)
    assign_mask(state, rows.JUDGING, mask, 0)
    assign_mask(state, rows.IS_OPEN, mask, 0)
    assign_mask(state, rows.RIGHT_IS_NEXT, mask, 1 if battle.first ^ (battle.turn & 1) == codes.RIGHT else 0)
    for side in range(codes.SIDES):
        enter_fighter(state, battle.fighters[side], side, mask)
        enter_runs(state, battle, battle.builds[side].effects, mask)
    for piece in range(codes.PIECE_SLOTS):
        if plan.counters >> piece & 1 == 1:
            assign(state, rows.COUNTERS + piece, mask, battle.counters[piece])


@kernel
def enter_fighter(state, fighter, side: int, mask) -> None:
    """Put a fighter into lanes."""
    for quantity in range(codes.VALUE_SLOTS):
        assign(state, rows.VALUES + side * codes.VALUE_SLOTS + quantity, mask, fighter.values[quantity])
    assign(state, rows.OWN_TURN + side, mask, fighter.own_turn)
    assign(state, rows.PHASE + side, mask, fighter.phase)
    assign(state, rows.STRIKES_MADE + side, mask, fighter.strikes_made)
    assign(state, rows.EXTRA_NOW + side, mask, fighter.extra_now)
    assign(state, rows.EXTRA_NEXT + side, mask, fighter.extra_next)
    assign(state, rows.EXTRA_ALWAYS + side, mask, fighter.extra_always)
    assign_words(state, rows.DEALT + side, mask, fighter.dealt)
    assign_words(state, rows.ABSORBED + side, mask, fighter.absorbed)
    assign_words(state, rows.HEALED + side, mask, fighter.healed)
    assign_mask(state, rows.STRUCK + side, mask, fighter.struck)
    assign_mask(state, rows.REFLECTED + side, mask, fighter.reflected)
    assign_mask(state, rows.IS_EXPOSED + side, mask, fighter.exposed)
    assign_mask(state, rows.IS_WOUNDED + side, mask, fighter.wounded)
    assign_mask(state, rows.EXPOSED_DUE + side, mask, fighter.exposed_due)
    assign_mask(state, rows.WOUNDED_DUE + side, mask, fighter.wounded_due)


@kernel
def enter_runs(state, battle, span, mask) -> None:
    """Load the state of a fighter's effects into lanes, as far as it affects the battle."""
    for index in range(span.first, span.first + span.entries):
        run, effect = battle.runs[index & codes.EFFECT_MASK], battle.effects[index & codes.EFFECT_MASK]
        assign_mask(state, rows.REPORTED + index, mask, run.reported)
        if effect.per_turn > 0:
            assign(state, rows.THIS_TURN + index, mask, run.this_turn)
            assign(state, rows.RUN_TURN + index, mask, run.tick)
        if effect.per_battle > 0:
            assign(state, rows.THIS_BATTLE + index, mask, run.this_battle)
        if effect.trigger == codes.COUNTDOWN:
            assign(state, rows.TURNS_LEFT + index, mask, run.left)
            assign_mask(state, rows.DUE + index, mask, run.due)


@kernel
def give_dice(state, lane: int, stream: int, index: int) -> None:
    """Give a lane the dice of a battle, and note which battle it is (docs/reference/dice.md).

    The stream is the battle's number.
    """
    state.words[rows.STREAM_LOW, lane] = stream & 0xFFFFFFFF
    state.words[rows.STREAM_HIGH, lane] = (stream >> 32) & 0xFFFFFFFF
    state.places[lane] = index


@kernel
def signed(state, row: int, lane: int) -> int:
    """The number of a row in one lane."""
    return (int(state.rows[row, lane]) ^ HIGHEST_BIT) - HIGHEST_BIT


@kernel_noinline
def write_lane(state, lane: int, result) -> None:
    """Write the result of a decided battle (README, Death check)."""
    result.winner = signed(state, rows.WINNER, lane)
    result.reason = signed(state, rows.REASON, lane)
    result.rounds = signed(state, rows.TURN, lane)
    result.cuts = signed(state, rows.CUTS, lane)
    result.blocks_drawn = state.words[rows.BLOCKS_DRAWN, lane]
    for side in range(codes.SIDES):
        hp = signed(state, rows.VALUES + side * codes.VALUE_SLOTS + codes.HP, lane)
        result.hp_left[side] = hp
        result.units_left[side] = 1 if hp > 0 else 0
        result.strikes[side] = signed(state, rows.STRIKES_MADE + side, lane)
        result.dealt[side] = state.words[rows.DEALT + side, lane]
        result.absorbed[side] = state.words[rows.ABSORBED + side, lane]
        result.healed[side] = state.words[rows.HEALED + side, lane]
