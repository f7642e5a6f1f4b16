"""The words that the threads of a team share.

TICKET        the number of the step under way; CLOSED ends the helpers
MODE          what becomes of battles that are over

and for each thread, at `word_at(kind, number)`:

STATE         whether a helper is AWAKE, ASLEEP or being WOKEN
CLAIMED       how many chunks of this thread's share have been claimed, by anyone
DONE          how many chunks this thread has played in this step
BEGUN         1 once this helper plays in this step
IN_FLIGHT     1 while this thread plays a chunk

Words that different threads write often are in lines of their own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# Words of two cache lines, which processors load as a pair.
LINE = 16
LINE_BYTES = 8 * LINE
TICKET, MODE = 0, 1
# Lines of a thread, and words of the last one, which is its own.
STATE, CLAIMED, DONE = LINE, 2 * LINE, 3 * LINE
BEGUN, IN_FLIGHT = DONE + 1, DONE + 2
LINES_OF_EACH = 3
CLOSED = -1
AWAKE, ASLEEP, WOKEN = range(3)

# Battles that a thread claims at once.
CHUNK = 32
# Chunks of a share that others leave to a thread that has begun: a battle that changes cores is slow to step, for its
# record is in the other core's cache. Halves of 256 battles often end a tenth apart, and are never stolen from.
LEFT_TO_OWNER = 2
# A share begins at a multiple of so many battles, so that two threads rarely write to one cache line.
ALIGNED = 8
# A number of helpers whose bits fit into an answer.
MOST_THREADS = 32

# What the thread that leads is to do: go on with a step, or begin one with the helpers or without them.
GO_ON, TOGETHER, ALONE = range(3)
# What it answers besides the helpers to wake, which it tells as bits.
FINISHED, WAITING = 0, -1


def words_of(threads: int) -> int:
    """How many words a team has."""
    return (1 + threads * LINES_OF_EACH) * LINE


def word_at(kind: int, number: int) -> int:
    """Where a word of a thread is."""
    return number * LINES_OF_EACH * LINE + kind


def first_of(number: int, threads: int, count: int) -> int:
    """The first battle of a thread's share; of thread number `threads`, the end of the batch."""
    return count if number == threads else count * number // threads // ALIGNED * ALIGNED


def chunks_of(number: int, threads: int, count: int) -> int:
    """How many chunks a thread's share has."""
    share = first_of(number + 1, threads, count) - first_of(number, threads, count)
    return (share + CHUNK - 1) // CHUNK


def zeros_on_lines(shape: int | tuple[int, ...], kind: Any) -> np.ndarray[Any, Any]:
    """An array of zeros that begins where a cache line does; its type is the very object `kind` if that is a dtype."""
    kind = np.dtype(kind)
    size = math.prod((shape,) if isinstance(shape, int) else shape) * kind.itemsize
    memory = np.zeros(size + LINE_BYTES, np.uint8)
    first = -memory.ctypes.data % LINE_BYTES
    zeros: np.ndarray[Any, Any] = memory[first : first + size].view(kind).reshape(shape)
    return zeros
