"""Every op, by itself: the situation before, what it does, the situation after. README, Ops."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, after, fighter, item, on_hit

from fracas.rulesets.relics.declarations.ops import OPS

# op, left before, right before, what is told
Row = tuple[Any, dict[str, Any], dict[str, Any], list[str]]

AT_BATTLE_START: dict[str, list[Row]] = {
    "gain_armor": [(["gain_armor", 3], {}, {}, ["armor of left +3"]), (["gain_armor", 0], {}, {}, [])],
    "gain_thorns": [(["gain_thorns", 2], {"thorns": 1}, {}, ["thorns of left +2"])],
    "gain_freeze": [(["gain_freeze", 2], {}, {}, ["freeze of left +2"])],
    "gain_speed": [(["gain_speed", 4], {"speed": -1}, {}, ["speed of left +4"])],
    "gain_atk": [(["gain_atk", 4], {"attack": -1}, {}, ["attack of left +4"])],
    "enemy_hp_minus": [
        (["enemy_hp_minus", 3], {}, {"armor": 5}, ["thing on right: 0 armor, 3 hp"]),
        (["enemy_hp_minus", 0], {}, {}, ["thing on right: 0 armor, 0 hp"]),
    ],
    "self_hp_plus": [
        (["self_hp_plus", 3], {"hp": 10}, {}, ["heal left: 3"]),
        (["self_hp_plus", 3], {"hp": 18}, {}, ["heal left: 2, 1 over"]),
        (["self_hp_plus", 3], {}, {}, ["heal left: 0, 3 over"]),
        (["self_hp_plus", 0], {"hp": 10}, {}, []),
    ],
    "enemy_hp_to_enemy_armor_pct": [
        (["enemy_hp_to_enemy_armor_pct", 50], {}, {"hp": 15}, ["hp of right -7", "armor of right +7"]),
        (["enemy_hp_to_enemy_armor_pct", 3], {}, {"hp": 15}, []),
        (
            ["enemy_hp_to_enemy_armor_pct", 100],
            {},
            {"hp": 5},
            ["hp of right -5", "right wounded", "armor of right +5", "right falls"],
        ),
    ],
    "if_have_armor_heal": [
        (["if_have_armor_heal", 3], {"hp": 10, "armor": 1}, {}, ["heal left: 3"]),
        (["if_have_armor_heal", 3], {"hp": 10}, {"armor": 1}, []),
    ],
    "if_wounded_heal": [
        (["if_wounded_heal", 3], {"hp": 10}, {}, ["heal left: 3"]),
        (["if_wounded_heal", 3], {"hp": 11}, {}, []),
        # What counts is the HP now; whether the mark was ever set does not matter.
        (["if_wounded_heal", 3], {"hp": 11, "wounded_triggered": True}, {}, []),
    ],
    "gain": [
        (["gain", "armor", 2], {}, {}, ["armor of left +2"]),
        (["gain", "attack", 2, "enemy"], {}, {}, ["attack of right +2"]),
        (["gain", "speed", 2, "both"], {}, {}, ["speed of left +2", "speed of right +2"]),
        (["gain", "health", 4], {"hp": 7, "hp_max": 9}, {}, ["hp_max of left +4", "hp of left +4"]),
        (["gain", "armor", 9], {"armor": 9998}, {}, ["armor of left +1"]),
        (["gain", "armor", 9], {"armor": 9999}, {}, []),
    ],
    "lose": [
        (["lose", "armor", 2, "enemy"], {}, {"armor": 5}, ["armor of right -2"]),
        (["lose", "armor", 9, "enemy"], {}, {"armor": 5}, ["armor of right -5", "right exposed"]),
        (["lose", "armor", "all", "enemy"], {}, {"armor": 5}, ["armor of right -5", "right exposed"]),
        (["lose", "armor", 2, "enemy"], {}, {}, []),
        (["lose", "attack", 3], {"attack": 1}, {}, ["attack of left -3"]),
        (["lose", "attack", "all"], {"attack": 2}, {}, ["attack of left -2"]),
        (["lose", "attack", "all"], {"attack": -2}, {}, []),
        (["lose", "speed", 3], {}, {}, ["speed of left -3"]),
        (["lose", "speed", 5], {"speed": -998}, {}, ["speed of left -1"]),
        (["lose", "health", 5], {"hp": 10}, {}, ["hp_max of left -5"]),
        (["lose", "health", 15], {"hp": 10}, {}, ["hp_max of left -15", "hp of left -5"]),
        (["lose", "health", "all"], {"hp": 10}, {}, ["hp_max of left -19", "hp of left -9"]),
        (["lose", "health", 50], {"hp": 1}, {}, ["hp_max of left -19"]),
    ],
    "temporary_attack": [
        (["temporary_attack", 3], {}, {}, ["temp_attack of left +3"]),
        (["temporary_attack", 3, "enemy"], {}, {}, ["temp_attack of right +3"]),
    ],
    "set": [
        (["set", "attack", 5], {"attack": 2}, {}, ["attack of left +3"]),
        (["set", "attack", 5], {"attack": 7}, {}, ["attack of left -2"]),
        (["set", "attack", 5], {"attack": 5}, {}, []),
        (["set", "armor", 0, "enemy"], {}, {"armor": 2}, ["armor of right -2", "right exposed"]),
        (["set", "health", 0], {"hp": 3}, {}, ["hp_max of left -19", "hp of left -2"]),
        (["set", "health", 30], {"hp": 3}, {}, ["hp_max of left +10", "hp of left +10"]),
    ],
    "double": [
        (["double", "armor"], {"armor": 4}, {}, ["armor of left +4"]),
        (["double", "attack"], {"attack": -4}, {}, []),
        (["double", "health"], {"hp": 5}, {}, ["hp_max of left +20", "hp of left +20"]),
    ],
    "halve": [
        (["halve", "armor"], {}, {"armor": 5}, ["armor of right -3"]),
        (["halve", "armor"], {}, {"armor": 1}, ["armor of right -1", "right exposed"]),
        (["halve", "attack"], {}, {"attack": -5}, []),
        (["halve", "health", "self"], {"hp": 20}, {}, ["hp_max of left -10", "hp of left -10"]),
    ],
    "restore": [
        ([["lose", "attack", 3], ["restore", "attack"]], {"attack": 2}, {}, ["attack of left -3", "attack of left +3"]),
        ([["gain", "attack", 3], ["restore", "attack"]], {"attack": 2}, {}, ["attack of left +3"]),
    ],
    "steal": [
        (["steal", "armor", 3], {}, {"armor": 5}, ["armor of right -3", "armor of left +3"]),
        (["steal", "armor", "all"], {}, {"armor": 5}, ["armor of right -5", "right exposed", "armor of left +5"]),
        (["steal", "attack", 3], {}, {"attack": 2}, ["attack of right -2", "attack of left +2"]),
        (["steal", "attack", 3], {}, {"attack": -1}, []),
        (
            ["steal", "health", 30],
            {"hp": 10},
            {"hp": 20},
            ["hp_max of right -19", "hp of right -19", "hp_max of left +19", "hp of left +19"],
        ),
    ],
    "heal": [
        (["heal", 3], {"hp": 10}, {}, ["heal left: 3"]),
        (["heal", 3, "enemy"], {}, {"hp": 10}, ["heal right: 3"]),
        (["heal", 3, "both"], {"hp": 10}, {"hp": 18}, ["heal left: 3", "heal right: 2, 1 over"]),
    ],
    "heal_full": [
        (["heal_full"], {"hp": 1}, {}, ["heal left: 19"]),
        (["heal_full"], {}, {}, []),
    ],
    "deal": [
        (["deal", 3], {}, {}, ["thing on right: 0 armor, 3 hp"]),
        (["deal", 3], {}, {"armor": 2}, ["thing on right: 2 armor, 1 hp", "right exposed"]),
        (["deal", 3, "self"], {"armor": 5}, {}, ["thing on left: 3 armor, 0 hp"]),
        (["deal", 1, "both"], {}, {}, ["thing on left: 0 armor, 1 hp", "thing on right: 0 armor, 1 hp"]),
    ],
    "pierce": [(["pierce", 3], {}, {"armor": 2}, ["thing on right: 0 armor, 3 hp"])],
    "lose_hp": [
        (["lose_hp", 3], {"armor": 9}, {}, ["hp of left -3"]),
        (["lose_hp", 3], {"hp": 2}, {}, ["hp of left -3", "left wounded", "left falls"]),
    ],
    "execute": [
        (["execute", 5], {}, {"hp": 5, "armor": 3}, ["hp of right -5", "right wounded", "right falls"]),
        (["execute", 5], {}, {"hp": 6}, []),
    ],
    "give": [
        (["give", "poison", 2, "enemy"], {}, {}, ["poison of right +2"]),
        (["give", "regen", 2, "self"], {}, {}, ["regen of left +2"]),
        (
            ["give", "each", 1, "self"],
            {},
            {},
            [f"{name} of left +1" for name in ("freeze", "thorns", "poison", "acid", "riptide", "stun", "regen")],
        ),
    ],
    "remove": [
        (["remove", "poison", 2, "self"], {"poison": 3}, {}, ["poison of left -2"]),
        (["remove", "poison", 9, "self"], {"poison": 3}, {}, ["poison of left -3"]),
        (
            ["remove", "poison", "all", "both"],
            {"poison": 3},
            {"poison": 1},
            ["poison of left -3", "poison of right -1"],
        ),
        (["remove", "each", "all", "enemy"], {}, {"acid": 3, "stun": 1}, ["acid of right -3", "stun of right -1"]),
        (["remove", "random", 1, "enemy"], {}, {}, []),
        (["remove", "random", 1, "enemy"], {}, {"acid": 3}, ["acid of right -1"]),
    ],
    "move": [
        (["move", "poison", 2], {"poison": 3}, {}, ["poison of left -2", "poison of right +2"]),
        (["move", "thorns", "all", "self"], {}, {"thorns": 3}, ["thorns of right -3", "thorns of left +3"]),
        (["move", "poison", 2], {}, {"poison": 3}, []),
        (
            ["move", "each", 1],
            {"acid": 1, "stun": 2},
            {},
            ["acid of left -1", "acid of right +1", "stun of left -1", "stun of right +1"],
        ),
    ],
    "convert": [
        (["convert", "armor", "attack", 2], {"armor": 5}, {}, ["armor of left -2", "attack of left +2"]),
        (
            ["convert", "armor", "attack", 9],
            {"armor": 5},
            {},
            ["armor of left -5", "left exposed", "attack of left +5"],
        ),
        (["convert", "armor", "hp", 3], {"armor": 5, "hp": 19}, {}, ["armor of left -3", "heal left: 1, 2 over"]),
        (["convert", "hp", "armor", "all"], {"hp": 5}, {}, ["hp of left -4", "left wounded", "armor of left +4"]),
        (
            ["convert", "hp", "armor", 9],
            {"hp": 5},
            {},
            ["hp of left -5", "left wounded", "armor of left +5", "left falls"],
        ),
        (["convert", "attack", "speed", 2], {"attack": -3}, {}, []),
        (["convert", "armor", "armor", 2], {"armor": 5}, {}, []),
        (
            ["convert", "poison", "regen", "all", "enemy"],
            {},
            {"poison": 2},
            ["poison of right -2", "regen of right +2"],
        ),
        (["convert", "random", "thorns", 1], {}, {}, []),
        (["convert", "random", "thorns", 1], {"acid": 2}, {}, ["acid of left -1", "thorns of left +1"]),
        (["convert", "random", "thorns", 1], {"thorns": 2}, {}, []),
    ],
    "spend": [
        ([["spend", "armor", 3], ["gain_atk", 1]], {"armor": 4}, {}, ["armor of left -3", "attack of left +1"]),
        ([["spend", "armor", 3], ["gain_atk", 1]], {"armor": 2}, {}, ["left cannot pay 3 armor"]),
        ([["spend", "hp", 3], ["gain_atk", 1]], {"hp": 4}, {}, ["hp of left -3", "left wounded", "attack of left +1"]),
        ([["spend", "hp", 3], ["gain_atk", 1]], {"hp": 3}, {}, ["left cannot pay 3 hp"]),
        ([["spend", "thorns", "all"], ["gain_atk", 1]], {"thorns": 4}, {}, ["thorns of left -4", "attack of left +1"]),
        ([["spend", "thorns", "all"], ["gain_atk", 1]], {}, {}, ["left cannot pay 1 thorns"]),
        ([["spend", "hp", "all"], ["gain_atk", 1]], {"hp": 1}, {}, ["left cannot pay 1 hp"]),
        ([["spend", "armor", 0], ["gain_atk", 1]], {}, {}, ["attack of left +1"]),
        (
            {"do": [["spend", "armor", 2, {"repeat": 3}], ["gain_atk", 1]]},
            {"armor": 5},
            {},
            ["armor of left -2", "armor of left -2", "left cannot pay 2 armor"],
        ),
    ],
    "extra_strikes": [
        (["extra_strikes", 2], {}, {}, ["2 strikes for left next_turn"]),
        (["extra_strikes", 2, "every_turn", "enemy"], {}, {}, ["2 strikes for right every_turn"]),
        (["extra_strikes", 0], {}, {}, []),
    ],
    "count": [(["count", 2], {}, {}, ["counter of thing +2"]), (["count", 0], {}, {}, [])],
    "set_counter": [
        ([["count", 2], ["set_counter", 1]], {}, {}, ["counter of thing +2", "counter of thing -1"]),
        (["set_counter", 0], {}, {}, []),
    ],
}
ROWS = [(name, *row) for name, rows in AT_BATTLE_START.items() for row in rows]


@pytest.mark.parametrize(
    ("name", "op", "left", "right", "told"), ROWS, ids=[f"{row[0]}-{n}" for n, row in enumerate(ROWS)]
)
def test_op(name: str, op: Any, left: dict[str, Any], right: dict[str, Any], told: list[str]) -> None:
    marked = {"wounded_triggered": True}
    # Who begins Wounded has the mark, unless the row is about becoming so.
    if not any("wounded" in text for text in told):
        left, right = marked | left, marked | right
    assert after(op, left, right).told == told


WITH_ROLLS: list[tuple[Any, dict[str, Any], dict[str, Any], list[str], list[str]]] = [
    (["give", "random", 1, "self"], {}, {}, ["below(7)=2"], ["poison of left +1"]),
    (["give", "acid", 1, "random"], {}, {}, ["below(2)=0"], ["acid of left +1"]),
    (["give", "acid", 1, "random"], {}, {}, ["below(2)=1"], ["acid of right +1"]),
    # The target is drawn before the status, and anew for each performance.
    (
        ["remove", "random", 1, "random", {"repeat": 2}],
        {},
        {"acid": 1, "stun": 1},
        ["below(2)=1", "below(2)=1", "below(2)=1"],
        ["stun of right -1", "acid of right -1"],
    ),
    (["move", "random", 1], {"acid": 1, "regen": 2}, {}, ["below(2)=1"], ["regen of left -1", "regen of right +1"]),
    (
        ["convert", "random", "armor", 1],
        {"acid": 1, "regen": 2},
        {},
        ["below(2)=0"],
        ["acid of left -1", "armor of left +1"],
    ),
    (["gain_armor", 1, {"chance": 40}], {}, {}, ["d100=40"], ["armor of left +1"]),
    (["gain_armor", 1, {"chance": 40}], {}, {}, ["d100=41"], []),
    # A chance is rolled for once, whatever the repeat.
    (["gain_armor", 1, {"chance": 40, "repeat": 2}], {}, {}, ["d100=1"], ["armor of left +1", "armor of left +1"]),
]


@pytest.mark.parametrize(("op", "left", "right", "rolls", "told"), WITH_ROLLS)
def test_op_with_rolls(op: Any, left: Any, right: Any, rolls: list[str], told: list[str]) -> None:
    assert after(op, left, right, "open(0,0)", *rolls).told == told


@pytest.mark.parametrize(
    ("op", "told"),
    [
        (["gain_armor", 1, {"chance": 100}], ["armor of left +1"]),
        (["gain_armor", 1, {"chance": 0}], []),
        (["gain_armor", 1, {"if": "self.hp >= 20"}], ["armor of left +1"]),
        (["gain_armor", 1, {"if": "self.hp < 20"}], []),
        # `if` comes before the chance, so nothing is rolled for what cannot be.
        (["gain_armor", 1, {"if": "self.hp < 20", "chance": 50}], []),
        (["gain_armor", {"of": "enemy.hp", "per": 6}], ["armor of left +3"]),
        (["gain_armor", {"of": "enemy.hp", "times": -1}], []),
        (["gain_armor", {"of": "self.hp", "times": 30, "per": 100}], ["armor of left +6"]),
        (["deal", 1, {"repeat": 2}], ["thing on right: 0 armor, 1 hp"] * 2),
        # Found anew for each performance.
        (["gain", "armor", {"of": "self.armor", "times": 2}, {"repeat": 2}], []),
        (
            [["gain_armor", 1], ["gain", "armor", {"of": "self.armor", "times": 2}, {"repeat": 2}]],
            ["armor of left +1", "armor of left +2", "armor of left +6"],
        ),
        (["deal", 1, "both", {"repeat": 2}], [f"thing on {side}: 0 armor, 1 hp" for side in ("left", "right")] * 2),
    ],
)
def test_what_every_op_may_have(op: Any, told: list[str]) -> None:
    assert after(op).told == told


def test_both_with_each_is_one_fighter_after_the_other() -> None:
    told = after(["give", "each", 1, "both"]).told
    assert told[0] == "freeze of left +1"
    assert told[6] == "regen of left +1"
    assert told[7] == "freeze of right +1"
    assert len(told) == 14


@pytest.mark.parametrize(("route", "line"), [("hp", "0 armor, 2 hp"), ("armor", "2 armor, 0 hp")])
def test_enemy_hp_minus_goes_where_the_option_says(route: str, line: str) -> None:
    wand = item("wand", battle_start=[["enemy_hp_minus", 2], ["pierce", 1]])
    fight = Fight(fighter(wand), fighter(armor=5), hp_minus_route=route).set_up()
    assert fight.told == [f"wand on right: {line}", "wand on right: 0 armor, 1 hp"]


ON_HIT: list[tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any], list[str]]] = [
    (["onhit_extra_damage", 2], {}, {"armor": 5}, {}, ["thing on right: 0 armor, 2 hp"]),
    (["onhit_extra_damage", 2], {}, {"armor": 5}, {"onhit_damage_route": "armor"}, ["thing on right: 2 armor, 0 hp"]),
    (["onhit_remove_enemy_armor"], {}, {"armor": 5}, {}, ["armor of right -5", "right exposed"]),
    (["onhit_gain_armor", 2], {}, {}, {}, ["armor of left +2"]),
    (["onhit_gain_thorns", 2], {}, {}, {}, ["thorns of left +2"]),
]


@pytest.mark.parametrize(("op", "left", "right", "options", "told"), ON_HIT, ids=[row[0][0] for row in ON_HIT])
def test_on_hit_op(op: Any, left: Any, right: Any, options: Any, told: list[str]) -> None:
    assert on_hit(op, left, right, **options).told[1:] == told


def test_corrosion_may_arm_its_owner() -> None:
    op = ["enemy_hp_to_enemy_armor_pct", 50]
    told = ["hp of right -10", "right wounded", "armor of left +10"]
    assert after(op, corroded_bone_receiver="owner").told == told


def countdowns(*numbers: int, left: Any = (), **options: Any) -> Fight:
    pieces = [item(f"clock{n}", countdown=[{"n": n, "do": [["gain_armor", n]]}]) for n in numbers]
    return Fight(fighter(*pieces, item(battle_start=list(left)), speed=1), fighter(), **options)


@pytest.mark.parametrize(
    ("ops", "told"),
    [
        ([["hasten", 1]], ["countdown of clock2 -1", "countdown of clock3 -1"]),
        ([["hasten", 2]], ["countdown of clock2 -2", "countdown of clock3 -2", "armor of left +2"]),
        ([["hasten", 9]], ["countdown of clock2 -2", "countdown of clock3 -3", "armor of left +2", "armor of left +3"]),
        ([["hasten", 0]], []),
        # One that has run is not hastened again, and does not run again.
        ([["hasten", 2], ["hasten", 2]], ["countdown of clock2 -2", "countdown of clock3 -2", "armor of left +2",
                                          "countdown of clock3 -1", "armor of left +3"]),
        ([["delay", 2, "self"]], ["countdown of clock2 +2", "countdown of clock3 +2"]),
        ([["hasten", 2], ["delay", 1, "self"]],
         ["countdown of clock2 -2", "countdown of clock3 -2", "armor of left +2", "countdown of clock3 +1"]),
        ([["hasten", 2], ["reset_countdowns"]],
         ["countdown of clock2 -2", "countdown of clock3 -2", "armor of left +2",
          "countdown of clock2 +2", "countdown of clock3 +2"]),
        ([["reset_countdowns"]], []),
        ([["hasten", 1, "enemy"]], []),
    ],
)  # fmt: skip
def test_countdowns_change(ops: list[Any], told: list[str]) -> None:
    assert countdowns(2, 3, left=ops).set_up().told == told


@pytest.mark.parametrize(
    ("which", "rolls", "told"),
    [
        ("all", [], ["pre a", "pre b", "pre d"]),
        ("left", [], ["pre b"]),
        ("right", [], ["pre d"]),
        ("random", ["open(0,0)", "below(3)=2"], ["pre d"]),
    ],
)
def test_retrigger(which: str, rolls: list[str], told: list[str]) -> None:
    once = [["gain_armor", 1]]
    pieces = [item(name, pre=once) for name in ("a", "b")]
    fight = Fight(fighter(*pieces, item("c", battle_start=[["retrigger", "pre", which]]), item("d", pre=once)))
    fight.set_up(*rolls)
    assert fight.triggers == ["pre a", "pre b", "pre d", "battle_start c", *told]


def test_retrigger_by_tag_never_its_own_piece() -> None:
    once = [["gain_armor", 1]]
    again = ["retrigger", "pre", "all", "gem"]
    pieces = [
        item("a", pre=once, tags=["gem"]),
        item("b", pre=once),
        item("c", pre=once, battle_start=[again], tags=["gem"]),
    ]
    fight = Fight(fighter(*pieces)).set_up()
    assert fight.triggers == ["pre a", "pre b", "pre c", "battle_start c", "pre a"]


def test_retrigger_left_of_what_is_no_item_is_nothing() -> None:
    weapon = item("w", pre=[["gain_armor", 1]])
    first = item("a", battle_start=[["retrigger", "pre", "left"]])
    assert Fight(fighter(first, weapon=weapon)).set_up().triggers == ["pre w", "battle_start a"]


def test_retriggered_effects_do_not_ask_for_n_of_or_being_due() -> None:
    pieces = [
        item("clock", countdown=[{"n": 9, "do": [["gain_armor", 1]]}]),
        item("bell", every_n_turns=[{"n": 5, "do": [["gain_armor", 2]]}]),
        item("moss", status_gained=[{"of": "poison", "do": [["gain_armor", 3]]}]),
        item("wand", battle_start=[["retrigger", name] for name in ("countdown", "every_n_turns", "status_gained")]),
    ]
    assert Fight(fighter(*pieces)).set_up().told == ["armor of left +1", "armor of left +2", "armor of left +3"]


def test_every_op_has_its_row() -> None:
    here = {*AT_BATTLE_START, *(row[0][0] for row in ON_HIT), "hasten", "delay", "reset_countdowns", "retrigger"}
    assert here == set(OPS)
