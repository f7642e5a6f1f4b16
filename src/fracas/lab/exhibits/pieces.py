"""Parts that the figures of several commands have: bars with intervals, histograms, heat maps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fracas.lab.exhibits.shapes import Look

if TYPE_CHECKING:
    from fracas.lab.exhibits.shapes import Chart

# More bars than this nobody reads; the table has them all.
MOST_BARS = 24
MOST_BINS = 60
ROW = 26


@dataclass(frozen=True)
class Bar:
    """A named value with its interval, and the colour it is drawn in."""

    label: str
    value: float
    interval: tuple[float, float] | None
    colour: str
    told: str
    """The value as it is written beside the bar."""


def bars(rows: Sequence[Bar], look: Look, axis: str, *, ends: tuple[float, float], form: str = ".0%") -> Chart:
    """Bars from zero in the order of the rows, intervals as lines over them, values beside them."""
    import altair as alt

    low, high = ends
    data = [
        {
            "place": place,
            "label": label,
            "value": row.value,
            "low": row.interval[0] if row.interval else row.value,
            "high": row.interval[1] if row.interval else row.value,
            "colour": row.colour,
            "told": row.told,
        }
        for place, (row, label) in enumerate(zip(rows, distinct([row.label for row in rows]), strict=True))
    ]
    base = alt.Chart(alt.InlineData(values=data))
    order = alt.EncodingSortField(field="place", order="ascending")
    down = alt.Y("label:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False))
    scale = alt.Scale(domain=[low, high], nice=False)
    drawn = base.mark_bar(height={"band": 0.62}, cornerRadiusEnd=2).encode(
        x=alt.X("value:Q", title=axis, scale=scale, axis=alt.Axis(format=form)),
        y=down,
        color=alt.Color("colour:N", scale=None, legend=None),
    )
    reach = base.mark_rule(strokeWidth=1.6, color=look.ink, opacity=0.75).encode(x="low:Q", x2="high:Q", y=down)
    told = base.mark_text(align="right", baseline="middle", color=look.ink).encode(
        x=alt.value(look.width - look.labels - 24), y=down, text="told:N"
    )
    layers = (drawn, reach) if look.is_narrow else (drawn, reach, told)
    return alt.layer(*layers).properties(width=look.width - look.labels - 24, height=alt.Step(ROW))


def histogram(
    groups: Iterable[tuple[str, str, Sequence[tuple[int, int]]]], look: Look, across: str, *, height: int = 180
) -> Chart:
    """How many battles had which value: for each name and colour, pairs of a value and a count.

    Values are binned where there are many; each name has a panel of its own.
    """
    import altair as alt

    groups = [(name, colour, list(pairs)) for name, colour, pairs in groups]
    values = [value for _, _, pairs in groups for value, _ in pairs]
    least, most = min(values, default=0), max(values, default=0)
    step = bin_step(most - least + 1, MOST_BINS // (2 if look.is_narrow else 1))
    data = []
    for place, (name, colour, pairs) in enumerate(groups):
        binned: dict[int, int] = {}
        whole = sum(count for _, count in pairs) or 1
        for value, count in pairs:
            start = value // step * step
            binned[start] = binned.get(start, 0) + count
        data += [
            {"group": name, "place": place, "from": start, "to": start + step, "share": count / whole, "colour": colour}
            for start, count in sorted(binned.items())
        ]
    ends = [least // step * step, most // step * step + step]
    inner = look.width - 64
    drawn = (
        alt.Chart(alt.InlineData(values=data))
        .mark_bar(binSpacing=1 if len(set(values)) <= MOST_BINS else 0)
        .encode(
            x=alt.X("from:Q", title=across, bin="binned", scale=alt.Scale(domain=ends, nice=False)),
            x2="to:Q",
            y=alt.Y("share:Q", title="share of battles", axis=alt.Axis(format=".0~%", tickCount=4)),
            color=alt.Color("colour:N", scale=None, legend=None),
        )
        .properties(width=inner, height=height)
    )
    if len(groups) == 1:
        return drawn
    panels = alt.Row(
        "group:N",
        title=None,
        sort=alt.EncodingSortField(field="place", order="ascending"),
        header=alt.Header(labelOrient="top", labelAnchor="start", labelPadding=2),
    )
    return drawn.properties(height=height // 2).facet(row=panels, spacing=10)


def bin_step(extent: int, most: int) -> int:
    """The least of 1, 2, 5, 10, 20 … with which so many bins are enough."""
    step, factors = 1, (2, 2.5, 2)
    turn = 0
    while extent / step > most:
        step = int(step * factors[turn % 3])
        turn += 1
    return step


def whole_range(values: Iterable[float], *, least: float = 0.0) -> tuple[float, float]:
    """Ends of an axis that has all values and zero, with a little room."""
    found = [0.0, *values]
    low, high = min(found), max(found)
    room = max((high - low) * 0.06, least / 2)
    return (low - room if low < 0 else 0.0, high + room if high > 0 else 0.0)


def distinct(labels: Sequence[str]) -> list[str]:
    """Labels of which no two are the same: spaces at the end, which nobody sees, tell equal ones apart."""
    found: dict[str, None] = {}
    for label in labels:
        while label in found:
            label += " "
        found[label] = None
    return list(found)


def first(rows: Sequence[Any], most: int = MOST_BARS) -> Sequence[Any]:
    """As many rows as a figure can hold."""
    return rows[:most]


@dataclass(frozen=True)
class Square:
    """A share in a grid: under which column, in which row."""

    column: str
    row: str
    share: float | None
    """None where nothing was played."""


def grid(squares: Sequence[Square], look: Look, *, columns: int, across: str | None = None) -> Chart:
    """Shares as squares, above one half in the colour of side 1, below in that of side 2, with the per cent in them."""
    import altair as alt

    data = [
        {
            "column": square.column,
            "row": square.row,
            "column_place": place % columns,
            "row_place": place // columns,
            "colour": look.side_1 if square.share is not None and square.share >= 0.5 else look.side_2,
            "strength": 0 if square.share is None else 0.06 + 0.6 * abs(2 * square.share - 1),
            "told": "" if square.share is None else f"{100 * square.share:.0f}",
        }
        for place, square in enumerate(squares)
    ]
    wide = min(64, (look.width - look.labels - 20) // columns)
    base = alt.Chart(alt.InlineData(values=data)).encode(
        x=alt.X(
            "column:N",
            title=across,
            sort=alt.EncodingSortField(field="column_place", order="ascending"),
            axis=alt.Axis(orient="top", labelAngle=0 if columns <= 2 else -45, ticks=False, domain=False),
        ),
        y=alt.Y(
            "row:N",
            title=None,
            sort=alt.EncodingSortField(field="row_place", order="ascending"),
            axis=alt.Axis(ticks=False, domain=False),
        ),
    )
    drawn = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color("colour:N", scale=None, legend=None),
        opacity=alt.Opacity("strength:Q", scale=None, legend=None),
    )
    told = base.mark_text(baseline="middle", fontSize=11 if wide >= 26 else 8, color=look.ink).encode(text="told:N")
    size = {"width": alt.Step(wide), "height": alt.Step(min(wide, 24) if columns > 2 else 22)}
    return alt.layer(drawn, told).properties(**size)
