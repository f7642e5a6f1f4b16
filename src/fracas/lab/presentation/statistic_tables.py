"""Turns a ruleset's own statistics into tables: lists of objects with any keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fracas.lab.presentation.types import CellKind, Column, Table

# A terminal leaves these out where another column names the row.
FOR_PROGRAMS = ("id", "total")


def statistic_tables(
    statistics: dict[str, list[dict[str, Any]]], ruleset: str, titles: Mapping[str, str]
) -> Iterable[Table]:
    """Tables of the ruleset's own statistics: lists of objects with the same keys, except for reasons."""
    for name, rows in statistics.items():
        if name == "endings":
            continue
        keys = list(dict.fromkeys(key for row in rows for key in row if not isinstance(row[key], dict)))
        columns: list[Column] = []
        cells: list[list[Any]] = [[] for _ in rows]
        for key in keys:
            values = [row.get(key) for row in rows]
            for column, filled in _columns(key, values):
                columns.append(column)
                for row_cells, value in zip(cells, filled, strict=True):
                    row_cells.append(value)
        if any(column.kind is CellKind.TEXT and column.key not in FOR_PROGRAMS for column in columns):
            columns = [replace(column, is_detail=column.key in FOR_PROGRAMS) for column in columns]
        if columns:
            title = titles.get(name) or f"{_heading(name)}, as {ruleset} counts them"
            yield Table(
                f"statistics.{name}", f"{title[:1].upper()}{title[1:]}.", tuple(columns), tuple(map(tuple, cells))
            )


def _columns(key: str, values: list[Any]) -> Iterable[tuple[Column, list[Any]]]:
    """The columns for one key of a list of objects."""
    present = [value for value in values if value is not None]
    if key == "interval95" and all(_is_pair(value) for value in present):
        yield Column("low", "95% from", CellKind.SHARE), [value and value[0] for value in values]
        yield Column("high", "to", CellKind.SHARE), [value and value[1] for value in values]
    elif any(isinstance(value, list | dict) for value in present):
        return
    elif all(isinstance(value, bool) for value in present):
        yield Column(key, _heading(key), CellKind.FLAG), values
    elif all(isinstance(value, int) and not isinstance(value, bool) for value in present):
        yield Column(key, _heading(key), CellKind.WHOLE), values
    elif all(isinstance(value, int | float) and not isinstance(value, bool) for value in present):
        is_share = key == "share" or key.startswith("of_")
        yield Column(key, _heading(key), CellKind.SHARE if is_share else CellKind.NUMBER), values
    else:
        yield Column(key, _heading(key)), [None if value is None else str(value) for value in values]


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, int | float) for end in value)


def _heading(key: str) -> str:
    return " ".join("HP" if word == "hp" else word for word in key.split("_"))
