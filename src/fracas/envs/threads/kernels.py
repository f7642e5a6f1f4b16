"""The compiled half of team.py: how threads claim battles, wait for work and for each other.

A thread plays its own share, the same in each step, so that its battles stay in its core's cache. Then it plays what
others are late with: nobody waits for a helper that is slow or asleep.
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
    BEGUN,
    CHUNK,
    CLAIMED,
    CLOSED,
    DONE,
    FINISHED,
    GO_ON,
    IN_FLIGHT,
    LEFT_TO_OWNER,
    MODE,
    STATE,
    TICKET,
    WAITING,
    WOKEN,
    chunks_of,
    first_of,
    word_at,
)
from fracas.kernel.entry_points import belongs_to
from fracas.kernel.jit import borrowing, native

_at = register_jitable(word_at)
_first_of = register_jitable(first_of)
_chunks_of = register_jitable(chunks_of)


@register_jitable  # type: ignore[untyped-decorator]
def done_by_all(words: Any, threads: int) -> int:
    """How many chunks of this step have been played."""
    done = 0
    for number in range(threads):
        done += load(words, _at(DONE, number))
    return done


@register_jitable  # type: ignore[untyped-decorator]
def begin_step(words: Any, threads: int, task: int, mode: int) -> int:
    """Set out a step's work, and tell the helpers; those that have to be woken, as bits."""
    store(words, MODE, mode)
    for number in range(threads):
        store(words, _at(BEGUN, number), 0)
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
def play_share(
    words: Any, number: int, owner: int, left: int, threads: int, address: int,
    battles: Any, templates: Any, agents: Any, actions: Any, streams: Any, stride: Any, cursors: Any, states: Any,
    seen: Any, masks: Any, rewards: Any, ended: Any, finals: Any, legal: Any,
) -> None:  # fmt: skip
    """Claim chunks of a thread's share and play them, until no more than `left` are left."""
    first, end = _first_of(owner, threads, len(battles)), _first_of(owner + 1, threads, len(battles))
    chunks = _chunks_of(owner, threads, len(battles))
    while load(words, _at(CLAIMED, owner)) < chunks - left:
        chunk = take_next(words, _at(CLAIMED, owner))
        if chunk >= chunks:
            break
        start, stop = first + chunk * CHUNK, min(first + (chunk + 1) * CHUNK, end)
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


@register_jitable  # type: ignore[untyped-decorator]
def play_others(
    words: Any, number: int, left: int, threads: int, address: int,
    battles: Any, templates: Any, agents: Any, actions: Any, streams: Any, stride: Any, cursors: Any, states: Any,
    seen: Any, masks: Any, rewards: Any, ended: Any, finals: Any, legal: Any,
) -> None:  # fmt: skip
    """Play what others are late with: all of a share whose owner has not begun, else all but `left` chunks of it."""
    for turn in range(1, threads):
        owner = (number + turn) % threads
        has_begun = owner == 0 or load(words, _at(BEGUN, owner)) != 0
        play_share(
            words, number, owner, left if has_begun else 0, threads, address, battles, templates, agents, actions,
            streams, stride, cursors, states, seen, masks, rewards, ended, finals, legal,
        )  # fmt: skip


@cache
def compiled_team(step_many: Callable[..., None]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """What the thread that steps a batch calls, and what its helpers call, compiled."""

    def lead(
        words: Any, threads: int, task: int, mode: int, patience: int, address: int,
        battles: Any, templates: Any, agents: Any, actions: Any, streams: Any, stride: Any, cursors: Any, states: Any,
        seen: Any, masks: Any, rewards: Any, ended: Any, finals: Any, legal: Any,
    ) -> int:  # fmt: skip
        """Do a task; FINISHED, WAITING for a helper, or the helpers to wake before going on.

        patience: how many turns of a loop to wait for a chunk that a helper plays.
        """
        if task != GO_ON:
            sleepers: int = begin_step(words, threads, task, mode)
            if sleepers != 0:
                return sleepers
        play_share(
            words, 0, 0, 0, threads, address, battles, templates, agents, actions, streams, stride, cursors, states,
            seen, masks, rewards, ended, finals, legal,
        )  # fmt: skip
        chunks = 0
        for number in range(threads):
            chunks += _chunks_of(number, threads, len(battles))
        done, turns = 0, 0
        while turns <= patience:
            # Whoever plays nothing for that long has lost its core.
            left = LEFT_TO_OWNER if turns < patience else 0
            play_others(
                words, 0, left, threads, address, battles, templates, agents, actions, streams, stride, cursors,
                states, seen, masks, rewards, ended, finals, legal,
            )  # fmt: skip
            before, done = done, done_by_all(words, threads)
            if done == chunks:
                return FINISHED
            turns = turns + 1 if done == before else 0
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
                store(words, _at(BEGUN, number), 1)
                play_share(
                    words, number, number, 0, threads, address, battles, templates, agents, actions, streams, stride,
                    cursors, states, seen, masks, rewards, ended, finals, legal,
                )  # fmt: skip
                play_others(
                    words, number, LEFT_TO_OWNER, threads, address, battles, templates, agents, actions, streams,
                    stride, cursors, states, seen, masks, rewards, ended, finals, legal,
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
