"""The result of `matchups`: every pair's wins, and the ranking that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fracas.errors import UsageError
from fracas.lab.presentation.documents import StudyResult
from fracas.lab.studies.matchup_cells import Cell
from fracas.lab.studies.roster import Entrant, Roster
from fracas.lab.studies.standings import Analysis
from fracas.rulesets.shared.seeds import fingerprint

_NO_ANALYSIS = {"standings": None, "mix": None, "cycles": None}


@dataclass(frozen=True, eq=False, repr=False)
class Matchups(StudyResult):
    """A round robin, or some entrants against some others: the results of every pair and their analysis."""

    roster: Roster
    cells: tuple[Cell, ...]
    """Every pair once; after an interrupt the pairs that were played."""
    found_analysis: Analysis | None
    """The analysis; None if some pairs did not meet."""
    interrupted: bool
    """True if Ctrl-C ended it early; the cells present are complete."""
    seconds: float
    rows: tuple[RowScore, ...] = ()
    """If entrants play only some others: the total score of each, the best first."""

    @property
    def analysis(self) -> Analysis:
        """Ranks, ties, the mix and cycles.

        Raises:
            UsageError: some pairs did not meet, because it was interrupted or entrants played only some others.
        """
        if self.found_analysis is None:
            raise UsageError.of("analysis", "needs results of every pair", "without it there are `cells` and `rows`")
        return self.found_analysis

    @property
    def names(self) -> list[str]:
        """The entrants' names in their given order."""
        return [entrant.name for entrant in self.roster.entrants]

    @property
    def shares(self) -> list[list[float | None]]:
        """Each row entrant's share of the points against each column entrant; None against itself."""
        count = len(self.roster.entrants)
        matrix: list[list[float | None]] = [[None] * count for _ in range(count)]
        for cell in self.cells:
            matrix[cell.first][cell.second] = cell.share
            matrix[cell.second][cell.first] = 1 - cell.share
        return matrix

    @property
    def battles(self) -> int:
        """Battles of all cells together."""
        return sum(cell.battles for cell in self.cells)

    @property
    def half_width(self) -> float:
        """Half the width of the widest cell's interval, as a share."""
        return max((_half_width(cell) for cell in self.cells), default=0.0)

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas lab matchups --format json` prints."""
        rules, names = self.roster.rules, self.names
        entrants = [_entrant_json(entrant) for entrant in self.roster.entrants]
        return {
            "command": "matchups",
            "ruleset": rules.ruleset.name,
            "scenario": self.roster.id,
            "seed": self.roster.seed,
            "profile": rules.profile,
            "entrants": entrants,
            "battles": self.battles,
            "half_width": self.half_width,
            "shares": self.shares,
            "cells": [cell.as_json(names) for cell in self.cells],
            **(_NO_ANALYSIS if self.found_analysis is None else self.found_analysis.as_json(names)),
            **self._rows_json(names),
            "rules_version": rules.ruleset.rules_version,
            "content_fingerprint": fingerprint([entrant["content_fingerprint"] for entrant in entrants]),
            "interrupted": self.interrupted,
            "timing": {"seconds": round(self.seconds, 6)},
        }

    def _rows_json(self, names: Sequence[str]) -> dict[str, Any]:
        if not self.roster.across:
            return {}
        rows = [
            {"name": names[row.entrant], "entrant": row.entrant, "share": row.share, "interval95": list(row.interval95)}
            for row in self.rows
        ]
        return {"across": self.roster.across, "rows": rows}

    def __repr__(self) -> str:
        return f"<Matchups {self.roster.id!r}: {len(self.roster.entrants)} entrants, {self.battles:,} battles>"


def _entrant_json(entrant: Entrant) -> dict[str, Any]:
    scenario = entrant.scenario
    return {
        "name": entrant.name,
        "scenario": scenario.id,
        "side": entrant.side,
        "content_fingerprint": scenario.fingerprint,
    }


def _half_width(cell: Cell) -> float:
    low, high = cell.interval95
    return (high - low) / 2


@dataclass(frozen=True)
class RowScore:
    """An entrant's share of the points over all its opponents, with its interval."""

    entrant: int
    share: float
    interval95: tuple[float, float]
