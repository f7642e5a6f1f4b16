"""The result of `fracas lab swaps`: how much a build wins with something else in one of its places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import Bar, bars, first, gain_bars, whole_range
from fracas.lab.presentation.notebook import OfSide
from fracas.lab.presentation.types import (
    Best,
    CellKind,
    Chart,
    Column,
    Count,
    Gain,
    GainInterval,
    Interval,
    Label,
    Share,
    Table,
    Theme,
    between,
    chosen_of,
    gain_between,
    interval_columns,
    per_cent,
    points,
)

EMPTY = "(empty)"
# Smaller values are shown as zero, in points with two decimals.
LEAST_GAIN = 0.00005


class Exchanged(msgspec.Struct):
    """One of several exchanges that are made at once."""

    place: Label
    out: Label | None
    comes: Label = msgspec.field(name="in")


class Exchange(msgspec.Struct, kw_only=True):
    """One exchange and its results in the same battles."""

    OPTIONAL: ClassVar[tuple[str, ...]] = ("cost", "parts")

    place: Label
    out: Label | None
    """What goes; None from an empty place."""
    comes: Label = msgspec.field(name="in")
    does: str = ""
    """What comes in does, in the ruleset's words."""
    share: Share
    """The share of wins."""
    interval95: Interval
    gain: Gain
    """How much larger the share of wins is, -1 to 1."""
    gain95: GainInterval
    """The 95% interval of the gain, from pairs of battles with the same stream; a point if nothing depends on luck."""
    margin: float
    """HP left at the end, less the opponent's, on average."""
    cost: float | None = None
    """The cost of what comes in less that of what goes, in points; None without costs."""
    parts: list[Exchanged] = msgspec.field(default_factory=list)
    """The single exchanges, if there are several."""
    deterministic: bool = False
    swap: Any = msgspec.field(default=None, name="_swap")
    """In Python the exchange with its document, as the ruleset made it."""
    results: Any = msgspec.field(default=None, name="_results")
    """In Python the whole results, of the type that `simulate` returns."""

    @property
    def label(self) -> str:
        """What comes in for what."""
        return f"{self.comes} for {self.out or EMPTY}"


class Swaps(OfSide, kw_only=True):
    """A build, and every exchange that was tried, the best first."""

    FIRST: ClassVar[tuple[str, ...]] = ("command", "ruleset", "scenario", "names", "seed", "profile")

    command: str = "swaps"
    battles: Count
    share: Share
    """The share of wins of the unchanged build."""
    interval95: Interval
    margin: float
    """HP left at the end less the opponent's, on average, with the unchanged build."""
    possible: Count
    """How many exchanges are possible."""
    costs: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    """The costs of things in points, by id or name; unset without costs and budget."""
    budget: float | msgspec.UnsetType | None = msgspec.UNSET
    """The most that all exchanges together may add to the cost."""
    tried: list[Exchange] = msgspec.field(default_factory=list, name="swaps")
    """The exchanges that were tried; after an interrupt the complete ones."""
    best: Best | None = None
    base: Any = msgspec.field(default=None, name="_base")
    """In Python the results of the unchanged build, of the type that `simulate` returns."""

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"What {self.who} could {'wear' if self.ruleset == 'relics' else 'have'} instead"

    def findings(self) -> Sequence[str]:
        """The best exchange and its gain."""
        base = f"{self.who} wins {per_cent(self.share)}{between(self.interval95)} of {self.battles:,} battles as it is"
        if not self.tried:
            return (f"{base}; no exchange was tried.",)
        best = self.tried[0]
        if best.gain <= 0:
            text = f"{base}; none of {len(self.tried):,} exchanges adds to that"
            if self._is_saturated and best.margin > self.margin:
                more = f"{best.margin - self.margin:+.1f} HP against the opponent's on average"
                return (f"{text}. By HP left the best is {best.label}: {more}.",)
            return (f"{text}.",)
        whole = f"The best of {len(self.tried):,} exchanges for {self.who} is {best.label}"
        chosen = chosen_of(len(self.tried), best.gain95).replace(f"as the best of {len(self.tried):,}, ", "")
        return (f"{whole}: {points(best.gain)}{gain_between(best.gain95)}{chosen}.", f"{base}.")

    @property
    def _is_saturated(self) -> bool:
        """Whether no exchange wins more often than the build itself, so that only HP left tells them apart."""
        return all(abs(each.gain) < LEAST_GAIN for each in first(self.tried))

    def shown_tables(self) -> Sequence[Table]:
        """A row for each exchange, the best first."""
        columns = (
            Column("place", "place"),
            Column("out", "out"),
            Column("in", "in"),
            Column("share", "wins", CellKind.SHARE),
            Column("gain", "gain", CellKind.GAIN),
            *interval_columns(CellKind.GAIN, "gain_"),
            Column("margin", "HP", CellKind.NUMBER),
            *([Column("cost", "cost", CellKind.NUMBER)] if any(each.cost is not None for each in self.tried) else []),
            *([Column("does", "what comes in does")] if any(each.does for each in self.tried) else []),
        )
        shown = {column.key for column in columns}

        def cells(each: Exchange) -> dict[str, Any]:
            low, high = each.gain95
            text = {"place": each.place, "out": each.out or EMPTY, "in": each.comes, "share": each.share}
            text |= {"gain": each.gain, "gain_low": low, "gain_high": high, "margin": each.margin}
            return text | {"cost": each.cost, "does": each.does}

        rows = tuple(tuple(cell for key, cell in cells(each).items() if key in shown) for each in self.tried)
        caption = (
            "What each exchange adds to the share of wins, in percentage points, with its 95% interval from battles "
            "with the same dice; HP is what is left less the opponent's, on average."
        )
        return [Table("swaps", caption, columns, rows)]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The best exchanges as bars."""
        best = first(self.tried)
        if not best:
            return []
        if self._is_saturated:
            return [self._by_hp(look)]
        rows = [(each.label, each.gain, each.gain95) for each in best]
        chart = gain_bars(rows, look, self.side, "gain in the share of wins", form=".0%")
        caption = f"What the best {len(best)} exchanges add to the share of battles won; lines are 95% intervals."
        return [Chart("swaps", "The best exchanges", caption, chart)]

    def _by_hp(self, look: Theme) -> Chart:
        """The best exchanges by HP left, when all of them win equally often."""
        best = first(sorted(self.tried, key=lambda each: (-each.gain, -each.margin)))
        gains = [each.margin - self.margin for each in best]
        rows = [
            Bar(each.label, gain, None, look.side(self.side), f"{gain:+.1f}")
            for each, gain in zip(best, gains, strict=True)
        ]
        chart = bars(rows, look, "gain in HP left", ends=whole_range(gains, least=1), form="+.0~f")
        caption = (
            f"All of these win as often as {self.who} as it is, so they are ranked by what they add to the HP left "
            "at the end, less the opponent's, on average."
        )
        return Chart("swaps", "The best exchanges, by HP left", caption, chart)
