"""Finds battles worth watching among many: the typical one, and each side's luckiest win.

The typical battle ends as most do, and stands in the middle of those that do by rounds and by HP left. A side's
luckiest win is the one in which its odds were lowest at the start of a round. All rounds are tried with few rollouts,
the most promising of each win with more, and the odds that are told come from rollouts that had no part in the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.explain.rollout_scores import Estimate, win_probability
from fracas.lab.explain.rollouts import RolloutRunner, rollout_from
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Rows

# Wins of a side that are tried, and rounds of each.
MOST_WINS, MOST_ROUNDS = 16, 12
# How many rounds of each win are tried again, and rollouts of each stage. Each stage has streams of its own.
MOST_PROMISING = 3
FIRST, SECOND, THIRD = 64, 256, 1_000

# A battle's number, and one of its rounds.
Moment = tuple[int, DecisionPoint]


@dataclass(frozen=True)
class LuckyWin:
    """A side's win against the odds."""

    stream: int
    side: int
    tick: int
    """The round in which its odds were lowest."""
    odds: Estimate
    """The side's odds at the start of that round."""
    tried: int
    """Among how many wins it was found."""


def typical_battle(rows: Rows) -> int:
    """The number of the typical battle among results with `winner`, `rounds` and `hp_left`; the first of equals."""
    winners = rows["winner"]
    counts = [int((winners == winner).sum()) for winner in (1, 2, 0)]
    most = (1, 2, 0)[counts.index(max(counts))]
    alike = np.flatnonzero(winners == most)
    margin = rows["hp_left"][alike, 0] - rows["hp_left"][alike, 1]
    away = _from_middle(rows["rounds"][alike]) + _from_middle(margin)
    return int(alike[int(np.argmin(away))])


def _from_middle(values: Rows) -> Rows:
    """How far each value stands from the middle of all, in places; equal values share theirs."""
    ordered = np.sort(values)
    places = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    # Doubled, so that these are whole numbers.
    return np.asarray(np.abs(places - len(values)))


def luckiest_win(
    scenario: Scenario, side: int, wins: Sequence[int], *, threads: int | None = None, notice: Notice | None = None
) -> LuckyWin | None:
    """The luckiest of these wins of a side; None if there is none, or nothing depends on luck.

    Raises:
        InputError: a ruleset without rollouts.
        FaultError: a battle hit a limit of the engine.
    """
    tried = list(wins[:MOST_WINS])
    if not tried:
        return None
    planned = len(tried) * (MOST_ROUNDS * FIRST + MOST_PROMISING * SECOND) + THIRD
    runner = RolloutRunner(scenario, planned=planned, threads=threads, notice=notice)
    if runner.outcomes(runner.from_start(scenario), 0, 1).is_certain:
        return None
    measure = _Measure(scenario, runner, side)
    close = [
        moment
        for number in tried
        for moment in measure.lowest([(number, point) for point in _rounds(scenario, number)])
    ]
    second = measure.odds(close, FIRST, FIRST + SECOND)
    values = [odds.value for odds in second]
    stream, point = close[values.index(min(values))]
    (odds,) = measure.odds([(stream, point)], FIRST + SECOND, FIRST + SECOND + THIRD)
    return LuckyWin(stream, side, point.tick, odds, len(tried))


def _rounds(scenario: Scenario, stream: int) -> list[DecisionPoint]:
    """The starts of a battle's rounds, or of some of them, evenly spaced."""
    hooks, compiled = scenario.ruleset.analysis, scenario.compiled
    points = hooks.decision_points(compiled, scenario.document, stream)
    starts = [point for point in points if point.decision is None]
    count = min(len(starts), MOST_ROUNDS)
    return [starts[number * len(starts) // count] for number in range(count)]


@dataclass(frozen=True)
class _Measure:
    """Odds of a side, by rollouts."""

    scenario: Scenario
    runner: RolloutRunner
    side: int

    def lowest(self, moments: Sequence[Moment]) -> list[Moment]:
        """The few of a battle's rounds in which the side's odds seem lowest, by the first rollouts."""
        values = [odds.value for odds in self.odds(moments, 0, FIRST)]
        few = sorted(range(len(moments)), key=lambda number: (values[number], number))[:MOST_PROMISING]
        return [moments[number] for number in sorted(few)]

    def odds(self, moments: Sequence[Moment], first: int, end: int) -> list[Estimate]:
        """The side's odds in each round, over these streams."""
        starts: list[Any] = [rollout_from(self.scenario, point) for _, point in moments]
        return [win_probability(outcomes, self.side) for outcomes in self.runner.all_outcomes(starts, first, end)]
