"""Presents `fracas lab matchups`: the round robin, its ranking and its cycles."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fracas.errors.suggestions import listed
from fracas.lab.presentation.chart_parts import Bar, Square, bars, first, grid
from fracas.lab.presentation.types import (
    Chart,
    Column,
    Count,
    Document,
    Gain,
    GainInterval,
    Interval,
    Kind,
    Label,
    Share,
    Table,
    Theme,
    between,
    per_cent,
)

# A page has no room for more columns than this; the table has every pair.
MOST_COLUMNS = 20


class Entrant(msgspec.Struct):
    """One entrant of a round robin."""

    name: Label
    scenario: Label


class Cell(msgspec.Struct):
    """Two entrants and their battles; the share is the first one's."""

    first: Count
    second: Count
    names: tuple[Label, Label]
    battles: Count
    share: Share
    interval95: Interval


class Standing(msgspec.Struct):
    """One entrant's standing."""

    rank: int
    name: Label
    entrant: Count
    group: int
    share: Share
    interval95: Interval
    behind: Gain
    behind95: GainInterval
    mix: float
    against_mix: float
    behind_p: float = 1.0


class Mix(msgspec.Struct):
    """The equilibrium mix."""

    shares: dict[str, Share]
    only_one: bool = True
    most_even: bool = True
    best_reply: float = 0.0


class Cycle(msgspec.Struct):
    """Entrants that beat each other in a cycle."""

    names: list[Label]
    shares: list[Share]


class Row(msgspec.Struct):
    """An entrant and its share of the points against all opponents."""

    name: Label
    entrant: Count
    share: Share
    interval95: Interval


class MatchupsDocument(Document, kw_only=True):
    """The document that `fracas lab matchups --format json` prints."""

    scenario: Label
    entrants: list[Entrant]
    battles: Count
    shares: list[list[Share | None]]
    cells: list[Cell]
    standings: list[Standing] | None = None
    groups: list[list[Label]] = msgspec.field(default_factory=list)
    mix: Mix | None = None
    cycles: list[Cycle] | None = None
    across: Count = 0
    """The number of entrants at the end that the others play against."""
    rows: list[Row] = msgspec.field(default_factory=list)

    @property
    def about(self) -> str:
        """The roster."""
        return self.scenario

    @property
    def title(self) -> str:
        """The section's heading."""
        if self.across:
            columns = [entrant.name for entrant in self.entrants[-self.across :]]
            return f"Match-ups against {listed(columns, 'and') if len(columns) < 4 else f'{len(columns)} others'}"
        return f"Round robin: {self.scenario}"

    def findings(self) -> Sequence[str]:
        """Who is best, who cannot be told apart, the equilibrium mix, who beats whom in cycles."""
        if self.across and self.rows:
            top = self.rows[0]
            text = f"{top.name} does best against {'it' if self.across == 1 else 'all of them together'}, with"
            return (f"{text} {per_cent(top.share)} of the points{between(top.interval95)}.",)
        if not self.standings:
            return ("Some pairs have not met, so there is no ranking.",)
        best = self.standings[0]
        level = [name for name in (self.groups[0] if self.groups else []) if name != best.name]
        text = f"{best.name} does best with {per_cent(best.share)} of the points{between(best.interval95)}"
        found = [f"{text}, and {listed(level[:6], 'and')} cannot be told apart from it." if level else f"{text}."]
        if self.mix is not None and self.mix.shares:
            parts = sorted(self.mix.shares.items(), key=lambda part: -part[1])
            named = listed([f"{per_cent(share)} {name}" for name, share in parts[:6]], "and")
            which = "this mix" if self.mix.most_even else "this mix, which may not be the most even one"
            found.append(f"No entrant scores more than half against {which}: {named}.")
        for cycle in (self.cycles or [])[:3]:
            chain = " beats ".join([*cycle.names, cycle.names[0]]) if cycle.names else ""
            found.append(f"A circle: {chain}.")
        rest = len(self.cycles or []) - 3
        return [*found, f"There are {rest:,} more cycles."] if rest > 0 else found

    def tables(self) -> Sequence[Table]:
        """The ranking, the pairs, the cycles."""
        ranking = Table(
            "standings",
            "Shares of the points against all others, 95% intervals; entrants of one group cannot be told apart from "
            "its best. The mix is the equilibrium mix, which no entrant beats.",
            (
                Column("rank", "rank", Kind.WHOLE),
                Column("name", "who"),
                Column("group", "group", Kind.WHOLE),
                Column("share", "points", Kind.SHARE),
                Column("low", "95% from", Kind.SHARE),
                Column("high", "to", Kind.SHARE),
                Column("mix", "in the mix", Kind.SHARE),
                Column("against_mix", "against the mix", Kind.SHARE),
            ),
            tuple(
                (row.rank, row.name, row.group, row.share, *row.interval95, row.mix, row.against_mix)
                for row in self.standings or ()
            ),
        )
        pairs = Table(
            "cells",
            "Every pair, over both sides of the field; the share is the first entrant's.",
            (
                Column("first", "who"),
                Column("second", "against"),
                Column("battles", "battles", Kind.WHOLE),
                Column("share", "points", Kind.SHARE),
                Column("low", "95% from", Kind.SHARE),
                Column("high", "to", Kind.SHARE),
            ),
            tuple((*cell.names, cell.battles, cell.share, *cell.interval95) for cell in self.cells),
        )
        circles = Table(
            "cycles",
            "Cycles: each entrant beats the next, and the last beats the first; the share is the weakest link's.",
            (Column("circle", "circle"), Column("weakest", "weakest link", Kind.SHARE)),
            tuple((" > ".join(cycle.names), min(cycle.shares, default=0.0)) for cycle in self.cycles or ()),
        )
        return [self._rows(), pairs] if self.across else [ranking, pairs, circles]

    def _rows(self) -> Table:
        return Table(
            "rows",
            "Shares of the points against all columns together, with 95% intervals.",
            (
                Column("name", "who"),
                Column("share", "points", Kind.SHARE),
                Column("low", "95% from", Kind.SHARE),
                Column("high", "to", Kind.SHARE),
            ),
            tuple((row.name, row.share, *row.interval95) for row in self.rows),
        )

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The matrix in ranking order, and the mix."""
        names = [entrant.name for entrant in self.entrants]
        order = [row.entrant for row in self.standings or ()] or list(range(len(names)))
        order = [place for place in order if place < len(names)][:MOST_COLUMNS]
        columns = order
        if 0 < self.across < len(names):
            down = len(names) - self.across
            order = [row.entrant for row in self.rows if row.entrant < down] or list(range(down))
            order, columns = order[:MOST_COLUMNS], list(range(down, len(names)))[:MOST_COLUMNS]
        found = []
        if order and len(self.shares) == len(names) and all(len(row) == len(names) for row in self.shares):
            chart = grid(
                [Square(names[column], names[row], self.shares[row][column]) for row in order for column in columns],
                look,
                columns=len(columns),
            )
            caption = "The row's share of the points against the column, in per cent: blue above half, orange below."
            if len(order) < len(names) - self.across:
                caption += f" The best {len(order)} of {len(names) - self.across}."
            found.append(Chart("matrix", "Who beats whom", caption, chart))
        if self.mix is not None and self.mix.shares:
            parts = first(sorted(self.mix.shares.items(), key=lambda part: -part[1]))
            rows = [Bar(name, share, None, look.accent, per_cent(share)) for name, share in parts]
            caption = "The equilibrium mix, which no entrant beats: what to expect if everyone adapts."
            chart = bars(rows, look, "part in the mix", ends=(0, 1))
            found.append(Chart("mix", "The equilibrium mix", caption, chart))
        return found
