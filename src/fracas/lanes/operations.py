"""Operations on lanes: vectors of 64 unsigned numbers, one for each of 64 battles played side by side.

The functions here are the plain form, on NumPy arrays: rules written with them run under a debugger.
native_operations.py has the compiled form, on vector registers. A row of state is 64 numbers of 16 or 32 bits, a mask
64 truths. Vectors of one width have `+ - *`, shifts by a constant and the comparisons; masks have `& | ~`. Numbers wrap
around, as in C.

`state` is a record with the field `rows`, (n, 64) of uint16 or uint32, the field `words`, (m, 64) of uint32, and the
field `masks`: (k,) of uint64, a bit for each lane, or (k, 64) of uint16, 0 or all bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import native_implementation

LANES = 64
# The number of 16 bits that stands for true where a kept mask is a row of numbers.
ALL_BITS = (1 << 16) - 1

_TWINS = "fracas.lanes.native_operations"
_WIDER = {np.dtype(np.uint16): np.uint32, np.dtype(np.uint32): np.uint64}


@native_implementation(_TWINS)
def load(state, row: int):
    """A row of the state."""
    return state.rows[row].copy()


@native_implementation(_TWINS)
def store(state, row: int, value) -> None:
    """Replace a row of the state."""
    state.rows[row] = value


@native_implementation(_TWINS)
def load_words(state, row: int):
    """A row of 32-bit words."""
    return state.words[row].copy()


@native_implementation(_TWINS)
def store_words(state, row: int, value) -> None:
    """Replace a row of 32-bit words."""
    state.words[row] = value


@native_implementation(_TWINS)
def load_mask(state, row: int):
    """A mask from the state."""
    if state.masks.ndim == 2:
        return state.masks[row] != 0
    return np.unpackbits(state.masks[row : row + 1].view(np.uint8), bitorder="little").astype(np.bool_)


@native_implementation(_TWINS)
def store_mask(state, row: int, mask) -> None:
    """Keep a mask in the state."""
    if state.masks.ndim == 2:
        state.masks[row] = np.where(mask, ALL_BITS, 0)
    else:
        state.masks[row] = np.packbits(mask, bitorder="little").view(np.uint64)[0]


@native_implementation(_TWINS)
def splat(state, number: int):
    """A number in every lane, as wide as the state's rows."""
    return np.full(LANES, number, state.rows.dtype)


@native_implementation(_TWINS)
def splat_words(number: int):
    """A number in every lane, with 32 bits."""
    return np.full(LANES, number, np.uint32)


@native_implementation(_TWINS)
def select(mask, chosen, other) -> Any:
    """One vector where the mask is true, the other elsewhere."""
    return np.where(mask, chosen, other)


@native_implementation(_TWINS)
def smaller(one, other) -> Any:
    """The smaller number of each lane."""
    return np.minimum(one, other)


@native_implementation(_TWINS)
def larger(one, other) -> Any:
    """The larger number of each lane."""
    return np.maximum(one, other)


@native_implementation(_TWINS)
def wide(value) -> Any:
    """The same numbers with twice the bits, so that a product fits."""
    return value.astype(_WIDER[value.dtype])


@native_implementation(_TWINS)
def widest(value) -> Any:
    """The same numbers with 64 bits."""
    return value.astype(np.uint64)


@native_implementation(_TWINS)
def as_words(value) -> Any:
    """The same numbers with 32 bits."""
    return value.astype(np.uint32)


@native_implementation(_TWINS)
def as_row(state, value) -> Any:
    """The low bits of numbers, as wide as the state's rows."""
    return value.astype(state.rows.dtype)


@native_implementation(_TWINS)
def any_lane(mask) -> bool:
    """Whether a mask is true anywhere."""
    return bool(mask.any())


@native_implementation(_TWINS)
def no_lanes() -> Any:
    """The mask that is false everywhere."""
    return np.zeros(LANES, np.bool_)


@native_implementation(_TWINS)
def one_lane(lane: int):
    """The mask that is true in one lane."""
    return np.arange(LANES) == lane


@native_implementation(_TWINS)
def first_lane(mask) -> int:
    """The first lane in which a mask is true; it must be true somewhere."""
    return int(mask.argmax())


@native_implementation(_TWINS)
def count_lanes(mask) -> int:
    """In how many lanes a mask is true."""
    return int(mask.sum())


@native_implementation(_TWINS)
def look_up(table, first: int, places):
    """The numbers of a table of int64 at the places first + places[lane], cut to the width of `places`."""
    return table[first + places.astype(np.int64)].astype(places.dtype)
