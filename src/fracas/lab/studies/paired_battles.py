"""Plays variants of a scenario on the same dice as the scenario itself, and measures what each change gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.checks import check_side, run_checks
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.scores import MOST_KEPT, ScoreSample, play_scores
from fracas.lab.simulation.simulate import DEFAULT_BATTLES, check_amounts
from fracas.lab.statistics.intervals import mean_interval
from fracas.rulesets.contract.analysis import WON
from fracas.rulesets.contract.types import Rows

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Outcome:
    """One side's results in a variant, compared with the unchanged scenario."""

    results: Results
    score: float
    """The mean score: 1 for a win, 1/2 for a draw, 0 for a loss."""
    score95: Interval
    gain: float
    """The score less that of the unchanged scenario, -1 to 1."""
    gain95: Interval
    """The 95% interval of the gain, from pairs of battles with the same dice; a point if nothing depends on luck."""
    is_base: bool = False
    """True if it is the unchanged scenario, whose gain is exactly 0."""

    def as_json(self, side: int) -> dict[str, Any]:
        """The outcome as plain values."""
        results = self.results
        return {
            "battles": results.battles,
            "score": self.score,
            "interval95": list(self.score95),
            "gain": self.gain,
            "gain95": list(self.gain95),
            "win_share": results.shares[side - 1],
            "draw_share": results.draw_share,
            "loss_share": results.shares[2 - side],
            "rounds_mean": results.rounds_mean,
            "hp_left_mean": [spread.mean for spread in results.hp_left],
            "deterministic": results.deterministic,
        }


@dataclass(frozen=True)
class PairedRuns:
    """How to play each variant, and which side's score counts."""

    battles: int
    side: int
    threads: ExecutorOrThreads = None
    notice: Notice | None = None
    planned: int = 0

    def play(self, scenario: Scenario) -> ScoreSample:
        """The battles of a variant."""
        return play_scores(scenario, self.battles, threads=self.threads, notice=self.notice, planned=self.planned)

    def outcome(self, base: ScoreSample, played: ScoreSample) -> Outcome:
        """A variant's results compared with the unchanged scenario, over the battles that both have."""
        before, after = (scores_for_side(self.side, each.scores) for each in (base, played))
        whole = min(len(before), len(after))
        gains = after[:whole] - before[:whole]
        is_certain = played is base or (base.results.deterministic and played.results.deterministic)
        score, score95 = _mean(after, 0.0, played.results.deterministic)
        return Outcome(played.results, score, score95, *_mean(gains, -1.0, is_certain), played is base)


def paired_runs(
    n: int | None, side: int, threads: ExecutorOrThreads = None, notice: Notice | None = None, variants: int = 1
) -> PairedRuns:
    """Settings to play each of a number of variants; without n, 10,000 battles.

    Raises:
        InputError: everything that is out of range.
    """
    run_checks(lambda: check_amounts(n, None, threads), lambda: check_kept(n), lambda: check_side(side))
    battles = n or DEFAULT_BATTLES
    return PairedRuns(battles, side, threads, notice, battles * (variants + 1))


def check_kept(n: int | None) -> None:
    """Check that every battle's score can be kept.

    Raises:
        InputError: n is above 10^8.
    """
    if isinstance(n, int) and n > MOST_KEPT:
        check_whole("-n", n, 1, MOST_KEPT)


def scores_for_side(side: int, scores: Rows) -> Rows:
    """Side 1's scores in half points, from the view of a side."""
    return scores if side == 1 else WON - scores


def _mean(halves: Rows, least: float, is_certain: bool) -> tuple[float, Interval]:
    """The mean of numbers in half points, from `least` to 1, with its interval."""
    counts = {half: int(np.count_nonzero(halves == half)) for half in range(-WON, WON + 1)}
    total = sum(half * count for half, count in counts.items()) / 2
    mean = total / len(halves) if len(halves) else 0.0
    if is_certain:
        return mean, (mean, mean)
    squares = sum(half * half * count for half, count in counts.items()) / 4
    return mean, mean_interval(total, squares, len(halves), least, 1.0)
