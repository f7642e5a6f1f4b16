"""Checks a world as a whole: everything is on the map, ids and tiles are unique, alliances do not contradict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from fracas.content.references import list_of, table_of
from fracas.content.validate import validate
from fracas.errors import UNKNOWN_NAME, InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets.stacks.content.map_grid import Place, is_on, key_of, place_of
from fracas.rulesets.stacks.content.world_models import Faction, Map, ResolvedStack, Stack, TileEntry
from fracas.rulesets.stacks.rules.constants import LARGEST_MAP


def world_problems(
    tiles: Map,
    factions: Mapping[str, Faction],
    entries: Mapping[str, TileEntry],
    stacks: Sequence[Stack | ResolvedStack],
    where: str,
) -> Iterator[Problem]:
    """The problems of a world whose parts are valid by themselves; `where` is its name in messages."""
    yield from _contradictions(factions, where)
    yield from _lost_tiles(tiles, factions, entries, where)
    yield from _lost_stacks(tiles, factions, stacks, where)
    yield from _doubles(stacks, where)


def _no_faction(path: str, name: str, factions: Mapping[str, Faction]) -> Problem:
    message = f"there is no faction {quoted(name)}"
    return Problem(path, message, nearest(name, factions), UNKNOWN_NAME, tuple(factions))


def _contradictions(factions: Mapping[str, Faction], where: str) -> Iterator[Problem]:
    allied = {frozenset((name, ally)): name for name, faction in factions.items() for ally in faction.allies}
    for name, faction in factions.items():
        for key, others in (("allies", faction.allies), ("enemies", faction.enemies)):
            for index, other in enumerate(others):
                path = f"{where}: factions.{name}.{key}.{index}"
                if other not in factions:
                    yield _no_faction(path, other, factions)
                elif key == "enemies" and other == name:
                    yield Problem(path, f"{quoted(name)} cannot be its own enemy")
                elif key == "enemies" and frozenset((name, other)) in allied:
                    says = f"factions.{allied[frozenset((name, other))]}.allies"
                    message = f"{quoted(other)} is an ally by {says}, and an enemy here"
                    yield Problem(path, message, "an alliance holds both ways; keep one of the two")


def _lost_tiles(
    tiles: Map, factions: Mapping[str, Faction], entries: Mapping[str, TileEntry], where: str
) -> Iterator[Problem]:
    for key, entry in entries.items():
        x, _, y = key.partition(",")
        yield from off_map(tiles, (int(x), int(y)), f"{where}: tiles.{key}")
        if entry.owner is not None and entry.owner not in factions:
            yield _no_faction(f"{where}: tiles.{key}.owner", entry.owner, factions)


def _lost_stacks(
    tiles: Map, factions: Mapping[str, Faction], stacks: Sequence[Stack | ResolvedStack], where: str
) -> Iterator[Problem]:
    for number, stack in enumerate(stacks):
        path = f"{where}: stacks.{number}"
        yield from off_map(tiles, place_of(stack.at), f"{path}.at")
        if stack.owner not in factions:
            yield _no_faction(f"{path}.owner", stack.owner, factions)


def _doubles(stacks: Sequence[Stack | ResolvedStack], where: str) -> Iterator[Problem]:
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
    """The problem of a tile that is off the map."""
    if not is_on(tiles, place):
        reach = f"x goes from 0 to {tiles.width - 1}, y from 0 to {tiles.height - 1}"
        yield Problem(where, f"the tile {key_of(place)} is off the map", reach)


Part = TypeVar("Part", bound=BaseModel)


_STACK = re.compile(r"stacks\.(\d+)\b")


# Replaces an invalid map: no tile is off it.
ANY_MAP = Map(width=LARGEST_MAP, height=LARGEST_MAP)


def draft_problems(document: Mapping[str, Any], where: str) -> Iterator[Problem]:
    """The problems of a written world's valid parts; the models report the invalid parts."""
    factions = {
        str(name): _sound(Faction, faction) or Faction() for name, faction in table_of(document.get("factions")).items()
    }
    entries = {
        key: entry
        for key, value in table_of(document.get("tiles")).items()
        if re.fullmatch(r"\d{1,3},\d{1,3}", str(key)) and (entry := _sound(TileEntry, value)) is not None
    }
    written = [_sound_stack(value) for value in list_of(document.get("stacks"))]
    # Invalid stacks keep their numbers, but their tiles count as free.
    stacks = [
        stack or Stack.model_construct(id=f"?{number}", owner="?", at=[-1, number], units=[])
        for number, stack in enumerate(written)
    ]
    if not factions:
        # Without a valid list of factions, every named faction may exist.
        owners = {entry.owner for entry in entries.values()} | {stack.owner for stack in stacks}
        factions = {owner: Faction() for owner in owners if owner is not None}
    lengths = {key: table_of(document.get("map")).get(key) for key in ("width", "height")}
    tiles = _sound(Map, lengths) or ANY_MAP
    for problem in world_problems(tiles, factions, entries, stacks, where):
        number = _STACK.search(problem.where.removeprefix(where))
        if number is None or written[int(number[1])] is not None:
            yield problem


def _sound_stack(value: Any) -> Stack | None:
    """A stack with its id, owner and tile, if these are valid."""
    return _sound(Stack, {**{key: table_of(value).get(key) for key in ("id", "owner", "at")}, "units": ["nobody"]})


def _sound(model: type[Part], value: Any) -> Part | None:
    try:
        return validate(model, dict(table_of(value)), "")
    except InputError:
        return None
