"""The seed's test vectors (section 8) and pitfalls (section 9), by their numbers, with the content that ships."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics import FIGHTER_STATE, HELM, SHIELD
from tests.helpers.relics_fights import CANVAS, GAME, Fight, fighter, of, resolved

from fracas.errors import InputError
from fracas.rulesets.relics.rules import events as told

# The seed's fighter record, with what its vectors need of it.
STATE = {"hp": 20, "hp_max": 20, "atk": 0, "armor": 0, "speed": 0}


def shipped(left: dict[str, Any] | None = None, right: dict[str, Any] | None = None, **options: Any) -> Fight:
    """A fight of two fighters as files write them, on the canvas; who does not say it stands in the record above."""
    return resolved({"state": STATE, **(left or {})}, {"state": STATE, **(right or {})}, **options)


def lines(fight: Fight, kind: type[Any]) -> list[Any]:
    return of(fight.events, kind)


def test_vector_1_freeze_halving_and_on_hit() -> None:
    """ATK 3 against Freeze 1: 1, and the Boomstick's 1 still applies: 2 HP in all."""
    left = {"state": STATE | {"atk": 3, "speed": 1}, "weapon": "boomstick"}
    fight = shipped(left, {"state": STATE | {"freeze": 1}}).struck()
    assert [each.lost for each in lines(fight, told.Damage)] == [1, 1]
    assert fight.right["hp"] == 18


def test_vector_2_blood_sausage_front_load() -> None:
    """At 20 of 20 five heals of 1 change nothing."""
    fight = shipped({"items": ["blood_sausage"]}).set_up()
    assert [(each.healed, each.excess) for each in lines(fight, told.Heal)] == [(0, 1)] * 5
    assert fight.left["hp"] == 20
    hurt = shipped({"state": STATE | {"hp": 17}, "items": ["blood_sausage"]}).set_up()
    assert [each.healed for each in lines(hurt, told.Heal)] == [1, 1, 1, 0, 0]


def test_vector_3_sour_cherry_pings_and_freeze() -> None:
    """Two pings of 1, that Freeze does not halve."""
    fight = shipped({"items": ["sour_cherry"]}, {"state": STATE | {"freeze": 2}}).set_up()
    assert [(each.absorbed, each.lost) for each in lines(fight, told.Damage)] == [(0, 1), (0, 1)]
    assert fight.right.has(hp=18, freeze=2)


def test_vector_3_pings_are_counted_one_by_one() -> None:
    fight = shipped({"items": ["sour_cherry"]}, {"items": ["assault_greaves"]}).set_up()
    assert fight.left["hp"] == 18


def test_vector_4_corroded_bone_conversion() -> None:
    fight = shipped({"items": ["corroded_bone"]}).set_up()
    assert fight.right.has(hp=10, armor=10)
    assert fight.left.has(hp=20, armor=0)
    assert lines(fight, told.Damage) == []


def test_vector_5_thorns_removal() -> None:
    """Thorns 3, struck: reflects 3; at the end of the turn there are none."""
    fight = shipped({"state": STATE | {"atk": 1, "speed": 1}}, {"state": STATE | {"thorns": 3}}).struck()
    assert [(each.source, each.lost) for each in lines(fight, told.Damage)] == [("strike", 1), ("thorns", 3)]
    assert fight.end().told == ["thorns of right -3"]


def test_vector_5_thorns_that_nobody_touched_stay() -> None:
    fight = shipped({"state": STATE | {"speed": 1, "stun": 1}}, {"state": STATE | {"thorns": 3}}).set_up().turn()
    assert fight.right["thorns"] == 3


def test_vector_6_assault_greaves_retaliation() -> None:
    """Each time, to ARMOR or HP; the attacker's ARMOR takes the answer first."""
    left = {"state": STATE | {"atk": 1, "speed": 1, "armor": 1}, "items": ["sour_cherry"]}
    fight = shipped(left, {"state": STATE | {"armor": 1}, "items": ["assault_greaves"]}).set_up().turn()
    assert fight.left.has(armor=0, hp=18)
    answers = [each for each in lines(fight, told.Damage) if each.source == "Assault Greaves"]
    assert [(each.absorbed, each.lost) for each in answers] == [(0, 1)]


def test_pitfall_1_freeze_does_not_negate() -> None:
    fight = shipped({"state": STATE | {"atk": 5, "speed": 1}}, {"state": STATE | {"freeze": 3}}).struck()
    assert fight.right["hp"] == 18


def test_pitfall_2_thorns_are_not_for_ever() -> None:
    helm = {"items": ["horned_helm"]}
    fight = shipped({"state": STATE | {"atk": 1, "speed": 1}}, helm).set_up().turn()
    assert fight.right["thorns"] == 0


def test_pitfall_3_corroded_bone_arms_the_enemy() -> None:
    fight = shipped({}, {"items": ["corroded_bone"]}).set_up()
    assert fight.left.has(hp=10, armor=10)
    assert fight.right["armor"] == 0


def test_pitfall_4_blood_sausage_is_no_regen() -> None:
    fight = shipped({"state": STATE | {"hp": 10}, "items": ["blood_sausage"]}).set_up()
    assert fight.left.has(hp=15, regen=0)
    fight.turn()
    assert fight.left["hp"] == 15


@pytest.mark.parametrize("stat", ["attack", "armor", "speed", "health"])
def test_pitfall_5_no_stat_above_20_leaks_in(stat: str) -> None:
    """Rejected with the item and the stat named, or held to the cap with a warning."""
    rust = {"id": "rust", "stats": {stat: 21}}
    with pytest.raises(InputError, match=f"(?s)left.items.0.*{stat}|{stat}.*21"):
        resolved({"items": [rust]}, {})
    fight = resolved({"stats": {"hp": 30, "atk": 0}, "items": [rust]}, {}, stat_cap_mode="clamp")
    name, base = {"health": ("hp_max", 30), "speed": ("speed", 1)}.get(stat, (stat, 0))
    assert fight.set_up().left[name] == base + 20
    assert fight.warnings


def test_seed_sections_2_and_4_special_cases() -> None:
    """What section 4 locks, item by item, beyond the vectors."""
    ice = shipped({"items": ["iceblock_shield"]}).set_up()
    assert ice.left.has(armor=8, freeze=2)
    ring = shipped({"items": ["rusty_ring"]}).set_up()
    assert ring.right.has(acid=1)
    assert ring.left.has(attack=0, armor=0, speed=0, hp=20)
    greaves = resolved({"items": ["assault_greaves"]}, {}).set_up()
    assert greaves.left["attack"] == 1
    respite = shipped({"state": STATE | {"hp": 10, "speed": 1}, "items": ["earrings_of_respite"]}).set_up()
    healed = [sum(each.healed for each in lines(respite.turn(), told.Heal)) for _ in range(8)]
    assert [turn for turn, number in enumerate(healed, 1) if number] == [3, 7]


def test_the_seed_s_record_is_read_as_it_stands() -> None:
    """Item record, fighter record and options of sections 4 and 7, unchanged. Stats are not added a second time."""
    fight = resolved({"state": FIGHTER_STATE, "items": [HELM, SHIELD]}, {}).set_up()
    assert fight.left.has(hp=22, hp_max=22, attack=2, armor=8, speed=3, freeze=2, thorns=2)
    assert resolved({**FIGHTER_STATE, "items": [HELM, SHIELD]}, {}).document == fight.document
    built = resolved({"items": [HELM, SHIELD]}, {}).set_up()
    assert built.left.has(hp=20, attack=1, armor=8, speed=1, freeze=2, thorns=1)


# Section 10, forward hooks.


def test_hook_1_poison_and_acid_tick_in_full_and_items_answer() -> None:
    """All stacks count, Poison before Acid; what answers the one meets the other."""
    crust = {"id": "crust", "triggers": {"status_ticked": [
        {"of": "poison", "do": [["gain_armor", 5]]}, {"of": "acid", "do": [["deal", 1]]}]}}  # fmt: skip
    sick = {"state": STATE | {"speed": 1, "poison": 3, "acid": 2}, "items": [crust]}
    fight = shipped(sick, {}).set_up().turn()
    assert fight.left.has(hp=17, armor=3, poison=2, acid=2)
    assert fight.right["hp"] == 19


@pytest.mark.parametrize(
    ("weapon", "speed", "strikes"),
    [
        ("needle_dirk", 0, 2),
        ("loom_shuttle", 3, 1),
        ("loom_shuttle", 4, 2),
        ("loom_shuttle", 11, 3),
        ("loom_shuttle", -5, 1),
    ],
)
def test_hook_2_weapons_that_strike_often_and_strikes_by_speed(weapon: str, speed: int, strikes: int) -> None:
    fight = shipped({"state": STATE | {"speed": speed}, "weapon": weapon}, {"state": STATE | {"speed": speed - 1}})
    assert len(lines(fight.set_up().turn(), told.Strike)) == strikes


@pytest.mark.parametrize(("parity", "turns"), [("even", [3, 7]), ("odd", [1, 5])])
def test_hook_3_every_other_turn_is_a_trigger_of_its_own(parity: str, turns: list[int]) -> None:
    """Common turns 1, 3, 5 are the owner's first, second, third."""
    state = {"state": STATE | {"hp": 10, "speed": 1}, "items": ["earrings_of_respite"]}
    fight = shipped(state, cadence_parity=parity).set_up()
    healed = [len(lines(fight.turn(), told.Heal)) for _ in range(8)]
    assert [turn for turn, number in enumerate(healed, 1) if number] == turns


@pytest.mark.parametrize(
    ("op", "thorns"),
    [
        (["remove", "thorns", 2, "self"], (0, 2)),
        (["move", "thorns", 3, "enemy"], (3, 1)),
        (["convert", "thorns", "armor", "all", "self"], (0, 0)),
    ],
)
def test_hook_4_thorns_that_persisted_can_be_reduced_or_moved(op: list[Any], thorns: tuple[int, int]) -> None:
    """Nobody struck in turn 1, so they are there when their owner's turn starts."""
    shears = {"id": "shears", "triggers": {"turn_start": [op]}}
    owner = {"state": STATE | {"thorns": 4, "stun": 1}, "items": [shears]}
    fight = shipped({"state": STATE | {"speed": 1, "stun": 1}}, owner).set_up().turn()
    assert fight.right["thorns"] == 4
    fight.turn()
    assert (fight.left["thorns"], fight.right["thorns"]) == thorns


def test_on_hit_order_of_section_5() -> None:
    """Removes, gains, extra damage, whatever the entries' order."""
    home = {"id": "home", "triggers": {"on_hit": [
        ["onhit_extra_damage", 1], ["onhit_gain_armor", 1], ["onhit_remove_enemy_armor"]]}}  # fmt: skip
    fight = shipped({"state": STATE | {"speed": 1}, "items": [home]}, {"state": STATE | {"armor": 4}}).struck()
    assert fight.told[1:] == ["armor of right -4", "right exposed", "armor of left +1", "Home on right: 0 armor, 1 hp"]


def test_profiles_are_those_of_the_rule_tests() -> None:
    """The options that these tests spell out are those that ship."""
    assert resolved({}, {}).document["options"] == CANVAS
    assert resolved({}, {}, profile="game").document["options"] == GAME


# Where the profiles differ: an option, a fight of one turn, and what the left and the right have then under both.
DIFFERENCES: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, tuple[Any, Any]]]] = [
    ("freeze_side", {"attack": 4, "freeze": 1}, {}, {"right.hp": (16, 18)}),
    ("freeze_side", {"attack": 4}, {"freeze": 1}, {"right.hp": (18, 16)}),
    ("freeze_decay", {"freeze": 2}, {"freeze": 2}, {"left.freeze": (1, 1), "right.freeze": (1, 2)}),
    ("thorns_clear", {"attack": 0}, {"thorns": 2}, {"right.thorns": (2, 0)}),
    ("thorns_clear", {"attack": 1, "thorns": 2}, {"thorns": 2}, {"left.thorns": (0, 2), "right.thorns": (0, 0)}),
    ("death_check", {"attack": 20, "hp": 2}, {"thorns": 2}, {"left.hp": (0, 2)}),
    ("corroded_bone_receiver", {"items": ["corroded_bone"]}, {}, {"left.armor": (0, 10), "right.armor": (10, 0)}),
    ("onhit_order", {"items": ["strip"]}, {"armor": 3}, {"right.armor": (0, 0), "right.hp": (18, 20)}),
    ("onhit_damage_route", {"weapon": "boomstick"}, {"armor": 3}, {"right.armor": (3, 2), "right.hp": (19, 20)}),
    ("hp_minus_route", {"items": ["sour_cherry"]}, {"armor": 3}, {"right.armor": (3, 1), "right.hp": (18, 20)}),
    ("riptide_route", {"riptide": 1, "armor": 9}, {}, {"left.armor": (9, 4), "left.hp": (15, 20)}),
]
STRIP = {"id": "strip", "triggers": {"on_hit": [["deal", 2], ["onhit_remove_enemy_armor"]]}}
NAMES = {"attack": "atk"}


@pytest.mark.parametrize(("option", "left", "right", "expected"), DIFFERENCES)
def test_where_the_profiles_differ(option: str, left: Any, right: Any, expected: Any) -> None:
    """Each divergence is its own option: by itself it does what the profile does."""

    def side(values: dict[str, Any], speed: int) -> dict[str, Any]:
        worn = {key: values[key] for key in ("weapon",) if key in values}
        items = [STRIP if name == "strip" else name for name in values.get("items", [])]
        numbers = {NAMES.get(key, key): value for key, value in values.items() if key not in ("items", "weapon")}
        return {"state": STATE | {"speed": speed} | numbers, "items": items, **worn}

    for place, options in enumerate(({}, {option: GAME[option]})):
        fight = resolved(side(left, 1), side(right, 0), **options).set_up().turn()
        sides = {"left": fight.left, "right": fight.right}
        found = {path: sides[path.split(".")[0]][path.split(".")[1]] for path in expected}
        assert found == {path: both[place] for path, both in expected.items()}


def test_every_difference_is_shown() -> None:
    assert {row[0] for row in DIFFERENCES} == {name for name in CANVAS if CANVAS[name] != GAME[name]}


def test_mirror() -> None:
    """Two bare fighters: the left strikes first, and the canvas favours it."""
    fight = Fight(fighter(attack=1), fighter(attack=1))
    assert fight.play().winner == 1
