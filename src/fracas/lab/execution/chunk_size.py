"""How many battles are played in one go."""

from __future__ import annotations

import time

from fracas.engine.player import Player
from fracas.lab.execution.tally import LOOK_EVERY

LARGEST_CHUNK = 16 * LOOK_EVERY


PLAIN_CHUNK = 16


TARGET_CHUNKS = 16


# Results of a few ranges are held at a time, whatever a row of them holds.
CHUNK_BYTES = 4 * 1024 * 1024


# How long one thread plays at a range that is kept or sent: worth the trouble, and little to lose.
RANGE_SECONDS = 1.0


# How long the pace is taken, which decides how large such ranges are.
TRIAL_SECONDS = 0.05


SMALLEST_RANGE = 16


LARGEST_RANGE = 1 << 24


# The part of such a range below which handing it over costs more than it helps.
SHORTEST = 32


def chunk_size(total: int, workers: int, is_plain: bool, row_bytes: int = 1) -> int:
    """How many battles a thread plays at a time: enough to be worth it, few enough to stop soon and to be held."""
    if is_plain:
        return PLAIN_CHUNK
    share = total // (workers * TARGET_CHUNKS)
    most = min(LARGEST_CHUNK, CHUNK_BYTES // row_bytes)
    return max(min(share - share % LOOK_EVERY, most - most % LOOK_EVERY), LOOK_EVERY)


def measure_rate(player: Player, battles: range) -> float:
    """About how many battles a thread plays in a second: found out by playing some."""
    count = SMALLEST_RANGE
    while True:
        started = time.perf_counter()
        player.play(battles.start, count)
        seconds = time.perf_counter() - started
        if seconds >= TRIAL_SECONDS or count >= LARGEST_RANGE:
            break
        count *= 2
    return count / max(seconds, 1e-9)


def range_size(battles_per_second: float, total: int, threads: int) -> int:
    """How many battles a thread plays in about a second; fewer where not all threads would have something to do.

    A power of two, so that small differences of pace make none.
    """
    most = int(battles_per_second * RANGE_SECONDS)
    size = min(most, max(total // (4 * threads), most // SHORTEST))
    return min(LARGEST_RANGE, max(SMALLEST_RANGE, floor_power_of_two(size)))


def floor_power_of_two(number: int) -> int:
    """The largest power of two that is not larger; 1 for numbers below."""
    return 1 << max(0, number.bit_length() - 1)
