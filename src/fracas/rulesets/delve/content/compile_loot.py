"""Compiles loot tables, templates, rarities and bonuses into numbers. delve/README.md, "An item"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.content.packs import unknown_name
from fracas.errors import Problem
from fracas.rulesets.delve.content.models.scenario import Resolved
from fracas.rulesets.delve.content.quest_resolver import hopeless_rows, rarity_weights
from fracas.rulesets.delve.rules import constants as codes


def write_loot(battle: Any, resolved: Resolved) -> Iterator[Problem]:
    """Write everything that items are made from, and report its problems."""
    templates = {name: code for code, name in enumerate(sorted(resolved.items))}
    bonuses = [resolved.bonuses[name] for name in sorted(resolved.bonuses)]
    for code, (name, table) in enumerate(sorted(resolved.loot_tables.items())):
        record, path = battle.tables[code], f"loot_tables.{name}"
        record.row_count = len(table.rows)
        yield from hopeless_rows(table, resolved.difficulty, path)
        for place, row in enumerate(table.rows):
            if row.template not in templates:
                yield unknown_name(f"{path}.rows.{place}.template", "item", row.template, templates)
                continue
            record.weights[place] = row.weight
            record.rows[place].template = templates[row.template]
            record.rows[place].rarity_weights[:] = list(
                rarity_weights(row.rarity_weights, resolved.difficulty).values()
            )
    for name, code in templates.items():
        slot = resolved.items[name].slot
        weights = [bonus.weight * (not bonus.slots or slot in bonus.slots) for bonus in bonuses]
        battle.templates[code].bonus_weights[: len(weights)] = weights
        battle.templates[code].bonus_total = sum(weights)
    for rarity_name, rarity in resolved.rarities.items():
        record = battle.rarities[codes.RARITIES.index(rarity_name)]
        record.bonus_count = rarity.bonuses
        record.tier_weights[:] = [getattr(rarity.tiers, tier) for tier in codes.TIERS]
    for code, bonus in enumerate(bonuses):
        battle.bonuses[code].amounts[:] = bonus.amounts
