"""Small attacks and campaigns to load, break and fight."""

from __future__ import annotations

from typing import Any

from tests.helpers.guards import ROOT

EXAMPLES = ROOT / "examples" / "stacks"
CAMPAIGN_EXAMPLE = EXAMPLES / "campaigns" / "river-war.toml"

ATTACK = """\
ruleset = "stacks"
id = "at-the-ford"

[map]
kind = "hex"
width = 8
height = 6

[factions]
red = { allies = ["gold"] }
blue = {}
gold = {}

[tiles]
"3,3" = { owner = "blue", name = "The Ford" }

[[stacks]]
id = "vanguard"
owner = "red"
at = [3, 2]
units = ["swordsman", { type = "healer", current = 3 }]

[[stacks]]
id = "garrison"
owner = "blue"
at = [3, 3]
units = [{ name = "Gatekeeper", attack = 4, defence = 5, damage = 3, health = 12, moves = ["strike"] }]

[attack]
stack = "vanguard"
tile = [3, 3]
"""

STATS = {"attack": 4, "defence": 2, "damage": 3, "health": 9}


def unit(identifier: str = "guard", **values: Any) -> dict[str, Any]:
    """A unit with nothing to look up."""
    return {"id": identifier, **STATS, "moves": ["strike"], **values}


def stack(name: str, owner: str, at: tuple[int, int], *units: Any) -> dict[str, Any]:
    """A stack; of one unit unless others are given."""
    return {"id": name, "owner": owner, "at": list(at), "units": list(units or [unit()])}


def attack(*others: dict[str, Any], **values: Any) -> dict[str, Any]:
    """Red at 1,0 attacks blue at 1,1 on squares; other stacks and other keys as they are given."""
    stacks = [stack("red-one", "red", (1, 0)), stack("blue-one", "blue", (1, 1)), *others]
    return {
        "ruleset": "stacks",
        "id": "small",
        "map": {"kind": "square4", "width": 4, "height": 4},
        "factions": {"red": {}, "blue": {}, "grey": {}},
        "stacks": stacks,
        "attack": {"stack": "red-one", "tile": [1, 1]},
        **values,
    }


def campaign(*attacks: tuple[str, tuple[int, int]], **values: Any) -> dict[str, Any]:
    """The same field with a list of attacks."""
    document = {key: value for key, value in attack(**values).items() if key != "attack"}
    return document | {"attacks": [{"stack": name, "tile": list(tile)} for name, tile in attacks]}
