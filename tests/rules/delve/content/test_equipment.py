"""From class, level and items to finished numbers, one sum at a time."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve import encounter, member, payer

from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.delve.content.equipment import class_numbers, enhanced
from fracas.rulesets.delve.content.models.characters import CharacterClass
from fracas.rulesets.delve.rules.constants import (
    ATTRIBUTES,
    BONUS_STATS,
    RARITIES,
    SLOT_CAPACITY,
    SLOT_NAMES,
    TIERS,
    TRAININGS,
)

RULESET = registry.get("delve")
CLASSES = (
    "arcanist",
    "cantor",
    "footpad",
    "hexer",
    "oathkeeper",
    "reaver",
    "tracker",
    "vanguard",
    "warden",
)
BONUS = {"id": "gift", "name": "Gift", "amounts": [1, 20, 300, 4000]}


def dressed(*items: Any, templates: Any = (), bonuses: Any = (), **values: Any) -> dict[str, Any]:
    """A member who wears items of the scenario's own."""
    document = encounter(
        party=[member(items=list(items), **values)],
        items={entry["id"]: entry for entry in templates},
        bonuses={entry["id"]: entry for entry in bonuses},
    )
    found: dict[str, Any] = RULESET.resolve(document, Source("scenario")).document["party"][0]
    return found


def template(slot: str = "main_hand", **values: Any) -> dict[str, Any]:
    return {"id": f"the_{slot}", "name": "The Thing", "slot": slot, **values}


def numbers_of(found: dict[str, Any]) -> dict[str, Any]:
    """The numbers that a bonus may raise, by its names for them."""
    resource = found.get("resource", {})
    plain = {name: found[name] for name in ("hp", "armor", "resistance", "evasion", "weapon_speed")}
    return {
        **found["attributes"],
        **found["training"],
        **plain,
        "resource": resource.get("max"),
        "regeneration": resource.get("regeneration"),
        "damage": found["weapon"]["max"],
    }


# The class.

GROWING = {
    "id": "grower",
    "name": "Grower",
    "resource": "stamina",
    "queue": ["strike"],
    "base": {
        "hp": 30,
        "attributes": dict.fromkeys(ATTRIBUTES, 20),
        "resource": 10,
        "regeneration": 1,
        "armor": 2,
        "training": {"lore": 5},
    },
    "per_level": {"hp": 4, "attributes": {"might": 2}, "resource": 3, "evasion": 1, "training": {"survival": 1}},
}


@pytest.mark.parametrize("level", [1, 2, 7, 100])
def test_each_level_above_the_first_adds_the_growth(level):
    stats = class_numbers(CharacterClass.model_validate(GROWING), level).stats
    grown = level - 1
    assert stats["hp"] == 30 + 4 * grown
    assert (stats["might"], stats["logic"]) == (20 + 2 * grown, 20)
    assert (stats["resource"], stats["regeneration"]) == (10 + 3 * grown, 1)
    assert (stats["armor"], stats["resistance"], stats["evasion"]) == (2, 0, grown)
    assert (stats["lore"], stats["survival"], stats["arcana"]) == (5, grown, 0)


def test_what_a_member_says_replaces_what_its_class_says_before_items_add():
    shirt = template("chest", armor=3)
    found = dressed("the_chest", templates=[shirt], **{"class": "vanguard", "armor": 10, "queue": ["strike"]})
    assert found["armor"] == 13


# The items.


def test_without_items_nothing_is_added():
    found = dressed(weapon={"min": 2, "max": 4}, armor=1)
    assert (found["weapon"], found["armor"], found["weapon_speed"]) == ({"min": 2, "max": 4}, 1, 0)


def test_a_weapon_gives_its_range_and_its_speed():
    found = dressed("the_main_hand", templates=[template(damage={"min": 3, "max": 7}, speed=-12)])
    assert (found["weapon"], found["weapon_speed"]) == ({"min": 3, "max": 7}, -12)


def test_a_weapon_comes_on_top_of_what_the_member_has():
    sword = template(damage={"min": 3, "max": 7}, speed=5)
    found = dressed("the_main_hand", templates=[sword], weapon={"min": 1, "max": 1}, weapon_speed=-2)
    assert (found["weapon"], found["weapon_speed"]) == ({"min": 4, "max": 8}, 3)


def test_every_slot_can_be_filled_and_all_of_them_add_up():
    templates = [template(slot, armor=1, resistance=2, evasion=3) for slot in SLOT_NAMES]
    worn = [entry["id"] for entry in templates for _ in range(SLOT_CAPACITY.get(entry["slot"], 1))]
    assert len(worn) == 11
    found = dressed(*worn, templates=templates)
    assert (found["armor"], found["resistance"], found["evasion"]) == (11, 22, 33)


@pytest.mark.parametrize(
    ("enhancement", "armor", "low", "high"),
    [(0, 10, 3, 39), (1, 10, 3, 40), (2, 11, 3, 42), (3, 11, 3, 44), (4, 12, 3, 46), (5, 12, 3, 48)],
)
def test_enhancement_adds_five_per_cent_a_level_truncated(enhancement, armor, low, high):
    sword = template(damage={"min": 3, "max": 39}, armor=10, speed=-20)
    found = dressed({"template": "the_main_hand", "enhancement": enhancement}, templates=[sword])
    assert found["armor"] == armor
    assert found["weapon"] == {"min": low, "max": high}
    assert found["weapon_speed"] == -20


@pytest.mark.parametrize(("value", "expected"), [(0, 0), (3, 3), (4, 5), (19, 23), (20, 25)])
def test_five_enhancements_add_a_quarter_truncated(value, expected):
    assert enhanced(value, 5) == expected


@pytest.mark.parametrize("rarity", RARITIES)
def test_a_signature_shows_from_rare_on(rarity):
    ring = template("ring", signature=[{"stat": "luck", "amount": 5}, {"stat": "hp", "amount": -10}])
    found = dressed({"template": "the_ring", "rarity": rarity}, templates=[ring])
    shows = rarity not in ("common", "uncommon")
    assert (found["attributes"]["luck"], found["hp"]) == ((35, 50) if shows else (30, 60))


@pytest.mark.parametrize("stat", BONUS_STATS)
def test_a_bonus_raises_its_stat_and_nothing_else(stat):
    worn = {"template": "the_belt", "bonuses": [{"bonus": "gift"}]}
    gift = {**BONUS, "stat": stat}
    before = numbers_of(dressed(resource=payer(regeneration=2)))
    after = numbers_of(dressed(worn, templates=[template("belt")], bonuses=[gift], resource=payer(regeneration=2)))
    assert {name for name in before if before[name] != after[name]} == {stat}
    assert after[stat] == before[stat] + 1


def test_a_bonus_on_damage_raises_both_ends():
    worn = {"template": "the_belt", "bonuses": [{"bonus": "gift"}]}
    found = dressed(
        worn, templates=[template("belt")], bonuses=[{**BONUS, "stat": "damage"}], weapon={"min": 2, "max": 5}
    )
    assert found["weapon"] == {"min": 3, "max": 6}


@pytest.mark.parametrize("tier", TIERS)
def test_the_tier_says_how_much(tier):
    worn = {"template": "the_belt", "bonuses": [{"bonus": "gift", "tier": tier}]}
    found = dressed(worn, templates=[template("belt")], bonuses=[{**BONUS, "stat": "armor"}])
    assert found["armor"] == BONUS["amounts"][TIERS.index(tier)]


def test_bonuses_add_up_even_the_same_one():
    worn = {"template": "the_belt", "bonuses": [{"bonus": "gift"}, {"bonus": "gift", "tier": "standard"}]}
    found = dressed(worn, templates=[template("belt")], bonuses=[{**BONUS, "stat": "armor"}])
    assert found["armor"] == 21


def test_somebody_without_a_resource_gains_none():
    worn = {"template": "the_belt", "bonuses": [{"bonus": "gift"}]}
    assert "resource" not in dressed(worn, templates=[template("belt")], bonuses=[{**BONUS, "stat": "resource"}])


@pytest.mark.parametrize(
    ("stat", "amount", "expected"),
    [
        *((name, 1000, 255) for name in ATTRIBUTES),
        *((name, -1000, 0) for name in ATTRIBUTES),
        *((name, -1000, 0) for name in TRAININGS),
        *((name, 1000, 100) for name in TRAININGS),
        ("hp", -1000, 1),
        ("armor", -1000, 0),
        ("resistance", -1000, 0),
        ("evasion", -1000, 0),
        ("resource", -1000, 0),
        ("regeneration", -1000, 0),
        ("weapon_speed", 1000, 100),
        ("weapon_speed", -1000, -100),
        ("damage", -1000, 0),
    ],
)
def test_sums_stay_within_their_bounds(stat, amount, expected):
    ring = template("ring", signature=[{"stat": stat, "amount": amount}])
    found = dressed({"template": "the_ring", "rarity": "rare"}, templates=[ring], resource=payer())
    assert numbers_of(found)[stat] == expected


@pytest.mark.parametrize("level", [1, 89, 90, 100])
def test_every_shipped_class_can_be_had_at_every_level(level):
    party = [{"class": role, "level": level} for role in CLASSES]
    resolved = [RULESET.resolve(encounter(party=some), Source("scenario")) for some in (party[:8], party[8:])]
    members = [member for each in resolved for member in each.document["party"]]
    assert [member["class"] for member in members] == list(CLASSES)
    assert {member["level"] for member in members} == {level}
    highest = {1: 12, 89: 100, 90: 100, 100: 100}
    assert max(max(member["training"].values()) for member in members) == highest[level]


def test_the_ends_of_a_weapon_range_do_not_cross():
    ring = template("ring", signature=[{"stat": "damage", "amount": -3}])
    found = dressed({"template": "the_ring", "rarity": "rare"}, templates=[ring], weapon={"min": 1, "max": 2})
    assert found["weapon"] == {"min": 0, "max": 0}


def test_what_was_summed_is_not_summed_again():
    document = encounter(party=["vanguard_2", "oathkeeper_5", "reaver_10"])
    once = RULESET.resolve(document, Source("scenario")).document
    assert RULESET.resolve(once, Source("scenario")).document == once
    assert all("items" not in each for each in once["party"])
