"""The places of a build: a weapon, upgrades, items and food; the same in files, resolved documents and models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.content.references import list_of
from fracas.rulesets.relics.rules import constants as codes

SIDES = ("left", "right")


class Place(NamedTuple):
    """A place where pieces are worn."""

    bucket: str
    """The bucket of its pieces in the content."""
    one: str
    """A piece of the bucket in words, with its article."""
    kind: str
    """What its pieces are in events."""
    room: int
    first: int
    """The number of its first piece."""


PLACES: Mapping[str, Place] = {
    "weapon": Place("weapons", "a weapon", "weapon", 1, codes.WEAPON_PIECE),
    "upgrades": Place("upgrades", "an upgrade", "upgrade", codes.MAX_UPGRADES, codes.FIRST_UPGRADE),
    "items": Place("items", "an item", "item", codes.MAX_ITEMS, codes.FIRST_ITEM),
    "food": Place("food", "food", "food", codes.MAX_FOOD, codes.FIRST_FOOD),
}
# The places by their buckets.
BUCKETS: Mapping[str, str] = {place.bucket: key for key, place in PLACES.items()}


def worn_in(build: Any, place: str) -> list[Any]:
    """What a build, a possibly invalid table or a model, wears in a place."""
    worn = build.get(place) if isinstance(build, Mapping) else getattr(build, place, None)
    if place == "weapon":
        return [] if worn is None else [worn]
    return list(list_of(worn))


def path_in(place: str, number: int) -> str:
    """The path of a piece in its build."""
    return place if place == "weapon" else f"{place}.{number}"


def pieces_of(build: Any, lead: str = "") -> Iterator[tuple[str, str, Any]]:
    """The pieces of a build, with their paths and places."""
    for place in PLACES:
        for number, piece in enumerate(worn_in(build, place)):
            yield f"{lead}{path_in(place, number)}", place, piece


def worn_pieces(build: Any) -> list[Any]:
    """The pieces of a build in firing order."""
    return [piece for _, _, piece in pieces_of(build)]
