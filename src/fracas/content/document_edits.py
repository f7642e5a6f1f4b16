"""Edit resolved documents: make changed copies that share their unchanged parts with the original."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from fracas.content.references import LONGEST_NUMBERED
from fracas.errors.suggestions import listed, quoted

Document = dict[str, Any]


def get_path(document: Any, path: Sequence[str]) -> Any:
    """Get the value at a path; None if there is none. Entries of a list count from 0."""
    for part in path:
        if isinstance(document, list):
            index = int(part) if part.isdecimal() else len(document)
            document = document[index] if index < len(document) else None
        else:
            document = document.get(part) if isinstance(document, dict) else None
    return document


def with_value(document: Document, path: Sequence[str], value: Any) -> Document:
    """Copy a document with a value set at a path. Missing tables are created; None removes a key."""
    if value is None and get_path(document, path) is None:
        return document
    changed: Document = _placed(document, path, value)
    return changed


def _placed(here: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(here, list):
        index = int(first)
        return [*here[:index], _placed(here[index], rest, value), *here[index + 1 :]]
    table = here or {}
    if not rest and value is None:
        return {key: each for key, each in table.items() if key != first}
    return {**table, first: _placed(table.get(first), rest, value)}


def merged(document: Document, brought: Mapping[str, Any]) -> Document:
    """Copy a document with values added; tables are merged, and existing values stay."""
    changed = dict(document)
    for key, value in brought.items():
        there = changed.get(key)
        if isinstance(there, dict) and isinstance(value, Mapping):
            changed[key] = merged(there, value)
        else:
            changed.setdefault(key, value)
    return changed


def check_known(names: Iterable[str], known: Container[str], what: str) -> None:
    """Check, in a validator, that all names used are known.

    Raises:
        ValueError: a name is unknown.
    """
    lost = [quoted(name) for name in dict.fromkeys(names) if name not in known]
    if lost:
        raise ValueError(f"uses the {what} {listed(lost, 'and')}, which it does not include")


def free_name(name: str, taken: Container[str]) -> str:
    """Find a free name: the name itself, or with the first free number from 2 appended."""
    if name not in taken:
        return name
    ends = (f"-{number}" for number in count(2))
    cut = (f"{name[: LONGEST_NUMBERED - len(end)]}{end}" for end in ends)
    return next(each for each in cut if each not in taken)


class Bundle(NamedTuple):
    """Entries that are merged into another table."""

    names: dict[str, str]
    """The new name of each entry, by its old name."""
    entries: dict[str, Document]
    """The entries, by their new name."""


def bring_along(entries: Mapping[str, Document], there: Mapping[str, Document], names: Iterable[str]) -> Bundle:
    """Select entries and rename them so that they do not clash with existing ones.

    A name changes only if a different entry already has it. Ids inside entries are ignored in the comparison.
    """
    found: dict[str, str] = {}
    taken = {*there, *entries}
    for name in dict.fromkeys(names):
        if name not in there or there[name] == entries[name]:
            found[name] = name
            continue
        wanted = {key: value for key, value in entries[name].items() if key != "id"}
        alike = (key for key, entry in there.items() if {k: v for k, v in entry.items() if k != "id"} == wanted)
        found[name] = next(alike, None) or free_name(name, taken)
        taken.add(found[name])
    return Bundle(found, {new: {**entries[name], "id": new} for name, new in found.items()})
