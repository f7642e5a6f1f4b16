"""README, Effects: attack up, attack down and taunt, how long they hold, and what a new one does."""

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
    shield,
    side,
    taunt,
    unit,
)

from fracas.rulesets.squads.rules.events import Effect, Expire, Power, Target


def casting(effect: dict[str, Any]) -> Fight:
    """Unit `1.a` casts an effect on itself, or on `2.b`, whichever the effect is for."""
    hostile = effect["type"] == "attack_down"
    return battle(
        side(unit("a", class_ability="spell")),
        side(unit("b", hp=1000)),
        abilities=[ability("spell", "one_enemy" if hostile else "self", effect)],
    )


EFFECTS = {"attack_up": attack_up, "attack_down": attack_down}
BEARER = {"attack_up": "1.a", "attack_down": "2.b", "taunt": "1.a", "shield": "1.a"}


@pytest.mark.parametrize("kind", ["attack_up", "attack_down"])
@pytest.mark.parametrize(
    ("there", "new", "replaced"),
    [(0, 30, True), (29, 30, True), (30, 30, True), (31, 30, False), (90, 1, False)],
    ids=["none there", "smaller", "as large", "larger", "far larger"],
)
def test_a_new_one_replaces_if_it_is_at_least_as_large(kind: str, there: int, new: int, replaced: bool) -> None:
    fight = casting(EFFECTS[kind](new, 2))
    bearer = fight[BEARER[kind]]
    bearer[kind], bearer[f"{kind}_until"] = there, 8 if there else 0
    (told,) = of(fight.turn("1.a"), Effect)
    assert (told.target, told.effect, told.amount, told.until) == (BEARER[kind], kind, new, 3)
    assert told.outcome == ("applied" if replaced else "weaker than what is there")
    assert fight.state(BEARER[kind], kind, f"{kind}_until") == ((new, 3) if replaced else (there, 8))


def test_a_unit_carries_one_raise_and_one_fall_side_by_side() -> None:
    fight = battle(
        side(unit("a", class_ability="roar")),
        side(unit("b", class_ability="hex")),
        abilities=[ability("roar", "self", attack_up(60, 2)), ability("hex", "one_enemy", attack_down(40, 2))],
    )
    fight.turn("1.a")
    fight.turn("2.b")
    assert fight.state("1.a", "attack_up", "attack_down") == (60, 40)
    fight["1.a"].cooldown = 9
    assert of(fight.turn("1.a"), Power)[0].power == 120


def test_a_fall_of_up_to_90_percent_may_be_written() -> None:
    assert casting(attack_down(90, 1)).document["abilities"]["spell"]["effects"][0]["percent"] == 90


@pytest.mark.parametrize(
    ("kind", "effect", "field"),
    [
        ("attack_up", lambda rounds: attack_up(30, rounds), "attack_up"),
        ("attack_down", lambda rounds: attack_down(30, rounds), "attack_down"),
        ("taunt", taunt, "taunt_until"),
        ("shield", lambda rounds: shield(rounds, attack=50), "shield"),
    ],
)
@pytest.mark.parametrize(("applied_in", "rounds"), [(1, 1), (1, 2), (3, 1), (7, 4)])
def test_an_effect_of_n_rounds_applied_in_round_r_holds_to_the_end_of_round_r_plus_n(
    kind: str, effect: Any, field: str, applied_in: int, rounds: int
) -> None:
    fight = casting(effect(rounds))
    fight.tick = applied_in
    fight.turn("1.a")
    for tick in range(applied_in, applied_in + rounds):
        fight.tick = tick
        assert not of(fight.end_round(), Expire)
        assert fight[BEARER[kind]][field] > 0
    fight.tick = applied_in + rounds
    ended = of(fight.end_round(), Expire)
    assert [(told.target, told.effect, told.by_time) for told in ended] == [(BEARER[kind], kind, True)]
    assert fight[BEARER[kind]][field] == 0


def test_effects_count_for_the_power_of_everything_until_they_end() -> None:
    fight = casting(attack_up(50, 1))
    fight.turn("1.a")
    fight["1.a"].cooldown = 9
    powers = []
    for _ in range(3):
        powers.append(of(fight.turn("1.a"), Power)[0].power)
        fight.end_round()
        fight.tick += 1
    assert powers == [150, 150, 100]


def test_the_target_of_an_area_effect_is_everybody_living() -> None:
    fight = battle(
        side(unit("a", class_ability="cry"), unit("b"), unit("c")),
        side(unit("d", class_ability="howl"), unit("e"), unit("f")),
        abilities=[ability("cry", "all_allies", attack_up(25, 2)), ability("howl", "all_enemies", attack_down(20, 2))],
    )
    fight.fell("1.b")
    fight.fell("2.e")
    assert [told.target for told in of(fight.turn("1.a"), Effect)] == ["1.a", "1.c"]
    assert [told.target for told in of(fight.turn("2.d"), Effect)] == ["1.a", "1.c"]


# Taunt. Side 1's unit a aims; side 2 has b, c, d, e, of which some taunt.


def taunted(*taunters: str, selector: str | None = None, priority: tuple[str, ...] = (), **classes: str) -> Fight:
    orders: dict[str, Any] = {} if selector is None else {"basic_attack": {"target": selector}}
    fight = battle(
        side(unit("a", attack=10), priority=priority, orders=orders),
        side(
            unit("b", classes.get("b", "mage"), hp=40, attack=90, speed=1),
            unit("c", classes.get("c", "healer"), hp=60, attack=70, speed=9),
            unit("d", classes.get("d", "tank"), hp=80, attack=80, speed=8),
            unit("e", classes.get("e", "tank"), hp=70, attack=60, speed=7),
        ),
    )
    for name in taunters:
        fight[f"2.{name}"].taunt_until = 5
    return fight


def aimed(fight: Fight, *rolls: str) -> tuple[str, str, int, int]:
    """Whom unit `1.a` aims at, what chose, which entry of the list, and among how many."""
    (told,) = of(fight.turn("1.a", *rolls), Target)
    return told.target, told.selector, told.entry, told.candidates


@pytest.mark.parametrize(
    ("selector", "free", "under_taunt"),
    [
        ("lowest_hp", "2.b", "2.e"),
        ("highest_hp", "2.d", "2.d"),
        ("highest_threat", "2.b", "2.d"),
        ("fastest", "2.c", "2.d"),
        (None, "2.b", "2.e"),
    ],
)
def test_selectors_choose_among_taunters_alone(selector: str | None, free: str, under_taunt: str) -> None:
    assert aimed(taunted(selector=selector))[0] == free
    target, _, _, candidates = aimed(taunted("d", "e", selector=selector))
    assert (target, candidates) == (under_taunt, 2)


def test_a_single_taunter_draws_everything() -> None:
    for selector in ("lowest_hp", "highest_hp", "highest_threat", "fastest", None):
        assert aimed(taunted("c", selector=selector))[0] == "2.c"


@pytest.mark.parametrize(
    ("taunters", "roll", "target"),
    [
        ((), "below(4)=0", "2.b"),
        ((), "below(4)=3", "2.e"),
        (("c", "e"), "below(2)=0", "2.c"),
        (("c", "e"), "below(2)=1", "2.e"),
        (("d",), "below(1)=0", "2.d"),
    ],
)
def test_random_rolls_among_the_taunters(taunters: tuple[str, ...], roll: str, target: str) -> None:
    fight = taunted(*taunters, selector="random")
    assert aimed(fight, roll) == (target, "random", -1, len(taunters) or 4)


@pytest.mark.parametrize(
    ("priority", "taunters", "expected"),
    [
        (("mages", "healers"), ("d", "e"), ("2.e", "lowest_hp", -1, 2)),
        (("mages", "tanks"), ("d", "e"), ("2.e", "tanks", 1, 2)),
        (("healers", "highest_hp"), ("b", "c"), ("2.c", "healers", 0, 2)),
        (("mages", "highest_hp"), ("d", "e"), ("2.d", "highest_hp", 1, 2)),
    ],
    ids=["no entry fits a taunter", "a later entry fits", "the first entry fits", "a selector of the list"],
)
def test_the_priority_list_is_walked_among_the_taunters(
    priority: tuple[str, ...], taunters: tuple[str, ...], expected: tuple[Any, ...]
) -> None:
    assert aimed(taunted(*taunters, priority=priority)) == expected


def test_a_fallen_taunter_draws_nothing() -> None:
    fight = taunted("d")
    fight.fell("2.d")
    assert aimed(fight) == ("2.b", "lowest_hp", -1, 3)


def test_one_enemy_abilities_obey_a_taunt_and_area_abilities_ignore_it() -> None:
    fight = battle(
        side(unit("a", class_ability="bolt"), unit("x", class_ability="storm")),
        side(unit("b", hp=400), unit("c", hp=500)),
        abilities=[ability("bolt", "one_enemy", damage(attack=10)), ability("storm", "all_enemies", damage(attack=10))],
    )
    fight["2.c"].taunt_until = 5
    fight.turn("1.a")
    assert (fight["2.b"].hp, fight["2.c"].hp) == (400, 490)
    fight.turn("1.x")
    assert (fight["2.b"].hp, fight["2.c"].hp) == (390, 480)


def test_a_taunt_means_nothing_to_ones_own_side() -> None:
    fight = battle(
        side(unit("a", class_ability="gift"), unit("b")),
        side(unit("c")),
        abilities=[ability("gift", "one_ally", shield(2, attack=10))],
    )
    fight["1.b"].taunt_until = 5
    assert aimed(fight)[0] == "1.a"


def test_a_taunt_is_over_with_its_last_round() -> None:
    fight = taunted("d")
    fight["2.d"].taunt_until = 2
    fight.tick = 2
    assert aimed(fight)[0] == "2.d"
    fight.end_round()
    fight.tick = 3
    assert aimed(fight)[0] == "2.b"


@pytest.mark.parametrize(("there", "rounds", "until"), [(0, 2, 3), (2, 2, 3), (3, 2, 3), (6, 2, 6)])
def test_a_second_taunt_ends_at_the_later_of_both_rounds(there: int, rounds: int, until: int) -> None:
    fight = casting(taunt(rounds))
    fight["1.a"].taunt_until = there
    (told,) = of(fight.turn("1.a"), Effect)
    assert (told.effect, told.amount, told.until, told.outcome) == ("taunt", 0, 3, "applied")
    assert fight["1.a"].taunt_until == until


def test_an_effect_is_told_between_choice_and_charge() -> None:
    assert names(casting(attack_down(30, 1)).turn("1.a")) == ["choice", "target", "effect", "charge"]
    assert names(casting(taunt(1)).turn("1.a")) == ["choice", "target", "effect", "charge"]
