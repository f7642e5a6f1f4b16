"""Entries of squads: units, and the strategy that they follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from fracas.content.field_types import Id
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.contract.player_entries import EntryKind, Piece
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads.content.models.units import Strategy
from fracas.rulesets.squads.rules.constants import SIDE_SLOTS


class SquadsEntry(Model):
    """A squads entry: a team and its strategy."""

    units: Annotated[list[Id], Field(min_length=1, max_length=SIDE_SLOTS)]
    """Ids of units of the content, in the order of the team."""
    strategy: TextOrTable[Id, Strategy] | None = None
    """The id of a strategy of the content, or a strategy. Absent means the default strategy."""


class SquadsEntries(EntryKind):
    """Teams of units."""

    model = SquadsEntry
    content = "units"
    what = "unit"
    side = "sides.0"

    def pieces(self, entry: SquadsEntry) -> Iterator[Piece]:
        yield from (Piece(f"units.{index}", unit) for index, unit in enumerate(entry.units))

    def free_places(self, entry: SquadsEntry) -> Iterator[str]:
        if len(entry.units) < SIDE_SLOTS:
            yield f"units.{len(entry.units)}"

    def scenario(self, entry: SquadsEntry, code: str, library: Library) -> Document:
        side = {"name": code, **to_plain(entry)}
        opposite = {"name": "opposite", "units": [next(iter(library.of("units")))]}
        return {"sides": [side, opposite]}
