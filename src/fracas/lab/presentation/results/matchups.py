"""Presents `fracas lab matchups`: the round robin, its ranking and its cycles."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fracas.errors.suggestions import listed
from fracas.lab.presentation.chart_parts import Bar, Square, bars, first, grid
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.types import (
    Chart,
    Column,
    Count,
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
    short,
    sign_of,
)

# A page has no room for more columns than this; the table has every pair.
MOST_COLUMNS = 20
# With more columns than this, the matrix as a table has only their numbers.
MOST_NAMED = 5
# Names of rows are cut to this length, and with more columns than this they are left out: the ranking has them.
LONGEST_NAME, MOST_COLUMNS_BESIDE_NAMES = 24, 12


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
    half_width: Share = 0.0

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

    def notes(self) -> Sequence[str]:
        """How many entrants there are, and how precisely their pairs were measured."""
        rows = len(self.entrants) - self.across
        text = f"{rows} against {self.across}" if self.across else f"{rows} entrants"
        each = max((cell.battles for cell in self.cells), default=0)
        matches = "1 match-up" if len(self.cells) == 1 else f"{len(self.cells):,} match-ups"
        text += f", {matches} of {each:,} battles, half from each side"
        return (f"{text}, ±{self.half_width:.2%}",)

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
            others = "; other mixes are as good" if self.mix.most_even and not self.mix.only_one else ""
            found.append(f"No entrant scores more than half against {which}: {named}{others}.")
        for cycle in (self.cycles or [])[:3]:
            chain = " beats ".join([*cycle.names, cycle.names[0]]) if cycle.names else ""
            found.append(f"A circle: {chain}.")
        rest = len(self.cycles or []) - 3
        return [*found, f"There are {rest:,} more cycles."] if rest > 0 else found

    def shown_tables(self) -> Sequence[Table]:
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
                Column("mix", "mix", Kind.SHARE),
                Column("against_mix", "against it", Kind.SHARE),
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
            is_detail=True,
        )
        circles = Table(
            "cycles",
            "Cycles: each entrant beats the next, and the last beats the first; the share is the weakest link's.",
            (Column("circle", "circle"), Column("weakest", "weakest link", Kind.SHARE)),
            tuple((" > ".join(cycle.names), min(cycle.shares, default=0.0)) for cycle in self.cycles or ()),
        )
        return [self._rows(), *self._matrix(), pairs] if self.across else [ranking, *self._matrix(), pairs, circles]

    def _order(self) -> tuple[list[int], list[int]]:
        """The entrants of the matrix's rows and columns, the best rows first."""
        count = len(self.entrants)
        if not 0 < self.across < count:
            order = [row.entrant for row in self.standings or () if row.entrant < count] or list(range(count))
            return order[:MOST_COLUMNS], order[:MOST_COLUMNS]
        down = count - self.across
        order = [row.entrant for row in self.rows if row.entrant < down] or list(range(down))
        return order[:MOST_COLUMNS], list(range(down, count))[:MOST_COLUMNS]

    @property
    def _is_square(self) -> bool:
        count = len(self.entrants)
        return bool(count) and len(self.shares) == count and all(len(row) == count for row in self.shares)

    def _matrix(self) -> Sequence[Table]:
        if not self._is_square:
            return []
        order, across = self._order()
        signs = {}
        for cell in self.cells:
            sign = sign_of(cell.interval95)
            signs[cell.first, cell.second], signs[cell.second, cell.first] = sign, -sign
        has_names = len(across) <= MOST_COLUMNS_BESIDE_NAMES
        rows = len(self.entrants) - self.across
        left_out = f" The best {len(order)} of {rows:,}." if len(order) < rows else ""
        heads = [f"{place} {self.entrants[entrant].name}" for place, entrant in enumerate(across, 1)]
        if len(across) > MOST_NAMED:
            heads = [str(place) for place, _ in enumerate(across, 1)]
        return [
            Table(
                "matrix",
                f"Shares of the points of the row against the column, in per cent.{left_out}",
                (
                    Column("place", "", Kind.WHOLE),
                    *([Column("name", "who")] if has_names else []),
                    *(Column(f"column_{place}", head, Kind.WHOLE_SHARE) for place, head in enumerate(heads, 1)),
                ),
                tuple(
                    (
                        place,
                        *([short(self.entrants[row].name, LONGEST_NAME)] if has_names else []),
                        *(self.shares[row][column] for column in across),
                    )
                    for place, row in enumerate(order, 1)
                ),
                signs=tuple(
                    (0, *[0] * has_names, *(signs.get((row, column), 0) for column in across)) for row in order
                ),
            )
        ]

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
        order, columns = self._order()
        found = []
        if order and self._is_square:
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
