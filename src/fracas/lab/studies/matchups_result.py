"""The result of `fracas lab matchups`: the round robin, its ranking and its cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from fracas.errors import UsageError
from fracas.errors.suggestions import listed
from fracas.lab.presentation.chart_parts import Bar, Square, bars, first, grid
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.types import (
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
    interval_columns,
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


class Participant(msgspec.Struct):
    """An entrant's name, and the side of the scenario that it is."""

    name: Label
    scenario: Label
    side: int = 1
    content_fingerprint: Label = ""


class Order(msgspec.Struct):
    """The battles of a cell in one order, counted for the cell's first entrant."""

    battles: Count = 0
    wins: Count = 0
    draws: Count = 0
    losses: Count = 0
    share: Share = 0.0
    """The first entrant's share of the points: 1 for a win, 1/2 for a draw."""
    deterministic: bool = True


class Cell(msgspec.Struct):
    """Two entrants, by number, and their battles in both orders; shares are the first one's."""

    first: Count
    second: Count
    names: tuple[Label, Label]
    battles: Count
    share: Share
    """Of the points, over both orders."""
    interval95: Interval
    """Computed over streams; a point if no battle depends on luck."""
    as_1: Order | None = None
    as_2: Order | None = None
    deterministic: bool = False

    @property
    def half_width(self) -> float:
        """Half the width of the interval, as a share."""
        low, high = self.interval95
        return (high - low) / 2


class Standing(msgspec.Struct, kw_only=True):
    """One entrant's rank, by its share of the points against all others."""

    rank: int
    """1 is the best."""
    name: Label
    entrant: Count
    group: int
    """Entrants of one group cannot be told apart from the group's best; 1 is the best group. Equals end up in different
    groups in at most 5% of all round robins."""
    share: Share
    """The mean of its shares in all its cells."""
    interval95: Interval
    behind: Gain
    """How much less its share is than that of the group's best."""
    behind95: GainInterval
    """The interval of that difference, from streams with the same dice."""
    behind_p: float = 1.0
    """The probability that equals differ this much, corrected for all pairs: above 0.05 within a group."""
    mix: float
    """Its part in the equilibrium mix."""
    against_mix: float
    """Its share of the points against that mix; never more than half."""


class Mix(msgspec.Struct):
    """An equilibrium mix, which no entrant beats."""

    shares: dict[str, Share]
    """The parts above 0, by name."""
    only_one: bool = True
    """Whether there is no other equilibrium."""
    most_even: bool = True
    """Whether it is known to be the most even equilibrium: only if it is the only one."""
    best_reply: float = 0.0
    """What the best reply gains against it, measured on the mix itself: 0 except for rounding."""


class Cycle(msgspec.Struct, kw_only=True):
    """Three entrants in a cycle: the first beats the second, the second the third, the third the first."""

    names: list[Label]
    entrants: tuple[Count, ...] = ()
    shares: list[Share]
    interval95: tuple[Interval, ...] = ()


class MatchupRow(msgspec.Struct):
    """An entrant's share of the points over all its opponents."""

    name: Label
    entrant: Count
    share: Share
    interval95: Interval


class Analysis(msgspec.Struct):
    """The analysis of a complete round robin."""

    standings: list[Standing]
    """The best first."""
    groups: list[list[Label]]
    """The entrants of each group, the best group first."""
    mix: Mix
    cycles: list[Cycle]
    """Those whose weakest link is strongest first."""


class Timing(msgspec.Struct):
    """How long it took."""

    seconds: float


class Matchups(Document, kw_only=True):
    """A round robin, or some entrants against some others: the results of every pair and their analysis."""

    LAST: ClassVar[tuple[str, ...]] = (*Document.LAST, "timing")

    command: str = "matchups"
    scenario: Label
    entrants: list[Participant]
    battles: Count
    """Battles of all cells together."""
    half_width: Share = 0.0
    """Half the width of the widest cell's interval, as a share."""
    shares: list[list[Share | None]]
    """Each row entrant's share of the points against each column entrant; None against itself."""
    cells: list[Cell]
    """Every pair once; after an interrupt the pairs that were played."""
    standings: list[Standing] | None = None
    groups: list[list[Label]] = msgspec.field(default_factory=list)
    mix: Mix | None = None
    cycles: list[Cycle] | None = None
    across: Count = 0
    """The number of entrants at the end that the others play against."""
    rows: list[MatchupRow] = msgspec.field(default_factory=list)
    """If entrants play only some others: the total score of each, the best first."""
    timing: Timing | None = None
    roster: Any = msgspec.field(default=None, name="_roster")
    """In Python: the entrants with their scenarios."""

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas lab matchups --format json` prints."""
        left_out = [] if self.across else ["across", "rows"]
        left_out += ["groups"] if self.standings is None else []
        return {key: value for key, value in super().as_json().items() if key not in left_out}

    @property
    def analysis(self) -> Analysis:
        """Ranks, ties, the mix and cycles.

        Raises:
            UsageError: some pairs did not meet, because it was interrupted or entrants played only some others.
        """
        if self.standings is None or self.mix is None or self.cycles is None:
            raise UsageError.of("analysis", "needs results of every pair", "without it there are `cells` and `rows`")
        return Analysis(self.standings, self.groups, self.mix, self.cycles)

    @property
    def names(self) -> list[str]:
        """The entrants' names in their given order."""
        return [entrant.name for entrant in self.entrants]

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
            others = "" if self.mix.only_one else "; other mixes are as good"
            found.append(f"No entrant scores more than half against this mix: {named}{others}.")
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
                Column("rank", "rank", CellKind.WHOLE),
                Column("name", "who"),
                Column("group", "group", CellKind.WHOLE),
                Column("share", "points", CellKind.SHARE),
                *interval_columns(CellKind.SHARE),
                Column("mix", "mix", CellKind.SHARE),
                Column("against_mix", "against it", CellKind.SHARE),
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
                Column("battles", "battles", CellKind.WHOLE),
                Column("share", "points", CellKind.SHARE),
                *interval_columns(CellKind.SHARE),
            ),
            tuple((*cell.names, cell.battles, cell.share, *cell.interval95) for cell in self.cells),
            is_detail=True,
        )
        circles = Table(
            "cycles",
            "Cycles: each entrant beats the next, and the last beats the first; the share is the weakest link's.",
            (Column("circle", "circle"), Column("weakest", "weakest link", CellKind.SHARE)),
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
        heads = [f"{number} {self.entrants[entrant].name}" for number, entrant in enumerate(across, 1)]
        if len(across) > MOST_NAMED:
            heads = [str(number) for number, _ in enumerate(across, 1)]
        return [
            Table(
                "matrix",
                f"Shares of the points of the row against the column, in per cent.{left_out}",
                (
                    Column("place", "", CellKind.WHOLE),
                    *([Column("name", "who")] if has_names else []),
                    *(Column(f"column_{number}", head, CellKind.WHOLE_SHARE) for number, head in enumerate(heads, 1)),
                ),
                tuple(
                    (
                        number,
                        *([short(self.entrants[row].name, LONGEST_NAME)] if has_names else []),
                        *(self.shares[row][column] for column in across),
                    )
                    for number, row in enumerate(order, 1)
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
                Column("share", "points", CellKind.SHARE),
                *interval_columns(CellKind.SHARE),
            ),
            tuple((row.name, row.share, *row.interval95) for row in self.rows),
        )

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The matrix in ranking order, and the mix."""
        names = self.names
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
