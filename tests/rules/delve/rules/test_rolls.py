"""README, Attack rolls and Damage: every number that goes into them, at its edges."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import Fight, attack, battle, difficulty, foe, inflict, member, names, of, only

from fracas.rulesets.delve.rules import rolls
from fracas.rulesets.delve.rules.events import Amount, Attack, Damage, Fall, Hit, Odds


def duel(
    attacker: dict[str, Any] | None = None,
    defender: dict[str, Any] | None = None,
    *,
    scenario: dict[str, Any] | None = None,
    **skill: Any,
) -> Fight:
    """a with an attack against b."""
    party = [member("a", queue=["jab"], **(attacker or {}))]
    return battle(party, [foe("b", **(defender or {}))], skills=[attack("jab", **skill)], **(scenario or {}))


# The chance to hit.


def odds(fight: Fight, roll: int = 99) -> tuple[Odds, Attack]:
    """What is told of an attack that, by the roll, most likely misses."""
    events = fight.turn("1.a", f"d100={roll}")
    return only(events, Odds), only(events, Attack)


@pytest.mark.parametrize(
    ("attacker", "defender", "skill", "chance"),
    [
        ({}, {}, {}, 50),
        ({"might": 41}, {}, {}, 61),
        ({}, {"speed": 41}, {}, 39),
        ({"might": 60, "logic": 35}, {}, {"by": "logic"}, 55),
        ({}, {"speed": 60, "fortitude": 33}, {"against": "fortitude"}, 47),
        ({"presence": 40}, {"luck": 20}, {"by": "presence", "against": "luck"}, 70),
        ({}, {}, {"modifier": 17}, 67),
        ({}, {}, {"modifier": -17}, 33),
        ({}, {"evasion": 12}, {}, 38),
        ({"evasion": 40}, {}, {}, 50),
        # 5 and 95 are the ends
        ({}, {}, {"modifier": 44}, 94),
        ({}, {}, {"modifier": 45}, 95),
        ({}, {}, {"modifier": 46}, 95),
        ({}, {}, {"modifier": -44}, 6),
        ({}, {}, {"modifier": -45}, 5),
        ({}, {}, {"modifier": -46}, 5),
        # what lies beyond an end is not lost before it comes to the end
        ({"might": 130}, {"evasion": 70}, {}, 80),
        ({}, {"evasion": 100_000}, {"modifier": 100}, 5),
        ({"might": 255}, {"speed": 0}, {"modifier": 100}, 95),
    ],
)
def test_the_chance_to_hit(
    attacker: dict[str, Any], defender: dict[str, Any], skill: dict[str, Any], chance: int
) -> None:
    fight = duel(attacker, defender, **skill)
    told = odds(fight)
    assert told[1].chance == chance
    assert rolls.calculate_hit_chance(fight["1.a"], fight["2.b"], fight.record.skills[0]) == chance
    sum_of_parts = 50 + told[0].attribute - told[0].against + told[0].modifier - told[0].penalty
    assert chance == min(max(sum_of_parts, 5), 95)


@pytest.mark.parametrize(("evasion", "penalty", "chance"), [(0, 30, 20), (9, 39, 11), (15, 45, 5), (20, 50, 5)])
def test_blindness_costs_its_bearer_thirty(evasion: int, penalty: int, chance: int) -> None:
    fight = duel(defender={"evasion": evasion})
    fight.afflict("1.a", "blinded")
    told = odds(fight)
    assert (told[0].penalty, told[1].chance) == (penalty, chance)


def test_blindness_of_the_target_changes_nothing() -> None:
    fight = duel()
    fight.afflict("2.b", "blinded")
    assert odds(fight)[1].chance == 50


@pytest.mark.parametrize(
    ("chance", "roll", "verdict"),
    [
        (50, 50, "hit"),
        (50, 51, "miss"),
        (50, 6, "hit"),
        (50, 5, "critical"),
        (50, 1, "critical"),
        (50, 95, "miss"),
        (50, 96, "fumble"),
        (50, 100, "fumble"),
        (95, 95, "hit"),
        (95, 96, "fumble"),
        (94, 95, "miss"),
        (5, 5, "critical"),
        (5, 6, "miss"),
        (6, 6, "hit"),
    ],
)
def test_what_a_roll_comes_to(chance: int, roll: int, verdict: str) -> None:
    fight = duel({"luck": 0}, modifier=chance - 50)
    events = fight.turn("1.a", f"d100={roll}", *(["between(5, 5)=5"] if verdict in ("hit", "critical") else []))
    told = only(events, Attack)
    assert (told.roll, told.chance, told.verdict) == (roll, chance, verdict)
    assert bool(of(events, Hit)) == (verdict in ("hit", "critical"))


@pytest.mark.parametrize(
    ("luck", "critical_up_to", "fumble_from"),
    [
        (0, 5, 96),
        (19, 5, 96),
        (20, 6, 97),
        (39, 6, 97),
        (60, 8, 99),
        (79, 8, 99),
        (80, 9, 100),
        (100, 10, 100),
        (255, 17, 100),
        # beyond what a participant can have
        (299, 19, 100),
        (300, 20, 100),
        (10_000, 20, 100),
    ],
)
def test_luck_moves_criticals_and_fumbles(luck: int, critical_up_to: int, fumble_from: int) -> None:
    criticals = [roll for roll in range(1, 101) if rolls.is_critical(roll, luck)]
    fumbles = [roll for roll in range(1, 101) if rolls.is_critical_fail(roll, luck)]
    assert criticals == list(range(1, critical_up_to + 1))
    assert fumbles == list(range(fumble_from, 101))


@pytest.mark.parametrize(
    ("roll", "verdict"), [(17, "critical"), (18, "hit"), (50, "hit"), (51, "miss"), (99, "miss"), (100, "fumble")]
)
def test_the_luck_that_counts_is_the_users(roll: int, verdict: str) -> None:
    fight = duel({"luck": 255}, {"luck": 0})
    events = fight.turn("1.a", f"d100={roll}", *(["between(5, 5)=5"] if roll <= 50 else []))
    told = only(events, Attack)
    assert (told.critical_up_to, told.verdict) == (17, verdict)


def test_a_critical_hits_where_the_roll_alone_would_miss() -> None:
    fight = duel({"luck": 255}, modifier=-100)
    told = only(fight.turn("1.a", "d100=17", "between(5, 5)=5"), Attack)
    assert (told.chance, told.verdict) == (5, "critical")


def test_a_miss_draws_no_damage_and_leaves_everything_as_it_is() -> None:
    fight = duel(conditions=[inflict("poisoned", 3, 2)])
    events = fight.turn("1.a", "d100=51")
    assert names(events) == ["use", "target", "odds", "attack"]
    assert fight.hp("2.b") == (100,)
    assert fight.conditions("2.b") == {}


def test_a_harmful_skill_without_damage_draws_its_d100_alone() -> None:
    fight = duel(damage=None, conditions=[inflict("slowed", 3)])
    events = fight.turn("1.a", "d100=50")
    assert names(events) == ["use", "target", "odds", "attack", "condition"]
    assert fight.hp("2.b") == (100,)


@pytest.mark.parametrize("roll", [1, 5, 6, 50])
def test_a_critical_without_damage_is_worth_no_more_than_a_hit(roll: int) -> None:
    fight = duel(damage=None, conditions=[inflict("burning", 3, 4)])
    fight.turn("1.a", f"d100={roll}")
    assert fight.conditions("2.b") == {"burning": (3, 4)}


# Damage.


@pytest.mark.parametrize(
    ("roll", "attacker", "defender", "critical", "expected"),
    [
        # (scaled, changed, armor, damage)
        (10, {}, {}, False, (13, 13, 0, 13)),
        (10, {"might": 39}, {}, False, (13, 13, 0, 13)),
        (10, {"might": 40}, {}, False, (14, 14, 0, 14)),
        (10, {"might": 9}, {}, False, (10, 10, 0, 10)),
        (10, {"might": 255}, {}, False, (35, 35, 0, 35)),
        (10, {"logic": 255}, {}, False, (13, 13, 0, 13)),
        (10, {}, {"armor": 4}, False, (13, 13, 4, 9)),
        (10, {}, {"armor": 12}, False, (13, 13, 12, 1)),
        (10, {}, {"armor": 13}, False, (13, 13, 13, 1)),
        (10, {}, {"armor": 100}, False, (13, 13, 100, 1)),
        (10, {}, {"resistance": 9}, False, (13, 13, 0, 13)),
        (10, {"armor": 9}, {}, False, (13, 13, 0, 13)),
        # doubled after armor, and never below 1
        (10, {}, {}, True, (13, 13, 0, 26)),
        (10, {}, {"armor": 4}, True, (13, 13, 4, 18)),
        (10, {}, {"armor": 12}, True, (13, 13, 12, 2)),
        (10, {}, {"armor": 13}, True, (13, 13, 13, 1)),
        (10, {}, {"armor": 20}, True, (13, 13, 20, 1)),
        (0, {"might": 0}, {}, False, (0, 0, 0, 1)),
        (0, {"might": 0}, {}, True, (0, 0, 0, 1)),
    ],
)
def test_physical_damage(
    roll: int, attacker: dict[str, Any], defender: dict[str, Any], critical: bool, expected: tuple[int, ...]
) -> None:
    fight = duel({"luck": 0, **attacker}, {"speed": 0, **defender}, damage=(0, 20))
    events = fight.turn("1.a", f"d100={1 if critical else 6}", f"between(0, 20)={roll}")
    told = only(events, Damage)
    assert (told.scaled, told.changed, told.armor, told.damage) == expected
    assert fight.hp("2.b") == (100 - expected[3],)


@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [
        ({}, {}, (13, 0, 13)),
        ({"logic": 55}, {}, (15, 0, 15)),
        ({"might": 255}, {}, (13, 0, 13)),
        ({}, {"resistance": 6}, (13, 6, 7)),
        ({}, {"armor": 60}, (13, 0, 13)),
        ({"logic": 55}, {"resistance": 100, "armor": 1}, (15, 100, 1)),
    ],
)
def test_magic_grows_with_logic_and_meets_resistance(
    attacker: dict[str, Any], defender: dict[str, Any], expected: tuple[int, ...]
) -> None:
    fight = duel(attacker, defender, damage=(10, 10), magic=True)
    told = only(fight.turn("1.a", "d100=50", "between(10, 10)=10"), Damage)
    assert (told.changed, told.armor, told.damage) == expected


@pytest.mark.parametrize(
    ("conditions", "changed"),
    [
        ((), 13),
        (("weakened",), 9),  # 9.75
        (("empowered",), 16),  # 16.25
        (("weakened", "empowered"), 11),  # 9, then 11.25; the other way round it would be 12
        (("empowered", "weakened"), 11),
    ],
)
def test_weakened_and_empowered_are_truncated_one_after_the_other(conditions: tuple[str, ...], changed: int) -> None:
    fight = duel(damage=(10, 10))
    for condition in conditions:
        fight.afflict("1.a", condition)
    told = only(fight.turn("1.a", "d100=50", "between(10, 10)=10"), Damage)
    assert (told.scaled, told.changed, told.damage) == (13, changed, changed)


def test_weakened_and_empowered_change_the_damage_of_their_bearer_not_to_it() -> None:
    fight = duel(damage=(10, 10))
    for condition in ("weakened", "empowered"):
        fight.afflict("2.b", condition)
    assert only(fight.turn("1.a", "d100=50", "between(10, 10)=10"), Damage).damage == 13


def test_conditions_change_damage_before_armor() -> None:
    fight = duel(defender={"armor": 4}, damage=(10, 10))
    fight.afflict("1.a", "empowered")
    told = only(fight.turn("1.a", "d100=50", "between(10, 10)=10"), Damage)
    assert (told.changed, told.damage) == (16, 12)


@pytest.mark.parametrize(
    ("percent", "scaled", "damage"),
    [(100, 13, 13), (0, 0, 1), (1, 0, 1), (75, 9, 9), (150, 19, 19), (200, 26, 26), (1000, 130, 130)],
)
def test_difficulty_scales_the_damage_of_creatures(percent: int, scaled: int, damage: int) -> None:
    fight = battle(
        [member("b", hp=1000)],
        [foe("a", queue=["jab"])],
        skills=[attack("jab", damage=(10, 10))],
        difficulty=difficulty(creature_damage=percent),
    )
    told = only(fight.turn("2.a", "d100=50", "between(10, 10)=10"), Damage)
    assert (told.scaled, told.damage) == (scaled, damage)


def test_difficulty_is_truncated_before_conditions() -> None:
    fight = battle(
        [member("b")],
        [foe("a", queue=["jab"])],
        skills=[attack("jab", damage=(10, 10))],
        difficulty=difficulty(creature_damage=150),
    )
    fight.afflict("2.a", "weakened")
    # 19.5 is 19, of which 75% are 14.25; of 19.5 they would be 14.6, of 13 first and then 150% they would be 13.
    assert only(fight.turn("2.a", "d100=50", "between(10, 10)=10"), Damage).changed == 14


def test_difficulty_does_not_change_the_damage_of_members() -> None:
    scenario = {"difficulty": difficulty(creature_damage=300, creature_hp=50)}
    fight = duel(damage=(10, 10), scenario=scenario)
    assert only(fight.turn("1.a", "d100=50", "between(10, 10)=10"), Damage).damage == 13
    assert fight.state("2.b", "max_hp") == (50,)


@pytest.mark.parametrize(("percent", "hp"), [(1, 1), (33, 3), (100, 10), (125, 12), (1000, 100), (0, 1)])
def test_difficulty_scales_the_hp_of_creatures_and_leaves_at_least_one(percent: int, hp: int) -> None:
    fight = battle([member("a", hp=10)], [foe("b", hp=10)], difficulty=difficulty(creature_hp=percent))
    assert fight.hp("1.a", "2.b") == (10, hp)


@pytest.mark.parametrize(
    ("share", "armor", "damage"), [(0, 0, 13), (50, 3, 10), (99, 6, 7), (100, 7, 6), (150, 10, 3), (1000, 70, 1)]
)
@pytest.mark.parametrize("magic", [False, True], ids=["armor", "resistance"])
def test_the_option_armor_share(share: int, armor: int, damage: int, magic: bool) -> None:
    defense = {"resistance" if magic else "armor": 7}
    scenario = {"options": {"armor_share": share}}
    fight = duel(defender=defense, damage=(10, 10), magic=magic, scenario=scenario)
    told = only(fight.turn("1.a", "d100=50", "between(10, 10)=10"), Damage)
    assert (told.armor, told.damage) == (armor, damage)


@pytest.mark.parametrize(
    ("weapon", "damage", "marked", "low", "high"),
    [
        ((2, 6), (3, 4), True, 5, 10),
        ((2, 6), None, True, 2, 6),
        ((2, 6), (3, 4), False, 3, 4),
        ((0, 0), (3, 4), True, 3, 4),
        ((0, 0), None, True, 0, 0),
    ],
)
def test_a_weapon_adds_its_range_end_by_end(
    weapon: tuple[int, int], damage: tuple[int, int] | None, marked: bool, low: int, high: int
) -> None:
    fight = duel({"weapon": weapon}, damage=damage, weapon=marked)
    told = only(fight.turn("1.a", "d100=50", f"between({low}, {high})={high}"), Amount)
    assert (told.roll, told.low, told.high, told.from_attribute) == (high, low, high, 3)


def test_each_end_of_the_range_can_be_rolled_by_the_real_dice() -> None:
    fight = duel({"luck": 255, "might": 255}, {"hp": 10_000}, damage=(1, 4))
    fight.play()
    assert {told.roll for told in of(fight.events(), Amount)} == {1, 2, 3, 4}


# What a hit does.


@pytest.mark.parametrize(
    ("pool", "absorbed", "lost", "left"),
    [(0, 0, 13, None), (5, 5, 8, None), (12, 12, 1, None), (13, 13, 0, None), (14, 13, 0, 1), (500, 13, 0, 487)],
)
def test_a_shield_absorbs_before_hp_are_lost(pool: int, absorbed: int, lost: int, left: int | None) -> None:
    fight = duel(damage=(10, 10))
    if pool:
        fight.afflict("2.b", "shielded", 9, pool)
    events = fight.turn("1.a", "d100=50", "between(10, 10)=10")
    told = only(events, Hit)
    assert (told.damage, told.absorbed, told.lost, told.hp) == (13, absorbed, lost, 100 - lost)
    assert fight.conditions("2.b") == ({} if left is None else {"shielded": (9, left)})
    ended = ["expire"] if pool and left is None else []
    assert names(events)[-1 - len(ended) :] == ["hit", *ended]


def test_a_shield_that_is_used_up_is_told_to_have_ended_and_not_by_time() -> None:
    fight = duel(damage=(10, 10))
    fight.afflict("2.b", "shielded", 9, 5)
    (told,) = [event for event in fight.turn("1.a", "d100=50", "between(10, 10)=10") if event.NAME == "expire"]
    assert (told.target, told.condition, told.by_time) == ("2.b", "shielded", False)  # type: ignore[attr-defined]


def test_a_hit_that_breaks_the_shield_may_kill() -> None:
    fight = duel(defender={"hp": 8}, damage=(10, 10))
    fight.afflict("2.b", "shielded", 9, 5)
    events = fight.turn("1.a", "d100=50", "between(10, 10)=10")
    assert names(events)[-3:] == ["hit", "expire", "fall"]


@pytest.mark.parametrize(("hp", "lost", "left"), [(14, 13, 1), (13, 13, 0), (5, 5, 0)])
def test_no_more_hp_are_lost_than_there_are(hp: int, lost: int, left: int) -> None:
    fight = duel(defender={"hp": hp}, damage=(10, 10))
    events = fight.turn("1.a", "d100=50", "between(10, 10)=10")
    told = only(events, Hit)
    assert (told.damage, told.lost, told.hp) == (13, lost, left)
    assert [(fall.actor, fall.target) for fall in of(events, Fall)] == ([("1.a", "2.b")] if left == 0 else [])
    assert fight.living == (1, int(left > 0))


def test_the_dead_lose_their_conditions_and_get_no_others() -> None:
    fight = duel(defender={"hp": 5}, damage=(10, 10), conditions=[inflict("slowed", 3)])
    fight.afflict("2.b", "poisoned", 3, 3)
    events = fight.turn("1.a", "d100=50", "between(10, 10)=10")
    assert names(events)[-1] == "fall"
    assert fight.conditions("2.b") == {}


def test_what_the_partys_skills_cost_is_counted_for_statistics() -> None:
    fight = battle(
        [member("a", queue=["jab"]), member("b", hp=9)],
        [foe("c", hp=15, queue=["jab"])],
        skills=[attack("jab", damage=(10, 10), conditions=[inflict("poisoned", 3, 2)])],
    )
    fight.turn("1.a", "d100=50", "between(10, 10)=10")
    fight.turn("2.c", "d100=50", "between(10, 10)=10")
    fight.end_round()
    assert fight.hp("1.b", "2.c") == (0, 0)
    # 13 by the hit, then the 2 that were left to the poison; nothing of what the creature did.
    assert int(fight.record.skill_damage[list(fight.compiled.books["skill"]).index("jab")]) == 15
    assert fight.record.skill_damage.sum() == 15
