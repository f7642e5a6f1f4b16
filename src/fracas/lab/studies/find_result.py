"""The result of `fracas lab find`: the first battle whose result meets a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.types import CellKind, Column, Count, Label, Table, short


class BattleEnd(msgspec.Struct, kw_only=True):
    """How the battle ended."""

    winner: int
    """1, 2, or 0 for a draw."""
    reason: Label
    rounds: Count
    hp_left: tuple[int, int]
    units_left: tuple[int, int]
    digest: Label | None = None


class Found(OfScenario, kw_only=True, eq=False):
    """The first battle that meets the condition, if there is one."""

    command: str = "find"
    condition: Label
    start: Count
    """The number of the first battle checked."""
    limit: Count = 0
    """The most battles to check."""
    searched: Count
    """How many battles were checked, including the one found."""
    stream: Count | None
    """The battle's number; None if no battle meets the condition."""
    outcome: BattleEnd | None
    """How the battle ended."""
    deterministic: bool = False
    """True if nothing depends on luck: one battle was checked and stands for all."""
    battle: Any = msgspec.field(default=None, name="_battle")
    """In Python: the battle, played again with its events."""

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
        end = self.outcome
        if end is None:
            return []
        columns = (
            Column("side", "side"),
            Column("won", "won", CellKind.FLAG),
            Column("hp_left", "HP left", CellKind.WHOLE),
            Column("units_left", "units left", CellKind.WHOLE),
        )
        rows = tuple(
            (name, end.winner == side, end.hp_left[side - 1], end.units_left[side - 1])
            for side, name in enumerate(self.names, 1)
        )
        ended = f"{end.reason.replace('_', ' ')} after {end.rounds:,} rounds"
        return [Table("outcome", f"How battle {self.stream or 0:,} ended: {ended}.", columns, rows)]
