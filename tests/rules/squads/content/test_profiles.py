"""README, Profiles and options: what each profile says, and its arithmetic worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, ability, battle, damage, of, side, unit

from fracas import load
from fracas.errors import InputError
from fracas.rulesets.squads.rules.constants import REASONS
from fracas.rulesets.squads.rules.events import Choice, Heal, Hit, Stage

OPTIONS = {
    "classic": {
        "round_cap": 50,
        "healer_threshold": 70,
        "healer_fallback": "unless_configured",
        "ultimate_rule": "charge",
        "charge_action": 20,
        "charge_hit": 10,
        "cap_tie": "draw",
    },
    "tuned": {
        "round_cap": 50,
        "healer_threshold": 70,
        "healer_fallback": "unless_configured",
        "ultimate_rule": "charge",
        "charge_action": 20,
        "charge_hit": 10,
        "cap_tie": "draw",
    },
    "legacy": {
        "round_cap": 50,
        "healer_threshold": 50,
        "healer_fallback": "unless_configured",
        "ultimate_rule": "cooldown",
        "cap_tie": "side1",
    },
}
ROLL = {"stage": "critical", "chance": 10, "multiplier": 150}
TRIANGLE = {"stage": "class_advantage", "strong": 120, "weak": 80}
CLASSIC = [
    {"stage": "formation"},
    TRIANGLE,
    ROLL,
    {"stage": "environment"},
    {"stage": "defense", "percent": 50, "at_least": 0},
    {"stage": "minimum", "at_least": 1},
]
CHAINS = {
    "classic": CLASSIC,
    "tuned": [*CLASSIC[:4], {"stage": "fatigue", "after": 20, "per_round": 10}, *CLASSIC[4:]],
    "legacy": [
        {"stage": "defense", "percent": 100, "at_least": 1},
        {"stage": "formation_exclusive"},
        ROLL,
        TRIANGLE,
        {"stage": "minimum", "at_least": 1},
    ],
}
# attack %, defense %, taken %
FORMATIONS = {
    "classic": {
        "aggressive": (115, 90, 100),
        "defensive": (90, 115, 100),
        "balanced": (100, 100, 100),
        "flanking": (110, 95, 100),
    },
    "tuned": {
        "aggressive": (115, 70, 100),
        "defensive": (90, 135, 100),
        "balanced": (100, 100, 100),
        "flanking": (110, 80, 100),
    },
    "legacy": {
        "aggressive": (115, 100, 100),
        "defensive": (100, 100, 85),
        "balanced": (100, 100, 100),
        "flanking": (100, 100, 100),
    },
}


def shipped(profile: str | None = None, **scenario: Any) -> dict[str, Any]:
    """The resolved options of two shipped units under a profile."""
    document = {"ruleset": "squads", "sides": [{"units": ["scout"]}, {"units": ["scout"]}], **scenario}
    options = load(document, profile=profile).document["options"]
    assert isinstance(options, dict)
    return options


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_the_options_of_a_profile(profile: str) -> None:
    options = shipped(profile)
    assert {key: options[key] for key in OPTIONS[profile]} == OPTIONS[profile]


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_the_damage_chain_of_a_profile(profile: str) -> None:
    assert shipped(profile)["chain"]["stages"] == CHAINS[profile]


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_the_formations_of_a_profile(profile: str) -> None:
    table = {
        name: (numbers["attack"], numbers["defense"], numbers["taken"])
        for name, numbers in shipped(profile)["formations"].items()
    }
    assert table == FORMATIONS[profile]


def test_classic_is_what_a_scenario_gets_that_names_no_profile() -> None:
    assert shipped() == shipped("classic")


def test_a_scenarios_own_option_goes_before_the_profiles() -> None:
    options = shipped("legacy", options={"healer_threshold": 33, "cap_tie": "draw"})
    assert (options["healer_threshold"], options["cap_tie"], options["ultimate_rule"]) == (33, "draw", "cooldown")


def test_a_scenarios_formation_numbers_replace_single_numbers_of_the_table() -> None:
    table = shipped("tuned", options={"formations": {"flanking": {"attack": 140}}})["formations"]
    assert table["flanking"] == {"attack": 140, "defense": 80, "taken": 100}
    assert table["aggressive"] == {"attack": 115, "defense": 70, "taken": 100}


def test_an_unknown_profile_is_refused_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="classic"):
        shipped("classik")


def attack(profile: str, *, tick: int = 1, formations: tuple[str, str] = ("aggressive", "defensive")) -> Fight:
    """A ranger with 100 attack and 120% against a mage with 33 defense, under Heavy Armor."""
    fight = battle(
        side(unit("a", "ranger", attack=100, class_ability="blow"), formation=formations[0]),
        side(unit("b", "mage", hp=1000, defense=33), formation=formations[1]),
        abilities=[ability("blow", "one_enemy", damage(attack=120))],
        chain=profile,
        options={"formations": {"classic": "standard"}.get(profile, profile), "charge_action": 0},
        modifier="heavy_armor",
    )
    fight.tick = tick
    return fight


@pytest.mark.parametrize(
    ("profile", "tick", "formations", "values"),
    [
        # 120 * 115% = 138, * 120% = 165.6, * 150% = 247.5, less 33 * 115 * 200 * 50 / 10^6 = 37.95
        ("classic", 30, ("aggressive", "defensive"), [138, 165, 247, 210, 210]),
        # less 33 * 135 * 200 * 50 / 10^6 = 44.55
        ("tuned", 20, ("aggressive", "defensive"), [138, 165, 247, 247, 203, 203]),
        # in round 23 130%: 247 * 130% = 321.1
        ("tuned", 23, ("aggressive", "defensive"), [138, 165, 247, 321, 277, 277]),
        # aggressive loses more: 33 * 70 * 200 * 50 / 10^6 = 23.1
        ("tuned", 1, ("flanking", "aggressive"), [132, 158, 237, 237, 214, 214]),
        # 120 - 33 * 200% = 54, * 115% = 62.1, * 150% = 93, * 120% = 111.6
        ("legacy", 1, ("aggressive", "defensive"), [54, 62, 93, 111, 111]),
        # 54 * 85% = 45.9, * 150% = 67.5, * 120% = 80.4
        ("legacy", 1, ("flanking", "defensive"), [54, 45, 67, 80, 80]),
        # 54, * 150% = 81, * 120% = 97.2
        ("legacy", 40, ("defensive", "aggressive"), [54, 54, 81, 97, 97]),
    ],
)
def test_a_hit_by_hand(profile: str, tick: int, formations: tuple[str, str], values: list[int]) -> None:
    events = attack(profile, tick=tick, formations=formations).turn("1.a", "d100=10")
    assert [told.after for told in of(events, Stage)] == values
    assert of(events, Hit)[0].lost == values[-1]


def test_legacy_leaves_one_point_before_its_percentages() -> None:
    """Defense leaves 1, and 85% of 1 is 0, which the minimum lifts."""
    fight = battle(
        side(unit("a", attack=5)),
        side(unit("b", defense=500), formation="defensive"),
        chain="legacy",
        options={"formations": "legacy"},
    )
    assert [told.after for told in of(fight.turn("1.a", "d100=99"), Stage)] == [1, 0, 0, 0, 1]


def legacy(first: list[Any], second: list[Any], **scenario: Any) -> Fight:
    """Shipped units under the profile legacy."""
    document = {"ruleset": "squads", "profile": "legacy", "sides": [{"units": first}, {"units": second}], **scenario}
    return Fight(document)


@pytest.mark.parametrize(
    ("name", "class_ability", "ultimate"),
    [
        ("bronze_knight", "reaping_arc", "last_word"),
        ("scout", "piercing_shaft", "black_hail"),
        ("apprentice_wizard", "fireball", "falling_sky"),
        ("novice_cleric", "heal", "dawn_chorus"),
        ("shield_bearer", "buckler_blow", "fortify"),
    ],
)
def test_legacy_brings_its_own_ability_table(name: str, class_ability: str, ultimate: str) -> None:
    document = legacy([name], ["scout"]).document
    (entry,) = document["sides"][0]["units"]
    assert (entry["class_ability"], entry["ultimate"]) == (class_ability, ultimate)
    assert document["abilities"][class_ability]["cooldown"] == 3
    assert document["abilities"][ultimate]["cooldown"] == 5


# Power, cooldown and reach as in the reference of the shipped game.
LEGACY_ABILITIES = [
    ("basic_attack", "one_enemy", 0, {"type": "damage", "attack": 100}),
    ("reaping_arc", "all_enemies", 3, {"type": "damage", "attack": 75}),
    ("last_word", "one_enemy", 5, {"type": "damage", "attack": 200}),
    ("fireball", "one_enemy", 3, {"type": "damage", "attack": 120}),
    ("falling_sky", "all_enemies", 5, {"type": "damage", "attack": 90}),
    ("piercing_shaft", "one_enemy", 3, {"type": "damage", "attack": 150}),
    ("black_hail", "all_enemies", 5, {"type": "damage", "attack": 80}),
    ("heal", "one_ally", 3, {"type": "heal", "attack": 150}),
    ("dawn_chorus", "all_allies", 5, {"type": "heal", "attack": 100}),
    ("buckler_blow", "one_enemy", 3, {"type": "damage", "attack": 80, "defense": 50}),
    ("fortify", "one_ally", 5, {"type": "heal", "max_hp": 50}),
]


@pytest.mark.parametrize(("name", "reach", "cooldown", "effect"), LEGACY_ABILITIES)
def test_the_abilities_of_legacy(name: str, reach: str, cooldown: int, effect: dict[str, Any]) -> None:
    everybody = ["bronze_knight", "scout", "apprentice_wizard", "novice_cleric", "shield_bearer"]
    entry = legacy(everybody, ["scout"]).document["abilities"][name]
    (only,) = entry["effects"]
    assert {key: value for key, value in only.items() if value != 0} == effect
    assert (entry["reach"], entry["cooldown"]) == (reach, cooldown)


def test_in_legacy_ultimates_are_ready_in_round_1_and_every_fifth_round_after() -> None:
    fight = legacy(["bronze_knight"], [{"id": "shield_bearer", "hp": 10**6}])
    used = []
    for tick in range(1, 13):
        fight.tick = tick
        events = fight.turn("1.bronze_knight", "d100=99")
        used.append(of(events, Choice)[0].choice[0])
    assert used == ["u", "c", "b", "b", "c", "u", "b", "c", "b", "b", "u", "c"]


def test_in_legacy_a_tanks_blow_adds_half_of_its_own_defense() -> None:
    """Shield Bearer: 20 * 80% + 30 * 50% = 31, less the scout's 15: 16."""
    fight = legacy(["shield_bearer"], ["scout"], options={"ultimate_rule": "charge"})
    events = fight.turn("1.shield_bearer", "d100=99")
    assert of(events, Hit)[0].damage == 16


@pytest.mark.parametrize(("hp", "choice"), [(45, "class ability"), (44, "ultimate")])
def test_in_legacy_support_waits_for_an_ally_below_half(hp: int, choice: str) -> None:
    """Fortify restores half of the tank's own 150 HP to the ally with the lowest share."""
    fight = legacy(["shield_bearer", "scout"], [{"id": "bronze_knight", "hp": 10**6}])
    fight["1.scout"].hp = hp
    rolls = ["d100=99"] if choice != "ultimate" else []
    events = fight.turn("1.shield_bearer", *rolls)
    assert of(events, Choice)[0].choice == choice
    if choice == "ultimate":
        (told,) = of(events, Heal)
        assert (told.target, told.healing, told.restored) == ("1.scout", 75, 46)


def test_in_legacy_equal_hp_at_the_cap_goes_to_side_1() -> None:
    fight = battle(
        side(unit("a", attack=1)),
        side(unit("b", attack=1)),
        chain=[{"stage": "scale", "percent": 0}],
        profile="legacy",
        options={"round_cap": 1},
    )
    result = fight.play()
    assert (int(result.winner), REASONS[int(result.reason)]) == (1, "cap_equal")


def test_classic_keeps_its_own_abilities_where_legacy_has_others() -> None:
    document = load({"ruleset": "squads", "sides": [{"units": ["shield_bearer"]}, {"units": ["scout"]}]}).document
    (tank,) = document["sides"][0]["units"]
    assert (tank["class_ability"], tank["ultimate"]) == ("shield_wall", "fortify")
    wall, fortify = (document["abilities"][name] for name in ("shield_wall", "fortify"))
    assert (wall["name"], wall["reach"]) == ("Shield Wall", "self")
    assert {effect["type"] for effect in wall["effects"]} == {"taunt", "shield"}
    assert next(effect for effect in wall["effects"] if effect["type"] == "shield")["defense"] == 100
    assert (fortify["reach"], fortify["effects"][0]["type"], fortify["effects"][0]["defense"]) == (
        "all_allies",
        "shield",
        60,
    )
