"""Threads that work for long give way to the event loop when it is late.

Python has one interpreter lock, which it shares out evenly: beside a thread that computes, the loop has half of the
time, and everybody who asks waits twice as long. Between two steps a thread looks when the loop should have had its
turn; if that is past, it sleeps, and the loop has the interpreter for itself.
"""

from __future__ import annotations

import math
import time

# A timer of the loop is exact to a millisecond.
GRACE_SECONDS = 0.001
PAUSE_SECONDS = 0.0005
# A loop that is this late is stopped by something else; waiting for it helps nobody.
LONGEST_SECONDS = 0.1


class _Loop:
    """When the event loop of this process is next expected to have a turn."""

    due = math.inf


def expect(due: float) -> None:
    """Say when the loop should have its next turn, as a time of `time.monotonic`; infinity if it stops."""
    _Loop.due = due


def give_way() -> None:
    """Let the event loop go first if it is late."""
    if GRACE_SECONDS < time.monotonic() - _Loop.due < LONGEST_SECONDS:
        time.sleep(PAUSE_SECONDS)
