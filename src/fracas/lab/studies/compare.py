"""`compare`: A against B on the same dice, until a sequential test finds a winner or no difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count as count_from
from itertools import takewhile

import numpy as np

from fracas.content.validate import shown
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, UsageError
from fracas.events.styled_text import clipped
from fracas.lab.execution.checks import check_side, run_checks
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.scores import ScoreSample, play_scores
from fracas.lab.simulation.simulate import check_amounts
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.statistics.sequential_test import DELTA, NO_DIFFERENCE, A, B, SignTest
from fracas.lab.studies.compare_result import Comparison, Differing, Mark, Test
from fracas.lab.studies.paired_battles import scores_for_side
from fracas.rulesets.contract.analysis import DRAWN, LOST, WON
from fracas.rulesets.contract.types import Rows

DEFAULT_PAIRS = 100_000
# Blocks of pairs double: clear cases stop soon, and close cases are not slowed down by many small blocks.
FIRST_BLOCK = 2_048
LARGEST_BLOCK = 65_536
LEAST_DELTA, MOST_DELTA = 0.001, 0.25
# B's label lists its changes, up to this many characters.
LONGEST_LABEL = 400
# Half points: 0, 1, 2.
SCORES = 3


@dataclass(frozen=True)
class Moments:
    """Differences in half points, B's score less A's: how many, their sum, and that of their squares."""

    pairs: int
    total: int
    squares: int

    @property
    def mean(self) -> float:
        """The mean difference, -1 to 1."""
        return self.total / (2 * self.pairs) if self.pairs else 0.0

    @property
    def variance(self) -> float:
        """The variance of a difference."""
        return self.squares / (4 * self.pairs) - self.mean**2 if self.pairs else 0.0

    @property
    def interval95(self) -> tuple[float, float]:
        """The 95% interval of the mean."""
        return mean_interval(self.total / 2, self.squares / 4, self.pairs, -1.0, 1.0)


@DeferInterrupt()
def compare(
    scenario: Scenario,
    other: Scenario,
    n: int | None = None,
    *,
    side: int = 1,
    delta: float = DELTA,
    stop: bool = True,
    labels: tuple[str, str] | None = None,
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Comparison:
    """Play A and B with the same dice, pair by pair, until the sequential test is decided; at most n pairs.

    The test checks each pair in index order. Without `stop` all n pairs are played. B is played under A's seed. Ctrl-C
    ends with the complete pairs.

    Raises:
        InputError: the two are from different rulesets or identical, or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    check_comparison(n, side, delta, threads)
    both = (scenario, _beside(scenario, other))
    most = n or DEFAULT_PAIRS
    series = _Series(both, side, most, stop, SignTest(delta), threads, notice)
    first, size, interrupted = 0, FIRST_BLOCK, False
    try:
        while first < most and not series.is_over and not interrupted:
            interrupted = not series.play(first, min(size, most - first))
            first, size = first + size, min(2 * size, LARGEST_BLOCK)
            if steps is not None and series.pairs:
                steps(series.pairs, most, f"{series.test.better[A]:,} : {series.test.better[B]:,} differ")
    except KeyboardInterrupt:
        interrupted = True
    return series.found(labels or (scenario.id, other.id), interrupted=interrupted and not series.is_over)


def labels_of(scenario: Scenario, other: Scenario, changes: Sequence[str], *, is_other: bool) -> tuple[str, str]:
    """What A and B are called: their ids, B's with its changes, which are told apart where they are the same."""
    base = other.id if not is_other or other.id != scenario.id else f"{other.id}, the other one"
    label = f"{base} with {', '.join(changes)}" if changes else base
    return scenario.id, clipped(label, LONGEST_LABEL)


def check_comparison(n: int | None, side: int, delta: float, threads: ExecutorOrThreads) -> None:
    """Check the amounts of a comparison.

    Raises:
        InputError: everything that is out of range.
    """
    run_checks(
        lambda: check_amounts(n, None, threads),
        lambda: check_side(side),
        lambda: check_delta(delta),
    )


def check_delta(delta: float) -> None:
    """Check that a difference can be tested for.

    Raises:
        InputError: it is not a number, or is outside 0.001..0.25.
    """
    if isinstance(delta, bool) or not isinstance(delta, int | float):
        raise UsageError.of("--delta", f"{shown(delta)} is not a number")
    if not LEAST_DELTA <= delta <= MOST_DELTA:
        raise UsageError.of("--delta", f"{delta:g} is out of range: {LEAST_DELTA} to {MOST_DELTA}")


def _beside(scenario: Scenario, other: Scenario) -> Scenario:
    """B under A's seed.

    Raises:
        InputError: B is from another ruleset, or is the same battle.
    """
    if other.ruleset.name != scenario.ruleset.name:
        message = f"is for {other.ruleset.name}, but {scenario.id} is for {scenario.ruleset.name}"
        raise InputError.of(other.id, message, "compare two scenarios of one ruleset")
    if other.fingerprint == scenario.fingerprint:
        raise InputError.of(other.id, "is the same battle on both sides of the comparison", "change something in B")
    return other if other.seed == scenario.seed else other.with_seed(scenario.seed)


@dataclass
class _Series:
    """Pairs in progress, played in blocks."""

    scenarios: tuple[Scenario, Scenario]
    side: int
    most: int
    stop: bool
    test: SignTest
    threads: ExecutorOrThreads
    notice: Notice | None
    deterministic: bool = False
    seen: Moments = Moments(0, 0, 0)
    looks: list[Moments] = field(default_factory=list)
    scores: Rows = field(default_factory=lambda: np.zeros((SCORES, SCORES), np.int64))

    @property
    def pairs(self) -> int:
        return int(self.scores.sum())

    @property
    def is_over(self) -> bool:
        return self.deterministic or (self.stop and self.test.is_decided)

    def found(self, labels: tuple[str, str], *, interrupted: bool) -> Comparison:
        """The result of the pairs counted so far."""
        halves = np.arange(SCORES) - np.arange(SCORES)[:, np.newaxis]
        last = Moments(self.pairs, int((self.scores * halves).sum()), int((self.scores * halves**2).sum()))
        a, b = (
            self._mark(label, scenario, [int(count) for count in counts])
            for label, scenario, counts in zip(
                labels, self.scenarios, (self.scores.sum(axis=1), self.scores.sum(axis=0)), strict=True
            )
        )
        test, apart = self.test, sum(variance for _, variance in (a, b))
        further, verdict = None, test.verdict
        if self.deterministic:
            verdict = A if last.mean < 0 else B if last.mean > 0 else NO_DIFFERENCE
        elif not test.is_decided and test.differing:
            further = math.ceil(self.pairs * (1 + test.missing / test.differing))
        running = [each for each in self.looks if each.pairs < last.pairs] + [last] * bool(self.pairs)
        return Comparison(
            **facts_of(self.scenarios[0]),
            side=self.side,
            a=a[0],
            b=b[0],
            pairs=self.pairs,
            most=self.most,
            difference=last.mean,
            difference95=(last.mean, last.mean) if self.deterministic else last.interval95,
            differing=Differing(int(np.tril(self.scores, -1).sum()), int(np.triu(self.scores, 1).sum())),
            variance_reduction=apart / last.variance if last.variance > 0 else None,
            scores=self.scores.tolist(),
            running=[(each.pairs, each.mean, *each.interval95) for each in running],
            verdict=verdict,
            test=Test(test.delta, test.alpha, test.beta, test.pairs, test.differing, test.fewest),
            deterministic=self.deterministic,
            interrupted=interrupted,
            further=further,
            scenarios=self.scenarios,
        )

    def _mark(self, label: str, scenario: Scenario, counts: Sequence[int]) -> tuple[Mark, float]:
        """How A or B did, and the variance of one battle's score."""
        losses, draws, wins = (counts[score] for score in (LOST, DRAWN, WON))
        battles, squares = sum(counts), wins + draws / 4
        score = (2 * wins + draws) / (2 * battles) if battles else 0.0
        interval = mean_interval(score * battles, squares, battles, 0.0, 1.0)
        mark = Mark(
            label=label,
            scenario=scenario.id,
            content_fingerprint=scenario.fingerprint,
            wins=wins,
            draws=draws,
            losses=losses,
            score=score,
            interval95=(score, score) if self.deterministic else interval,
        )
        return mark, squares / battles - score**2 if battles else 0.0

    def play(self, first: int, count: int) -> bool:
        """Play a block of pairs and count them up to the deciding one; False if interrupted."""
        played: list[ScoreSample] = []
        for scenario in self.scenarios:
            played.append(
                play_scores(scenario, count, start=first, threads=self.threads, notice=self.notice, planned=self.most)
            )
            if played[-1].results.interrupted and len(played) == 1:
                return False
        one, two = (scores_for_side(self.side, each.scores) for each in played)
        one = one[: len(two)]
        self.deterministic = len(one) == count and all(each.results.deterministic for each in played)
        looked_at = self.test.add(two - one)
        taken = looked_at if self.stop and not self.deterministic else len(one)
        self._look(two[:taken].astype(np.int64) - one[:taken])
        counts = np.bincount(one[:taken] * SCORES + two[:taken], minlength=SCORES * SCORES)
        self.scores += counts.reshape(SCORES, SCORES)
        if self.deterministic:
            self.scores[self.scores > 0] = self.most
            self.looks = []
        return len(one) == count

    def _look(self, differences: Rows) -> None:
        """Record the differences at those places that lie in this block."""
        totals, squares = np.cumsum(differences), np.cumsum(differences**2)
        done = self.seen
        for pairs in takewhile(lambda pairs: pairs <= done.pairs + len(totals), looking_places()):
            if pairs > done.pairs:
                index = pairs - done.pairs - 1
                self.looks.append(Moments(pairs, done.total + int(totals[index]), done.squares + int(squares[index])))
        if len(totals):
            pairs = done.pairs + len(totals)
            self.seen = Moments(pairs, done.total + int(totals[-1]), done.squares + int(squares[-1]))


def looking_places() -> Iterator[int]:
    """The numbers of pairs at which differences are recorded: 64, then each about 1.5 times the one before."""
    return (pairs for power in count_from(6) for pairs in (2**power, 3 * 2**power // 2))
