"""The results of `fracas lab ladder`: one build against every opponent from both sides, or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import Square, grid
from fracas.lab.presentation.notebook import Document, OfScenario
from fracas.lab.presentation.types import (
    IN_A_CELL,
    CellKind,
    Chart,
    Column,
    Count,
    Interval,
    Label,
    Share,
    Table,
    Theme,
    interval_columns,
    per_cent,
    short,
    sign_of,
)
from fracas.lab.statistics.intervals import FEW_NOTE, has_few

# A page has no room for more builds than this as columns.
MOST_BUILDS = 20


class SideRecord(msgspec.Struct, kw_only=True):
    """The build's battles against an opponent from one side; shares and the 95% interval are the build's."""

    battles: Count
    wins: Count
    losses: Count
    draws: Count
    share: Share
    interval95: Interval
    rounds_mean: float
    deterministic: bool = False


class Rung(msgspec.Struct, kw_only=True):
    """One opponent and the battles against it: with the build as side 1, then as side 2."""

    kind: Label
    id: Label
    name: Label
    level: int | None
    as_1: SideRecord
    as_2: SideRecord
    results: Any = msgspec.field(default=None, name="_results")
    """In Python: the whole results from both sides, of the type that `simulate` returns."""

    @property
    def label(self) -> str:
        """The opponent's name and level."""
        return self.name if self.level is None else f"{self.name} {self.level}"

    @property
    def wins(self) -> tuple[int, int]:
        """How many battles the build won as side 1 and as side 2."""
        return self.as_1.wins, self.as_2.wins

    @property
    def shares(self) -> tuple[float, float]:
        """The build's share of wins as side 1 and as side 2."""
        return self.as_1.share, self.as_2.share

    @property
    def share(self) -> float:
        """The share of wins over both sides."""
        return sum(self.shares) / 2

    @property
    def key(self) -> tuple[str, str, int | None]:
        """What tells the opponent from others."""
        return self.kind, self.id, self.level


class Ladder(OfScenario, kw_only=True, eq=False):
    """A build's results against every opponent."""

    command: str = "ladder"
    # The build and its opponents have names of their own.
    names: tuple[Label, Label] = msgspec.field(default=("side 1", "side 2"), name="_names")
    build: Label
    """The build's name."""
    opponents: Count
    """How many opponents there are."""
    rungs: list[Rung]
    """The opponents that were fought."""

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"{self.build} against everybody"

    def findings(self) -> Sequence[str]:
        """How many opponents the build beats, and which ones it does not."""
        beaten = [rung for rung in self.rungs if min(rung.shares) > 0.5]
        whole = f"{self.build} beats {len(beaten)} of {len(self.rungs)} opponents more often than not from both sides."
        if self.interrupted:
            whole += f" There are {self.opponents}; the others were not fought."
        return (whole,)

    def shown_tables(self) -> Sequence[Table]:
        """A row for each opponent."""
        columns = (
            Column("opponent", "opponent"),
            Column("level", "level", CellKind.WHOLE),
            Column("kind", "kind"),
            Column("as_1", "as side 1", CellKind.SHARE),
            *interval_columns(CellKind.SHARE, "as_1_"),
            Column("as_2", "as side 2", CellKind.SHARE),
            *interval_columns(CellKind.SHARE, "as_2_"),
            Column("rounds", "rounds", CellKind.NUMBER),
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
        records = [record for rung in self.rungs for record in (rung.as_1, rung.as_2) if not record.deterministic]
        caption += f"; {FEW_NOTE}." if any(has_few(record.wins, record.battles) for record in records) else "."
        signs = tuple(
            tuple(sign for record in (rung.as_1, rung.as_2) for sign in (sign_of(record.interval95), 0, 0))
            for rung in self.rungs
        )
        return [Table("rungs", caption, columns, rows, signs=tuple((0, 0, 0, *each, 0) for each in signs))]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """A square for each opponent and side."""
        squares = [
            Square(side, rung.label, share)
            for rung in self.rungs
            for side, share in zip(("as side 1", "as side 2"), rung.shares, strict=True)
        ]
        chart = grid(squares, look, columns=2)
        caption = f"The share of battles that {self.build} wins: the stronger the colour, the clearer."
        return [Chart("ladder", "Who can be beaten", caption, chart)] if squares else []


class Ladders(Document, kw_only=True, eq=False):
    """Several builds' ladders, side by side."""

    OPTIONAL: ClassVar[tuple[str, ...]] = ("seed", "profile", "rules_version", "content_fingerprint")

    command: str = "ladders"
    # Older documents have it in each ladder.
    ruleset: Label = ""
    ladders: Annotated[list[Ladder], msgspec.Meta(min_length=1)]

    @property
    def title(self) -> str:
        """The section's heading."""
        return "Builds against every opponent"

    @property
    def about(self) -> str:
        """How many builds are compared."""
        return f"{len(self.ladders)} builds"

    def findings(self) -> Sequence[str]:
        """Which build wins most, and how the others do, over the opponents that every build fought."""
        shared = self._fought_by_all()
        means = [self._mean(won, shared) for won in self._won()]
        best = max(means)
        leaders = [name for name, mean in zip(self._names(), means, strict=True) if mean == best]
        whole = f"Against {len(shared)} opponents {' and '.join(leaders)} wins most: {per_cent(best)} over both sides."
        if self.interrupted:
            whole += " It was interrupted: only opponents that every build has fought are counted."
        return (whole,) if shared else ("No opponent was fought by every build.",)

    def shown_tables(self) -> Sequence[Table]:
        """A row for each opponent and a column for each build."""
        names, won = self._names()[:MOST_BUILDS], self._won()[:MOST_BUILDS]
        columns = (
            Column("opponent", "opponent"),
            Column("level", "level", CellKind.WHOLE),
            Column("kind", "kind"),
            *(Column(f"build_{number}", name, CellKind.SHARE) for number, name in enumerate(names, 1)),
        )
        rows = [
            (rung.name, rung.level, rung.kind, *(shares.get(rung.key) for shares in won)) for rung in self._opponents()
        ]
        shared = self._fought_by_all()
        rows.append(("all of them", None, "", *(self._mean(shares, shared) for shares in won)))
        caption = "The share of battles that each build wins, over both sides."
        return [Table("ladders", caption, columns, tuple(rows))]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """A square for each opponent and build."""
        names, won = self._names()[:MOST_BUILDS], self._won()
        squares = [
            Square(name, rung.label, shares.get(rung.key))
            for rung in self._opponents()
            for name, shares in zip(names, won, strict=False)
        ]
        caption = "The share of battles that each build wins over both sides: the stronger the colour, the clearer."
        if not squares:
            return []
        return [Chart("ladders", "Who beats whom", caption, grid(squares, look, columns=len(names)))]

    def _names(self) -> list[str]:
        """The builds' names; equal names are replaced by their scenarios', or else numbered."""
        names = [short(each.build, IN_A_CELL) for each in self.ladders]
        if len(set(names)) < len(names):
            names = [short(f"{each.build} of {each.scenario}", IN_A_CELL) for each in self.ladders]
        if len(set(names)) < len(names):
            names = [f"{number} {name}" for number, name in enumerate(names, 1)]
        return names

    def _opponents(self) -> list[Rung]:
        """All opponents that any build fought, in order of first appearance."""
        rungs: dict[tuple[str, str, int | None], Rung] = {}
        for each in self.ladders:
            for rung in each.rungs:
                rungs.setdefault(rung.key, rung)
        return list(rungs.values())

    def _won(self) -> list[dict[tuple[str, str, int | None], float]]:
        """Each build's share of wins per opponent."""
        return [{rung.key: rung.share for rung in each.rungs} for each in self.ladders]

    def _fought_by_all(self) -> set[tuple[str, str, int | None]]:
        return set.intersection(*(set(won) for won in self._won()))

    @staticmethod
    def _mean(won: dict[tuple[str, str, int | None], float], shared: set[tuple[str, str, int | None]]) -> float:
        return sum(won[key] for key in sorted(shared, key=str)) / len(shared) if shared else 0.0
