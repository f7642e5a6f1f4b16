"""Copies of resolved documents in which something is changed. What is not changed is shared with the original."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from fracas.content.references import LONGEST_NUMBERED
from fracas.errors.suggestions import listed, quoted

Document = dict[str, Any]


def get_path(document: Any, path: Sequence[str]) -> Any:
    """What stands at a path; None if nothing does."""
    for part in path:
        if isinstance(document, list):
            document = document[int(part)]
        elif isinstance(document, dict):
            document = document.get(part)
    return document


def with_value(document: Document, path: Sequence[str], value: Any) -> Document:
    """A copy with a value at a path. Tables on the way there come into being; None takes a key out of its table."""
    if value is None and get_path(document, path) is None:
        return document
    changed: Document = _placed(document, path, value)
    return changed


def _placed(here: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(here, list):
        place = int(first)
        return [*here[:place], _placed(here[place], rest, value), *here[place + 1 :]]
    table = here or {}
    if not rest and value is None:
        return {key: each for key, each in table.items() if key != first}
    return {**table, first: _placed(table.get(first), rest, value)}


def merged(document: Document, brought: Mapping[str, Any]) -> Document:
    """A copy that holds what is brought besides; tables are merged, and what is there already stays."""
    changed = dict(document)
    for key, value in brought.items():
        there = changed.get(key)
        if isinstance(there, dict) and isinstance(value, Mapping):
            changed[key] = merged(there, value)
        else:
            changed.setdefault(key, value)
    return changed


def check_known(names: Iterable[str], known: Container[str], what: str) -> None:
    """See that everything that is used is there; for use in validators.

    Raises:
        ValueError: something is not.
    """
    lost = [quoted(name) for name in dict.fromkeys(names) if name not in known]
    if lost:
        raise ValueError(f"uses the {what} {listed(lost, 'and')}, which it does not bring along")


def free_name(name: str, taken: Container[str]) -> str:
    """A name, or if it is taken the same with the first free number from 2 on behind it."""
    if name not in taken:
        return name
    ends = (f"-{number}" for number in count(2))
    cut = (f"{name[: LONGEST_NUMBERED - len(end)]}{end}" for end in ends)
    return next(each for each in cut if each not in taken)


class Bundle(NamedTuple):
    """Entries that are brought along to where others are."""

    names: dict[str, str]
    """By the name that an entry had the one that it has now."""
    entries: dict[str, Document]
    """By the name that they have now."""


def bring_along(entries: Mapping[str, Document], there: Mapping[str, Document], names: Iterable[str]) -> Bundle:
    """These of some entries under names with which they can stand beside what is there.

    A name stays unless something else stands under it already. An entry is the same whatever its own id says.
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
