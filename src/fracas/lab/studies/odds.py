"""`odds`: each side's chances in a battle, and its expected losses.

The chances are exact if the battle's possible courses fit a budget of states (state_enumeration.py). Otherwise the
decided part stays exact and only the undecided rest is simulated, from its waiting states (undecided_states.py). If
almost nothing is decided, whole battles are simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.lab.exact.state_enumeration import (
    DEFAULT_BUDGET,
    MOST_BUDGET,
    ONE,
    Enumeration,
    Watch,
    enumerate_states,
)
from fracas.lab.exact.undecided_states import Ending
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.documents import StudyResult
from fracas.lab.presentation.notebook import Document
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, check_amounts, simulate
from fracas.lab.simulation.statistic_rows import statistic_json
from fracas.lab.statistics.intervals import wilson_interval
from fracas.rulesets.contract.measures import Statistic

# The odds already contain the ruleset's table of endings.
SAID_ALREADY = "endings"
EXACT, SIMULATION = "exact", "simulation"
# Battles are played on from undecided states if at least this share is decided.
LEAST_DECIDED = 0.01


@dataclass(frozen=True)
class Chance:
    """How often something happened in a number of battles, or its weight among all courses of a battle."""

    count: int
    of: int
    is_certain: bool = False
    """True if it is not an estimate."""
    open: int = 0
    """The part of the weight that is still undecided."""
    bounds: tuple[float, float] | None = None
    """Certain bounds of the true chance from enumeration; None without one."""
    decided: float = 0.0
    """The part of the chance that enumeration decided before any battles were simulated."""
    counted: float = 1.0
    """The chance that the simulated battles stand for: all of it, or the undecided part."""

    @property
    def share(self) -> float:
        """The share, 0 to 1; an estimate outside of the bounds is moved to the nearer bound."""
        low, high = self.bounds or (0.0, 1.0)
        return min(max(self._of_all(self.count / self.of), low), high) if self.of else 0.0

    def _of_all(self, share: float) -> float:
        """The total chance, given the share among simulated battles."""
        return self.decided + self.counted * share

    @property
    def interval95(self) -> tuple[float, float]:
        """Its 95% Wilson interval, cut to the bounds; the bounds themselves if the two do not overlap.

        A point if the chance is exact; without simulated battles everything that is still possible.
        """
        if self.is_certain:
            return self.share, (self.count + self.open) / self.of if self.of else 0.0
        low, high = map(self._of_all, wilson_interval(self.count, self.of))
        least, most = self.bounds or (0.0, 1.0)
        return (max(low, least), min(high, most)) if low <= most and high >= least else (least, most)

    def as_json(self) -> dict[str, Any]:
        """The share with its interval, and its certain bounds if known."""
        known = {} if self.bounds is None else {"bounds": list(self.bounds)}
        return {"share": self.share, "interval95": list(self.interval95), **known}


@dataclass(frozen=True)
class SideOdds:
    """One side's chances."""

    name: str
    win: Chance
    loss: Chance


@dataclass(frozen=True)
class DrawOdds:
    """How often nobody wins for a given reason, such as repelled."""

    reason: str
    chance: Chance


@dataclass(frozen=True, repr=False)
class Odds(StudyResult):
    """A battle's odds, exact or simulated."""

    scenario: Scenario
    method: str
    """`exact` or `simulation`."""
    sides: tuple[SideOdds, SideOdds]
    draws: tuple[DrawOdds, ...]
    reasons: dict[str, float]
    """The share of each reason, in the ruleset's words."""
    rounds: tuple[float, int, int]
    """Rounds: the mean, the shortest and the longest battle."""
    deterministic: bool
    """True if nothing depends on luck."""
    interrupted: bool
    ways: Enumeration | None = None
    """How far the battle was enumerated; None if that was not tried."""
    results: Results | None = None
    """Simulated battles, for the odds or for the statistics beside them."""
    statistics: tuple[Statistic, ...] = ()
    """The ruleset's other statistics of simulated battles: losses, survivors."""
    played_on: int = 0
    """How many battles were played on from undecided states for the odds; 0 if whole battles were played."""

    @property
    def decided(self) -> float:
        """The share of all courses that was followed to its end, 0 to 1; the rest is the distance of the bounds."""
        return self.ways.resolved_mass / ONE if self.ways is not None else 0.0

    @property
    def error(self) -> float:
        """How far an exact chance may be off; 0 for a simulation, which has intervals."""
        return self.ways.error if self.ways is not None and self.method == EXACT else 0.0

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas odds --format json` prints."""
        scenario, enumeration, results = self.scenario, self.ways, self.results
        mean, shortest, longest = self.rounds
        return {
            "command": "odds",
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "seed": scenario.seed,
            "profile": scenario.profile,
            "method": self.method,
            "battles": results.battles if results is not None else 0,
            "sides": [
                {"name": side.name, "win": side.win.as_json(), "loss": side.loss.as_json()} for side in self.sides
            ],
            "draws": {draw.reason: draw.chance.as_json() for draw in self.draws},
            "reasons": self.reasons,
            "rounds": {"mean": mean, "min": shortest, "max": longest},
            "exact": None if enumeration is None else {**enumeration.as_json(), "played_on": self.played_on},
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "deterministic": self.deterministic,
            "interrupted": self.interrupted,
            "statistics": {entry.name: statistic_json(entry) for entry in self.statistics},
        }

    def to_document(self) -> Document:
        """The result's document, with the names of its statistics."""
        titles = {entry.name: entry.title for entry in self.statistics}
        return msgspec.structs.replace(super().to_document(), titles=titles)

    def __repr__(self) -> str:
        shares = " / ".join(f"{side.win.share:.2%}" for side in self.sides)
        return f"<Odds {self.scenario.id!r}, {self.method}: {shares}>"


@DeferInterrupt()
def find_odds(
    scenario: Scenario,
    n: int | None = None,
    *,
    precision: float | None = None,
    budget: int | None = None,
    simulated: bool = False,
    threads: ExecutorOrThreads = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    notice: Notice | None = None,
) -> Odds:
    """Find a battle's odds: exactly if they fit a budget of states, otherwise by simulation.

    If the budget runs out, the decided part stays exact and only the rest is simulated; all chances lie within bounds.
    `n`, `precision` and `simulated` ask for a simulation. Without a `budget` a hopeless attempt ends early.

    Raises:
        InputError: amounts out of range, a budget together with a simulation, or a plug-in that does not compile.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, precision, threads)
    if budget is not None:
        check_whole("--budget", budget, 1, MOST_BUDGET)
        if simulated or n is not None or precision is not None:
            raise UsageError.of("--budget", "is for exact odds; -n, --precision and --simulate ask for a simulation")

    def played(amount: int | None) -> Results:
        return simulate(scenario, amount, precision=precision, threads=threads, progress=progress, notice=notice)

    if simulated or n is not None or precision is not None:
        return odds_of(played(n))
    enumeration = enumerate_states(
        scenario, budget or DEFAULT_BUDGET, hurried=budget is None, watch=watch, notice=notice
    )
    if enumeration.is_complete or enumeration.interrupted:
        return _exact_odds(enumeration, played)
    undecided, enumeration.undecided = enumeration.undecided, None
    if undecided is None or enumeration.resolved_mass < LEAST_DECIDED * ONE:
        return odds_of(played(None), enumeration)
    whole = odds_of(played(None), enumeration)
    if whole.interrupted or whole.results is None:
        return whole
    return _completed(whole, enumeration, undecided.play_on(whole.results.battles, scenario.seed))


def odds_of(results: Results, enumeration: Enumeration | None = None) -> Odds:
    """The odds of a simulated scenario; `ways` is the attempt at exact odds before it."""
    names = results.scenario.ruleset.reasons

    def chance(count: int, winner: int, reason: str | None = None) -> Chance:
        bounds = None
        if enumeration is not None and enumeration.resolved_mass:
            decided = _weight(enumeration, winner, None if reason is None else names.index(reason))
            bounds = (
                max(0.0, decided / ONE - enumeration.error),
                min(1.0, (decided + ONE - enumeration.resolved_mass) / ONE + enumeration.error),
            )
        return Chance(count, results.battles, results.deterministic, bounds=bounds)

    drawn = dict(results.draw_reasons)
    if enumeration is not None:
        drawn |= {
            names[reason]: drawn.get(names[reason], 0) for winner, reason, _ in enumeration.endings if winner == 0
        }
    return Odds(
        results.scenario,
        SIMULATION,
        _sides(results.scenario, chance(results.wins[0], 1), chance(results.wins[1], 2)),
        tuple(DrawOdds(reason, chance(drawn[reason], 0, reason)) for reason in names if reason in drawn),
        {reason: count / results.battles for reason, count in results.reasons.items()},
        (results.rounds_mean, results.rounds_min, results.rounds_max),
        results.deterministic,
        results.interrupted,
        enumeration,
        results,
        _statistics(results),
    )


def _completed(whole: Odds, enumeration: Enumeration, endings: Counter[Ending]) -> Odds:
    """A battle's odds from the decided part and from battles played on from the undecided states.

    All other statistics come from whole battles.
    """
    names, battles = whole.scenario.ruleset.reasons, endings.total()
    undecided = (ONE - enumeration.resolved_mass) / ONE

    def count(winner: int, reason: int | None = None) -> int:
        return sum(times for (won, why, _), times in endings.items() if won == winner and reason in (None, why))

    def chance(winner: int, reason: int | None = None) -> Chance:
        decided = _weight(enumeration, winner, reason) / ONE
        bounds = max(0.0, decided - enumeration.error), min(1.0, decided + undecided + enumeration.error)
        return Chance(count(winner, reason), battles, bounds=bounds, decided=decided, counted=undecided)

    met = sorted({(winner, reason) for winner, reason, _ in (*enumeration.endings, *endings)})
    reasons: dict[str, float] = {}
    for winner, reason in met:
        reasons[names[reason]] = reasons.get(names[reason], 0.0) + chance(winner, reason).share
    rounds = [rounds for _, _, rounds in (*enumeration.endings, *endings)]
    decided = sum(length * weight for (_, _, length), weight in enumeration.endings.items()) / ONE
    rest = sum(length * times for (_, _, length), times in endings.items()) / battles
    _, shortest, longest = whole.rounds
    return replace(
        whole,
        sides=_sides(whole.scenario, chance(1), chance(2)),
        draws=tuple(DrawOdds(names[reason], chance(0, reason)) for winner, reason in met if winner == 0),
        reasons=reasons,
        rounds=(decided + undecided * rest, min(shortest, *rounds), max(longest, *rounds)),
        played_on=battles,
    )


def _weight(enumeration: Enumeration, winner: int, reason: int | None = None) -> int:
    """The weight of the decided courses that a side wins (0: nobody), for one reason or for any."""
    return sum(
        weight for (won, why, _), weight in enumeration.endings.items() if won == winner and reason in (None, why)
    )


def _sides(scenario: Scenario, first: Chance, second: Chance) -> tuple[SideOdds, SideOdds]:
    names = scenario.ruleset.side_names(scenario.document)
    return SideOdds(names[0], first, second), SideOdds(names[1], second, first)


def _statistics(results: Results) -> tuple[Statistic, ...]:
    return tuple(entry for entry in results.statistic_tables() if entry.name != SAID_ALREADY)


def _exact_odds(enumeration: Enumeration, played: Callable[[int | None], Results]) -> Odds:
    """The odds of a fully enumerated battle, with statistics of simulated battles."""
    scenario = enumeration.scenario
    undecided = ONE - enumeration.resolved_mass

    def chance(*wanted: int, reason: int | None = None) -> Chance:
        weight = sum(_weight(enumeration, winner, reason) for winner in wanted)
        return Chance(weight, ONE, is_certain=True, open=undecided)

    names = scenario.ruleset.reasons
    reasons = sorted({reason for _, reason, _ in enumeration.endings})
    drawn = sorted({reason for winner, reason, _ in enumeration.endings if winner == 0})
    counts = {rounds for _, _, rounds in enumeration.endings} or {0}
    total = sum(rounds * weight for (_, _, rounds), weight in enumeration.endings.items())
    results = None
    if not enumeration.interrupted and scenario.ruleset.measures(scenario.compiled, scenario.document):
        results = played(None)
    return Odds(
        scenario,
        EXACT,
        _sides(scenario, chance(1), chance(2)),
        tuple(DrawOdds(names[reason], chance(0, reason=reason)) for reason in drawn),
        {names[reason]: chance(0, 1, 2, reason=reason).share for reason in reasons},
        (total / (enumeration.resolved_mass or ONE), min(counts), max(counts)),
        enumeration.is_certain,
        enumeration.interrupted or (results is not None and results.interrupted),
        enumeration,
        results,
        _statistics(results) if results is not None else (),
    )
