"""What content says about drawing: looks of units and effects of abilities, which no record and no digest holds.

It stands in the scenario's file and in the content that it uses, and goes into pages beside what they verify. A look
belongs to everybody of a name, an effect to the ability of a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from fracas.content.packs import Library
from fracas.content.references import unkept
from fracas.engine.scenario import Scenario
from fracas.kit.game import Game

Drawing = dict[str, dict[str, Any]]
# Where a table of a scenario says what it is an entry of.
_KEYS = ("id", "type", "template")


def drawing_of(scenario: Scenario) -> Drawing:
    """`looks` by the names of units and `effects` by the names of abilities; what the scenario says comes first.

    A scenario of which only the resolved document is known, such as that of a replay, says nothing.
    """
    found: Drawing = {"looks": {}, "effects": {}}
    written = scenario.written
    if written is None:
        return found
    library = scenario.ruleset.catalogue.library_for(scenario.profile, written.folders)
    entries = [entry for kind in library.entries.values() for entry in kind.values()]
    tables = [*(_of_entry(entry) for entry in entries), *_tables(written.document, library)]
    for name, look, effect in tables:
        if look is not None:
            found["looks"][name] = look
        if effect is not None and not isinstance(scenario.ruleset, Game):
            found["effects"][name] = effect
    return found


def _of_entry(entry: BaseModel) -> tuple[str, Any, Any]:
    """The name of an entry of the content, with its look and effect."""
    look = getattr(entry, "look", None)
    plain = None if look is None else look.model_dump(exclude_none=True)
    name = getattr(entry, "name", None) or _titled(str(getattr(entry, "id", "")))
    # Games of one file may have fields of that name that mean something else.
    effect = getattr(entry, "effect", None) if "effect" in unkept(type(entry)) else None
    return str(name), plain, effect


def _tables(value: Any, library: Library) -> Iterator[tuple[str, Any, Any]]:
    """The tables of a scenario's own document that have a look or an effect, with the names of what they are of."""
    if isinstance(value, Mapping):
        look, effect = value.get("look"), value.get("effect")
        if isinstance(look, Mapping) or isinstance(effect, str):
            yield _name_of(value, library), look, effect
        for each in value.values():
            yield from _tables(each, library)
    elif isinstance(value, list):
        for each in value:
            yield from _tables(each, library)


def _name_of(table: Mapping[str, Any], library: Library) -> str:
    """What the unit or ability of a table is called."""
    if "name" in table:
        return str(table["name"])
    keys = [str(table[key]) for key in _KEYS if key in table]
    known = [entries[key] for key in keys for entries in library.entries.values() if key in entries]
    named = next((entry.name for entry in known if getattr(entry, "name", None)), None)
    return str(named or _titled(keys[0] if keys else ""))


def _titled(identifier: str) -> str:
    """An id, made readable."""
    return identifier.replace("_", " ").title()
