"""Operations on real lanes: vectors of 64 doubles, one for each of 64 battles played side by side.

Like operations.py, in its plain form on NumPy arrays; native_reals.py has the compiled form. Vectors of doubles have
`+ - * /` and the comparisons. Every operation rounds by itself, as the operations of the rules do.

`state` is a record with the field `reals`, (n, 64) of float64, and those that operations.py describes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import native_implementation
from fracas.lanes.operations import LANES

_TWINS = "fracas.lanes.native_reals"


@native_implementation(_TWINS)
def load_reals(state: Any, row: int) -> Any:
    """A row of doubles.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return state.reals[row].copy()


@native_implementation(_TWINS)
def store_reals(state: Any, row: int, value: Any) -> None:
    """Replace a row of doubles.

    Rule:    none.
    Changes: state.reals.
    Draws:   none.
    Emits:   nothing.
    """
    state.reals[row] = value


@native_implementation(_TWINS)
def splat_reals(number: float) -> Any:
    """A double in every lane.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.full(LANES, number, np.float64)


@native_implementation(_TWINS)
def as_reals(value: Any) -> Any:
    """Whole numbers as doubles.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return value.astype(np.float64)


@native_implementation(_TWINS)
def floor_row(state: Any, value: Any) -> Any:
    """Doubles from 0 up to what a row's numbers hold, rounded down, as wide as the state's rows.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return value.astype(state.rows.dtype)


@native_implementation(_TWINS)
def unit_of(low: Any, high: Any) -> Any:
    """Doubles from 0 up to but not including 1, from two words of dice.

    Rule:    docs/reference/dice.md, unit().
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return high * 2.0**-32 + (low >> 11) * 2.0**-53


@native_implementation(_TWINS)
def select_reals(mask: Any, chosen: Any, other: Any) -> Any:
    """One vector of doubles where the mask is true, the other elsewhere.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.where(mask, chosen, other)


@native_implementation(_TWINS)
def smaller_real(one: Any, other: Any) -> Any:
    """The smaller double of each lane; none of them may be NaN.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.where(other < one, other, one)


@native_implementation(_TWINS)
def larger_real(one: Any, other: Any) -> Any:
    """The larger double of each lane; none of them may be NaN.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.where(other > one, other, one)


@native_implementation(_TWINS)
def divide_or_zero(one: Any, other: Any) -> Any:
    """One vector of doubles divided by another; 0 where that is 0, for lanes that do not need the quotient.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.divide(one, other, out=np.zeros(LANES), where=other != 0.0)
