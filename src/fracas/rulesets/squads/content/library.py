"""Finds unknown names in squads content and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.content.catalogue import Catalogue
from fracas.content.packs import Library, shipped_packs, unknown_name
from fracas.content.profiles import incomplete_profile
from fracas.content.references import Reference, list_of, mention, table_of
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, visible
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads.content.models.rules_tables import Profile
from fracas.rulesets.squads.content.models.scenario import ContentFile

DEFAULT_PROFILE = "classic"
ABILITY_SLOTS = ("class_ability", "ultimate")


def dangling_references(library: Library, origin: str | None = None) -> Iterator[Problem]:
    """Every reference to something missing, in a whole library or in the entries of one of its files."""
    for kind, identifier, slot, target, name in _references(library):
        file = library.origins[kind, identifier]
        if origin in (None, file) and name not in library.of(target):
            message = f'there is no "{name}" among the {target}'
            yield Problem(f"{file}: {kind}.{identifier}.{slot}", message, nearest(name, library.of(target)))
    for identifier, profile, _ in library.from_file("profiles", origin):
        yield from _unknown_packs(library, profile)
        yield from incomplete_profile(library, identifier, DEFAULT_PROFILE)


def _references(library: Library) -> Iterator[tuple[str, str, str, str, str]]:
    """Every reference: kind, id and key of the entry that has it, then kind and id of its target."""
    for kind in ("units", "classes"):
        for identifier, entry in library.of(kind).items():
            named = ((slot, getattr(entry, slot)) for slot in ABILITY_SLOTS)
            yield from ((kind, identifier, slot, "abilities", name) for slot, name in named if name is not None)
    for identifier, preset in library.of("opponents").items():
        yield from (("opponents", identifier, "units", "units", unit) for unit in preset.units)
        if isinstance(preset.strategy, str):
            yield "opponents", identifier, "strategy", "strategies", preset.strategy
    for identifier, profile in library.of("profiles").items():
        for slot, target in (("chain", "chains"), ("formations", "formations")):
            if isinstance(getattr(profile.options, slot), str):
                yield "profiles", identifier, f"options.{slot}", target, getattr(profile.options, slot)
        if profile.base is not None:
            yield "profiles", identifier, "base", "profiles", profile.base


def _packs(library: Library, line: Sequence[Profile]) -> list[str]:
    problems = [problem for entry in line for problem in _unknown_packs(library, entry)]
    if problems:
        raise InputError(problems)
    return [pack for entry in line for pack in entry.packs]


def _unknown_packs(library: Library, profile: Profile) -> Iterator[Problem]:
    known = shipped_packs("squads")
    for index, pack in enumerate(profile.packs):
        if pack not in known:
            where = f"{library.origins['profiles', profile.id]}: profiles.{profile.id}.packs.{index}"
            yield Problem(where, f'there is no shipped pack "{pack}"', nearest(pack, known))


CATALOGUE = Catalogue("squads", ContentFile, DEFAULT_PROFILE, _packs)
library_for = CATALOGUE.library_for


# Scenarios that do not validate: the names they refer to, as far as they can be read.


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The unknown names in a document, even if it has other problems."""
    own = table_of(document.get("abilities"))
    known = {**library.entries, "abilities": {**library.of("abilities"), **own}}
    titles = [ability.name for ability in library.of("abilities").values()]
    titles += [str(table_of(ability).get("name", "")) for ability in own.values()]
    spellings = {title.casefold() for title in (*known["abilities"], *titles)}
    for path, kind, what, name in _mentions(document):
        if kind == "orders" and name.casefold() not in spellings:
            yield unknown_name(f"{where}: {path}", what, name, titles)
        elif kind != "orders" and name not in known.get(kind, {}):
            yield unknown_name(f"{where}: {path}", what, name, known.get(kind, {}))


def _mentions(document: Document) -> Iterator[Reference]:
    options = table_of(document.get("options"))
    yield from mention("modifier", "modifiers", "modifier", document.get("modifier"))
    yield from mention("options.chain", "chains", "damage chain", options.get("chain"))
    yield from mention("options.formations", "formations", "formation table", options.get("formations"))
    for side_index, side in enumerate(list_of(document.get("sides"))):
        path = f"sides.{side_index}"
        yield from mention(f"{path}.opponent", "opponents", "opponent", table_of(side).get("opponent"))
        for number, unit in enumerate(list_of(table_of(side).get("units"))):
            yield from mention(f"{path}.units.{number}", "units", "unit", unit)
            for slot in ABILITY_SLOTS:
                yield from mention(f"{path}.units.{number}.{slot}", "abilities", "ability", table_of(unit).get(slot))
        strategy = table_of(side).get("strategy")
        if not str(strategy).endswith((".json", ".toml")):
            yield from mention(f"{path}.strategy", "strategies", "strategy", strategy)
        for key in table_of(table_of(strategy).get("abilities")):
            yield from mention(f"{path}.strategy.abilities.{visible(str(key))}", "orders", "ability", key)
