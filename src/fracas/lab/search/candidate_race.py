"""Candidates of a search: how they are measured against opponents, and which ones drop out early."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.search.optimise_result import Stage
from fracas.lab.simulation.scores import play_scores
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.studies.roster import Entrant
from fracas.rulesets.contract.analysis import WON, Dimension, SideRef
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Document, Rows

Choices = tuple[int, ...]
# Compiled battles of this many candidates are cached.
MOST_READY = 16
# A step plays about this many battles for any number of opponents, but at least this many against each.
LEAST_STREAMS = 64
# A step aims a little beyond what the one before showed to be necessary, at most at this multiple of its streams.
BEYOND, GROWTH = 1.02, 4


class SearchInterrupted(Exception):
    """Ctrl-C was pressed; everything measured before it is complete."""


@dataclass(eq=False)
class BattleBudget:
    """How many battles may still be played."""

    battles: int

    def spend(self, battles: int) -> None:
        """Deduct battles."""
        self.battles -= battles


@dataclass(eq=False)
class Candidate:
    """One value for each dimension, and the points it has scored so far."""

    choices: Choices
    points: Rows = field(default_factory=lambda: np.zeros(0, np.int32))
    """Half points per stream, summed over all opponents."""
    most: int = WON
    """The most half points that a stream can give."""
    is_certain: bool = False
    """Whether all battles against all opponents are free of luck."""

    @property
    def streams(self) -> int:
        """How many battles it has fought against each opponent."""
        return len(self.points)

    @property
    def share(self) -> float:
        """Its share of the points, 0 to 1."""
        return float(self.points.sum(dtype=np.int64)) / (self.most * self.streams) if self.streams else 0.0

    @property
    def interval95(self) -> tuple[float, float]:
        """The 95% interval of the share, computed over streams; a point if nothing depends on luck."""
        if self.is_certain and self.streams:
            return self.share, self.share
        return _interval(self.points.astype(np.int64), 0, self.most)

    @property
    def half_width(self) -> float:
        """Half the width of that interval."""
        low, high = self.interval95
        return (high - low) / 2

    def gain_over(self, other: Candidate) -> tuple[float, tuple[float, float]]:
        """How much larger its share is than another's on the streams that both played, with the 95% interval."""
        count = min(self.streams, other.streams)
        signed = self.points[:count].astype(np.int64) - other.points[:count]
        gain = float(signed.sum()) / (self.most * count) if count else 0.0
        if (self.is_certain and other.is_certain) or self is other:
            return gain, (gain, gain)
        return gain, _interval(signed, -self.most, self.most)

    def is_behind(self, other: Candidate) -> bool:
        """Whether another candidate is significantly better."""
        return self.gain_over(other)[1][1] < 0


def _interval(values: Rows, least: int, most: int) -> tuple[float, float]:
    """The interval of a mean of points, as shares of the maximum."""
    low, high = mean_interval(int(values.sum()), int((values * values).sum()), len(values), least, most)
    return low / most, high / most


class CandidateEvaluator:
    """Measures candidates: a side of a scenario, its dimensions, the opponents and the dice."""

    def __init__(
        self,
        given: Scenario,
        side: int,
        dimensions: Sequence[Dimension],
        opponents: Sequence[Entrant],
        *,
        threads: ExecutorOrThreads = None,
        notice: Notice | None = None,
        planned: int = 0,
    ) -> None:
        self.given = given
        self.side = side
        self.dimensions = dimensions
        self.opponents = opponents
        self.threads = threads
        self.notice = notice
        self.planned = planned
        self.battles = 0
        """How many battles it has played."""
        self.ready: dict[Choices, list[Scenario]] = {}
        self.refused: dict[Choices, bool] = {}
        self.plugins: dict[str, Plugin] = {
            plugin.name: plugin
            for scenario in (given, *(opponent.scenario for opponent in opponents))
            for plugin in scenario.compiled.plugins
        }
        lab, host = given.ruleset.analysis, SideRef(given.document, 1)
        # Opponents play under the rules of the given scenario.
        self.hosts = [
            None if is_own(given, side, each) or side == 1 else SideRef(lab.matchup(host, each.side_ref), 2)
            for each in opponents
        ]

    @property
    def present(self) -> Choices:
        """The choices of the given scenario."""
        return tuple(dimension.current for dimension in self.dimensions)

    def document(self, choices: Choices) -> Document:
        """The given scenario's document with these choices applied."""
        pairs = zip(self.dimensions, choices, strict=True)
        return self.given.ruleset.analysis.with_choices(
            self.given.document, [(dimension, place) for dimension, place in pairs if place != dimension.current]
        )

    def scenarios(self, choices: Choices) -> list[Scenario]:
        """The battles of a candidate, one against each opponent, all under the given scenario's seed."""
        if choices not in self.ready:
            own = self.document(choices)
            while len(self.ready) >= MOST_READY:
                del self.ready[next(iter(self.ready))]
            self.ready[choices] = [self._scenario(self._against(own, index)) for index in range(len(self.opponents))]
        return self.ready[choices]

    def _against(self, own: Document, index: int) -> Document:
        opponent, lab, host = self.opponents[index], self.given.ruleset.analysis, self.hosts[index]
        if is_own(self.given, self.side, opponent):
            return own
        if host is None:
            return lab.matchup(SideRef(own, 1), opponent.side_ref)
        return lab.matchup(host, SideRef(own, 2))

    def _scenario(self, document: Document) -> Scenario:
        ruleset = self.given.ruleset
        scenario = Scenario(ruleset, document, ruleset.compile(document, self.plugins))
        return scenario.with_seed(self.given.seed)

    def is_refused(self, choices: Choices) -> bool:
        """Whether the rules refuse a candidate, because two of its choices do not go together."""
        if choices not in self.refused:
            self.refused[choices] = self.given.ruleset.refuses(self.document(choices))
        return self.refused[choices]

    def candidate(self, choices: Choices) -> Candidate:
        """A candidate that has not played yet."""
        return Candidate(choices, most=WON * len(self.opponents))

    def play(self, scenario: Scenario, streams: int, start: int) -> tuple[Rows, bool]:
        """The side's half points in battles of one scenario, and whether all of them are free of luck.

        Raises:
            SearchInterrupted: Ctrl-C came.
        """
        taken = play_scores(
            scenario, streams, start=start, threads=self.threads, notice=self.notice, planned=max(self.planned, streams)
        )
        if taken.results.interrupted:
            raise SearchInterrupted
        self.battles += streams
        return taken.scores if self.side == 1 else WON - taken.scores, taken.results.deterministic

    def measure(self, candidate: Candidate, streams: int, battle_budget: BattleBudget) -> None:
        """Play a candidate until it has this many streams against every opponent.

        Raises:
            SearchInterrupted: Ctrl-C came.
        """
        start, count = candidate.streams, streams - candidate.streams
        if count <= 0:
            return
        points, are_certain = np.zeros(count, np.int32), []
        if self.is_refused(candidate.choices):
            # It loses every battle, without playing one.
            candidate.is_certain = True
            candidate.points = np.concatenate([candidate.points, points])
            return
        for scenario in self.scenarios(candidate.choices):
            scores, is_certain = self.play(scenario, count, start)
            points += scores
            are_certain.append(is_certain)
        candidate.is_certain = all(are_certain)
        candidate.points = np.concatenate([candidate.points, points])
        battle_budget.spend(count * len(self.opponents))


def is_own(given: Scenario, side: int, opponent: Entrant) -> bool:
    """Whether an opponent is the scenario's own other side."""
    return opponent.scenario is given and opponent.side == 3 - side


def next_look(candidate: Candidate, wanted: float) -> int:
    """How many streams a candidate needs for that half-width, limited to one step towards it."""
    opponents = candidate.most // WON
    step = max(LEAST_STREAMS, LOOK_EVERY // opponents)
    if not candidate.streams:
        return step
    needed = math.ceil(candidate.streams * (candidate.half_width / wanted) ** 2 * BEYOND)
    return min(needed + -needed % step, GROWTH * candidate.streams)


def evaluate_one(
    evaluator: CandidateEvaluator,
    candidate: Candidate,
    best: Candidate | None,
    wanted: float,
    battle_budget: BattleBudget,
) -> None:
    """Measure a candidate until its half-width is small enough, it is clearly behind the best, or the budget is spent.

    Raises:
        SearchInterrupted: Ctrl-C came.
    """
    while not candidate.streams or (candidate.half_width > wanted and battle_budget.battles > 0):
        if best is not None and candidate.streams and candidate.is_behind(best):
            return
        evaluator.measure(candidate, next_look(candidate, wanted), battle_budget)


def race(
    evaluator: CandidateEvaluator,
    candidates: Sequence[Candidate],
    wanted: float,
    keep: int,
    battle_budget: BattleBudget,
    steps: Callable[[Sequence[Candidate]], None],
) -> tuple[list[Candidate], Stage]:
    """Measure candidates side by side until all are precise enough; those clearly behind the best drop out.

    At most `keep` of them survive, the best first. A single survivor is not measured further.

    Raises:
        SearchInterrupted: Ctrl-C came.
    """
    alive, spent = ranked(candidates), evaluator.battles
    while len(alive) > 1 and battle_budget.battles > 0:
        open_ones = [each for each in alive if each.half_width > wanted]
        if not open_ones:
            break
        aim = max(next_look(each, wanted) for each in open_ones)
        # All survivors advance together, so that every two of them can be compared on the same streams.
        aim = min(
            aim,
            max(each.streams for each in alive)
            + max(1, battle_budget.battles // (len(alive) * len(evaluator.opponents))),
        )
        for each in alive:
            evaluator.measure(each, aim, battle_budget)
        alive = survivors(alive)
        steps(alive)
    # Before the rest is dropped: with `keep` = 1 the budget can run out too.
    is_cut = len(alive) > 1 and any(each.half_width > wanted for each in alive)
    alive = alive[:keep]
    reached = max(each.half_width for each in alive)
    return alive, Stage(wanted, reached, len(candidates), len(alive), evaluator.battles - spent, is_cut)


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates with the best first; ties go to the one found first."""
    return sorted(candidates, key=lambda each: -each.share)


def survivors(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates that are not clearly behind the best one, the best first."""
    best, *others = ranked(candidates)
    return [best, *(each for each in others if not each.is_behind(best))]
