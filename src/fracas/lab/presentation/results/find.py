"""Presents `fracas lab find`: the first battle whose result meets a condition."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.types import Column, Count, Kind, Label, Table, short


class Outcome(msgspec.Struct):
    """How the battle ended."""

    winner: int
    reason: Label
    rounds: Count
    hp_left: tuple[int, int]
    units_left: tuple[int, int]


class FindDocument(OfScenario, kw_only=True):
    """The document that `fracas lab find --format json` prints."""

    condition: Label
    start: Count
    searched: Count
    stream: Count | None
    outcome: Outcome | None

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"A battle of {self.scenario} in which {self.wanted}"

    @property
    def wanted(self) -> str:
        """The condition as part of a sentence."""
        return short(self.condition)

    def findings(self) -> Sequence[str]:
        """Which battle it is, or that there is none."""
        if self.stream is None:
            return (f"None of {self.searched:,} battles of {self.scenario} is one in which {self.wanted}.",)
        rest = f"the first of {self.searched:,} checked" if self.searched > 1 else "the first of all"
        return (f"Battle {self.stream:,} of {self.scenario} is one in which {self.wanted}, {rest}.",)

    def shown_tables(self) -> Sequence[Table]:
        """How the battle ended."""
        if self.outcome is None:
            return []
        columns = (
            Column("side", "side"),
            Column("won", "won", Kind.FLAG),
            Column("hp_left", "HP left", Kind.WHOLE),
            Column("units_left", "units left", Kind.WHOLE),
        )
        rows = tuple(
            (name, self.outcome.winner == side, self.outcome.hp_left[side - 1], self.outcome.units_left[side - 1])
            for side, name in enumerate(self.names, 1)
        )
        ended = f"{self.outcome.reason.replace('_', ' ')} after {self.outcome.rounds:,} rounds"
        return [Table("outcome", f"How battle {self.stream or 0:,} ended: {ended}.", columns, rows)]
