"""Map geometry: directions, neighbours, adjacency, and tile keys such as `3,3`."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.rulesets.stacks.content.world_models import Map
from fracas.rulesets.stacks.rules import constants as codes

Place = tuple[int, int]


Step = tuple[int, int]


def directions_of(kind: str) -> tuple[str, ...]:
    """The names of a map kind's directions by number, the tile itself last."""
    return (*codes.DIRECTIONS[codes.MAP_KINDS.index(kind)], codes.ITSELF)


def steps_from(kind: str, place: Place) -> tuple[Step, ...]:
    """The change of x and y towards each neighbour of a tile, by direction."""
    if kind == "hex":
        return codes.ODD_COLUMN_STEPS if place[0] % 2 else codes.EVEN_COLUMN_STEPS
    return codes.SQUARE4_STEPS if kind == "square4" else codes.SQUARE8_STEPS


def is_on(tiles: Map, place: Place) -> bool:
    """Whether a tile is on the map."""
    return 0 <= place[0] < tiles.width and 0 <= place[1] < tiles.height


def around(kind: str, place: Place) -> tuple[Place, ...]:
    """The neighbours of a tile by direction, on the map or off it, and last the tile itself."""
    x, y = place
    return (*((x + dx, y + dy) for dx, dy in steps_from(kind, place)), place)


def neighbours(tiles: Map, place: Place) -> dict[int, Place]:
    """The neighbours of a tile that are on the map, by direction."""
    return {direction: other for direction, other in enumerate(around(tiles.kind, place)[:-1]) if is_on(tiles, other)}


def field_of(tiles: Map, place: Place) -> dict[int, Place]:
    """The field of battle around a tile, by direction, the tile itself last."""
    found = neighbours(tiles, place)
    return found | {len(directions_of(tiles.kind)) - 1: place}


def adjacent_directions(kind: str) -> tuple[frozenset[int], ...]:
    """For each direction of a field, the tile itself last, the directions whose tiles are adjacent to its tile."""
    # Any tile will do: adjacency among neighbours is the same everywhere.
    places = around(kind, (2, 2))
    return tuple(
        frozenset(places.index(other) for other in around(kind, place)[:-1] if other in places) for place in places
    )


def key_of(place: Sequence[int]) -> str:
    """A tile's key in files, such as `3,3`."""
    return f"{place[0]},{place[1]}"


def place_of(tile: Sequence[int]) -> Place:
    """A tile of a file as a place."""
    return tile[0], tile[1]
