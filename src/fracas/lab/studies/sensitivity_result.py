"""The result of `fracas lab sensitivity`: what a step of each stat is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import first, gain_bars
from fracas.lab.presentation.notebook import OfSide
from fracas.lab.presentation.types import (
    Best,
    CellKind,
    Chart,
    Column,
    Count,
    Edit,
    Gain,
    Label,
    Table,
    Theme,
    between,
    chosen_of,
    gain_between,
    interval_columns,
    per_cent,
    points,
)
from fracas.lab.studies.paired_battles import PairedScore


class StatEffect(PairedScore, kw_only=True):
    """A stat, and the results of a step of it."""

    FIRST: ClassVar[tuple[str, ...]] = ("path", "name", "owner", "value", "step")

    path: Label = ""
    name: Label = ""
    owner: Label = ""
    value: int | float = 0
    """The stat as it is."""
    step: int | float = 1
    """How much was added."""
    cost: float = 1.0
    """The cost of that step, in points of a budget."""
    per_point: float | None = None
    """The gain per point of the budget."""
    per_point95: tuple[float, float] | None = None

    @property
    def label(self) -> str:
        """The stat with its owner, and the step that was tried."""
        return f"{self.step:+g} {self.name.replace('_', ' ')}, {self.owner}"


class Together(PairedScore, kw_only=True):
    """Two stats raised together, and the gain beyond that of each alone."""

    FIRST: ClassVar[tuple[str, ...]] = ("paths", "names", "owners")

    paths: list[Label] = msgspec.field(default_factory=list)
    names: list[Label] = msgspec.field(default_factory=list)
    owners: list[Label] = msgspec.field(default_factory=list)
    alone: tuple[Gain, Gain] = (0.0, 0.0)
    """The gain of each."""
    synergy: float = 0.0
    """The gain of both together beyond the sum of their single gains; below 0 if they interfere."""
    synergy95: tuple[float, float] = (0.0, 0.0)
    """The 95% interval of the synergy, from battles with the same dice; a point if nothing depends on luck."""

    @property
    def label(self) -> str:
        """Both stats."""
        named = (f"{owner}: {name.replace('_', ' ')}" for owner, name in zip(self.owners, self.names, strict=False))
        return " + ".join(named)


class Skipped(msgspec.Struct, kw_only=True):
    """A stat that was not tried."""

    path: Label
    name: Label
    owner: Label
    value: int | float = 0
    reason: Label


class Sensitivity(OfSide, kw_only=True):
    """What a step of each stat of a side is worth; the stat with the largest gain per point comes first."""

    command: str = "sensitivity"
    steps: int | float = 1
    """How many of each stat's own steps were tried; below 0 to lower it."""
    base: PairedScore
    """The unchanged scenario."""
    possible: Count
    """How many stats the side has."""
    stats: list[StatEffect]
    costs: dict[str, float] = msgspec.field(default_factory=dict)
    """Costs of one more of a stat, by its name, other than 1; empty if there is no budget."""
    pairs: list[Together] = msgspec.field(default_factory=list)
    """Stats raised two at a time, the largest joint gain first."""
    skipped: list[Skipped] = msgspec.field(default_factory=list)
    best: Best | None = None

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"What each stat is worth to {self.who}: {self.scenario}"

    def findings(self) -> Sequence[str]:
        """The stat that helps most."""
        base = f"{self.who} scores {per_cent(self.base.score)}{between(self.base.interval95)} as it is."
        if not self.stats:
            return (f"No stat of {self.who} was tried. {base}",)
        best = max(self.stats, key=lambda each: each.gain)
        if best.gain95[0] <= 0:
            text = f"No single step of a stat clearly helps {self.who} in {self.scenario}"
            return (f"{text}, of {len(self.stats)} tried.", base)
        text = f"The single step of a stat that helps {self.who} most in {self.scenario} is {best.label}"
        return (
            f"{text}: {points(best.gain)}{gain_between(best.gain95)}{chosen_of(len(self.stats), best.gain95)}.",
            *self._by_cost(),
            base,
        )

    def _by_cost(self) -> Sequence[str]:
        """The best stat per point of the budget, if stats have costs."""
        known = [(each.per_point, each) for each in self.stats if each.per_point is not None]
        if not self.costs or not known:
            return ()
        gain, best = max(known, key=lambda each: each[0])
        return (f"Per point of the budget, {best.name.replace('_', ' ')} of {best.owner} gains most: {points(gain)}.",)

    def shown_tables(self) -> Sequence[Table]:
        """A row for each stat, the largest gain first."""
        is_whole = all(isinstance(number, int) for each in self.stats for number in (each.value, each.step))
        columns = (
            Column("owner", "whose"),
            Column("name", "stat"),
            Column("path", "where", is_detail=True),
            Column("value", "is", CellKind.WHOLE if is_whole else CellKind.NUMBER),
            Column("step", "step", CellKind.WHOLE if is_whole else CellKind.NUMBER),
            Column("score", "score", CellKind.SHARE, is_detail=True),
            Column("gain", "gain", CellKind.GAIN, is_drawn=not self.costs),
            *interval_columns(CellKind.GAIN),
            *(
                (Column("cost", "costs", CellKind.NUMBER), Column("per_point", "a point", CellKind.GAIN, is_drawn=True))
                if self.costs
                else ()
            ),
        )
        ranked = sorted(self.stats, key=lambda each: -(each.gain if each.per_point is None else each.per_point))
        rows = tuple(
            (
                *(each.owner, each.name, each.path, each.value, each.step, each.score, each.gain, *each.gain95),
                *((each.cost, each.per_point) if self.costs else ()),
            )
            for each in ranked
        )
        caption = (
            f"What one step of each stat adds to the score of {self.who}, in points, in {self.base.battles:,} "
            "battles with the same dice."
        )
        left_out = Table(
            "skipped",
            "Stats that were not tried.",
            (Column("owner", "whose"), Column("name", "stat"), Column("reason", "why not")),
            tuple((each.owner, each.name, each.reason) for each in self.skipped),
        )
        together = Table(
            "pairs",
            "Stats raised two at a time: the gain of both, and how much of it exceeds the gains of each alone.",
            (
                Column("pair", "two together"),
                Column("gain", "gain", CellKind.GAIN),
                Column("synergy", "beyond both", CellKind.GAIN),
                *interval_columns(CellKind.GAIN),
            ),
            tuple((each.label, each.gain, each.synergy, *each.synergy95) for each in self.pairs),
        )
        edits = tuple(Edit(each.path, each.value + each.step) for each in ranked)
        return [Table("stats", caption, columns, rows, edits=edits), *([together] if self.pairs else []), left_out]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """Gains as bars, the largest first."""
        ranked = first(sorted(self.stats, key=lambda each: -each.gain))
        if not ranked:
            return []
        rows = [(each.label, each.gain, each.gain95) for each in ranked]
        chart = gain_bars(rows, look, self.side, "gain in score", least=0.01, form="+.1~%")
        caption = "What one step of each stat adds to the score, in points; lines are 95% intervals."
        return [Chart("stats", "What helps most", caption, chart)]
