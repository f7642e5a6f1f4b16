"""Draws dice in lanes: which rolls of a turn are critical hits, words of random targets, ranks of tied units."""

from __future__ import annotations

from fracas.kernel.jit import kernel_noinline
from fracas.lanes.lane_state import draw_block, give_up, may_refuse, truth
from fracas.lanes.operations import (
    any_lane,
    load,
    load_words,
    no_lanes,
    select,
    splat,
    splat_words,
    store,
    store_words,
)
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.rules import constants as codes


@kernel_noinline
def rank_tied(state, battle, index: int, first: int, end: int) -> None:
    """Rank a unit among those of its speed, from 0: by word, then by index (README, Initiative)."""
    own = load_words(state, rows.BLOCK + index)
    rank = splat(state, 0)
    for position in range(first, end):
        other = battle.by_speed[position]
        if other != index:
            word = load_words(state, rows.BLOCK + other)
            rank = rank + truth(state, word <= own if other < index else word < own)
    store(state, rows.RANK + index, rank)


@kernel_noinline
def draw_turn(state, battle, plan, unit, running) -> None:
    """Draw the dice of a unit's turn, wherever it lives: which rolls would be critical hits, and the first word.

    A lane gives its battle up if a word could be one that d100() refuses; one in a million turns has such a word.

    README, Dice.
    """
    index = unit.index & codes.LAST_SLOT
    mask = running & (load(state, rows.HP + index) != splat(state, 0))
    if plan.words[index] == 0 or not any_lane(mask):
        return
    draw_block(state, battle, rows.BLOCK, index, mask)
    if plan.has_random[index]:
        store_words(state, rows.FIRST_WORD + index, load_words(state, rows.BLOCK))
    if plan.critical_stage >= 0:
        bits = splat(state, 0)
        unsure = no_lanes()
        largest = plan.critical_words[index]
        for position in range(plan.words[index]):
            word = load_words(state, rows.BLOCK + position)
            if largest >= 0:
                is_critical = word <= splat_words(largest)
                bits = bits | select(is_critical, splat(state, 1 << position), splat(state, 0))
            unsure = unsure | may_refuse(word, splat_words(100))
        store(state, rows.CRITICALS + index, bits)
        give_up(state, mask & unsure)
