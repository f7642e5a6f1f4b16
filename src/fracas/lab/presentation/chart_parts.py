"""Chart parts that several commands share: bars with intervals, histograms, heat maps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fracas.lab.presentation.types import Theme, points

if TYPE_CHECKING:
    from fracas.lab.presentation.types import AltairChart

# More bars than this are unreadable; the table has all of them.
MOST_BARS = 24
ROW = 26
# The width is that of the whole drawing, including its axes.
FITTED: Any = {"type": "fit-x", "contains": "padding"}


@dataclass(frozen=True)
class Panel:
    """A distribution: for each bin its least value, its largest value and the number of battles."""

    title: str
    colour: str
    bins: Sequence[tuple[int, int, int]]


# Room for three digits in readable letters.
LEAST_SQUARE = 26


@dataclass(frozen=True)
class Bar:
    """A named value with its interval and colour."""

    label: str
    value: float
    interval: tuple[float, float] | None
    colour: str
    value_text: str
    """The text of the value next to the bar."""


def bars(rows: Sequence[Bar], look: Theme, axis: str, *, ends: tuple[float, float], form: str = ".0%") -> AltairChart:
    """Horizontal bars from zero in the order of the rows, with interval lines and values."""
    import altair as alt

    low, high = ends
    room = (high - low) * (0.3 if look.is_narrow else 0.14)
    data = [
        {
            "place": number,
            "label": label,
            "value": row.value,
            "low": row.interval[0] if row.interval else row.value,
            "high": row.interval[1] if row.interval else row.value,
            "end": max(row.interval[1] if row.interval else row.value, row.value, 0),
            "colour": row.colour,
            "text": row.value_text,
        }
        for number, (row, label) in enumerate(zip(rows, distinct([row.label for row in rows]), strict=True))
    ]
    base = alt.Chart(alt.InlineData(values=data))
    order = alt.EncodingSortField(field="place", order="ascending")
    down = alt.Y("label:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False))
    scale = alt.Scale(domain=[low, high + room], nice=False)
    across = alt.Axis(format=form, values=ticks(low, high, 3 if look.is_narrow else 6))
    drawn = base.mark_bar(height={"band": 0.62}, cornerRadiusEnd=2).encode(
        x=alt.X("value:Q", title=axis, scale=scale, axis=across),
        y=down,
        color=alt.Color("colour:N", scale=None, legend=None),
    )
    reach = base.mark_rule(strokeWidth=1.6, color=look.ink, opacity=0.8).encode(
        x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=down
    )
    texts = base.mark_text(align="left", baseline="middle", dx=6).encode(
        x=alt.X("end:Q"), y=down, text=alt.Text("text:N")
    )
    return alt.layer(drawn, reach, texts).properties(width=look.width, height=alt.Step(ROW), autosize=FITTED)


def gain_bars(
    gains: Sequence[tuple[str, float, tuple[float, float] | None]],
    look: Theme,
    side: int,
    axis: str,
    *,
    least: float = 0.02,
    form: str = "+.0%",
) -> AltairChart:
    """Gains with their intervals as bars in a side's colour; the axis spans at least `least`."""
    rows = [
        Bar(label, gain, interval, look.side(side), points(gain).removesuffix(" points"))
        for label, gain, interval in gains
    ]
    ends = whole_range([end for _, gain, interval in gains for end in interval or (gain,)], least=least)
    return bars(rows, look, axis, ends=ends, form=form)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two values: few enough to read, including zero if it lies there."""
    power = math.floor(math.log10(max(high - low, 1e-9)))
    steps = (digit * 10.0**exponent for exponent in (power - 1, power, power + 1) for digit in (1, 2, 2.5, 5))
    step = next(step for step in steps if (high - low) / step <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def histogram(panels: Sequence[Panel], look: Theme, across: str) -> AltairChart:
    """Histograms of how many battles had each value, one panel below the other."""
    import altair as alt

    if len(panels) == 1:
        return _panel(panels[0], look, across, 170).properties(width=look.width, autosize=FITTED)
    # Drawings of several parts do not fit themselves: this is about the width of the axis of shares.
    drawn = [_panel(panel, look, across, 110).properties(width=look.width - 58) for panel in panels]
    return alt.vconcat(*drawn, spacing=14)


def _panel(panel: Panel, look: Theme, across: str, height: int) -> AltairChart:
    import altair as alt

    whole = sum(count for _, _, count in panel.bins) or 1
    data = [
        {"place": number, "bin": str(low) if low == high else f"{low}–{high}", "share": count / whole}
        for number, (low, high, count) in enumerate(panel.bins)
    ]
    is_long = any(len(str(each["bin"])) > 3 for each in data)
    axis = alt.Axis(labelAngle=-50 if is_long else 0, labelOverlap="parity", ticks=False, labelLimit=90)
    drawn = alt.Chart(alt.InlineData(values=data)).mark_bar(color=panel.colour, cornerRadiusEnd=2)
    properties: dict[str, Any] = {"title": panel.title} if panel.title else {}
    return drawn.encode(
        x=alt.X("bin:O", title=across, sort=None, axis=axis, scale=alt.Scale(paddingInner=0.08)),
        y=alt.Y("share:Q", title="battles", axis=alt.Axis(format=".0~%", tickCount=4)),
    ).properties(height=height, **properties)


def whole_range(values: Iterable[float], *, least: float = 0.0) -> tuple[float, float]:
    """The ends of an axis that holds all values and zero, with a little room."""
    seen = [0.0, *values]
    low, high = min(seen), max(seen)
    room = max((high - low) * 0.06, least / 2)
    return (low - room if low < 0 else 0.0, high + room if high > 0 else 0.0)


def distinct(labels: Sequence[str]) -> list[str]:
    """Make labels unique: invisible spaces at the end tell equal ones apart."""
    seen: dict[str, None] = {}
    for label in labels:
        while label in seen:
            label += " "
        seen[label] = None
    return list(seen)


def first(rows: Sequence[Any], most: int = MOST_BARS) -> Sequence[Any]:
    """As many rows as a figure can show."""
    return rows[:most]


@dataclass(frozen=True)
class Square:
    """A share in a grid, with its column and row."""

    column: str
    row: str
    share: float | None
    """None if nothing was played."""


def grid(
    squares: Sequence[Square], look: Theme, *, columns: int, across: str | None = None, down: str | None = None
) -> AltairChart:
    """A heat map of shares, above one half in side 1's colour, below in side 2's, with each square's percentage."""
    import altair as alt

    data = [
        {
            "column": square.column,
            "row": square.row,
            "column_place": number % columns,
            "row_place": number // columns,
            "colour": look.side_1 if square.share is not None and square.share >= 0.5 else look.side_2,
            "strength": 0 if square.share is None else 0.06 + 0.6 * abs(2 * square.share - 1),
            "text": "" if square.share is None else f"{100 * square.share:.0f}",
        }
        for number, square in enumerate(squares)
    ]
    wide = min(110, max(LEAST_SQUARE, (look.width - look.labels - 20) // columns))
    is_level = all(len(square.column) * 7 < wide for square in squares)
    base = alt.Chart(alt.InlineData(values=data)).encode(
        x=alt.X(
            "column:N",
            title=across,
            sort=alt.EncodingSortField(field="column_place", order="ascending"),
            axis=alt.Axis(orient="top", labelAngle=0 if is_level else -45, ticks=False, domain=False),
        ),
        y=alt.Y(
            "row:N",
            title=down,
            sort=alt.EncodingSortField(field="row_place", order="ascending"),
            axis=alt.Axis(ticks=False, domain=False),
        ),
    )
    drawn = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color("colour:N", scale=None, legend=None),
        opacity=alt.Opacity("strength:Q", scale=None, legend=None),
    )
    texts = base.mark_text(baseline="middle", fontSize=11, color=look.ink).encode(text=alt.Text("text:N"))
    # As wide as its figures need; if there is less room, the page scrolls it.
    size = {"width": alt.Step(wide), "height": alt.Step(24)}
    return alt.layer(drawn, texts).properties(**size)
