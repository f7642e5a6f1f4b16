"""Threads that step a batch together. Between steps helpers wait in compiled code, and sleep after a millisecond.

Waking a thread takes as long as stepping hundreds of battles, so a helper that has just worked watches a word of memory
and starts within a microsecond. Each thread plays the same share of the battles in every step, so that they stay in its
core's cache; others take over what a thread is late with. What a battle does never depends on who plays it.
"""

from __future__ import annotations

import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np

from fracas.envs.threads.team_words import (
    ALONE,
    CLOSED,
    DONE,
    FINISHED,
    GO_ON,
    IN_FLIGHT,
    TICKET,
    TOGETHER,
    WAITING,
    word_at,
    words_of,
    zeros_on_lines,
)
from fracas.kernel.stepping import RESETS

Array = np.ndarray[Any, Any]

# How long a helper watches for the next step before it sleeps, and how long a step's caller watches for a helper that
# has not finished before it lets other processes have the core.
WATCHES, WAITS = 1e-3, 1e-4
# How long that caller then sleeps at a time.
NAP = 5e-5
# Steps with helpers are averaged over about so many, one of them counts at most so many times what a step usually takes
# alone, and the average begins at this share of it.
AVERAGED, MOST_COUNTED, EXPECTED = 32, 8, 0.75
# For how many steps helpers are not asked once they do not pay, for how many in the beginning, and after how many steps
# one is played alone again.
LEAST_ALONE, MOST_ALONE, FIRST_ALONE, ALONE_AGAIN = 16, 1024, 8, 256
# By how much what is usual moves toward each step, so that it settles in the middle of them.
DRIFT = 0.05
# Turns of a loop to measure how long one takes.
MEASURED = 2000


@dataclass(frozen=True)
class Shared:
    """What helpers know. They keep no reference to their team, so that it can be collected."""

    words: Array
    threads: int
    address: int
    arguments: tuple[Any, ...]
    wakes: Sequence[SimpleQueue[None]]
    errors: list[BaseException] = field(default_factory=list)


class Trust:
    """Whether helpers are worth asking, by how long steps take with them and without.

    On a busy machine a helper may lose its core in the middle of a battle, and the caller waits for it; or it takes the
    caller's core when it is woken. A rare step of this kind costs less than helpers save. If steps with helpers take
    longer on average than alone, the caller plays alone for a while. That while doubles each time, and halves after as
    many steps that paid.
    """

    def __init__(self) -> None:
        self.span = 0
        """How many steps to play alone once helpers do not pay."""
        self._usual = self._average = math.inf
        self._left = FIRST_ALONE
        self._since = self._good = 0

    def is_withheld(self) -> bool:
        """Whether to play the next step alone."""
        return self._left > 0

    def note(self, seconds: float) -> None:
        """Take down how long the step took that `is_withheld` was asked about."""
        self._since += 1
        if self._left > 0:
            self._left -= 1
            first = self._since <= FIRST_ALONE
            drift = min(seconds / self._usual, 1.0) if first else math.copysign(DRIFT, seconds - self._usual) + 1.0
            self._usual = seconds if self._usual == math.inf else self._usual * drift
            return
        if self._average == math.inf:
            self._average = EXPECTED * self._usual
        self._average += (min(seconds, MOST_COUNTED * self._usual) - self._average) / AVERAGED
        if self._average > self._usual:
            self.span = min(max(2 * self.span, LEAST_ALONE), MOST_ALONE)
            self._left, self._good, self._average = self.span, 0, math.inf
            return
        self._good += 1
        if self._good >= self.span:
            self.span, self._good = self.span // 2, 0
        # How long a step takes alone changes with what is played.
        self._left = 1 if self._since % ALONE_AGAIN == 0 else 0


class ThreadTeam:
    """Steps the battles of a batch on several threads. Use it in one thread at a time.

    Args:
        step_many: A ruleset's entry point of `kernel/stepping.py`.
        threads: How many threads play, the caller's included.
        arguments: Those of `step_many` for the whole batch, without `mode`.
    """

    def __init__(self, step_many: Callable[..., None], threads: int, arguments: tuple[Any, ...]) -> None:
        self.threads = threads
        self._step_many = step_many
        self._arguments = arguments
        self._shared: Shared | None = None
        self._is_under_way = False
        self._trust = Trust()
        _teams.add(self)

    def play(self, mode: int) -> None:
        """Play every battle one step on.

        Raises:
            BaseException: what stepping a battle raised, once all others are stepped.
        """
        if self._shared is None:
            self._shared = self._started()
        if self._is_under_way:
            # An interrupt left the last step half done, and helpers perhaps not woken.
            for wake in self._shared.wakes:
                wake.put(None)
            self._finish(GO_ON, mode)
        self._is_under_way = True
        if mode == RESETS:
            self._finish(TOGETHER, mode)
            return
        began = time.perf_counter()
        self._finish(ALONE if self._trust.is_withheld() else TOGETHER, mode)
        self._trust.note(time.perf_counter() - began)

    def _started(self) -> Shared:
        from fracas.envs.threads.kernels import compiled_team
        from fracas.envs.threads.shared_words import address_of
        from fracas.kernel import jit

        before, after = self._arguments[:6], self._arguments[6:]
        address = address_of(jit.native(self._step_many), (*before, 0, *after))
        words = zeros_on_lines(words_of(self.threads), np.int64)
        wakes = [SimpleQueue[None]() for _ in range(self.threads)]
        shared = Shared(words, self.threads, address, self._arguments, wakes)
        self._lead, follow = compiled_team(self._step_many)
        self._waits, watches = (_turns_in(seconds, follow, shared) for seconds in (WAITS, WATCHES))
        helpers = [
            threading.Thread(
                target=_help, args=(shared, number, follow, watches), name=f"fracas-helper-{number}", daemon=True
            )
            for number in range(1, self.threads)
        ]
        for helper in helpers:
            helper.start()
        self._end = weakref.finalize(self, _close, shared, helpers)
        return shared

    def _finish(self, task: int, mode: int) -> None:
        shared = self._shared
        assert shared is not None
        while True:
            try:
                answer = self._lead(
                    shared.words, shared.threads, task, mode, self._waits, shared.address, *shared.arguments
                )
                task = GO_ON
                if answer == FINISHED:
                    break
                if answer == WAITING:
                    time.sleep(NAP)
                else:
                    for number in range(1, shared.threads):
                        if answer >> number & 1:
                            shared.wakes[number].put(None)
            except BaseException as error:
                task = GO_ON
                if not _failed(shared, 0, error):
                    raise
        self._is_under_way = False
        if shared.errors:
            first = shared.errors[0]
            shared.errors.clear()
            raise first

    def close(self) -> None:
        """End the helpers; the next step starts new ones."""
        if self._shared is not None:
            self._shared = None
            self._is_under_way = False
            self._end()

    def forget(self) -> None:
        """Leave the helpers to another process: a fork has none of them."""
        if self._shared is not None:
            self._shared = None
            self._is_under_way = False
            self._end.detach()


_teams: weakref.WeakSet[ThreadTeam] = weakref.WeakSet()


def _forget_all() -> None:
    for team in list(_teams):
        team.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# How long a turn of a waiting loop takes, in seconds, once it has been measured.
_turns: list[float] = []


def _turns_in(seconds: float, follow: Callable[..., int], shared: Shared) -> int:
    """How many turns of a waiting loop take so long."""
    if not _turns:
        spent = []
        for _ in range(4):
            started = time.perf_counter()
            follow(shared.words, 0, shared.threads, 0, MEASURED, shared.address, *shared.arguments)
            spent.append(time.perf_counter() - started)
        # The first one compiles.
        _turns.append(min(spent[1:]) / MEASURED)
    return int(seconds / _turns[0]) + 1


def _help(shared: Shared, number: int, follow: Callable[..., int], watches: int) -> None:
    """What a helper does until its team is closed."""
    ticket = 0
    while ticket != CLOSED:
        # On fewer cores than threads, a helper that watches would keep others from working.
        patience = watches if cores() >= shared.threads else 0
        try:
            ticket = follow(shared.words, number, shared.threads, ticket, patience, shared.address, *shared.arguments)
        except BaseException as error:
            if not _failed(shared, number, error):
                return
        else:
            if ticket != CLOSED:
                shared.wakes[number].get()


def _failed(shared: Shared, number: int, error: BaseException) -> bool:
    """Count the chunk that a thread was playing as done; whether there was one, else the error comes from elsewhere."""
    if shared.words[word_at(IN_FLIGHT, number)] == 0:
        return False
    shared.words[word_at(IN_FLIGHT, number)] = 0
    shared.errors.append(error)
    shared.words[word_at(DONE, number)] += 1
    return True


def _close(shared: Shared, helpers: Sequence[threading.Thread]) -> None:
    shared.words[TICKET] = CLOSED
    for wake in shared.wakes:
        wake.put(None)
    for helper in helpers:
        # A helper may be what collects its team.
        if helper is not threading.current_thread():
            helper.join()
