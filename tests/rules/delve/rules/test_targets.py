"""README, Reach and targets, Healing: whom a skill reaches, who is chosen where one must be, and what heals do."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import Fight, aid, attack, battle, foe, inflict, member, names, of, only

from fracas.rulesets.delve.rules.events import Amount, Attack, Condition, Fall, Heal, Hit, Target

MISS = "d100=96"
JAB = attack("jab", damage=(10, 10))
STORM = attack("storm", "all_enemies", damage=(10, 10), conditions=[inflict("slowed", 3)])
MEND = aid("mend", "one_ally", heal=(4, 6))
RALLY = aid("rally", "one_ally", heal=(4, 6), conditions=[inflict("hasted", 2)])
CHORUS = aid("chorus", "all_allies", heal=(4, 6))
ANTHEM = aid("anthem", "all_allies", heal=(4, 6), conditions=[inflict("empowered", 2)])
WARD = aid("ward", "one_ally", conditions=[inflict("shielded", 2, 5)])
REST = aid("rest", heal=(4, 6))
SKILLS = [JAB, STORM, MEND, RALLY, CHORUS, ANTHEM, WARD, REST]


def aiming(*enemies: dict[str, Any], target: str | None = None) -> Fight:
    """a with an attack that is aimed as said, against these enemies."""
    queue = [{"skill": "jab", **({"target": target} if target else {})}]
    return battle([member("a", queue=queue)], enemies, skills=SKILLS)


def helping(skill: str, *hps: int, target: str | None = None) -> Fight:
    """a with a helpful skill; a, f and g have 100 HP of which so many are left, h beside them has 40 in all."""
    queue = [{"skill": skill, **({"target": target} if target else {})}]
    party = [member("a", queue=queue), member("f"), member("g"), member("h", hp=40)]
    fight = battle(party, [foe("x")], skills=SKILLS)
    for name, hp in zip(("1.a", "1.f", "1.g", "1.h"), hps, strict=False):
        fight[name].hp = hp
    return fight


def aimed(fight: Fight, *rolls: str) -> tuple[str, str, int, int]:
    """The row `target` of a's action: target, selector, candidates, roll."""
    told = only(fight.turn("1.a", *rolls), Target)
    return told.target, told.selector, told.candidates, told.roll


def four(*values: int, field: str) -> list[dict[str, Any]]:
    """Four enemies b, c, d, e that differ in one number."""
    return [foe(name, **{field: value}) for name, value in zip("bcde", values, strict=True)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("selector", "field", "values", "target"),
    [
        ("lowest_hp", "hp", (40, 30, 20, 50), "2.d"),
        ("lowest_hp", "hp", (40, 30, 30, 50), "2.c"),
        ("lowest_hp", "hp", (30, 30, 30, 30), "2.b"),
        ("highest_hp", "hp", (40, 30, 20, 50), "2.e"),
        ("highest_hp", "hp", (40, 50, 20, 50), "2.c"),
        ("highest_hp", "hp", (50, 50, 50, 50), "2.b"),
        ("highest_threat", "level", (4, 9, 2, 5), "2.c"),
        ("highest_threat", "level", (4, 9, 9, 9), "2.c"),
        ("highest_threat", "level", (3, 3, 3, 3), "2.b"),
    ],
)
def test_selectors_and_their_ties(selector: str, field: str, values: tuple[int, ...], target: str) -> None:
    assert aimed(aiming(*four(*values, field=field), target=selector), MISS) == (target, selector, 4, -1)


def test_without_a_selector_the_lowest_hp_counts() -> None:
    assert aimed(aiming(foe("b", hp=31), foe("c", hp=30)), MISS) == ("2.c", "lowest_hp", 2, -1)


@pytest.mark.parametrize(
    ("shares", "target"),
    [
        (((50, 100), (49, 100), (90, 100)), "2.c"),
        (((50, 100), (1, 2), (25, 50)), "2.b"),
        (((2, 3), (1, 2), (333_333, 666_667)), "2.d"),  # less than a half by a hair
        (((1, 3), (333_333, 1_000_000), (4, 12)), "2.c"),
        (((100, 100), (300, 300), (7, 7)), "2.b"),
    ],
)
def test_shares_of_hp_are_compared_exactly(shares: tuple[tuple[int, int], ...], target: str) -> None:
    fight = aiming(*(foe(name, hp=most) for name, (_, most) in zip("bcd", shares, strict=True)), target="lowest_hp_pct")
    for name, (hp, _) in zip(("2.b", "2.c", "2.d"), shares, strict=True):
        fight[name].hp = hp
    assert aimed(fight, MISS) == (target, "lowest_hp_pct", 3, -1)


@pytest.mark.parametrize(("roll", "target"), [(0, "2.b"), (1, "2.c"), (2, "2.e")])
def test_a_random_target_is_counted_in_slot_order_among_the_living(roll: int, target: str) -> None:
    fight = aiming(*four(40, 30, 20, 50, field="hp"), target="random")
    fight.fell("2.d")
    assert aimed(fight, f"below(3)={roll}", MISS) == (target, "random", 3, roll)


def test_a_random_choice_among_one_takes_its_roll() -> None:
    assert aimed(aiming(foe("b"), target="random"), "below(1)=0", MISS) == ("2.b", "random", 1, 0)


@pytest.mark.parametrize("selector", ["lowest_hp", "highest_hp", "highest_threat", "lowest_hp_pct"])
def test_the_fallen_are_no_targets(selector: str) -> None:
    fight = aiming(foe("b", hp=50, level=9), foe("c", hp=50, level=2), target=selector)
    fight.fell("2.b")
    assert aimed(fight, MISS)[::2] == ("2.c", 1)


def test_hp_does_not_count_shields() -> None:
    fight = aiming(foe("b", hp=50), foe("c", hp=60))
    fight.afflict("2.b", "shielded", 9, 500)
    assert aimed(fight, MISS)[0] == "2.b"


def test_creatures_choose_among_members() -> None:
    fight = battle(
        [member("a", hp=90), member("b", hp=80)],
        [foe("x", queue=[{"skill": "jab", "target": "highest_hp"}])],
        skills=SKILLS,
    )
    assert only(fight.turn("2.x", MISS), Target).target == "1.a"


# All enemies.


def test_a_skill_for_all_rolls_for_each_living_enemy_in_slot_order() -> None:
    fight = battle([member("a", queue=["storm"])], [foe(name) for name in "bcde"], skills=SKILLS)
    fight.fell("2.c")
    events = fight.turn("1.a", "d100=20", "between(10, 10)=10", "d100=97", "d100=5", "between(10, 10)=10")
    assert [(told.target, told.verdict) for told in of(events, Attack)] == [
        ("2.b", "hit"),
        ("2.d", "fumble"),
        ("2.e", "critical"),
    ]
    assert [(told.target, told.lost) for told in of(events, Hit)] == [("2.b", 13), ("2.e", 26)]
    assert [told.target for told in of(events, Condition)] == ["2.b", "2.e"]
    assert "target" not in names(events)


def test_damage_and_conditions_come_target_by_target() -> None:
    fight = battle([member("a", queue=["storm"])], [foe("b"), foe("c")], skills=SKILLS)
    events = fight.turn("1.a", *["d100=20", "between(10, 10)=10"] * 2)
    one = ["odds", "attack", "amount", "damage", "hit", "condition"]
    assert names(events) == ["use", *one, *one]


def test_a_skill_for_all_may_kill_some_and_goes_on() -> None:
    fight = battle([member("a", queue=["storm"])], [foe("b", hp=5), foe("c"), foe("d", hp=13)], skills=SKILLS)
    events = fight.turn("1.a", *["d100=20", "between(10, 10)=10"] * 3)
    assert [told.target for told in of(events, Fall)] == ["2.b", "2.d"]
    assert fight.living == (1, 1)


# Allies.


@pytest.mark.parametrize(
    ("skill", "hps", "target", "candidates"),
    [
        # a pure heal is for those who are hurt
        ("mend", (100, 60, 50, 39), "1.h", 3),
        ("mend", (100, 60, 50, 40), "1.g", 2),
        ("mend", (99, 100, 100, 40), "1.a", 1),
        ("mend", (50, 50, 50, 40), "1.a", 3),
        # any other skill is for everybody
        ("rally", (100, 60, 50, 40), "1.h", 4),
        ("ward", (100, 100, 100, 40), "1.h", 4),
        ("ward", (30, 100, 100, 40), "1.a", 4),
    ],
)
def test_allies_are_chosen_by_the_lowest_hp(skill: str, hps: tuple[int, ...], target: str, candidates: int) -> None:
    rolls = [] if skill == "ward" else ["between(4, 6)=5"]
    assert aimed(helping(skill, *hps), *rolls) == (target, "lowest_hp", candidates, -1)


@pytest.mark.parametrize(
    ("selector", "target"), [("lowest_hp", "1.h"), ("highest_hp", "1.f"), ("lowest_hp_pct", "1.g"), ("random", "1.g")]
)
def test_selectors_choose_among_allies_too(selector: str, target: str) -> None:
    fight = helping("mend", 100, 60, 50, 39, target=selector)
    rolls = ["below(3)=1"] if selector == "random" else []
    assert aimed(fight, *rolls, "between(4, 6)=5") == (target, selector, 3, 1 if rolls else -1)


@pytest.mark.parametrize(("skill", "reached"), [("chorus", ["1.a", "1.g"]), ("anthem", ["1.a", "1.f", "1.g", "1.h"])])
def test_healing_for_all_reaches_the_hurt_or_everybody(skill: str, reached: list[str]) -> None:
    fight = helping(skill, 90, 100, 99, 40)
    events = fight.turn("1.a", *["between(4, 6)=5"] * len(reached))
    assert [told.target for told in of(events, Heal)] == reached
    assert [told.target for told in of(events, Condition)] == (reached if skill == "anthem" else [])
    assert fight.hp("1.a", "1.g") == (98, 100)


def test_helpful_skills_leave_the_fallen_alone() -> None:
    fight = helping("anthem", 90, 90, 90, 40)
    fight.fell("1.f")
    events = fight.turn("1.a", *["between(4, 6)=5"] * 3)
    assert [told.target for told in of(events, Heal)] == ["1.a", "1.g", "1.h"]
    assert fight.hp("1.f") == (0,)


def test_a_skill_for_oneself_has_no_row_for_its_target() -> None:
    fight = helping("rest", 50, 10)
    events = fight.turn("1.a", "between(4, 6)=6")
    assert names(events) == ["use", "amount", "heal"]
    assert only(events, Heal).target == "1.a"


# Healing.


@pytest.mark.parametrize(
    ("presence", "hp", "roll", "expected"),
    [
        # (from presence, healing, restored, HP)
        (30, 50, 4, (3, 7, 7, 57)),
        (39, 50, 6, (3, 9, 9, 59)),
        (40, 50, 6, (4, 10, 10, 60)),
        (0, 50, 4, (0, 4, 4, 54)),
        (255, 50, 4, (25, 29, 29, 79)),
        (30, 93, 4, (3, 7, 7, 100)),
        (30, 94, 4, (3, 7, 6, 100)),
        (30, 99, 6, (3, 9, 1, 100)),
    ],
)
def test_healing(presence: int, hp: int, roll: int, expected: tuple[int, ...]) -> None:
    fight = battle([member("a", presence=presence, queue=["rest"])], [foe("x")], skills=SKILLS)
    fight["1.a"].hp = hp
    events = fight.turn("1.a", f"between(4, 6)={roll}")
    amount, told = only(events, Amount), only(events, Heal)
    assert (amount.roll, amount.low, amount.high) == (roll, 4, 6)
    assert (amount.from_attribute, told.healing, told.restored, told.hp) == expected
    assert told.effective == told.healing


def test_presence_is_the_healers_not_the_targets() -> None:
    fight = battle([member("a", presence=50, queue=["mend"]), member("b", presence=0)], [foe("x")], skills=SKILLS)
    fight["1.b"].hp = 10
    assert only(fight.turn("1.a", "between(4, 6)=4"), Heal).restored == 9


def test_healing_rolls_no_d100_and_is_not_changed_by_conditions_or_difficulty() -> None:
    plain = {"id": "d", "name": "D", "creature_damage": 300}
    fight = battle([member("a")], [foe("x", queue=["rest"])], skills=SKILLS, difficulty=plain)
    for condition in ("blinded", "weakened", "empowered"):
        fight.afflict("2.x", condition)
    fight["2.x"].hp = 50
    assert only(fight.turn("2.x", "between(4, 6)=4"), Heal).restored == 7


def test_a_heal_with_conditions_heals_first() -> None:
    fight = helping("rally", 50, 60, 70, 40)
    assert names(fight.turn("1.a", "between(4, 6)=4"))[-3:] == ["amount", "heal", "condition"]
