"""What a battle is worth before it is fought: each side's chances, and what it will cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fracas.lab.notebook import Shown
from fracas.lab.shown import statistic_json
from fracas.lab.simulate import Results
from fracas.lab.statistics import wilson_interval
from fracas.rulesets.measures import Statistic

# A ruleset's table of endings says what the odds say already.
SAID_ALREADY = "endings"


@dataclass(frozen=True)
class Chance:
    """How often something happened, of so many battles."""

    count: int
    of: int
    is_certain: bool = False

    @property
    def share(self) -> float:
        """The share, 0 to 1."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval95(self) -> tuple[float, float]:
        """Its 95 % Wilson interval; a point if nothing depends on luck."""
        return (self.share, self.share) if self.is_certain else wilson_interval(self.count, self.of)

    def as_json(self) -> dict[str, Any]:
        """The share with its interval."""
        return {"share": self.share, "interval95": list(self.interval95)}


@dataclass(frozen=True)
class SideOdds:
    """One side's chances."""

    name: str
    win: Chance
    loss: Chance


@dataclass(frozen=True)
class DrawOdds:
    """How often nobody wins for one reason, such as repelled."""

    reason: str
    chance: Chance


@dataclass(frozen=True)
class Odds(Shown):
    """A battle's odds, by simulation."""

    results: Results
    sides: tuple[SideOdds, SideOdds]
    draws: tuple[DrawOdds, ...]
    statistics: tuple[Statistic, ...]
    """What else the ruleset counts: losses, survivors."""

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas odds --format json` prints."""
        results = self.results
        return {
            "command": "odds",
            "ruleset": results.scenario.ruleset.name,
            "scenario": results.scenario.id,
            "seed": results.scenario.seed,
            "profile": results.scenario.profile,
            "method": "simulation",
            "battles": results.battles,
            "sides": [
                {"name": side.name, "win": side.win.as_json(), "loss": side.loss.as_json()} for side in self.sides
            ],
            "draws": {draw.reason: draw.chance.as_json() for draw in self.draws},
            "rounds": {"mean": results.rounds_mean, "min": results.rounds_min, "max": results.rounds_max},
            "rules_version": results.scenario.ruleset.rules_version,
            "content_fingerprint": results.scenario.fingerprint,
            "deterministic": results.deterministic,
            "interrupted": results.interrupted,
            "statistics": {entry.name: statistic_json(entry) for entry in self.statistics},
        }


def odds_of(results: Results) -> Odds:
    """The odds that many battles of a scenario show."""

    def chance(count: int) -> Chance:
        return Chance(count, results.battles, results.deterministic)

    first, second = (chance(wins) for wins in results.wins)
    names = results.scenario.ruleset.side_names(results.scenario.document)
    return Odds(
        results,
        (SideOdds(names[0], first, second), SideOdds(names[1], second, first)),
        tuple(DrawOdds(reason, chance(count)) for reason, count in results.draw_reasons.items()),
        tuple(entry for entry in results.statistic_tables() if entry.name != SAID_ALREADY),
    )
