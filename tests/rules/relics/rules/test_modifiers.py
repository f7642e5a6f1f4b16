"""Every modifier and every flag, when it holds, and what it leaves alone. README, Modifiers, Flags."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, fighter, item, of

from fracas.rulesets.relics.declarations.triggers import FLAGS
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import events as told

# modifier(s) of the left, modifiers of the right, op of the left at battle start, left before, right before, told
Row = tuple[str, list[Any], list[Any], Any, dict[str, Any], dict[str, Any], list[str]]
ROWS: list[Row] = [
    (
        "damage_dealt",
        [["damage_dealt", 2]],
        [],
        ["deal", 1],
        {},
        {},
        ["damage_dealt 1 to 3", "thing on right: 0 armor, 3 hp"],
    ),
    (
        "damage_dealt",
        [["damage_dealt", 2]],
        [],
        ["pierce", 0],
        {},
        {},
        ["damage_dealt 0 to 2", "thing on right: 0 armor, 2 hp"],
    ),
    (
        "damage_dealt",
        [["damage_dealt", -2]],
        [],
        ["deal", 1],
        {},
        {},
        ["damage_dealt 1 to 0", "thing on right: 0 armor, 0 hp"],
    ),
    ("damage_dealt", [["damage_dealt", 2]], [], ["deal", 1, "self"], {}, {}, ["thing on left: 0 armor, 1 hp"]),
    ("damage_dealt", [], [["damage_dealt", 2]], ["deal", 1], {}, {}, ["thing on right: 0 armor, 1 hp"]),
    (
        "damage_dealt",
        [["damage_dealt", 2], ["damage_dealt", -2]],
        [],
        ["deal", 1],
        {},
        {},
        ["thing on right: 0 armor, 1 hp"],
    ),
    (
        "damage_dealt_pct",
        [["damage_dealt_pct", 50]],
        [],
        ["deal", 3],
        {},
        {},
        ["damage_dealt_pct 3 to 4", "thing on right: 0 armor, 4 hp"],
    ),
    (
        "damage_dealt_pct",
        [["damage_dealt_pct", -100], ["damage_dealt_pct", -100]],
        [],
        ["deal", 3],
        {},
        {},
        ["damage_dealt_pct 3 to 0", "thing on right: 0 armor, 0 hp"],
    ),
    (
        "damage_taken",
        [],
        [["damage_taken", -2]],
        ["deal", 3],
        {},
        {},
        ["damage_taken 3 to 1", "thing on right: 0 armor, 1 hp"],
    ),
    (
        "damage_taken",
        [["damage_taken", 2]],
        [],
        ["deal", 3, "self"],
        {},
        {},
        ["damage_taken 3 to 5", "thing on left: 0 armor, 5 hp"],
    ),
    ("damage_taken", [], [["damage_taken", -2]], ["lose_hp", 3, "enemy"], {}, {}, ["hp of right -3"]),
    (
        "damage_taken_pct",
        [],
        [["damage_taken_pct", 100]],
        ["deal", 3],
        {},
        {},
        ["damage_taken_pct 3 to 6", "thing on right: 0 armor, 6 hp"],
    ),
    # All four in their order.
    (
        "damage_taken_pct",
        [["damage_dealt", 1], ["damage_dealt_pct", 50]],
        [["damage_taken", 1], ["damage_taken_pct", 100]],
        ["deal", 3],
        {},
        {"hp": 50},
        [
            "damage_dealt 3 to 4",
            "damage_dealt_pct 4 to 6",
            "damage_taken 6 to 7",
            "damage_taken_pct 7 to 14",
            "thing on right: 0 armor, 14 hp",
        ],
    ),
    ("healing", [["healing", 2]], [], ["heal", 3], {"hp": 10}, {}, ["healing 3 to 5", "heal left: 5"]),
    ("healing", [["healing", -9]], [], ["heal", 3], {"hp": 10}, {}, ["healing 3 to 0"]),
    ("healing", [["healing", 2]], [], ["heal", 0], {"hp": 10}, {}, []),
    ("healing", [["healing", 2]], [], ["heal_full"], {"hp": 10}, {}, ["heal left: 10"]),
    (
        "healing",
        [["healing", 2]],
        [],
        ["convert", "armor", "hp", 1],
        {"hp": 10, "armor": 2},
        {},
        ["armor of left -1", "heal left: 1"],
    ),
    ("healing", [], [["healing", 2]], ["heal", 3, "enemy"], {}, {"hp": 10}, ["healing 3 to 5", "heal right: 5"]),
    (
        "healing_pct",
        [["healing", 1], ["healing_pct", 50]],
        [],
        ["heal", 3],
        {"hp": 10},
        {},
        ["healing 3 to 4", "healing_pct 4 to 6", "heal left: 6"],
    ),
    ("armor_gained", [["armor_gained", 2]], [], ["gain_armor", 1], {}, {}, ["armor_gained 1 to 3", "armor of left +3"]),
    ("armor_gained", [["armor_gained", -2]], [], ["gain_armor", 1], {}, {}, ["armor_gained 1 to 0"]),
    ("armor_gained", [["armor_gained", 2]], [], ["gain_armor", 0], {}, {}, []),
    (
        "armor_gained",
        [],
        [["armor_gained", 2]],
        ["gain", "armor", 1, "enemy"],
        {},
        {},
        ["armor_gained 1 to 3", "armor of right +3"],
    ),
    # Gains by other verbs are left alone.
    ("armor_gained", [["armor_gained", 2]], [], ["double", "armor"], {"armor": 1}, {}, ["armor of left +1"]),
    (
        "armor_gained",
        [["armor_gained", 2]],
        [],
        ["steal", "armor", 1],
        {},
        {"armor": 5},
        ["armor of right -1", "armor of left +1"],
    ),
    (
        "stacks_given",
        [["stacks_given", "acid", 2]],
        [],
        ["give", "acid", 1, "enemy"],
        {},
        {},
        ["stacks_given 1 to 3", "acid of right +3"],
    ),
    (
        "stacks_given",
        [["stacks_given", "thorns", 2]],
        [],
        ["gain_thorns", 1],
        {},
        {},
        ["stacks_given 1 to 3", "thorns of left +3"],
    ),
    ("stacks_given", [["stacks_given", "acid", 2]], [], ["give", "stun", 1, "enemy"], {}, {}, ["stun of right +1"]),
    ("stacks_given", [], [["stacks_given", "acid", 2]], ["give", "acid", 1, "enemy"], {}, {}, ["acid of right +1"]),
    (
        "stacks_given",
        [["stacks_given", "acid", 2]],
        [],
        ["move", "acid", 1],
        {"acid": 1},
        {},
        ["acid of left -1", "acid of right +1"],
    ),
    ("immune", [], [["immune", "acid"]], ["give", "acid", 2, "enemy"], {}, {}, ["right immune to 2 acid"]),
    (
        "immune",
        [["stacks_given", "acid", 2]],
        [["immune", "acid"]],
        ["give", "acid", 1, "enemy"],
        {},
        {},
        ["right immune to 1 acid"],
    ),
    ("immune", [], [["immune", "acid"]], ["give", "stun", 2, "enemy"], {}, {}, ["stun of right +2"]),
    ("immune", [], [["immune", "acid"]], ["give", "acid", 0, "enemy"], {}, {}, []),
    (
        "immune",
        [],
        [["immune", "acid"]],
        ["move", "acid", 1],
        {"acid": 1},
        {},
        ["acid of left -1", "right immune to 1 acid"],
    ),
    (
        "immune",
        [["immune", "freeze"]],
        [],
        ["convert", "armor", "freeze", 1],
        {"armor": 2},
        {},
        ["armor of left -1", "left immune to 1 freeze"],
    ),
]


@pytest.mark.parametrize(("name", "own", "others", "op", "left", "right", "lines"), ROWS)
def test_modifier(name: str, own: Any, others: Any, op: Any, left: Any, right: Any, lines: list[str]) -> None:
    wand = item("thing", battle_start=[op], modifiers=own)
    fight = Fight(fighter(wand, **left), fighter(item("shell", modifiers=others), **right)).set_up()
    assert fight.told == lines


def test_modifiers_of_damage_taken_hold_for_ticks_and_thorns() -> None:
    soft = item("soft", modifiers=[["damage_taken", 1]])
    fight = Fight(fighter(soft, poison=2, riptide=1, speed=1, hp=50), fighter(thorns=3)).set_up().turn()
    taken = [each.lost for each in of(fight.events, told.Damage) if each.target == "left"]
    assert taken == [3, 4, 6]


def test_modifiers_of_damage_dealt_are_not_for_thorns_and_ticks() -> None:
    keen = item("keen", modifiers=[["damage_dealt", 5]])
    fight = Fight(fighter(poison=2, speed=1), fighter(keen, thorns=3)).set_up().turn()
    assert [each.lost for each in of(fight.events, told.Damage) if each.target == "left"] == [2, 3]


def test_modifiers_hold_in_their_order_for_a_strike() -> None:
    keen = item("keen", modifiers=[["damage_dealt", 2]])
    fight = Fight(fighter(keen, attack=3, speed=1)).struck()
    assert fight.told == ["damage_dealt 3 to 5", "strike on right: 0 armor, 5 hp"]


@pytest.mark.parametrize(
    ("limit", "dealt"),
    [
        # A strike with a blade, an op of a fire piece, one of a bare piece.
        ({}, [3, 3, 3]),
        ({"tag": "blade"}, [3, 1, 1]),
        ({"tag": "fire"}, [1, 3, 1]),
        ({"tag": "shield"}, [1, 1, 1]),
        ({"source": "strike"}, [3, 1, 1]),
        ({"source": "pieces"}, [1, 3, 3]),
        ({"tag": "blade", "source": "pieces"}, [1, 1, 1]),
        ({"tag": "blade", "source": "strike"}, [3, 1, 1]),
    ],
)
@pytest.mark.parametrize("whose", ["damage_dealt", "damage_taken"])
def test_a_modifier_may_be_limited_to_what_some_do(whose: str, limit: Any, dealt: list[int]) -> None:
    left = fighter(item("torch", tags=["fire"], on_struck=[["heal", 1]], on_hit=[["deal", 1]]), attack=1, speed=1) | {
        "weapon": item("sword", tags=["blade"])
    }
    left["items"].append(item("stone", on_hit=[["deal", 1]]))
    right = fighter(hp=40)
    (left if whose == "damage_dealt" else right)["items"].append(item("charm", modifiers=[[whose, 2, limit]]))
    fight = Fight(left, right).struck()
    assert [each.lost for each in of(fight.events, told.Damage)] == dealt


@pytest.mark.parametrize(
    ("source", "taken"),
    [("poison", [4, 5, 3]), ("riptide", [2, 7, 3]), ("thorns", [2, 5, 5]), ("strike", [2, 5, 3])],
)
def test_damage_taken_may_be_limited_to_a_rule(source: str, taken: list[int]) -> None:
    soft = item("soft", modifiers=[{"modifier": "damage_taken", "amount": 2, "source": source}])
    fight = Fight(fighter(soft, poison=2, riptide=1, speed=1, hp=50), fighter(thorns=3)).set_up().turn()
    found = {each.source: each.lost for each in of(fight.events, told.Damage) if each.target == "left"}
    assert [found["poison"], found["riptide"], found["thorns"]] == taken


@pytest.mark.parametrize(("limit", "healed"), [({}, [3, 3]), ({"source": "regen"}, [1, 3]), ({"tag": "food"}, [3, 1])])
def test_heals_may_be_limited(limit: Any, healed: list[int]) -> None:
    bread = item("bread", tags=["food"], turn_start=[["heal", 1]], modifiers=[["healing", 2, limit]])
    fight = Fight(fighter(bread, hp=5, regen=1, speed=1)).set_up().turn()
    assert [each.healed for each in of(fight.events, told.Heal)] == healed


def test_what_is_gained_and_given_may_be_limited_to_a_tag() -> None:
    limited = [["armor_gained", 4, {"tag": "shield"}], ["stacks_given", "acid", 5, {"tag": "potion"}]]
    pieces = [
        item("targe", tags=["shield"], battle_start=[["gain_armor", 1], ["give", "acid", 1, "enemy"]]),
        item("vial", tags=["potion"], battle_start=[["gain_armor", 1], ["give", "acid", 1, "enemy"]]),
    ]
    fight = Fight(fighter(item("charm", modifiers=limited), *pieces)).set_up()
    assert (fight.left["armor"], fight.right["acid"]) == (6, 7)


def test_the_last_piece_of_the_right_is_told_from_the_others() -> None:
    """Its number is the sign of what the engine keeps of a limit."""
    names = [f"meal{number}" for number in range(4)]
    food = [item(name, tags=["food"] * (name == "meal3"), battle_start=[["deal", 1]]) for name in names]
    sets = [{"id": f"set{n}", "name": f"set{n}", "triggers": {"battle_start": [["deal", 1]]}} for n in range(8)]
    keen = [["damage_dealt", 1, {"tag": "food"}]]
    fight = Fight(fighter(hp=60), fighter(food=food, sets=sets, modifiers=keen)).set_up()
    assert [each.lost for each in of(fight.events, told.Damage)] == [1, 1, 1, 2, *[1] * 8]


@pytest.mark.parametrize(
    ("condition", "hp", "part"),
    [("wounded", 10, 5), ("wounded", 11, 2), ("enemy.armor > 0", 10, 2), ("payload >= 1", 10, 2)],
)
def test_a_modifier_holds_while_its_condition_is_true(condition: str, hp: int, part: int) -> None:
    keen = item("keen", modifiers=[["attack", 3, {"if": condition}]])
    fight = Fight(fighter(keen, attack=2, hp=hp, speed=1)).struck()
    assert of(fight.events, told.Strike)[0].part == part


@pytest.mark.parametrize(
    ("amount", "bonus"),
    [
        ({"of": "self.armor"}, 3),
        ({"of": "self.armor", "per": 2}, 1),
        ({"of": "self.armor", "times": -1}, -3),
        ({"of": "self.armor", "times": -1, "per": 2}, -2),
        ({"of": "counter"}, 0),
    ],
)
def test_counted_modifiers_may_be_below_0(amount: Any, bonus: int) -> None:
    keen = item("keen", modifiers=[["attack", amount]])
    fight = Fight(fighter(keen, armor=3, attack=9, speed=1)).struck()
    assert of(fight.events, told.Attack)[0].bonus == bonus


def test_a_counter_is_the_piece_s_own() -> None:
    keen = item("keen", battle_start=[["count", 4]], modifiers=[["attack", {"of": "counter"}]])
    idle = item("idle", modifiers=[["attack", {"of": "counter"}]])
    fight = Fight(fighter(keen, idle, speed=1)).struck()
    assert of(fight.events, told.Attack)[0].bonus == 4


def test_sums_are_held() -> None:
    huge = item("huge", modifiers=[["attack", 9999], ["attack", 9999], ["attack_pct", 1000]])
    fight = Fight(fighter(huge, attack=1, speed=1)).struck()
    (attack,) = of(fight.events, told.Attack)
    assert attack.bonus == 9999
    assert of(fight.events, told.Damage)[0].lost == 9999


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        (["on_damaged_deal_damage", 2], "shell on left: 0 armor, 2 hp"),
        (["on_damaged_gain_thorns", 2], "thorns of right +2"),
        ([["on_damaged_deal_damage", 2]], "shell on left: 0 armor, 2 hp"),
        (["cant_attack", "on_damaged_deal_damage", 2], "shell on left: 0 armor, 2 hp"),
    ],
)
def test_flags_that_answer_damage(flags: Any, line: str) -> None:
    fight = Fight(fighter(attack=1, speed=1), fighter(item("shell", flags=flags))).struck()
    assert line in fight.told


def test_cant_attack() -> None:
    assert Fight(fighter(item("a", flags=["cant_attack"]), attack=3, speed=1)).struck().told == ["left cannot_attack"]


def test_everything_is_here() -> None:
    elsewhere = {"attack", "attack_pct", "strikes", "on_hit_runs", "thorns_kept", "ignores_armor", "cannot_attack"}
    assert {row[0] for row in ROWS} | elsewhere == set(codes.MODIFIERS)
    assert set(FLAGS) == {"cant_attack", "on_damaged_deal_damage", "on_damaged_gain_thorns"}
