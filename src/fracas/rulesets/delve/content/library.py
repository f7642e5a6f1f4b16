"""Finds unknown names in delve content and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.reference_tables import References, references_in
from fracas.content.references import Reference, table_of
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.models.scenario import OWN_CONTENT, ContentFile

DEFAULT_PROFILE = "seed"
DEFAULT_DIFFICULTY = "normal"
CATALOGUE = Catalogue("delve", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for

_SLOT: References = {"": "skills", "skill": "skills"}
_MEMBER: References = {
    "template": "heroes",
    "class": "classes",
    "resource.": {"kind": "resources"},
    "queue[]": _SLOT,
    "items[]": {"": "items", "template": "items", "bonuses[]": {"bonus": "bonuses"}},
}
_MEMBERS: References = {"": "heroes", **_MEMBER}
# Not every battle uses the loot table of a creature.
_CREATURE: References = {
    "template": "creatures",
    "resource.": {"kind": "resources"},
    "queue[]": _SLOT,
    "phases[]": {"queue[]": _SLOT},
}
_CREATURES: References = {"": "creatures", **_CREATURE}
_OUTCOMES: References = {"success.": {"ambush[]": _CREATURES}, "failure.": {"ambush[]": _CREATURES}}
_QUEST: References = {
    "loot_table_id": "loot_tables",
    "chest_table_id": "loot_tables",
    "encounters[]": {
        "loot_table_id": "loot_tables",
        "enemies[]": _CREATURES,
        **_OUTCOMES,
        "options[]": _OUTCOMES,
    },
}
_OF_ENTRIES: Mapping[str, References] = {
    "skills": {"resource": "resources"},
    "classes": {"resource": "resources", "skills[]": {"": "skills"}, "queue[]": _SLOT},
    "heroes": _MEMBER,
    "creatures": {**_CREATURE, "loot_table_id": "loot_tables"},
    "parties": {"members[]": _MEMBERS},
    "loot_tables": {"rows[]": {"template": "items"}},
    "quests": _QUEST,
    "profiles": {"base": "profiles"},
}
_OF_SCENARIOS: References = {
    "difficulty": "difficulties",
    "quest": "quests",
    "party": "parties",
    "party[]": _MEMBERS,
    "enemies[]": _CREATURES,
    "quest.": _QUEST,
}


def entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that an entry of the content, or a table of the same shape, refers to."""
    return references_in(entry, _OF_ENTRIES.get(kind, {}))


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The unknown names in a scenario, even if it has other problems."""
    known = {kind: {**library.of(kind), **table_of(document.get(kind))} for kind in ContentFile.model_fields}
    found = [*references_in(document, _OF_SCENARIOS)]
    for kind in OWN_CONTENT:
        for key, entry in table_of(document.get(kind)).items():
            found += references_in(entry, _OF_ENTRIES.get(kind, {}), f"{kind}.{key}")
    yield from unresolved_references(found, known, f"{where}: ")
