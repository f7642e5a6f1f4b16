"""Steps a batch on several threads, slice by slice. What a battle does never depends on who plays it."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache

from fracas.kernel.stepping import RESETS, Step

# How many slices there are for each thread: whoever is late leaves the rest to others.
SLICES_EACH = 8
# One of so many steps is played the other way, alone or shared, because it may have become the quicker one; each time
# that it has not, twice as many are played before the next.
TRY_AGAIN, TRY_AT_LAST = 32, 2048
# What a way usually takes is averaged over about so many steps; one of them counts at most so many times that.
AVERAGED, MOST_COUNTED = 8, 4
# Helpers take cores from whatever else the caller does, so they must save this share of a step.
LEAST_SAVED = 0.1

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
        # Seconds that a step usually takes, shared or not.
        self._usual: dict[bool, float] = {}
        self._until_try = self._between_tries = TRY_AGAIN
        self._helpers: list[Future[None]] = []

    def play(self, mode: int) -> None:
        """Play every battle one step on: with helpers if that is usually quicker.

        Raises:
            BaseException: what stepping a battle raised, once all other slices are stepped.
        """
        # An interrupt may have come while a helper was late.
        if self._helpers:
            wait(self._helpers)
            self._helpers = []
        self._until_try -= 1
        shares = self._usual.get(True, math.inf) < (1 - LEAST_SAVED) * self._usual.get(False, 0.0)
        tries = self._until_try <= 0
        if tries:
            shares = not shares
        began = time.perf_counter()
        if shares:
            self.share(mode)
        else:
            self._step_many(self._whole, mode)
        if mode != RESETS:
            taken = time.perf_counter() - began
            usual = self._usual.get(shares, taken)
            self._usual[shares] = usual + (min(taken, MOST_COUNTED * usual) - usual) / AVERAGED
        if tries:
            is_better = self._usual.get(shares, math.inf) < self._usual.get(not shares, 0.0)
            self._between_tries = TRY_AGAIN if is_better else min(2 * self._between_tries, TRY_AT_LAST)
            self._until_try = self._between_tries

    def share(self, mode: int) -> None:
        """Play every battle one step on, with helpers: the caller takes slices from the front, they from the back."""
        waiting = deque(self._parts)
        errors: list[BaseException] = []
        pool = _pool(os.getpid())
        self._helpers = [pool.submit(self._play_some, waiting.pop, mode, errors) for _ in range(self.threads - 1)]
        self._play_some(waiting.popleft, mode, errors)
        # A helper that has not begun finds nothing to do, and nobody waits for it.
        self._helpers = [helper for helper in self._helpers if not helper.cancel()]
        wait(self._helpers)
        self._helpers = []
        if errors:
            raise errors[0]

    def _play_some(self, take: Callable[[], Step], mode: int, errors: list[BaseException]) -> None:
        """Play slices while there are any. An error, or an interrupt, leaves no battle a step behind the others."""
        while True:
            try:
                part = take()
            except IndexError:
                return
            try:
                self._step_many(part, mode)
            except BaseException as error:
                errors.append(error)


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The helpers of all batches of a process: a fork has none of its parent's."""
    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="fracas-helper")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
