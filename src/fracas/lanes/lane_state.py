"""What all rulesets do with lanes: begin battles, change rows where a mask is true, draw dice, and give lanes up.

The rules: docs/reference/dice.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import kernel
from fracas.kernel.records import Field, record
from fracas.lanes.lane_dice import any_in_group, draw_words, groups
from fracas.lanes.operations import (
    LANES,
    any_lane,
    as_row,
    count_lanes,
    first_lane,
    load,
    load_mask,
    load_words,
    one_lane,
    select,
    splat,
    splat_words,
    store,
    store_mask,
    store_words,
)

# The first rows of words: the tick and the two halves of the stream, which form an address together; how many blocks of
# dice were drawn. A ruleset's own rows follow.
TICK_WORDS, STREAM_LOW, STREAM_HIGH, BLOCKS_DRAWN, OWN_WORDS = range(5)
# Words of one block of dice, which is all that lanes draw at an address.
BLOCK_WORDS = 16

# The first masks are truth values of a condition under evaluation, as many as the condition evaluator holds; the last
# is the lanes whose battle the rules must play.
GIVEN_UP = 63
MASKS = 64

# The winner of a battle that the caller must play by the rules.
LEFT_TO_RULES = -1
# With no battle left to start, this few are quicker played one by one.
FEW_LANES = 2


def lane_record(kind: type[np.unsignedinteger], rows: int, words: int, *own: Field) -> np.dtype[np.void]:
    """The state of 64 battles, with rows of this type. Its fields' sizes are multiples of a vector's, 64 bytes.

    rows: how many. words: how many rows of words, the shared ones included. own: further fields, placed first.
    """
    return record(
        *own,
        ("rows", kind, (rows, LANES)),
        ("words", np.uint32, (words, LANES)),
        ("masks", np.uint64, (MASKS,)),
        # the place of each lane's battle among the results
        ("places", np.int64, (LANES,)),
    )


@kernel
def change(state, row: int, mask, value) -> None:
    """Replace a row of the state where a mask is true."""
    store(state, row, select(mask, value, load(state, row)))


@kernel
def truth(state, mask) -> Any:
    """1 where a mask is true, else 0."""
    return select(mask, splat(state, 1), splat(state, 0))


@kernel
def draw_block(state, battle, into: int, lane: int, mask) -> None:
    """Draw the first block of (round, lane) wherever a mask needs it; into: its first row of words."""
    for group in range(groups()):
        if any_in_group(mask, group):
            draw_words(state, battle, into, lane << 16, TICK_WORDS, group)


@kernel
def count_block(state, mask) -> None:
    """Count a block as drawn where a mask is true."""
    drawn = load_words(state, BLOCKS_DRAWN)
    store_words(state, BLOCKS_DRAWN, select(mask, drawn + splat_words(1), drawn))


@kernel
def largest_word(chance: int) -> int:
    """The largest word that gives d100() <= chance; -1 for a chance of 0."""
    return ((chance << 32) + 99) // 100 - 1


@kernel
def may_refuse(word, n) -> Any:
    """Where below(n) could refuse a word: the low half of their product is below n."""
    return word * n < n


@kernel
def below_few(state, word, n) -> Any:
    """A word as a number below n, which is at most 65,536: the high half of their product."""
    carried = ((word & splat_words(0xFFFF)) * n) >> 16
    return as_row(state, ((word >> 16) * n + carried) >> 16)


@kernel
def give_up(state, mask) -> None:
    """Leave battles to the rules, which play them from the start."""
    store_mask(state, GIVEN_UP, load_mask(state, GIVEN_UP) | mask)


@kernel
def leave(state, results, mask) -> None:
    """Mark battles in the results as left to the rules."""
    while any_lane(mask):
        lane = first_lane(mask)
        results[state.places[lane]].winner = LEFT_TO_RULES
        mask = mask & ~one_lane(lane)


@kernel
def end_range(state, results, started: int, end: int, running) -> bool:
    """Whether a range is done: every battle has begun, and at most a few are under way, which the rules finish.

    started, end: the places of the next battle and behind the last one.
    """
    if started < end:
        return False
    if end >= LANES and count_lanes(running) <= FEW_LANES:
        leave(state, results, running)
        return True
    return not any_lane(running)


@kernel
def finish_round(state, battle, plan, running, going_on, results, write_lane) -> Any:
    """Write the results of battles that a round has decided, leave those given up, and return the lanes that go on.

    running: the lanes of the round. going_on: the lanes whose battle it has not decided. write_lane: see
    entry_points.py.
    """
    given_up = running & load_mask(state, GIVEN_UP)
    over = running & ~going_on & ~given_up
    while any_lane(over):
        lane = first_lane(over)
        write_lane(state, battle, plan, lane, results[state.places[lane]])
        over = over & ~one_lane(lane)
    leave(state, results, given_up)
    return going_on & ~given_up


@kernel
def begin_battle(state, lane: int, stream: int, index: int) -> None:
    """Give a lane the dice of a battle, and note which battle it is.

    The stream is the battle's number.
    """
    state.words[TICK_WORDS, lane] = 0
    state.words[STREAM_LOW, lane] = stream & 0xFFFFFFFF
    state.words[STREAM_HIGH, lane] = (stream >> 32) & 0xFFFFFFFF
    state.words[BLOCKS_DRAWN, lane] = 0
    state.places[lane] = index


@kernel
def take_over_dice(state, battle, lane: int, index: int) -> None:
    """Give a lane the dice of a battle that the rules have begun, and note which battle it is."""
    state.words[TICK_WORDS, lane] = battle.tick
    state.words[STREAM_LOW, lane] = battle.dice.stream[0]
    state.words[STREAM_HIGH, lane] = battle.dice.stream[1]
    state.words[BLOCKS_DRAWN, lane] = battle.dice.blocks_drawn
    state.places[lane] = index
