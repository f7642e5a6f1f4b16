"""Presents `fracas lab ladder`: one build against every opponent, from both sides."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fracas.lab.presentation.chart_parts import Square, grid
from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.types import Chart, Column, Count, Interval, Kind, Label, Share, Table, Theme, sign_of
from fracas.lab.statistics.intervals import FEW_NOTE, has_few


class Seated(msgspec.Struct):
    """The results of a match-up with the build on one side."""

    battles: Count
    wins: Count
    losses: Count
    draws: Count
    share: Share
    interval95: Interval
    rounds_mean: float
    deterministic: bool = False


class Rung(msgspec.Struct):
    """One opponent."""

    kind: Label
    id: Label
    name: Label
    level: int | None
    as_1: Seated
    as_2: Seated

    @property
    def label(self) -> str:
        """The opponent's name and level."""
        return self.name if self.level is None else f"{self.name} {self.level}"

    @property
    def share(self) -> float:
        """The share of wins over both sides."""
        return (self.as_1.share + self.as_2.share) / 2


class LadderDocument(OfScenario, kw_only=True):
    """The document that `fracas lab ladder --format json` prints."""

    build: Label
    opponents: Count
    rungs: list[Rung]

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"{self.build} against everybody"

    def findings(self) -> Sequence[str]:
        """How many opponents the build beats, and which ones it does not."""
        beaten = [rung for rung in self.rungs if rung.as_1.share > 0.5 and rung.as_2.share > 0.5]
        whole = f"{self.build} beats {len(beaten)} of {len(self.rungs)} opponents more often than not from both sides."
        if self.interrupted:
            whole += f" There are {self.opponents}; the others were not fought."
        return (whole,)

    def shown_tables(self) -> Sequence[Table]:
        """A row for each opponent."""
        columns = (
            Column("opponent", "opponent"),
            Column("level", "level", Kind.WHOLE),
            Column("kind", "kind"),
            Column("as_1", "as side 1", Kind.SHARE),
            Column("as_1_low", "95% from", Kind.SHARE),
            Column("as_1_high", "to", Kind.SHARE),
            Column("as_2", "as side 2", Kind.SHARE),
            Column("as_2_low", "95% from", Kind.SHARE),
            Column("as_2_high", "to", Kind.SHARE),
            Column("rounds", "rounds", Kind.NUMBER),
        )
        rows = tuple(
            (
                rung.name, rung.level, rung.kind,
                rung.as_1.share, *rung.as_1.interval95, rung.as_2.share, *rung.as_2.interval95,
                (rung.as_1.rounds_mean + rung.as_2.rounds_mean) / 2,
            )
            for rung in self.rungs
        )  # fmt: skip
        caption = f"The share of battles that {self.build} wins from either side, with 95% Wilson intervals"
        seats = [seat for rung in self.rungs for seat in (rung.as_1, rung.as_2) if not seat.deterministic]
        caption += f"; {FEW_NOTE}." if any(has_few(seat.wins, seat.battles) for seat in seats) else "."
        signs = tuple(
            tuple(sign for seat in (rung.as_1, rung.as_2) for sign in (sign_of(seat.interval95), 0, 0))
            for rung in self.rungs
        )
        return [Table("rungs", caption, columns, rows, signs=tuple((0, 0, 0, *each, 0) for each in signs))]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """A square for each opponent and side."""
        squares = [
            Square(side, rung.label, seated.share)
            for rung in self.rungs
            for side, seated in (("as side 1", rung.as_1), ("as side 2", rung.as_2))
        ]
        chart = grid(squares, look, columns=2)
        caption = f"The share of battles that {self.build} wins: the stronger the colour, the clearer."
        return [Chart("ladder", "Who can be beaten", caption, chart)] if squares else []
