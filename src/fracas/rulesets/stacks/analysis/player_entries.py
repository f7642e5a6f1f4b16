"""Entries of stacks: an army that attacks and defends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import Field, model_validator

from fracas.content.field_types import Id
from fracas.content.packs import Library
from fracas.content.validate import Model
from fracas.rulesets.contract.player_entries import EntryKind, Piece
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.analysis.sides import LENGTH, TILE
from fracas.rulesets.stacks.content.map_grid import around, key_of
from fracas.rulesets.stacks.rules.constants import STACK_SLOTS

KIND = "hex"
DIRECTIONS = 6
# Two armies fit around one hexagon if the first brings at most this many stacks.
MOST_STACKS = 3

# Who owns the tile before the attack.
NOBODY = "nobody"
_NOT_IN_IDS = re.compile(r"[^a-z0-9_-]+")

StackOfIds = Annotated[list[Id], Field(max_length=STACK_SLOTS)]


class StacksEntry(Model):
    """A stacks entry: an army around a hexagon. It attacks the tile, and in the other leg it defends it."""

    stacks: Annotated[list[StackOfIds], Field(min_length=1, max_length=DIRECTIONS)]
    """For each direction from the attacked tile the ids of unit types that attack from there. An empty list means no
    stack. The first stack leads; when the army defends, it stands on the tile and the others opposite their places."""

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        count = sum(bool(stack) for stack in self.stacks)
        if not 1 <= count <= MOST_STACKS:
            raise ValueError(f"stacks: has {count} stacks with units; 1 to {MOST_STACKS} are allowed")
        return self


class StacksEntries(EntryKind):
    """Armies."""

    model = StacksEntry
    content = "types"
    what = "unit type"
    side = "stacks"

    def pieces(self, entry: StacksEntry) -> Iterator[Piece]:
        for direction, stack in enumerate(entry.stacks):
            yield from (Piece(f"stacks.{direction}.{index}", unit) for index, unit in enumerate(stack))

    def free_places(self, entry: StacksEntry) -> Iterator[str]:
        is_full = len(_armed(entry)) == MOST_STACKS
        for direction in range(DIRECTIONS):
            count = len(entry.stacks[direction]) if direction < len(entry.stacks) else 0
            if count < STACK_SLOTS and (count or not is_full):
                yield f"stacks.{direction}.{count}"

    def scenario(self, entry: StacksEntry, code: str, library: Library) -> Document:
        places, owner = around(KIND, TILE), _id_of(code)
        stacks = [
            {"id": f"{owner}-{direction + 1}", "owner": owner, "at": list(places[direction]), "units": units}
            for direction, units in _armed(entry)
        ]
        return {
            "map": {"kind": KIND, "width": LENGTH, "height": LENGTH},
            "factions": {owner: {"name": code}, NOBODY: {"name": NOBODY}},
            "tiles": {key_of(TILE): {"owner": NOBODY}},
            "stacks": stacks,
            "attack": {"stack": stacks[0]["id"], "tile": list(TILE)},
        }

    def path(self, path: str, entry: StacksEntry) -> str | None:
        head, _, rest = path.removeprefix("stacks.").partition(".units")
        if not path.startswith("stacks.") or not head.isdigit():
            return None
        directions = [direction for direction, _ in _armed(entry)]
        return f"stacks.{directions[int(head)]}{rest}" if int(head) < len(directions) else None


def _id_of(name: str) -> str:
    """An id for what a side is called, which may be anything; an id stays as it is."""
    found = _NOT_IN_IDS.sub("-", name.lower()).strip("-")
    return found if found not in ("", NOBODY) else KIND


def _armed(entry: StacksEntry) -> list[tuple[int, list[str]]]:
    """The stacks that have units, with their directions."""
    return [(direction, units) for direction, units in enumerate(entry.stacks) if units]
