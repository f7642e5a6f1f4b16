"""Geometry of boards for rules: distances, neighbours, lines of sight. A cell is row x width + column; -1 is nowhere.

`derive/bind.py` gives each game's modules these functions for its own board; before, they raise.
"""

from __future__ import annotations

from typing import Any

from fracas.kit.declare.records import AnyBattle

NOWHERE = -1
# How many ways lead from a cell: on squares north, east, south, west; on hexes from the east on, against the clock.
SQUARE_WAYS, HEX_WAYS = 4, 6


def distance(battle: AnyBattle, one: int, other: int) -> int:
    """How many steps lead from a cell to another on an empty board; a large number if one of them is nowhere."""
    raise RuntimeError("distance() works in rules that import it by name, once the game is loaded")


def neighbour(battle: AnyBattle, cell: int, way: int) -> int:
    """The cell beside a cell: ways are 0 to 3 on squares, 0 to 5 on hexes; -1 beyond the edge."""
    raise RuntimeError("neighbour() works in rules that import it by name, once the game is loaded")


def column_of(battle: AnyBattle, cell: int) -> int:
    """The column of a cell."""
    raise RuntimeError("column_of() works in rules that import it by name, once the game is loaded")


def row_of(battle: AnyBattle, cell: int) -> int:
    """The row of a cell."""
    raise RuntimeError("row_of() works in rules that import it by name, once the game is loaded")


def between(battle: AnyBattle, one: int, other: int, step: int) -> int:
    """The cell after `step` steps on the straight line from a cell to another, the same cells from both ends.

    The line has as many steps as the greater difference of columns and rows on squares, as the distance on hexes.
    """
    raise RuntimeError("between() works in rules that import it by name, once the game is loaded")


HELPERS: tuple[Any, ...] = (distance, neighbour, column_of, row_of, between)
FAR = 1 << 20


def board_source(width: int, height: int, shape: str) -> str:
    """The source of the helpers for a board."""
    text = _COMMON + (_HEX if shape == "hex" else _SQUARE)
    return text.replace("WIDTH", str(width)).replace("HEIGHT", str(height)).replace("FAR", str(FAR))


_COMMON = """\
def kit_column_of(battle, cell):
    return cell % WIDTH

def kit_row_of(battle, cell):
    return cell // WIDTH

"""

_SQUARE = """\
def kit_distance(battle, one, other):
    if one < 0 or other < 0:
        return FAR
    return abs(one % WIDTH - other % WIDTH) + abs(one // WIDTH - other // WIDTH)

def kit_neighbour(battle, cell, way):
    if cell < 0:
        return -1
    column, row = cell % WIDTH, cell // WIDTH
    if way == 0:
        row -= 1
    elif way == 1:
        column += 1
    elif way == 2:
        row += 1
    else:
        column -= 1
    if column < 0 or column >= WIDTH or row < 0 or row >= HEIGHT:
        return -1
    return row * WIDTH + column

def kit_between(battle, one, other, step):
    low, high = min(one, other), max(one, other)
    across, down = high % WIDTH - low % WIDTH, high // WIDTH - low // WIDTH
    steps = max(max(abs(across), abs(down)), 1)
    if one > other:
        step = steps - step
    column = (2 * (low % WIDTH) * steps + 2 * across * step + steps) // (2 * steps)
    row = (2 * (low // WIDTH) * steps + 2 * down * step + steps) // (2 * steps)
    return row * WIDTH + column
"""

_HEX = """\
def kit_distance(battle, one, other):
    if one < 0 or other < 0:
        return FAR
    row, other_row = one // WIDTH, other // WIDTH
    across = (other % WIDTH - (other_row - (other_row & 1)) // 2) - (one % WIDTH - (row - (row & 1)) // 2)
    down = other_row - row
    return max(max(abs(across), abs(down)), abs(across + down))

def kit_neighbour(battle, cell, way):
    if cell < 0:
        return -1
    column, row = cell % WIDTH, cell // WIDTH
    odd = row & 1
    if way == 0:
        column += 1
    elif way == 1:
        column += odd
        row -= 1
    elif way == 2:
        column += odd - 1
        row -= 1
    elif way == 3:
        column -= 1
    elif way == 4:
        column += odd - 1
        row += 1
    else:
        column += odd
        row += 1
    if column < 0 or column >= WIDTH or row < 0 or row >= HEIGHT:
        return -1
    return row * WIDTH + column

def kit_between(battle, one, other, step):
    low, high = min(one, other), max(one, other)
    steps = max(kit_distance(battle, low, high), 1)
    if one > other:
        step = steps - step
    low_row, high_row = low // WIDTH, high // WIDTH
    across = low % WIDTH - (low_row - (low_row & 1)) // 2
    far = high % WIDTH - (high_row - (high_row & 1)) // 2
    # Cube coordinates in parts of 2 * steps, rounded to the nearest cell; the worst rounded follows from the others.
    whole = 2 * steps
    q = 2 * (across * (steps - step) + far * step) + 1
    r = 2 * (low_row * (steps - step) + high_row * step)
    s = -q - r
    q_cell, r_cell, s_cell = (q + steps) // whole, (r + steps) // whole, (s + steps) // whole
    q_off, r_off, s_off = abs(q_cell * whole - q), abs(r_cell * whole - r), abs(s_cell * whole - s)
    if q_off > r_off and q_off > s_off:
        q_cell = -r_cell - s_cell
    elif r_off > s_off:
        r_cell = -q_cell - s_cell
    return r_cell * WIDTH + q_cell + (r_cell - (r_cell & 1)) // 2
"""
