"""The loops around one battle, made once for all rulesets: many battles, many from the middle of one, one step of many.

A ruleset gives its kernels and gets entry points, which are compiled as a whole and kept on disk:

    play_many = batch(play, write_result)
    resume_many = rollout(resume, write_result)
    prepare_battles = preparer(prepare)
    enumerate_step = enumerator(step)

Only functions of a module may be given: Numba keeps what closes over them.
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


# From so many silent battles on, working out what they all share costs less than it saves.
PREPARED_FROM = 16


@kernel
def nothing_to_prepare(battle: Any) -> None:
    """For rulesets whose battles share nothing that is worked out.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """


def batch(
    play: Callable[..., Any], write_result: Callable[..., Any], prepare_once: Callable[..., Any] = nothing_to_prepare
) -> Callable[..., None]:
    """The entry point that plays many battles.

    play(battle, log, plugins) plays one battle; write_result(battle, result) writes down what a ruleset keeps of it.
    prepare_once(battle) works out what silent battles share, unless that is done. No result depends on it.
    """

    def play_many(battles: Any, first_stream: int, results: Any, logs: Any, plugins: Any) -> None:
        """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

        battles: (1,) of battle_t. results: (n,) of result_t. logs: None, or (1,) of log_t, which keeps the last
        battle's rows. plugins: None, or what the ruleset's kind of plug-in is compiled to.
        """
        battle = battles[0]
        if logs is None and len(results) >= PREPARED_FROM:
            prepare_once(battle)
        for place in range(len(results)):
            seek_stream(battle.dice, first_stream + place)
            if logs is None:
                play(battle, None, plugins)
                write_outcome(battle, None, results[place])
                write_result(battle, results[place])
            else:
                log = logs[0]
                log.count = 0
                log.fault = SOUND
                play(battle, log, plugins)
                write_outcome(battle, log, results[place])
                write_result(battle, results[place])

    return belongs_to(play, play_many)


def rollout(
    resume: Callable[..., Any], write_result: Callable[..., Any], prepare_once: Callable[..., Any] = nothing_to_prepare
) -> Callable[..., None]:
    """The entry point that plays many battles from one state in the middle of a battle.

    resume(battle, place, plugins) plays from a place to the outcome; prepare_once is that of `batch`.
    """

    def resume_many(
        battles: Any, memory: Any, kept: Any, spans: Any, first_stream: int, results: Any, place: Any, plugins: Any
    ) -> None:
        """Go on with the dice of streams first_stream, first_stream + 1, ..., one for each row of the results.

        battles: (1,) of battle_t. memory: its words. kept: what changes of them, as it was (snapshots.py). spans: where
        that belongs. results: (n,) of result_t. place: int64, as the ruleset's decision_points.py says. plugins: as in
        play_many.
        """
        battle = battles[0]
        if len(results) >= PREPARED_FROM:
            prepare_once(battle)
        for number in range(len(results)):
            restore(memory, kept, spans)
            seek_stream(battle.dice, first_stream + number)
            resume(battle, place, plugins)
            write_outcome(battle, None, results[number])
            write_result(battle, results[number])

    return belongs_to(resume, resume_many)


def preparer(prepare: Callable[..., Any]) -> Callable[..., None]:
    """The entry point that works out what battles share anew, for those who change a record.

    prepare(battle) works it out from the rest of the record alone.
    """

    def prepare_battles(battles: Any) -> None:
        """battles: (1,) of battle_t."""
        prepare(battles[0])

    return belongs_to(prepare, prepare_battles)


def enumerator(step: Callable[..., Any]) -> Callable[..., None]:
    """The entry point that plays a page of states one step on, in all ways that the dice allow.

    With dice that draw it plays each state on to the end of its battle instead, in one way.

    step(battle, page) plays one step of the battle.
    """

    def enumerate_step(
        battles: Any, words: Any, live: Any, ranges: Any, parents: Any, children: Any, notes: Any, pages: Any
    ) -> None:
        """Play states one step on, or to the end. lab/exact/state_reader.py says what the parameters are."""
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
def write_outcome(battle: Any, log: Any, result: Any) -> None:
    """Write down what is kept of every battle: who won and why, what went wrong, how many dice were drawn.

    Rule:    each ruleset's README, End.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.winner = battle.winner
    result.reason = battle.reason
    result.fault = battle.dice.exhausted << 8
    if log is not None:
        result.fault |= log.fault
    result.blocks_drawn = battle.dice.blocks_drawn


def belongs_to(kernel: Callable[..., Any], entry: Function) -> Function:
    """Name an entry point after the module whose kernels it calls: the cache's folder is found by it."""
    entry.__module__ = kernel.__module__
    entry.__qualname__ = entry.__name__
    return entry
