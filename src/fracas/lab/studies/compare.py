"""`compare`: A against B on the same dice, until a sequential test finds a winner or no difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count as count_from
from itertools import takewhile
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, UsageError
from fracas.lab.execution.checks import check_side, run_checks
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.notebook import Result
from fracas.lab.simulation.scores import ScoreSample, play_scores
from fracas.lab.simulation.simulate import check_amounts
from fracas.lab.simulation.statistic_rows import inputs_json, versions_json
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.statistics.sequential_test import DELTA, NO_DIFFERENCE, A, B, SignTest
from fracas.lab.studies.paired_battles import scores_for_side
from fracas.rulesets.contract.analysis import DRAWN, LOST, WON
from fracas.rulesets.contract.types import Rows

DEFAULT_PAIRS = 100_000
# Blocks of pairs double: clear cases stop soon, and close cases are not slowed down by many small blocks.
FIRST_BLOCK = 2_048
LARGEST_BLOCK = 65_536
LEAST_DELTA, MOST_DELTA = 0.001, 0.25
# Half points: 0, 1, 2.
SCORES = 3


@dataclass(frozen=True)
class Mark:
    """How A or B did in the compared battles, from the view of one side."""

    label: str
    scenario: Scenario
    counts: tuple[int, int, int]
    """Losses, draws and wins."""
    is_certain: bool

    @property
    def battles(self) -> int:
        """How many battles are counted."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean score: 1 for a win, 1/2 for a draw, 0 for a loss."""
        return (2 * self.counts[WON] + self.counts[DRAWN]) / (2 * self.battles) if self.battles else 0.0

    @property
    def variance(self) -> float:
        """The variance of one battle's score."""
        squares = self.counts[WON] + self.counts[DRAWN] / 4
        return squares / self.battles - self.score**2 if self.battles else 0.0

    @property
    def interval95(self) -> tuple[float, float]:
        """The 95% interval of the mean score; a point if nothing depends on luck."""
        if self.is_certain:
            return self.score, self.score
        squares = self.counts[WON] + self.counts[DRAWN] / 4
        return mean_interval(self.score * self.battles, squares, self.battles, 0.0, 1.0)

    def as_json(self) -> dict[str, Any]:
        """The mark as plain values."""
        return {
            "label": self.label,
            "scenario": self.scenario.id,
            "content_fingerprint": self.scenario.fingerprint,
            "wins": self.counts[WON],
            "draws": self.counts[DRAWN],
            "losses": self.counts[LOST],
            "score": self.score,
            "interval95": list(self.interval95),
        }


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


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """A against B in the same battles."""

    scenario: Scenario
    """Scenario A."""
    other: Scenario
    """Scenario B, under A's seed."""
    labels: tuple[str, str]
    """The names of the two."""
    side: int
    """The side whose score is compared."""
    most: int
    """The most pairs to play."""
    scores: Rows
    """How many pairs had each combination of scores, in half points: A in rows, B in columns."""
    test: SignTest
    """The sequential test and its verdict."""
    deterministic: bool = False
    """True if both are free of luck: one pair was played and stands for all."""
    interrupted: bool = False
    """True if Ctrl-C ended it early; the counted pairs are the first ones."""
    looks: Sequence[Moments] = ()
    """The differences after several numbers of pairs on the way."""

    @property
    def pairs(self) -> int:
        """How many pairs are counted."""
        return int(self.scores.sum())

    @property
    def marks(self) -> tuple[Mark, Mark]:
        """How A did, and how B did."""
        first, second = (
            Mark(label, scenario, (int(counts[LOST]), int(counts[DRAWN]), int(counts[WON])), self.deterministic)
            for label, scenario, counts in zip(
                self.labels,
                (self.scenario, self.other),
                (self.scores.sum(axis=1), self.scores.sum(axis=0)),
                strict=True,
            )
        )
        return first, second

    @property
    def better(self) -> tuple[int, int]:
        """In how many pairs A was better, and in how many B."""
        return int(np.tril(self.scores, -1).sum()), int(np.triu(self.scores, 1).sum())

    @property
    def difference(self) -> float:
        """B's mean score less A's, -1 to 1."""
        return self._moments().mean

    @property
    def difference95(self) -> tuple[float, float]:
        """The 95% interval of the difference, from the pairs; a point if nothing depends on luck."""
        if self.deterministic:
            return self.difference, self.difference
        return self._moments().interval95

    @property
    def variance_reduction(self) -> float | None:
        """The variance without pairing divided by that of the difference; None if no pair differs."""
        if not self.pairs:
            return None
        paired = self._moments().variance
        apart = sum(mark.variance for mark in self.marks)
        return apart / paired if paired > 0 else None

    @property
    def verdict(self) -> str:
        """`A` or `B` is better, `no difference of delta`, or `undecided`."""
        if self.deterministic:
            return A if self.difference < 0 else B if self.difference > 0 else NO_DIFFERENCE
        return self.test.verdict

    @property
    def further(self) -> int | None:
        """About how many more pairs a verdict needs if they are like those so far; None if that cannot be estimated."""
        if self.deterministic or self.test.is_decided or not self.test.differing:
            return None
        return math.ceil(self.pairs * (1 + self.test.missing / self.test.differing))

    def _moments(self) -> Moments:
        halves = np.arange(SCORES) - np.arange(SCORES)[:, np.newaxis]
        return Moments(self.pairs, int((self.scores * halves).sum()), int((self.scores * halves**2).sum()))

    @property
    def running(self) -> list[Moments]:
        """The differences at places on the way, and after the last pair."""
        last = self._moments()
        return [each for each in self.looks if each.pairs < last.pairs] + [last] * bool(self.pairs)

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas compare --format json` prints."""
        first, second = self.marks
        better_a, better_b = self.better
        return {
            **inputs_json("compare", self.scenario),
            "side": self.side,
            "a": first.as_json(),
            "b": second.as_json(),
            "pairs": self.pairs,
            "most": self.most,
            "difference": self.difference,
            "difference95": list(self.difference95),
            "differing": {"a_better": better_a, "b_better": better_b},
            "variance_reduction": self.variance_reduction,
            "scores": self.scores.tolist(),
            "running": [[each.pairs, each.mean, *each.interval95] for each in self.running],
            "verdict": self.verdict,
            "test": {
                "delta": self.test.delta,
                "alpha": self.test.alpha,
                "beta": self.test.beta,
                "pairs": self.test.pairs,
                "differing": self.test.differing,
                "fewest": self.test.fewest,
            },
            **versions_json(self.scenario),
            "deterministic": self.deterministic,
            "interrupted": self.interrupted,
        }


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
    interrupted = interrupted and not series.is_over
    named = labels or (scenario.id, other.id)
    return Comparison(
        *both,
        named,
        side,
        most,
        series.scores,
        series.test,
        deterministic=series.deterministic,
        interrupted=interrupted,
        looks=series.looks,
    )


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
                place = pairs - done.pairs - 1
                self.looks.append(Moments(pairs, done.total + int(totals[place]), done.squares + int(squares[place])))
        if len(totals):
            pairs = done.pairs + len(totals)
            self.seen = Moments(pairs, done.total + int(totals[-1]), done.squares + int(squares[-1]))


def looking_places() -> Iterator[int]:
    """The numbers of pairs at which differences are recorded: 64, then each about 1.5 times the one before."""
    return (pairs for power in count_from(6) for pairs in (2**power, 3 * 2**power // 2))
