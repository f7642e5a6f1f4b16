"""ChaCha8 in plain Python: the sixteen words of a block, from a key and an address. docs/reference/dice.md."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from fracas.kernel.jit import native_implementation

BLOCK_WORDS = 16
# Areas of words that dice fill, one for each kind of address.
AREAS = 8
# Records have room for this many blocks per area; a target with shorter vectors fills fewer at once.
MOST_FILLED = 16
# WebAssembly has vectors of 128 bits.
NARROW = 4
# The words of dice that fill this few at once, for records that exist by the thousand.
NARROW_WORDS = AREAS * BLOCK_WORDS * NARROW

CHACHA_CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)


DOUBLE_ROUNDS = 4

_LOW_HALF = 0xFFFFFFFF
_CONSTANTS = np.array(CHACHA_CONSTANTS, np.uint32)[:, None]
# Between two quarter rounds, columns become diagonals: three of the four rows move by one, two and three words.
_BY_ONE, _BY_TWO, _BY_THREE = np.array([1, 2, 3, 0]), np.array([2, 3, 0, 1]), np.array([3, 0, 1, 2])

Words = np.ndarray[Any, np.dtype[np.uint32]]


@native_implementation("fracas.kernel.chacha8_simd")
def blocks_at_once(dice) -> int:
    """How many blocks are filled at once: as many as a record has room for.

    Fewer when compiled for a target with short vectors (chacha8_simd.py). No roll can observe the difference.
    """
    return len(dice.words) // (AREAS * BLOCK_WORDS)


def plain_blocks(
    key: np.ndarray[Any, Any],
    stream: np.ndarray[Any, Any],
    low: int,
    low_step: int,
    high: int,
    high_step: int,
    count: int = MOST_FILLED,
) -> np.ndarray[Any, Any]:
    """ChaCha8 blocks as a (16 words, count blocks) array; block i has counter (low + i * low_step, high + ...)."""
    start = np.empty((BLOCK_WORDS, count), np.uint32)
    start[0:4] = _CONSTANTS
    start[4:12] = np.asarray(key, np.uint32)[:, None]
    start[12] = [(low + ahead * low_step) & _LOW_HALF for ahead in range(count)]
    start[13] = [(high + ahead * high_step) & _LOW_HALF for ahead in range(count)]
    start[14:16] = np.asarray(stream, np.uint32)[:, None]
    return mixed_blocks(start)


def mixed_blocks(start: Words) -> Words:
    """ChaCha8 blocks from their starting words, one in each column."""
    words = start.copy()
    a, b, c, d = words[0:4], words[4:8], words[8:12], words[12:16]
    spare = np.empty_like(a)
    for _ in range(DOUBLE_ROUNDS):
        _quarter_rounds(a, b, c, d, spare)
        b, c, d = b.take(_BY_ONE, 0), c.take(_BY_TWO, 0), d.take(_BY_THREE, 0)
        _quarter_rounds(a, b, c, d, spare)
        b, c, d = b.take(_BY_THREE, 0), c.take(_BY_TWO, 0), d.take(_BY_ONE, 0)
    return np.concatenate((a, b, c, d)) + start


def _quarter_rounds(a: Words, b: Words, c: Words, d: Words, spare: Words) -> None:
    """Four quarter rounds side by side, in place: these arrays are so small that making new ones takes most time."""
    np.add(a, b, a)
    _rotate_xor(d, a, 16, spare)
    np.add(c, d, c)
    _rotate_xor(b, c, 12, spare)
    np.add(a, b, a)
    _rotate_xor(d, a, 8, spare)
    np.add(c, d, c)
    _rotate_xor(b, c, 7, spare)


def _rotate_xor(value: Words, other: Words, places: int, spare: Words) -> None:
    left, right = _shifts(places, value.shape[1])
    np.bitwise_xor(value, other, value)
    np.right_shift(value, right, spare)
    np.left_shift(value, left, value)
    np.bitwise_or(value, spare, value)


@cache
def _shifts(places: int, count: int) -> tuple[Words, Words]:
    # NumPy needs twice as long to shift by a single number.
    return np.full((4, count), places, np.uint32), np.full((4, count), 32 - places, np.uint32)


@native_implementation("fracas.kernel.chacha8_simd")
def fill(dice, area: int, low: int, low_step: int, high: int, high_step: int) -> None:
    """Fill an area with blocks whose counters step by (low_step, high_step).

    Compiled, the same blocks are one vector computation (chacha8_simd.py).
    """
    count = blocks_at_once(dice)
    blocks = plain_blocks(dice.key, dice.stream, low, low_step, high, high_step, count)
    size = BLOCK_WORDS * count
    dice.words[area * size : (area + 1) * size] = blocks.ravel()
