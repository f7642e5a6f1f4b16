"""Markdown tables of declared events and code books, for the rule books and the reference."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from fracas.kernel.event_log import COLUMNS
from fracas.kernel.event_protocol import FieldPlan, Protocol


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; no cell can end early or go on in another line."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    # A backslash before a bar would make the one that escapes it a backslash.
    return re.sub(r"\s*\n\s*", " ", text).replace("\\|", "&#92;|").replace("|", "\\|")


def event_table(protocol: Protocol) -> str:
    """A table of every event kind: its number, its name and its columns."""
    return table(("kind", "name", "when", "columns"), _event_rows(protocol))


def _event_rows(protocol: Protocol) -> Iterator[tuple[str, str, str, str]]:
    for kind, declared in sorted(protocol.kinds.items()):
        summary = (declared.__doc__ or "").strip().splitlines()[0]
        columns = "; ".join(_column(plan) for plan in protocol.plan(kind))
        yield str(kind), f"`{declared.NAME}`", summary, columns or "–"


def _column(plan: FieldPlan) -> str:
    column = COLUMNS[plan.column]
    if plan.is_word:
        following = COLUMNS[plan.column + 1]
        return f"{column}, {following} = `{plan.name}`: {plan.doc}, its low and its high 16 bits"
    if plan.is_double:
        following = COLUMNS[plan.column + 1]
        return f"{column}, {following} = `{plan.name}`: {plan.doc}, the low and the high half of the double"
    if column == plan.name:
        return column
    note = f"{plan.doc} (0 or 1)" if plan.is_flag else plan.doc
    return f"{column} = `{plan.name}`: {note}"


def type_table(protocol: Protocol) -> str:
    """A table of the class of every event kind, with the types of its own attributes."""
    return table(("class", "`NAME`", "attributes"), _type_rows(protocol))


def _type_rows(protocol: Protocol) -> Iterator[tuple[str, str, str]]:
    for _, declared in sorted(protocol.kinds.items()):
        hints = typing.get_type_hints(declared)
        own = [f"`{each.name}: {_type_name(hints[each.name])}`" for each in fields(declared) if each.name != "tick"]
        yield f"`{declared.__name__}`", f"`{declared.NAME}`", ", ".join(own) or "–"


def _type_name(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind)


def code_table(books: Mapping[str, Sequence[Any]]) -> str:
    """A table of the names behind the numbers in event rows."""
    rows = [
        (f"`{name}`", "; ".join(f"{code} {word}" for code, word in enumerate(words) if word))
        for name, words in books.items()
    ]
    return table(("code of", "numbers"), rows)
