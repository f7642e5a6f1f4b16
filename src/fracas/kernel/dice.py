"""Addressed ChaCha8 dice: a roll is a function of (key, stream, tick, lane, place), never of earlier rolls.

An address is a block counter `tick << 32 | lane << 16 | block`. Opening an address computes nothing. The first word
taken fills several blocks at once, those likely to be needed next (dice_blocks.py). Which blocks are filled, and how
many at once, cannot be observed.

The rules: docs/reference/dice.md.
"""

from __future__ import annotations

import numpy as np

from fracas.kernel import enumerating_dice
from fracas.kernel.chacha8 import _LOW_HALF, AREAS, BLOCK_WORDS, MOST_FILLED, blocks_at_once
from fracas.kernel.dice_blocks import (
    following_block,
    named_lane_block,
    participant_block,
    turn_block,
    turn_column,
)
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.jit import kernel
from fracas.kernel.records import record

TABLE = 0xFFFF
FIRST_NAMED_LANE = 0xFF00
LAST_BLOCK = 0xFFFF

# A mask tells the compiler that an index is never negative.
LAST_WORD = AREAS * BLOCK_WORDS * MOST_FILLED - 1


_TWO_TO_32 = np.uint64(1 << 32)
_HALF_WIDTH = np.uint64(32)
_HUNDRED = np.uint64(100)

dice_t = record(
    ("tick", np.int64),
    ("lane", np.int64),
    ("block", np.int64),
    ("cursor", np.int64),
    ("column", np.int64),
    # for both areas of lanes, what they hold: the tick and the first lane, or -1
    ("lanes_filled", np.int64, (2,)),
    ("ticks_lane", np.int64),
    ("ticks_first", np.int64),
    # ticks between turns of the current roller, 0 if the tick's other lanes are more likely to be needed next; for both
    # areas of turns, what they hold: the lane or -1, the first tick, the ticks in between
    ("turn_step", np.int64),
    ("turns_lane", np.int64, (2,)),
    ("turns_first", np.int64, (2,)),
    ("turns_step", np.int64, (2,)),
    ("blocks_drawn", np.int64),
    ("exhausted", np.int64),
    ("key", np.uint32, (8,)),
    ("stream", np.uint32, (2,)),
    ("words", np.uint32, (LAST_WORD + 1,)),
)


@kernel
def seek_stream(dice, stream: int) -> None:
    """Use the dice of battle number `stream`, and discard filled blocks.

    The stream is the battle's number.
    """
    dice.stream[0] = stream & 0xFFFFFFFF
    dice.stream[1] = (stream >> 32) & 0xFFFFFFFF
    dice.lanes_filled[0] = -1
    dice.lanes_filled[1] = -1
    dice.ticks_lane = -1
    dice.turns_lane[0] = -1
    dice.turns_lane[1] = -1
    dice.blocks_drawn = 0
    dice.exhausted = 0
    open_address(dice, 0, 0)


@dispatch_on_dice(enumerating_dice.no_address)
@kernel
def open_address(dice, tick: int, lane: int) -> None:
    """Open the address (tick, lane). Nothing is computed until a word is taken."""
    dice.tick = tick
    dice.lane = lane
    dice.block = -1
    dice.cursor = BLOCK_WORDS
    dice.turn_step = 0


@dispatch_on_dice(enumerating_dice.no_turn)
@kernel
def open_turn(dice, tick: int, lane: int, step: int) -> None:
    """Open the address (tick, lane) of a participant with a turn every `step` ticks, whose next turns come soon."""
    open_address(dice, tick, lane)
    dice.turn_step = step


@dispatch_on_dice(enumerating_dice.no_turn)
@kernel
def open_in_turn(dice, tick: int, lane: int, step: int) -> None:
    """Like `open_turn`, for a participant who takes a word at once."""
    open_turn(dice, tick, lane, step)
    dice.block = 0
    dice.cursor = 0
    dice.blocks_drawn += 1
    dice.column = turn_column(dice, tick, lane, step)


@dispatch_on_dice(enumerating_dice.no_word)
@kernel
def word(dice) -> int:
    """The next 32-bit word of the open address."""
    if dice.cursor == BLOCK_WORDS:
        next_block(dice)
    value = dice.words[dice.column + blocks_at_once(dice) * dice.cursor & LAST_WORD]
    dice.cursor += 1
    return np.int64(value)  # type: ignore[return-value]  # NumPy's integers are ints wherever kernels look at them


@dispatch_on_dice(enumerating_dice.first_word)
@kernel
def peek(dice) -> int:
    """The word that the next roll takes first, without taking it."""
    if dice.cursor == BLOCK_WORDS:
        next_block(dice)
    return np.int64(dice.words[dice.column + blocks_at_once(dice) * dice.cursor & LAST_WORD])  # type: ignore[return-value]


@kernel
def next_block(dice) -> None:
    """Make the next block of the open address readable, filling it if necessary.

    The block never carries into the lane: the 65,537th is a fault.
    """
    dice.block += 1
    dice.cursor = 0
    dice.blocks_drawn += 1
    if dice.block > LAST_BLOCK:
        dice.exhausted = 1
        dice.block = 1
    if dice.block > 0:
        dice.column = following_block(dice)
    elif dice.turn_step > 0:
        dice.column = turn_block(dice)
    elif dice.lane >= FIRST_NAMED_LANE:
        dice.column = named_lane_block(dice)
    else:
        dice.column = participant_block(dice)


@dispatch_on_dice(enumerating_dice.outcomes_below)
@kernel
def below(dice, n: int) -> int:
    """An unbiased number from 0 to n - 1, for 1 <= n < 2^32."""
    limit = np.uint64(n)
    product = np.uint64(word(dice)) * limit
    if product & _LOW_HALF < limit:
        biased = (_TWO_TO_32 - limit) % limit
        while product & _LOW_HALF < biased:
            product = np.uint64(word(dice)) * limit
    return np.int64(product >> _HALF_WIDTH)  # type: ignore[return-value]


@kernel
def between(dice, low: int, high: int) -> int:
    """A number from low to high, both included."""
    return low + below(dice, high - low + 1)


@kernel
def d100(dice) -> int:
    """A number from 1 to 100."""
    return 1 + below(dice, 100)


@dispatch_on_dice(enumerating_dice.never_ready)
@kernel
def ready_d100(dice) -> int:
    """The result of `d100`, if its word is ready and unbiased; otherwise 0, and nothing is taken.

    For kernels with many rolls: the rare path is not compiled into each of them.
    """
    if dice.cursor < BLOCK_WORDS:
        product = np.uint64(dice.words[dice.column + blocks_at_once(dice) * dice.cursor & LAST_WORD]) * _HUNDRED
        # Below 100 the word may be one that favours some results.
        if product & _LOW_HALF >= _HUNDRED:
            dice.cursor += 1
            return 1 + np.int64(product >> _HALF_WIDTH)  # type: ignore[return-value]
    return 0


@dispatch_on_dice(enumerating_dice.no_real)
@kernel
def unit(dice) -> float:
    """A double from 0 up to but not including 1, with 53 random bits."""
    low = np.uint64(word(dice))
    high = np.uint64(word(dice))
    return np.float64(((high << _HALF_WIDTH) | low) >> np.uint64(11)) * 2.0**-53


@dispatch_on_dice(enumerating_dice.picked_outcomes)
@kernel
def pick(dice, weights) -> int:
    """The first index whose running sum of weights exceeds below(total). The weights must not all be zero."""
    total = 0
    for weight in weights:
        total += weight
    roll = below(dice, total)
    running = 0
    for index in range(len(weights)):
        running += weights[index]
        if running > roll:
            return index
    return len(weights) - 1


@dispatch_on_dice(enumerating_dice.first_word)
@kernel
def tie_word(dice) -> int:
    """A word that only decides the order of equals."""
    return word(dice)


@dispatch_on_dice(enumerating_dice.d100_outcomes)
@kernel
def d100_within(dice, chance: int) -> int:
    """A number from 1 to 100 that callers only compare with the chance."""
    return d100(dice)


@dispatch_on_dice(enumerating_dice.unit_outcomes)
@kernel
def unit_within(dice, limit: float) -> float:
    """A double from 0 up to but not including 1 that callers only compare with the limit."""
    return unit(dice)
