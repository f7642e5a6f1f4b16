"""README, World: directions, neighbours for even and odd columns, the edges of a map, and what is adjacent."""

from __future__ import annotations

import pytest

from fracas.rulesets.stacks.content.map_grid import adjacent_directions, around, directions_of, field_of, neighbours
from fracas.rulesets.stacks.content.world_models import Map

# kind, tile, its neighbours by direction: N NE SE S SW NW of hexes, N E S W, N NE E SE S SW W NW of squares
NEIGHBOURS = [
    ("hex", (2, 3), [(2, 2), (3, 2), (3, 3), (2, 4), (1, 3), (1, 2)]),
    ("hex", (4, 1), [(4, 0), (5, 0), (5, 1), (4, 2), (3, 1), (3, 0)]),
    ("hex", (3, 3), [(3, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3)]),
    ("hex", (1, 2), [(1, 1), (2, 2), (2, 3), (1, 3), (0, 3), (0, 2)]),
    ("square4", (3, 3), [(3, 2), (4, 3), (3, 4), (2, 3)]),
    ("square4", (2, 3), [(2, 2), (3, 3), (2, 4), (1, 3)]),
    ("square8", (3, 3), [(3, 2), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3), (2, 2)]),
]

DIRECTIONS = [
    ("hex", ["N", "NE", "SE", "S", "SW", "NW", "itself"]),
    ("square4", ["N", "E", "S", "W", "itself"]),
    ("square8", ["N", "NE", "E", "SE", "S", "SW", "W", "NW", "itself"]),
]

# kind, tile of a map of 4 by 3, the directions in which there is a neighbour
EDGES = [
    ("hex", (0, 0), [2, 3]),
    ("hex", (1, 0), [1, 2, 3, 4, 5]),
    ("hex", (1, 2), [0, 1, 5]),
    ("hex", (2, 2), [0, 1, 2, 4, 5]),
    ("hex", (3, 2), [0, 5]),
    ("hex", (2, 1), [0, 1, 2, 3, 4, 5]),
    ("square4", (0, 0), [1, 2]),
    ("square4", (3, 2), [0, 3]),
    ("square8", (0, 0), [2, 3, 4]),
    ("square8", (3, 1), [0, 4, 5, 6, 7]),
]


@pytest.mark.parametrize(("kind", "tile", "expected"), NEIGHBOURS)
def test_each_direction_leads_to_its_tile(kind, tile, expected):
    assert list(around(kind, tile)) == [*expected, tile]
    assert list(neighbours(Map(kind=kind, width=9, height=9), tile).items()) == list(enumerate(expected))


@pytest.mark.parametrize(("kind", "names"), DIRECTIONS)
def test_directions_are_numbered_and_the_tile_itself_is_last(kind, names):
    assert list(directions_of(kind)) == names
    assert field_of(Map(kind=kind, width=9, height=9), (4, 4))[len(names) - 1] == (4, 4)


@pytest.mark.parametrize(("kind", "tile", "directions"), EDGES)
def test_what_is_off_the_map_is_no_neighbour(kind, tile, directions):
    tiles = Map(kind=kind, width=4, height=3)
    assert list(neighbours(tiles, tile)) == directions
    assert list(field_of(tiles, tile)) == [*directions, len(directions_of(kind)) - 1]


@pytest.mark.parametrize("kind", ["hex", "square4", "square8"])
@pytest.mark.parametrize("x", range(4))
@pytest.mark.parametrize("y", range(4))
def test_neighbours_are_each_others_in_the_opposite_direction(kind, x, y):
    tiles = Map(kind=kind, width=4, height=4)
    count = len(directions_of(kind)) - 1
    for direction, other in neighbours(tiles, (x, y)).items():
        assert neighbours(tiles, other)[(direction + count // 2) % count] == (x, y)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("hex", [{1, 5, 6}, {0, 2, 6}, {1, 3, 6}, {2, 4, 6}, {3, 5, 6}, {4, 0, 6}, {0, 1, 2, 3, 4, 5}]),
        ("square4", [{4}, {4}, {4}, {4}, {0, 1, 2, 3}]),
        (
            "square8",
            [
                {1, 2, 6, 7, 8},
                {0, 2, 8},
                {0, 1, 3, 4, 8},
                {2, 4, 8},
                {2, 3, 5, 6, 8},
                {4, 6, 8},
                {0, 4, 5, 7, 8},
                {0, 6, 8},
                {0, 1, 2, 3, 4, 5, 6, 7},
            ],
        ),
    ],
)
def test_tiles_of_a_field_are_adjacent_to_their_neighbours(kind, expected):
    assert [set(others) for others in adjacent_directions(kind)] == expected


@pytest.mark.parametrize("centre", [(2, 2), (3, 2), (3, 3), (2, 5)])
def test_what_is_adjacent_is_so_around_every_tile(centre):
    for kind in ("hex", "square4", "square8"):
        places = around(kind, centre)
        for direction, others in enumerate(adjacent_directions(kind)):
            touching = set(around(kind, places[direction])[:-1])
            assert {number for number, place in enumerate(places) if place in touching} == set(others)
