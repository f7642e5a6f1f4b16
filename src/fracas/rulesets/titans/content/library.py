"""The content that titans scenarios refer to, and problems for unknown names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.reference_tables import References, references_in
from fracas.content.references import Reference, table_of
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.content.ability_models import BUILT_IN, RESERVED
from fracas.rulesets.titans.content.models import ContentFile

DEFAULT_PROFILE = "seed"
FILE_ENDINGS = (".toml", ".json")

CATALOGUE = Catalogue("titans", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for

_TITAN: References = {"abilities[]": {"": "abilities"}}
_OF_ENTRIES: Mapping[str, References] = {
    "titans": {**_TITAN, "archetype": "archetypes"},
    "policies": {"rules[]": {"do": "abilities"}},
    "profiles": {"base": "profiles"},
}
_OF_SCENARIOS: References = {"players[]": {"titan": "titans", "titan.": _TITAN, "policy": "policies"}}


def entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The references of a content entry."""
    found = references_in(entry, _OF_ENTRIES.get(kind, {}))
    return (each for each in found if kind != "policies" or each.name not in RESERVED)


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """Problems for unknown names in a possibly invalid scenario."""
    known = {**library.entries, "abilities": {**library.of("abilities"), **table_of(document.get("abilities"))}}
    found = (each for each in references_in(document, _OF_SCENARIOS) if not _is_no_reference(each))
    return unresolved_references(found, known, f"{where}: ")


def _is_no_reference(found: Reference) -> bool:
    """Whether a policy's name is that of a file, or of a policy that is built in."""
    return found.kind == "policies" and (found.name.endswith(FILE_ENDINGS) or found.name in BUILT_IN)
