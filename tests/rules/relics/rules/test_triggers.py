"""Every trigger: when its effects run, with which number, and when they do not. README, Triggers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, fighter, item, of

from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.events import Trigger

NOTE: list[list[Any]] = [["count", 1]]


def ear(*triggers: str, name: str = "ear", **keys: Any) -> dict[str, Any]:
    """An item that only listens."""
    return item(name, **dict.fromkeys(triggers, NOTE), **keys)


def heard(fight: Fight) -> list[tuple[int, str, int]]:
    """Turn, trigger and payload of what an ear heard in the whole battle."""
    return [
        (each.tick, each.trigger, each.payload) for each in of(fight.events, Trigger) if each.source.startswith("ear")
    ]


# trigger, what makes it happen in set-up (an op of the left), left before, right before, payloads that the left hears
IN_SET_UP: list[tuple[str, Any, dict[str, Any], dict[str, Any], list[int]]] = [
    ("pre", None, {}, {}, [0]),
    ("battle_start", None, {}, {}, [0]),
    ("on_damaged", ["deal", 3, "self"], {}, {}, []),
    ("hp_lost", ["deal", 3, "self"], {"armor": 1}, {}, [2]),
    ("hp_lost", ["lose_hp", 3], {}, {}, [3]),
    ("hp_lost", ["convert", "hp", "armor", 3], {}, {}, [3]),
    ("hp_lost", ["lose", "health", 3], {"hp": 19}, {}, [2]),
    ("hp_lost", ["lose", "health", 1], {"hp": 19}, {}, []),
    ("armor_lost", ["deal", 3, "self"], {"armor": 2}, {}, [2]),
    ("armor_lost", ["lose", "armor", 3], {"armor": 2}, {}, [2]),
    ("armor_lost", ["deal", 3, "self"], {}, {}, []),
    ("armor_gained", ["gain_armor", 3], {}, {}, [3]),
    ("armor_gained", ["gain_armor", 3], {"armor": 9998}, {}, [1]),
    ("armor_gained", ["gain_armor", 3], {"armor": 9999}, {}, []),
    ("armor_gained", ["steal", "armor", 3], {}, {"armor": 2}, [2]),
    ("armor_gained", ["set", "armor", 3], {"armor": 2}, {}, [1]),
    ("speed_gained", ["gain_speed", 2], {}, {}, [2]),
    ("speed_gained", ["lose", "speed", 2], {}, {}, []),
    ("speed_lost", ["lose", "speed", 2], {}, {}, [2]),
    ("speed_lost", ["lose", "speed", 2, "enemy"], {}, {}, []),
    ("speed_lost", ["set", "speed", 0], {"speed": 3}, {}, [3]),
    ("speed_lost", ["spend", "speed", 1], {"speed": 3}, {}, [1]),
    ("speed_lost", ["gain_speed", 2], {}, {}, []),
    ("attack_gained", ["gain_atk", 2], {}, {}, [2]),
    ("attack_gained", ["gain", "attack", 2, "enemy"], {}, {}, []),
    ("attack_gained", ["temporary_attack", 2], {}, {}, []),
    ("attack_gained", ["steal", "attack", 3], {}, {"attack": 2}, [2]),
    ("attack_gained", ["lose", "attack", 2], {}, {}, []),
    ("damage_outside_strikes", ["deal", 3], {}, {"armor": 2}, [3]),
    ("damage_outside_strikes", ["pierce", 2], {}, {}, [2]),
    ("damage_outside_strikes", ["deal", 0], {}, {}, []),
    ("damage_outside_strikes", ["deal", 3, "self"], {}, {}, []),
    ("damage_outside_strikes", ["enemy_hp_to_enemy_armor_pct", 50], {}, {}, []),
    ("on_heal", ["heal", 3], {"hp": 18}, {}, [2]),
    ("on_heal", ["heal", 3], {}, {}, []),
    ("on_heal", ["convert", "armor", "hp", 3], {"hp": 10, "armor": 5}, {}, [3]),
    ("on_overheal", ["heal", 3], {"hp": 18}, {}, [1]),
    ("on_overheal", ["heal", 3], {"hp": 17}, {}, []),
    ("status_gained", ["give", "acid", 2, "self"], {}, {}, [2]),
    ("status_gained", ["give", "acid", 2, "enemy"], {}, {}, []),
    ("status_gained", ["move", "acid", 9, "self"], {}, {"acid": 3}, [3]),
    ("thorns_gained", ["gain_thorns", 2], {}, {}, [2]),
    ("thorns_gained", ["give", "acid", 2, "self"], {}, {}, []),
    ("enemy_status_gained", ["give", "acid", 2, "enemy"], {}, {}, [2]),
    ("enemy_status_gained", ["give", "acid", 2, "self"], {}, {}, []),
    ("status_lost", ["remove", "acid", 9, "self"], {"acid": 2}, {}, [2]),
    ("status_lost", ["convert", "acid", "armor", 1], {"acid": 2}, {}, [1]),
    ("exposed", ["lose", "armor", 3], {"armor": 3}, {}, [0]),
    ("exposed", ["lose", "armor", 2], {"armor": 3}, {}, []),
    ("exposed", ["lose", "armor", 2], {}, {}, []),
    ("exposed", ["deal", 3, "self"], {"armor": 3}, {}, [0]),
    ("wounded", ["lose_hp", 10], {}, {}, [0]),
    ("wounded", ["lose_hp", 9], {}, {}, []),
    ("wounded", ["lose", "health", 19], {}, {}, []),
    ("enemy_exposed", ["deal", 3], {}, {"armor": 3}, [0]),
    ("enemy_wounded", ["pierce", 10], {}, {}, [0]),
    ("on_kill", ["pierce", 23], {}, {}, [3]),
    ("on_kill", ["pierce", 19], {}, {}, []),
    # Both are at 0 or below: nobody has killed anybody.
    ("on_kill", ["pierce", 20, "both"], {}, {}, []),
]


@pytest.mark.parametrize(("trigger", "op", "left", "right", "payloads"), IN_SET_UP)
def test_in_set_up(trigger: str, op: Any, left: Any, right: Any, payloads: list[int]) -> None:
    wand = [item("wand", battle_start=[op])] if op else []
    fight = Fight(fighter(ear(trigger), *wand, **left), fighter(**right)).set_up()
    assert heard(fight) == [(0, trigger, payload) for payload in payloads]


@pytest.mark.parametrize(
    ("trigger", "n", "at"),
    [
        ("first_turn", None, [1]),
        ("turn_start", None, [1, 3, 5, 7, 9]),
        ("turn_end", None, [1, 3, 5, 7, 9]),
        # The left's own turns 2 and 4 are the common turns 3 and 7.
        ("every_other_turn", None, [3, 7]),
        ("every_n_turns", 2, [3, 7]),
        ("every_n_turns", 3, [5]),
        ("countdown", 1, [1]),
        ("countdown", 3, [5]),
        ("every_n_strikes", 2, [3, 7]),
        ("on_hit", None, [1, 3, 5, 7, 9]),
        ("on_struck", None, [2, 4, 6, 8, 10]),
    ],
)
def test_in_turns(trigger: str, n: int | None, at: list[int]) -> None:
    entry = {"n": n, "do": NOTE} if n else {"do": NOTE}
    fight = Fight(fighter(item("ear", **{trigger: [entry]})), turn_cap=10)
    fight.play()
    assert [turn for turn, name, _ in heard(fight) if name == trigger] == at


def test_odd_cadence() -> None:
    fight = Fight(fighter(ear("every_other_turn")), turn_cap=10, cadence_parity="odd")
    fight.play()
    assert [turn for turn, *_ in heard(fight)] == [1, 5, 9]


def test_strikes_have_numbers() -> None:
    """On hit and on struck tell what the strike took of ARMOR and HP, every_n_strikes how many were made."""
    listening = fighter(ear("on_hit"), item("ear2", every_n_strikes=[{"n": 1, "do": NOTE}]), attack=5, speed=1)
    fight = Fight(listening, fighter(ear("on_struck"), armor=2)).struck()
    assert heard(fight) == [(1, "on_hit", 5), (1, "every_n_strikes", 1), (1, "on_struck", 5)]


def test_a_strike_of_nothing_hits_all_the_same() -> None:
    fight = Fight(fighter(ear("on_hit"), speed=1), fighter(ear("on_struck", "on_damaged"), thorns=1)).struck()
    assert heard(fight) == [(1, "on_hit", 0), (1, "on_struck", 0)]
    damage = [text for text in fight.told if " on " in text]
    assert damage == ["strike on right: 0 armor, 0 hp", "thorns on left: 0 armor, 1 hp"]


@pytest.mark.parametrize(
    ("left", "told"),
    [
        # Poison without ARMOR, the number being HP lost; Acid ARMOR lost; Riptide; Regen HP gained.
        ({"poison": 2}, [(1, "status_ticked", 2)]),
        ({"poison": 2, "armor": 1}, []),
        ({"acid": 3, "armor": 2}, [(1, "status_ticked", 2)]),
        ({"acid": 3}, []),
        ({"riptide": 1}, [(1, "status_ticked", 5)]),
        ({"regen": 3, "hp": 18}, [(1, "status_ticked", 2)]),
        ({"regen": 3}, []),
    ],
)
def test_status_ticked(left: dict[str, int], told: list[Any]) -> None:
    fight = Fight(fighter(ear("status_ticked"), speed=1, **left), turn_cap=1)
    fight.play()
    assert heard(fight) == told


def test_strike_skipped_tells_the_stun_left() -> None:
    fight = Fight(fighter(ear("strike_skipped", "status_lost"), speed=1, stun=3)).struck()
    assert heard(fight) == [(1, "status_lost", 1), (1, "strike_skipped", 2)]
    assert fight.told[:2] == ["left stunned", "stun of left -1"]


@pytest.mark.parametrize("trigger", ["status_gained", "enemy_status_gained", "status_lost"])
def test_of_picks_a_status(trigger: str) -> None:
    whom = "enemy" if trigger == "enemy_status_gained" else "self"
    listening = item("ear", **{trigger: [{"of": "acid", "do": NOTE}]})
    ops = [["give", "each", 1, whom], ["remove", "each", 1, whom]]
    fight = Fight(fighter(listening, item("wand", battle_start=ops))).set_up()
    assert heard(fight) == [(0, trigger, 1)]


def test_of_picks_the_status_that_ticked() -> None:
    listening = item("ear", status_ticked=[{"of": "regen", "do": NOTE}])
    fight = Fight(fighter(listening, speed=1, poison=2, regen=1, riptide=1), turn_cap=1)
    fight.play()
    assert heard(fight) == [(1, "status_ticked", 1)]


def test_on_damaged_answers_the_enemy_alone() -> None:
    """Not oneself, not Poison and Riptide, not losses; Thorns are the enemy's."""
    fight = Fight(fighter(ear("on_damaged"), speed=1, poison=1, riptide=1, acid=1), fighter(thorns=3), turn_cap=1)
    fight.play()
    assert heard(fight) == [(1, "on_damaged", 3)]


def test_damage_outside_strikes_is_that_of_thorns_and_ops() -> None:
    """Not a strike's own, and not that of Poison and Riptide; a retaliation's too, after what it did to the enemy."""
    left = fighter(ear("damage_outside_strikes"), item("axe", on_hit=[["onhit_extra_damage", 2]]), attack=5, speed=1)
    right = fighter(ear("on_damaged"), item("burr", on_damaged=[["deal", 1]]), poison=1, riptide=1, thorns=4)
    right["items"].append(item("ear2", damage_outside_strikes=[{"do": NOTE}]))
    fight = Fight(left, right, turn_cap=2)
    fight.play()
    assert heard(fight) == [
        *((1, "on_damaged", 5), (1, "damage_outside_strikes", 1)),
        *((1, "on_damaged", 2), (1, "damage_outside_strikes", 1), (1, "damage_outside_strikes", 2)),
        (1, "damage_outside_strikes", 4),
    ]


@pytest.mark.parametrize("op", [["lose_hp", 3, "enemy"], ["execute", 20], ["lose", "armor", 2, "enemy"], ["deal", 0]])
def test_losses_are_no_damage(op: Any) -> None:
    fight = Fight(fighter(item("wand", battle_start=[op])), fighter(ear("on_damaged"), armor=2)).set_up()
    assert heard(fight) == []


def test_exposed_and_wounded_come_once_wherever_it_comes_from() -> None:
    """By a strike, an op, a loss and a tick in one battle: one mark of each, and one run of each effect."""
    left = fighter(
        ear("exposed", "wounded"), item("wand", turn_end=[["gain_armor", 1], ["lose", "armor", "all"], ["heal", 9]]),
        armor=2, poison=9,
    )  # fmt: skip
    right = fighter(ear("enemy_exposed", "enemy_wounded"), item("axe", turn_start=[["deal", 4]]), attack=9, speed=1)
    fight = Fight(left, right, turn_cap=6)
    fight.play()
    triggers = ["exposed", "wounded", "enemy_exposed", "enemy_wounded"]
    assert sorted(name for _, name, _ in heard(fight)) == sorted(triggers)
    assert fight.told.count("left exposed") == fight.told.count("left wounded") == 1


@pytest.mark.parametrize("mark", ["exposed_triggered", "wounded_triggered"])
def test_a_fighter_that_had_the_mark_does_not_get_it_again(mark: str) -> None:
    ops = [["lose", "armor", "all"], ["lose_hp", 15]]
    left = fighter(ear("exposed", "wounded"), item("wand", battle_start=ops), armor=2, **{mark: True})
    other = {"exposed_triggered": "wounded", "wounded_triggered": "exposed"}[mark]
    assert [name for _, name, _ in heard(Fight(left).set_up())] == [other]


def test_marks_are_set_whether_or_not_anything_answers() -> None:
    fight = Fight(fighter(speed=1, attack=30), fighter(armor=3, hp=20)).struck()
    assert fight.right["exposed"] == fight.right["wounded"] == 1
    assert fight.told == ["strike on right: 3 armor, 27 hp", "right exposed", "right wounded", "right falls"]


def test_every_trigger_is_here() -> None:
    seen = {row[0] for row in IN_SET_UP} | {"first_turn", "turn_start", "turn_end", "every_other_turn", "every_n_turns"}
    seen |= {"countdown", "every_n_strikes", "on_hit", "on_struck", "status_ticked", "strike_skipped"}
    assert seen == set(codes.TRIGGERS)
