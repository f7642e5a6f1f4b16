"""Dice in lanes: the same addressed ChaCha8 dice as kernel/dice.py, with the stream of another battle in every lane."""

from __future__ import annotations

import numpy as np

from fracas.kernel.chacha8 import CHACHA_CONSTANTS, mixed_blocks
from fracas.kernel.jit import native_implementation
from fracas.lanes.operations import LANES

# Lanes whose dice are drawn at once, in plain Python.
GROUP = 32
_TWINS = "fracas.lanes.native_dice"


@native_implementation(_TWINS)
def groups() -> int:
    """How many groups the lanes form whose dice are drawn at once; the processor decides how many are fastest."""
    return LANES // GROUP


@native_implementation(_TWINS)
def any_in_group(mask, group: int) -> bool:
    """Whether a mask is true anywhere among the lanes of a group."""
    return bool(mask[group * GROUP : (group + 1) * GROUP].any())


@native_implementation(_TWINS)
def draw_words(state, battle, into: int, low: int, tick: int, group: int) -> None:
    """Draw the first block of an address in the lanes of a group, each with the dice of its own battle.

    into: the first of sixteen rows of words. low: the low half of the address, lane << 16. tick: the row with the
    ticks; after it the two halves of the streams. group: which lanes, from 0.

    docs/reference/dice.md.
    """
    lanes = slice(group * GROUP, (group + 1) * GROUP)
    start = np.empty((16, GROUP), np.uint32)
    start[0:4] = np.array(CHACHA_CONSTANTS, np.uint32)[:, None]
    start[4:12] = np.asarray(battle.dice.key)[:, None]
    start[12] = low
    start[13:16] = state.words[tick : tick + 3, lanes]
    state.words[into : into + 16, lanes] = mixed_blocks(start)
