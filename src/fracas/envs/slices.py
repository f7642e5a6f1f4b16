"""Steps a batch on several threads, slice by slice. What a battle does never depends on who plays it."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from fracas.kernel.stepping import Step

# How many slices there are for each thread: whoever is late leaves the rest to others.
SLICES_EACH = 8
# A step that takes longer alone, in seconds of a core, is shared; waking a thread takes a tenth of it. One of so many
# steps is played alone, for how long they take changes with what is played.
WORTH_SHARING, ALONE_AGAIN = 5e-4, 64

StepMany = Callable[[Step, int], None]


class Slices:
    """A batch in slices, which several threads step where that takes less time. Use it in one thread at a time.

    Args:
        step_many: A ruleset's entry point of `kernel/stepping.py`, compiled.
        whole: The whole batch.
        threads: How many threads play, the caller's included.
    """

    def __init__(self, step_many: StepMany, whole: Step, threads: int) -> None:
        self.threads = threads
        self._step_many, self._whole = step_many, whole
        count, slices = len(whole.battles), SLICES_EACH * threads
        self._parts = [whole.part(count * n // slices, count * (n + 1) // slices) for n in range(slices)]
        self._is_worth_sharing = False
        self._steps = 0

    def play(self, mode: int) -> None:
        """Play every battle one step on.

        Raises:
            BaseException: what stepping a battle raised, once all other slices are stepped.
        """
        self._steps += 1
        if self._is_worth_sharing and self._steps % ALONE_AGAIN:
            self.share(mode)
            return
        # Not by the clock: on a busy machine short steps would seem long.
        began = time.thread_time()
        self._step_many(self._whole, mode)
        self._is_worth_sharing = time.thread_time() - began > WORTH_SHARING

    def share(self, mode: int) -> None:
        """Play every battle one step on, with helpers: the caller takes slices from the front, they from the back."""
        waiting = deque(self._parts)
        helpers = [_pool(os.getpid()).submit(self._play_some, waiting.pop, mode) for _ in range(self.threads - 1)]
        try:
            self._play_some(waiting.popleft, mode)
        finally:
            # After an interrupt too, so that no battle is a step behind the others.
            self._play_some(waiting.popleft, mode)
            # A helper that has not begun finds nothing to do, and nobody waits for it.
            for helper in [each for each in helpers if not each.cancel()]:
                helper.result()

    def _play_some(self, take: Callable[[], Step], mode: int) -> None:
        while True:
            try:
                part = take()
            except IndexError:
                return
            self._step_many(part, mode)


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The helpers of all batches of a process: a fork has none of its parent's."""
    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="fracas-helper")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
