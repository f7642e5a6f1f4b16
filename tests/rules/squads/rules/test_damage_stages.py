"""README, Damage: every stage of the chain by itself, with the figure it shows and how it truncates."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import ability, battle, damage, of, side, unit

from fracas.rulesets.squads.rules.events import Hit, Roll, Stage

LARGEST = 10**9
CLASSES = ("warrior", "ranger", "mage", "healer", "tank")


def one_stage(
    stage: dict[str, Any],
    power: int,
    *rolls: str,
    roles: tuple[str, str] = ("tank", "tank"),
    formations: tuple[str, str] = ("balanced", "balanced"),
    defense: int = 0,
    tick: int = 1,
    **scenario: Any,
) -> tuple[int, int, int]:
    """A basic attack of that power through a chain of one stage: the stage's figure, and the value before and after."""
    fight = battle(
        side(unit("a", roles[0], attack=power), formation=formations[0]),
        side(unit("b", roles[1], hp=10**6, defense=defense), formation=formations[1]),
        chain=[stage],
        **scenario,
    )
    fight.tick = tick
    events = fight.turn("1.a", *rolls)
    (told,) = of(events, Stage)
    assert told.stage == stage["stage"]
    assert of(events, Hit)[0].damage == told.after
    return told.figure, told.before, told.after


@pytest.mark.parametrize(
    ("formation", "power", "figure", "after"),
    [
        ("aggressive", 101, 115, 116),  # 116.15
        ("aggressive", 6, 115, 6),  # 6.9
        ("defensive", 101, 90, 90),  # 90.9
        ("balanced", 101, 100, 101),
        ("flanking", 99, 110, 108),  # 108.9
    ],
)
def test_formation_multiplies_by_the_attackers_attack_percentage(
    formation: str, power: int, figure: int, after: int
) -> None:
    told = one_stage({"stage": "formation"}, power, formations=(formation, "defensive"))
    assert told == (figure, power, after)


def test_formation_is_balanced_where_the_strategy_says_nothing() -> None:
    fight = battle(side(unit("a")), side(unit("b"), formation="aggressive"), chain=[{"stage": "formation"}])
    assert of(fight.turn("1.a"), Stage)[0].figure == 100


# Rows attack, columns defend.
TRIANGLE = """
            warrior  ranger   mage  healer   tank
warrior         100     120     80     100    100
ranger           80     100    120     100    100
mage            120      80    100     100    100
healer          100     100    100     100    100
tank            100     100    100     100    100
"""


def triangle() -> list[tuple[str, str, int]]:
    header, *lines = TRIANGLE.strip().splitlines()
    columns = header.split()
    return [
        (line.split()[0], column, int(figure))
        for line in lines
        for column, figure in zip(columns, line.split()[1:], strict=True)
    ]


@pytest.mark.parametrize(("attacker", "defender", "figure"), triangle())
def test_class_advantage_follows_the_triangle(attacker: str, defender: str, figure: int) -> None:
    told = one_stage({"stage": "class_advantage"}, 99, roles=(attacker, defender))
    assert told == (figure, 99, {120: 118, 80: 79, 100: 99}[figure])  # 118.8, 79.2


def test_the_triangle_has_all_25_pairs() -> None:
    assert {(row, column) for row, column, _ in triangle()} == {(row, column) for row in CLASSES for column in CLASSES}


@pytest.mark.parametrize(
    ("roles", "figure", "after"),
    [
        (("warrior", "ranger"), 175, 176),  # 176.75
        (("ranger", "warrior"), 35, 35),  # 35.35
        (("warrior", "warrior"), 100, 101),
    ],
)
def test_class_advantage_takes_its_own_numbers(roles: tuple[str, str], figure: int, after: int) -> None:
    stage = {"stage": "class_advantage", "strong": 175, "weak": 35}
    assert one_stage(stage, 101, roles=roles) == (figure, 101, after)


@pytest.mark.parametrize(
    ("stage", "roll", "figure", "after"),
    [
        ({}, 1, 150, 49),  # 49.5
        ({}, 10, 150, 49),
        ({}, 11, 100, 33),
        ({}, 100, 100, 33),
        ({"chance": 0}, 1, 100, 33),
        ({"chance": 100}, 100, 150, 49),
        ({"chance": 57, "multiplier": 220}, 57, 220, 72),  # 72.6
        ({"chance": 57, "multiplier": 220}, 58, 100, 33),
        ({"multiplier": 0}, 10, 0, 0),
    ],
)
def test_critical_rolls_d100_against_the_chance(stage: dict[str, int], roll: int, figure: int, after: int) -> None:
    assert one_stage({"stage": "critical", **stage}, 33, f"d100={roll}") == (figure, 33, after)


@pytest.mark.parametrize("chance", [0, 100])
def test_a_chance_of_0_or_100_still_takes_its_roll(chance: int) -> None:
    fight = battle(side(unit("a")), side(unit("b")), chain=[{"stage": "critical", "chance": chance}])
    (roll,) = of(fight.turn("1.a", "d100=42"), Roll)
    assert (roll.roll, roll.chance, roll.multiplier) == (42, chance, 150)


def test_every_critical_stage_of_a_chain_rolls_for_itself() -> None:
    stages: list[dict[str, Any]] = [{"stage": "critical"}, {"stage": "critical", "chance": 60, "multiplier": 300}]
    fight = battle(side(unit("a", attack=7)), side(unit("b")), chain=stages)
    events = fight.turn("1.a", "d100=10", "d100=60")
    assert [(told.before, told.after) for told in of(events, Stage)] == [(7, 10), (10, 30)]


def test_a_chain_without_a_critical_stage_rolls_nothing() -> None:
    assert not of(battle(side(unit("a")), side(unit("b"))).turn("1.a"), Roll)


WEATHER = {
    "id": "weather",
    "name": "Weather",
    "critical_chance": 30,
    "critical_multiplier": 220,
    "damage": 85,
    "defense": 150,
    "classes": {"mage": {"critical_chance": 0, "damage": 120, "defense": 50}, "tank": {"critical_multiplier": 400}},
}


@pytest.mark.parametrize(
    ("attacker", "chance", "multiplier"),
    [("warrior", 30, 220), ("mage", 0, 220), ("tank", 30, 400)],
    ids=["overall numbers", "the class's chance, the overall multiplier", "the overall chance, the class's multiplier"],
)
def test_the_environments_critical_numbers_replace_the_stages(attacker: str, chance: int, multiplier: int) -> None:
    stage = {"stage": "critical", "chance": 100, "multiplier": 1000}
    fight = battle(side(unit("a", attacker)), side(unit("b", "mage", hp=10**6)), chain=[stage], modifier=WEATHER)
    (roll,) = of(fight.turn("1.a", "d100=30"), Roll)
    assert (roll.chance, roll.multiplier) == (chance, multiplier)


def test_a_number_that_the_environment_does_not_have_stays_the_stages() -> None:
    modifier = {"id": "wind", "name": "Wind", "critical_chance": 77}
    fight = battle(
        side(unit("a")), side(unit("b")), chain=[{"stage": "critical", "multiplier": 130}], modifier=modifier
    )
    (roll,) = of(fight.turn("1.a", "d100=78"), Roll)
    assert (roll.chance, roll.multiplier) == (77, 130)


@pytest.mark.parametrize(
    ("attacker", "figure", "after"),
    [("warrior", 85, 84), ("mage", 120, 118), ("tank", 85, 84)],  # 84.15, 118.8
)
def test_environment_multiplies_by_its_damage_for_the_attackers_class(attacker: str, figure: int, after: int) -> None:
    assert one_stage({"stage": "environment"}, 99, roles=(attacker, "mage"), modifier=WEATHER) == (figure, 99, after)


@pytest.mark.parametrize(
    ("defense", "formation", "percent", "reduction", "after"),
    [
        (33, "balanced", 50, 16, 84),  # 16.5
        (33, "defensive", 50, 18, 82),  # 18.975
        (33, "aggressive", 50, 14, 86),  # 14.85
        (33, "flanking", 50, 15, 85),  # 15.675
        (33, "balanced", 100, 33, 67),
        (33, "balanced", 0, 0, 100),
        (1, "balanced", 50, 0, 100),  # 0.5
        (0, "defensive", 50, 0, 100),
        (199, "balanced", 50, 99, 1),
        (200, "balanced", 50, 100, 0),
        (900, "balanced", 50, 450, 0),
    ],
)
def test_defense_takes_off_its_share_and_never_goes_below_zero(
    defense: int, formation: str, percent: int, reduction: int, after: int
) -> None:
    stage = {"stage": "defense", "percent": percent}
    told = one_stage(stage, 100, formations=("aggressive", formation), defense=defense)
    assert told == (reduction, 100, after)


def test_defense_takes_half_by_default() -> None:
    assert one_stage({"stage": "defense"}, 100, defense=40) == (20, 100, 80)


@pytest.mark.parametrize(
    ("role", "reduction"),
    [
        ("warrior", 28),  # 33 * 115 * 150 * 50 / 1,000,000 = 28.46
        ("mage", 9),  # 33 * 115 * 50 * 50 / 1,000,000 = 9.48
    ],
)
def test_the_environment_changes_the_defense_of_the_defenders_class(role: str, reduction: int) -> None:
    told = one_stage(
        {"stage": "defense"},
        100,
        roles=("mage", role),
        formations=("balanced", "defensive"),
        defense=33,
        modifier=WEATHER,
    )
    assert told == (reduction, 100, 100 - reduction)


def test_the_reduction_is_truncated_once() -> None:
    """Step by step it would come to 12: 33 * 115% = 37, of that 70% = 25, of that half = 12."""
    modifier = {"id": "rust", "name": "Rust", "defense": 70}
    told = one_stage({"stage": "defense"}, 100, formations=("balanced", "defensive"), defense=33, modifier=modifier)
    assert told == (13, 100, 87)  # 13.28


def test_defense_may_leave_a_least_value_of_its_own() -> None:
    stage = {"stage": "defense", "percent": 100, "at_least": 4}
    assert one_stage(stage, 10, defense=7) == (7, 10, 4)
    assert one_stage(stage, 10, defense=6) == (6, 10, 4)
    assert one_stage(stage, 10, defense=5) == (5, 10, 5)


@pytest.mark.parametrize(
    ("stage", "power", "figure", "after"),
    [
        ({"stage": "minimum"}, 1, 1, 1),
        ({"stage": "minimum"}, 2, 1, 2),
        ({"stage": "minimum", "at_least": 5}, 4, 5, 5),
        ({"stage": "minimum", "at_least": 5}, 6, 5, 6),
        ({"stage": "minimum", "at_least": 0}, 1, 0, 1),
        ({"stage": "cap"}, 10**6, LARGEST, 10**6),
        ({"stage": "cap", "at_most": 40}, 41, 40, 40),
        ({"stage": "cap", "at_most": 40}, 39, 40, 39),
        ({"stage": "cap", "at_most": 0}, 39, 0, 0),
        ({"stage": "add", "amount": 3}, 7, 3, 10),
        ({"stage": "scale", "percent": 90}, 99, 90, 89),  # 89.1
        ({"stage": "scale", "percent": 199}, 1, 199, 1),
        ({"stage": "scale", "percent": 0}, 7, 0, 0),
    ],
)
def test_minimum_cap_add_and_scale(stage: dict[str, Any], power: int, figure: int, after: int) -> None:
    assert one_stage(stage, power) == (figure, power, after)


def test_minimum_lifts_a_hit_that_defense_swallowed_whole() -> None:
    stages: list[dict[str, Any]] = [{"stage": "defense", "percent": 100}, {"stage": "minimum"}]
    fight = battle(side(unit("a", attack=5)), side(unit("b", defense=50)), chain=stages)
    events = fight.turn("1.a")
    assert [told.after for told in of(events, Stage)] == [0, 1]
    assert of(events, Hit)[0].lost == 1


@pytest.mark.parametrize(
    ("stage", "tick", "figure", "after"),
    [
        ({}, 1, 100, 33),
        ({}, 20, 100, 33),
        ({}, 21, 110, 36),  # 36.3
        ({}, 23, 130, 42),  # 42.9
        ({}, 50, 400, 132),
        ({"after": 0, "per_round": 25}, 1, 125, 41),  # 41.25
        ({"after": 3, "per_round": 0}, 9, 100, 33),
        ({"after": 3, "per_round": 100}, 4, 200, 66),
    ],
)
def test_fatigue_grows_by_the_round(stage: dict[str, int], tick: int, figure: int, after: int) -> None:
    assert one_stage({"stage": "fatigue", **stage}, 33, tick=tick) == (figure, 33, after)


OWN_TABLE = {
    "aggressive": {"attack": 115, "defense": 100, "taken": 100},
    "defensive": {"attack": 100, "defense": 100, "taken": 85},
    "flanking": {"attack": 90, "defense": 100, "taken": 50},
}


@pytest.mark.parametrize(
    ("attacker", "defender", "figure", "after"),
    [
        ("aggressive", "balanced", 115, 77),  # 77.05
        ("aggressive", "defensive", 115, 77),
        ("balanced", "defensive", 85, 56),  # 56.95
        ("defensive", "defensive", 85, 56),
        ("balanced", "balanced", 100, 67),
        ("flanking", "defensive", 90, 60),  # 60.3: below 100 is not 100 either
        ("balanced", "flanking", 50, 33),  # 33.5
    ],
)
def test_formation_exclusive_looks_at_the_defender_only_where_the_attacker_has_100(
    attacker: str, defender: str, figure: int, after: int
) -> None:
    told = one_stage(
        {"stage": "formation_exclusive"}, 67, formations=(attacker, defender), options={"formations": OWN_TABLE}
    )
    assert told == (figure, 67, after)


def test_formation_does_not_look_at_what_the_defender_takes() -> None:
    told = one_stage(
        {"stage": "formation"}, 67, formations=("flanking", "defensive"), options={"formations": OWN_TABLE}
    )
    assert told == (90, 67, 60)


def test_every_damage_effect_of_an_ability_runs_through_the_chain() -> None:
    fight = battle(
        side(unit("a", class_ability="twin")),
        side(unit("b", hp=500)),
        abilities=[ability("twin", "one_enemy", damage(attack=50), damage(attack=30))],
        chain=[{"stage": "critical"}],
    )
    events = fight.turn("1.a", "d100=10", "d100=11")
    assert [(hit.damage, hit.hp) for hit in of(events, Hit)] == [(75, 425), (30, 395)]
