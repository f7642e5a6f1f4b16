"""The standard analyses of a report.

Each scenario is simulated. With one or two scenarios, the report also explains a battle that the weaker side lost and
finds the stat that would help it most. Two scenarios are compared over all simulated battles, so that the page has one
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.lib.recfunctions import repack_fields

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.lab.execution.tally import Tally
from fracas.lab.execution.thread_executor import ExecutorOrThreads, local_threads
from fracas.lab.explain.why import DEFAULT_BRANCHES, LEAST_BRANCHES, why
from fracas.lab.explain.why_result import Why
from fracas.lab.presentation.notebook import Document, OfScenario
from fracas.lab.simulation.first_battles import with_contributions, with_timeline
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import DEFAULT_BATTLES, simulate
from fracas.lab.studies.compare import compare
from fracas.lab.studies.sensitivity import sensitivity
from fracas.reports.inputs import ToPlay
from fracas.rulesets.contract.types import Rows

# Work done, total work, and the name of the next step.
Steps = Callable[[int, int, str], None]
# The battle to explain is searched among this many, battles to watch among these.
FIRST_BATTLES = 200
MOST_SEARCHED = 10_000
# The timeline uses this many battles.
MOST_FOLLOWED = 1_000
# With more scenarios than this, they are only simulated.
MOST_EXPLAINED = 2


@dataclass(frozen=True)
class How:
    """Settings for the battles of a report."""

    n: int | None = None
    side: int = 1
    """The side whose score is compared."""
    stream: int | None = None
    """The battle to explain; by default the first that the weaker side loses."""
    content: Sequence[Path] = ()
    threads: ExecutorOrThreads = None
    notice: Notice | None = None
    steps: Steps | None = None
    """Told how far an analysis is."""

    @property
    def branches(self) -> int:
        """How many rollouts `why` plays from each round: not more than the battles of a scenario."""
        return max(LEAST_BRANCHES, min(DEFAULT_BRANCHES, self.n or DEFAULT_BATTLES))


@dataclass(frozen=True)
class Step:
    """One result to make: its command, its inputs and its name on the page."""

    command: str
    about: str
    make: Callable[[], Document]

    def document(self) -> Document:
        """The result's document."""
        result = self.make()
        if isinstance(result, OfScenario) and result.command != "compare":
            return msgspec.structs.replace(result, scenario=self.about)
        return result


class Subject:
    """A scenario of the report under its name there, simulated on first use."""

    def __init__(self, name: str, source: ToPlay, how: How) -> None:
        self.name = name
        self.scenario: Scenario = source.scenario
        self.how = how
        self.first: Rows | None = None
        """Winner, rounds and HP left of the first battles, once they are simulated."""
        self.explanation: Why | None = None

    @cached_property
    def results(self) -> Results:
        """The results of many battles, with contributions from some of them."""
        how, first = self.how, list[Rows]()

        def keep(start: int, rows: Rows) -> None:
            if start < MOST_SEARCHED:
                first.append(repack_fields(rows[["winner", "rounds", "hp_left"]][: MOST_SEARCHED - start]).copy())

        played = simulate(
            self.scenario, how.n, threads=how.threads, notice=how.notice, sink=keep, progress=self._tell_tally
        )
        self.first = np.concatenate(first) if first else None
        self.winners: list[int] = [] if self.first is None else self.first["winner"][:FIRST_BATTLES].tolist()
        found = with_contributions(played, None, how.notice, self._tell_logged)
        try:
            return with_timeline(found, MOST_FOLLOWED, how.notice, self._tell_logged)
        except InputError:
            return found

    def _tell_tally(self, tally: Tally, target: int) -> None:
        if self.how.steps is not None:
            self.how.steps(tally.battles, target, "battles")

    def _tell_logged(self, done: int, total: int) -> None:
        if self.how.steps is not None:
            self.how.steps(done, total, "battles with events")

    @property
    def weaker(self) -> int:
        """The side that wins less often, 1 or 2."""
        first, second = self.results.wins
        return 1 if first < second else 2

    def stream(self) -> int:
        """The battle to explain: the first that the weaker side loses, or else the very first."""
        if self.how.stream is not None:
            return self.how.stream
        winner = 3 - self.weaker
        return self.winners.index(winner) if winner in self.winners else 0

    def explained(self) -> Why:
        """The explanation of that battle."""
        how = self.how
        self.explanation = why(
            self.scenario, self.stream(), how.branches, content=how.content, threads=local_threads(how.threads),
            steps=how.steps, notice=how.notice,
        )  # fmt: skip
        return self.explanation

    def sensitive(self) -> Document:
        """What a step of each of the weaker side's stats is worth."""
        how = self.how
        return sensitivity(
            self.scenario, how.n, side=self.weaker, threads=how.threads, steps=how.steps, notice=how.notice
        )


def with_one_seed(scenarios: Sequence[ToPlay]) -> list[ToPlay]:
    """The same scenarios, where two that are compared share the first one's seed."""
    if len(scenarios) != 2 or not _are_compared(*(each.scenario for each in scenarios)):
        return list(scenarios)
    first, second = scenarios
    return [first, replace(second, scenario=second.scenario.with_seed(first.scenario.seed))]


def _are_compared(first: Scenario, second: Scenario) -> bool:
    return first.ruleset.name == second.ruleset.name and first.fingerprint != second.fingerprint


def subjects_of(scenarios: Sequence[ToPlay], how: How) -> list[Subject]:
    """These scenarios, named by their ids, or by their files if two share an id."""
    ids = [each.scenario.id for each in scenarios]
    names = ids if len(set(ids)) == len(ids) else [each.name for each in scenarios]
    return [Subject(name, each, how) for name, each in zip(names, scenarios, strict=True)]


def standard(subjects: Sequence[Subject], how: How) -> list[Step]:
    """The analyses of these scenarios."""
    return list(_steps(subjects, how))


def _steps(subjects: Sequence[Subject], how: How) -> Iterator[Step]:
    for each in subjects:
        yield Step("simulate", each.name, partial(getattr, each, "results"))
    if len(subjects) == 2:
        first, second = (each.scenario for each in subjects)
        if _are_compared(first, second):
            names = (subjects[0].name, subjects[1].name)
            ways: dict[str, Any] = {"side": how.side, "labels": names, "threads": how.threads}
            ways |= {"notice": how.notice, "steps": how.steps}
            pairs = how.n or DEFAULT_BATTLES
            about = f"{names[0]} against {names[1]}"
            yield Step("compare", about, partial(compare, first, second, pairs, stop=False, **ways))
    for each in subjects if len(subjects) <= MOST_EXPLAINED else ():
        yield Step("why", each.name, each.explained)
        yield Step("sensitivity", each.name, each.sensitive)


def not_available(step: Step, error: InputError) -> str:
    """Why an analysis is missing from the page."""
    return f"{step.command} of {step.about}: {error}."
