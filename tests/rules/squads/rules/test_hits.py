"""README, A hit and Charge: what damage does to shield, HP and charge, and who falls."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, ability, battle, damage, heal, names, of, shield, side, unit, wound

from fracas.rulesets.squads.rules.events import Charge, Expire, Fall, Hit


def struck(attack: int, *, hp: int = 100, pool: int = 0, charge: int = 0, **options: Any) -> tuple[Fight, list[Any]]:
    """A basic attack of that damage on a unit with so much HP, shield and charge."""
    fight = battle(side(unit("a", attack=attack)), side(unit("b", hp=100), unit("c")), options=options)
    target = fight["2.b"]
    target.hp, target.shield, target.shield_until, target.charge = hp, pool, 9, charge
    return fight, fight.turn("1.a")


@pytest.mark.parametrize(
    ("value", "hp", "pool", "absorbed", "lost", "hp_left", "pool_left"),
    [
        (30, 100, 0, 0, 30, 70, 0),
        (30, 100, 50, 30, 0, 100, 20),
        (30, 100, 30, 30, 0, 100, 0),
        (30, 100, 29, 29, 1, 99, 0),
        (30, 100, 1, 1, 29, 71, 0),
        (30, 20, 10, 10, 20, 0, 0),
        (30, 10, 10, 10, 10, 0, 0),
        (99, 100, 0, 0, 99, 1, 0),
        (100, 100, 0, 0, 100, 0, 0),
        (10**6, 100, 40, 40, 100, 0, 0),
    ],
    ids=[
        "no shield",
        "a shield swallows all and some is left",
        "a shield swallows all and is used up",
        "a shield swallows all but one",
        "a shield swallows one",
        "shield, then the last HP",
        "the rest is more than the HP",
        "one HP is left",
        "exactly all HP",
        "far too much",
    ],
)
def test_shield_absorbs_first_then_hp(
    value: int, hp: int, pool: int, absorbed: int, lost: int, hp_left: int, pool_left: int
) -> None:
    fight, events = struck(value, hp=hp, pool=pool)
    (hit,) = of(events, Hit)
    assert (hit.damage, hit.absorbed, hit.lost, hit.hp) == (value, absorbed, lost, hp_left)
    assert fight.state("2.b", "hp", "shield") == (hp_left, pool_left)


@pytest.mark.parametrize(
    ("value", "pool", "ends"), [(30, 31, False), (30, 30, True), (30, 12, True), (30, 1, True), (30, 0, False)]
)
def test_a_shield_that_is_used_up_has_ended(value: int, pool: int, ends: bool) -> None:
    _, events = struck(value, pool=pool)
    ended = [(told.target, told.effect, told.by_time) for told in of(events, Expire)]
    assert ended == ([("2.b", "shield", False)] if ends else [])


@pytest.mark.parametrize(
    ("value", "hp", "pool", "gained"),
    [
        (30, 100, 0, 10),
        (1, 100, 0, 10),
        (30, 100, 29, 10),
        (30, 100, 30, 0),
        (30, 100, 50, 0),
        (100, 100, 0, 0),
    ],
    ids=[
        "HP is lost",
        "one point is lost",
        "a shield leaves one point",
        "a shield takes the last point",
        "a shield takes all",
        "the target falls",
    ],
)
def test_a_living_unit_that_loses_hp_to_a_hit_gains_charge_at_once(value: int, hp: int, pool: int, gained: int) -> None:
    fight, events = struck(value, hp=hp, pool=pool)
    told = [(charge.actor, charge.gained) for charge in of(events, Charge) if charge.actor == "2.b"]
    assert told == ([("2.b", gained)] if gained else [])
    assert fight["2.b"].charge == gained


def test_a_hit_of_zero_charges_nobody() -> None:
    fight = battle(side(unit("a", attack=5)), side(unit("b", defense=50)), chain=[{"stage": "defense"}])
    events = fight.turn("1.a")
    assert [(hit.damage, hit.lost) for hit in of(events, Hit)] == [(0, 0)]
    assert fight["2.b"].charge == 0


@pytest.mark.parametrize(("before", "gained", "after"), [(0, 10, 10), (89, 10, 99), (90, 10, 100), (95, 5, 100)])
def test_charge_grows_to_at_most_100(before: int, gained: int, after: int) -> None:
    fight, events = struck(30, charge=before)
    assert [(c.gained, c.charge) for c in of(events, Charge) if c.actor == "2.b"] == [(gained, after)]
    assert fight["2.b"].charge == after


def test_a_full_charge_does_not_grow_and_is_not_told() -> None:
    _, events = struck(30, charge=100)
    assert not [charge for charge in of(events, Charge) if charge.actor == "2.b"]


@pytest.mark.parametrize("amount", [0, 1, 100])
def test_the_charge_for_a_hit_is_an_option(amount: int) -> None:
    fight, _ = struck(30, charge_hit=amount)
    assert fight["2.b"].charge == amount


@pytest.mark.parametrize("amount", [0, 1, 100])
def test_the_charge_for_an_action_is_an_option(amount: int) -> None:
    fight, _ = struck(30, charge_action=amount)
    assert fight["1.a"].charge == amount


ABILITIES = [ability("jab", "one_enemy", damage(attack=10)), ability("nova", "all_enemies", damage(attack=10))]


def test_the_actor_gains_20_after_a_basic_attack_and_nothing_for_its_hits() -> None:
    fight, events = struck(30)
    assert [(charge.actor, charge.gained) for charge in of(events, Charge)] == [("2.b", 10), ("1.a", 20)]
    assert fight["1.a"].charge == 20


def test_the_actor_gains_20_after_a_class_ability() -> None:
    fight = battle(side(unit("a", class_ability="jab")), side(unit("b")), abilities=ABILITIES)
    fight.turn("1.a")
    assert fight["1.a"].charge == 20


def test_an_ultimate_takes_all_charge_and_gives_none() -> None:
    fight = battle(side(unit("a", ultimate="nova")), side(unit("b"), unit("c")), abilities=ABILITIES)
    fight["1.a"].charge = 100
    events = fight.turn("1.a")
    assert fight["1.a"].charge == 0
    assert [(charge.actor, charge.gained) for charge in of(events, Charge)] == [("2.b", 10), ("2.c", 10)]


def test_every_hit_of_an_ability_charges_its_target() -> None:
    twice = ability("twice", "one_enemy", damage(attack=10), damage(attack=10))
    fight = battle(side(unit("a", class_ability="twice")), side(unit("b")), abilities=[twice])
    fight.turn("1.a")
    assert fight["2.b"].charge == 20


def test_the_actor_gains_charge_even_if_nobody_is_left_to_fight() -> None:
    fight = battle(side(unit("a", attack=100)), side(unit("b", hp=100)))
    events = fight.turn("1.a")
    assert names(events)[-2:] == ["fall", "charge"]
    assert fight["1.a"].charge == 20


def test_nobody_gains_charge_where_ultimates_go_by_cooldown() -> None:
    idle = {"idle": {"when": "not always"}}
    fight = battle(
        side(unit("a", attack=30), orders=idle), side(unit("b"), orders=idle), options={"ultimate_rule": "cooldown"}
    )
    assert not of(fight.turn("1.a"), Charge)
    assert (fight["1.a"].charge, fight["2.b"].charge) == (0, 0)


def test_a_unit_at_zero_hp_falls_and_is_gone() -> None:
    fight, events = struck(100)
    assert [(fall.actor, fall.target) for fall in of(events, Fall)] == [("1.a", "2.b")]
    assert fight.record.sides[1].living == 1
    assert [hit.target for hit in of(fight.turn("1.a"), Hit)] == ["2.c"]


def test_the_rows_of_a_hit_stand_in_their_order() -> None:
    _, events = struck(30, pool=10, charge=95)
    assert names(events) == ["choice", "target", "power", "hit", "expire", "charge", "charge"]
    _, events = struck(130, pool=10)
    assert names(events) == ["choice", "target", "power", "hit", "expire", "fall", "charge"]


def test_effects_apply_in_their_order_for_as_long_as_the_target_lives() -> None:
    combo = ability("combo", "one_enemy", damage(attack=60), wound(2, attack=5), damage(attack=60), wound(2, attack=9))
    fight = battle(side(unit("a", class_ability="combo")), side(unit("b", hp=100), unit("c")), abilities=[combo])
    events = fight.turn("1.a")
    kinds = ["choice", "target", "power", "hit", "charge", "power", "effect", "power", "hit", "fall", "charge"]
    assert names(events) == kinds
    assert fight["2.b"].wound == 5


def test_what_falls_in_an_area_attack_does_not_keep_the_others_from_being_hit() -> None:
    combo = ability("combo", "all_enemies", damage(attack=60), damage(attack=60))
    fight = battle(
        side(unit("a", class_ability="combo")),
        side(unit("b", hp=60), unit("c", hp=100), unit("d", hp=130)),
        abilities=[combo],
    )
    events = fight.turn("1.a")
    assert [(hit.target, hit.lost) for hit in of(events, Hit)] == [
        ("2.b", 60),
        ("2.c", 60),
        ("2.c", 40),
        ("2.d", 60),
        ("2.d", 60),
    ]


def test_no_heal_and_no_shield_reaches_the_fallen() -> None:
    mend = ability("mend", "all_allies", heal(attack=10), shield(2, attack=10))
    fight = battle(
        side(unit("a", class_ability="mend"), unit("b"), orders={"mend": {"when": "always"}}),
        side(unit("c")),
        abilities=[mend],
    )
    fight.fell("1.b")
    events = fight.turn("1.a")
    assert names(events) == ["choice", "power", "heal", "power", "shield", "charge"]
    assert fight.state("1.b", "hp", "shield") == (0, 0)
