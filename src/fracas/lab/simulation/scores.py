"""Simulates and keeps each battle's score, so that battles with the same dice can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import simulate
from fracas.rulesets.contract.types import Document, Rows

# Each battle's score takes one byte.
MOST_KEPT = 10**8


@dataclass(frozen=True, eq=False)
class ScoreSample:
    """Results, and side 1's score of each battle in half points: 2, 1 or 0 (int8, in index order)."""

    results: Results
    scores: Rows

    @property
    def mean(self) -> float:
        """Side 1's mean score: 1 for a win, 1/2 for a draw."""
        return float(self.scores.sum(dtype=np.int64)) / (2 * len(self.scores)) if len(self.scores) else 0.0


def play_scores(
    scenario: Scenario,
    n: int,
    *,
    start: int = 0,
    threads: ExecutorOrThreads = None,
    notice: Notice | None = None,
    planned: int = 0,
) -> ScoreSample:
    """Play battles number start to start + n - 1 and keep each one's score. After Ctrl-C there are fewer scores.

    Raises:
        InputError: an amount out of range, a plug-in that does not compile.
        FaultError: a battle hit a limit of the engine.
    """
    scores = np.zeros(n, np.int8)
    score = scenario.ruleset.analysis.score

    def keep(first: int, rows: Rows) -> None:
        scores[first - start : first - start + len(rows)] = score(rows)

    results = simulate(scenario, n, threads=threads, sink=keep, notice=notice, planned=planned, start=start)
    return ScoreSample(results, scores[: results.battles])


def with_document(scenario: Scenario, document: Document) -> Scenario:
    """A scenario with another resolved document of the same ruleset, with the same plug-ins and folder.

    Raises:
        InputError: the document cannot be compiled.
    """
    plugins = {plugin.name: plugin for plugin in scenario.compiled.plugins}
    compiled = scenario.ruleset.compile(document, plugins)
    return Scenario(scenario.ruleset, document, compiled, folder=scenario.folder)
