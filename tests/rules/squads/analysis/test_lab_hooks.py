"""Squads answers the lab."""

from __future__ import annotations

from typing import Any

import pytest

from fracas import load, run
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document

LAB = registry.get("squads").analysis
STANDARD = "examples/squads/standard-5v5.toml"


@pytest.fixture(scope="module")
def standard() -> Document:
    return load(STANDARD).document


def with_heal(power: int) -> Document:
    document = load(STANDARD).document
    heal = {**document["abilities"]["heal"], "effects": [{"type": "heal", "attack": power}]}
    return load({**document, "abilities": {**document["abilities"], "heal": heal}}).document


def test_another_ability_under_the_same_id_gets_its_own_with_what_the_strategy_says_of_it(standard: Document) -> None:
    met = LAB.matchup(SideRef(standard, 1), SideRef(with_heal(40), 1))
    assert met["abilities"]["heal-2"]["effects"][0]["attack"] == 40
    assert met["abilities"]["heal"] == standard["abilities"]["heal"]
    cleric = met["sides"][1]["units"][3]
    assert cleric["class_ability"] == "heal-2"
    assert "heal-2" in met["sides"][1]["strategy"]["abilities"]
    assert "heal" not in met["sides"][1]["strategy"]["abilities"]


def test_sides_share_the_basic_attack(standard: Document) -> None:
    basic = {**standard["abilities"]["basic_attack"], "effects": [{"type": "damage", "attack": 50}]}
    other = load({**standard, "abilities": {**standard["abilities"], "basic_attack": basic}}).document
    with pytest.raises(InputError, match="basic_attack: both sides share it"):
        LAB.matchup(SideRef(standard, 1), SideRef(other, 1))


def test_the_environment_is_the_first_ones(standard: Document) -> None:
    heavy = load("examples/squads/heavy-armor.toml").document
    assert LAB.matchup(SideRef(heavy, 1), SideRef(standard, 2))["modifier"] == heavy["modifier"]
    assert LAB.matchup(SideRef(standard, 1), SideRef(heavy, 2))["modifier"] is None


@pytest.mark.parametrize(
    ("strategy", "wanted"),
    [
        ({"formation": "flanking"}, {"formation": "flanking", "targetPriority": [], "abilities": {}}),
        (
            {"target_priority": ["tanks"], "abilities": {"Heal": {"when": "always"}, "Venom Tip": {"when": "always"}}},
            {"formation": "balanced", "targetPriority": ["tanks"], "abilities": {"heal": {"when": "always"}}},
        ),
    ],
)
def test_a_strategy_comes_as_files_hold_it(standard: Document, strategy: Any, wanted: Any) -> None:
    known = {**standard["abilities"]["heal"], "id": "venom_tip", "name": "Venom Tip"}
    value = {"strategy": strategy, "abilities": {"venom_tip": known}}
    assert LAB.with_part(SideRef(standard, 2), "strategy", value)["sides"][1]["strategy"] == wanted


def test_a_strategy_file_with_an_unknown_ability_is_refused(standard: Document) -> None:
    with pytest.raises(InputError, match='there is no ability "Heall"'):
        LAB.with_part(SideRef(standard, 1), "strategy", {"abilities": {"Heall": {"when": "always"}}})


def test_a_line_up_brings_its_abilities_and_the_strategy_forgets_those_that_are_gone(standard: Document) -> None:
    shields = load("examples/squads/shields.toml").document
    changed = LAB.with_part(SideRef(standard, 1), "line-up", LAB.part(SideRef(shields, 1), "line-up"))
    assert changed["sides"][0]["units"] == shields["sides"][0]["units"]
    assert changed["sides"][1] == standard["sides"][1]
    owned = {each[slot] for each in shields["sides"][0]["units"] for slot in ("class_ability", "ultimate")}
    assert owned <= set(changed["abilities"])
    assert set(changed["sides"][0]["strategy"]["abilities"]) <= {*owned, "basic_attack"}


def test_a_line_up_without_its_abilities_is_refused(standard: Document) -> None:
    part = LAB.part(SideRef(standard, 1), "line-up")
    del part["abilities"]["heal"]
    with pytest.raises(InputError, match='uses the ability "heal"'):
        LAB.with_part(SideRef(standard, 1), "line-up", part)


def test_knobs_are_what_a_strategy_and_a_line_up_decide(standard: Document) -> None:
    knobs = {knob.name: knob for knob in LAB.search_space(SideRef(standard, 1))}
    assert list(knobs["formation"].values) == ["aggressive", "defensive", "balanced", "flanking"]
    assert knobs["target priority"].labels[knobs["target priority"].current] == "lowest_hp"
    assert "Basic Attack: target" in knobs
    assert "Basic Attack: when" not in knobs
    assert "Falling Sky: target" not in knobs, "areas are not aimed"
    assert "never" in knobs["Heal: when"].labels
    assert list(knobs["place 1"].labels) == [
        "Bronze Knight",
        "Scout",
        "Apprentice Wizard",
        "Novice Cleric",
        "Shield Bearer",
    ]


@pytest.mark.parametrize(
    ("present", "alike"),
    [
        (["mages", "lowest_hp"], ["mages"]),
        (["lowest_hp", "mages"], []),
        (["mages", "mages", "healers"], ["mages", "healers"]),
        (["highest_threat", "tanks"], ["highest_threat"]),
    ],
)
def test_no_value_says_what_the_present_priorities_say(
    standard: Document, present: list[str], alike: list[str]
) -> None:
    strategy = {**standard["sides"][0]["strategy"], "targetPriority": present}
    document = {**standard, "sides": [{**standard["sides"][0], "strategy": strategy}, standard["sides"][1]]}
    knob = next(each for each in LAB.search_space(SideRef(document, 1)) if each.name == "target priority")
    assert knob.values[knob.current] == present
    assert alike not in [value for place, value in enumerate(knob.values) if place != knob.current]


def test_a_new_unit_comes_with_abilities_and_a_name_of_its_own(standard: Document) -> None:
    document = LAB.with_part(
        SideRef(standard, 2), "line-up", LAB.part(SideRef(load(single("tank")).document, 1), "line-up")
    )
    document = LAB.with_part(
        SideRef(document, 1), "line-up", LAB.part(SideRef(load(single("tank")).document, 1), "line-up")
    )
    assert "heal" not in document["abilities"]
    (knob,) = (each for each in LAB.search_space(SideRef(document, 1)) if each.part == "line-up")
    turned = LAB.with_choices(document, [(knob, list(knob.labels).index("Novice Cleric"))])
    assert turned["sides"][0]["units"][0]["id"] == "novice_cleric-1"
    assert "heal" in turned["abilities"]
    assert run(turned).rounds > 0


def single(role: str) -> Document:
    units = {"tank": "shield_bearer"}
    return {"ruleset": "squads", "sides": [{"units": [units[role]]}, {"units": [units[role]]}]}


def test_wounds_shields_and_falls_go_to_the_abilities_that_they_are_due_to() -> None:
    """One wounds and then strikes, the other hides behind a shield first."""
    document = load(
        {
            "ruleset": "squads",
            "id": "wound",
            "options": {"chain": {"stages": []}, "round_cap": 4},
            "abilities": {
                "bite": {
                    "id": "bite",
                    "name": "Bite",
                    "reach": "one_enemy",
                    "cooldown": 9,
                    "effects": [{"type": "damage_over_time", "attack": 100, "rounds": 2}],
                },
                "wall": {
                    "id": "wall",
                    "name": "Wall",
                    "reach": "self",
                    "cooldown": 9,
                    "effects": [{"type": "shield", "attack": 300, "rounds": 9}],
                },
            },
            "sides": [
                {"units": [plain_unit("snake", "bite", attack=10, speed=9, hp=100)]},
                {"units": [plain_unit("wall", "wall", attack=5, speed=1, hp=35)]},
            ],
        }
    ).document
    played = run(document)
    assert played.rows is not None
    found = LAB.contributions(played.rows, played.scenario.compiled, document)
    amounts = {(each.unit, each.ability): {key: n for key, n in each.amounts.items() if n} for each in found}
    assert amounts["Snake", "Bite"] == {"uses": 1, "damage": 20}
    assert amounts["Snake", "Basic Attack"] == {"uses": 3, "damage": 15, "stopped": 15, "falls": 1}
    assert amounts["Wall", "Wall"] == {"uses": 1, "absorbed": 15}
    assert amounts["Wall", "Basic Attack"] == {"uses": 2, "damage": 10}


def plain_unit(name: str, ability: str, **numbers: int) -> Document:
    never = {"class": "warrior", "defense": 0, "class_ability": ability, "ultimate": "last_word"}
    return {"id": name, **never, **numbers}
