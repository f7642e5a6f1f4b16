"""Delve scenarios to load, break, lint and play: texts that refer to content, documents that bring their own."""

from __future__ import annotations

from typing import Any

from tests.helpers.guards import ROOT

from fracas.rulesets.delve.rules.constants import ATTRIBUTES, RARITIES

EXAMPLES = ROOT / "examples" / "delve"
CONTENT = ROOT / "src" / "fracas" / "data" / "delve"

# Every fragment that a test replaces stands in these texts once.
ENCOUNTER = """\
ruleset = "delve"
id = "at-the-ford"
difficulty = "normal"
party = [
    "vanguard_2",
    { id = "ysolde", class = "arcanist", level = 3, hp = 44, items = ["bone_wand"], queue = [
        { skill = "mend", when = "ally_hp_below_40" },
        { skill = "firebolt", target = "highest_hp" },
    ] },
]
enemies = [
    "goblin_sneak",
    { template = "goblin_shaman", level = 2, armor = 1, queue = ["spark"] },
]
"""

RUN = """\
ruleset = "delve"
difficulty = "hard"
party = "first_company"
quest = "goblin_warrens"
run_id = "7b1e"
started_at = "2026-11-20T08:00:00Z"
flee_below = 20
"""

STRIKE = {"id": "hit", "name": "Hit", "reach": "one_enemy", "attack": "might", "defense": "speed"}
# What nobody else is called, so that no content is replaced by accident.
SKILLS: dict[str, dict[str, Any]] = {
    "hit": {**STRIKE, "damage": {"min": 4, "max": 8}},
    "bind": {
        "id": "bind",
        "name": "Bind",
        "reach": "one_ally",
        "heal": {"min": 3, "max": 6},
        "cost": 4,
        "cooldown": 2,
    },
    "brace": {
        "id": "brace",
        "name": "Brace",
        "reach": "self",
        "conditions": [{"condition": "shielded", "rounds": 2, "potency": 5}],
        "cost": 3,
    },
}
AIR = {"air": {"id": "air", "name": "Air"}}


def attributes(**values: int) -> dict[str, int]:
    """All six, thirty unless said otherwise."""
    return {**dict.fromkeys(ATTRIBUTES, 30), **values}


def member(identifier: str = "ana", **values: Any) -> dict[str, Any]:
    """Somebody who says everything about himself."""
    body = {"hp": 60, "attributes": attributes(), "queue": ["hit"]}
    return {"id": identifier, **body, **values}


def foe(identifier: str = "rat", **values: Any) -> dict[str, Any]:
    """A creature that says everything about itself."""
    return member(identifier, level=1, **values)


def payer(most: int = 20, **values: Any) -> dict[str, Any]:
    """A resource of the kind that these documents bring along."""
    return {"kind": "air", "max": most, **values}


def encounter(**values: Any) -> dict[str, Any]:
    """A lone encounter with nothing of the content but difficulty and profile."""
    document = {"ruleset": "delve", "id": "lone", "resources": AIR, "skills": SKILLS}
    return {**document, "party": [member()], "enemies": [foe()], **values}


def quest(*encounters: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A quest through these encounters, one fight unless there are others."""
    way = list(encounters) or [{"type": "combat", "enemies": [foe()]}]
    return {"id": "way", "name": "The Way", "loot_table_id": "bag", "encounters": way, **values}


ITEM = {"id": "stick", "name": "Stick", "slot": "main_hand", "damage": {"min": 1, "max": 3}}


def run(*encounters: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A run with tables and items of its own."""
    document = encounter(quest=quest(*encounters), items={"stick": ITEM}, loot_tables={"bag": table()})
    del document["enemies"]
    return {**document, **values}


def table(identifier: str = "bag", **weights: int) -> dict[str, Any]:
    """A loot table with one row."""
    rows = [{"template": "stick", "weight": 1, "rarity_weights": weights or {"common": 1}}]
    return {"id": identifier, "rows": rows}


def rarities(**changes: Any) -> dict[str, Any]:
    """All six rarities, without bonuses unless said otherwise."""
    return {name: {"id": name, "bonuses": 0} | changes.get(name, {}) for name in RARITIES}
