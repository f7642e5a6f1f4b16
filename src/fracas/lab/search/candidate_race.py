"""Candidates of a search: what they are, how they are measured against opponents, and who is dropped on the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.scores import play_scores
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.studies.roster import Entrant
from fracas.rulesets.contract.analysis import WON, Dimension, SideRef
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Document, Rows

Choices = tuple[int, ...]
# So many candidates' battles are kept ready.
MOST_READY = 16
# A look takes about as many battles however many opponents there are, but at least so many of each.
LEAST_STREAMS = 64
# A look aims a little beyond what the one before made necessary, and at most at so many times as much.
BEYOND, GROWTH = 1.02, 4


class SearchInterrupted(Exception):
    """Ctrl-C came; what was measured until then is whole."""


@dataclass(eq=False)
class BattleBudget:
    """How many battles may still be played."""

    battles: int

    def spend(self, battles: int) -> None:
        """Take battles out of it."""
        self.battles -= battles


@dataclass(eq=False)
class Candidate:
    """One way to turn all knobs, and its points so far."""

    choices: Choices
    points: Rows = field(default_factory=lambda: np.zeros(0, np.int32))
    """By stream the half points against all opponents together."""
    most: int = WON
    """What a stream can bring."""
    is_certain: bool = False
    """Whether no battle against any opponent depends on luck."""

    @property
    def streams(self) -> int:
        """How many battles each opponent has fought against it."""
        return len(self.points)

    @property
    def share(self) -> float:
        """Its share of the points, 0 to 1."""
        return float(self.points.sum(dtype=np.int64)) / (self.most * self.streams) if self.streams else 0.0

    @property
    def interval95(self) -> tuple[float, float]:
        """The 95% interval of the share, by streams; a point if nothing depends on luck."""
        if self.is_certain and self.streams:
            return self.share, self.share
        return _interval(self.points.astype(np.int64), 0, self.most)

    @property
    def half_width(self) -> float:
        """Half of that interval's width."""
        low, high = self.interval95
        return (high - low) / 2

    def gain_over(self, other: Candidate) -> tuple[float, tuple[float, float]]:
        """How much larger its share is than another's on the streams that both have, and the interval of that."""
        count = min(self.streams, other.streams)
        signed = self.points[:count].astype(np.int64) - other.points[:count]
        gain = float(signed.sum()) / (self.most * count) if count else 0.0
        if (self.is_certain and other.is_certain) or self is other:
            return gain, (gain, gain)
        return gain, _interval(signed, -self.most, self.most)

    def is_behind(self, other: Candidate) -> bool:
        """Whether another is surely better."""
        return self.gain_over(other)[1][1] < 0


def _interval(values: Rows, least: int, most: int) -> tuple[float, float]:
    """The interval of a mean of points as shares of the most."""
    low, high = mean_interval(int(values.sum()), int((values * values).sum()), len(values), least, most)
    return low / most, high / most


class CandidateEvaluator:
    """Where candidates are tried: a side of a scenario with knobs, opponents, and the dice."""

    def __init__(
        self,
        given: Scenario,
        side: int,
        knobs: Sequence[Dimension],
        opponents: Sequence[Entrant],
        *,
        threads: ExecutorOrThreads = None,
        notice: Notice | None = None,
        planned: int = 0,
    ) -> None:
        self.given = given
        self.side = side
        self.knobs = knobs
        self.opponents = opponents
        self.threads = threads
        self.notice = notice
        self.planned = planned
        self.battles = 0
        """How many battles have been played here."""
        self.ready: dict[Choices, list[Scenario]] = {}
        self.plugins: dict[str, Plugin] = {
            plugin.name: plugin
            for scenario in (given, *(opponent.scenario for opponent in opponents))
            for plugin in scenario.compiled.plugins
        }
        lab, host = given.ruleset.analysis, SideRef(given.document, 1)
        # The opponents sit down where the given scenario's rules hold.
        self.hosts = [
            None if is_own(given, side, each) or side == 1 else SideRef(lab.matchup(host, each.seat), 2)
            for each in opponents
        ]

    @property
    def present(self) -> Choices:
        """The choices that the given scenario makes."""
        return tuple(knob.current for knob in self.knobs)

    def document(self, choices: Choices) -> Document:
        """The given scenario's document with its knobs turned."""
        pairs = zip(self.knobs, choices, strict=True)
        return self.given.ruleset.analysis.with_choices(
            self.given.document, [(knob, place) for knob, place in pairs if place != knob.current]
        )

    def scenarios(self, choices: Choices) -> list[Scenario]:
        """The battles of a candidate, one against each opponent, all under the given scenario's seed."""
        if choices not in self.ready:
            own = self.document(choices)
            while len(self.ready) >= MOST_READY:
                del self.ready[next(iter(self.ready))]
            self.ready[choices] = [self._scenario(self._against(own, place)) for place in range(len(self.opponents))]
        return self.ready[choices]

    def _against(self, own: Document, place: int) -> Document:
        opponent, lab, host = self.opponents[place], self.given.ruleset.analysis, self.hosts[place]
        if is_own(self.given, self.side, opponent):
            return own
        if host is None:
            return lab.matchup(SideRef(own, 1), opponent.seat)
        return lab.matchup(host, SideRef(own, 2))

    def _scenario(self, document: Document) -> Scenario:
        ruleset = self.given.ruleset
        scenario = Scenario(ruleset, document, ruleset.compile(document, self.plugins))
        return scenario.with_seed(self.given.seed)

    def candidate(self, choices: Choices) -> Candidate:
        """A candidate that has not played yet."""
        return Candidate(choices, most=WON * len(self.opponents))

    def play(self, scenario: Scenario, streams: int, start: int) -> tuple[Rows, bool]:
        """The side's half points in battles of one scenario, and whether nothing in them depends on luck.

        Raises:
            Stopped: Ctrl-C came.
        """
        taken = play_scores(
            scenario, streams, start=start, threads=self.threads, notice=self.notice, planned=max(self.planned, streams)
        )
        if taken.results.interrupted:
            raise SearchInterrupted
        self.battles += streams
        return taken.scores if self.side == 1 else WON - taken.scores, taken.results.deterministic

    def measure(self, candidate: Candidate, streams: int, purse: BattleBudget) -> None:
        """Play a candidate up to so many streams against every opponent.

        Raises:
            Stopped: Ctrl-C came.
        """
        start, count = candidate.streams, streams - candidate.streams
        if count <= 0:
            return
        points, are_certain = np.zeros(count, np.int32), []
        for scenario in self.scenarios(candidate.choices):
            scores, is_certain = self.play(scenario, count, start)
            points += scores
            are_certain.append(is_certain)
        candidate.is_certain = all(are_certain)
        candidate.points = np.concatenate([candidate.points, points])
        purse.spend(count * len(self.opponents))


def is_own(given: Scenario, side: int, opponent: Entrant) -> bool:
    """Whether an opponent is simply the scenario's other side."""
    return opponent.scenario is given and opponent.side == 3 - side


def next_look(candidate: Candidate, wanted: float) -> int:
    """How many streams a candidate needs for that half-width, or at the next look on the way there."""
    opponents = candidate.most // WON
    step = max(LEAST_STREAMS, LOOK_EVERY // opponents)
    if not candidate.streams:
        return step
    needed = math.ceil(candidate.streams * (candidate.half_width / wanted) ** 2 * BEYOND)
    return min(needed + -needed % step, GROWTH * candidate.streams)


def evaluate_one(
    ground: CandidateEvaluator, candidate: Candidate, best: Candidate | None, wanted: float, purse: BattleBudget
) -> None:
    """Measure a candidate until its half-width is as wanted, it is surely behind the best, or nothing is left to spend.

    Raises:
        Stopped: Ctrl-C came.
    """
    while not candidate.streams or (candidate.half_width > wanted and purse.battles > 0):
        if best is not None and candidate.streams and candidate.is_behind(best):
            return
        ground.measure(candidate, next_look(candidate, wanted), purse)


@dataclass(frozen=True)
class Stage:
    """What one stage of the culling came to."""

    wanted: float
    """The half-width that was aimed at, as a share."""
    reached: float
    """The widest of those who survived."""
    candidates: int
    survivors: int
    battles: int
    is_cut: bool
    """True if the battles that may be played were used up first."""


def race(
    ground: CandidateEvaluator,
    candidates: Sequence[Candidate],
    wanted: float,
    keep: int,
    purse: BattleBudget,
    steps: Callable[[Sequence[Candidate]], None],
) -> tuple[list[Candidate], Stage]:
    """Measure candidates side by side until all are as precise as wanted; those surely behind the best drop out.

    At most `keep` of them survive, the best first. Who is alone needs no more measuring.

    Raises:
        Stopped: Ctrl-C came.
    """
    alive, spent = ranked(candidates), ground.battles
    while len(alive) > 1 and purse.battles > 0:
        open_ones = [each for each in alive if each.half_width > wanted]
        if not open_ones:
            break
        aim = max(next_look(each, wanted) for each in open_ones)
        # All that are alive go on together, so that they can be compared in every pair.
        aim = min(
            aim, max(each.streams for each in alive) + max(1, purse.battles // (len(alive) * len(ground.opponents)))
        )
        for each in alive:
            ground.measure(each, aim, purse)
        alive = survivors(alive)
        steps(alive)
    alive = alive[:keep]
    reached = max(each.half_width for each in alive)
    is_cut = len(alive) > 1 and reached > wanted
    return alive, Stage(wanted, reached, len(candidates), len(alive), ground.battles - spent, is_cut)


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best first; of equals the one that was found first."""
    return sorted(candidates, key=lambda each: -each.share)


def survivors(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best first, without those that are surely behind it."""
    best, *others = ranked(candidates)
    return [best, *(each for each in others if not each.is_behind(best))]
