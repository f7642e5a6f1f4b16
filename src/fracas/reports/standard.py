"""What a report plays itself: for each scenario a simulation, for two a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fracas.errors import InputError
from fracas.lab.compare import compare
from fracas.lab.contributions import with_contributions
from fracas.lab.notebook import Shown
from fracas.lab.simulate import simulate
from fracas.replay.play import Notice
from fracas.reports.inputs import ToPlay

# What is done, of how many, and what comes next.
Steps = Callable[[int, int, str], None]


@dataclass(frozen=True)
class How:
    """How the battles of a report are played."""

    n: int | None = None
    threads: Any = None
    notice: Notice | None = None


@dataclass(frozen=True)
class Step:
    """One result to make: its command, what it is made of, and how."""

    command: str
    about: str
    make: Callable[[], Shown]


def standard(scenarios: Sequence[ToPlay], how: How) -> list[Step]:
    """What is played for these scenarios, in the order of the page."""
    return list(_steps(scenarios, how))


def _steps(scenarios: Sequence[ToPlay], how: How) -> Iterator[Step]:
    if len(scenarios) == 2:
        first, second = (each.scenario for each in scenarios)
        if first.ruleset.name == second.ruleset.name and first.fingerprint != second.fingerprint:
            labels = _labels(scenarios)
            yield Step(
                "compare",
                f"{labels[0]} against {labels[1]}",
                lambda: compare(first, second, how.n, labels=labels, threads=how.threads, notice=how.notice),
            )
    for each in scenarios:
        scenario = each.scenario
        yield Step("simulate", scenario.id, lambda scenario=scenario: _simulated(scenario, how))


def _simulated(scenario: Any, how: How) -> Shown:
    results = simulate(scenario, how.n, threads=how.threads, notice=how.notice)
    return with_contributions(results, None, how.notice)


def _labels(scenarios: Sequence[ToPlay]) -> tuple[str, str]:
    """What the two are called: their ids, or the names of their files if these are the same."""
    first, second = scenarios
    if first.scenario.id != second.scenario.id:
        return first.scenario.id, second.scenario.id
    return first.name, second.name


def not_available(step: Step, error: InputError) -> str:
    """Why a part of the standard set is not on the page."""
    return f"{step.command} of {step.about}: {error}."
