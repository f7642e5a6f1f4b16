"""Statistics of rollout scores: odds, differences of odds, and the best choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fracas.lab.explain.rollouts import RolloutScores
from fracas.lab.statistics.intervals import mean_interval
from fracas.rulesets.contract.types import Rows

# Scores are counted in half points.
HALVES = 2


@dataclass(frozen=True)
class Estimate:
    """An estimate from rollouts with its 95% interval; a point if nothing depends on luck."""

    value: float
    interval95: tuple[float, float]


def scores_for_side(outcomes: RolloutScores, side: int) -> Rows:
    """Scores from the view of side 1 or 2, in half points."""
    scores = outcomes.scores.astype(np.int64)
    return scores if side == 1 else HALVES - scores


def win_probability(outcomes: RolloutScores, side: int = 1) -> Estimate:
    """A side's odds: wins plus half the draws."""
    return _estimate(scores_for_side(outcomes, side), outcomes.is_certain, 0.0)


def score_difference(better: RolloutScores, base: RolloutScores, side: int) -> Estimate:
    """How much better one set of scores is than another for a side, under the same streams."""
    difference = scores_for_side(better, side) - scores_for_side(base, side)
    return _estimate(difference, better.is_certain and base.is_certain, -1.0)


def _estimate(halves: Rows, is_certain: bool, least: float) -> Estimate:
    count, total, squares = len(halves), int(halves.sum()), int((halves * halves).sum())
    value = total / HALVES / count if count else 0.0
    if is_certain:
        return Estimate(value, (value, value))
    return Estimate(value, mean_interval(total / HALVES, squares / HALVES**2, count, least, 1.0))


def total_advantage(outcomes: RolloutScores, base: RolloutScores, side: int) -> int:
    """How many half points one set of scores is ahead of another for a side, over the streams that both have."""
    return int((scores_for_side(outcomes, side) - scores_for_side(base, side)).sum())


def top_candidates(advantages: Sequence[int], most: int) -> list[int]:
    """The indexes of at most `most` choices that beat the base, the best first."""
    ranked = sorted(range(len(advantages)), key=lambda number: (-advantages[number], number))
    return [number for number in ranked[:most] if advantages[number] > 0]
