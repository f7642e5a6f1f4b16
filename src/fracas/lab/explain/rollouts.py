"""Branches: a battle gone on with from the middle, with the same dice again and again (docs/adr/0023)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.engine.player import FEW_BATTLES, Notice, check_faults
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.kernel.snapshots import FROM_SET_UP, changing_spans, kept_words, memory_of
from fracas.lab.execution.thread_executor import thread_count
from fracas.plugins.compile import Functions, native_plugins, plain_plugins
from fracas.rulesets.contract.analysis import Moment
from fracas.rulesets.contract.types import Records
from fracas.rulesets.shared.seeds import key_words

# The streams of branches are those of the scenario's seed text with this behind it.
BRANCH = "/why"
# So many branches are played at a time, and of each only its score is kept: a run's results are almost 2 KB.
PIECE = 4_096


@dataclass(frozen=True, eq=False)
class Branch:
    """Where to go on from: a scenario, what changes of its battle as it stands there, and the place in the round."""

    scenario: Scenario
    kept: Records
    place: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """How a branch ended under each of some streams: side 1's score in half points; whether no word was drawn."""

    scores: Records
    is_certain: bool

    def joined(self, later: Outcomes) -> Outcomes:
        """These and those of the streams that follow."""
        return Outcomes(np.concatenate([self.scores, later.scores]), self.is_certain and later.is_certain)


class Brancher:
    """Plays branches of scenarios of one ruleset, on threads, under a seed text of their own."""

    def __init__(self, scenario: Scenario, *, planned: int, threads: int | None, notice: Notice | None) -> None:
        kernels = scenario.ruleset.kernels
        if kernels.play_on is None:
            scenario.ruleset.lab.refuse("going on from the middle of a battle")
        self.kernels = kernels
        self.key = key_words(scenario.seed + BRANCH)
        self.spans = changing_spans(scenario.compiled.record.dtype, kernels.given)
        self.authors = scenario.compiled.plugins
        self.play_on: Callable[..., None] = kernels.play_on
        self.functions: Functions | None = plain_plugins(kernels, self.authors)
        self.workers = thread_count(threads)
        if _is_worth_compiling(self.play_on, self._form(), planned):
            self._compile(scenario, notice)

    def _form(self) -> str:
        return "onward-plugins" if self.authors else "onward"

    def _compile(self, scenario: Scenario, notice: Notice | None) -> None:
        """Compile the entry point, now if this machine has not done so before."""
        kernels, name = self.kernels, scenario.ruleset.name
        assert kernels.play_on is not None
        if not jit.is_cached(kernels.play_on, self._form()) and notice is not None:
            form = self._form()
            notice(f"Compiling the rules of {name} for this machine ({form}), once; it takes ten to sixty seconds.")
        self.functions = native_plugins(self.kernels, self.authors)
        self.play_on = jit.native(kernels.play_on)
        self.outcomes(self.whole(scenario), 0, 0)
        jit.mark_cached(kernels.play_on, self._form())

    def whole(self, scenario: Scenario) -> Branch:
        """A battle from its beginning."""
        kept = kept_words(scenario.compiled.record, self.spans)
        return Branch(scenario, kept, (FROM_SET_UP,) * self.kernels.place_length)

    def outcomes(self, branch: Branch, first: int, end: int, key: Records | None = None) -> Outcomes:
        """How a branch ends under streams first to end - 1, with the dice of branches or of another key.

        Raises:
            InputError: a plug-in failed.
            FaultError: a battle ran into a limit of ours.
        """
        records = branch.scenario.compiled.record.copy()
        records[0].dice.key[:] = self.key if key is None else key
        place = np.array(branch.place, np.int64)
        score = branch.scenario.ruleset.lab.score

        def play(start: int, length: int) -> Records:
            results = np.zeros(length, self.kernels.result_type)
            self.play_on(records, memory_of(records), branch.kept, self.spans, start, results, place, self.functions)
            check_faults(self.kernels, self.authors, start, results)
            return results

        count = end - first
        tried = play(first, min(count, 1))
        is_certain = bool(len(tried)) and not int(tried["blocks_drawn"][0])
        if is_certain:
            return Outcomes(np.repeat(score(tried), count), True)
        pieces = [score(play(start, min(PIECE, end - start))) for start in range(first + 1, end, PIECE)]
        return Outcomes(np.concatenate([score(tried), *pieces]), False)

    def all_outcomes(self, branches: Iterable[Branch], first: int, end: int) -> Iterator[Outcomes]:
        """How each of several branches ends under streams first to end - 1, in their order.

        Ctrl-C waits for the branches that are being played.
        """
        pending: deque[Future[Outcomes]] = deque()
        pool = ThreadPoolExecutor(self.workers)
        try:
            for branch in branches:
                pending.append(pool.submit(self.outcomes, branch, first, end))
                if len(pending) > 2 * self.workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def branch_at(scenario: Scenario, moment: Moment, place: tuple[int, ...] | None = None) -> Branch:
    """The branch at a moment: as it went, or with one of the moment's choices."""
    return Branch(scenario, moment.kept, moment.place if place is None else place)


def _is_worth_compiling(entry: Callable[..., Any], form: str, battles: int) -> bool:
    setting = jit.jit_setting()
    if setting != "auto":
        return setting == "always"
    return battles > FEW_BATTLES or jit.is_cached(entry, form)
