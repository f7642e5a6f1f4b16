"""Models of worlds: maps, factions, tiles, stacks and their units; and of unit types."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from fracas.content.field_types import DrawnLook, Id, Name, Note
from fracas.content.validate import Model, TextOrTable
from fracas.errors.suggestions import listed, quoted
from fracas.rulesets.stacks.rules import constants as codes

Stat = Annotated[int, Field(ge=0, le=codes.LARGEST_STAT)]
HealthStat = Annotated[int, Field(ge=1, le=codes.LARGEST_HEALTH)]
Length = Annotated[int, Field(ge=1, le=codes.LARGEST_MAP)]
Revision = Annotated[int, Field(ge=0, le=codes.LARGEST_REVISION)]
MapKind = Literal["hex", "square4", "square8"]

_TILE_KEY = re.compile(r"(0|[1-9][0-9]{0,2}),(0|[1-9][0-9]{0,2})")


def _is_pair(tile: list[int]) -> list[int]:
    if len(tile) != 2:
        raise ValueError(f"has {len(tile)} numbers; a tile has two, [x, y]")
    return tile


def _is_tile_key(key: str) -> str:
    if not _TILE_KEY.fullmatch(key):
        raise ValueError(f'{quoted(key)} is not a tile; write its x and y like "3,3", without blanks')
    return key


def _are_moves(moves: list[str]) -> list[str]:
    if "riposte" in moves:
        raise ValueError('"riposte" cannot be chosen: units with "strike" answer melee moves with it')
    twice = [name for name, count in Counter(moves).items() if count > 1]
    if twice:
        raise ValueError(f"has {listed([quoted(name) for name in twice], 'and')} twice")
    return moves


# x and y.
Tile = Annotated[
    list[Annotated[int, Field(ge=0, lt=codes.LARGEST_MAP)]],
    AfterValidator(_is_pair),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": codes.LARGEST_MAP - 1},
            "minItems": 2,
            "maxItems": 2,
            "title": "x and y",
        }
    ),
]
TileKey = Annotated[
    str, AfterValidator(_is_tile_key), WithJsonSchema({"type": "string", "pattern": f"^{_TILE_KEY.pattern}$"})
]
# Names of shipped move types or of plug-in move types.
Moves = Annotated[list[Id], Field(max_length=codes.MAX_UNIT_MOVES), AfterValidator(_are_moves)]


class Map(Model):
    """The kind and size of a map."""

    kind: MapKind = "hex"
    """hex: columns of hexagons, odd ones half a tile lower; square4, square8: squares with 4 or 8 neighbours."""
    width: Length
    height: Length


class Faction(Model):
    """A faction, which owns tiles and stacks."""

    name: Name | None = None
    """Absent means the id, made readable."""
    allies: Annotated[list[Id], Field(max_length=codes.MAX_FACTIONS)] = []
    """Its allies; an alliance is mutual."""
    enemies: Annotated[list[Id], Field(max_length=codes.MAX_FACTIONS)] = []
    """Its enemies; an error if either faction declares an alliance."""


class TileEntry(Model):
    """A tile's owner and name."""

    owner: Id | None = None
    """The faction that it belongs to."""
    name: Name | None = None


class UnitNumbers(Model):
    """The numbers and moves of a unit."""

    attack: Stat
    """An attack roll is 0 to this."""
    defence: Stat
    """A defence roll is 0 to this."""
    damage: Stat
    """A hit takes 0 to this."""
    health: HealthStat
    """Its full health."""
    initiative: Stat = 0
    """Higher acts first with the option order = "initiative"."""
    moves: Moves
    """Its move types."""


class UnitType(UnitNumbers):
    """A kind of unit."""

    id: Id
    name: Name
    group: Id | None = None
    note: Note = ""
    look: DrawnLook = None


class Group(Model):
    """Unit types that belong together."""

    id: Id
    name: Name
    note: Note = ""


class UnitEntry(Model):
    """A unit of a stack: of a unit type, with some values changed, or a complete one."""

    type: Id | None = None
    """The unit type that supplies the values left out here."""
    id: Id | None = None
    """The id; absent means the type's, else one made from the name."""
    name: Name | None = None
    attack: Stat | None = None
    defence: Stat | None = None
    damage: Stat | None = None
    health: HealthStat | None = None
    current: HealthStat | None = None
    """The health it has left; absent means all."""
    initiative: Stat | None = None
    moves: Moves | None = None
    note: Note = ""
    look: DrawnLook = None

    @model_validator(mode="after")
    def _has_values(self) -> UnitEntry:
        needed = ("attack", "defence", "damage", "health", "moves")
        missing = [key for key in needed if getattr(self, key) is None]
        if self.type is None and missing:
            raise ValueError(f"needs a type, or {listed(missing, 'and')} of its own")
        return self

    @model_validator(mode="after")
    def _is_not_above_its_health(self) -> UnitEntry:
        refuse_excess(self.current, self.health)
        return self


def refuse_excess(current: int | None, health: int | None) -> None:
    """Refuse a current health above the full health.

    Raises:
        ValueError: the current health is above the full one.
    """
    if current is not None and health is not None and current > health:
        raise ValueError(f"has a current health of {current:,}, above its full health of {health:,}")


class Stack(Model):
    """Units that stand together on a tile."""

    id: Id
    name: Name | None = None
    """Absent means the id, made readable."""
    owner: Id
    """The faction that it belongs to."""
    at: Tile
    units: Annotated[list[TextOrTable[Id, UnitEntry]], Field(min_length=1, max_length=codes.STACK_SLOTS)]
    """Ids of unit types, or units written here, in the order of their ids in battle."""
    note: Note = ""


Factions = Annotated[dict[Id, Faction], Field(min_length=1, max_length=codes.MAX_FACTIONS)]
Tiles = Annotated[dict[TileKey, TileEntry], Field(max_length=codes.MAX_TILES)]
Stacks = Annotated[list[Stack], Field(min_length=1, max_length=codes.MAX_STACKS)]


class World(Model):
    """A map with factions, tiles and stacks."""

    map: Map
    factions: Factions
    tiles: Tiles = {}
    """Tiles by key, such as "3,3"; only those with an owner or a name."""
    stacks: Stacks
    revision: Revision = 0
    """The number of results committed to it."""


class NamedWorld(World):
    """A world of the content."""

    id: Id
    name: Name
    note: Note = ""


class WorldFile(World):
    """A world in its own file, as campaigns and commits write it and scenarios name it."""

    note: Note = ""


class ResolvedFaction(Faction):
    """A faction with a name."""

    name: Name


class ResolvedUnit(UnitNumbers):
    """A unit with all references resolved."""

    id: Id
    name: Name
    type: Id | None = None
    initiative: Stat
    current: HealthStat | None = None
    """The health left, only if it is wounded."""

    @property
    def health_left(self) -> int:
        """The health that it has left."""
        return self.health if self.current is None else self.current

    @model_validator(mode="after")
    def _is_not_above_its_health(self) -> ResolvedUnit:
        refuse_excess(self.current, self.health)
        return self


class ResolvedStack(Model):
    """A stack with all references resolved."""

    id: Id
    name: Name
    owner: Id
    at: Tile
    units: Annotated[list[ResolvedUnit], Field(min_length=1, max_length=codes.STACK_SLOTS)]


class ResolvedWorld(Model):
    """A world with all references resolved, as battles use and commits change it."""

    map: Map
    factions: Annotated[dict[Id, ResolvedFaction], Field(min_length=1, max_length=codes.MAX_FACTIONS)]
    tiles: Tiles = {}
    stacks: Annotated[list[ResolvedStack], Field(max_length=codes.MAX_STACKS)]
    revision: Revision
