"""Plays rollouts: a battle continued from a snapshot many times with other dice (docs/adr/0023)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from fracas.engine.execution_mode import ExecutionMode, choose_mode, tell_mode
from fracas.engine.lockstep import resume_in_lanes
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

# Rollouts use the scenario's seed text with this appended.
BRANCH = "/why"
# Rollouts are played this many at a time, and only scores are kept: a single result takes almost 2 KB.
PIECE = 4_096


@dataclass(frozen=True, eq=False)
class RolloutStart:
    """Where a rollout starts: a scenario, what changes in its snapshot, and the place in the round."""

    scenario: Scenario
    snapshot: Rows
    resume_at: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RolloutScores:
    """Side 1's score of a rollout under each stream, in half points, and whether any dice were rolled."""

    scores: Rows
    is_certain: bool

    def joined(self, later: RolloutScores) -> RolloutScores:
        """These scores followed by those of later streams."""
        return RolloutScores(np.concatenate([self.scores, later.scores]), self.is_certain and later.is_certain)


class RolloutRunner:
    """Plays rollouts of one ruleset's scenarios on threads, under their own seed text."""

    def __init__(self, scenario: Scenario, *, planned: int, threads: int | None, notice: Notice | None) -> None:
        kernels = scenario.ruleset.kernels
        if kernels.resume_many is None:
            scenario.ruleset.analysis.refuse("rollouts from the middle of a battle")
        self.kernels = kernels
        self.key = key_words(scenario.seed + BRANCH)
        self.spans = mutable_spans(scenario.compiled.record.dtype, kernels.constant_fields)
        self.authors = scenario.compiled.plugins
        self.play_on: Callable[..., None] = kernels.resume_many
        self.functions: Functions | None = plain_plugins(kernels, self.authors)
        self.workers = thread_count(threads)
        mode = choose_mode(scenario.ruleset, self.play_on, self._form(), planned, has_plugins=bool(self.authors))
        fit = None
        if mode == ExecutionMode.WASM:
            self.play_on = wasm_resume(scenario.ruleset.identity, kernels)
        elif mode == ExecutionMode.NATIVE:
            self._compile(scenario, notice)
            if not self.authors:
                self.play_on, fit = resume_in_lanes(kernels, self.play_on, scenario.compiled.record, planned)
        tell_mode(scenario.ruleset.name, mode, planned, str(fit or ""))

    def _form(self) -> str:
        return "onward-plugins" if self.authors else "onward"

    def _compile(self, scenario: Scenario, notice: Notice | None) -> None:
        """Compile the entry point if this machine has not done so before."""
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
        """A rollout start at the beginning of a battle."""
        snapshot = save_snapshot(scenario.compiled.record, self.spans)
        return RolloutStart(scenario, snapshot, (FROM_SET_UP,) * self.kernels.resume_length)

    def outcomes(self, branch: RolloutStart, first: int, end: int, key: Rows | None = None) -> RolloutScores:
        """How a rollout ends under streams first to end - 1, with the dice of rollouts or of another key.

        Raises:
            InputError: a plug-in failed.
            FaultError: a battle hit a limit of the engine.
        """
        records = branch.scenario.compiled.own_record()
        records[0].dice.key[:] = self.key if key is None else key
        words, resume_at = as_words(records), np.array(branch.resume_at, np.int64)
        score = branch.scenario.ruleset.analysis.score

        def play(start: int, length: int) -> Rows:
            results = np.zeros(length, self.kernels.result_type)
            self.play_on(records, words, branch.snapshot, self.spans, start, results, resume_at, self.functions)
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
        """How each of several rollouts ends under streams first to end - 1, in order.

        Ctrl-C waits for the rollouts in progress.
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


def rollout_from(scenario: Scenario, point: DecisionPoint, resume_at: tuple[int, ...] | None = None) -> RolloutStart:
    """The rollout start at a decision point: with the actual choice, or with one of the others."""
    return RolloutStart(scenario, point.snapshot, point.resume_at if resume_at is None else resume_at)
