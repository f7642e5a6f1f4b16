"""A ruleset's shipped content as Markdown: one table for each kind, read from the library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from fracas.content.packs import Library
from fracas.events.markdown import table
from fracas.rulesets.contract.ruleset import Ruleset

# Kinds with their own page, which document_relics.py writes.
WITH_PAGES = {("relics", "items"), ("relics", "sets"), ("relics", "statuses")}
# Fields covered by other columns, or too long for a cell.
APART = ("id", "name", "note", "text")
# Fields covered by a ruleset's texts of its entries, if it has any.
IN_TEXTS = ("flags", "unique")
# Keys that name an entry of a list, in order of preference.
LABELS = ("template", "id", "skill", "ability", "item", "type", "condition", "stat", "stage", "name")
RANGE = ["min", "max"]


def content_page(ruleset: Ruleset) -> str:
    """The page of a ruleset's content: how much there is of every kind, and tables of the entries."""
    library = ruleset.read_library(None, [])
    kinds = [kind for kind in ruleset.models.content.model_fields if library.of(kind)]
    return "\n\n".join(kind_section(ruleset, library, kind) for kind in kinds)


def kind_section(ruleset: Ruleset, library: Library, kind: str) -> str:
    """The entries of one kind, with values that fit in cells; unused fields have no column."""
    entries = list(library.of(kind).values())
    files = sorted({Path(library.origins[kind, entry.id]).name for entry in entries})
    head = f"## {plain(kind).capitalize()}\n\n{len(entries)}, in {', '.join(f'`{name}`' for name in files)}."
    if (ruleset.name, kind) in WITH_PAGES:
        return f"{head} See the [table of {plain(kind)}]({ruleset.name}/{kind}.md)."
    texts = [" ".join(ruleset.describe_entry(entry)) for entry in entries]
    apart = (*APART, *(IN_TEXTS if any(texts) else ()))
    columns: dict[str, list[str]] = {"id": [f"`{entry.id}`" for entry in entries]}
    if hasattr(entries[0], "name"):
        columns["name"] = [entry.name for entry in entries]
    for field in type(entries[0]).model_fields:
        values = [getattr(entry, field) for entry in entries]
        cells = [cell(value) for value in values]
        if field not in apart and is_told(cells, values):
            columns[plain(field)] = [text or "" for text in cells]
    if any(texts):
        columns["does"] = texts
    noted = [getattr(entry, "note", "") or getattr(entry, "text", "") for entry in entries]
    if any(noted):
        columns["is"] = noted
    rows = zip(*columns.values(), strict=True)
    return f"{head}\n\n{table(list(columns), rows)}"


def plain(name: str) -> str:
    """A kind or a field as words."""
    return name.rstrip("_").replace("_", " ")


def is_told(cells: Sequence[str | None], values: Iterable[Any]) -> bool:
    """Whether a column fits in a table and is informative."""
    return all(each is not None for each in cells) and any(cells) and len({repr(value) for value in values}) > 1


def cell(value: Any) -> str | None:
    """A value as a cell; empty for absent values and 0, None if it does not fit."""
    match value:
        case True:
            return "yes"
        case None | 0 | "" | [] | ():
            return ""
        case int():
            return f"{value:,}"
        case str():
            return value
        case BaseModel() if list(type(value).model_fields) == RANGE:
            low, high = value.model_dump().values()
            return f"{low}-{high}" if high else ""
        case list() | tuple():
            labels = [label(each) for each in value]
            return None if None in labels else ", ".join(str(each) for each in labels)
    return None


def label(entry: Any) -> str | None:
    """The name of a list's entry; None if it has none."""
    if isinstance(entry, str | int):
        return str(entry)
    return next((str(found) for name in LABELS if (found := getattr(entry, name, None))), None)
