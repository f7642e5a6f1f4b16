"""What follows from what, in which order, and what keeps it from going on for ever. README, Consequences."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, fighter, item, of

from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import events as told


def test_depth_first() -> None:
    """Consequences of a performance come before the next performance, the next op, the next effect."""
    pieces = [
        item("a", battle_start=[["gain_armor", 1, {"repeat": 2}], ["gain_speed", 1]]),
        item("b", battle_start=[["gain_atk", 1]]),
        item(
            "ear", armor_gained=[["give", "acid", 1, "self"]], status_gained=[["count", 1]], speed_gained=[["count", 1]]
        ),
    ]
    fight = Fight(fighter(*pieces)).set_up()
    assert fight.triggers == [
        "battle_start a",
        *["armor_gained ear", "status_gained ear"] * 2,
        "speed_gained ear",
        "battle_start b",
    ]
    assert [each.depth for each in of(fight.events, told.Trigger)] == [1, 2, 3, 2, 3, 2, 1]


def test_the_changed_fighter_first_then_the_other() -> None:
    left = fighter(
        item("wand", battle_start=[["give", "thorns", 1, "enemy"]]), item("l", enemy_status_gained=[["count", 1]])
    )
    right = fighter(item("r", thorns_gained=[["count", 1]], status_gained=[["count", 1]]))
    triggers = Fight(left, right).set_up().triggers
    assert triggers == ["battle_start wand", "status_gained r", "thorns_gained r", "enemy_status_gained l"]


def test_consequences_of_a_packet_in_order() -> None:
    every = {name: [["count", 1]] for name in ("exposed", "wounded", "on_damaged", "hp_lost", "armor_lost")}
    left = fighter(
        item("axe", battle_start=[["deal", 13]]), item("l", enemy_wounded=[["count", 1]], enemy_exposed=[["count", 1]])
    )
    fight = Fight(left, fighter(item("r", **every), armor=2)).set_up()
    assert fight.triggers[1:] == [
        "armor_lost r", "hp_lost r", "on_damaged r", "exposed r", "wounded r", "enemy_exposed l", "enemy_wounded l",
    ]  # fmt: skip


def test_several_changes_of_one_op_are_made_first() -> None:
    left = fighter(item("l", battle_start=[["steal", "armor", "all"]], armor_gained=[["count", 1]]))
    right = fighter(item("r", armor_lost=[["count", 1]], exposed=[["count", 1]]), armor=3)
    fight = Fight(left, right).set_up()
    assert fight.told[:3] == ["armor of right -3", "right exposed", "armor of left +3"]
    assert fight.triggers[1:] == ["armor_lost r", "exposed r", "armor_gained l"]


def test_firing_order_of_pieces() -> None:
    """Trait, weapon, upgrades, items left to right, food, sets by id; entries in order, flags last."""
    once: list[Any] = [["count", 1]]
    left = fighter(
        item("i1", on_damaged=once, flags=["on_damaged_deal_damage", 0]), item("i2", on_damaged=once),
        weapon=item("w", on_damaged=once), upgrades=[item("u1", on_damaged=once), item("u2", on_damaged=once)],
        food=[item("f", on_damaged=once)], triggers={"on_damaged": once},
        sets=[{"id": "b", "name": "b", "triggers": {"on_damaged": once}},
              {"id": "a", "name": "a", "triggers": {"on_damaged": once}}],
    )  # fmt: skip
    fight = Fight(left, fighter(item("axe", battle_start=[["deal", 1]]))).set_up()
    names = [each.source for each in of(fight.events, told.Trigger)][1:]
    assert names == ["left", "w", "u1", "u2", "i1", "i1", "i2", "f", "a", "b"]


def test_order_of_items_matters() -> None:
    """The same two items, swapped: the first doubles what is there by then."""
    gain, double = item("gain", battle_start=[["gain_armor", 3]]), item("double", battle_start=[["double", "armor"]])
    assert Fight(fighter(gain, double)).set_up().left["armor"] == 6
    assert Fight(fighter(double, gain)).set_up().left["armor"] == 3


def test_left_and_right_matter() -> None:
    """Two that would kill each other at battle start: both still strike, and it is a draw."""
    killer = fighter(item("axe", battle_start=[["pierce", 20]]))
    fight = Fight(killer, killer)
    fight.play()
    assert fight.reason == "both_fell"
    assert [each.actor for each in of(fight.events, told.Damage)] == ["left", "right"]


@pytest.mark.parametrize("which", ["on_damaged_deal_damage", "on_damaged_gain_thorns"])
def test_a_retaliation_answers_each_time(which: str) -> None:
    left = fighter(item("greaves", flags=[which, 1]))
    fight = Fight(left, fighter(item("axe", battle_start=[["deal", 1, {"repeat": 3}]]))).set_up()
    line = "greaves on right: 0 armor, 1 hp" if which.endswith("damage") else "thorns of left +1"
    assert fight.told.count(line) == 3


def test_retaliations_do_not_answer_each_other() -> None:
    """Nor does anything that follows from one, also in other effects and in what is retriggered."""
    greaves = item("greaves", flags=["on_damaged_deal_damage", 1], hp_lost=[["deal", 1]])
    left, right = fighter(greaves), fighter(greaves, item("axe", battle_start=[["deal", 1]]))
    fight = Fight(left, right).set_up()
    # What the axe takes of the left is answered twice, by hp_lost and by the greaves; the former is answered in turn.
    assert fight.told.count("cut reentry of hp_lost greaves") >= 1
    for each in of(fight.events, told.Trigger):
        assert each.depth <= 6
    assert len(fight.events) < 60


def test_what_a_retaliation_causes_is_marked() -> None:
    left = fighter(item("greaves", on_damaged=[["gain_speed", 1]], speed_gained=[["deal", 1]]))
    right = fighter(
        item("axe", battle_start=[["deal", 1]]), item("ear", on_damaged=[["count", 1]], hp_lost=[["count", 1]])
    )
    triggers = Fight(left, right).set_up().triggers
    assert triggers == ["battle_start axe", "on_damaged greaves", "speed_gained greaves", "hp_lost ear"]


def test_a_retriggered_retaliation_is_one() -> None:
    left = fighter(item("greaves", on_damaged=[["deal", 1]]), item("wand", battle_start=[["retrigger", "on_damaged"]]))
    right = fighter(item("ear", on_damaged=[["count", 1]], hp_lost=[["count", 1]]))
    assert Fight(left, right).set_up().triggers == ["battle_start wand", "on_damaged greaves", "hp_lost ear"]


def test_thorns_are_no_retaliation() -> None:
    left = fighter(item("greaves", flags=["on_damaged_deal_damage", 1]), speed=1)
    fight = Fight(left, fighter(thorns=2)).struck()
    assert "greaves on right: 0 armor, 1 hp" in fight.told


def test_what_waits_for_the_end_of_a_strike_is_not_marked() -> None:
    left = fighter(item("greaves", on_damaged=[["count", 1]]), attack=10, speed=1)
    right = fighter(item("bark", wounded=[["deal", 1]]), item("more", flags=["on_damaged_deal_damage", 1]))
    triggers = Fight(left, right).struck().triggers
    assert triggers == ["on_damaged more", "wounded bark", "on_damaged greaves"]


def test_no_effect_triggers_itself() -> None:
    loop = item("loop", armor_gained=[["gain_armor", 1]])
    fight = Fight(fighter(loop, item("wand", battle_start=[["gain_armor", 1], ["gain_armor", 1]]))).set_up()
    assert fight.left["armor"] == 4
    assert fight.triggers == ["battle_start wand", "armor_gained loop", "armor_gained loop"]
    # It is told the first time only.
    assert fight.told.count("cut reentry of armor_gained loop") == 1
    assert fight.record.cut_count == 1


def test_two_that_trigger_each_other_end_too() -> None:
    pieces = [item("a", armor_gained=[["gain_speed", 1]]), item("b", speed_gained=[["gain_armor", 1]])]
    fight = Fight(fighter(*pieces, item("wand", battle_start=[["gain_armor", 1]]))).set_up()
    assert fight.triggers == ["battle_start wand", "armor_gained a", "speed_gained b"]
    assert fight.told[-1] == "cut reentry of armor_gained a"


def test_depth_32() -> None:
    """A chain of 40: what would stand deeper than 32 is dropped, and said so once for each effect."""
    entries = [{"if": f"payload == {n}", "do": [["gain_armor", n + 1]]} for n in range(1, 41)]
    pieces = [item(f"c{n}", armor_gained=entries[8 * n : 8 * n + 8]) for n in range(5)]
    fight = Fight(fighter(*pieces, item("wand", battle_start=[["gain_armor", 1]]))).set_up()
    ran = [each.depth for each in of(fight.events, told.Trigger)]
    assert ran == list(range(1, 33))
    cuts = of(fight.events, told.Cut)
    # Every effect that is not running is asked at depth 33; re-entry is told of those that are.
    assert {(each.guard, each.depth) for each in cuts if each.guard == "depth"} == {("depth", 33)}
    assert fight.left["armor"] == sum(range(1, 33))


def test_a_thousand_runs_in_a_step() -> None:
    """64 effects that each run often: after 1,000 the rest of the step is dropped, and said so once in each step."""
    noisy = [item(f"n{n}", armor_gained=[{"do": [["count", 1]]}] * 16) for n in range(4)]
    wand = item(
        "wand", battle_start=[["gain_armor", 1, {"repeat": 20}]], turn_start=[["gain_armor", 1, {"repeat": 20}]]
    )
    fight = Fight(fighter(*noisy, wand, speed=1)).set_up()
    assert len(of(fight.events, told.Trigger)) == codes.MOST_RUNS
    assert [each.guard for each in of(fight.events, told.Cut)] == ["runs"]
    fight.turn()
    assert len(of(fight.events, told.Trigger)) == codes.MOST_RUNS
    assert fight.record.cut_count == 2
    # A step of the other fighter has runs of its own.
    assert fight.turn().told[-1] != "cut"


@pytest.mark.parametrize(
    ("limits", "runs"),
    [({"per_turn": 2}, [2, 2]), ({"per_battle": 3}, [3, 0]), ({"per_turn": 2, "per_battle": 3}, [2, 1])],
)
def test_limits(limits: dict[str, int], runs: list[int]) -> None:
    ear = item("ear", armor_gained=[{**limits, "do": [["count", 1]]}])
    wand = item("wand", battle_start=[["gain_armor", 1, {"repeat": 5}]], turn_start=[["gain_armor", 1, {"repeat": 5}]])
    fight = Fight(fighter(ear, wand, speed=1)).set_up()
    first = fight.triggers.count("armor_gained ear")
    assert [first, fight.turn().triggers.count("armor_gained ear")] == runs


def test_set_up_is_one_common_turn() -> None:
    ear = item("ear", armor_gained=[{"per_turn": 1, "do": [["count", 1]]}])
    wand = item("wand", pre=[["gain_armor", 1]], battle_start=[["gain_armor", 1]])
    assert Fight(fighter(ear, wand)).set_up().triggers.count("armor_gained ear") == 1


@pytest.mark.parametrize(
    ("effect", "rolls", "runs"),
    [
        ({"chance": 30}, ["d100=30"], 1),
        ({"chance": 30}, ["d100=31"], 0),
        ({"chance": 0}, [], 0),
        ({"chance": 100}, [], 1),
        ({"if": "self.hp < 5", "chance": 30}, [], 0),
    ],
)
def test_if_and_chance_of_an_effect(effect: Any, rolls: list[str], runs: int) -> None:
    piece = item("a", battle_start=[{**effect, "do": [["count", 1]]}])
    fight = Fight(fighter(piece)).set_up(*(["open(0,0)"] if rolls else []), *rolls)
    assert fight.triggers.count("battle_start a") == runs


def test_an_effect_that_does_not_run_uses_up_no_limit() -> None:
    ear = item("ear", armor_gained=[{"per_battle": 1, "if": "payload >= 2", "do": [["count", 1]]}])
    wand = item("wand", battle_start=[["gain_armor", 1], ["gain_armor", 2], ["gain_armor", 3]])
    assert Fight(fighter(ear, wand)).set_up().triggers.count("armor_gained ear") == 1


def test_no_roll_for_what_is_dropped() -> None:
    loop = item("loop", armor_gained=[{"chance": 50, "do": [["gain_armor", 1]]}])
    fight = Fight(fighter(loop, item("wand", battle_start=[["gain_armor", 1]])))
    fight.set_up("open(0,0)", "d100=1")
    assert fight.told[-1] == "cut reentry of armor_gained loop"


def test_bare_ops_are_one_effect() -> None:
    entries = [["gain_armor", 1], ["spend", "hp", 99], ["gain_atk", 1], {"do": [["gain_speed", 1]]}, ["gain_atk", 1]]
    fight = Fight(fighter(item("a", battle_start=entries))).set_up()
    assert fight.triggers == ["battle_start a"] * 3
    assert fight.told == ["armor of left +1", "left cannot pay 99 hp", "speed of left +1", "attack of left +1"]
