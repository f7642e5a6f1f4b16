"""Small battles of relics to load, break and fight."""

from __future__ import annotations

from typing import Any

from tests.helpers.guards import ROOT

EXAMPLES = ROOT / "examples" / "relics"

BATTLE = """\
ruleset = "relics"
id = "helm-and-cherry"

[options]
tie_breaker = "left_first"

[items.spiked_cap]
id = "spiked_cap"
stats = { armor = 1 }
triggers = { battle_start = [["gain_thorns", 1]] }

[left]
name = "Thorn knight"
weapon = "boomstick"
items = ["horned_helm", { id = "iceblock_shield", tier = "golden" }, "spiked_cap"]

[right]
stats = { hp = 25 }
items = [
  "sour_cherry",
  { id = "home_made", stats = { armor = 2 }, triggers = { turn_start = [["deal", 1, { if = "wounded" }]] } },
]
"""

# Item records and a fighter's record as the seed of relics has them.
HELM = {
    "id": "items/horned_helm",
    "name": "Horned Helm",
    "stats": {"attack": 0, "armor": 0, "speed": 0, "health": 0},
    "triggers": {"pre": [], "battle_start": [["gain_thorns", 1]], "turn_start": [], "on_hit": []},
    "flags": [],
}
SHIELD = {
    "id": "items/iceblock_shield",
    "name": "Iceblock Shield",
    "bucket": "items|weapons|food|upgrades",
    "stats": {"attack": 0, "armor": 8, "speed": 0, "health": 0},
    "triggers": {"pre": [], "battle_start": [["gain_freeze", 2]], "turn_start": [], "on_hit": []},
    "flags": [],
}
FIGHTER_STATE = {
    "hp": 22,
    "hp_max": 22,
    "atk": 2,
    "armor": 8,
    "speed": 3,
    "freeze": 0,
    "thorns": 1,
    "struck_this_turn": False,
    "temp_atk": 0,
    "exposed_triggered": False,
    "wounded_triggered": False,
}


def item(identifier: str = "thing", **values: Any) -> dict[str, Any]:
    """An item written out where it is worn; it does nothing unless it is told to."""
    return {"id": identifier, "stats": {}, **values}


def battle(left: dict[str, Any] | None = None, right: dict[str, Any] | None = None, **values: Any) -> dict[str, Any]:
    """Two fighters who only strike, unless they are given."""
    return {"ruleset": "relics", "id": "duel", "left": left or {}, "right": right or {}, **values}
