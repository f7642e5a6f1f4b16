"""The words that the threads of a team share, each kind that is written often in a cache line of its own.

TICKET        the number of the step under way; CLOSED ends the helpers
MODE          what becomes of battles that are over

and for each thread, at `word_at(kind, number)`:

STATE         whether a helper is AWAKE, ASLEEP or being WOKEN
CLAIMED       how many chunks of this thread's share have been claimed, by anyone
DONE          how many chunks this thread has played in this step
IN_FLIGHT     1 while this thread plays a chunk
"""

from __future__ import annotations

# Words of a cache line.
LINE = 8
TICKET, MODE = 0, 1
STATE, CLAIMED, DONE, IN_FLIGHT = 1, 2, 3, 4
LINES_OF_EACH = 4
CLOSED = -1
AWAKE, ASLEEP, WOKEN = range(3)

# Battles that a thread claims at once: so many, toward the end of a share half of what is left, at last so many.
MOST_CLAIMED, LEAST_CLAIMED = 128, 16
MOST_SHIFT = 32
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
    return (number * LINES_OF_EACH + kind) * LINE


def claim_end(chunk: int, count: int) -> int:
    """Where chunk number `chunk` of a share of `count` battles ends; chunk -1 ends at 0."""
    whole = max(count // MOST_CLAIMED - 1, 0)
    if chunk < whole:
        return (chunk + 1) * MOST_CLAIMED
    left = count - whole * MOST_CLAIMED
    # Threads that find a share claimed count on, each once in a step.
    after = left >> min(chunk - whole + 1, MOST_SHIFT)
    return count - after if after >= LEAST_CLAIMED else count
