"""README, A turn: which ability a unit uses, and the verdict on those that it passes over."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import (
    Fight,
    ability,
    attack_up,
    battle,
    damage,
    heal,
    names,
    of,
    shield,
    side,
    stun,
    taunt,
    unit,
)

from fracas.rulesets.squads.rules.events import Choice, Heal, Target

BOLT = ability("bolt", "one_enemy", damage(attack=1), cooldown=3)
NOVA = ability("nova", "all_enemies", damage(attack=1), cooldown=5)
MEND = ability("mend", "one_ally", heal(attack=10), cooldown=3)
CHORUS = ability("chorus", "all_allies", heal(attack=10), cooldown=5)


def duel(
    *,
    class_ability: str = "bolt",
    ultimate: str = "nova",
    orders: dict[str, Any] | None = None,
    role: str = "warrior",
    abilities: tuple[dict[str, Any], ...] = (),
    **options: Any,
) -> Fight:
    """Unit a with a class ability and an ultimate, its friend f, and b who can take much."""
    return battle(
        side(
            unit("a", role, attack=100, class_ability=class_ability, ultimate=ultimate),
            unit("f"),
            orders=orders,
        ),
        side(unit("b", hp=10**6)),
        abilities=[BOLT, NOVA, MEND, CHORUS, *abilities],
        options=options,
    )


def chosen(fight: Fight, name: str = "1.a") -> tuple[str, str, str]:
    """What a unit uses, and the verdicts on its ultimate and its class ability."""
    (told,) = of(fight.turn(name), Choice)
    return told.choice, told.ultimate, told.class_ability


def choices(fight: Fight, rounds: int) -> list[str]:
    """What unit a uses in each of the first rounds, one letter each: Ultimate, Class ability, Basic attack."""
    told = []
    for tick in range(1, rounds + 1):
        fight.tick = tick
        told.append(chosen(fight)[0][0])
    return told


READY, WANTED = "unconfigured, so it is used", "its condition holds"
REFUSED, WAITING, UNCHARGED = "its condition does not hold", "cooling down", "not charged"


def test_a_charged_ultimate_comes_first() -> None:
    fight = duel()
    fight["1.a"].charge = 100
    assert chosen(fight) == ("ultimate", READY, "not considered")


def test_then_the_class_ability() -> None:
    assert chosen(duel()) == ("class ability", UNCHARGED, READY)


def test_then_the_basic_attack() -> None:
    fight = duel()
    fight["1.a"].cooldown = 3
    assert chosen(fight) == ("basic", UNCHARGED, WAITING)


def test_a_refused_ultimate_gives_way_to_the_class_ability_and_keeps_its_charge() -> None:
    fight = duel(orders={"nova": {"when": "enemy_count_gte_2"}})
    fight["1.a"].charge = 100
    assert chosen(fight) == ("class ability", REFUSED, READY)
    assert fight["1.a"].charge == 100


def test_a_refused_class_ability_gives_way_to_the_basic_attack_and_stays_ready() -> None:
    fight = duel(orders={"bolt": {"when": "enemy_count_gte_2"}})
    assert chosen(fight) == ("basic", UNCHARGED, REFUSED)
    assert fight["1.a"].cooldown == 0


@pytest.mark.parametrize(
    ("cooldown", "expected"),
    [(0, "CCCCCCC"), (1, "CCCCCCC"), (2, "CBCBCBC"), (3, "CBBCBBC"), (4, "CBBBCBB"), (100, "CBBBBBB")],
)
def test_a_cooldown_of_three_means_rounds_1_4_and_7(cooldown: int, expected: str) -> None:
    spell = ability("spell", "one_enemy", damage(attack=1), cooldown=cooldown)
    fight = duel(class_ability="spell", abilities=(spell,), charge_action=0)
    assert "".join(letter.upper() for letter in choices(fight, 7)) == expected


def test_a_cooldown_falls_whether_or_not_the_ability_is_wanted() -> None:
    fight = duel(orders={"bolt": {"when": "round != 4"}}, charge_action=0)
    assert choices(fight, 8) == ["c", "b", "b", "b", "c", "b", "b", "c"]


@pytest.mark.parametrize(("charge", "is_ready"), [(0, False), (80, False), (99, False), (100, True)])
def test_an_ultimate_needs_a_full_charge(charge: int, is_ready: bool) -> None:
    fight = duel()
    fight["1.a"].charge = charge
    assert (chosen(fight)[0] == "ultimate") is is_ready


def test_five_actions_charge_an_ultimate_and_it_starts_from_zero_again() -> None:
    assert choices(duel(), 12) == ["c", "b", "b", "c", "b", "u", "c", "b", "b", "c", "b", "u"]


def test_an_ultimate_waits_for_charge_again_not_for_its_cooldown() -> None:
    fight = duel()
    for _ in range(2):
        fight["1.a"].charge = 100
        assert chosen(fight)[0] == "ultimate"


def test_by_cooldown_an_ultimate_is_ready_at_once_and_then_every_fifth_round() -> None:
    fight = duel(ultimate_rule="cooldown")
    assert choices(fight, 12) == ["u", "c", "b", "b", "c", "u", "b", "c", "b", "b", "u", "c"]


def test_by_cooldown_the_verdict_says_that_the_ultimate_is_cooling_down() -> None:
    fight = duel(ultimate_rule="cooldown")
    assert chosen(fight) == ("ultimate", READY, "not considered")
    assert chosen(fight) == ("class ability", WAITING, READY)


@pytest.mark.parametrize("when", [None, "", "   "])
def test_an_entry_without_a_condition_leaves_an_ability_unconfigured(when: str | None) -> None:
    order = {"target": "highest_hp"} | ({} if when is None else {"when": when})
    assert chosen(duel(orders={"bolt": order})) == ("class ability", UNCHARGED, READY)
    heals = {"mend": {"when": when, "target": "self"}}
    assert chosen(duel(class_ability="mend", orders=heals)) == ("basic", UNCHARGED, "nobody is hurt enough")


@pytest.mark.parametrize(
    "effect",
    [shield(2, attack=10), attack_up(10, 2), taunt(2)],
    ids=["shield", "attack up", "taunt"],
)
def test_unconfigured_shields_and_buffs_are_used(effect: dict[str, Any]) -> None:
    fight = duel(class_ability="gift", abilities=(ability("gift", "self", effect),))
    assert chosen(fight) == ("class ability", UNCHARGED, READY)


def test_unconfigured_attacks_without_damage_are_used() -> None:
    fight = duel(class_ability="bash", abilities=(ability("bash", "one_enemy", stun()),))
    assert chosen(fight) == ("class ability", UNCHARGED, READY)


@pytest.mark.parametrize(
    ("hp", "max_hp", "threshold", "is_hurt"),
    [
        (69, 100, 70, True),
        (70, 100, 70, False),
        (71, 100, 70, False),
        (139, 199, 70, True),  # 69.849%
        (140, 200, 70, False),  # 70% to the point
        (699_999, 10**6, 70, True),
        (49, 100, 50, True),
        (50, 100, 50, False),
        (99, 100, 100, True),
        (100, 100, 100, False),
        (1, 10**6, 0, False),
        (1, 10**6, 1, True),
    ],
)
def test_an_unconfigured_heal_needs_an_ally_strictly_below_the_threshold(
    hp: int, max_hp: int, threshold: int, is_hurt: bool
) -> None:
    fight = battle(
        side(unit("a", "healer", class_ability="mend"), unit("f", hp=max_hp)),
        side(unit("b", hp=10**6)),
        abilities=[MEND],
        options={"healer_threshold": threshold},
    )
    fight["1.f"].hp = hp
    verdict = "someone is hurt" if is_hurt else "nobody is hurt enough"
    assert chosen(fight) == ("class ability" if is_hurt else "basic", UNCHARGED, verdict)


def test_the_healers_own_wound_counts_and_a_fallen_friend_does_not() -> None:
    fight = duel(class_ability="mend")
    fight.fell("1.f")
    assert chosen(fight)[2] == "nobody is hurt enough"
    fight["1.a"].hp = 69
    assert chosen(fight)[2] == "someone is hurt"


@pytest.mark.parametrize("role", ["healer", "tank", "mage"])
def test_the_built_in_threshold_belongs_to_the_ability_not_to_the_class(role: str) -> None:
    fight = duel(class_ability="mend", role=role)
    assert chosen(fight)[2] == "nobody is hurt enough"
    fight["1.f"].hp = 10
    assert chosen(fight)[2] == "someone is hurt"


def test_an_unconfigured_healing_ultimate_waits_for_a_wound_too() -> None:
    fight = duel(ultimate="chorus")
    fight["1.a"].charge = 100
    assert chosen(fight) == ("class ability", "nobody is hurt enough", READY)
    fight["1.f"].hp = 69
    assert chosen(fight) == ("ultimate", "someone is hurt", "not considered")


def test_a_heal_among_other_effects_makes_an_ability_a_healing_one() -> None:
    mixed = ability("mixed", "self", shield(2, attack=5), heal(attack=5))
    assert chosen(duel(class_ability="mixed", abilities=(mixed,)))[2] == "nobody is hurt enough"


@pytest.mark.parametrize(
    ("when", "hp", "expected"),
    [
        ("always", 100, ("class ability", WANTED)),
        ("always", 10, ("class ability", WANTED)),
        ("not always", 10, ("basic", REFUSED)),
        ("ally_hp_below_30", 69, ("basic", REFUSED)),
        ("ally_hp_below_30", 29, ("class ability", WANTED)),
        ("ally_hp_below_90", 89, ("class ability", WANTED)),
        ({"all": []}, 100, ("class ability", WANTED)),
        ({"any": []}, 10, ("basic", REFUSED)),
    ],
)
def test_a_condition_overrides_the_built_in_threshold_whatever_it_says(
    when: Any, hp: int, expected: tuple[str, str]
) -> None:
    fight = duel(class_ability="mend", orders={"mend": {"when": when}}, role="healer")
    fight["1.f"].hp = hp
    choice, _, verdict = chosen(fight)
    assert (choice, verdict) == expected


def test_always_heals_at_full_hp_and_the_turn_is_spent() -> None:
    fight = duel(class_ability="mend", orders={"mend": {"when": "always"}})
    events = fight.turn("1.a")
    assert [(told.restored, told.hp) for told in of(events, Heal)] == [(0, 100)]
    assert fight["1.a"].cooldown == 3


@pytest.mark.parametrize(
    ("role", "class_ability", "hp", "expected"),
    [
        ("healer", "mend", 69, ("class ability", "refused, but someone is hurt")),
        ("healer", "mend", 70, ("basic", REFUSED)),
        ("tank", "mend", 69, ("basic", REFUSED)),
        ("healer", "bolt", 69, ("basic", REFUSED)),
    ],
    ids=["a healer's heal", "nobody is hurt enough", "not a healer", "not a heal"],
)
def test_with_fallback_always_a_healer_heals_after_a_refused_condition(
    role: str, class_ability: str, hp: int, expected: tuple[str, str]
) -> None:
    fight = duel(
        class_ability=class_ability,
        role=role,
        orders={class_ability: {"when": "not always"}},
        healer_fallback="always",
    )
    fight["1.f"].hp = hp
    choice, _, verdict = chosen(fight)
    assert (choice, verdict) == expected


def test_by_default_a_refused_healer_does_not_heal() -> None:
    fight = duel(class_ability="mend", role="healer", orders={"mend": {"when": "not always"}})
    fight["1.f"].hp = 1
    assert chosen(fight) == ("basic", UNCHARGED, REFUSED)


def test_the_fallback_aims_by_the_abilitys_default() -> None:
    fight = duel(
        class_ability="mend",
        role="healer",
        orders={"mend": {"when": "self_hp_below_50", "target": "self"}},
        healer_fallback="always",
    )
    fight["1.f"].hp = 10
    (told,) = of(fight.turn("1.a"), Target)
    assert (told.target, told.selector) == ("1.f", "lowest_hp_ally")


def test_a_condition_that_holds_aims_as_configured_with_that_option_too() -> None:
    fight = duel(
        class_ability="mend",
        role="healer",
        orders={"mend": {"when": "ally_hp_below_50", "target": "self"}},
        healer_fallback="always",
    )
    fight["1.f"].hp = 10
    (told,) = of(fight.turn("1.a"), Target)
    assert (told.target, told.selector) == ("1.a", "self")


def test_the_fallback_does_not_reach_a_cooling_ability_nor_an_ultimate() -> None:
    fight = duel(
        class_ability="mend",
        ultimate="chorus",
        role="healer",
        orders={"mend": {"when": "not always"}, "chorus": {"when": "not always"}},
        healer_fallback="always",
    )
    fight["1.f"].hp = 10
    fight["1.a"].charge, fight["1.a"].cooldown = 100, 2
    assert chosen(fight) == ("basic", REFUSED, WAITING)


def test_the_fallback_does_not_make_an_unconfigured_heal_fire_early() -> None:
    fight = duel(class_ability="mend", role="healer", healer_fallback="always")
    assert chosen(fight)[2] == "nobody is hurt enough"


def test_a_condition_is_read_after_the_cooldown_has_fallen() -> None:
    fight = duel(ultimate="nova", orders={"nova": {"when": "self.cooldown == 2"}})
    fight["1.a"].charge, fight["1.a"].cooldown = 100, 3
    assert chosen(fight)[0] == "ultimate"


def test_a_unit_whose_two_abilities_are_the_same_keeps_two_clocks() -> None:
    fight = duel(class_ability="bolt", ultimate="bolt", ultimate_rule="cooldown")
    assert choices(fight, 4) == ["u", "c", "b", "u"]


def test_the_choice_is_told_first() -> None:
    assert names(duel().turn("1.a"))[0] == "choice"
