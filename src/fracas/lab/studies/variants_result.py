"""The result of `fracas lab variants`: many variants against one scenario A."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import first, gain_bars
from fracas.lab.presentation.notebook import OfSide
from fracas.lab.presentation.types import (
    CellKind,
    Chart,
    Column,
    Count,
    GainInterval,
    Label,
    Table,
    Theme,
    between,
    gain_between,
    per_cent,
    points,
)
from fracas.lab.statistics.intervals import CONFIDENCE
from fracas.lab.studies.paired_battles import PairedScore


class Base(PairedScore, kw_only=True):
    """The unchanged scenario A."""

    group: int = 1


class Ranked(PairedScore, kw_only=True):
    """A variant and its results."""

    FIRST: ClassVar[tuple[str, ...]] = ("rank", "name", "group", "verdict", "p")

    rank: int
    name: Label
    group: int
    """No two variants of one group, which may include A, can be told apart; 1 is the best group. Two of different
    groups may be too close to tell as well."""
    verdict: Label
    """`better` or `worse` than A, or `not told apart`; any of all verdicts is wrong in at most 5% of all sets."""
    p: float
    """The probability that a variant as good as A differs this much, corrected for all pairs of the set."""
    together95: GainInterval
    """The interval of the gain, valid for all variants at once, so also for the best one. It leaves out 0 exactly if
    the verdict is better or worse."""
    content_fingerprint: Label = ""


class Correction(msgspec.Struct):
    """How intervals and verdicts are corrected, and for how many pairs."""

    of: Count
    method: str = "Bonferroni"
    alpha: float = 1 - CONFIDENCE

    FIRST: ClassVar[tuple[str, ...]] = ("method", "alpha")


class VariantSet(OfSide, kw_only=True):
    """A and all variants that were played, the best first."""

    FIRST: ClassVar[tuple[str, ...]] = (*OfSide.FIRST, "set")

    command: str = "variants"
    set: Label
    """The name of the set."""
    base: Base
    possible: Count
    """How many variants the set has."""
    variants: list[Ranked]
    correction: Correction | None = None

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Variants of {self.scenario}: {self.set}"

    def findings(self) -> Sequence[str]:
        """The best variant, and how many are better or worse than A."""
        score = f"{per_cent(self.base.score)}{between(self.base.interval95)}"
        base = f"{self.who} scores {score} with {self.scenario} as it is"
        if not self.variants:
            return (f"{base}; no variant was played.",)
        counts = {word: sum(each.verdict == word for each in self.variants) for word in ("better", "worse")}
        text = f"Of {len(self.variants):,} variants {counts['better']:,} are better and {counts['worse']:,} worse"
        best = self.variants[0]
        if best.verdict != "better":
            return (f"{text}, corrected for all of them; none is better for {self.who}.", f"{base}.")
        level = sum(each.group == best.group for each in self.variants) - 1
        rest = f", and {level:,} more cannot be told apart from it" if level else ""
        gain = f"{points(best.gain)}{gain_between(best.together95)}"
        return (
            f"{best.name} does best for {self.who}: {gain}{rest}.",
            f"{text}, corrected for all of them.",
            f"{base}.",
        )

    def shown_tables(self) -> Sequence[Table]:
        """A row for each variant, the best first."""
        columns = (
            Column("rank", "rank", CellKind.WHOLE),
            Column("name", "variant"),
            Column("group", "group", CellKind.WHOLE),
            Column("score", "score", CellKind.SHARE),
            Column("gain", "gain", CellKind.GAIN),
            Column("low", "95% of all from", CellKind.GAIN),
            Column("high", "to", CellKind.GAIN),
            Column("p", "p", CellKind.CHANCE),
            Column("verdict", "than A"),
        )
        rows = tuple(
            (each.rank, each.name, each.group, each.score, each.gain, *each.together95, each.p, each.verdict)
            for each in self.variants
        )
        caption = (
            f"What each variant adds to the score of {self.who}, in points, in {self.base.battles:,} battles with the "
            "same dice. The intervals hold for all variants at once, including the best."
        )
        return [Table("variants", caption, columns, rows)]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """Gains as bars, the largest first."""
        shown = first(self.variants)
        if not shown:
            return []
        rows = [(each.name, each.gain, each.together95) for each in shown]
        chart = gain_bars(rows, look, self.side, "gain in score", least=0.01, form="+.1~%")
        caption = "What each variant adds to the score, in points; lines are 95% intervals that hold for all at once."
        return [Chart("variants", "The variants", caption, chart)]
