"""How many blocks dice fill at once changes no word: a record with room for four against one with room for sixteen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.dice import OPEN, SEEK, TURN, WORDS, compiled, play_script, run_script
from tests.helpers.soak import times

from fracas.kernel.chacha8 import AREAS, BLOCK_WORDS, MOST_FILLED, NARROW, blocks_at_once
from fracas.kernel.dice import dice_t
from fracas.kernel.records import record
from fracas.rulesets.shared.seeds import key_words

KEY = tuple(int(part) for part in key_words("width"))


def with_room(blocks: int) -> np.dtype:
    """Dice with room for so many blocks in an area."""
    fields = [(name, dice_t[name]) for name in dice_t.names or () if name != "words"]
    return record(*fields, ("words", np.uint32, (AREAS * BLOCK_WORDS * blocks,)))


NARROW_DICE = with_room(NARROW)


@pytest.fixture(scope="module")
def native():
    return compiled(play_script)


lanes = st.integers(0, 40) | st.integers(0xFEF0, 0xFFFF)
ticks = st.integers(0, 40) | st.integers(2**32 - 20, 2**32 - 1)
amounts = st.integers(0, 20) | st.sampled_from([16, 17, 64, 80, 81, 272, 300])
# OPEN, or somebody's turn every so many ticks.
kinds = st.just(OPEN) | st.integers(TURN + 1, TURN + 40)
openings = st.tuples(kinds, ticks, lanes, amounts).map(lambda each: [each[:3], (WORDS, each[3], 0)])
seeks = st.sampled_from([0, 1, 2**32 - 1, 2**63 - 1]).map(lambda stream: [(SEEK, stream, 0)])
scripts = st.lists(openings | seeks, max_size=9).map(lambda parts: [step for part in parts for step in part])


@settings(deadline=None, max_examples=times(40))
@given(scripts)
def test_both_widths_give_the_same_words_and_count_the_same_blocks(native, script):
    wide, wide_dice = run_script(play_script, script, KEY)
    for player in (play_script, native):
        narrow, narrow_dice = run_script(player, script, KEY, NARROW_DICE)
        assert narrow == wide
        assert narrow_dice.blocks_drawn == wide_dice.blocks_drawn


def test_the_two_records_are_of_two_widths():
    """Or the test above would compare a width with itself."""
    dice = [np.zeros(1, kind)[0] for kind in (dice_t, NARROW_DICE)]
    assert [blocks_at_once(each) for each in dice] == [MOST_FILLED, NARROW]
