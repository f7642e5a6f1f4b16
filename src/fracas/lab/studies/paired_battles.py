"""Plays variants of a scenario on the same dice as the scenario itself, and measures what each change gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.checks import check_side, run_checks
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.types import Count, Gain, GainInterval, Interval, Share
from fracas.lab.simulation.scores import MOST_KEPT, ScoreSample, play_scores
from fracas.lab.simulation.simulate import DEFAULT_BATTLES, check_amounts
from fracas.lab.statistics.intervals import mean_interval
from fracas.rulesets.contract.analysis import WON
from fracas.rulesets.contract.types import Rows


class PairedScore(msgspec.Struct, kw_only=True):
    """One side's results in a variant, compared with the unchanged scenario."""

    battles: Count
    score: Share
    """The mean score: 1 for a win, 1/2 for a draw, 0 for a loss."""
    interval95: Interval
    """The 95% interval of the score."""
    gain: Gain
    """The score less that of the unchanged scenario, -1 to 1."""
    gain95: GainInterval
    """The 95% interval of the gain, from pairs of battles with the same dice; a point if nothing depends on luck."""
    win_share: Share = 0.0
    draw_share: Share = 0.0
    loss_share: Share = 0.0
    rounds_mean: float = 0.0
    hp_left_mean: tuple[float, float] = (0.0, 0.0)
    """HP left at the end, of side 1 and side 2."""
    deterministic: bool = False
    """Whether nothing depends on luck."""
    results: Any = msgspec.field(default=None, name="_results")
    """In Python the whole results, of the type that `simulate` returns."""


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

    def outcome(self, base: ScoreSample, played: ScoreSample) -> PairedScore:
        """A variant's results compared with the unchanged scenario, over the battles that both have."""
        before, after = (scores_for_side(self.side, each.scores) for each in (base, played))
        whole = min(len(before), len(after))
        gains = after[:whole] - before[:whole]
        is_certain = played is base or (base.results.deterministic and played.results.deterministic)
        results = played.results
        score, score95 = _mean(after, 0.0, results.deterministic)
        gain, gain95 = _mean(gains, -1.0, is_certain)
        first, second = results.hp_left
        return PairedScore(
            battles=results.battles,
            score=score,
            interval95=score95,
            gain=gain,
            gain95=gain95,
            win_share=results.shares[self.side - 1],
            draw_share=results.draw_share,
            loss_share=results.shares[2 - self.side],
            rounds_mean=results.rounds.mean,
            hp_left_mean=(first.mean, second.mean),
            deterministic=results.deterministic,
            results=results,
        )


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
