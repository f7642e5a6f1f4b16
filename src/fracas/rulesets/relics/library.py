"""The content that relics' scenarios refer to, and every name that leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.packs import Library, lost, one_file_library, pack_around, read_library
from fracas.content.profiles import profile_line, unfinished
from fracas.content.resolving import Mention, list_of, mention, table_of
from fracas.content.validate import validate
from fracas.errors import Problem
from fracas.rulesets.contract import Document, Source
from fracas.rulesets.relics.item_models import split_id
from fracas.rulesets.relics.models import ContentFile, Worn

DEFAULT_PROFILE = "canvas"
# How messages call one entry of each kind.
TITLES = {"items": "item", "sets": "set", "enemies": "enemy", "bosses": "boss", "profiles": "profile"}
# Where pieces are worn, by the bucket that they are of; and how messages call one of a bucket.
PLACES = {"weapon": "weapons", "upgrades": "upgrades", "items": "items", "food": "food"}
BUCKET_WORDS = {"weapons": "a weapon", "upgrades": "an upgrade", "items": "an item", "food": "food"}
SIDES = ("left", "right")


def library_for(profile: str | None, folders: Sequence[Path], where: str = "profile") -> Library:
    """The content that a profile's battles refer to: shipped, then the user's folders.

    Raises:
        InputError: every problem of every file; an unknown profile.
    """
    library = read_library("relics", ContentFile, [], folders)
    profile_line(library, profile or DEFAULT_PROFILE, where)
    return library


def library_around(document: Document, source: Source, folders: Sequence[Path]) -> Library:
    """The library in which one content file is looked at: the pack that it is part of, over all other content.

    Raises:
        InputError: everything that is wrong with the file's shape.
    """
    own = one_file_library(validate(ContentFile, document, source.where), source.where)
    beside = Library() if source.folder is None else pack_around(Path(source.where), ContentFile)
    return library_for(None, folders).over(beside).over(own)


def dangling_references(library: Library, origin: str | None = None) -> Iterator[Problem]:
    """What refers to something that is not there, in all of a library or in the entries of one of its files."""
    for kind in TITLES:
        for identifier, entry, file in library.from_file(kind, origin):
            for found in _entry_mentions(kind, entry.model_dump(by_alias=True)):
                if found.name not in library.of(found.kind):
                    where = f"{file}: {kind}.{identifier}.{found.path}"
                    yield lost(where, found.what, found.name, library.of(found.kind))
            if kind == "profiles":
                yield from unfinished(library, identifier, DEFAULT_PROFILE)


def _entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Mention]:
    """The names that an entry of the content refers to by its own keys."""
    match kind:
        case "enemies" | "bosses":
            yield from build_mentions(entry)
        case "profiles":
            yield from mention("base", "profiles", TITLES["profiles"], entry.get("base"))


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The names in a scenario that lead nowhere, whatever else may be wrong with it."""
    items = {**library.of("items"), **table_of(document.get("items"))}
    known = {**library.entries, "items": items}
    for side in SIDES:
        fighter = table_of(document.get(side))
        for found in _fighter_mentions(fighter, f"{side}."):
            if found.name not in known.get(found.kind, {}):
                yield lost(f"{where}: {found.path}", found.what, found.name, known.get(found.kind, {}))


def _fighter_mentions(fighter: Mapping[Any, Any], lead: str) -> Iterator[Mention]:
    yield from mention(f"{lead}enemy", "enemies", TITLES["enemies"], fighter.get("enemy"))
    yield from mention(f"{lead}boss", "bosses", TITLES["bosses"], fighter.get("boss"))
    yield from build_mentions(fighter, lead)


def build_mentions(build: Mapping[Any, Any], lead: str = "") -> Iterator[Mention]:
    """The items that a build wears by their ids alone."""
    for path, _, piece in pieces_of(build, lead):
        if not is_written_out(table_of(piece)):
            identifier, at = (piece, path) if isinstance(piece, str) else (table_of(piece).get("id"), f"{path}.id")
            if isinstance(identifier, str):
                yield from mention(at, "items", TITLES["items"], split_id(identifier)[1])


def pieces_of(build: Mapping[Any, Any], lead: str = "") -> Iterator[tuple[str, str, Any]]:
    """What a build, which need not be sound, wears: each with its path and its place."""
    for place in PLACES:
        value = build.get(place)
        if place == "weapon" and value is not None:
            yield f"{lead}{place}", place, value
        elif place != "weapon":
            yield from ((f"{lead}{place}.{number}", place, piece) for number, piece in enumerate(list_of(value)))


def is_written_out(piece: Mapping[Any, Any]) -> bool:
    """Whether a piece says itself what it does, so that its id need not be known."""
    return any(piece.get(key) is not None for key in Worn.model_fields if key not in ("id", "tier", "slot", "note"))


def titled(identifier: str) -> str:
    """An id as a name."""
    return identifier.replace("_", " ").replace("-", " ").title()
