"""Orders of turns: the keys of a round's participants, smallest first, where words of the dice settle ties.

For exact odds words settle nothing. Whenever one of several equals is next, each of them is equally likely.

The rules: docs/adr/0022; docs/reference/dice.md.
"""

from __future__ import annotations

from fracas.kernel.enumerating_dice import outcome_among_equals
from fracas.kernel.jit import kernel

# A key holds, from above, how late the participant is, a word of 32 bits, and its number.
NUMBER_BITS = 12
LATE_SHIFT = 32 + NUMBER_BITS
LAST_NUMBER = (1 << NUMBER_BITS) - 1
# Initiatives beyond this count as this, so that keys are whole numbers of 63 bits.
GREATEST_INITIATIVE = 1 << 17


@kernel
def order_key(initiative: int, word: int, number: int) -> int:
    """The key of a participant: those with more initiative come first, then those with the lower word."""
    late = GREATEST_INITIATIVE - min(max(initiative, -GREATEST_INITIATIVE), GREATEST_INITIATIVE)
    return late << LATE_SHIFT | word << NUMBER_BITS | number


@kernel
def put_in_order(keys, count: int, key: int) -> int:
    """Insert a key among the first `count`, which are in order; the new count."""
    index = count
    while index > 0 and keys[index - 1] > key:
        keys[index] = keys[index - 1]
        index -= 1
    keys[index] = key
    return count + 1


@kernel
def place_of_next(dice, keys, count: int, shift: int) -> int:
    """The place of a key among those that are first but for their words, which stand below `shift`.

    Draws: below(the keys that are first but for their words).
    """
    ties = 1
    while ties < count and keys[ties] >> shift == keys[0] >> shift:
        ties += 1
    return outcome_among_equals(dice, ties)


@kernel
def take_out(keys, count: int, index: int) -> int:
    """Remove the key at a place; those after it move up, and a zero follows them. The new count."""
    for behind in range(index, count - 1):
        keys[behind] = keys[behind + 1]
    keys[count - 1] = 0
    return count - 1
