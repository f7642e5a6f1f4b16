"""A strike: its arithmetic, what follows it and in which order. README, Strikes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, fighter, item, of, on_hit

from fracas.rulesets.relics.rules import events as told


def strike_of(fight: Fight) -> told.Strike:
    return of(fight.events, told.Strike)[0]


@pytest.mark.parametrize(
    ("left", "right", "modifiers", "options", "before", "part"),
    [
        ({"attack": 3}, {}, [], {}, 3, 3),
        ({"attack": 3, "temp_attack": 2}, {}, [], {}, 5, 5),
        ({"attack": -3, "temp_attack": 2}, {}, [], {}, 0, 0),
        # Freeze halves, rounded down, however many stacks there are.
        ({"attack": 3}, {"freeze": 1}, [], {}, 3, 1),
        ({"attack": 4}, {"freeze": 7}, [], {}, 4, 2),
        ({"attack": 3, "freeze": 1}, {}, [], {}, 3, 3),
        ({"attack": 3, "freeze": 1}, {}, [], {"freeze_side": "attacker"}, 3, 1),
        ({"attack": 3}, {"freeze": 1}, [], {"freeze_side": "attacker"}, 3, 3),
        # Flat before per cent, both before Freeze.
        ({"attack": 3}, {}, [["attack", 2], ["attack_pct", 50]], {}, 7, 7),
        ({"attack": 3}, {"freeze": 1}, [["attack", 2], ["attack_pct", 50]], {}, 7, 3),
        ({"attack": 3}, {}, [["attack_pct", -50]], {}, 1, 1),
        ({"attack": 3}, {}, [["attack_pct", -60], ["attack_pct", -60]], {}, 0, 0),
        ({"attack": 3}, {}, [["attack", -9]], {}, 0, 0),
        ({"attack": 2}, {}, [["attack", 3, {"if": "first_strike"}]], {}, 5, 5),
    ],
)
def test_attack_part(left: Any, right: Any, modifiers: Any, options: Any, before: int, part: int) -> None:
    fight = Fight(fighter(item(modifiers=modifiers), speed=1, **left), fighter(hp=50, **right), **options).struck()
    strike = strike_of(fight)
    assert (strike.before, strike.part) == (before, part)
    assert fight.right["hp"] == 50 - part


def test_attack_row_shows_what_it_is_made_of() -> None:
    parts = [["attack", 2], ["attack", 1], ["attack_pct", -70], ["attack_pct", -80]]
    fight = Fight(fighter(item(modifiers=parts), attack=3, temp_attack=4, speed=1)).struck()
    (attack,) = of(fight.events, told.Attack)
    assert (attack.attack, attack.temporary, attack.bonus, attack.percent) == (3, 4, 3, -150)


@pytest.mark.parametrize(
    ("armor", "modifiers", "line"),
    [
        (9, [], "strike on right: 5 armor, 0 hp"),
        (5, [], "strike on right: 5 armor, 0 hp"),
        (2, [], "strike on right: 2 armor, 3 hp"),
        (0, [], "strike on right: 0 armor, 5 hp"),
        (9, ["ignores_armor"], "strike on right: 0 armor, 5 hp"),
        (9, [["damage_dealt", 2]], "strike on right: 7 armor, 0 hp"),
    ],
)
def test_armor_absorbs_first(armor: int, modifiers: Any, line: str) -> None:
    fight = Fight(fighter(item(modifiers=modifiers), attack=5, speed=1), fighter(armor=armor)).struck()
    assert line in fight.told


def test_order_within_a_strike() -> None:
    """The packet, on hit, every_n_strikes, on struck, Thorns, thresholds of the defender, then of the attacker."""
    left = fighter(
        item("hit", on_hit=[["onhit_gain_armor", 1]]),
        item("third", every_n_strikes=[{"n": 1, "do": [["gain_armor", 1]]}]),
        item("sore", wounded=[["gain_speed", 1]], enemy_wounded=[["gain_speed", 1]]),
        attack=5, speed=1, hp=11,
    )  # fmt: skip
    right = fighter(
        item("shell", on_struck=[["gain_armor", 1]], exposed=[["gain_speed", 1]], wounded=[["gain_speed", 1]]),
        armor=2, hp=11, thorns=4,
    )  # fmt: skip
    fight = Fight(left, right).struck()
    assert fight.told == [
        "strike on right: 2 armor, 3 hp",
        "right exposed",
        "right wounded",
        "armor of left +1",
        "armor of left +1",
        "armor of right +1",
        "thorns on left: 2 armor, 2 hp",
        "left exposed",
        "left wounded",
        *["speed of right +1"] * 2,
        *["speed of left +1"] * 2,
    ]
    assert fight.triggers[3:] == ["exposed shell", "wounded shell", "enemy_wounded sore", "wounded sore"]


def test_retaliation_comes_between_packet_and_on_hit() -> None:
    left = fighter(item("hit", on_hit=[["onhit_gain_armor", 1]]), attack=1, speed=1)
    fight = Fight(left, fighter(item("greaves", flags=["on_damaged_deal_damage", 1]))).struck()
    assert fight.told == ["strike on right: 0 armor, 1 hp", "greaves on left: 0 armor, 1 hp", "armor of left +1"]


ENTRIES = [["deal", 1], ["onhit_gain_armor", 1], ["onhit_remove_enemy_armor"]]
REMOVED, GAINED, DEALT = "armor of right -5", "armor of left +1", "thing on right: 1 armor, 0 hp"


@pytest.mark.parametrize(
    ("order", "lines"),
    [
        ("removes_first", [REMOVED, "right exposed", GAINED, "thing on right: 0 armor, 1 hp"]),
        ("damage_first", [DEALT, "armor of right -4", "right exposed", GAINED]),
        ("slots", [DEALT, GAINED, "armor of right -4", "right exposed"]),
    ],
)
def test_order_of_on_hit_effects(order: str, lines: list[str]) -> None:
    assert on_hit(ENTRIES, {}, {"armor": 5}, onhit_order=order).told[1:] == lines


def test_order_of_on_hit_effects_over_all_pieces() -> None:
    """Classes before pieces; within a class weapon, upgrades, items, food."""

    def both(name: str) -> Any:
        return item(name, on_hit=[["onhit_extra_damage", 1], ["onhit_gain_armor", 1]])

    left = fighter(both("i1"), both("i2"), weapon=both("w"), upgrades=[both("u")], food=[both("f")], speed=1)
    names = ["w", "u", "i1", "i2", "f"]
    assert Fight(left).struck().triggers == [f"on_hit {name}" for name in names * 2]
    assert Fight(left, onhit_order="slots").struck().triggers == [f"on_hit {name}" for name in names for _ in range(2)]


def test_the_class_of_an_effect_is_that_of_its_first_op() -> None:
    mixed = {"do": [["onhit_gain_armor", 1], ["onhit_remove_enemy_armor"]]}
    left = fighter(item("a", on_hit=[mixed]), item("b", on_hit=[["lose", "armor", 1, "enemy"]]), speed=1)
    fight = Fight(left, fighter(armor=5)).struck()
    assert fight.triggers == ["on_hit b", "on_hit a"]


@pytest.mark.parametrize(("number", "runs"), [(0, 1), (1, 2), (3, 4), (15, 16), (40, 16), (-5, 1)])
def test_on_hit_runs_again(number: int, runs: int) -> None:
    keen = item("keen", on_hit=[["gain_atk", 1]], modifiers=[["on_hit_runs", number]])
    assert Fight(fighter(keen, speed=1)).struck().triggers == ["on_hit keen"] * runs


@pytest.mark.parametrize(
    ("modifiers", "stun", "lines", "left"),
    [
        ([], 1, ["left stunned", "stun of left -1"], 0),
        # One stun for each attempt.
        ([["strikes", 1]], 1, ["left stunned", "stun of left -1", "strike on right: 0 armor, 0 hp"], 0),
        ([["strikes", 1]], 3, ["left stunned", "stun of left -1", "left stunned", "stun of left -1"], 1),
        # Who cannot attack attempts nothing, and keeps the stun.
        (["cannot_attack"], 2, ["left cannot_attack"], 2),
    ],
)
def test_strikes_that_are_not_made(modifiers: Any, stun: int, lines: list[str], left: int) -> None:
    fight = Fight(fighter(item(modifiers=modifiers), stun=stun, speed=1)).struck()
    assert fight.told == lines
    assert fight.left["stun"] == left


def test_a_stunned_fighter_s_other_effects_run() -> None:
    piece = item("a", turn_start=[["gain_armor", 1]], turn_end=[["gain_armor", 1]])
    fight = Fight(fighter(piece, stun=1, speed=1)).set_up().turn()
    assert fight.left["armor"] == 2


def test_strikes_made_are_not_attempts() -> None:
    piece = item("a", every_n_strikes=[{"n": 2, "do": [["gain_armor", 1]]}])
    fight = Fight(fighter(piece, stun=1, speed=1)).set_up()
    for _ in range(5):
        fight.turn()
    assert (fight.left["strikes_made"], fight.left["armor"]) == (2, 1)


def test_base_strikes_are_asked_once() -> None:
    """Every-turn strikes that come during the strikes count from the next turn on."""
    piece = item("a", on_hit=[{"per_battle": 1, "do": [["extra_strikes", 1, "every_turn"]]}])
    fight = Fight(fighter(piece, speed=1)).struck()
    assert len(of(fight.events, told.Strike)) == 1
    fight.end()
    fight.turn().turn()
    assert len(of(fight.events, told.Strike)) == 2


def test_who_becomes_unable_makes_no_further_strike() -> None:
    piece = item("a", modifiers=[["strikes", 3], ["cannot_attack", {"if": "self.strikes_made >= 2"}]])
    fight = Fight(fighter(piece, speed=1)).struck()
    assert len(of(fight.events, told.Strike)) == 2
    assert fight.told[-1] == "left cannot_attack"


@pytest.mark.parametrize(
    ("op", "side", "struck"),
    [
        (["deal", 1], "right", 1),
        (["lose_hp", 1], "left", 1),
        (["lose", "armor", 1, "enemy"], "right", 1),
        (["lose", "attack", 1, "enemy"], "right", 0),
    ],
)
def test_struck_is_who_lost_armor_or_hp_in_a_strike(op: Any, side: str, struck: int) -> None:
    fight = on_hit(op, {}, {"armor": 5})
    assert {"left": fight.left, "right": fight.right}[side]["struck"] == struck


def test_losses_elsewhere_are_no_strike() -> None:
    piece = item("a", turn_start=[["deal", 1]], turn_end=[["deal", 1]])
    fight = Fight(fighter(piece, speed=1), fighter(thorns=3)).set_up().turn()
    assert fight.right["thorns"] == 3
