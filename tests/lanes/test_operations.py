"""The operations on lanes: the compiled form gives what the NumPy form gives, for every width of lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fracas.kernel import jit
from fracas.kernel.chacha8 import plain_blocks
from fracas.kernel.dice import dice_t
from fracas.kernel.records import record
from fracas.lanes import memory
from fracas.lanes.lane_dice import any_in_group, draw_words, groups
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import (
    ALL_BITS,
    LANES,
    any_lane,
    as_row,
    as_words,
    count_lanes,
    first_lane,
    larger,
    load,
    load_mask,
    load_words,
    look_up,
    no_lanes,
    one_lane,
    select,
    smaller,
    splat,
    splat_words,
    store,
    store_mask,
    store_words,
    wide,
    widest,
)

ROWS, WORD_ROWS, MASKS = 20, 48, 16
holder_t = record(("dice", dice_t), ("table", np.int64, (300,)))


def state_type(kind: type[np.unsignedinteger[Any]], *, masks_are_rows: bool) -> np.dtype[Any]:
    return record(
        ("rows", kind, (ROWS, LANES)),
        ("words", np.uint32, (WORD_ROWS, LANES)),
        ("masks", np.uint16, (MASKS, LANES)) if masks_are_rows else ("masks", np.uint64, (MASKS,)),
        ("numbers", np.int64, (8,)),
    )


def everything(states: Any, holders: Any) -> None:
    """Every operation once: rows 0 and 1 are given, masks 0 and 1, words 0 to 4."""
    state, holder = states[0], holders[0]
    a, b = load(state, 0), load(state, 1)
    first, second = load_mask(state, 0), load_mask(state, 1)
    store(state, 2, a + b)
    store(state, 3, a - b)
    store(state, 4, a * b)
    store(state, 5, a >> 3)
    store(state, 6, a << 2)
    store(state, 7, smaller(a, b))
    store(state, 8, larger(a, b))
    store(state, 9, select(first, a, b))
    store(state, 10, splat(state, 77))
    store(state, 11, a & b)
    store(state, 12, a | b)
    store(state, 13, look_up(holder.table, 5, b & splat(state, 255)))
    store(state, 14, as_row(state, (wide(a) * wide(b)) >> 7))
    store(state, 15, as_row(state, (widest(a) * widest(b) * widest(splat_words(65537))) >> 20))
    store_mask(state, 2, a < b)
    store_mask(state, 3, a <= b)
    store_mask(state, 4, a > b)
    store_mask(state, 5, a >= b)
    store_mask(state, 6, a == b)
    store_mask(state, 7, a != b)
    store_mask(state, 8, first & second)
    store_mask(state, 9, first | second)
    store_mask(state, 10, ~first)
    store_mask(state, 11, no_lanes())
    store_mask(state, 12, one_lane(63) | one_lane(5))
    store_mask(state, 13, load_words(state, 0) < splat_words(1 << 31))
    store_words(state, 5, as_words(a) + load_words(state, 0))
    store_words(state, 6, select(second, load_words(state, 0), load_words(state, 1)))
    state.numbers[0] = 1 if any_lane(first) else 0
    state.numbers[1] = 1 if any_lane(no_lanes()) else 0
    state.numbers[2] = first_lane(first)
    state.numbers[3] = count_lanes(first)
    state.numbers[4] = 1 if any_lane(one_lane(63)) else 0
    for group in range(groups()):
        if any_in_group(~no_lanes(), group):
            draw_words(state, holder, 16, 7 << 16, 2, group)


def given_states(kind: type[np.unsignedinteger[Any]], *, masks_are_rows: bool = False) -> tuple[Any, Any]:
    luck = np.random.default_rng(7)
    states, holders = aligned_records(state_type(kind, masks_are_rows=masks_are_rows)), aligned_records(holder_t)
    most = int(np.iinfo(kind).max)
    states["rows"][0, :2] = luck.integers(0, most, (2, LANES), dtype=kind, endpoint=True)
    # Both ends of the range, and equal numbers.
    states["rows"][0, :2, :4] = [[0, most, most, 5], [most, 0, most, 5]]
    states["words"][0, :5] = luck.integers(0, 2**32, (5, LANES), dtype=np.uint32)
    if masks_are_rows:
        states["masks"][0, :2] = luck.integers(0, 2, (2, LANES)) * ALL_BITS
    else:
        states["masks"][0, :2] = luck.integers(0, 2**63, 2, dtype=np.uint64) << np.uint64(1)
    holders["table"] = luck.integers(0, most, 300)
    holders["dice"]["key"] = luck.integers(0, 2**32, 8, dtype=np.uint32)
    return states, holders


@pytest.mark.parametrize(("kind", "masks_are_rows"), [(np.uint16, False), (np.uint32, False), (np.uint16, True)])
def test_compiled_operations_give_what_numpy_gives(kind: type[np.unsignedinteger[Any]], masks_are_rows: bool) -> None:
    plain, holders = given_states(kind, masks_are_rows=masks_are_rows)
    fast, _ = given_states(kind, masks_are_rows=masks_are_rows)
    everything(plain, holders)
    jit.enable().njit(everything)(fast, holders)
    for name in plain.dtype.names or ():
        assert np.array_equal(plain[name], fast[name]), name
    assert plain["numbers"][0].tolist()[:2] == [1, 0]


def test_lanes_draw_the_words_that_the_dice_of_one_battle_draw() -> None:
    states, holders = given_states(np.uint16)
    for group in range(groups()):
        draw_words(states[0], holders[0], 16, 7 << 16, 2, group)
    words = states["words"][0]
    for lane in (0, 31, 63):
        block = plain_blocks(holders["dice"]["key"][0], words[3:5, lane], 7 << 16, 0, int(words[2, lane]), 0, 1)
        assert np.array_equal(words[16:32, lane], block[:, 0])


def test_numbers_wrap_around_and_do_not_grow() -> None:
    states, _ = given_states(np.uint16)
    total = load(states[0], 0) + load(states[0], 1)
    assert total.dtype == np.uint16
    assert total[1] == 65535
    assert total[2] == 65534


def test_states_keep_masks_as_the_processor_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for bits, kind, shape in ((512, np.uint64, (3,)), (256, np.uint16, (3, LANES)), (128, np.uint16, (3, LANES))):
        monkeypatch.setattr(memory, "vector_bits", lambda bits=bits: bits)
        assert memory.kept_masks(3) == ("masks", kind, shape)
