"""Resolves quests and the loot that can be found in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.part_cache import to_plain_once
from fracas.content.references import to_plain
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.creature_resolver import resolve_creatures
from fracas.rulesets.delve.content.fights import tables_in_use
from fracas.rulesets.delve.content.models import quests
from fracas.rulesets.delve.content.models.items import Difficulty, LootTable
from fracas.rulesets.delve.content.resolver import Resolver
from fracas.rulesets.delve.rules.constants import RARITIES


def resolve_quest(resolver: Resolver, path: str, quest: quests.Quest, *, content: bool) -> Document:
    """A quest whose enemies are written out."""
    values = to_plain(quest, without=("encounters",))
    encounters = [
        _encounter(resolver, f"{path}encounters.{number}", encounter, content)
        for number, encounter in enumerate(quest.encounters)
    ]
    return {**values, "encounters": encounters}


def _encounter(resolver: Resolver, path: str, encounter: quests.Encounter, content: bool) -> Document:
    key = ("encounter", content, resolver.passes_over_named)
    return resolver.resolved_once(encounter, key, lambda: _resolved(resolver, path, encounter, content))


def _resolved(resolver: Resolver, path: str, encounter: quests.Encounter, content: bool) -> Document:
    match encounter:
        case quests.Combat():
            values = to_plain(encounter, without=("enemies",))
            return values | {
                "enemies": resolve_creatures(resolver, f"{path}.enemies", encounter.enemies, content=content)
            }
        case quests.Decision():
            options = [
                _outcomes(resolver, f"{path}.options.{index}", option, content)
                for index, option in enumerate(encounter.options)
            ]
            return to_plain(encounter, without=("options",)) | {"options": options}
        case quests.Puzzle():
            return _outcomes(resolver, path, encounter, content)
    return to_plain(encounter)


def _outcomes(resolver: Resolver, path: str, entry: quests.DecisionOption | quests.Puzzle, content: bool) -> Document:
    values = to_plain(entry, without=("success", "failure"))
    values["success"] = _consequence(resolver, f"{path}.success", entry.success, content)
    if entry.failure is not None:
        values["failure"] = _consequence(resolver, f"{path}.failure", entry.failure, content)
    return values


def _consequence(resolver: Resolver, path: str, consequence: quests.Consequence, content: bool) -> Document:
    values = to_plain(consequence, without=("ambush",))
    if consequence.ambush is not None:
        values["ambush"] = resolve_creatures(resolver, f"{path}.ambush", consequence.ambush, content=content)
    return values


def loot_content(resolver: Resolver, quest: quests.ResolvedQuest, difficulty: Difficulty) -> Document:
    """The tables that a quest uses, the templates in them, and all bonuses."""
    tables: dict[str, LootTable] = {}
    templates: dict[str, Any] = {}
    places: dict[str, str] = {}
    for path, name in tables_in_use(quest):
        places.setdefault(name, path)
    for name, path in places.items():
        with resolver.collecting():
            tables[name] = resolver.find("loot_tables", name, path)
    for name, table in tables.items():
        resolver.problems += rows_without_rarity(table, difficulty, resolver.where(f"loot_tables.{name}"))
        for index, row in enumerate(table.rows):
            with resolver.collecting():
                path = f"loot_tables.{name}.rows.{index}.template"
                templates[row.template] = resolver.find("items", row.template, path)
    return {
        "loot_tables": by_id(resolver, tables),
        "items": by_id(resolver, templates),
        "bonuses": by_id(resolver, resolver.of("bonuses")),
    }


def rows_without_rarity(table: LootTable, difficulty: Difficulty, where: str) -> Iterator[Problem]:
    """Report rows that can be picked but then have no rarity to pick."""
    for index, row in enumerate(table.rows):
        weights = rarity_weights(row.rarity_weights, difficulty)
        if row.weight and not any(weights.values()):
            message = f'under the difficulty "{difficulty.id}" every rarity has the weight 0, so none can be picked'
            yield Problem(f"{where}.rows.{index}.rarity_weights", message)


def rarity_weights(weights: Mapping[Any, int], difficulty: Difficulty) -> dict[str, int]:
    """The weight of each rarity under a difficulty (delve/README.md, "An item")."""
    shares: Mapping[Any, int] = difficulty.rarity
    return {name: weights.get(name, 0) * shares.get(name, 100) for name in RARITIES}


def by_id(resolver: Resolver, entries: Mapping[str, Any]) -> Document:
    """Entries of content as plain values."""
    return {name: resolver.made_ready(to_plain_once(entry)) for name, entry in entries.items()}
