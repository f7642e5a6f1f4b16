"""Entries of relics: a build."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from fracas.content.field_types import Id
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.content.validate import Model
from fracas.rulesets.contract.player_entries import EntryKind, Piece
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.models.items import Item
from fracas.rulesets.relics.content.places import PLACES, path_in, pieces_of, worn_in
from fracas.rulesets.relics.rules.constants import MAX_FOOD, MAX_ITEMS, MAX_UPGRADES


class RelicsEntry(Model):
    """A relics entry: a build of content items, all of the normal tier."""

    weapon: Id | None = None
    """The id of a weapon."""
    upgrades: Annotated[list[Id], Field(max_length=MAX_UPGRADES)] = []
    """Ids of upgrades."""
    items: Annotated[list[Id], Field(max_length=MAX_ITEMS)] = []
    """Ids of items, in the order in which they act."""
    food: Annotated[list[Id], Field(max_length=MAX_FOOD)] = []
    """Ids of food."""


class RelicsEntries(EntryKind):
    """Builds."""

    model = RelicsEntry
    content = "items"
    what = "piece"
    side = "left"

    def pieces(self, entry: RelicsEntry) -> Iterator[Piece]:
        yield from (Piece(path, name) for path, _, name in pieces_of(entry))

    def free_places(self, entry: RelicsEntry) -> Iterator[str]:
        for key, place in PLACES.items():
            worn = len(worn_in(entry, key))
            if worn < place.room:
                yield path_in(key, worn)

    def fits(self, path: str, piece: Item) -> bool:
        return piece.bucket == PLACES[path.partition(".")[0]].bucket

    def scenario(self, entry: RelicsEntry, code: str, library: Library) -> Document:
        return {"left": {"name": code, **to_plain(entry)}, "right": {"name": "opposite"}}
