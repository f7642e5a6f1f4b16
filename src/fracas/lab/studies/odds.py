"""`odds`: each side's chances in a battle, and its expected losses.

The chances are exact if the battle's possible courses fit a budget of states (state_enumeration.py). Otherwise the
decided part stays exact and only the undecided rest is simulated, from its waiting states (undecided_states.py). If
almost nothing is decided, whole battles are simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

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
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, check_amounts, simulate
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.statistics.intervals import wilson_interval
from fracas.lab.studies.odds_result import Chance, Enumerated, Odds, RoundCounts, SideOdds

# The odds already contain the ruleset's table of endings.
SAID_ALREADY = "endings"
EXACT, SIMULATION = "exact", "simulation"
# Battles are played on from undecided states if at least this share is decided.
LEAST_DECIDED = 0.01


def chance_of(
    count: int,
    of: int,
    *,
    is_certain: bool = False,
    bounds: tuple[float, float] | None = None,
    decided: float = 0.0,
    counted: float = 1.0,
) -> Chance:
    """A chance counted in battles, with its 95% Wilson interval cut to certain bounds.

    An enumeration may have decided a part of the chance before; `counted` is the rest, which the battles stand for. If
    interval and bounds do not overlap, the bounds are the interval.
    """
    least, most = bounds or (0.0, 1.0)
    mean = decided + counted * (count / of) if of else 0.0
    share = min(max(mean, least), most) if of else 0.0
    if is_certain:
        return Chance(share=share, interval95=(share, mean), bounds=bounds)
    low, high = (decided + counted * end for end in wilson_interval(count, of))
    fits = low <= most and high >= least
    return Chance(share=share, interval95=(max(low, least), min(high, most)) if fits else (least, most), bounds=bounds)


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
    undecided = enumeration.undecided
    if undecided is None or enumeration.resolved_mass < LEAST_DECIDED * ONE:
        return odds_of(played(None), enumeration)
    whole = odds_of(played(None), enumeration)
    if whole.interrupted or whole.results is None:
        return whole
    return _completed(whole, enumeration, undecided.play_on(whole.results.battles, scenario.seed))


def odds_of(results: Results, enumeration: Enumeration | None = None) -> Odds:
    """The odds of a simulated scenario; `enumeration` is the attempt at exact odds before it."""
    names, battles = results.loaded.ruleset.reasons, results.battles

    def chance(count: int, winner: int, reason: str | None = None) -> Chance:
        bounds = None
        if enumeration is not None and enumeration.resolved_mass:
            decided = _weight(enumeration, winner, None if reason is None else names.index(reason))
            bounds = (
                max(0.0, decided / ONE - enumeration.error),
                min(1.0, (decided + ONE - enumeration.resolved_mass) / ONE + enumeration.error),
            )
        return chance_of(count, battles, is_certain=results.deterministic, bounds=bounds)

    drawn = {each.reason: each.draws for each in results.endings if each.draws}
    if enumeration is not None:
        drawn |= {
            names[reason]: drawn.get(names[reason], 0) for winner, reason, _ in enumeration.endings if winner == 0
        }
    return Odds(
        **facts_of(results.loaded),
        method=SIMULATION,
        sides=_sides(results.names, chance(results.wins[0], 1), chance(results.wins[1], 2)),
        draws={reason: chance(drawn[reason], 0, reason) for reason in names if reason in drawn},
        reasons={each.reason: each.share for each in results.endings},
        rounds=RoundCounts(mean=results.rounds.mean, min=results.rounds.min, max=results.rounds.max),
        deterministic=results.deterministic,
        interrupted=results.interrupted,
        exact=_enumerated(enumeration),
        **_beside(results),
    )


def _completed(whole: Odds, enumeration: Enumeration, endings: Counter[Ending]) -> Odds:
    """A battle's odds from the decided part and from battles played on from the undecided states.

    All other statistics come from whole battles.
    """
    names, battles = enumeration.scenario.ruleset.reasons, endings.total()
    undecided = (ONE - enumeration.resolved_mass) / ONE

    def count(winner: int, reason: int | None = None) -> int:
        return sum(times for (won, why, _), times in endings.items() if won == winner and reason in (None, why))

    def chance(winner: int, reason: int | None = None) -> Chance:
        decided = _weight(enumeration, winner, reason) / ONE
        bounds = max(0.0, decided - enumeration.error), min(1.0, decided + undecided + enumeration.error)
        return chance_of(count(winner, reason), battles, bounds=bounds, decided=decided, counted=undecided)

    met = sorted({(winner, reason) for winner, reason, _ in (*enumeration.endings, *endings)})
    reasons: dict[str, float] = {}
    for winner, reason in met:
        reasons[names[reason]] = reasons.get(names[reason], 0.0) + chance(winner, reason).share
    rounds = [rounds for _, _, rounds in (*enumeration.endings, *endings)]
    decided = sum(length * weight for (_, _, length), weight in enumeration.endings.items()) / ONE
    rest = sum(length * times for (_, _, length), times in endings.items()) / battles
    return replace(
        whole,
        sides=_sides(whole.names, chance(1), chance(2)),
        draws={names[reason]: chance(0, reason) for winner, reason in met if winner == 0},
        reasons=reasons,
        rounds=RoundCounts(
            mean=decided + undecided * rest, min=min(whole.rounds.min, *rounds), max=max(whole.rounds.max, *rounds)
        ),
        exact=_enumerated(enumeration, battles),
    )


def _weight(enumeration: Enumeration, winner: int, reason: int | None = None) -> int:
    """The weight of the decided courses that a side wins (0: nobody), for one reason or for any."""
    return sum(
        weight for (won, why, _), weight in enumeration.endings.items() if won == winner and reason in (None, why)
    )


def _sides(names: tuple[str, str], first: Chance, second: Chance) -> tuple[SideOdds, SideOdds]:
    return SideOdds(name=names[0], win=first, loss=second), SideOdds(name=names[1], win=second, loss=first)


def _enumerated(enumeration: Enumeration | None, played_on: int = 0) -> Enumerated | None:
    if enumeration is None:
        return None
    return Enumerated(
        states=enumeration.states,
        budget=enumeration.budget,
        steps=enumeration.steps,
        ways=enumeration.transitions,
        work=enumeration.work,
        decided=enumeration.resolved_mass / ONE,
        error=enumeration.error,
        stopped=enumeration.stopped or None,
        played_on=played_on,
    )


def _beside(results: Results | None) -> dict[str, Any]:
    """What odds say of simulated battles besides chances; they contain the ruleset's table of endings already."""
    if results is None:
        return {}
    return {
        "battles": results.battles,
        "statistics": {name: rows for name, rows in results.statistics.items() if name != SAID_ALREADY},
        "titles": results.titles,
        "results": results,
    }


def _exact_odds(enumeration: Enumeration, played: Callable[[int | None], Results]) -> Odds:
    """The odds of a fully enumerated battle, with statistics of simulated battles."""
    scenario = enumeration.scenario
    undecided = ONE - enumeration.resolved_mass

    def chance(*wanted: int, reason: int | None = None) -> Chance:
        weight = sum(_weight(enumeration, winner, reason) for winner in wanted)
        return Chance(share=weight / ONE, interval95=(weight / ONE, (weight + undecided) / ONE))

    names = scenario.ruleset.reasons
    reasons = sorted({reason for _, reason, _ in enumeration.endings})
    drawn = sorted({reason for winner, reason, _ in enumeration.endings if winner == 0})
    counts = {rounds for _, _, rounds in enumeration.endings} or {0}
    total = sum(rounds * weight for (_, _, rounds), weight in enumeration.endings.items())
    results = None
    if not enumeration.interrupted and scenario.ruleset.measures(scenario.compiled, scenario.document):
        results = played(None)
    facts = facts_of(scenario)
    return Odds(
        **facts,
        method=EXACT,
        sides=_sides(facts["names"], chance(1), chance(2)),
        draws={names[reason]: chance(0, reason=reason) for reason in drawn},
        reasons={names[reason]: chance(0, 1, 2, reason=reason).share for reason in reasons},
        rounds=RoundCounts(mean=total / (enumeration.resolved_mass or ONE), min=min(counts), max=max(counts)),
        deterministic=enumeration.is_certain,
        interrupted=enumeration.interrupted or (results is not None and results.interrupted),
        exact=_enumerated(enumeration),
        **_beside(results),
    )
