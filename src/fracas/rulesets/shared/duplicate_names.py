"""A lint rule of all rulesets: entries that are displayed under the same name cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.packs import Library
from fracas.rulesets.contract.types import Finding


def same_names(library: Library, origin: str | None = None) -> Iterator[Finding]:
    """Find entries of one kind with the same displayed name, except the first.

    For one file (`origin`), find its entries whose name appears earlier or in another file.
    """
    for kind, entries in library.entries.items():
        for names in _by_shown_name(entries):
            files = {name: library.origins[kind, name] for name in names}
            matching = [name for name in names[1:] if origin in (None, files[name])]
            if origin == files[names[0]] and any(file != origin for file in files.values()):
                matching.insert(0, names[0])
            for name in matching:
                yield _finding(f"{files[name]}: {kind}.{name}", next(each for each in names if each != name))


def own_same_names(own: Mapping[str, Mapping[str, Any]], library: Library, where: str) -> Iterator[Finding]:
    """Find a scenario's own entries with the same displayed name as another."""
    for kind, entries in own.items():
        for names in _by_shown_name({**library.of(kind), **entries}):
            for name in [each for each in names[1:] if each in entries]:
                yield _finding(f"{where}: {kind}.{name}", names[0])


def _by_shown_name(entries: Mapping[str, Any]) -> list[list[str]]:
    """Group the ids of entries that share a displayed name, in order."""
    found: dict[str, list[str]] = {}
    for identifier, entry in entries.items():
        name = getattr(entry, "name", None) or identifier.replace("_", " ").replace("-", " ")
        found.setdefault(name.casefold(), []).append(identifier)
    return [names for names in found.values() if len(names) > 1]


def _finding(where: str, other: str) -> Finding:
    message = f'has the same displayed name as "{other}", so players cannot tell them apart'
    return Finding("same-name", f"{where}.name", message)
