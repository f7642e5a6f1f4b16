"""Signed numbers in lanes of 16 bits, and the few things that rules do with rows and masks again and again.

Lanes are unsigned. A number below 0 is written as in C, and compared after its highest bit is flipped; compiled, that
is one signed comparison.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import truth
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
    wide,
    widest,
)
from fracas.rulesets.relics.lockstep.state import ALIVE, GIVEN_UP
from fracas.rulesets.relics.rules.constants import LARGEST

HIGHEST_BIT = 1 << 15
ROW_BITS = (1 << 16) - 1
WORD_BITS = (1 << 32) - 1
# `divided` multiplies by the reciprocal; with more bits it is exact for larger products, with fewer it fits a word.
_SHORT_RECIPROCAL, _LONG_RECIPROCAL = 32, 36
_FIRST_LONG = 17
# No counted product is larger.
_MOST_COUNTED = 3_000_000


@kernel
def number(state, value: int):
    """A number in every lane; it may be below 0."""
    return splat(state, value & ROW_BITS)


@kernel
def flipped(state, row) -> Any:
    """Numbers in the order of unsigned ones."""
    return row + splat(state, HIGHEST_BIT)


@kernel
def is_less(state, one, other) -> Any:
    """Where one number is less than the other."""
    return flipped(state, one) < flipped(state, other)


@kernel
def least(state, one, other) -> Any:
    """The lesser number of each lane."""
    return select(is_less(state, one, other), one, other)


@kernel
def most(state, one, other) -> Any:
    """The greater number of each lane."""
    return select(is_less(state, one, other), other, one)


@kernel
def is_above_0(state, row) -> Any:
    """Where a number is above 0."""
    return is_less(state, splat(state, 0), row)


@kernel
def count(state, row: int, mask) -> None:
    """Add 1 to a row where a mask is true."""
    store(state, row, load(state, row) + truth(state, mask))


@kernel
def add_to_words(state, row: int, mask, value) -> None:
    """Add numbers, none below 0, to a row of words where a mask is true."""
    store_words(state, row, load_words(state, row) + select(mask, as_words(value), splat_words(0)))


@kernel
def mark(state, row: int, mask) -> None:
    """Make a kept mask true where another is."""
    store_mask(state, row, load_mask(state, row) | mask)


@kernel
def unmark(state, row: int, mask) -> None:
    """Make a kept mask false where another is true."""
    store_mask(state, row, load_mask(state, row) & ~mask)


@kernel
def divided(product, per: int):
    """Numbers of 32 bits divided by one from 2 on, rounded down, in lanes of 64 bits.

    Exact where product * per is below 2^32, and below 2^36 if `per` is at least 17.
    """
    places = _SHORT_RECIPROCAL if per < _FIRST_LONG else _LONG_RECIPROCAL
    reciprocal = (1 << places) // per + 1
    return (widest(product) * widest(splat_words(reciprocal))) >> places


@kernel_noinline
def with_percentage(state, amount, percent, highest: int):
    """Amount * (100 + percent) // 100, at most `highest`, for an amount from 0 on; less than -100 counts as -100.

    README, Changes, A packet.
    """
    share = most(state, percent, number(state, -100)) + splat(state, 100)
    quotient = as_words(divided(wide(amount) * wide(share), 100))
    return as_row(state, select(quotient > splat_words(highest), splat_words(highest), quotient))


@kernel_noinline
def counted(state, row, times: int, per: int):
    """Row * times // per, held to -9,999 to 9,999; `times` is within 150, `per` from 1 to 9,999.

    README, Ops, An amount.
    """
    if times == 1 and per == 1:
        return most(state, least(state, row, splat(state, LARGEST)), number(state, -LARGEST))
    # Everything is moved up by a multiple of `per`, so that nothing is below 0.
    moved = _MOST_COUNTED // per + 1
    above = (moved * per - HIGHEST_BIT * times) & WORD_BITS
    product = wide(flipped(state, row)) * splat_words(times & WORD_BITS) + splat_words(above)
    quotient = as_words(divided(product, per)) if per > 1 else product
    lowest, highest = splat_words(max(moved - LARGEST, 0)), splat_words(moved + LARGEST)
    quotient = select(quotient < lowest, lowest, select(quotient > highest, highest, quotient))
    return as_row(state, quotient - splat_words(moved))


@kernel_noinline
def is_multiple(state, row, of: int):
    """Where numbers are divisible by one; by 0 and less none is (docs/reference/conditions.md)."""
    if of <= 0:
        return no_lanes()
    if of == 1:
        return ~no_lanes()
    size = select(is_less(state, row, splat(state, 0)), splat(state, 0) - row, row)
    if of > LARGEST:
        return size == splat(state, 0)
    quotient = as_row(state, divided(wide(size), of))
    return quotient * splat(state, of) == size


@kernel_noinline
def give_up(state, mask) -> None:
    """Leave battles to the rules of rules/, which play them from the start."""
    if any_lane(mask):
        mark(state, GIVEN_UP, mask)
        unmark(state, ALIVE, mask)
