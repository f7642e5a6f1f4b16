"""How a class, a level and equipment become a member of the party, written from delve's rule book alone.

It follows the section *From class to participant* and reads content as plain TOML; queues and names are beyond it.
"""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]

ATTRIBUTES = ("might", "logic", "speed", "presence", "fortitude", "luck")
TRAININGS = ("perception", "acrobatics", "athletics", "arcana", "lore", "survival")
DEFENSES = ("armor", "resistance", "evasion")
PLAIN = ("hp", "resource", "regeneration", *DEFENSES)
RARITIES = ("common", "uncommon", "rare", "very_rare", "legendary", "artifact")
TIERS = ("minor", "standard", "major", "grand")


def at_level(numbers: Document, level: int) -> dict[str, int]:
    """Give what a class has at a level, by name."""
    base, growth = numbers["base"], numbers.get("per_level") or {}
    values = {name: base.get(name, 0) + growth.get(name, 0) * (level - 1) for name in PLAIN}
    for group, names in (("attributes", ATTRIBUTES), ("training", TRAININGS)):
        first, more = base.get(group) or {}, growth.get(group) or {}
        values |= {name: first.get(name, 0) + more.get(name, 0) * (level - 1) for name in names}
    return values | {"weapon_speed": 0, "low": 0, "high": 0}


def wear(values: dict[str, int], worn: Document | str, content: Document) -> None:
    """Add what an item adds."""
    item: Document = {"template": worn} if isinstance(worn, str) else worn
    template, enhancement = content["items"][item["template"]], item.get("enhancement", 0)
    enhanced = {name: template.get(name, 0) for name in DEFENSES}
    enhanced |= {end: (template.get("damage") or {}).get(key, 0) for end, key in (("low", "min"), ("high", "max"))}
    for name, value in enhanced.items():
        values[name] += value + value * 5 * enhancement // 100
    values["weapon_speed"] += template.get("speed", 0)
    added = [(bonus["stat"], bonus["amount"]) for bonus in template.get("signature") or []]
    added = added if RARITIES.index(item.get("rarity", "common")) >= RARITIES.index("rare") else []
    for entry in item.get("bonuses") or []:
        bonus = content["bonuses"][entry["bonus"]]
        added.append((bonus["stat"], bonus["amounts"][TIERS.index(entry.get("tier", "minor"))]))
    for stat, amount in added:
        for name in ("low", "high") if stat == "damage" else (stat,):
            values[name] += amount


def clamped(values: dict[str, int]) -> dict[str, int]:
    """Keep everything within its bounds."""
    most = dict.fromkeys(ATTRIBUTES, 255) | dict.fromkeys(TRAININGS, 100) | dict.fromkeys(DEFENSES, 10**5)
    most |= {"resource": 1000, "regeneration": 1000, "weapon_speed": 100} | dict.fromkeys(("hp", "low", "high"), 10**6)
    least = {"hp": 1, "weapon_speed": -100}
    kept = {name: max(least.get(name, 0), min(value, most[name])) for name, value in values.items()}
    return kept | {"high": max(kept["low"], kept["high"])}


def member(entry: Document | str, content: Document) -> Document:
    """Give the numbers of a member as the resolved document has them."""
    own: Document = {"template": entry} if isinstance(entry, str) else entry
    hero = content["heroes"][own["template"]] | own
    kind: Document = content["classes"][hero["class"]]
    values = at_level(kind, hero.get("level", 1))
    for source in (content["heroes"][own["template"]], own):
        values |= {name: source[name] for name in ("hp", *DEFENSES, "weapon_speed") if name in source}
        values |= (source.get("attributes") or {}) | (source.get("training") or {})
    for worn in hero.get("items") or []:
        wear(values, worn, content)
    values = clamped(values)
    start = content["resources"][kind["resource"]].get("start", 100)
    numbers: Document = {name: values[name] for name in ("hp", *DEFENSES, "weapon_speed")}
    numbers |= {"level": hero.get("level", 1), "weapon": {"min": values["low"], "max": values["high"]}}
    numbers["attributes"] = {name: values[name] for name in ATTRIBUTES}
    numbers["training"] = {name: values[name] for name in TRAININGS}
    resource = {"kind": kind["resource"], "max": values["resource"], "start": start}
    return numbers | {"resource": resource | {"regeneration": values["regeneration"]}}
