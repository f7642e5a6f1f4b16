"""`ladder`: one build against every opponent of the content, from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.documents import StudyResult
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import check_amounts, simulate
from fracas.rulesets.contract.types import LadderRung

DEFAULT_BATTLES = 1_000


@dataclass(frozen=True)
class Rung:
    """One opponent and the battles against it: with the build as side 1, then as side 2."""

    match: LadderRung
    results: tuple[Results, Results]

    @property
    def wins(self) -> tuple[int, int]:
        """How many battles the build won as side 1 and as side 2."""
        return self.results[0].wins[0], self.results[1].wins[1]

    @property
    def shares(self) -> tuple[float, float]:
        """The build's share of wins as side 1 and as side 2."""
        return self.results[0].shares[0], self.results[1].shares[1]

    def as_json(self) -> dict[str, Any]:
        """The rung as plain values; shares and intervals are the build's."""
        match = self.match
        sides = {}
        for side, results in enumerate(self.results):
            sides[f"as_{side + 1}"] = {
                "battles": results.battles,
                "wins": results.wins[side],
                "losses": results.wins[1 - side],
                "draws": results.draws,
                "share": results.shares[side],
                "interval95": list(results.interval95[side]),
                "rounds_mean": results.rounds_mean,
                "deterministic": results.deterministic,
            }
        return {"kind": match.kind, "id": match.id, "name": match.name, "level": match.level, **sides}


@dataclass(repr=False)
class Ladder(StudyResult):
    """A build's results against every opponent."""

    scenario: Scenario
    """The scenario with the build, its options and its seed."""
    opponents: int
    """How many opponents there are."""
    rungs: list[Rung] = field(default_factory=list)
    """The opponents that were fought."""
    interrupted: bool = False
    """True if Ctrl-C ended it early; the rungs present are complete."""

    @property
    def name(self) -> str:
        """The build's name."""
        return self.scenario.ruleset.side_names(self.scenario.document)[0]

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas lab ladder --format json` prints."""
        scenario = self.scenario
        return {
            "command": "ladder",
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "seed": scenario.seed,
            "profile": scenario.profile,
            "build": self.name,
            "opponents": self.opponents,
            "rungs": [rung.as_json() for rung in self.rungs],
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "interrupted": self.interrupted,
        }


@dataclass(repr=False)
class Ladders(StudyResult):
    """Several builds' ladders, side by side."""

    ladders: Sequence[Ladder]

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas ladder A B … --format json` prints."""
        return {
            "command": "ladders",
            "ruleset": self.ladders[0].scenario.ruleset.name,
            "ladders": [each.as_json() for each in self.ladders],
            "interrupted": any(each.interrupted for each in self.ladders),
        }


@DeferInterrupt()
def run_ladder(
    scenario: Scenario,
    n: int | None = None,
    *,
    content: Sequence[Path] = (),
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Ladder:
    """Play side 1 of a scenario against every opponent, n battles from each side; a single one if luck plays no part.

    Streams start at 0 in each match-up. Ctrl-C ends with the complete rungs.

    Raises:
        InputError: the ruleset has no opponents, or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, None, threads)
    matches = scenario.ruleset.ladder(scenario.document, content)
    battles = n or DEFAULT_BATTLES
    planned = 2 * len(matches) * battles
    found = Ladder(scenario, len(matches))
    try:
        for done, match in enumerate(matches):
            if steps is not None:
                steps(done, len(matches), match.name)
            first, second = (
                simulate(with_document(scenario, document), battles, threads=threads, notice=notice, planned=planned)
                for document in match.documents
            )
            if first.interrupted or second.interrupted:
                found.interrupted = True
                break
            found.rungs.append(Rung(match, (first, second)))
    except KeyboardInterrupt:
        found.interrupted = True
    return found
