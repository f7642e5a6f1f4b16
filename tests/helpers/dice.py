"""Dice under control: scripted words, an independent ChaCha8, and one script that plays plain and compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from randomgen import ChaCha

from fracas.kernel import jit
from fracas.kernel.chacha8 import BLOCK_WORDS, MOST_FILLED
from fracas.kernel.dice import below, between, d100, dice_t, open_address, open_turn, pick, seek_stream, unit, word

SEEK, OPEN, WORDS, BELOW, BETWEEN, D100, UNIT = range(7)
# Plus n: the address of somebody who has a turn every n ticks.
TURN = 7

Script = Sequence[tuple[int, int, int]]


def new_dice(key: Iterable[int] = (0,) * 8, stream: int = 0) -> Any:
    """A record of dice, turned to address (0, 0) of a stream."""
    dice = np.zeros(1, dice_t)[0]
    dice.key[:] = list(key)
    seek_stream(dice, stream)
    return dice


def reference_words(
    key: Iterable[int], stream: int, tick: int, lane: int, count: int, first_block: int = 0
) -> list[int]:
    """The words of an address by randomgen, whose counter counts words: a block is 16, a stream 2^64 blocks."""
    whole_key = sum(int(part) << 32 * place for place, part in enumerate(key))
    block = tick << 32 | lane << 16 | first_block
    generator = ChaCha(key=whole_key, counter=block << 4 | stream << 68, rounds=8)
    pairs = generator.random_raw(count // 2 + 1)
    return [int(half) for pair in pairs for half in (pair & 0xFFFFFFFF, pair >> 32)][:count]


def scripted(*words: int) -> Any:
    """Dice whose next words are the given ones, at most sixteen; `unused` counts those that were not taken."""
    assert len(words) <= BLOCK_WORDS
    dice = new_dice()
    dice.block = dice.column = 0
    dice.cursor = BLOCK_WORDS - len(words)
    for place, value in enumerate(words, BLOCK_WORDS - len(words)):
        dice.words[MOST_FILLED * place] = value
    return dice


def unused(dice: Any) -> int:
    """How many scripted words are left; an extra one that was taken is an error at once."""
    assert dice.blocks_drawn == 0, "more words were taken than the script has"
    return int(BLOCK_WORDS - dice.cursor)


def roll_with(words: Sequence[int], ask: Callable[[Any], Any]) -> Any:
    """The answer of dice that have exactly these words, all of which must be used."""
    dice = scripted(*words)
    answer = ask(dice)
    assert unused(dice) == 0, f"{unused(dice)} of the scripted words were not asked for"
    return answer


def play_script(dices: Any, script: Any, out: Any) -> int:
    """Run a script on the first dice; what is rolled goes into `out`, whose used length is returned."""
    dice = dices[0]
    written = 0
    for place in range(len(script)):
        kind, first, second = script[place, 0], script[place, 1], script[place, 2]
        if kind == SEEK:
            seek_stream(dice, first)
        elif kind == OPEN:
            open_address(dice, first, second)
        elif kind > TURN:
            open_turn(dice, first, second, kind - TURN)
        elif kind == WORDS:
            for _ in range(first):
                out[written] = word(dice)
                written += 1
        elif kind == BELOW:
            out[written] = below(dice, first)
            written += 1
        elif kind == BETWEEN:
            out[written] = between(dice, first, second)
            written += 1
        elif kind == D100:
            out[written] = d100(dice)
            written += 1
        else:
            out[written] = unit(dice)
            written += 1
    return written


def pick_many(dices: Any, weights: Any, out: Any) -> None:
    """One pick for each place of `out`."""
    for place in range(len(out)):
        out[place] = pick(dices[0], weights)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of these helpers, compiled together with the kernels it calls; never kept on disk."""
    native: Callable[..., Any] = jit.enable().njit(function)
    return native


def run_script(
    player: Callable[..., Any],
    script: Script,
    key: Iterable[int] = (0,) * 8,
    kind: np.dtype[Any] = dice_t,
    room: int = 4096,
) -> tuple[list[float], Any]:
    """What a script rolls, and the dice afterwards."""
    dices = np.zeros(1, kind)
    dices[0].key[:] = list(key)
    seek_stream(dices[0], 0)
    out = np.zeros(room)
    written = player(dices, np.array(script, np.int64).reshape(-1, 3), out)
    return out[:written].tolist(), dices[0]
