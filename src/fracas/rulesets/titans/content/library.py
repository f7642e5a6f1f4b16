"""The content that titans scenarios refer to, and problems for unknown names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.references import Reference, list_of, mention, table_of
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.content.ability_models import BUILT_IN, RESERVED
from fracas.rulesets.titans.content.models import ContentFile

DEFAULT_PROFILE = "seed"
FILE_ENDINGS = (".toml", ".json")
# The noun for one entry of each kind, for messages.
TITLES = {
    "abilities": "ability",
    "archetypes": "archetype",
    "titans": "titan",
    "policies": "policy",
    "profiles": "profile",
}

CATALOGUE = Catalogue("titans", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for


def entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The references of a content entry."""
    match kind:
        case "titans":
            for index, ability in enumerate(entry["abilities"]):
                yield from mention(f"abilities.{index}", "abilities", "ability", ability)
            yield from mention("archetype", "archetypes", "archetype", entry["archetype"])
        case "policies":
            for index, rule in enumerate(entry["rules"]):
                if rule["do"] not in RESERVED:
                    yield from mention(f"rules.{index}.do", "abilities", "ability", rule["do"])
        case "profiles":
            yield from mention("base", "profiles", "profile", entry["base"])


# References in a possibly invalid scenario.


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """Problems for unknown names in a possibly invalid scenario."""
    abilities = {**library.of("abilities"), **table_of(document.get("abilities"))}
    known = {**library.entries, "abilities": abilities}
    for index, player in enumerate(list_of(document.get("players"))):
        yield from unresolved_references(_player_mentions(f"players.{index}", table_of(player)), known, f"{where}: ")


def _player_mentions(path: str, player: Mapping[str, object]) -> Iterator[Reference]:
    titan, policy = player.get("titan"), player.get("policy")
    yield from mention(f"{path}.titan", "titans", "titan", titan)
    for index, ability in enumerate(list_of(table_of(titan).get("abilities"))):
        yield from mention(f"{path}.titan.abilities.{index}", "abilities", "ability", ability)
    if isinstance(policy, str) and not policy.endswith(FILE_ENDINGS) and policy not in BUILT_IN:
        yield from mention(f"{path}.policy", "policies", "policy", policy)
