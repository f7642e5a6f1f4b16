"""The operations on doubles in lanes: the compiled form gives, bit for bit, what the NumPy form gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel import jit
from fracas.kernel.dice import dice_t, seek_stream, unit
from fracas.kernel.records import record
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import LANES, load, load_words, store, store_mask
from fracas.lanes.reals import (
    as_reals,
    divide_or_zero,
    floor_row,
    larger_real,
    load_reals,
    select_reals,
    smaller_real,
    splat_reals,
    store_reals,
    unit_of,
)

state_t = record(
    ("reals", np.float64, (16, LANES)),
    ("rows", np.uint16, (4, LANES)),
    ("words", np.uint32, (4, LANES)),
    ("masks", np.uint64, (8,)),
)


def everything(states: Any) -> None:
    """Every operation once: rows 0 and 1 of doubles, row 0, and words 0 and 1 are given."""
    state = states[0]
    a, b = load_reals(state, 0), load_reals(state, 1)
    store_reals(state, 2, a + b)
    store_reals(state, 3, a - b)
    store_reals(state, 4, a * b)
    store_reals(state, 5, a / b)
    store_reals(state, 6, smaller_real(a, b))
    store_reals(state, 7, larger_real(a, b))
    store_reals(state, 8, select_reals(a < b, a, splat_reals(0.3)))
    store_reals(state, 9, as_reals(load(state, 0)))
    store_reals(state, 10, as_reals(load_words(state, 0)))
    store_reals(state, 11, unit_of(load_words(state, 0), load_words(state, 1)))
    store_reals(state, 13, divide_or_zero(a, a - a))
    store_reals(state, 14, divide_or_zero(b, a))
    # A fused multiplication would round once.
    store_reals(state, 12, a * b + a)
    store(state, 1, floor_row(state, larger_real(splat_reals(0.0), a)))
    store_mask(state, 0, a < b)
    store_mask(state, 1, a <= b)
    store_mask(state, 2, a > b)
    store_mask(state, 3, a >= b)
    store_mask(state, 4, a == b)


def given() -> Any:
    states = aligned_records(state_t)
    numbers = np.random.default_rng(7)
    states[0].reals[0] = numbers.random(LANES) * 65_535
    states[0].reals[1] = numbers.random(LANES) * 100 + 0.001
    states[0].reals[0, :5] = (0.5, 1.0, 2.5, 65_534.999, 0.0)
    states[0].reals[1, :5] = (0.5, 1.0, 2.0, 3.0, 0.1)
    states[0].rows[0] = numbers.integers(0, 1 << 16, LANES)
    states[0].words[:2] = numbers.integers(0, 1 << 32, (2, LANES))
    states[0].words[:2, 0] = (0, 1 << 31)
    states[0].words[:2, 1] = 0xFFFFFFFF
    return states


def test_compiled_lanes_of_doubles_do_what_numpy_does() -> None:
    jit.enable()
    import numba

    plain, compiled = given(), given()
    everything(plain)
    numba.njit(everything)(compiled)
    assert plain.tobytes() == compiled.tobytes()
    assert (plain[0].reals[12] != 0).any()


def test_a_unit_in_lanes_is_the_unit_of_the_dice() -> None:
    dice = np.zeros(1, dice_t)[0]
    seek_stream(dice, 3)
    expected = unit(dice)
    low, high = (np.full(LANES, dice.words[dice.column + 16 * place], np.uint32) for place in range(2))
    assert (unit_of(low, high) == expected).all()
    most = np.full(LANES, 0xFFFFFFFF, np.uint32)
    assert (unit_of(most, most) == np.nextafter(1.0, 0.0)).all()
