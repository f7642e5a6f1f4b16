"""All dice of relics in lanes. An address is opened at its first draw; each lane takes its own next word.

The rules: relics/README.md, Dice.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_dice import any_in_group, draw_words, groups
from fracas.lanes.lane_state import change
from fracas.lanes.operations import (
    any_lane,
    as_row,
    as_words,
    load,
    load_mask,
    load_words,
    no_lanes,
    select,
    splat,
    splat_words,
    store,
    store_mask,
    store_words,
    widest,
)
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.signed_lanes import count, give_up
from fracas.rulesets.relics.rules.constants import LARGEST_CHANCE


@kernel
def turn_to(state, lane: int) -> None:
    """Start a step of the order of play: its rolls come from (turn, lane), and its count of runs restarts.

    README, Consequences, Runs.
    """
    state.lane = lane
    for block in range(rows.MOST_BLOCKS):
        state.drawn[block] = 0
    state.taken = 0
    state.run_count = 0
    store(state, rows.RUNS, splat(state, 0))
    store_mask(state, rows.IS_OPEN, no_lanes())


@kernel
def next_word(state, battle, mask) -> Any:
    """Take each lane's next word; lanes that have used up their blocks are given up (docs/reference/dice.md, word()).

    Changes: state.words, CURSOR, IS_OPEN, BLOCKS_DRAWN; drawn, taken; GIVEN_UP, ALIVE.
    """
    is_open = load_mask(state, rows.IS_OPEN)
    opening = mask & ~is_open
    if any_lane(opening):
        change(state, rows.CURSOR, opening, splat(state, 0))
        store_mask(state, rows.IS_OPEN, is_open | opening)
        draw_block(state, battle, 0, opening)
    cursor = load(state, rows.CURSOR)
    if state.taken >= rows.BLOCK_WORDS:
        for block in range(1, min(state.taken // rows.BLOCK_WORDS, rows.MOST_BLOCKS - 1) + 1):
            draw_block(state, battle, block, mask & (cursor == splat(state, block * rows.BLOCK_WORDS)))
        give_up(state, mask & (cursor >= splat(state, rows.MOST_WORDS)))
    word = load_words(state, rows.BLOCK)
    for index in range(1, min(state.taken, rows.MOST_WORDS - 1) + 1):
        word = select(cursor == splat(state, index), load_words(state, rows.BLOCK + index), word)
    state.taken += 1
    count(state, rows.CURSOR, mask)
    return word


@kernel_noinline
def draw_block(state, battle, block: int, mask) -> None:
    """Draw a block of the step's address where lanes need it, and count it as drawn there (docs/reference/dice.md)."""
    if not any_lane(mask):
        return
    for group in range(groups()):
        if state.drawn[block] >> group & 1 == 0 and any_in_group(mask, group):
            draw_words(
                state, battle, rows.BLOCK + block * rows.BLOCK_WORDS, state.lane << 16 | block, rows.TICK_WORDS, group
            )
            state.drawn[block] |= 1 << group
    drawn = load_words(state, rows.BLOCKS_DRAWN) + select(mask, splat_words(1), splat_words(0))
    store_words(state, rows.BLOCKS_DRAWN, drawn)


@kernel_noinline
def succeeds(state, battle, chance: int, mask):
    """Where a chance succeeds; only chances of 1 to 99 draw dice.

    A lane gives its battle up if d100() could refuse its word; one in forty million words is refused.
    """
    if chance < 0 or chance >= LARGEST_CHANCE:
        return mask
    if chance == 0 or not any_lane(mask):
        return no_lanes()
    word = next_word(state, battle, mask)
    give_up(state, mask & (word * splat_words(100) < splat_words(100)))
    return mask & (word <= splat_words(((chance << 32) - 1) // 100))


@kernel_noinline
def picked(state, battle, candidates, mask) -> Any:
    """One of several candidates, from 0; a single candidate needs no draw.

    candidates: a row of how many there are, each at least 1 where the mask is true.
    """
    drawing = mask & (candidates > splat(state, 1))
    if not any_lane(drawing):
        return splat(state, 0)
    word = next_word(state, battle, drawing)
    limit = as_words(candidates)
    give_up(state, drawing & (word * limit < limit))
    roll = as_row(state, (widest(word) * widest(limit)) >> 32)
    return select(drawing, roll, splat(state, 0))
