"""`sensitivity`: what one step more of each stat is worth, with the same dice throughout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from msgspec.structs import asdict

from fracas.content.document_edits import with_value
from fracas.content.validate import dotted, shown
from fracas.engine.battle import check_whole
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import Problem, UsageError
from fracas.errors.suggestions import listed, nearest
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.types import Best, Interval
from fracas.lab.simulation.scores import ScoreSample, with_document
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.studies.paired_battles import PairedRuns, paired_runs, scores_for_side
from fracas.lab.studies.sensitivity_result import Sensitivity, Skipped, StatEffect, Together
from fracas.rulesets.contract.analysis import WON, SideRef, Stat

MOST_IN_PAIRS = 40
# Scores of stats raised in pairs are in memory, a byte for each battle.
MOST_HELD = 10**9
MOST_COST = 1_000_000


def _named(stat: Stat) -> dict[str, Any]:
    return {"path": dotted(stat.path), "name": stat.name, "owner": stat.owner, "value": stat.value}


@DeferInterrupt()
def sensitivity(
    scenario: Scenario,
    n: int | None = None,
    *,
    side: int = 1,
    step: float = 1,
    costs: Mapping[str, float] | None = None,
    pairs: int = 0,
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Sensitivity:
    """Play n battles of a scenario, and again with each stat of a side raised by a step, always with the same dice.

    Stats that cannot be raised that far are skipped. `costs` has the cost of one more of each stat, by name; then the
    largest gain per point comes first. The best `pairs` stats are also raised two at a time. Ctrl-C ends with the
    complete stats.

    Raises:
        InputError: the ruleset lists no stats, or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    check_step(step)
    check_pairs(pairs, n)
    settings = paired_runs(n, side, threads, notice)
    stats = scenario.ruleset.analysis.stats(SideRef(scenario.document, side))
    prices = check_costs(costs or {}, [stat.name for stat in stats])
    settings = replace(settings, planned=settings.battles * (len(stats) + 1))
    base = settings.play(scenario)
    tried: list[tuple[StatEffect, Stat, float]] = []
    skipped: list[Skipped] = []
    interrupted = base.results.interrupted
    try:
        for done, stat in enumerate(() if interrupted else stats):
            if steps is not None:
                steps(done, len(stats), f"{stat.owner}: {stat.name}")
            value = raised(stat, step)
            reason = out_of_bounds(stat, value)
            if reason is not None:
                skipped.append(Skipped(**_named(stat), reason=reason))
                continue
            played = settings.play(with_document(scenario, with_value(scenario.document, stat.path, value)))
            if played.results.interrupted:
                interrupted = True
                break
            cost = abs(step) * prices.get(stat.name, 1.0)
            outcome = settings.outcome(base, played)
            low, high = outcome.gain95
            effect = StatEffect(
                **_named(stat),
                step=value - stat.value,
                cost=cost,
                per_point=outcome.gain / cost,
                per_point95=(low / cost, high / cost),
                **asdict(outcome),
            )
            tried.append((effect, stat, value))
    except KeyboardInterrupt:
        interrupted = True
    tried.sort(key=lambda each: -(each[0].per_point or 0.0))
    together: list[Together] = []
    if pairs and not interrupted:
        together, interrupted = _together(scenario, settings, base, tried[:pairs], steps)
    return Sensitivity(
        **facts_of(scenario),
        side=side,
        steps=step,
        base=settings.outcome(base, base),
        possible=len(stats),
        stats=[effect for effect, _, _ in tried],
        costs=prices,
        pairs=together,
        skipped=skipped,
        best=Best(len(tried)),
        interrupted=interrupted,
    )


def _together(
    scenario: Scenario,
    settings: PairedRuns,
    base: ScoreSample,
    tried: Sequence[tuple[StatEffect, Stat, float]],
    steps: Steps | None,
) -> tuple[list[Together], bool]:
    """All pairs of some stats, and whether Ctrl-C came before the last one."""
    found: list[Together] = []
    pairs = list(combinations(range(len(tried)), 2))
    try:
        alone: list[ScoreSample] = []
        for _, stat, value in tried:
            alone.append(settings.play(with_document(scenario, with_value(scenario.document, stat.path, value))))
            if alone[-1].results.interrupted:
                return found, True
        for done, (first, second) in enumerate(pairs):
            (first_effect, one, value), (second_effect, other, other_value) = tried[first], tried[second]
            if steps is not None:
                steps(done, len(pairs), f"{one.name} and {other.name}")
            document = with_value(with_value(scenario.document, one.path, value), other.path, other_value)
            both = settings.play(with_document(scenario, document))
            if both.results.interrupted:
                return found, True
            synergy, synergy95 = _synergy(settings.side, base, alone[first], alone[second], both)
            stats = (one, other)
            pair = Together(
                paths=[dotted(stat.path) for stat in stats],
                names=[stat.name for stat in stats],
                owners=[stat.owner for stat in stats],
                alone=(first_effect.gain, second_effect.gain),
                synergy=synergy,
                synergy95=synergy95,
                **asdict(settings.outcome(base, both)),
            )
            found.append(pair)
    except KeyboardInterrupt:
        return found, True
    finally:
        found.sort(key=lambda each: -each.gain)
    return found, False


def _synergy(
    side: int, base: ScoreSample, one: ScoreSample, other: ScoreSample, both: ScoreSample
) -> tuple[float, Interval]:
    """The gain of both beyond that of each alone, battle by battle with the same dice; in scores, from -2 to 2."""
    samples = (base, one, other, both)
    as_it_is, first, second, together = (scores_for_side(side, each.scores) for each in samples)
    values, times = np.unique(together - first - second + as_it_is, return_counts=True)
    counted = [(int(value) / WON, int(number)) for value, number in zip(values, times, strict=True)]
    total, count = sum(value * number for value, number in counted), sum(number for _, number in counted)
    mean = total / count if count else 0.0
    if all(each.results.deterministic for each in samples):
        return mean, (mean, mean)
    return mean, mean_interval(total, sum(value * value * number for value, number in counted), count, -2.0, 2.0)


def check_pairs(pairs: int, n: int | None) -> None:
    """Check how many stats to raise in pairs.

    Raises:
        InputError: it is neither 0 nor 2 to 40, or the scores of that many battles do not fit in memory.
    """
    if pairs or isinstance(pairs, bool):
        check_whole("--pairs", pairs, 2, MOST_IN_PAIRS)
        if isinstance(n, int) and n > MOST_HELD // pairs:
            raise UsageError.of(
                "--pairs", f"{n:,} battles of {pairs} stats are too many; at most {MOST_HELD // pairs:,}"
            )


def check_costs(costs: Mapping[str, Any], names: Sequence[str]) -> dict[str, float]:
    """Check the costs of stats.

    Raises:
        InputError: there is no such stat, or a cost is out of range.
    """
    problems: list[Problem] = []
    for name, cost in costs.items():
        where = f"--cost {name}"
        if name not in names:
            known = list(dict.fromkeys(names))
            problems.append(
                Problem(where, "there is no such stat", nearest(str(name), known) or f"write {listed(known)}")
            )
        elif isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 < cost <= MOST_COST:
            problems.append(Problem(where, f"{shown(cost)} is not a cost: above 0, at most {MOST_COST:,}"))
    if problems:
        raise UsageError(problems)
    return {name: float(cost) for name, cost in costs.items()}


def check_step(step: float) -> None:
    """Check the step of a sensitivity study.

    Raises:
        InputError: it is 0, not a number, or not finite.
    """
    if isinstance(step, bool) or not isinstance(step, int | float):
        raise UsageError.of("--step", f"{shown(step)} is not a number")
    if not 0 < abs(step) <= 1_000_000:
        raise UsageError.of("--step", f"{step:g} is out of range: up to 1,000,000 either way, and not 0")


def raised(stat: Stat, step: float) -> float:
    """A stat's value after this many of its steps; whole if possible."""
    value = stat.value + step * stat.step
    return int(value) if isinstance(stat.value, int) and value == int(value) else value


def out_of_bounds(stat: Stat, value: float) -> str | None:
    """Why a stat cannot have this value; None if it can."""
    if value > stat.most:
        return f"{stat.most:,} is the largest value allowed"
    if value < stat.least:
        return f"{stat.least:,} is the smallest value allowed"
    if isinstance(stat.value, int) and value != int(value):
        return "it takes whole numbers"
    return None
