"""Finds unknown names in stacks content and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.references import Reference, list_of, mention, table_of
from fracas.errors import Problem
from fracas.errors.suggestions import visible
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.content.models import ContentFile
from fracas.rulesets.stacks.content.world_checks import draft_problems

DEFAULT_PROFILE = "seed"
# The word for an entry of each kind in messages.
TITLES = {"groups": "group of units", "types": "unit type", "worlds": "world", "profiles": "profile"}
# A world in its own file is called by the file's name.
FILE_ENDINGS = (".toml", ".json")

CATALOGUE = Catalogue("stacks", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for


def entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that an entry of the content refers to."""
    match kind:
        case "types":
            yield from _mention("group", "groups", entry.get("group"))
        case "worlds":
            yield from _world_mentions(entry)
        case "profiles":
            yield from _mention("base", "profiles", entry.get("base"))


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The unknown names in a scenario, and the problems of its world's valid parts, even if other parts are invalid."""
    yield from draft_problems(document, where)
    types = {**library.of("types"), **table_of(document.get("types"))}
    known = {**library.entries, "types": types}
    yield from unresolved_references(_scenario_mentions(document), known, f"{where}: ")


def _scenario_mentions(document: Document) -> Iterator[Reference]:
    world = document.get("world")
    if not (isinstance(world, str) and world.endswith(FILE_ENDINGS)):
        yield from _mention("world", "worlds", document.get("world"))
    yield from _world_mentions(document)
    for key, entry in table_of(document.get("types")).items():
        yield from _mention(f"types.{visible(str(key))}.group", "groups", table_of(entry).get("group"))


def _world_mentions(world: Mapping[Any, Any]) -> Iterator[Reference]:
    """The unit types that units of a world need because they are not complete."""
    for index, stack in enumerate(list_of(world.get("stacks"))):
        for number, unit in enumerate(list_of(table_of(stack).get("units"))):
            path = f"stacks.{index}.units.{number}"
            yield from _mention(path, "types", unit)
            if not is_written_out(table_of(unit)):
                yield from _mention(f"{path}.type", "types", table_of(unit).get("type"))


def is_written_out(unit: Mapping[Any, Any]) -> bool:
    """Whether a unit has all values of a unit type itself, so that its type is only a name."""
    needed = ("attack", "defence", "damage", "health", "initiative", "moves")
    return all(unit.get(key) is not None for key in needed) and any(unit.get(key) for key in ("id", "name"))


def _mention(path: str, kind: str, value: Any) -> Iterator[Reference]:
    return mention(path, kind, TITLES[kind], value)
