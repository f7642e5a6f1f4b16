"""README, The round, Attack, Damage, Charge: who acts first, what an attack does, and how rounds end."""

from __future__ import annotations

import pytest
from tests.helpers.titans_fights import ability, duel, names, of, titan

from fracas.rulesets.titans.rules.events import Act, Attack, Charge, Choice, Damage, Outcome, Skipped, Speed
from fracas.rulesets.titans.rules.rounding import half_up
from fracas.rulesets.titans.rules.titan_stats import changed

ALMOST_ONE = 1 - 2**-53
SHIELD = ability("cover", {"type": "shield", "amount": 30})
STRIKE = ability("strike", {"type": "damage", "amount": 12})
DRAIN_CHARGE = ability("sap", {"type": "charge", "amount": -60, "on": "opponent"})


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (0.0, 0),
        (0.4999, 0),
        (0.5, 1),
        (1.5, 2),
        (2.5, 3),
        (18.5, 19),
        (17.499999999999996, 17),
        (-0.5, 0),
        (-0.6, -1),
        (1e6 + 0.5, 1_000_001),
    ],
)
def test_halves_are_rounded_up(value: float, whole: int) -> None:
    assert half_up(value) == whole


@pytest.mark.parametrize(
    ("stat", "total", "now"),
    [(8, 0, 8.0), (8, -25, 6.0), (7, -25, 5.25), (9, -90, 0.9), (9, -140, 0.9), (9, 33, 11.97), (10, 300, 40.0)],
)
def test_a_changed_stat_is_one_division(stat: int, total: int, now: float) -> None:
    assert changed(stat, total) == now


@pytest.mark.parametrize(
    ("speeds", "rolls", "first"),
    [
        ((10, 10), ("0.6", "0.5"), "Ada"),
        ((10, 10), ("0.5", "0.6"), "Bo"),
        ((10, 10), ("0.5", "0.5"), "Ada"),
        ((5, 10), ("0.5", "0.25"), "Ada"),
        ((5, 10), ("0.5", "0.26"), "Bo"),
        ((0, 0), ("0.1", "0.9"), "Ada"),
        ((0, 1), ("0.9", "0.0"), "Ada"),
        ((0, 1), ("0.9", "0.1"), "Bo"),
    ],
)
def test_the_higher_speed_roll_acts_first(speeds: tuple[int, int], rolls: tuple[str, str], first: str) -> None:
    fight = duel(titan(speed=speeds[0]), titan(speed=speeds[1]))
    opened = ("open(1,0)", "open(1,1)") if first == "Ada" else ("open(1,1)", "open(1,0)")
    events = fight.round("rest", "rest", "open(1,table)", f"unit={rolls[0]}", f"unit={rolls[1]}", *opened)
    assert [(told.actor, told.place) for told in of(events, Act)] == [
        (first, 1),
        ({"Ada": "Bo", "Bo": "Ada"}[first], 2),
    ]
    assert [told.roll for told in of(events, Speed)] == [
        speed * float(roll) for speed, roll in zip(speeds, rolls, strict=True)
    ]


def test_an_attack_is_its_value_less_the_defense() -> None:
    fight = duel(titan(attack=8), titan(defense=6, hp=20))
    events = fight.quick("attack", "rest", "open(1,0)", "unit=0.5", "open(1,1)")
    (told,) = of(events, Attack)
    assert (told.value, told.defense) == (12.0, 6.0)
    (damage,) = of(events, Damage)
    assert (damage.before, damage.hp, damage.absorbed) == (20, 14, 0.0)


@pytest.mark.parametrize(
    ("attack", "defense", "roll", "hp"),
    [
        (1, 0, "0.5", 19),  # 20 - 1.5 = 18.5, and halves go up
        (2, 0, "0.25", 18),  # 17.5
        (2, 0, "0.2499", 18),
        (2, 0, "0.2501", 17),
        (5, 10, f"{ALMOST_ONE}", 20),  # a value just below 10
        (5, 11, "0.9", 20),
        (0, 0, "0.9", 20),
        (40, 0, "0.0", 0),
        (20, 0, "0.0", 0),
        (19, 0, "0.02", 1),  # 20 - 19.38
        (10, 0, "0.95", 1),  # 0.5: one is left
        (10, 0, "0.96", 0),
    ],
)
def test_hp_are_rounded_half_up_and_never_below_0(attack: int, defense: int, roll: str, hp: int) -> None:
    fight = duel(titan(attack=attack), titan(defense=defense, hp=20))
    rest = () if hp == 0 else ("open(1,1)",)
    fight.quick("attack", "rest", "open(1,0)", f"unit={roll}", *rest)
    assert fight.bo.hp == hp


@pytest.mark.parametrize(
    ("roll", "defense"), [("0.0", 9.0), ("0.5", 10.5), (f"{ALMOST_ONE}", 6 * (1.5 + 0.5 * ALMOST_ONE))]
)
def test_defending_multiplies_defense_by_one_and_a_half_to_two(roll: str, defense: float) -> None:
    fight = duel(titan(attack=20), titan(defense=6))
    events = fight.quick("attack", "defend", "open(1,0)", "unit=0.0", f"unit={roll}", "open(1,1)")
    (told,) = of(events, Attack)
    assert told.defense == defense


@pytest.mark.parametrize("defender_acts_first", [True, False])
def test_defending_counts_whoever_acts_first(defender_acts_first: bool) -> None:
    fight = duel(titan(attack=20), titan(defense=6))
    turn = fight.slow if defender_acts_first else fight.quick
    attack = ("open(1,0)", "unit=0.0", "unit=0.0")
    turn("attack", "defend", *(("open(1,1)", *attack) if defender_acts_first else (*attack, "open(1,1)")))
    assert (fight.bo.hp, fight.bo.charge) == (19, 20)


def test_a_defender_gains_charge_from_an_attack_that_does_nothing() -> None:
    fight = duel(titan(attack=0), titan())
    events = fight.quick("attack", "defend", "open(1,0)", "unit=0.0", "unit=0.0", "open(1,1)")
    (told,) = of(events, Charge)
    assert (told.target, told.before, told.charge, told.source) == ("Bo", 0, 20, "an attack while defending")


def test_a_defender_gains_nothing_from_an_ability() -> None:
    fight = duel(titan(STRIKE), titan(defense=100))
    fight.quick("strike", "defend", "open(1,0)", "open(1,1)")
    assert (fight.bo.hp, fight.bo.charge) == (18, 0)


def test_a_defender_that_falls_gains_nothing() -> None:
    fight = duel(titan(attack=99), titan())
    events = fight.quick("attack", "defend", "open(1,0)", "unit=0.0", "unit=0.0")
    assert fight.bo.charge == 0
    assert names(events)[-3:] == ["damage", "fall", "skipped"]


def test_resting_gains_60_charge_up_to_100() -> None:
    fight = duel(titan(), titan())
    for charge in (60, 100, 100):
        tick = fight.record.tick + 1
        fight.quick("rest", "defend", f"open({tick},0)", f"open({tick},1)")
        assert (fight.ada.charge, fight.bo.charge) == (charge, 0)


def test_after_a_fall_the_second_action_is_skipped_and_nothing_more_happens() -> None:
    fight = duel(titan(attack=15), titan(attack=99))
    events = fight.quick("attack", "attack", "open(1,0)", "unit=0.999999")
    assert fight.bo.hp == 0
    assert [(told.actor, told.obstacle) for told in of(events, Skipped)] == [("Bo", "the duel is over")]
    assert "round_end" not in names(events)
    assert fight.ada.hp == 30
    (outcome,) = of(fight.finish(), Outcome)
    assert (outcome.winner, outcome.reason, outcome.hp_1, outcome.hp_2) == (1, "knock_out", 30, 0)


def test_both_choose_before_anybody_acts() -> None:
    fight = duel(titan(), titan())
    events = fight.quick("rest", "defend", "open(1,0)", "open(1,1)")
    assert names(events) == ["round", "choice", "choice", "speed", "speed", "act", "charge", "act", "round_end"]
    assert [(told.actor, told.action, told.why) for told in of(events, Choice)] == [
        ("Ada", "rest", "submitted"),
        ("Bo", "defend", "submitted"),
    ]


def test_a_shield_helps_who_is_quick_enough() -> None:
    fight = duel(titan(SHIELD), titan(attack=10))
    events = fight.quick("cover", "attack", "open(1,0)", "open(1,1)", "unit=0.5")
    assert fight.ada.hp == 30
    assert [told.absorbed for told in of(events, Damage)] == [15.0]
    assert fight.ada.shield == 0.0
    fight.slow("cover", "attack", "open(2,1)", "unit=0.5", "open(2,0)")
    assert fight.ada.hp == 15


def test_what_can_no_longer_be_paid_for_comes_to_nothing() -> None:
    costly = ability("costly", {"type": "damage", "amount": 5}, cost=30)
    fight = duel(titan(costly), titan(DRAIN_CHARGE))
    fight.ada.charge = 50
    events = fight.slow("costly", "sap", "open(1,1)")
    assert [(told.actor, told.ability, told.obstacle) for told in of(events, Skipped)] == [
        ("Ada", "costly", "not enough charge")
    ]
    assert (fight.ada.charge, fight.bo.hp) == (0, 30)


@pytest.mark.parametrize(
    ("hp", "full", "winner", "reason"),
    [
        ((10, 10), (30, 30), 0, "cap_equal"),
        ((10, 20), (30, 60), 0, "cap_equal"),
        ((10, 19), (30, 60), 1, "cap_hp"),
        ((9, 20), (30, 60), 2, "cap_hp"),
    ],
)
def test_at_the_cap_the_higher_share_wins(hp: tuple[int, int], full: tuple[int, int], winner: int, reason: str) -> None:
    fight = duel(titan(hp=full[0]), titan(hp=full[1]), round_cap=2)
    fight.ada.hp, fight.bo.hp = hp
    fight.quick("rest", "rest", "open(1,0)", "open(1,1)")
    assert fight.record.reason == 0
    fight.quick("rest", "rest", "open(2,0)", "open(2,1)")
    (outcome,) = of(fight.finish(), Outcome)
    assert (outcome.winner, outcome.reason) == (winner, reason)


def test_in_sudden_death_defense_is_nothing_and_every_roll_stays() -> None:
    fight = duel(titan(attack=5), titan(defense=9), sudden_death=2)
    fight.quick("attack", "defend", "open(1,0)", "unit=0.0", "unit=0.0", "open(1,1)")
    assert fight.bo.hp == 30
    fight.quick("attack", "defend", "open(2,0)", "unit=0.0", "unit=0.0", "open(2,1)")
    assert (fight.bo.hp, fight.bo.charge) == (25, 40)


@pytest.mark.parametrize(
    ("first", "second", "winner", "reason"),
    [
        (("missed",) * 3, ("rest",) * 3, 2, "forfeit"),
        (("rest",) * 3, ("missed",) * 3, 1, "forfeit"),
        (("missed",) * 3, ("missed",) * 3, 0, "both_forfeit"),
    ],
)
def test_three_deadlines_missed_in_a_row_forfeit(
    first: tuple[str, ...], second: tuple[str, ...], winner: int, reason: str
) -> None:
    fight = duel(titan(), titan())
    for tick in (1, 2):
        fight.quick(first[tick], second[tick], f"open({tick},0)", f"open({tick},1)")
        assert fight.record.reason == 0
    assert names(fight.round(first[2], second[2])) == ["round", "choice", "choice"]
    (outcome,) = of(fight.finish(), Outcome)
    assert (outcome.winner, outcome.reason) == (winner, reason)


def test_a_choice_sets_the_missed_deadlines_to_0() -> None:
    fight = duel(titan(), titan())
    for tick, choice in enumerate(("missed", "missed", "rest", "missed", "missed"), start=1):
        fight.quick(choice, "rest", f"open({tick},0)", f"open({tick},1)")
    assert (fight.record.reason, fight.ada.missed) == (0, 2)
    assert of(fight.events(), Choice)[0].action == "defend"
