"""README, Healing and shields."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, ability, battle, damage, heal, names, of, shield, side, unit

from fracas.rulesets.squads.rules.events import Expire, Heal, Hit, Power, Shield

ALWAYS = {"mend": {"when": "always"}}


def healers(effect: dict[str, Any], *, attack: int = 33, role: str = "healer", **scenario: Any) -> Fight:
    """A unit whose class ability `mend` has that effect, beside a friend `b` with 200 HP."""
    formation = scenario.pop("formation", "balanced")
    return battle(
        side(
            unit("a", role, attack=attack, defense=27, hp=101, class_ability="mend"),
            unit("b", hp=200),
            orders=ALWAYS,
            formation=formation,
        ),
        side(unit("c", "ranger")),
        abilities=[ability("mend", "one_ally", effect)],
        **scenario,
    )


@pytest.mark.parametrize(
    ("effect", "hp", "healing", "restored"),
    [
        (heal(attack=100), 100, 33, 33),
        (heal(attack=150), 100, 49, 49),  # 49.5
        (heal(attack=150), 160, 49, 40),
        (heal(attack=150), 151, 49, 49),
        (heal(attack=150), 199, 49, 1),
        (heal(defense=50), 100, 13, 13),  # 13.5
        (heal(max_hp=50), 100, 50, 50),  # 50.5, of the healer's HP
        (heal(attack=50, defense=50, max_hp=50), 100, 79, 79),
        (heal(attack=1), 100, 1, 1),  # 0.33, and a heal is at least 1
    ],
    ids=[
        "attack",
        "truncated",
        "at most what is missing",
        "exactly what is missing",
        "one point missing",
        "own defense",
        "own maximum HP",
        "three shares",
        "at least one",
    ],
)
def test_a_heal_restores_its_power_up_to_what_is_missing(
    effect: dict[str, Any], hp: int, healing: int, restored: int
) -> None:
    fight = healers(effect)
    fight["1.b"].hp = hp
    events = fight.turn("1.a")
    (told,) = of(events, Heal)
    assert (told.actor, told.target, told.healing, told.restored) == ("1.a", "1.b", healing, restored)
    assert (told.hp, fight["1.b"].hp) == (hp + restored, hp + restored)


def test_a_heal_at_full_hp_restores_nothing_and_says_so() -> None:
    fight = healers(heal(attack=100))
    (told,) = of(fight.turn("1.a"), Heal)
    assert (told.target, told.healing, told.restored, told.hp) == ("1.a", 33, 0, 101)


@pytest.mark.parametrize(
    ("percentage", "healing"),
    [(100, 49), (60, 29), (150, 73), (2, 1), (1, 1), (0, 1)],  # 29.4, 73.5, 0.98, 0.49, 0
)
def test_a_heal_takes_the_environments_healing(percentage: int, healing: int) -> None:
    fight = healers(heal(attack=150), modifier={"id": "dry", "name": "Dry", "healing": percentage})
    fight["1.b"].hp = 1
    (told,) = of(fight.turn("1.a"), Heal)
    assert (told.percentage, told.healing, told.restored) == (percentage, healing, healing)


@pytest.mark.parametrize(("role", "percentage"), [("healer", 125), ("tank", 80), ("mage", 60)])
def test_the_environments_healing_is_that_of_the_healers_class(role: str, percentage: int) -> None:
    modifier = {
        "id": "dry",
        "name": "Dry",
        "healing": 60,
        "classes": {"healer": {"healing": 125}, "tank": {"healing": 80}},
    }
    fight = healers(heal(attack=100), role=role, attack=100, modifier=modifier)
    fight["1.b"].hp = 1
    (told,) = of(fight.turn("1.a"), Heal)
    assert (told.percentage, told.healing) == (percentage, percentage)


def test_a_heal_knows_no_formation_no_class_no_critical_hit_and_no_fatigue() -> None:
    chain = [{"stage": "formation"}, {"stage": "critical", "chance": 100}, {"stage": "fatigue", "after": 0}]
    fight = healers(heal(attack=100), formation="aggressive", chain=chain)
    fight["1.b"].hp = 1
    assert of(fight.turn("1.a"), Heal)[0].healing == 33


def test_a_heal_grows_and_shrinks_with_attack() -> None:
    fight = healers(heal(attack=100), attack=100)
    fight["1.b"].hp = 1
    fight["1.a"].attack_down = 40
    assert of(fight.turn("1.a"), Heal)[0].healing == 60


def test_an_area_heal_reaches_every_living_ally_in_index_order() -> None:
    fight = battle(
        side(unit("a", attack=30, class_ability="mend"), unit("b"), unit("d", hp=50), orders=ALWAYS),
        side(unit("c")),
        abilities=[ability("mend", "all_allies", heal(attack=100))],
    )
    for name, hp in (("1.a", 90), ("1.b", 50), ("1.d", 45)):
        fight[name].hp = hp
    events = fight.turn("1.a")
    assert [(told.target, told.restored) for told in of(events, Heal)] == [("1.a", 10), ("1.b", 30), ("1.d", 5)]


def test_a_healed_unit_gains_no_charge() -> None:
    fight = healers(heal(attack=100))
    fight["1.b"].hp = 1
    fight.turn("1.a")
    assert fight["1.b"].charge == 0


@pytest.mark.parametrize(
    ("effect", "pool"),
    [
        (shield(2, attack=100), 33),
        (shield(2, defense=100), 27),
        (shield(2, defense=60), 16),  # 16.2
        (shield(2, max_hp=30), 30),  # 30.3
        (shield(2, attack=50, defense=50, max_hp=50), 79),
    ],
)
def test_a_shields_pool_is_its_power(effect: dict[str, Any], pool: int) -> None:
    fight = healers(effect)
    (told,) = of(fight.turn("1.a"), Shield)
    assert (told.pool, told.shield, told.until, told.outcome) == (pool, pool, 3, "applied")


@pytest.mark.parametrize(("percentage", "pool"), [(60, 19), (125, 41), (0, 0)])  # 19.8, 41.25
def test_a_shield_takes_the_environments_healing_and_has_no_least_pool(percentage: int, pool: int) -> None:
    fight = healers(shield(2, attack=100), modifier={"id": "dry", "name": "Dry", "healing": percentage})
    fight.turn("1.a")
    assert fight["1.a"].shield == pool


def test_a_shield_counts_own_defense_without_formation_and_environment() -> None:
    modifier = {"id": "iron", "name": "Iron", "defense": 200}
    fight = healers(shield(2, defense=100), formation="defensive", modifier=modifier)
    fight.turn("1.a")
    assert fight["1.a"].shield == 27


@pytest.mark.parametrize(
    ("there", "until", "replaced"),
    [(0, 0, True), (32, 9, True), (33, 9, False), (34, 9, False), (1000, 9, False)],
    ids=["none there", "a smaller one", "one as large", "a larger one", "a far larger one"],
)
def test_a_shield_replaces_pool_and_end_only_if_it_is_larger_than_what_is_left(
    there: int, until: int, replaced: bool
) -> None:
    fight = healers(shield(2, attack=100))
    fight["1.a"].shield, fight["1.a"].shield_until = there, until
    (told,) = of(fight.turn("1.a"), Shield)
    kept = (33, 3) if replaced else (there, until)
    assert (told.pool, told.shield, told.until) == (33, *kept)
    assert told.outcome == ("applied" if replaced else "weaker than what is there")
    assert fight.state("1.a", "shield", "shield_until") == kept


def test_what_is_left_of_a_shield_is_what_counts_not_what_it_once_was() -> None:
    fight = battle(
        side(unit("a", attack=50, class_ability="ward")),
        side(unit("b", attack=20)),
        abilities=[ability("ward", "self", shield(2, attack=100))],
    )
    fight.turn("1.a")
    fight.turn("2.b")
    fight["1.a"].attack = 31
    (told,) = of(fight.turn("1.a"), Shield)
    assert (told.pool, told.shield, told.outcome) == (31, 31, "applied")


def test_a_larger_shield_may_bring_an_earlier_end() -> None:
    fight = healers(shield(1, attack=100))
    fight["1.a"].shield, fight["1.a"].shield_until = 10, 8
    fight.turn("1.a")
    assert fight.state("1.a", "shield", "shield_until") == (33, 2)


@pytest.mark.parametrize(("applied_in", "rounds", "pool"), [(1, 1, 33), (1, 2, 33), (4, 3, 33), (1, 1, 1)])
def test_a_shield_holds_to_the_end_of_its_last_round(applied_in: int, rounds: int, pool: int) -> None:
    fight = healers(shield(rounds, attack=100), attack=pool)
    fight.tick = applied_in
    fight.turn("1.a")
    for tick in range(applied_in, applied_in + rounds):
        fight.tick = tick
        assert not of(fight.end_round(), Expire)
        assert fight["1.a"].shield == pool
    fight.tick = applied_in + rounds
    (ended,) = of(fight.end_round(), Expire)
    assert (ended.target, ended.effect, ended.by_time) == ("1.a", "shield", True)
    assert fight["1.a"].shield == 0


def test_a_shield_absorbs_the_hits_of_several_attackers() -> None:
    fight = battle(
        side(unit("a", attack=50, class_ability="ward")),
        side(unit("b", attack=20), unit("c", attack=25), unit("d", attack=30)),
        abilities=[ability("ward", "self", shield(2, attack=100))],
    )
    fight.turn("1.a")
    hits = [of(fight.turn(name), Hit)[0] for name in ("2.b", "2.c", "2.d")]
    assert [(hit.absorbed, hit.lost) for hit in hits] == [(20, 0), (25, 0), (5, 25)]


def test_a_shield_that_was_used_up_does_not_expire_again() -> None:
    fight = battle(
        side(unit("a", attack=10, class_ability="ward")),
        side(unit("b", attack=20)),
        abilities=[ability("ward", "self", shield(1, attack=100))],
    )
    fight.turn("1.a")
    fight.turn("2.b")
    fight.tick = 2
    assert not of(fight.end_round(), Expire)


def test_the_rows_of_heals_and_shields_stand_in_their_order() -> None:
    mend = ability("mend", "one_ally", heal(attack=50), shield(2, attack=50))
    fight = battle(side(unit("a", class_ability="mend"), orders=ALWAYS), side(unit("c")), abilities=[mend])
    events = fight.turn("1.a")
    assert names(events) == ["choice", "target", "power", "heal", "power", "shield", "charge"]
    assert [power.power for power in of(events, Power)] == [50, 50]


def test_a_shield_goes_down_before_hp_in_every_hit_of_an_ability() -> None:
    fight = battle(
        side(unit("a", class_ability="twin")),
        side(unit("b")),
        abilities=[ability("twin", "one_enemy", damage(attack=20), damage(attack=20))],
    )
    fight["2.b"].shield, fight["2.b"].shield_until = 30, 5
    hits = of(fight.turn("1.a"), Hit)
    assert [(hit.absorbed, hit.lost, hit.hp) for hit in hits] == [(20, 0, 100), (10, 10, 90)]


def test_a_shield_of_nothing_is_lost_and_told_as_nothing() -> None:
    fight = healers(shield(2, attack=1))
    (told,) = of(fight.turn("1.a"), Shield)
    assert (told.pool, told.shield, told.until, told.outcome) == (0, 0, 0, "weaker than what is there")


def test_a_shield_that_has_ended_leaves_no_end_behind() -> None:
    fight = healers(shield(1, attack=1))
    fight["1.a"].shield, fight["1.a"].shield_until = 30, 1
    fight.end_round()
    assert fight.state("1.a", "shield", "shield_until") == (0, 0)
    fight["1.a"].shield, fight["1.a"].shield_until = 30, 5
    fight["2.c"].attack = 30
    fight.turn("2.c")
    assert fight.state("1.a", "shield", "shield_until") == (0, 0)
