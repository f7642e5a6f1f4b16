"""ChaCha8 against its published vector, another library, and the structure of ChaCha20."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.dice import new_dice, reference_words

from fracas.kernel import chacha8
from fracas.kernel.chacha8 import plain_blocks
from fracas.kernel.dice import open_address, seek_stream, word
from fracas.rulesets.shared.seeds import key_words

PUBLISHED = (
    "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
    "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
)
ZERO_KEY = (0,) * 8
SOME_KEY = tuple(int(part) for part in key_words("border-clash"))

words32 = st.integers(0, 2**32 - 1)
keys = st.tuples(*[words32] * 8)
# Ticks at both ends of their 32 bits, streams on both sides of 2^32.
ticks = st.integers(0, 60) | st.integers(2**32 - 20, 2**32 - 1) | words32
streams = st.integers(0, 5) | st.integers(2**32 - 3, 2**32 + 3) | st.integers(0, 2**60 - 1)
lanes = st.integers(0, 0xFFFF) | st.sampled_from([0, 15, 16, 0xFEFF, 0xFF00, 0xFFFF])


def taken(dice: Any, count: int) -> list[int]:
    return [int(word(dice)) for _ in range(count)]


def as_bytes(words: list[int]) -> bytes:
    return np.array(words, "<u4").tobytes()


def test_zero_key_stream_and_counter_give_the_published_words():
    assert as_bytes(taken(new_dice(), 16)).hex() == PUBLISHED


def test_another_library_gives_the_published_words_too():
    assert as_bytes(reference_words(ZERO_KEY, 0, 0, 0, 16)).hex() == PUBLISHED


def test_a_block_that_is_filled_along_is_the_one_that_its_own_counter_gives():
    blocks = plain_blocks(np.array(SOME_KEY, np.uint32), np.array([7, 9], np.uint32), 5 << 16, 1 << 16, 3, 0)
    for place in range(16):
        assert blocks[:, place].tolist() == reference_words(SOME_KEY, 9 << 32 | 7, 3, 5 + place, 16)


@given(keys, streams, ticks, lanes)
def test_every_address_is_the_block_counter_tick_lane_zero(key, stream, tick, lane):
    dice = new_dice(key, stream)
    open_address(dice, tick, lane)
    assert taken(dice, 40) == reference_words(key, stream, tick, lane, 40)


def test_words_of_the_second_block_follow_those_of_the_first():
    dice = new_dice(SOME_KEY)
    open_address(dice, 2, 3)
    assert taken(dice, 32)[16:] == reference_words(SOME_KEY, 0, 2, 3, 16, first_block=1)


@pytest.mark.parametrize("stream", [0, 1, 2**32 - 1, 2**32, 2**32 + 1, 2**40 + 5, 2**60 - 1])
def test_streams_beyond_32_bits_are_streams_of_their_own(stream):
    dice = new_dice(SOME_KEY, stream)
    open_address(dice, 1, 4)
    assert taken(dice, 8) == reference_words(SOME_KEY, stream, 1, 4, 8)


def test_the_largest_stream_uses_all_words_of_its_half():
    dice = new_dice(SOME_KEY, 2**63 - 1)
    assert dice.stream.tolist() == [0xFFFFFFFF, 0x7FFFFFFF]


def test_the_table_of_the_last_ticks_does_not_run_over():
    dice = new_dice(SOME_KEY)
    for tick in range(2**32 - 4, 2**32):
        open_address(dice, tick, 0xFFFF)
        assert taken(dice, 3) == reference_words(SOME_KEY, 0, tick, 0xFFFF, 3)


def test_another_stream_forgets_what_was_filled():
    dice = new_dice(SOME_KEY)
    for lane in (4, 0xFFFF):
        open_address(dice, 1, lane)
        taken(dice, 40)
    seek_stream(dice, 1)
    for lane in (4, 0xFFFF):
        open_address(dice, 1, lane)
        assert taken(dice, 40) == reference_words(SOME_KEY, 1, 1, lane, 40)


def test_opening_an_address_computes_nothing():
    dice = new_dice(SOME_KEY)
    open_address(dice, 9, 9)
    assert dice.blocks_drawn == 0
    assert not dice.words.any()


@pytest.mark.parametrize("key", [ZERO_KEY, SOME_KEY])
def test_with_twenty_rounds_the_same_blocks_are_those_of_chacha20(monkeypatch, key):
    monkeypatch.setattr(chacha8, "DOUBLE_ROUNDS", 10)
    low, high, stream = 0xFFFFFFF0, 5, (0x12345678, 0x9ABCDEF0)
    blocks = plain_blocks(np.array(key, np.uint32), np.array(stream, np.uint32), low, 1, high, 0)
    for place in range(16):
        nonce = as_bytes([low + place, high, *stream])
        encryptor = Cipher(ChaCha20(as_bytes(list(key)), nonce), mode=None).encryptor()
        assert as_bytes(blocks[:, place].tolist()) == encryptor.update(bytes(64))


def test_the_comparison_with_chacha20_notices_eight_rounds():
    blocks = plain_blocks(np.array(ZERO_KEY, np.uint32), np.zeros(2, np.uint32), 0, 1, 0, 0)
    encryptor = Cipher(ChaCha20(bytes(32), bytes(16)), mode=None).encryptor()
    assert as_bytes(blocks[:, 0].tolist()) != encryptor.update(bytes(64))
