"""The studies that jobs do: what is wrong with a request, what it costs at most, and how it is played.

A request is planned twice: when it is asked for, to check and price it, and in the job's process, to play it. Studies
are those of the lab with the commands' defaults, so results are what the commands print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Any

from fracas.api.arguments import with_python_names
from fracas.engine.battle import check_stream, check_whole, play_battle
from fracas.engine.overrides import parse_override
from fracas.engine.scenario import Scenario
from fracas.engine.untrusted import load_untrusted, refuse_oversize
from fracas.errors import InputError, Problem, UsageError
from fracas.lab.exact.state_enumeration import DEFAULT_BUDGET, MOST_BUDGET
from fracas.lab.execution.checks import check_side, run_checks
from fracas.lab.execution.executor import Executor
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.explain.why import (
    CLOSE_CHANGES,
    CLOSE_CHOICES,
    CLOSE_DECISIONS,
    DEFAULT_BRANCHES,
    FIRST_SHARE,
    LEAST_BRANCHES,
    LEAST_STREAMS,
    MOST_BRANCHES,
    MOST_CHANGES,
    SCREENED_PER_BRANCH,
    why,
)
from fracas.lab.presentation.documents import document_of
from fracas.lab.presentation.notebook import Document
from fracas.lab.search.ask_tell import AskTellOptimizer
from fracas.lab.search.final_test import PATIENCE, WORTH_PAIRS
from fracas.lab.search.optimise import combinations, dimensions_of, optimise
from fracas.lab.search.optimise_result import SearchSettings
from fracas.lab.simulation.contributions import DEFAULT_LOGGED
from fracas.lab.simulation.export import RunOptions, check_run, simulate_run
from fracas.lab.simulation.simulate import DEFAULT_BATTLES, MOST_BATTLES, check_amounts
from fracas.lab.statistics.intervals import Z95
from fracas.lab.studies.compare import DEFAULT_PAIRS, check_comparison, compare, labels_of
from fracas.lab.studies.matchup_cells import ORDERS
from fracas.lab.studies.matchups import all_pairings, matchups
from fracas.lab.studies.odds import find_odds
from fracas.lab.studies.overrides import with_overrides
from fracas.lab.studies.paired_battles import paired_runs
from fracas.lab.studies.roster import Entrant, entrants_of_sources, roster_of_entrants, set_against
from fracas.lab.studies.sensitivity import check_costs, check_pairs, check_step, sensitivity
from fracas.lab.studies.sweep import axes_of, check_axes, check_each, size_of, sweep
from fracas.reports.build import build
from fracas.reports.default_analyses import FIRST_BATTLES, MOST_EXPLAINED, MOST_FOLLOWED
from fracas.rulesets.contract.analysis import SideRef

# More values, and rosters of more, are checked in the job's process, before its first battle.
MOST_CHECKED_HERE = 50
ROSTER_CHECKED_HERE = 8


@dataclass(frozen=True)
class Playing:
    """What plays a study, and whom it tells how far it is."""

    executor: Executor
    steps: Steps


@dataclass(frozen=True)
class Plan:
    """A request that was checked: what it costs at most, and how to play it."""

    title: str
    scenario: Scenario | None
    """Whose ruleset the price is of; None if nothing is played."""
    play: Callable[[Playing], Any]
    battles: int
    """Battles that only count, which the executor counts when they are played."""
    rollouts: int = 0
    """Battles that only count, which the executor does not see."""
    logged: int = 0
    """Battles with their events."""
    loads: int = 1
    """Scenarios that are compiled."""
    states: int = 0
    """States of an enumeration."""

    @property
    def whole(self) -> int:
        """All battles."""
        return self.battles + self.rollouts + self.logged


def plan_of(kind: str, request: Mapping[str, Any], games: Sequence[str]) -> Plan:
    """Check a request and plan it.

    Args:
        kind: the study.
        request: what was asked, with every option.
        games: the installed games that this server plays.

    Raises:
        InputError: everything that is wrong with it.
    """
    return _PLANS[kind](games=games, **request)


# --- Scenarios ------------------------------------------------------------------------------------------------------


def _loaded(key: str, document: Any, seed: str | None, games: Sequence[str]) -> Scenario:
    """A scenario of a request; its problems name the key of the request.

    Raises:
        InputError: everything that is wrong with it.
    """
    try:
        return load_untrusted(document, seed=seed, games=games)
    except InputError as error:
        raise InputError([_at(problem, key) for problem in error.problems]) from None


def _at(problem: Problem, key: str) -> Problem:
    head, colon, rest = problem.where.partition(":")
    return replace(problem, where=f"{key}{colon}{rest}" if head == "scenario" else problem.where)


def _with_scenario(
    checks: Sequence[Callable[[], Any]], document: Any, seed: str | None, games: Sequence[str]
) -> Scenario:
    """Load a scenario and run checks that do not need it, and raise all problems together."""
    found: list[Scenario] = []
    run_checks(lambda: found.append(_loaded("scenario", document, seed, games)), *checks)
    return found[0]


def _enough_for(precision: float) -> int:
    """Battles after which a 95% half-width is surely reached, in percentage points."""
    return min(MOST_BATTLES, ceil((Z95 / (precision / 100)) ** 2 / 4) + LOOK_EVERY)


def _told(playing: Playing, name: str) -> Callable[[Any, int], None]:
    """A callback for a tally."""
    return lambda tally, total: playing.steps(tally.battles, total, name)


# --- Studies --------------------------------------------------------------------------------------------------------


@with_python_names
def _simulate(
    games: Sequence[str], scenario: Any, *, seed: Any, n: Any, precision: Any, contributions: Any, timeline: Any,
    start: Any,
) -> Plan:  # fmt: skip
    asked: RunOptions = {
        "precision": precision, "contributions": contributions, "timeline": timeline, "start": start,
    }  # fmt: skip
    loaded = _with_scenario([partial(check_run, n, 1, None, **asked)], scenario, seed, games)
    amount = _enough_for(precision) if precision is not None else n or DEFAULT_BATTLES

    def play(playing: Playing) -> Document:
        return simulate_run(
            loaded, n, threads=playing.executor, progress=lambda tally, _: playing.steps(tally.battles, amount, ""),
            logging_progress=lambda done, of: playing.steps(amount, amount, f"battles with events: {done} of {of}"),
            **asked,
        )  # fmt: skip

    logged = (DEFAULT_LOGGED if contributions is None else contributions) + timeline
    return Plan(loaded.id, loaded, play, amount, logged=logged)


@with_python_names
def _compare(
    games: Sequence[str], scenario: Any, *, seed: Any, other: Any, b_set: Any, side: Any, delta: Any, all: Any, n: Any
) -> Plan:
    first = _with_scenario([partial(check_comparison, n, side, delta, 1)], scenario, seed, games)
    changes = [parse_override(text, "b_set") for text in b_set]
    if other is None and not changes:
        raise InputError.of("other", "is missing, so there is nothing to compare A with", "add other or b_set")
    second = first if other is None else _loaded("other", other, seed, games)
    if changes:
        second = with_overrides(second, changes)
    labels = labels_of(first, second, b_set, is_other=other is not None)
    pairs = n or DEFAULT_PAIRS

    def play(playing: Playing) -> Document:
        return compare(
            first, second, n, side=side, delta=delta, stop=not all, labels=labels, threads=playing.executor,
            steps=playing.steps,
        )  # fmt: skip

    return Plan(labels[1] if other is None else f"{first.id}, {second.id}", first, play, 2 * pairs, loads=2)


@with_python_names
def _odds(
    games: Sequence[str], scenario: Any, *, seed: Any, n: Any, precision: Any, budget: Any, simulate: Any
) -> Plan:
    def check_budget() -> None:
        if budget is not None:
            check_whole("budget", budget, 1, MOST_BUDGET)
            if simulate or n is not None or precision is not None:
                raise UsageError.of("budget", "is for exact odds; n, precision and simulate ask for a simulation")

    loaded = _with_scenario([partial(check_amounts, n, precision, 1), check_budget], scenario, seed, games)
    is_simulated = simulate or n is not None or precision is not None
    amount = _enough_for(precision) if precision is not None else n or DEFAULT_BATTLES
    states = 0 if is_simulated else budget or DEFAULT_BUDGET

    def play(playing: Playing) -> Document:
        return find_odds(
            loaded, n, precision=precision, budget=budget, simulated=simulate, threads=playing.executor,
            progress=_told(playing, "battles"),
            watch=lambda enumeration: playing.steps(enumeration.states, enumeration.budget, "states"),
        )  # fmt: skip

    # What an enumeration leaves undecided is played on as many times again.
    return Plan(loaded.id, loaded, play, amount, rollouts=0 if is_simulated else amount, states=states)


@with_python_names
def _sweep(games: Sequence[str], scenario: Any, *, seed: Any, ranges: Any, side: Any, n: Any) -> Plan:
    loaded = _with_scenario([partial(paired_runs, n, side, 1)], scenario, seed, games)
    axes = axes_of(ranges, *loaded.documents)
    check_axes(axes)
    if sum(len(axis.values) for axis in axes) <= MOST_CHECKED_HERE:
        check_each(loaded, axes)
    points = size_of(axes)

    def play(playing: Playing) -> Document:
        return sweep(loaded, axes, n, side=side, threads=playing.executor, steps=playing.steps)

    # Each point is compiled to be checked, and again to be played.
    return Plan(loaded.id, loaded, play, (points + 1) * (n or DEFAULT_BATTLES), loads=2 * points + 1)


@with_python_names
def _sensitivity(
    games: Sequence[str], scenario: Any, *, seed: Any, side: Any, step: Any, costs: Any, pairs: Any, n: Any
) -> Plan:
    checks: list[Callable[[], Any]] = [
        partial(check_step, step),
        partial(check_pairs, pairs, n),
        partial(paired_runs, n, side, 1),
    ]
    loaded = _with_scenario(checks, scenario, seed, games)
    stats = loaded.ruleset.analysis.stats(SideRef(loaded.document, side))
    check_costs(costs, [stat.name for stat in stats])
    # As the command reads it: a whole number where it is one.
    whole = int(step) if step == int(step) else step

    def play(playing: Playing) -> Document:
        return sensitivity(
            loaded, n, side=side, step=whole, costs=costs, pairs=pairs, threads=playing.executor, steps=playing.steps
        )

    runs = 1 + len(stats) + pairs + pairs * (pairs - 1) // 2
    return Plan(loaded.id, loaded, play, runs * (n or DEFAULT_BATTLES), loads=runs)


def _entrants(key: str, given: Any, seed: str | None, games: Sequence[str]) -> list[Entrant]:
    sources = [(each["scenario"], each["side"]) for each in given]
    return entrants_of_sources(key, sources, lambda document: load_untrusted(document, seed=seed, games=games))


@with_python_names
def _matchups(games: Sequence[str], entrants: Any, *, against: Any, seed: Any, n: Any, precision: Any) -> Plan:
    found: list[list[Entrant]] = []

    def load() -> None:
        run_checks(
            lambda: found.append(_entrants("entrants", entrants, seed, games)),
            lambda: found.append(_entrants("against", against, seed, games)),
        )

    def check() -> None:
        check_amounts(n, precision, 1)
        if n is not None and n % ORDERS:
            raise UsageError.of("n", f"{n:,} is odd, but half of a cell's battles are played in each order")

    run_checks(load, check)
    rows, columns = found
    roster = set_against(rows, columns, seed) if columns else roster_of_entrants(rows, seed)
    if len(roster.entrants) <= ROSTER_CHECKED_HERE:
        all_pairings(roster)
    each = 2 * _enough_for(precision) if precision is not None else n or DEFAULT_BATTLES
    pairs = len(roster.pairs)

    def play(playing: Playing) -> Document:
        return matchups(roster, n, precision=precision, threads=playing.executor, steps=playing.steps)

    title = f"{len(roster.entrants)} entrants of {roster.rules.ruleset.name}"
    return Plan(title, roster.rules, play, pairs * each, loads=len(roster.entrants) + 2 * pairs)


@with_python_names
def _optimise(
    games: Sequence[str], scenario: Any, *, seed: Any, side: Any, part: Any, against: Any, held_out: Any,
    search_seed: Any, trials: Any, stages: Any, keep: Any, budget: Any, pairs: Any,
) -> Plan:  # fmt: skip
    settings = SearchSettings.given(trials=trials, stages=stages, keep=keep, budget=budget, pairs=pairs)
    others: dict[str, list[Entrant]] = {}

    def load(key: str, given: Any) -> None:
        others[key] = _entrants(key, given, None, games)

    checks: list[Callable[[], Any]] = [settings.check, partial(check_side, side)]
    checks += [partial(load, "against", against), partial(load, "held_out", held_out)]
    loaded = _with_scenario(checks, scenario, seed, games)
    _, dimensions = dimensions_of(loaded, side, part, ())
    if combinations(dimensions) > settings.trials:
        # What is not installed is told now.
        AskTellOptimizer(dimensions[:1], "")

    def play(playing: Playing) -> Document:
        return optimise(
            loaded, side=side, part=part, against=others["against"], held_out=others["held_out"],
            search_seed=search_seed, settings=settings, threads=playing.executor, steps=playing.steps,
        )  # fmt: skip

    met = max(1, len(others["against"])) + len(others["held_out"])
    counting = len(others["held_out"]) or met
    each = -(-settings.pairs // counting)
    tested = 2 * each * (met + (PATIENCE - 1) * counting)
    # Each change is undone alone.
    worths = len(dimensions) * counting * min(PATIENCE * each, -(-WORTH_PAIRS // counting))
    loads = met * (settings.trials + 2 * sum(len(dimension.values) for dimension in dimensions))
    return Plan(loaded.id, loaded, play, settings.budget + tested + worths, loads=loads)


@with_python_names
def _why(games: Sequence[str], scenario: Any, *, seed: Any, stream: Any, n: Any, part: Any) -> Plan:
    branches = DEFAULT_BRANCHES if n is None else n
    checks = [
        partial(check_stream, stream, "stream"),
        partial(check_whole, "n", branches, LEAST_BRANCHES, MOST_BRANCHES),
    ]
    loaded = _with_scenario(checks, scenario, seed, games)
    lab = loaded.ruleset.analysis
    if part is not None and part not in lab.parts:
        lab.check_part(part)

    def play(playing: Playing) -> Document:
        return why(loaded, stream, branches, part=part, threads=playing.executor.local_threads, steps=playing.steps)

    rollouts, loads = _rollouts(loaded, stream, branches, part)
    return Plan(f"{loaded.id}, battle {stream}", loaded, play, 0, rollouts=rollouts, logged=3, loads=loads)


def _rollouts(scenario: Scenario, stream: int, n: int, part: str | None) -> tuple[int, int]:
    """The most rollouts that an explanation plays, and how many changes it compiles; the battle is played for it."""
    lab = scenario.ruleset.analysis
    battle = play_battle(scenario, stream)
    points = lab.decision_points(scenario.compiled, scenario.document, stream)
    choices = [len(point.decision.choices) for point in points if point.decision is not None]
    wanted, tried = part or next(iter(lab.parts), ""), 0
    sides = (3 - battle.winner,) if battle.winner else (1, 2)
    for side in sides:
        try:
            space = lab.search_space(SideRef(scenario.document, side), ())
        except InputError:
            continue
        values = sum(len(each.values) - 1 for each in space if not wanted or each.part == wanted)
        tried += min(values, MOST_CHANGES)

    def first(options: int) -> int:
        screened = min(n // FIRST_SHARE, SCREENED_PER_BRANCH * n // max(options, 1))
        return min(max(LEAST_STREAMS, screened), n // 2)

    options = sum(choices)
    # Every round on all streams; every decision where chance chose, and its turn in the turning point.
    rollouts = n * (len(points) - len(choices) + 3 * len(choices)) + first(options) * (options + len(choices))
    rollouts += 2 * CLOSE_DECISIONS * (CLOSE_CHOICES + 3) * n
    rollouts += first(tried) * (tried + len(sides)) + len(sides) * (CLOSE_CHANGES + 4) * n
    return rollouts, 1 + tried


@with_python_names
def _report(games: Sequence[str], sources: Any, *, seed: Any, n: Any, side: Any, stream: Any, battles: Any) -> Plan:
    found: list[Scenario | Document] = []

    def read(number: int, source: Any) -> None:
        key = f"sources[{number}]"
        if "command" in source or "ruleset" not in source:
            refuse_oversize(source)
            found.append(document_of(source, key))
        else:
            found.append(_loaded(key, source, seed, games))

    checks: list[Callable[[], Any]] = [partial(check_amounts, n, None, 1), partial(check_side, side)]
    checks += [partial(check_stream, stream, "stream")] if stream is not None else []
    checks += [_check_report_library]
    run_checks(*checks, *(partial(read, number, source) for number, source in enumerate(sources)))
    if not found:
        raise UsageError.of("sources", "is empty", "name scenarios, or results")
    scenarios = [each for each in found if isinstance(each, Scenario)]
    amount, plays, rollouts, loads = n or DEFAULT_BATTLES, 0, 0, 1 + len(scenarios)
    for each in scenarios:
        plays += amount
        if len(scenarios) <= MOST_EXPLAINED:
            # A ruleset may have neither; the page says so.
            with suppress(InputError):
                branches = max(LEAST_BRANCHES, min(DEFAULT_BRANCHES, amount))
                explained, changes = _rollouts(each, stream or 0, branches, None)
                # Another battle may be explained, which may last longer.
                rollouts, loads = rollouts + 2 * explained, loads + changes
            with suppress(InputError):
                stats = max(len(each.ruleset.analysis.stats(SideRef(each.document, of))) for of in (1, 2))
                plays, loads = plays + (stats + 1) * amount, loads + stats
    if len(scenarios) == MOST_EXPLAINED:
        plays += 2 * amount

    def play(playing: Playing) -> Any:
        return build(
            found, n=n, side=side, stream=stream, battles=battles, threads=playing.executor, steps=playing.steps,
            command="a report of a Fracas server",
        )  # fmt: skip

    names = [each.id if isinstance(each, Scenario) else f"{each.command} of {each.about}" for each in found]
    logged = len(scenarios) * (DEFAULT_LOGGED + MOST_FOLLOWED + FIRST_BATTLES)
    about = scenarios[0] if scenarios else None
    return Plan(", ".join(names)[:200], about, play, plays, rollouts, logged, loads)


def _check_report_library() -> None:
    from fracas.lab.presentation.data_frames import require_library

    require_library("altair", "vl_convert", "jinja2")


_PLANS: dict[str, Callable[..., Plan]] = {
    "simulate": _simulate,
    "compare": _compare,
    "odds": _odds,
    "sweep": _sweep,
    "sensitivity": _sensitivity,
    "matchups": _matchups,
    "optimise": _optimise,
    "why": _why,
    "report": _report,
}
