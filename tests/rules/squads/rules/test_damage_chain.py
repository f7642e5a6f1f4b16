"""README, Power and Damage: where a hit's value comes from, and the classic chain worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import (
    Fight,
    ability,
    attack_down,
    attack_up,
    battle,
    damage,
    names,
    of,
    side,
    unit,
)

from fracas.rulesets.squads.rules.events import Hit, Power, Roll, Stage


def powers(fight: Fight, *rolls: str) -> list[tuple[int, int, int, int]]:
    """The power of each effect that the first side's unit applies: the sum and its three shares."""
    told = of(fight.turn("1.a", *rolls), Power)
    return [(power.power, power.from_attack, power.from_defense, power.from_hp) for power in told]


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ({"attack": 100}, (33, 33, 0, 0)),
        ({"attack": 50}, (16, 16, 0, 0)),  # 16.5
        ({"defense": 50}, (13, 0, 13, 0)),  # 13.5
        ({"max_hp": 50}, (50, 0, 0, 50)),  # 50.5
        ({"attack": 50, "defense": 50, "max_hp": 50}, (79, 16, 13, 50)),  # not 80: each share is truncated
        ({"attack": 1000}, (330, 330, 0, 0)),
        ({"attack": 3}, (0, 0, 0, 0)),  # 0.99
    ],
)
def test_power_adds_three_shares_each_truncated(effect: dict[str, int], expected: tuple[int, ...]) -> None:
    fight = battle(
        side(unit("a", attack=33, defense=27, hp=101, class_ability="blow")),
        side(unit("b", hp=10**6)),
        abilities=[ability("blow", "one_enemy", damage(**effect))],
    )
    assert powers(fight) == [expected]


def test_the_basic_attack_has_100_percent_of_attack() -> None:
    assert powers(battle(side(unit("a", attack=33, defense=27, hp=101)), side(unit("b")))) == [(33, 33, 0, 0)]


def test_power_counts_own_defense_as_given() -> None:
    """Neither formation nor environment changes it; those are for the defender's reduction."""
    fight = battle(
        side(unit("a", defense=40, class_ability="bash"), formation="defensive"),
        side(unit("b", hp=10**6)),
        abilities=[ability("bash", "one_enemy", damage(defense=50))],
        modifier={"id": "iron", "name": "Iron", "defense": 200},
    )
    assert powers(fight) == [(20, 0, 20, 0)]


def test_power_counts_maximum_hp_not_what_is_left() -> None:
    fight = battle(
        side(unit("a", hp=200, class_ability="bash")),
        side(unit("b", hp=10**6)),
        abilities=[ability("bash", "one_enemy", damage(max_hp=10))],
    )
    fight["1.a"].hp = 7
    assert powers(fight) == [(20, 0, 0, 20)]


@pytest.mark.parametrize(
    ("attack", "up", "down", "percent", "expected"),
    [
        (9, 25, 0, 100, 11),  # 11.25
        (9, 25, 0, 190, 20),  # 190% of 11 is 20.9; of 11.25 it would be 21.375
        (33, 0, 40, 100, 19),  # 19.8
        (33, 60, 40, 100, 39),  # 39.6: up and down are added before they apply
        (33, 40, 40, 100, 33),
        (7, 0, 90, 100, 0),  # 0.7
        (100, 1000, 0, 100, 1100),
        (100, 0, 90, 150, 15),
    ],
)
def test_attack_is_as_raised_and_lowered_at_the_moment(
    attack: int, up: int, down: int, percent: int, expected: int
) -> None:
    fight = battle(
        side(unit("a", attack=attack, class_ability="blow")),
        side(unit("b", hp=10**6)),
        abilities=[ability("blow", "one_enemy", damage(attack=percent))],
    )
    fight["1.a"].attack_up, fight["1.a"].attack_down = up, down
    assert powers(fight) == [(expected, expected, 0, 0)]


def test_an_effect_counts_for_the_effects_listed_after_it() -> None:
    fight = battle(
        side(unit("a", attack=100, class_ability="drain")),
        side(unit("b", hp=10**6, attack=100)),
        abilities=[ability("drain", "one_enemy", damage(attack=10), attack_down(50, 2), damage(attack=20))],
    )
    events = fight.turn("1.a")
    assert [power.power for power in of(events, Power)] == [10, 20]
    assert fight["2.b"].attack_down == 50
    fight["2.b"].cooldown = 9
    assert of(fight.turn("2.b"), Power)[0].power == 50


# Everything at once. Attack 100, Fireball-like 120%: 120. Then each stage truncates.
#   formation      aggressive 115%            138
#   class          ranger against mage 120%   165.6     165
#   critical       150%                       247.5     247
#   environment    damage 85%                 209.95    209
#   defense        33 * 115 * 70 * 50 / 10^6   13.28     196
#   minimum        1                           196
CLASSIC = [
    ("formation", 115, 120, 138),
    ("class_advantage", 120, 138, 165),
    ("critical", 150, 165, 247),
    ("environment", 85, 247, 209),
    ("defense", 13, 209, 196),
    ("minimum", 1, 196, 196),
]


def classic_fight(chain: Any) -> Fight:
    return battle(
        side(unit("a", "ranger", attack=100, class_ability="blow"), formation="aggressive"),
        side(unit("b", "mage", hp=1000, defense=33), formation="defensive"),
        abilities=[ability("blow", "one_enemy", damage(attack=120))],
        modifier={"id": "haze", "name": "Haze", "damage": 85, "defense": 70},
        chain=chain,
    )


def stages(fight: Fight, *rolls: str) -> list[tuple[str, int, int, int]]:
    return [(told.stage, told.figure, told.before, told.after) for told in of(fight.turn("1.a", *rolls), Stage)]


def test_the_classic_chain_by_hand() -> None:
    fight = classic_fight("classic")
    assert stages(fight, "d100=10") == CLASSIC
    assert fight["2.b"].hp == 804


def test_the_classic_chain_is_what_a_scenario_gets_that_says_nothing() -> None:
    fight = classic_fight("classic")
    silent = dict(fight.document)
    silent["options"] = {}
    assert stages(Fight(silent), "d100=10") == CLASSIC


def test_the_classic_chain_without_a_critical_hit() -> None:
    """165 without 150%: 85% is 140.25, less 13."""
    assert stages(classic_fight("classic"), "d100=11")[2:] == [
        ("critical", 100, 165, 165),
        ("environment", 85, 165, 140),
        ("defense", 13, 140, 127),
        ("minimum", 1, 127, 127),
    ]


def test_the_classic_chain_truncates_after_every_stage() -> None:
    """7 * 115% = 8.05, * 80% = 6.4, * 150% = 9, * 85% = 7.65: 7. All at once it would be 7 * 1.173 = 8.2."""
    fight = battle(
        side(unit("a", "mage", attack=7), formation="aggressive"),
        side(unit("b", "ranger")),
        chain="classic",
        modifier={"id": "haze", "name": "Haze", "damage": 85},
    )
    assert [after for *_, after in stages(fight, "d100=1")] == [8, 6, 9, 7, 7, 7]


def test_the_classic_chain_always_leaves_one_point() -> None:
    fight = battle(side(unit("a", attack=1)), side(unit("b", defense=10**6)), chain="classic")
    assert stages(fight, "d100=100")[-2:] == [("defense", 500_000, 1, 0), ("minimum", 1, 0, 1)]
    assert fight["2.b"].hp == 99


@pytest.mark.parametrize(
    ("order", "after"),
    [
        (("formation", "defense"), 96),  # 101 * 115% = 116.15, less 20
        (("defense", "formation"), 93),  # 81 * 115% = 93.15
    ],
)
def test_the_order_of_the_stages_counts(order: tuple[str, ...], after: int) -> None:
    fight = battle(
        side(unit("a", attack=101), formation="aggressive"),
        side(unit("b", defense=40)),
        chain=[{"stage": name} for name in order],
    )
    assert stages(fight)[-1][3] == after


def test_a_chain_may_be_empty_or_repeat_a_stage() -> None:
    twice = [{"stage": "formation"}, {"stage": "formation"}]
    fight = battle(side(unit("a", attack=10), formation="aggressive"), side(unit("b")), chain=twice)
    assert [after for *_, after in stages(fight)] == [11, 12]  # 11.5, 12.65
    empty = battle(side(unit("a", attack=10)), side(unit("b")))
    assert stages(empty) == []
    assert empty["2.b"].hp == 90


def test_an_area_attack_rolls_once_for_each_living_target_in_index_order() -> None:
    fight = battle(
        side(unit("a", attack=100, class_ability="sweep")),
        side(unit("b", hp=900), unit("c", hp=900), unit("d", hp=900)),
        abilities=[ability("sweep", "all_enemies", damage(attack=10))],
        chain=[{"stage": "critical"}],
    )
    fight.fell("2.c")
    events = fight.turn("1.a", "d100=10", "d100=11")
    assert [(roll.target, roll.roll) for roll in of(events, Roll)] == [("2.b", 10), ("2.d", 11)]
    assert [(hit.target, hit.damage) for hit in of(events, Hit)] == [("2.b", 15), ("2.d", 10)]


def test_an_area_attack_works_its_damage_out_for_each_target_by_itself() -> None:
    fight = battle(
        side(unit("a", "warrior", attack=100, class_ability="sweep")),
        side(unit("b", "ranger", hp=900, defense=40), unit("c", "mage", hp=900), unit("d", "tank", hp=900, defense=9)),
        abilities=[ability("sweep", "all_enemies", damage(attack=75))],
        chain="classic",
    )
    events = fight.turn("1.a", "d100=100", "d100=1", "d100=100")
    # 75 * 120% = 90, less 20; 75 * 80% * 150% = 90; 75 less 4.5.
    assert [(hit.target, hit.damage) for hit in of(events, Hit)] == [("2.b", 70), ("2.c", 90), ("2.d", 71)]


def test_the_stages_of_a_hit_are_told_in_chain_order() -> None:
    events = classic_fight("classic").turn("1.a", "d100=50")
    expected = ["choice", "target", "power", "stage", "stage", "roll", "stage", "stage", "stage", "stage", "hit"]
    assert names(events)[: len(expected)] == expected


def test_attack_up_of_the_target_does_not_raise_what_it_suffers() -> None:
    fight = battle(
        side(unit("a", attack=40)),
        side(unit("b", class_ability="roar")),
        abilities=[ability("roar", "self", attack_up(500, 3))],
    )
    fight.turn("2.b")
    assert of(fight.turn("1.a"), Hit)[0].damage == 40
