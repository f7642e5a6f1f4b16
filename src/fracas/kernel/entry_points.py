"""Makes entry points, the loops around one battle: play many battles, resume many, enumerate a step of many states.

A ruleset passes its kernels and gets entry points, which are compiled as a whole and cached on disk:

    play_many = batch(play, write_result)
    resume_many = rollout(resume, write_result)
    prepare_battles = preparer(prepare)
    enumerate_step = enumerator(step)

Pass only module-level functions, because Numba caches what closes over them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fracas.kernel.dice import seek_stream
from fracas.kernel.enumerating_dice import next_outcome
from fracas.kernel.event_log import SOUND
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import restore
from fracas.kernel.state_pages import load_state, next_parent, store_successor

Function = TypeVar("Function", bound=Callable[..., Any])


# From this many silent battles on, computing what they share costs less than it saves.
PREPARED_FROM = 16


@kernel
def nothing_to_prepare(battle) -> None:
    """For rulesets whose battles have nothing to prepare."""


def batch(
    play: Callable[..., Any], write_result: Callable[..., Any], prepare_once: Callable[..., Any] = nothing_to_prepare
) -> Callable[..., None]:
    """Make the entry point that plays many battles.

    play(battle, log, plugins) plays one battle; write_result(battle, result) writes the ruleset's own result fields.
    prepare_once(battle) computes what silent battles share, unless it is already computed. No result depends on it.
    """

    def play_many(battles: Any, first_stream: int, results: Any, logs: Any, plugins: Any) -> None:
        """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

        battles: (1,) of battle_t. results: (n,) of result_t. logs: None, or (1,) of log_t, which keeps the last
        battle's rows. plugins: None, or the compiled plug-ins of the ruleset's kind.
        """
        battle = battles[0]
        if logs is None and len(results) >= PREPARED_FROM:
            prepare_once(battle)
        for index in range(len(results)):
            seek_stream(battle.dice, first_stream + index)
            if logs is None:
                play(battle, None, plugins)
                write_outcome(battle, None, results[index])
                write_result(battle, results[index])
            else:
                log = logs[0]
                log.count = 0
                log.fault = SOUND
                play(battle, log, plugins)
                write_outcome(battle, log, results[index])
                write_result(battle, results[index])

    return belongs_to(play, play_many)


def rollout(
    resume: Callable[..., Any], write_result: Callable[..., Any], prepare_once: Callable[..., Any] = nothing_to_prepare
) -> Callable[..., None]:
    """Make the entry point that plays many rollouts from one snapshot.

    resume(battle, place, plugins) plays from a place to the outcome; for prepare_once see `batch`.
    """

    def resume_many(
        battles: Any, memory: Any, saved: Any, spans: Any, first_stream: int, results: Any, place: Any, plugins: Any
    ) -> None:
        """Resume with the dice of streams first_stream, first_stream + 1, ..., one for each row of the results.

        battles: (1,) of battle_t. memory: its words. saved: the snapshot's words (snapshots.py). spans: where they go.
        results: (n,) of result_t. place: int64, as described in the ruleset's decision_points.py. plugins: as in
        play_many.
        """
        battle = battles[0]
        if len(results) >= PREPARED_FROM:
            prepare_once(battle)
        for number in range(len(results)):
            restore(memory, saved, spans)
            seek_stream(battle.dice, first_stream + number)
            resume(battle, place, plugins)
            write_outcome(battle, None, results[number])
            write_result(battle, results[number])

    return belongs_to(resume, resume_many)


def preparer(prepare: Callable[..., Any]) -> Callable[..., None]:
    """Make the entry point that recomputes what battles share, for callers who change a record.

    prepare(battle) computes it from the rest of the record alone.
    """

    def prepare_battles(battles: Any) -> None:
        """battles: (1,) of battle_t."""
        prepare(battles[0])

    return belongs_to(prepare, prepare_battles)


def enumerator(step: Callable[..., Any]) -> Callable[..., None]:
    """Make the entry point that plays a page of states one step on, through every outcome of the dice.

    With dice in drawing mode, it plays each state on to the end of its battle instead, through one outcome.

    step(battle, page) plays one step of the battle.
    """

    def enumerate_step(
        battles: Any, words: Any, live: Any, ranges: Any, parents: Any, children: Any, notes: Any, pages: Any
    ) -> None:
        """Play states one step on, or to the end. lab/exact/state_reader.py describes the parameters."""
        battle, page = battles[0], pages[0]
        while next_parent(battle.dice, page, parents):
            goes_on = True
            while goes_on:
                load_state(words, live, parents, page)
                is_under_way = True
                while is_under_way:
                    step(battle, page)
                    is_under_way = battle.dice.draws != 0 and page.over == 0
                if not store_successor(battle, words, live, ranges, children, notes, page):
                    return
                goes_on = next_outcome(battle.dice)

    return belongs_to(step, enumerate_step)


@kernel
def write_outcome(battle, log, result) -> None:
    """Write the result fields of every ruleset: who won and why, faults, how many dice were drawn.

    each ruleset's README.md, End.
    """
    result.winner = battle.winner
    result.reason = battle.reason
    result.fault = battle.dice.exhausted << 8
    if log is not None:
        result.fault |= log.fault
    result.blocks_drawn = battle.dice.blocks_drawn


def belongs_to(kernel: Callable[..., Any], entry: Function) -> Function:
    """Name an entry point after the module whose kernels it calls, which decides its cache folder."""
    entry.__module__ = kernel.__module__
    entry.__qualname__ = entry.__name__
    return entry
