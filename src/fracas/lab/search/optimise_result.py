"""The result of a search, and its settings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from fracas.engine.battle import check_whole
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.errors.suggestions import listed
from fracas.lab.presentation.documents import StudyResult
from fracas.lab.search.candidate_race import Candidate, Choices, Stage
from fracas.lab.search.final_test import ChangeEffect, FinalTest
from fracas.lab.search.local_search import Polish
from fracas.lab.simulation.statistic_rows import inputs_json, versions_json
from fracas.lab.statistics.sequential_test import DELTA
from fracas.lab.studies.compare import check_delta
from fracas.lab.studies.roster import Entrant
from fracas.rulesets.contract.analysis import Dimension
from fracas.rulesets.contract.types import Document

DEFAULT_TRIALS, MOST_TRIALS = 300, 100_000


# Half-widths of the stages in percentage points, and how many candidates survive each one but the last.
DEFAULT_STAGES, DEFAULT_KEEP = (1.0, 0.2, 0.05), (8, 3)


DEFAULT_BUDGET, MOST_BUDGET = 3_000_000, 10**10


MOST_PAIRS = 10**7


TOP = 5


@dataclass(frozen=True)
class SearchSettings:
    """How long to search, and how precisely."""

    trials: int = DEFAULT_TRIALS
    """Candidates of the first stage; a search space with no more than these is tried completely."""
    stages: tuple[float, ...] = DEFAULT_STAGES
    """Half-width of each stage, in percentage points."""
    keep: tuple[int, ...] = DEFAULT_KEEP
    """The most candidates that survive each stage but the last."""
    budget: int = DEFAULT_BUDGET
    """Battles of all stages and of the local search; the final test comes on top."""
    pairs: int = 50_000
    """Pairs of unused battles in the final test, over all opponents that count; more while the test is undecided."""
    delta: float = DELTA
    """The smallest difference that the final test looks for; see `compare`."""

    def check(self) -> None:
        """Check that all settings are in range.

        Raises:
            InputError: everything that is out of range.
        """
        check_whole("--trials", self.trials, 1, MOST_TRIALS)
        check_whole("--budget", self.budget, 1, MOST_BUDGET)
        check_whole("--pairs", self.pairs, 1, MOST_PAIRS)
        check_delta(self.delta)
        if not self.stages:
            raise UsageError.of("--stages", "there must be at least one")
        for wanted in self.stages:
            if not 0 < wanted <= 50:
                raise UsageError.of("--stages", f"{wanted:g} is out of range: above 0, at most 50 percentage points")
        if any(later >= earlier for earlier, later in pairwise(self.stages)):
            raise UsageError.of("--stages", f"{shown_stages(self.stages)} do not become smaller")
        if len(self.keep) != len(self.stages) - 1:
            count = len(self.stages) - 1
            raise UsageError.of("--keep", f"has {len(self.keep)} numbers; {count + 1} stages need {count}")
        for kept in self.keep:
            check_whole("--keep", kept, 1, MOST_TRIALS)


def shown_stages(stages: Iterable[float]) -> str:
    """Half-widths as they are typed."""
    return ", ".join(f"{wanted:g}%" for wanted in stages)


@dataclass(frozen=True, eq=False, repr=False)
class Optimised(StudyResult):
    """What a search found, and how certain it is."""

    scenario: Scenario
    """The given scenario."""
    side: int
    part: str
    search_seed: str
    knobs: tuple[Dimension, ...]
    enumerated: bool
    """True if all combinations were tried."""
    opponents: tuple[Entrant, ...]
    held_out: tuple[Entrant, ...]
    """Opponents that the search never met."""
    stages: tuple[Stage, ...]
    leaders: tuple[Candidate, ...]
    """The best candidates that are left, the best first."""
    best: Candidate
    document: Document
    """The best candidate's resolved document."""
    final: FinalTest | None
    """How it does on unused battles; None if it is the given scenario, or Ctrl-C came first."""
    worths: tuple[ChangeEffect, ...]
    """What each change is worth in those battles."""
    interrupted: bool
    """True if Ctrl-C ended the search early; the result is then the best so far."""
    polish: Polish | None = None
    """What the local search did; None if all combinations were tried, or Ctrl-C came first."""

    @property
    def combinations(self) -> int:
        """How many combinations of values the search space has."""
        return combinations(self.knobs)

    @property
    def changes(self) -> list[tuple[Dimension, int]]:
        """The dimensions in which the best candidate differs, and the index of its value in each."""
        return changes_of(self.knobs, self.best.choices)

    @property
    def is_better(self) -> bool:
        """Whether the sequential test finds the best candidate better than the given scenario."""
        return self.final is not None and self.final.is_better

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas optimise --format json` prints."""
        worths = {worth.dimension.name: worth for worth in self.worths}
        return {
            **inputs_json("optimise", self.scenario),
            "side": self.side,
            "part": self.part,
            "search_seed": self.search_seed,
            "knobs": len(self.knobs),
            "combinations": self.combinations,
            "enumerated": self.enumerated,
            "opponents": [opponent.name for opponent in self.opponents],
            "held_out": [opponent.name for opponent in self.held_out],
            "stages": [_stage_json(stage) for stage in self.stages],
            "polish": None if self.polish is None else _polish_json(self.polish),
            "changes": [
                _change_json(dimension, place, worths.get(dimension.name)) for dimension, place in self.changes
            ],
            "leaders": [_leader_json(each, self.knobs) for each in self.leaders[:TOP]],
            "final": None if self.final is None else self.final.as_json(),
            "better": self.is_better,
            "document": self.document,
            **versions_json(self.scenario),
            "interrupted": self.interrupted,
        }

    def __repr__(self) -> str:
        changed = listed([dimension.name for dimension, _ in self.changes]) or "nothing"
        return f"<Optimised {self.scenario.id!r}: {self.part} of side {self.side}, changed {changed}>"


def _stage_json(stage: Stage) -> dict[str, Any]:
    return {
        "half_width": stage.wanted,
        "reached": stage.reached,
        "candidates": stage.candidates,
        "survivors": stage.survivors,
        "battles": stage.battles,
        "cut": stage.is_cut,
    }


def _polish_json(polish: Polish) -> dict[str, Any]:
    return {
        "turns": polish.turns,
        "taken": polish.taken,
        "restarts": polish.restarts,
        "battles": polish.battles,
        "cut": polish.is_cut,
    }


def _change_json(dimension: Dimension, place: int, worth: ChangeEffect | None) -> dict[str, Any]:
    measured = {} if worth is None else {"worth": worth.gain, "worth95": list(worth.gain95)}
    return {
        "knob": dimension.name,
        "path": ".".join(dimension.path),
        "from": dimension.labels[dimension.current],
        "to": dimension.labels[place],
        "value": dimension.values[place],
        **measured,
    }


def _leader_json(candidate: Candidate, dimensions: Sequence[Dimension]) -> dict[str, Any]:
    return {
        "share": candidate.share,
        "interval95": list(candidate.interval95),
        "streams": candidate.streams,
        "changes": {
            dimension.name: dimension.labels[place] for dimension, place in changes_of(dimensions, candidate.choices)
        },
    }


def combinations(dimensions: Sequence[Dimension]) -> int:
    """How many combinations of values some dimensions have."""
    return math.prod(len(dimension.values) for dimension in dimensions)


def changes_of(dimensions: Sequence[Dimension], choices: Choices) -> list[tuple[Dimension, int]]:
    """The dimensions whose value differs from the given one, with the new value's index."""
    return [
        (dimension, place) for dimension, place in zip(dimensions, choices, strict=True) if place != dimension.current
    ]
