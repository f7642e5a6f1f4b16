"""Entries of titans: a titan and the policy that plays it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Tag

from fracas.content.field_types import Id
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.content.text_or_list import LIST, TEXT, text_or_list
from fracas.content.validate import Model
from fracas.errors import Problem
from fracas.rulesets.contract.player_entries import WHERE, EntryKind, Piece
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.content.ability_models import Rules

EQUILIBRIUM = "equilibrium"


OwnPolicy = Annotated[Annotated[Id, Tag(TEXT)] | Annotated[Rules, Tag(LIST)], text_or_list("a list of rules")]


class TitansEntry(Model):
    """A titans entry: a titan and its policy."""

    titan: Id
    """The id of a titan of the content."""
    policy: OwnPolicy
    """random, greedy, the id of a policy of the content, or rules, read from the top."""


class TitansEntries(EntryKind):
    """Titans with policies."""

    model = TitansEntry
    content = "titans"
    what = "titan"
    side = "players.0"

    def pieces(self, entry: TitansEntry) -> Iterator[Piece]:
        yield Piece("titan", entry.titan)

    def free_places(self, entry: TitansEntry) -> Iterator[str]:
        yield from ()

    def scenario(self, entry: TitansEntry, code: str, library: Library) -> Document:
        opposite = {"name": "opposite", "titan": next(iter(library.of("titans"))), "policy": "random"}
        # A table of equilibrium would be solved before its refusal is told.
        plain = to_plain(entry)
        plain["policy"] = "random" if plain["policy"] == EQUILIBRIUM else plain["policy"]
        return {"players": [{"name": code, **plain}, opposite]}

    def problems(self, entry: TitansEntry, library: Library) -> Iterator[Problem]:
        """The policy that is solved for one opponent, which an entry does not know."""
        if entry.policy == EQUILIBRIUM:
            message = "is solved against one opponent, and an entry meets many"
            yield Problem(f"{WHERE}: policy", message, "write rules, or the id of a policy")
