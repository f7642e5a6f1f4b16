"""The content that relics scenarios refer to, and problems for unknown names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.reference_tables import singular
from fracas.content.references import Reference, mention, table_of
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.models.fighters import Worn
from fracas.rulesets.relics.content.models.items import split_id
from fracas.rulesets.relics.content.models.scenario import ContentFile
from fracas.rulesets.relics.content.places import SIDES, pieces_of

DEFAULT_PROFILE = "canvas"

CATALOGUE = Catalogue("relics", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for


def entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The references of a content entry."""
    match kind:
        case "enemies" | "bosses":
            yield from build_mentions(entry)
        case "profiles":
            yield from mention("base", "profiles", singular("profiles"), entry.get("base"))


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """Problems for unknown names in a possibly invalid scenario."""
    items = {**library.of("items"), **table_of(document.get("items"))}
    known = {**library.entries, "items": items}
    for side in SIDES:
        fighter = table_of(document.get(side))
        yield from unresolved_references(_fighter_mentions(fighter, f"{side}."), known, f"{where}: ")


def _fighter_mentions(fighter: Mapping[Any, Any], lead: str) -> Iterator[Reference]:
    yield from mention(f"{lead}enemy", "enemies", singular("enemies"), fighter.get("enemy"))
    yield from mention(f"{lead}boss", "bosses", singular("bosses"), fighter.get("boss"))
    yield from build_mentions(fighter, lead)


def build_mentions(build: Mapping[Any, Any], lead: str = "") -> Iterator[Reference]:
    """References to the items that a build wears by id."""
    for path, _, piece in pieces_of(build, lead):
        if not is_written_out(table_of(piece)):
            identifier, at = (piece, path) if isinstance(piece, str) else (table_of(piece).get("id"), f"{path}.id")
            if isinstance(identifier, str):
                yield from mention(at, "items", singular("items"), split_id(identifier)[1])


def is_written_out(piece: Mapping[Any, Any]) -> bool:
    """Whether a piece defines anything itself, so that its id need not exist."""
    return any(piece.get(key) is not None for key in Worn.model_fields if key not in ("id", "tier", "slot", "note"))


def titled(identifier: str) -> str:
    """An id as a name."""
    return identifier.replace("_", " ").replace("-", " ").title()
