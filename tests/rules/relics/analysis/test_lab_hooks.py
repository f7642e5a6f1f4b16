"""Relics answers the lab."""

from __future__ import annotations

from typing import Any

import pytest

from fracas import load, run
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document

RULESET = registry.get("relics")
LAB = RULESET.analysis


@pytest.fixture(scope="module")
def standard() -> Document:
    return load("examples/relics/standard.toml").document


def fight(left: Document, right: Document | None = None, **options: Any) -> Document:
    sides = {"left": left, "right": right or {}}
    return load({"ruleset": "relics", "id": "fight", "options": options, **sides}).document


def test_the_second_becomes_the_right_one(standard: Document) -> None:
    met = LAB.matchup(SideRef(standard, 2), SideRef(standard, 1))
    assert met["left"] == standard["right"]
    assert met["right"] == standard["left"]


def test_an_item_above_the_first_ones_caps_is_refused_or_held_to_them() -> None:
    heavy = fight({"items": [{"id": "brick", "stats": {"armor": 15}}]})
    with pytest.raises(InputError, match=r'right\.items\.0.*"brick" has 15 armor, above the cap of 9'):
        LAB.matchup(SideRef(fight({}, stat_caps={"armor": 9}), 1), SideRef(heavy, 1))
    held = LAB.matchup(SideRef(fight({}, stat_caps={"armor": 9}, stat_cap_mode="clamp"), 1), SideRef(heavy, 1))
    assert held["right"]["items"][0]["stats"]["armor"] == 9


def test_a_build_comes_as_files_hold_it_and_leaves_the_fighter_its_own(standard: Document) -> None:
    changed = LAB.with_part(SideRef(standard, 1), "build", {"weapon": "dice_pistol", "items": ["horned_helm"]})
    assert changed["left"]["name"] == standard["left"]["name"]
    assert changed["left"]["stats"] == standard["left"]["stats"]
    assert [each["id"] for each in changed["left"]["items"]] == ["horned_helm"]
    assert changed["left"]["sets"] == []
    with pytest.raises(InputError, match='there is no item "horned_hat"'):
        LAB.with_part(SideRef(standard, 1), "build", {"items": ["horned_hat"]})


def test_a_fighter_has_stats_or_a_state() -> None:
    stated = fight({"state": {"hp": 7, "hp_max": 9, "atk": 3}})
    found = {stat.name: stat for stat in LAB.stats(SideRef(stated, 1))}
    assert (found["hp"].value, found["hp"].most) == (7, 9)
    assert (found["hp_max"].value, found["hp_max"].least) == (9, 7)
    light = fight({"stats": {"health": 9}, "items": [{"id": "leech", "stats": {"health": -5}}]})
    assert {stat.name: stat.least for stat in LAB.stats(SideRef(light, 1))}["health"] == 6


def test_every_piece_can_be_exchanged_within_its_bucket_and_tier(standard: Document) -> None:
    document = {**standard, "left": {**standard["left"]}}
    document["left"]["items"] = [{**document["left"]["items"][0], "tier": "golden"}, *document["left"]["items"][1:]]
    knobs = LAB.search_space(SideRef(document, 1))
    assert [knob.name for knob in knobs][:2] == ["weapon", "item 1"]
    assert {value["tier"] for value in knobs[1].values} == {"golden"}
    assert len(knobs) == 1 + len(document["left"]["items"])


def test_a_unique_item_is_never_worn_twice(standard: Document) -> None:
    for name in [
        value["id"] for knob in LAB.search_space(SideRef(standard, 1)) for value in knob.values if value["unique"]
    ]:
        offered = [
            knob.name for knob in LAB.search_space(SideRef(standard, 1)) if name in [v["id"] for v in knob.values]
        ]
        assert len(offered) == 1
        break
    else:
        pytest.fail("no unique item is offered")


def test_set_bonuses_are_those_of_what_is_worn_then(standard: Document) -> None:
    assert [entry["id"] for entry in standard["left"]["sets"]] == ["quickset_hedge"]
    thorny = [number for number, piece in enumerate(standard["left"]["items"]) if "thorn" in piece["tags"]]
    knobs = {knob.path[-1]: knob for knob in LAB.search_space(SideRef(standard, 1)) if knob.path[1] == "items"}
    lost = [(knobs[str(number)], plain_value(knobs[str(number)])) for number in thorny]
    assert LAB.with_choices(standard, lost)["left"]["sets"] == []
    assert LAB.with_choices(standard, lost[:1])["right"] == standard["right"]


def plain_value(knob: Any) -> int:
    """The number of a value without the tag thorn."""
    return next(number for number, value in enumerate(knob.values) if "thorn" not in value["tags"])


def test_a_fighter_who_could_run_out_of_health_is_offered_nothing_lighter() -> None:
    heavy = [{"id": f"heart-{n}", "stats": {"health": 1}} for n in range(3)]
    frail = fight({"stats": {"health": 1}, "items": heavy})
    for knob in LAB.search_space(SideRef(frail, 1)):
        assert all(value["stats"]["health"] >= 1 for value in knob.values)


def test_strikes_belong_to_the_weapon_and_thorns_to_themselves() -> None:
    document = fight(
        {"stats": {"health": 30, "attack": 2}, "weapon": "hazel_cudgel"},
        {"stats": {"health": 30, "attack": 1}, "items": [thorny()]},
        turn_cap=4,
    )
    played = run(document)
    assert played.rows is not None
    found = LAB.contributions(played.rows, played.scenario.compiled, document)
    damage = {(each.side, each.ability): each.amounts["damage"] for each in found}
    assert damage[1, "Hazel Cudgel"] > 0
    assert damage[2, "thorns"] > 0
    assert damage[2, "itself"] > 0
    assert next(each for each in found if each.ability == "Briar").amounts["runs"] == 1


def thorny() -> Document:
    return {"id": "briar", "triggers": {"battle_start": [{"op": "gain_thorns", "amount": 3}]}}
