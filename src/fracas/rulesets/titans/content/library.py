"""The content that titans' scenarios refer to, and every name that leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.profiles import incomplete_profile
from fracas.content.references import Reference, list_of, mention, table_of
from fracas.errors import Problem
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.content.ability_models import BUILT_IN, RESERVED
from fracas.rulesets.titans.content.models import ContentFile

DEFAULT_PROFILE = "seed"
FILE_ENDINGS = (".toml", ".json")
# How messages call one entry of each kind.
TITLES = {
    "abilities": "ability",
    "archetypes": "archetype",
    "titans": "titan",
    "policies": "policy",
    "profiles": "profile",
}

CATALOGUE = Catalogue("titans", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for
library_around = CATALOGUE.library_around


def dangling_references(library: Library, origin: str | None = None) -> Iterator[Problem]:
    """What refers to something that is not there, in all of a library or in the entries of one of its files."""
    for found in _references(library):
        kind, identifier, path = found.path.split(".", 2)
        file = library.origins[kind, identifier]
        if origin in (None, file) and found.name not in library.of(found.kind):
            message = f'there is no {found.what} "{found.name}"'
            yield Problem(f"{file}: {kind}.{identifier}.{path}", message, nearest(found.name, library.of(found.kind)))
    for identifier, _, _ in library.from_file("profiles", origin):
        yield from incomplete_profile(library, identifier, DEFAULT_PROFILE)


def _references(library: Library) -> Iterator[Reference]:
    for identifier, titan in library.of("titans").items():
        for place, ability in enumerate(titan.abilities):
            yield Reference(f"titans.{identifier}.abilities.{place}", "abilities", "ability", ability)
        yield from mention(f"titans.{identifier}.archetype", "archetypes", "archetype", titan.archetype)
    for identifier, policy in library.of("policies").items():
        for place, rule in enumerate(policy.rules):
            if rule.do not in RESERVED:
                yield Reference(f"policies.{identifier}.rules.{place}.do", "abilities", "ability", rule.do)
    for identifier, profile in library.of("profiles").items():
        yield from mention(f"profiles.{identifier}.base", "profiles", "profile", profile.base)


# A scenario that is not sound: what it refers to, as far as it can be read.


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The names in a scenario that lead nowhere, whatever else may be wrong with it."""
    abilities = {**library.of("abilities"), **table_of(document.get("abilities"))}
    known = {**library.entries, "abilities": abilities}
    for place, player in enumerate(list_of(document.get("players"))):
        yield from unresolved_references(_player_mentions(f"players.{place}", table_of(player)), known, f"{where}: ")


def _player_mentions(path: str, player: Mapping[str, object]) -> Iterator[Reference]:
    titan, policy = player.get("titan"), player.get("policy")
    yield from mention(f"{path}.titan", "titans", "titan", titan)
    for place, ability in enumerate(list_of(table_of(titan).get("abilities"))):
        yield from mention(f"{path}.titan.abilities.{place}", "abilities", "ability", ability)
    if isinstance(policy, str) and not policy.endswith(FILE_ENDINGS) and policy not in BUILT_IN:
        yield from mention(f"{path}.policy", "policies", "policy", policy)
