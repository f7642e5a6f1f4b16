"""Draws the field in a terminal: the attacked tile and its neighbours, with the stacks and units left on each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fracas.events.styled_text import ASIDE, EMPHASIS, PLAIN, Span, bar, clipped
from fracas.rulesets.stacks.content.engagement import PlacedStack
from fracas.rulesets.stacks.content.map_grid import Place, around, field_of, is_on, key_of, place_of
from fracas.rulesets.stacks.narration.labels import Healths, Participants, role_of_stack, side_of_stack

# The characters in the narrowest line of a tile.
WIDTH = 22
BAR_WIDTH = 6
TARGET_MARK = "◎"

Text = tuple[str, str]
Canvas = dict[tuple[int, int], Text]
Cell = tuple[Text, Text, Text]

# A hexagon's offset from the attacked one, in half tiles down and tiles to the right, by direction.
HEX_OFFSETS = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1), (0, 0))


def draw(participants: Participants, healths: Healths) -> Iterator[list[Span]]:
    """Draw the field as lines of spans, followed by the stacks that stay out and why."""
    tiles, place = participants.world.map, place_of(participants.world.attack.tile)
    canvas: Canvas = {}
    standings = {place_of(each.stack.at): each for each in participants.drawn.standings}
    for direction, other in field_of(tiles, place).items():
        cell = cell_of(participants, healths, other, standings.get(other))
        if tiles.kind == "hex":
            down, right = HEX_OFFSETS[direction]
            _draw_hexagon(canvas, (2 * down, (WIDTH + 2) * right), cell)
        else:
            right, down = other[0] - place[0], other[1] - place[1]
            _draw_square(canvas, (4 * down, (WIDTH + 3) * right), cell)
    yield from _lines(canvas)
    for standing in participants.drawn.standings:
        if not standing.is_involved:
            yield [(f"  · {standing.stack.name} stays out: {participants.why_out(standing)}.", ASIDE)]
    if any(not is_on(tiles, other) for other in around(tiles.kind, place)):
        yield [("  The field ends at the edge of the map.", ASIDE)]


def cell_of(participants: Participants, healths: Healths, place: Place, standing: PlacedStack | None) -> Cell:
    """The text of a tile: its name, the stack on it, and the units and health left."""
    key = key_of(place)
    is_target = place == place_of(participants.world.attack.tile)
    first = (
        f"{participants.tile_name(key)} {TARGET_MARK}" if is_target else participants.tile_name(key),
        EMPHASIS if is_target else PLAIN,
    )
    if standing is None:
        owner = participants.owner_name(key)
        return first, ("", PLAIN), ("" if owner is None else f"of {owner}", ASIDE)
    role = role_of_stack(standing)
    title = (f"{side_of_stack(standing)} {standing.stack.name}", role)
    if not standing.is_involved:
        return first, title, (_units(len(standing.stack.units)), role)
    left = [healths.get(name, 0) for name in participants.of_stack(standing)]
    living = sum(health > 0 for health in left)
    if not living:
        return first, title, ("fallen", ASIDE)
    full = sum(unit.health for unit in standing.stack.units)
    return first, title, (f"{_units(living)} {bar(sum(left), full, BAR_WIDTH)} {sum(left)}/{full}", role)


def _units(count: int) -> str:
    return f"{count} unit{'' if count == 1 else 's'}"


def _draw_hexagon(canvas: Canvas, at: tuple[int, int], cell: Cell) -> None:
    row, column = at
    _write(canvas, row, column + 2, "_" * WIDTH, ASIDE, is_edge=True)
    edges = ((1, 1, "/", "\\"), (2, 0, "/", "\\"), (3, 0, "\\", "/"), (4, 1, "\\", "/"))
    for down, inset, left, right in edges:
        _write(canvas, row + down, column + inset, left, ASIDE)
        _write(canvas, row + down, column + WIDTH + 3 - inset, right, ASIDE)
    _write(canvas, row + 4, column + 2, "_" * WIDTH, ASIDE, is_edge=True)
    for down, (text, role) in enumerate(cell, 1):
        inset = 2 if down == 1 else 1
        room = WIDTH + 4 - 2 * inset
        _write(canvas, row + down, column + inset, clipped(text, room).center(room), role)


def _draw_square(canvas: Canvas, at: tuple[int, int], cell: Cell) -> None:
    row, column = at
    for down in (0, 4):
        _write(canvas, row + down, column, f"+{'-' * (WIDTH + 2)}+", ASIDE)
    for down, (text, role) in enumerate(cell, 1):
        _write(canvas, row + down, column, "|", ASIDE)
        _write(canvas, row + down, column + 1, clipped(text, WIDTH + 2).center(WIDTH + 2), role)
        _write(canvas, row + down, column + WIDTH + 3, "|", ASIDE)


def _write(canvas: Canvas, row: int, column: int, text: str, role: str, *, is_edge: bool = False) -> None:
    for number, character in enumerate(text, column):
        if not is_edge or (row, number) not in canvas:
            canvas[row, number] = (character, role)


def _lines(canvas: Canvas) -> Iterator[list[Span]]:
    """The canvas as lines, with adjacent characters of the same role joined."""
    rows = [row for row, _ in canvas]
    columns = [column for _, column in canvas]
    for row in range(min(rows), max(rows) + 1):
        texts = [canvas.get((row, column), (" ", PLAIN)) for column in range(min(columns), max(columns) + 1)]
        yield [("".join(text for text, _ in group), role) for role, group in groupby(texts, key=lambda each: each[1])]
