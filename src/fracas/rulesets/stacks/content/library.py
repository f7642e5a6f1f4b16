"""The content that stacks' scenarios refer to, and every name that leads nowhere."""

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
# How messages call one entry of each kind.
TITLES = {"groups": "group of units", "types": "unit type", "worlds": "world", "profiles": "profile"}
# A world that stands in a file of its own is named by it.
FILE_ENDINGS = (".toml", ".json")

CATALOGUE = Catalogue("stacks", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for
library_around = CATALOGUE.library_around


def dangling_references(library: Library, origin: str | None = None) -> Iterator[Problem]:
    """What refers to something that is not there, in all of a library or in the entries of one of its files."""
    return CATALOGUE.dangling_references(library, _entry_mentions, origin)


def _entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that an entry of the content refers to by its own keys."""
    match kind:
        case "types":
            yield from _mention("group", "groups", entry.get("group"))
        case "worlds":
            yield from _world_mentions(entry)
        case "profiles":
            yield from _mention("base", "profiles", entry.get("base"))


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The names in a scenario that lead nowhere, and what else a world's sound parts show, whatever may be wrong."""
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
    """The unit types of all stacks that a world names without saying everything itself."""
    for place, stack in enumerate(list_of(world.get("stacks"))):
        for number, unit in enumerate(list_of(table_of(stack).get("units"))):
            path = f"stacks.{place}.units.{number}"
            yield from _mention(path, "types", unit)
            if not is_written_out(table_of(unit)):
                yield from _mention(f"{path}.type", "types", table_of(unit).get("type"))


def is_written_out(unit: Mapping[Any, Any]) -> bool:
    """Whether a unit says itself all that a unit type would say of it, so that its type is only what it is called."""
    needed = ("attack", "defence", "damage", "health", "initiative", "moves")
    return all(unit.get(key) is not None for key in needed) and any(unit.get(key) for key in ("id", "name"))


def _mention(path: str, kind: str, value: Any) -> Iterator[Reference]:
    return mention(path, kind, TITLES[kind], value)
