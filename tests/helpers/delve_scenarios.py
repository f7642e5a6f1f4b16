"""Small delve scenarios that bring everything of their own, to load, break and play."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.helpers.guards import ROOT

import fracas

DELVES = ROOT / "examples" / "delve"
ATTRIBUTES = ("might", "logic", "speed", "presence", "fortitude", "luck")

SKILLS: dict[str, dict[str, Any]] = {
    "strike": {
        "name": "Strike",
        "reach": "one_enemy",
        "attack": "might",
        "defense": "speed",
        "damage": {"min": 3, "max": 8},
        "weapon": True,
    },
    "spark": {
        "name": "Spark",
        "reach": "one_enemy",
        "attack": "logic",
        "defense": "fortitude",
        "element": "magic",
        "damage": {"min": 2, "max": 6},
        "conditions": [{"condition": "burning", "rounds": 2, "potency": 2}],
        "cost": 4,
        "cooldown": 2,
    },
    "sweep": {
        "name": "Sweep",
        "reach": "all_enemies",
        "attack": "might",
        "defense": "speed",
        "damage": {"min": 1, "max": 4},
        "cooldown": 3,
    },
    "daze": {
        "name": "Daze",
        "reach": "one_enemy",
        "attack": "presence",
        "defense": "fortitude",
        "conditions": [{"condition": "stunned"}, {"condition": "blinded", "rounds": 2}],
        "cooldown": 3,
    },
    "mend": {"name": "Mend", "reach": "one_ally", "heal": {"min": 5, "max": 9}, "cost": 3},
    "ward": {
        "name": "Ward",
        "reach": "all_allies",
        "conditions": [
            {"condition": "shielded", "rounds": 3, "potency": 4},
            {"condition": "empowered", "rounds": 2},
        ],
        "cooldown": 4,
    },
}


def body(**values: Any) -> dict[str, Any]:
    """What members and creatures have in common."""
    usual = {
        "level": 2,
        "hp": 40,
        "attributes": dict.fromkeys(ATTRIBUTES, 30),
        "weapon": {"min": 1, "max": 3},
        "queue": ["strike"],
    }
    return {**usual, **values}


def member(identifier: str = "kael", **values: Any) -> dict[str, Any]:
    """A member with nothing to look up."""
    return {"id": identifier, "name": identifier.title(), **body(**values)}


def creature(identifier: str = "rat", **values: Any) -> dict[str, Any]:
    """An enemy with nothing to look up."""
    return {"id": identifier, "name": identifier.title(), **body(hp=18, xp_reward=10), **values}


def party() -> list[dict[str, Any]]:
    """Two heroes: one strikes, one helps."""
    breath = {"kind": "breath", "max": 12, "regeneration": 2}
    return [
        member("kael", hp=60, queue=[{"skill": "sweep", "when": "enemy_count_gte_2"}, "strike"], armor=2),
        member(
            "mira",
            hp=50,
            resource=breath,
            training={"perception": 20, "lore": 10},
            queue=[
                {"skill": "mend", "when": "ally_hp_below_60"},
                {"skill": "ward", "when": "once"},
                {"skill": "daze", "when": "not enemies.any(stunned)", "target": "random"},
                {"skill": "spark", "target": "highest_hp"},
                "strike",
            ],
        ),
    ]


def world(**values: Any) -> dict[str, Any]:
    """The content that both kinds of scenario bring."""
    return {
        "ruleset": "delve",
        "skills": {name: {"id": name, **skill} for name, skill in deepcopy(SKILLS).items()},
        "resources": {"breath": {"id": "breath", "name": "Breath"}},
        "difficulty": {"id": "even", "name": "Even", "loot_chance": 50},
        **values,
    }


def duel(**values: Any) -> dict[str, Any]:
    """A lone encounter: two heroes against two rats and a boss."""
    boss = creature("king", hp=50, boss=True, phases=[{"name": "cornered", "at": 50, "queue": ["sweep", "strike"]}])
    enemies = [creature("rat"), creature("rat"), boss]
    return world(id="duel", party=party(), enemies=enemies) | values


def run(**values: Any) -> dict[str, Any]:
    """A run through every type of encounter; the decision is always an ambush."""
    boss = creature("king", hp=40, boss=True, xp_reward=50)
    boss |= {"phases": [{"name": "cornered", "at": 60, "queue": ["sweep", "strike"], "attributes": {"speed": 45}}]}
    encounters = [
        {"type": "trap", "name": "The cord", "detect": 30, "avoid": 30, "damage": {"min": 2, "max": 6}, "xp": 5},
        {"type": "combat", "name": "The watch", "enemies": [creature("rat"), creature("rat")], "gold": _range(3, 9)},
        {
            "type": "decision",
            "name": "The fork",
            "options": [
                {"name": "go on", "success": {"text": "It was a lure.", "gold": 7, "ambush": [creature("rat")]}},
            ],
        },
        {"type": "hazard", "name": "The smoke", "check": "survival", "difficulty": 20, "damage": _range(2, 6)},
        {"type": "rest", "name": "The cave", "loot": False},
        {
            "type": "puzzle",
            "name": "The stones",
            "checks": ["logic", "lore"],
            "difficulty": 20,
            "success": {"loot_rolls": 2, "heal": 10},
            "failure": {"damage": _range(1, 3)},
        },
        {"type": "combat", "name": "The hall", "enemies": [boss, creature("rat")], "xp": 20},
    ]
    weights = {"common": 60, "uncommon": 30, "rare": 10}
    rows = [
        {"template": "spear", "weight": 3, "rarity_weights": weights},
        {"template": "cap", "weight": 1, "rarity_weights": weights},
    ]
    quest = {"id": "burrow", "name": "The Burrow", "text": "Sheep are missing.", "loot_table_id": "pockets"}
    return (
        world(
            id="burrow-run",
            party=party(),
            quest={**quest, "encounters": encounters},
            items={
                "spear": {"id": "spear", "name": "Ash Spear", "slot": "main_hand", "damage": _range(2, 5)},
                "cap": {"id": "cap", "name": "Hide Cap", "slot": "head", "armor": 1},
            },
            bonuses={"keen": {"id": "keen", "name": "Keen", "stat": "might", "amounts": [1, 2, 3, 5]}},
            loot_tables={"pockets": {"id": "pockets", "rows": rows}},
        )
        | values
    )


def _range(low: int, high: int) -> dict[str, int]:
    return {"min": low, "max": high}


def loaded(document: dict[str, Any] | None = None, **options: Any) -> fracas.Scenario:
    """A loaded scenario, the run unless another is given."""
    return fracas.load(run() if document is None else document, **options)


def played(document: dict[str, Any] | None = None, **options: Any) -> fracas.Battle:
    """A played battle, the run unless another is given."""
    return fracas.run(loaded(document), **options)


def run_that_ends(reason: str) -> fracas.Battle:
    """The first run that ends so."""
    scenario = loaded(run(flee_below=40) if reason == "fled" else None)
    battles = (fracas.run(scenario, stream=stream) for stream in range(500))
    return next(battle for battle in battles if battle.reason == reason)
