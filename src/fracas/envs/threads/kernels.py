"""The compiled half of thread_team.py: how threads claim battles, wait for work and for each other.

A thread claims chunks of its own share first, then of the others': nobody waits for a helper that is slow or asleep.
A step is over when the chunks done are all there are. Only then are claims set back, the last thing before the ticket,
so a helper that comes late finds nothing to claim, or a chunk of the next step with all that it needs. Importing this
imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from blake3 import blake3
from numba.extending import register_jitable

from fracas.envs.threads import shared_words, team_words
from fracas.envs.threads.shared_words import call_at, load, pause, replace, store, take_next
from fracas.envs.threads.team_words import (
    ALONE,
    ASLEEP,
    AWAKE,
    CLAIMED,
    CLOSED,
    DONE,
    FINISHED,
    GO_ON,
    IN_FLIGHT,
    MODE,
    STATE,
    TICKET,
    WAITING,
    WOKEN,
    claim_end,
    word_at,
)
from fracas.kernel.entry_points import belongs_to
from fracas.kernel.jit import borrowing, native

_at = register_jitable(word_at)
_claim_end = register_jitable(claim_end)


@register_jitable  # type: ignore[untyped-decorator]
def first_of(number: int, threads: int, count: int) -> int:
    """The first battle of a thread's share."""
    return count * number // threads


@register_jitable  # type: ignore[untyped-decorator]
def chunks_of(threads: int, count: int) -> int:
    """How many chunks a batch has."""
    chunks = 0
    for number in range(threads):
        share = first_of(number + 1, threads, count) - first_of(number, threads, count)
        chunk = -1
        while _claim_end(chunk, share) < share:
            chunk += 1
        chunks += chunk + 1
    return chunks


@register_jitable  # type: ignore[untyped-decorator]
def is_finished(words: Any, threads: int, chunks: int) -> bool:
    """Whether all chunks of this step have been played."""
    done = 0
    for number in range(threads):
        done += load(words, _at(DONE, number))
    return done == chunks


@register_jitable  # type: ignore[untyped-decorator]
def begin_step(words: Any, threads: int, task: int, mode: int) -> int:
    """Set out a step's work, and tell the helpers; those that have to be woken, as bits."""
    store(words, MODE, mode)
    for number in range(threads):
        store(words, _at(DONE, number), 0)
    for number in range(threads):
        store(words, _at(CLAIMED, number), 0)
    sleepers = 0
    if task == ALONE:
        return sleepers
    store(words, TICKET, load(words, TICKET) + 1)
    for number in range(1, threads):
        if replace(words, _at(STATE, number), ASLEEP, WOKEN):
            sleepers |= 1 << number
    return sleepers


@register_jitable  # type: ignore[untyped-decorator]
def play_claims(
    words: Any, number: int, threads: int, address: int,
    battles: Any, templates: Any, agents: Any, actions: Any, streams: Any, stride: Any, cursors: Any, states: Any,
    seen: Any, masks: Any, rewards: Any, ended: Any, finals: Any, legal: Any,
) -> None:  # fmt: skip
    """Claim chunks and play them until none is left."""
    for turn in range(threads):
        owner = (number + turn) % threads
        first = first_of(owner, threads, len(battles))
        share = first_of(owner + 1, threads, len(battles)) - first
        while True:
            chunk = take_next(words, _at(CLAIMED, owner))
            start, stop = first + _claim_end(chunk - 1, share), first + _claim_end(chunk, share)
            if start == stop:
                break
            store(words, _at(IN_FLIGHT, number), 1)
            call_at(
                address,
                (
                    battles[start:stop], templates, agents, actions[start:stop], streams[start:stop], stride,
                    load(words, MODE), cursors[start:stop], states[start:stop], seen[start:stop], masks[start:stop],
                    rewards[start:stop], ended[start:stop], finals[start:stop], legal[start:stop],
                ),
            )  # fmt: skip
            store(words, _at(IN_FLIGHT, number), 0)
            store(words, _at(DONE, number), load(words, _at(DONE, number)) + 1)


@cache
def compiled_team(step_many: Callable[..., None]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """What the thread that steps a batch calls, and what its helpers call, compiled."""

    def lead(
        words: Any, threads: int, task: int, mode: int, patience: int, address: int,
        battles: Any, templates: Any, agents: Any, actions: Any, streams: Any, stride: Any, cursors: Any, states: Any,
        seen: Any, masks: Any, rewards: Any, ended: Any, finals: Any, legal: Any,
    ) -> int:  # fmt: skip
        """Do a task; FINISHED, WAITING for a helper, or the helpers to wake before going on."""
        if task != GO_ON:
            sleepers: int = begin_step(words, threads, task, mode)
            if sleepers != 0:
                return sleepers
        play_claims(
            words, 0, threads, address, battles, templates, agents, actions, streams, stride, cursors, states, seen,
            masks, rewards, ended, finals, legal,
        )  # fmt: skip
        chunks = chunks_of(threads, len(battles))
        for _ in range(patience):
            if is_finished(words, threads, chunks):
                return FINISHED
            pause()
        return WAITING

    def follow(
        words: Any, number: int, threads: int, ticket: int, patience: int, address: int,
        battles: Any, templates: Any, agents: Any, actions: Any, streams: Any, stride: Any, cursors: Any, states: Any,
        seen: Any, masks: Any, rewards: Any, ended: Any, finals: Any, legal: Any,
    ) -> int:  # fmt: skip
        """Help with every step after `ticket`, until none comes for so many turns of a loop; the last ticket seen."""
        store(words, _at(STATE, number), AWAKE)
        while ticket != CLOSED:
            turns = 0
            while load(words, TICKET) == ticket:
                if turns >= patience:
                    store(words, _at(STATE, number), ASLEEP)
                    # A step may have begun meanwhile. If whoever began it wakes this thread, it has to be woken.
                    if load(words, TICKET) == ticket or not replace(words, _at(STATE, number), ASLEEP, AWAKE):
                        return ticket
                turns += 1
                pause()
            ticket = load(words, TICKET)
            if ticket != CLOSED:
                play_claims(
                    words, number, threads, address, battles, templates, agents, actions, streams, stride, cursors,
                    states, seen, masks, rewards, ended, finals, legal,
                )  # fmt: skip
        return ticket

    for entry in (lead, follow):
        # The cache folder is named after the rules, which do not include this.
        entry.__name__ = f"{entry.__name__}-{_own_key()}"
        borrowing(belongs_to(step_many, entry))
    return native(lead), native(follow)


@cache
def _own_key() -> str:
    """A hash of what decides how the threads work."""
    hasher = blake3()
    for file in (__file__, shared_words.__file__, team_words.__file__):
        hasher.update(Path(file).read_bytes())
    return hasher.hexdigest(8)
