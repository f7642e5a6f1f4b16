"""The compiled twin of the dice: the same words, whatever order addresses are opened in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.dice import (
    BELOW,
    BETWEEN,
    D100,
    OPEN,
    SEEK,
    UNIT,
    WORDS,
    compiled,
    new_dice,
    pick_many,
    play_script,
    reference_words,
    run_script,
)
from tests.helpers.soak import times

from fracas.kernel.chacha8 import BLOCK_WORDS, MOST_FILLED
from fracas.kernel.dice import (
    LAST_BLOCK,
    dice_t,
    open_address,
    open_in_turn,
    open_turn,
    seek_stream,
    word,
)
from fracas.kernel.dice_blocks import BLOCKS_AREA, LANES_AREA, TICKS_AREA
from fracas.rulesets.shared.seeds import key_words

KEY = tuple(int(part) for part in key_words("twin"))
BLOCKS_OF_AN_ADDRESS = LAST_BLOCK + 1
AREA_WORDS = BLOCK_WORDS * MOST_FILLED


@pytest.fixture(scope="module")
def native():
    return compiled(play_script)


lanes = st.integers(0, 40) | st.integers(0xFEF0, 0xFFFF)
ticks = st.integers(0, 40) | st.integers(2**32 - 20, 2**32 - 1)
amounts = st.integers(0, 20) | st.sampled_from([16, 17, 256, 272, 273, 300])
openings = st.tuples(ticks, lanes, amounts).map(lambda each: [(OPEN, each[0], each[1]), (WORDS, each[2], 0)])
# Streams whose two halves are both in play, and back to an earlier one.
seeks = st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63 - 1]).map(lambda stream: [(SEEK, stream, 0)])
scripts = st.lists(openings | seeks, max_size=9).map(lambda parts: [step for part in parts for step in part])


@settings(deadline=None, max_examples=times(40))
@given(scripts)
def test_any_order_of_addresses_gives_the_same_words_plain_and_compiled(native, script):
    plain, plain_dice = run_script(play_script, script, KEY)
    quick, quick_dice = run_script(native, script, KEY)
    assert plain == quick
    assert np.array_equal(plain_dice.words, quick_dice.words)
    assert plain_dice.blocks_drawn == quick_dice.blocks_drawn


def play_both(native, script):
    plain, _ = run_script(play_script, script, KEY)
    assert plain == run_script(native, script, KEY)[0]
    return plain


@pytest.mark.parametrize(("lane", "area"), [(5, LANES_AREA), (0xFF00, TICKS_AREA), (0xFFFF, TICKS_AREA)])
def test_a_first_block_fills_its_own_area_only(native, lane, area):
    script = [(OPEN, 3, lane), (WORDS, 1, 0)]
    for player in (play_script, native):
        _, dice = run_script(player, script, KEY)
        filled = [bool(dice.words[each * AREA_WORDS : (each + 1) * AREA_WORDS].any()) for each in range(3)]
        assert filled == [each == area for each in range(3)]


def test_a_long_address_fills_the_third_area_only_from_its_second_block_on(native):
    script = [(OPEN, 3, 5), (WORDS, 17, 0)]
    for player in (play_script, native):
        _, dice = run_script(player, script, KEY)
        assert dice.words[BLOCKS_AREA * AREA_WORDS : (BLOCKS_AREA + 1) * AREA_WORDS].all()
        assert dice.blocks_drawn == 2


def test_a_long_address_crosses_the_blocks_that_are_filled_at_once(native):
    count = 40 * BLOCK_WORDS
    words = play_both(native, [(OPEN, 7, 3), (WORDS, count, 0)])
    assert words == reference_words(KEY, 0, 7, 3, count)


def test_a_long_address_of_a_named_lane_does_the_same(native):
    count = 20 * BLOCK_WORDS
    words = play_both(native, [(OPEN, 7, 0xFF01), (WORDS, count, 0)])
    assert words == reference_words(KEY, 0, 7, 0xFF01, count)


@pytest.mark.parametrize("lane", [4, 0xFFFF])
def test_an_address_that_is_opened_again_after_another_tick_begins_again(native, lane):
    script = [step for tick in (1, 2, 1, 30, 1) for step in ((OPEN, tick, lane), (WORDS, 18, 0))]
    words = play_both(native, script)
    assert words == [each for tick in (1, 2, 1, 30, 1) for each in reference_words(KEY, 0, tick, lane, 18)]


@pytest.mark.parametrize("step", [1, 2, 15, 16, 17, 31, 32, 33, -1, -15, -16, -17])
@pytest.mark.parametrize("lane", [3, 0xFF00, 0xFFFF])
def test_ticks_just_inside_and_outside_of_what_was_filled(native, lane, step):
    visits = (40, 40 + step, 40, 41 + step)
    words = play_both(native, [part for tick in visits for part in ((OPEN, tick, lane), (WORDS, 5, 0))])
    assert words == [each for tick in visits for each in reference_words(KEY, 0, tick, lane, 5)]


@pytest.mark.parametrize("lane", [0, 15, 16, 17, 31, 32, 0xFEFF])
def test_lanes_just_inside_and_outside_of_what_was_filled(native, lane):
    visits = (16, lane, 15, lane, 47)
    words = play_both(native, [part for each in visits for part in ((OPEN, 2, each), (WORDS, 5, 0))])
    assert words == [word for each in visits for word in reference_words(KEY, 0, 2, each, 5)]


# In turn, off it, before and after what was filled.
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("ticks", [(0, 1, 3, 31, 33, 35), (0, 2, 30, 32, 64), (7, 8, 9, 5, 39, 41), (1, 100, 2)])
def test_the_lanes_of_those_who_have_turns_give_their_own_words(step, ticks):
    dice = new_dice(KEY)
    for stream in (0, 2**40):
        seek_stream(dice, stream)
        for tick in ticks:
            for lane, open_it in ((0, open_turn), (1, open_in_turn), (2, open_in_turn), (3, open_turn)):
                open_it(dice, tick, lane, step)
                words = [int(word(dice)) for _ in range(BLOCK_WORDS + 2)]
                assert words == reference_words(KEY, stream, tick, lane, BLOCK_WORDS + 2)
    assert dice.blocks_drawn == 8 * len(ticks)


@pytest.mark.parametrize("open_it", [open_turn, open_in_turn])
def test_sixteen_turns_are_filled_at_once(monkeypatch, open_it):
    filled = []
    monkeypatch.setattr("fracas.kernel.dice_blocks.fill", lambda *address: filled.append(address[1:]))
    dice = new_dice(KEY)
    for tick in range(3, 3 + 32 * 5, 5):
        for lane in (0, 1):
            open_it(dice, tick, lane, 5)
            word(dice)
    assert [(lane >> 16, tick) for _, lane, _, tick, _ in filled] == [(0, 3), (1, 3), (0, 83), (1, 83)]


def test_lanes_tables_and_long_addresses_do_not_disturb_each_other(native):
    visits = [
        (1, 0xFFFF, 16),
        (1, 0, 40),
        (1, 17, 3),
        (1, 1, 2),
        (1, 0xFF00, 3),
        (2, 0xFFFF, 16),
        (1, 2, 20),
        (2, 1, 1),
    ]
    words = play_both(native, [step for tick, lane, n in visits for step in ((OPEN, tick, lane), (WORDS, n, 0))])
    assert words == [each for tick, lane, n in visits for each in reference_words(KEY, 0, tick, lane, n)]


@pytest.mark.parametrize("n", [1, 2, 3, 100, 2**31, 2**31 + 1, 2**32 - 1])
def test_rolls_are_the_same_plain_and_compiled(native, n):
    script = [
        (OPEN, 4, 2),
        *[(BELOW, n, 0)] * 40,
        *[(BETWEEN, -(n // 2), (n - 1) // 2)] * 9,
        *[(D100, 0, 0)] * 9,
        *[(UNIT, 0, 0)] * 9,
    ]
    play_both(native, script)


@pytest.mark.parametrize("weights", [(1,), (0, 5, 0, 2), (1, 0, 0), (10**9, 1, 10**9)])
def test_picks_are_the_same_plain_and_compiled(weights):
    picked = []
    for player in (pick_many, compiled(pick_many)):
        dices = np.zeros(1, dice_t)
        seek_stream(dices[0], 5)
        out = np.zeros(50, np.int64)
        player(dices, np.array(weights, np.int64), out)
        picked.append(out.tolist())
    assert picked[0] == picked[1]
    assert all(weights[place] for place in picked[0])


def test_an_address_has_65536_blocks_and_the_next_is_a_fault(native):
    last_words = [(OPEN, 1, 3), *[(WORDS, 1 << 16, 0)] * BLOCK_WORDS]
    words, dice = run_script(native, last_words, KEY, room=BLOCKS_OF_AN_ADDRESS * BLOCK_WORDS)
    assert dice.exhausted == 0
    assert words[-BLOCK_WORDS:] == reference_words(KEY, 0, 1, 3, BLOCK_WORDS, first_block=LAST_BLOCK)
    _, dice = run_script(native, [*last_words, (WORDS, 1, 0)], KEY, room=BLOCKS_OF_AN_ADDRESS * BLOCK_WORDS + 1)
    assert dice.exhausted == 1


def test_the_fault_is_the_same_when_played_plain():
    dice = new_dice(KEY)
    open_address(dice, 1, 3)
    # As if all blocks but the last sixteen had been read.
    dice.block = LAST_BLOCK - MOST_FILLED
    words = [int(word(dice)) for _ in range(MOST_FILLED * BLOCK_WORDS)]
    assert words[-BLOCK_WORDS:] == reference_words(KEY, 0, 1, 3, BLOCK_WORDS, first_block=LAST_BLOCK)
    assert dice.exhausted == 0
    word(dice)
    assert dice.exhausted == 1


def test_another_battle_forgets_the_fault():
    dice = new_dice(KEY)
    dice.exhausted = 1
    seek_stream(dice, 1)
    assert dice.exhausted == 0
