"""The result of `fracas lab sweep`: a scenario with other values in some places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import FITTED, Bar, Square, bars, first, grid
from fracas.lab.presentation.data_frames import value_text
from fracas.lab.presentation.notebook import OfSide
from fracas.lab.presentation.types import (
    Best,
    CellKind,
    Chart,
    Column,
    Count,
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

# More columns than this are too narrow to read.
MOST_COLUMNS = 24
MOST_SQUARES = 600


class Field(msgspec.Struct):
    """A path and the values tried there."""

    path: Label
    label: Label
    values: list[Any]


class Point(PairedScore, kw_only=True):
    """A value for each axis, and the results with them."""

    FIRST: ClassVar[tuple[str, ...]] = ("values",)

    values: tuple[Any, ...]


class Sweep(OfSide, kw_only=True):
    """A scenario unchanged and with every combination of values."""

    command: str = "sweep"

    battles: Count
    """Battles per point."""
    fields: list[Field]
    """What is varied."""
    base: Point
    """The unchanged scenario, at its own values."""
    points: list[Point]
    """The points; the last field varies fastest."""
    best: Best | None = None

    @property
    def possible(self) -> int:
        """How many points the grid has."""
        return math.prod(len(each.values) for each in self.fields)

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Other values of {', '.join(axis.label for axis in self.fields)}"

    def findings(self) -> Sequence[str]:
        """Where the score is highest, and where the battle is most even."""
        if not self.points:
            return ("No value was tried.",)
        best = max(self.points, key=lambda point: point.score)
        even = min(self.points, key=lambda point: abs(point.score - 0.5))
        text = f"{self.who} scores highest with {self._values(best)}: {per_cent(best.score)}"
        gain = f"{points(best.gain)}{gain_between(best.gain95)} compared with the scenario as it is"
        gain += chosen_of(len(self.points), best.gain95)
        as_it_is = f"As it is, {self._values(self.base)}, the score is {per_cent(self.base.score)}"
        return (
            f"{text}, {gain}.",
            f"The battle is most even with {self._values(even)}: {per_cent(even.score)}.",
            f"{as_it_is}{between(self.base.interval95)}.",
        )

    def _values(self, point: Point) -> str:
        return ", ".join(
            f"{axis.label} {value_text(value)}" for axis, value in zip(self.fields, point.values, strict=False)
        )

    def shown_tables(self) -> Sequence[Table]:
        """A row for each point."""
        columns = (
            *(Column(axis.path, axis.label, self._kind(index)) for index, axis in enumerate(self.fields)),
            Column("score", "score", CellKind.SHARE, is_drawn=True),
            *interval_columns(CellKind.SHARE),
            Column("gain", "gain", CellKind.GAIN),
            *interval_columns(CellKind.GAIN, "gain_"),
        )
        rows = tuple(
            (
                *(self._cell(index, value) for index, value in enumerate(self._padded(point))),
                point.score, *point.interval95, point.gain, *point.gain95,
            )
            for point in self.points
        )  # fmt: skip
        caption = (
            f"The score of {self.who} with each value, in {self.battles:,} battles with the same dice; gains are in "
            "points, compared with the scenario as it is."
        )
        return [Table("points", caption, columns, rows)]

    def _padded(self, point: Point) -> list[Any]:
        return [*point.values, *[None] * len(self.fields)][: len(self.fields)]

    def _kind(self, index: int) -> CellKind:
        values = [self._padded(point)[index] for point in self.points]
        if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            return CellKind.WHOLE
        return CellKind.NUMBER if all(map(_is_number, values)) else CellKind.TEXT

    def _cell(self, index: int, value: Any) -> Any:
        return value_text(value) if self._kind(index) is CellKind.TEXT else value

    def figures(self, look: Theme) -> Sequence[Chart]:
        """A line over one numeric axis, bars over one axis of words, a grid over two; more axes have only the table."""
        if not self.points:
            return []
        if len(self.fields) == 1:
            return [self._line(look) if self._kind(0) is not CellKind.TEXT else self._bars(look)]
        if len(self.fields) == 2:
            return self._grid(look)
        return []

    def _line(self, look: Theme) -> Chart:
        import altair as alt

        axis = self.fields[0]
        data = [
            {"value": point.values[0], "score": point.score, "low": point.interval95[0], "high": point.interval95[1]}
            for point in self.points
            if point.values
        ]
        colour = look.side(self.side)
        values = [each["value"] for each in data]
        across = alt.Scale(domain=[min(values), max(values)], nice=False)
        base = alt.Chart(alt.InlineData(values=data)).encode(x=alt.X("value:Q", title=axis.label, scale=across))
        down = alt.Y("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%", tickCount=5))
        band = base.mark_area(color=colour, opacity=0.22).encode(y=down, y2=alt.Y2("high:Q"))
        line = base.mark_line(color=colour, strokeWidth=2.2, point={"color": colour, "size": 30}).encode(
            y=alt.Y("score:Q")
        )
        even = alt.Chart(alt.InlineData(values=[{"even": 0.5}])).mark_rule(
            color=look.ink, opacity=0.5, strokeDash=[4, 4]
        )
        chart = alt.layer(band, even.encode(y=alt.Y("even:Q")), line)
        caption = f"The score of {self.who} by {axis.path}; the band is the 95% interval, the dashed line is even."
        return Chart(
            "sweep", f"Score by {axis.label}", caption, chart.properties(width=look.width, height=230, autosize=FITTED)
        )

    def _bars(self, look: Theme) -> Chart:
        axis, colour = self.fields[0], look.side(self.side)
        rows = [
            Bar(
                value_text(point.values[0]) if point.values else "",
                point.score,
                point.interval95,
                colour,
                per_cent(point.score),
            )
            for point in first(self.points)
        ]
        caption = f"The score of {self.who} by {axis.path}; lines are 95% intervals."
        return Chart("sweep", f"Score by {axis.label}", caption, bars(rows, look, "score", ends=(0, 1)))

    def _grid(self, look: Theme) -> Sequence[Chart]:
        down, across = self.fields
        if not across.values or len(across.values) > MOST_COLUMNS or len(self.points) > MOST_SQUARES:
            return []
        found = {
            (value_text(point.values[0]), value_text(point.values[1])): point
            for point in self.points
            if len(point.values) == 2
        }
        squares = []
        for row in down.values:
            for column in across.values:
                point = found.get((value_text(row), value_text(column)))
                squares.append(Square(value_text(column), value_text(row), None if point is None else point.score))
        chart = grid(squares, look, columns=len(across.values), across=across.label, down=down.label)
        caption = f"The score of {self.who} in per cent: {down.path} down, {across.path} across."
        return [Chart("sweep", f"Score by {down.label} and {across.label}", caption, chart)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
