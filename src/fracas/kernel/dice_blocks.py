"""Decides which blocks of dice are filled together, and where in a record they are.

A request fills the blocks that are likely to be needed next: the lanes around a participant's, the following ticks of a
named lane, the next turns of a participant with regular turns, or the following blocks of a long address. Each kind has
its own areas, with as many blocks as the target fills at once.

The rules: docs/reference/dice.md.
"""

from __future__ import annotations

from fracas.kernel.chacha8 import BLOCK_WORDS, blocks_at_once, fill
from fracas.kernel.jit import kernel, kernel_noinline

# Every other group of lanes has its own area: sides that take turns would otherwise overwrite each other's blocks.
LANES_AREA, TICKS_AREA, BLOCKS_AREA, OTHER_LANES_AREA = 0, 1, 2, 3
# Even and odd lanes, used in turns.
TURNS_AREA = 4


@kernel_noinline
def fill_area(dice, area: int, low: int, low_step: int, high: int, high_step: int) -> None:
    """Fill an area with blocks whose counters step by (low_step, high_step).

    Numba compiles a function once for callers that are inlined and once for those that are not. Called only from here,
    the large `fill` is compiled once.
    """
    fill(dice, area, low, low_step, high, high_step)


@kernel
def participant_block(dice) -> int:
    """The column of the first block of a participant's lane; fills its neighbours' blocks too.

    Filling many lanes of a tick at once.
    """
    width = blocks_at_once(dice)
    first = dice.lane - dice.lane % width
    index = first // width & 1
    area = LANES_AREA if index == 0 else OTHER_LANES_AREA
    wanted = dice.tick << 16 | first
    if dice.lanes_filled[index] != wanted:
        fill_area(dice, area, first << 16, 1 << 16, dice.tick, 0)
        dice.lanes_filled[index] = wanted
    return area * BLOCK_WORDS * width + dice.lane - first


@kernel
def turn_column(dice, tick: int, lane: int, step: int) -> int:
    """The column of the first block of a participant's turn; fills the blocks of its next turns too."""
    width = blocks_at_once(dice)
    column = lane & 1
    ahead = tick - dice.turns_first[column]
    is_known = dice.turns_lane[column] == lane and dice.turns_step[column] == step
    if not is_known or ahead < 0 or ahead % step != 0 or ahead >= width * step:
        fill_area(dice, TURNS_AREA + column, lane << 16, 0, tick, step)
        dice.turns_lane[column] = lane
        dice.turns_first[column] = tick
        dice.turns_step[column] = step
        ahead = 0
    return (TURNS_AREA + column) * BLOCK_WORDS * width + ahead // step


@kernel_noinline
def turn_block(dice) -> int:
    """The column of the first block of the open address, a participant's turn."""
    return turn_column(dice, dice.tick, dice.lane, dice.turn_step)


@kernel_noinline
def named_lane_block(dice) -> int:
    """The column of the first block of a named lane; fills the same lane's blocks of the next ticks too."""
    width = blocks_at_once(dice)
    ahead = dice.tick - dice.ticks_first
    if dice.ticks_lane != dice.lane or ahead < 0 or ahead >= width:
        fill_area(dice, TICKS_AREA, dice.lane << 16, 0, dice.tick, 1)
        dice.ticks_lane = dice.lane
        dice.ticks_first = dice.tick
        ahead = 0
    return TICKS_AREA * BLOCK_WORDS * width + ahead


@kernel_noinline
def following_block(dice) -> int:
    """The column of block 1, 2, 3... of the open address; fills several at a time."""
    width = blocks_at_once(dice)
    index = (dice.block - 1) % width
    if index == 0:
        fill_area(dice, BLOCKS_AREA, dice.lane << 16 | dice.block, 1, dice.tick, 0)
    return BLOCKS_AREA * BLOCK_WORDS * width + index
