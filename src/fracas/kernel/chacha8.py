"""ChaCha8 in plain Python: the sixteen words of a block, from a key and an address."""

from __future__ import annotations

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

_LOW_HALF = np.uint64(0xFFFFFFFF)


@native_implementation("fracas.kernel.chacha8_simd")
def blocks_at_once(dice: Any) -> int:
    """How many blocks are filled at once: as many as a record has room for.

    Fewer when compiled for a target with short vectors (chacha8_simd.py). No roll can observe the difference.

    Rule:    docs/reference/dice.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
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
    ahead = np.arange(count, dtype=np.uint64)
    start = np.empty((16, count), np.uint32)
    start[0:4] = np.array(CHACHA_CONSTANTS, np.uint32)[:, None]
    start[4:12] = np.asarray(key, np.uint32)[:, None]
    start[12] = (ahead * np.uint64(low_step) + np.uint64(low)) & _LOW_HALF
    start[13] = (ahead * np.uint64(high_step) + np.uint64(high)) & _LOW_HALF
    start[14:16] = np.asarray(stream, np.uint32)[:, None]
    a, b, c, d = (start[4 * row : 4 * row + 4].copy() for row in range(4))
    for _ in range(DOUBLE_ROUNDS):
        a, b, c, d = _quarter_rounds(a, b, c, d)
        b, c, d = b[[1, 2, 3, 0]], c[[2, 3, 0, 1]], d[[3, 0, 1, 2]]
        a, b, c, d = _quarter_rounds(a, b, c, d)
        b, c, d = b[[3, 0, 1, 2]], c[[2, 3, 0, 1]], d[[1, 2, 3, 0]]
    return np.concatenate((a, b, c, d)) + start


def _quarter_rounds(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    a = a + b
    d = _rotate(d ^ a, 16)
    c = c + d
    b = _rotate(b ^ c, 12)
    a = a + b
    d = _rotate(d ^ a, 8)
    c = c + d
    b = _rotate(b ^ c, 7)
    return a, b, c, d


def _rotate(value: Any, places: int) -> Any:
    return (value << np.uint32(places)) | (value >> np.uint32(32 - places))


@native_implementation("fracas.kernel.chacha8_simd")
def fill(dice: Any, area: int, low: int, low_step: int, high: int, high_step: int) -> None:
    """Fill an area with blocks whose counters step by (low_step, high_step).

    Rule:    docs/reference/dice.md. Compiled, the same blocks are one vector computation (chacha8_simd.py).
    Changes: dice.words.
    Draws:   none.
    Emits:   nothing.
    """
    count = blocks_at_once(dice)
    blocks = plain_blocks(dice.key, dice.stream, low, low_step, high, high_step, count)
    size = BLOCK_WORDS * count
    dice.words[area * size : (area + 1) * size] = blocks.ravel()
