"""Branches: a battle gone on with from the middle, with the same dice again and again (docs/adr/0023)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from fracas.engine.execution_mode import ExecutionMode, choose_mode, tell_mode
from fracas.engine.player import Notice, check_faults
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.kernel.snapshots import FROM_SET_UP, as_words, mutable_spans, save_snapshot
from fracas.lab.execution.thread_executor import thread_count
from fracas.plugins.compile import Functions, native_plugins, plain_plugins
from fracas.portable.wasm_machine import wasm_resume
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.shared.seeds import key_words

# The streams of branches are those of the scenario's seed text with this behind it.
BRANCH = "/why"
# So many branches are played at a time, and of each only its score is kept: a run's results are almost 2 KB.
PIECE = 4_096


@dataclass(frozen=True, eq=False)
class RolloutStart:
    """Where to go on from: a scenario, what changes of its battle as it stands there, and the place in the round."""

    scenario: Scenario
    snapshot: Rows
    resume_at: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RolloutScores:
    """How a branch ended under each of some streams: side 1's score in half points; whether no word was drawn."""

    scores: Rows
    is_certain: bool

    def joined(self, later: RolloutScores) -> RolloutScores:
        """These and those of the streams that follow."""
        return RolloutScores(np.concatenate([self.scores, later.scores]), self.is_certain and later.is_certain)


class RolloutRunner:
    """Plays branches of scenarios of one ruleset, on threads, under a seed text of their own."""

    def __init__(self, scenario: Scenario, *, planned: int, threads: int | None, notice: Notice | None) -> None:
        kernels = scenario.ruleset.kernels
        if kernels.resume_many is None:
            scenario.ruleset.analysis.refuse("going on from the middle of a battle")
        self.kernels = kernels
        self.key = key_words(scenario.seed + BRANCH)
        self.spans = mutable_spans(scenario.compiled.record.dtype, kernels.constant_fields)
        self.authors = scenario.compiled.plugins
        self.play_on: Callable[..., None] = kernels.resume_many
        self.functions: Functions | None = plain_plugins(kernels, self.authors)
        self.workers = thread_count(threads)
        mode = choose_mode(scenario.ruleset, self.play_on, self._form(), planned, has_plugins=bool(self.authors))
        tell_mode(scenario.ruleset.name, mode, planned)
        if mode == ExecutionMode.WASM:
            self.play_on = wasm_resume(scenario.ruleset.name, kernels)
        elif mode == ExecutionMode.NATIVE:
            self._compile(scenario, notice)

    def _form(self) -> str:
        return "onward-plugins" if self.authors else "onward"

    def _compile(self, scenario: Scenario, notice: Notice | None) -> None:
        """Compile the entry point, now if this machine has not done so before."""
        kernels, name = self.kernels, scenario.ruleset.name
        assert kernels.resume_many is not None
        if not jit.is_cached(kernels.resume_many, self._form()) and notice is not None:
            form = self._form()
            notice(f"Compiling the rules of {name} for this machine ({form}), once; it takes ten to sixty seconds.")
        self.functions = native_plugins(self.kernels, self.authors)
        self.play_on = jit.native(kernels.resume_many)
        self.outcomes(self.from_start(scenario), 0, 0)
        jit.mark_cached(kernels.resume_many, self._form())

    def from_start(self, scenario: Scenario) -> RolloutStart:
        """A battle from its beginning."""
        kept = save_snapshot(scenario.compiled.record, self.spans)
        return RolloutStart(scenario, kept, (FROM_SET_UP,) * self.kernels.resume_length)

    def outcomes(self, branch: RolloutStart, first: int, end: int, key: Rows | None = None) -> RolloutScores:
        """How a branch ends under streams first to end - 1, with the dice of branches or of another key.

        Raises:
            InputError: a plug-in failed.
            FaultError: a battle ran into a limit of ours.
        """
        records = branch.scenario.compiled.record.copy()
        records[0].dice.key[:] = self.key if key is None else key
        place = np.array(branch.resume_at, np.int64)
        score = branch.scenario.ruleset.analysis.score

        def play(start: int, length: int) -> Rows:
            results = np.zeros(length, self.kernels.result_type)
            self.play_on(records, as_words(records), branch.snapshot, self.spans, start, results, place, self.functions)
            check_faults(self.kernels, self.authors, start, results)
            return results

        count = end - first
        tried = play(first, min(count, 1))
        is_certain = bool(len(tried)) and not int(tried["blocks_drawn"][0])
        if is_certain:
            return RolloutScores(np.repeat(score(tried), count), True)
        pieces = [score(play(start, min(PIECE, end - start))) for start in range(first + 1, end, PIECE)]
        return RolloutScores(np.concatenate([score(tried), *pieces]), False)

    def all_outcomes(self, branches: Iterable[RolloutStart], first: int, end: int) -> Iterator[RolloutScores]:
        """How each of several branches ends under streams first to end - 1, in their order.

        Ctrl-C waits for the branches that are being played.
        """
        pending: deque[Future[RolloutScores]] = deque()
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


def rollout_from(scenario: Scenario, moment: DecisionPoint, place: tuple[int, ...] | None = None) -> RolloutStart:
    """The branch at a moment: as it went, or with one of the moment's choices."""
    return RolloutStart(scenario, moment.snapshot, moment.resume_at if place is None else place)
