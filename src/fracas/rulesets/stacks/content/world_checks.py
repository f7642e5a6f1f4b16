"""What must be true of a world beyond the shape of its parts: everything on the map, nobody twice, no contradiction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from fracas.errors import Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets.stacks.content.engagement import Place, is_on, key_of, place_of
from fracas.rulesets.stacks.content.world_models import Map, TileEntry


class AnyFaction(Protocol):
    """A faction, as written or resolved."""

    @property
    def allies(self) -> list[str]:
        """Those that it is allied with."""

    @property
    def enemies(self) -> list[str]:
        """Those that it is not allied with."""


class AnyStack(Protocol):
    """A stack, as written or resolved."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def owner(self) -> str:
        """Its faction."""

    @property
    def at(self) -> list[int]:
        """Its tile."""


def world_problems(
    tiles: Map,
    factions: Mapping[str, AnyFaction],
    entries: Mapping[str, TileEntry],
    stacks: Sequence[AnyStack],
    where: str,
) -> Iterator[Problem]:
    """Everything that is wrong with a world whose parts are sound by themselves; `where` is what messages call it."""
    yield from _contradictions(factions, where)
    yield from _lost_tiles(tiles, factions, entries, where)
    yield from _lost_stacks(tiles, factions, stacks, where)
    yield from _doubles(stacks, where)


def _contradictions(factions: Mapping[str, AnyFaction], where: str) -> Iterator[Problem]:
    allied = {frozenset((name, ally)): name for name, faction in factions.items() for ally in faction.allies}
    for name, faction in factions.items():
        for key, others in (("allies", faction.allies), ("enemies", faction.enemies)):
            for place, other in enumerate(others):
                path = f"{where}: factions.{name}.{key}.{place}"
                if other not in factions:
                    yield Problem(path, f"there is no faction {quoted(other)}", nearest(other, factions))
                elif key == "enemies" and other == name:
                    yield Problem(path, f"{quoted(name)} cannot be its own enemy")
                elif key == "enemies" and frozenset((name, other)) in allied:
                    says = f"factions.{allied[frozenset((name, other))]}.allies"
                    message = f"{quoted(other)} is an ally by {says}, and an enemy here"
                    yield Problem(path, message, "an alliance holds both ways; keep one of the two")


def _lost_tiles(
    tiles: Map, factions: Mapping[str, AnyFaction], entries: Mapping[str, TileEntry], where: str
) -> Iterator[Problem]:
    for key, entry in entries.items():
        x, _, y = key.partition(",")
        yield from off_map(tiles, (int(x), int(y)), f"{where}: tiles.{key}")
        if entry.owner is not None and entry.owner not in factions:
            message = f"there is no faction {quoted(entry.owner)}"
            yield Problem(f"{where}: tiles.{key}.owner", message, nearest(entry.owner, factions))


def _lost_stacks(
    tiles: Map, factions: Mapping[str, AnyFaction], stacks: Sequence[AnyStack], where: str
) -> Iterator[Problem]:
    for number, stack in enumerate(stacks):
        path = f"{where}: stacks.{number}"
        yield from off_map(tiles, place_of(stack.at), f"{path}.at")
        if stack.owner not in factions:
            message = f"there is no faction {quoted(stack.owner)}"
            yield Problem(f"{path}.owner", message, nearest(stack.owner, factions))


def _doubles(stacks: Sequence[AnyStack], where: str) -> Iterator[Problem]:
    ids: dict[str, int] = {}
    places: dict[Place, str] = {}
    for number, stack in enumerate(stacks):
        path, place = f"{where}: stacks.{number}", place_of(stack.at)
        if stack.id in ids:
            message = f"{quoted(stack.id)} is the id of stacks.{ids[stack.id]} already"
            yield Problem(f"{path}.id", message, "give each its own id")
        if place in places:
            message = f"the tile {key_of(place)} is taken by {quoted(places[place])}"
            yield Problem(f"{path}.at", message, "a tile holds one stack")
        ids.setdefault(stack.id, number)
        places.setdefault(place, stack.id)


def off_map(tiles: Map, place: Place, where: str) -> Iterator[Problem]:
    """The complaint about a tile that is not on the map."""
    if not is_on(tiles, place):
        reach = f"x goes from 0 to {tiles.width - 1}, y from 0 to {tiles.height - 1}"
        yield Problem(where, f"the tile {key_of(place)} is off the map", reach)
