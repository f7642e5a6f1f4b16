"""`fracas simulate`: who wins how often, how long battles take, what is left of whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fracas.lab.exhibits.counted import counted
from fracas.lab.exhibits.pieces import Bar, bars, histogram
from fracas.lab.exhibits.shapes import (
    Column,
    Count,
    Figure,
    Interval,
    Kind,
    Look,
    OfScenario,
    Share,
    Table,
    between,
    per_cent,
)

Pairs = list[tuple[int, Count]]


class Rounds(msgspec.Struct):
    """How long battles take."""

    mean: float
    min: int
    max: int
    histogram: Pairs = msgspec.field(default_factory=list)


class Left(msgspec.Struct):
    """HP that a side has left at the end."""

    mean: float
    histogram: Pairs = msgspec.field(default_factory=list)


class Simulated(OfScenario, kw_only=True):
    """The document that `fracas simulate --format json` prints."""

    battles: Count
    wins: tuple[Count, Count]
    draws: Count
    shares: tuple[Share, Share]
    draw_share: Share
    interval95: tuple[Interval, Interval]
    reasons: dict[str, Count]
    rounds: Rounds
    deterministic: bool = False
    hp_left: tuple[Left, Left] | None = None
    statistics: dict[str, list[dict[str, Any]]] = msgspec.field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the section is called."""
        return f"Who wins: {self.scenario}"

    def ahead(self) -> int:
        """The side that wins more often, 1 or 2; 0 if that is not certain."""
        (low_1, high_1), (low_2, high_2) = self.interval95
        return 1 if low_1 > high_2 else 2 if low_2 > high_1 else 0

    def findings(self) -> Sequence[str]:
        """Who wins, and how sure that is."""
        if not self.battles:
            return ("No battle was played.",)
        first, second = self.names
        told = [
            f"{name} wins {per_cent(share)}{between(interval)}"
            for name, share, interval in zip(self.names, self.shares, self.interval95, strict=True)
        ]
        whole = f"Of {self.battles:,} battles of {self.scenario}, {told[0]} and {told[1]}"
        whole += f"; {per_cent(self.draw_share)} are draws." if self.draws else "."
        if self.deterministic:
            whole = f"Nothing in {self.scenario} depends on luck: {self._certain()}"
        ahead = self.ahead()
        if self.deterministic:
            return (whole,)
        if ahead:
            lead = abs(self.shares[0] - self.shares[1])
            return (f"{self.names[ahead - 1]} is ahead by {100 * lead:.2f} points.", whole)
        return (f"Neither {first} nor {second} is ahead: so many battles cannot tell them apart.", whole)

    def _certain(self) -> str:
        if self.draws:
            return "nobody wins."
        return f"{self.names[0 if self.wins[0] else 1]} always wins."

    def tables(self) -> Sequence[Table]:
        """Outcomes, reasons, and what the ruleset counts besides."""
        rows = [
            *zip(self.names, self.wins, self.shares, *zip(*self.interval95, strict=True), strict=True),
            ("draw", self.draws, self.draw_share, None, None),
        ]
        outcomes = Table(
            "outcomes",
            f"How {self.battles:,} battles ended; the interval is the 95 % Wilson interval of the share.",
            (
                Column("outcome", "outcome"),
                Column("battles", "battles", Kind.WHOLE),
                Column("share", "share", Kind.SHARE),
                Column("low", "95 % from", Kind.SHARE),
                Column("high", "to", Kind.SHARE),
            ),
            tuple(rows),
        )
        reasons = Table(
            "reasons",
            f"What ended them. A battle took {self.rounds.mean:.1f} rounds on average, {self.rounds.min} to "
            f"{self.rounds.max}.",
            (Column("reason", "ended by"), Column("battles", "battles", Kind.WHOLE)),
            tuple((reason.replace("_", " "), count) for reason, count in self.reasons.items()),
        )
        return [outcomes, reasons, *counted(self.statistics)]

    def figures(self, look: Look) -> Sequence[Figure]:
        """Shares with their intervals; rounds and HP left as histograms where they were counted."""
        found = [self._shares(look)]
        if len(self.rounds.histogram) > 1:
            chart = histogram([("rounds", look.accent, self.rounds.histogram)], look, "rounds")
            found.append(Figure("rounds", "How long battles take", "The share of battles by their rounds.", chart))
        if self.hp_left is not None and all(left.histogram for left in self.hp_left):
            groups = [
                (name, look.side(side), left.histogram)
                for side, (name, left) in enumerate(zip(self.names, self.hp_left, strict=True), 1)
            ]
            caption = "HP that each side has left at the end; a side that lost by being wiped out has none."
            found.append(Figure("hp_left", "What is left", caption, histogram(groups, look, "HP left")))
        return found

    def _shares(self, look: Look) -> Figure:
        shares = [*self.shares, self.draw_share]
        rows = [
            Bar(name, share, interval, colour, per_cent(share))
            for name, share, interval, colour in zip(
                [*self.names, "draw"], shares, [*self.interval95, None], [look.side_1, look.side_2, look.draw],
                strict=True,
            )
        ]  # fmt: skip
        caption = "The share of battles that each side wins; lines are 95 % intervals."
        return Figure("shares", "Who wins how often", caption, bars(rows, look, "share of battles", ends=(0, 1)))
