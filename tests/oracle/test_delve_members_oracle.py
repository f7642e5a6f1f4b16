"""Members as delve's resolver makes them against a second reading of the rule book."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.oracle import delve_members

import fracas

CONTENT = Path(__file__).parents[2] / "src" / "fracas" / "data" / "delve"


def content() -> dict[str, dict[str, Any]]:
    """All shipped content, by kind and id."""
    kinds: dict[str, dict[str, Any]] = {}
    for path in sorted(CONTENT.glob("*.toml")):
        for kind, entries in tomllib.loads(path.read_text()).items():
            kinds.setdefault(kind, {}).update({entry["id"]: entry for entry in entries})
    return kinds


SHIPPED = content()


def resolved(party: list[Any]) -> list[dict[str, Any]]:
    """The members of a party as the resolved document has them, without what the oracle leaves out."""
    enemies = [next(iter(SHIPPED["creatures"]))]
    document = fracas.load({"ruleset": "delve", "id": "muster", "party": party, "enemies": enemies}).document
    left_out = ("id", "name", "class", "queue")
    return [{key: value for key, value in member.items() if key not in left_out} for member in document["party"]]


def equipped(number: int) -> dict[str, Any]:
    """A hero with a level and equipment that no table of loot would give."""
    draw = random.Random(number)
    templates = {template["slot"]: template for template in draw.sample(list(SHIPPED["items"].values()), 6)}
    entry: dict[str, Any] = {"template": draw.choice(list(SHIPPED["heroes"])), "level": draw.randint(8, 100)}
    entry["items"] = [item_of(template, draw) for template in templates.values()]
    return entry | ({"attributes": {"luck": 250}, "training": {"lore": 3}, "armor": 9} if draw.random() < 0.3 else {})


def item_of(template: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """An item of any rarity, as enhanced as can be, with bonuses that fit its slot."""
    item = {"template": template["id"], "rarity": draw.choice(delve_members.RARITIES)}
    bonuses = SHIPPED["bonuses"].values()
    fitting = [bonus["id"] for bonus in bonuses if template["slot"] in bonus.get("slots", [template["slot"]])]
    chosen = draw.choices(fitting, k=draw.randint(0, 3))
    worn = [{"bonus": bonus, "tier": draw.choice(delve_members.TIERS)} for bonus in chosen]
    return item | {"enhancement": draw.randint(0, 5), "bonuses": worn}


@pytest.mark.parametrize("party", [entry["members"] for entry in SHIPPED["parties"].values()])
def test_shipped_parties_are_made_alike(party: list[Any]) -> None:
    assert resolved(party) == [delve_members.member(entry, SHIPPED) for entry in party]


def test_shipped_heroes_are_made_alike() -> None:
    heroes = list(SHIPPED["heroes"])
    for first in range(0, len(heroes), 8):
        party: list[Any] = heroes[first : first + 8]
        assert resolved(party) == [delve_members.member(hero, SHIPPED) for hero in party]


@pytest.mark.parametrize("first", range(0, 64, 8))
def test_members_with_any_equipment_are_made_alike(first: int) -> None:
    party = [equipped(number) for number in range(first, first + 8)]
    assert resolved(party) == [delve_members.member(entry, SHIPPED) for entry in party]
