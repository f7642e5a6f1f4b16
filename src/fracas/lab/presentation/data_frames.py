"""Converts tables to Polars data frames and to text cells."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from fracas.errors import UsageError
from fracas.events.styled_text import clipped
from fracas.lab.presentation.types import CERTAIN, IN_A_CELL, INTERVAL_ENDS, CellKind, Column, Table, short

if TYPE_CHECKING:
    import polars

LIBRARIES = {"polars": "tables", "altair": "charts", "jinja2": "reports", "vl_convert": "drawn charts"}

# A probability below this is not shown more exactly: 0.000 would read as impossible.
LEAST_CHANCE = 0.001


def require_library(*libraries: str) -> None:
    """Check that libraries of the extra `report` are installed.

    Raises:
        InputError: one is not; names the extra.
    """
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            raise UsageError.of(
                "report", f"{LIBRARIES[library]} need the library {library}", "pip install 'fracas[report]'"
            )


def frame(table: Table) -> polars.DataFrame:
    """Convert a table to a Polars data frame: shares from 0 to 1, differences of shares from -1 to 1.

    Raises:
        InputError: the table library is not installed.
    """
    require_library("polars")
    import polars as pl

    types: dict[CellKind, Any] = {CellKind.TEXT: pl.String, CellKind.WHOLE: pl.Int64, CellKind.FLAG: pl.Boolean}
    schema = {column.key: types.get(column.kind, pl.Float64) for column in table.columns}
    return pl.DataFrame([list(row) for row in table.rows], schema=schema, orient="row")


def cell_text(column: Column, value: Any) -> str:
    """A cell's value as text; empty for None."""
    if value is None:
        return ""
    match column.kind:
        case CellKind.WHOLE:
            return f"{value:,}"
        case CellKind.NUMBER:
            return f"{value:,.2f}"
        case CellKind.SHARE:
            return f"{value:.2%}"
        case CellKind.WHOLE_SHARE:
            return f"{100 * value:.0f}"
        case CellKind.EXACT:
            return f"{value:.6%}"
        case CellKind.GAIN:
            return f"{round(100 * value, 2) + 0.0:+.2f}"
        case CellKind.CHANCE:
            return f"{value:.3f}" if value >= LEAST_CHANCE else f"<{LEAST_CHANCE}"
        case CellKind.FLAG:
            return "yes" if value else "no"
        case CellKind.TEXT:
            return short(str(value), IN_A_CELL)


@dataclass(frozen=True)
class Cells:
    """A table as texts: a column's heading, the number of the table's column, and a cell for each row."""

    headings: list[str]
    places: list[int]
    numbers: list[bool]
    """Which columns hold numbers, and stand on the right."""
    rows: list[list[str]]


def cells_of(table: Table, most: int | None = None) -> Cells:
    """The first rows of a table as texts. The two ends of an interval become one cell."""
    every = range(len(table.columns))
    ends = [place for place in every if _begins_interval(table.columns[place : place + 2])]
    places = [place for place in every if place - 1 not in ends]

    def text(row: tuple[Any, ...], place: int) -> str:
        first = cell_text(table.columns[place], row[place])
        if place not in ends or not first:
            return first
        second = cell_text(table.columns[place + 1], row[place + 1])
        return CERTAIN if row[place] == row[place + 1] else f"{first} to {second}"

    headings = [table.columns[place].heading for place in places]
    return Cells(
        [heading.replace(INTERVAL_ENDS[0], "95% interval") if place in ends else heading
         for place, heading in zip(places, headings, strict=True)],
        places,
        [table.columns[place].kind not in (CellKind.TEXT, CellKind.FLAG) for place in places],
        [[text(row, place) for place in places] for row in table.rows[:most]],
    )  # fmt: skip


def _begins_interval(columns: Sequence[Column]) -> bool:
    """Whether two columns are the ends of an interval, by their headings."""
    return len(columns) == 2 and columns[0].heading.startswith("95% ") and columns[1].heading == INTERVAL_ENDS[1]


def few(table: Table, most: int) -> Table:
    """A table with at most so many rows: the first ones, or of a course some at equal distances and the last."""
    if len(table.rows) <= most:
        return table
    if not table.is_course:
        return replace(table, rows=table.rows[:most])
    step = -(-len(table.rows) // (most - 1))
    last = len(table.rows) - 1
    return replace(table, rows=tuple(row for index, row in enumerate(table.rows) if index == last or not index % step))


def row_sign(table: Table, row: Sequence[Any]) -> int:
    """1 for a row whose gain is surely above nothing, -1 for one surely below, 0 for all others."""
    for index, column in enumerate(table.columns[:-1]):
        is_interval = column.kind is CellKind.GAIN and table.columns[index + 1].heading == INTERVAL_ENDS[1]
        if is_interval and row[index] is not None:
            return int(row[index] > 0) - int(row[index + 1] < 0)
    return 0


def lengths(table: Table, index: int) -> list[tuple[int, int] | None]:
    """How long the bar of each row is in a drawn column, as a part and the whole; None for no bar.

    Shares are parts of one; gains that are surely above or below nothing are parts of the largest one.
    """
    values = [row[index] for row in table.rows]
    if table.columns[index].kind is not CellKind.GAIN:
        return [None if share is None else (round(share * 10_000), 10_000) for share in values]
    gains = [
        round(abs(gain) * 10_000) if gain is not None and row_sign(table, row) else 0
        for gain, row in zip(values, table.rows, strict=True)
    ]
    return [(gain, max(gains)) if gain else None for gain in gains]


# Longer values are cut.
LONGEST_VALUE = 60


def value_text(value: Any) -> str:
    """A scenario's value on one line, as users write it; a long table by its name."""
    match value:
        case str():
            text = value
        case bool() | None:
            text = msgspec.json.encode(value).decode()
        case int():
            text = f"{value:,}"
        case float():
            text = f"{value:g}"
        case _:
            text = msgspec.json.encode(value).decode()
            if isinstance(value, dict) and len(text) > LONGEST_VALUE:
                text = str(value.get("name") or value.get("id") or f"a table of {len(value)} keys")
    return clipped(text, LONGEST_VALUE)
