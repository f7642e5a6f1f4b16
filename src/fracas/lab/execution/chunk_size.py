"""Decides how many battles a chunk has."""

from __future__ import annotations

import time

from fracas.engine.player import Player
from fracas.lab.execution.tally import LOOK_EVERY

LARGEST_CHUNK = 16 * LOOK_EVERY


PLAIN_CHUNK = 16


TARGET_CHUNKS = 16


# A few chunks of results are in memory at a time; their size does not depend on the size of a row.
CHUNK_BYTES = 4 * 1024 * 1024


# Seconds that one thread plays a chunk that is stored or sent: worth the overhead, and little to lose.
RANGE_SECONDS = 1.0


# Seconds to measure the speed that decides the size of such chunks.
TRIAL_SECONDS = 0.05


SMALLEST_RANGE = 16


LARGEST_RANGE = 1 << 24


# Chunks that take less than this part of the target are not worth handing over.
SHORTEST = 32


def chunk_size(total: int, workers: int, is_plain: bool, row_bytes: int = 1) -> int:
    """How many battles a thread plays at a time: enough to be efficient, few enough to stop soon and fit in memory."""
    if is_plain:
        return PLAIN_CHUNK
    share = total // (workers * TARGET_CHUNKS)
    most = min(LARGEST_CHUNK, CHUNK_BYTES // row_bytes)
    return max(min(share - share % LOOK_EVERY, most - most % LOOK_EVERY), LOOK_EVERY)


def measure_rate(player: Player, battles: range) -> float:
    """Measure about how many battles a thread plays per second, by playing some, but not more than there are."""
    most = min(len(battles), LARGEST_RANGE)
    count = SMALLEST_RANGE
    while True:
        started = time.perf_counter()
        player.play(battles.start, count)
        seconds = time.perf_counter() - started
        if seconds >= TRIAL_SECONDS or count >= most:
            break
        count *= 2
    return count / max(seconds, 1e-9)


def range_size(battles_per_second: float, total: int, threads: int) -> int:
    """How many battles a thread plays in about a second; fewer if some threads would otherwise be idle.

    The result is a power of two, so that small differences in speed do not change it.
    """
    most = int(battles_per_second * RANGE_SECONDS)
    size = min(most, max(total // (4 * threads), most // SHORTEST))
    return min(LARGEST_RANGE, max(SMALLEST_RANGE, floor_power_of_two(size)))


def floor_power_of_two(number: int) -> int:
    """The largest power of two that is not larger than a number; 1 for smaller numbers."""
    return 1 << max(0, number.bit_length() - 1)
