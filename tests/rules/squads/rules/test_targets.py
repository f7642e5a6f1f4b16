"""README, Reach and targets: whom an ability reaches, and who is chosen where one must be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, ability, battle, damage, heal, names, of, shield, side, unit

from fracas.rulesets.squads.rules.events import Heal, Hit, Shield, Target

SELECTORS = ("priority", "lowest_hp", "highest_hp", "highest_threat", "fastest", "random")
ALLY_SELECTORS = ("lowest_hp_ally", "self", "tank_ally", "strongest_ally", "priority_ally")
BOLT = ability("bolt", "one_enemy", damage(attack=10))
STORM = ability("storm", "all_enemies", damage(attack=10))
MEND = ability("mend", "one_ally", heal(attack=10))
CHORUS = ability("chorus", "all_allies", heal(attack=10))
WARD = ability("ward", "self", shield(2, attack=10))


def aiming(
    *enemies: dict[str, Any], selector: str | None = None, priority: tuple[str, ...] = (), **scenario: Any
) -> Fight:
    """Unit a with a basic attack that is aimed as said, against these enemies."""
    orders: dict[str, Any] = {} if selector is None else {"basic_attack": {"target": selector}}
    return battle(side(unit("a", attack=1), priority=priority, orders=orders), side(*enemies), **scenario)


def aimed(fight: Fight, *rolls: str) -> tuple[str, str, int, int, int]:
    """The row `target` of unit a's action: target, selector, entry, candidates, roll."""
    (told,) = of(fight.turn("1.a", *rolls), Target)
    return told.target, told.selector, told.entry, told.candidates, told.roll


def four(*values: int, field: str) -> list[dict[str, Any]]:
    """Four enemies b, c, d, e that differ in one number."""
    return [{**unit(name), field: value} for name, value in zip("bcde", values, strict=True)]


@pytest.mark.parametrize(
    ("selector", "field", "values", "target"),
    [
        ("lowest_hp", "hp", (40, 30, 20, 50), "2.d"),
        ("lowest_hp", "hp", (40, 30, 30, 50), "2.c"),
        ("lowest_hp", "hp", (30, 30, 30, 30), "2.b"),
        ("highest_hp", "hp", (40, 30, 20, 50), "2.e"),
        ("highest_hp", "hp", (40, 50, 20, 50), "2.c"),
        ("highest_threat", "attack", (4, 9, 2, 5), "2.c"),
        ("highest_threat", "attack", (4, 9, 9, 9), "2.c"),
        ("fastest", "speed", (4, 3, 9, 5), "2.d"),
        ("fastest", "speed", (4, 3, 9, 9), "2.d"),
    ],
)
def test_selectors_and_their_ties(selector: str, field: str, values: tuple[int, ...], target: str) -> None:
    fight = aiming(*four(*values, field=field), selector=selector)
    assert aimed(fight) == (target, selector, -1, 4, -1)


@pytest.mark.parametrize(("selector", "target"), [("lowest_hp", "2.c"), ("highest_hp", "2.b")])
def test_hp_is_current_not_the_share_and_not_the_maximum(selector: str, target: str) -> None:
    fight = aiming(unit("b", hp=900), unit("c", hp=60), selector=selector)
    fight["2.b"].hp = 61
    assert aimed(fight)[0] == target


def test_hp_does_not_count_shields() -> None:
    fight = aiming(unit("b", hp=50), unit("c", hp=60), selector="lowest_hp")
    fight["2.b"].shield, fight["2.b"].shield_until = 500, 9
    assert aimed(fight)[0] == "2.b"


@pytest.mark.parametrize(
    ("up", "down", "target"),
    [
        (0, 0, "2.c"),
        (49, 0, "2.c"),  # 59 against 60
        (50, 0, "2.b"),  # 60 against 60
        (0, 31, "2.c"),  # 40 against 41
        (0, 32, "2.b"),  # 40 against 40.8, which is 40
    ],
)
def test_threat_is_attack_as_raised_and_lowered(up: int, down: int, target: str) -> None:
    fight = aiming(unit("b", attack=40), unit("c", attack=60), selector="highest_threat")
    fight["2.b"].attack_up, fight["2.c"].attack_down = up, down
    assert aimed(fight)[0] == target


def test_speed_is_that_under_the_environment() -> None:
    mud = {"id": "mud", "name": "Mud", "classes": {"ranger": {"speed": 40}}}
    enemies = [unit("b", "ranger", speed=20), unit("c", speed=9)]
    assert aimed(aiming(*enemies, selector="fastest"))[0] == "2.b"
    assert aimed(aiming(*enemies, selector="fastest", modifier=mud))[0] == "2.c"


@pytest.mark.parametrize(
    ("fallen", "roll", "target"),
    [
        ((), "below(4)=0", "2.b"),
        ((), "below(4)=2", "2.d"),
        (("c",), "below(3)=1", "2.d"),
        (("b", "d"), "below(2)=0", "2.c"),
        (("b", "d"), "below(2)=1", "2.e"),
        (("b", "c", "d"), "below(1)=0", "2.e"),
    ],
)
def test_random_counts_living_candidates_from_0_and_always_rolls(
    fallen: tuple[str, ...], roll: str, target: str
) -> None:
    fight = aiming(*four(9, 9, 9, 9, field="hp"), selector="random")
    for name in fallen:
        fight.fell(f"2.{name}")
    assert aimed(fight, roll) == (target, "random", -1, 4 - len(fallen), int(roll[-1]))


def test_random_rolls_before_anything_else_of_the_action() -> None:
    fight = aiming(unit("b"), unit("c"), selector="random", chain=[{"stage": "critical"}])
    assert aimed(fight, "below(2)=1", "d100=50")[0] == "2.c"


@pytest.mark.parametrize("name", ["storm", "chorus", "ward"])
def test_random_rolls_nothing_for_area_and_self(name: str) -> None:
    fight = caster(name, "random")
    events = fight.turn("1.a")
    assert names(events)[0] == "choice"


def roster() -> list[dict[str, Any]]:
    return [
        unit("b", "warrior", hp=50, attack=20, speed=3),
        unit("c", "ranger", hp=40, attack=50, speed=9),
        unit("d", "mage", hp=60, attack=60, speed=5),
        unit("e", "healer", hp=70, attack=10, speed=4),
        unit("f", "tank", hp=90, attack=30, speed=1),
        unit("g", "mage", hp=45, attack=55, speed=6),
        unit("h", "healer", hp=70, attack=12, speed=2),
    ]


@pytest.mark.parametrize(
    ("priority", "target", "selector", "entry"),
    [
        ((), "2.c", "lowest_hp", -1),
        (("lowest_hp",), "2.c", "lowest_hp", 0),
        (("highest_hp",), "2.f", "highest_hp", 0),
        (("highest_threat",), "2.d", "highest_threat", 0),
        (("fastest",), "2.c", "fastest", 0),
        (("warriors",), "2.b", "warriors", 0),
        (("rangers",), "2.c", "rangers", 0),
        (("mages",), "2.g", "mages", 0),
        (("healers",), "2.e", "healers", 0),
        (("tanks",), "2.f", "tanks", 0),
        (("tanks", "mages"), "2.f", "tanks", 0),
        (("mages", "tanks"), "2.g", "mages", 0),
    ],
)
def test_every_entry_of_a_priority_list(priority: tuple[str, ...], target: str, selector: str, entry: int) -> None:
    assert aimed(aiming(*roster(), priority=priority)) == (target, selector, entry, 7, -1)


@pytest.mark.parametrize(
    ("priority", "fallen", "target", "selector", "entry"),
    [
        (("tanks", "mages"), "f", "2.g", "mages", 1),
        (("mages", "tanks"), "g", "2.d", "mages", 0),
        (("mages", "tanks"), "dg", "2.f", "tanks", 1),
        (("mages", "tanks"), "dgf", "2.c", "lowest_hp", -1),
        (("mages", "fastest"), "dg", "2.c", "fastest", 1),
        (("healers", "highest_threat", "tanks"), "eh", "2.d", "highest_threat", 1),
        (("warriors", "rangers", "mages", "healers"), "bcdg", "2.e", "healers", 3),
    ],
)
def test_the_list_is_walked_until_an_entry_yields_and_after_its_end_the_lowest_hp_counts(
    priority: tuple[str, ...], fallen: str, target: str, selector: str, entry: int
) -> None:
    fight = aiming(*roster(), priority=priority)
    for name in fallen:
        fight.fell(f"2.{name}")
    assert aimed(fight) == (target, selector, entry, 7 - len(fallen), -1)


@pytest.mark.parametrize("entry", ["warriors", "rangers", "mages", "healers", "tanks"])
def test_a_class_entry_takes_the_one_with_the_lowest_hp_and_of_equals_the_lowest_index(entry: str) -> None:
    role = entry.removesuffix("s")
    other = "tank" if role != "tank" else "mage"
    enemies = [unit("b", other, hp=5), unit("c", role, hp=60), unit("d", role, hp=40), unit("e", role, hp=40)]
    assert aimed(aiming(*enemies, priority=(entry,)))[:3] == ("2.d", entry, 0)


def test_a_class_entry_goes_by_current_hp() -> None:
    fight = aiming(unit("b", "mage", hp=50), unit("c", "mage", hp=200), priority=("mages",))
    fight["2.c"].hp = 49
    assert aimed(fight)[0] == "2.c"


def test_the_selector_priority_is_the_default_of_one_enemy_abilities() -> None:
    for selector in (None, "priority"):
        fight = aiming(*roster(), selector=selector, priority=("mages",))
        assert aimed(fight) == ("2.g", "mages", 0, 7, -1)


def test_a_selector_counts_for_its_ability_alone() -> None:
    fight = battle(
        side(
            unit("a", attack=1, class_ability="bolt"),
            priority=["tanks"],
            orders={"bolt": {"target": "fastest"}},
        ),
        side(*roster()),
        abilities=[BOLT],
    )
    assert aimed(fight)[:2] == ("2.c", "fastest")
    fight["1.a"].cooldown = 5
    assert aimed(fight)[:2] == ("2.f", "tanks")


def caster(name: str, selector: str | None = None, priority: tuple[str, ...] = ("tanks",)) -> Fight:
    """Unit a with the ability, hurt friends x and y; enemies b (the tank), c and d."""
    orders: dict[str, Any] = {name: {"when": "always"}}
    if selector is not None:
        orders[name]["target"] = selector
    fight = battle(
        side(
            unit("a", attack=10, class_ability=name),
            unit("x", hp=200),
            unit("y", hp=50),
            orders=orders,
            priority=priority,
        ),
        side(unit("b", "tank", hp=90, speed=2), unit("c", hp=80, speed=9), unit("d", hp=70, speed=5)),
        abilities=[BOLT, STORM, MEND, CHORUS, WARD],
    )
    fight["1.x"].hp, fight["1.y"].hp = 60, 20
    return fight


def reached(fight: Fight, *rolls: str) -> list[str]:
    """Everybody whom the ability of unit a touches."""
    return [event.target for event in fight.turn("1.a", *rolls) if isinstance(event, Hit | Heal | Shield)]


@pytest.mark.parametrize("selector", [None, *SELECTORS, *ALLY_SELECTORS])
@pytest.mark.parametrize(
    ("name", "everybody"),
    [("storm", ["2.b", "2.c", "2.d"]), ("chorus", ["1.a", "1.x", "1.y"]), ("ward", ["1.a"])],
)
def test_no_selector_narrows_or_widens_area_and_self(name: str, everybody: list[str], selector: str | None) -> None:
    assert reached(caster(name, selector)) == everybody


@pytest.mark.parametrize("selector", [None, *SELECTORS, *ALLY_SELECTORS])
def test_no_selector_makes_a_single_attack_reach_more_than_one_enemy(selector: str | None) -> None:
    rolls = ["below(3)=2"] if selector == "random" else []
    (target,) = reached(caster("bolt", selector), *rolls)
    assert target.startswith("2.")


@pytest.mark.parametrize("selector", [None, *SELECTORS, *ALLY_SELECTORS])
def test_no_selector_makes_a_single_heal_reach_more_than_one_ally(selector: str | None) -> None:
    (target,) = reached(caster("mend", selector))
    assert target == ("1.a" if selector == "self" else "1.x")


@pytest.mark.parametrize("selector", ALLY_SELECTORS)
def test_an_attack_told_to_target_an_ally_uses_its_own_default(selector: str) -> None:
    assert aimed(caster("bolt", selector)) == ("2.b", "tanks", 0, 3, -1)
    assert aimed(caster("bolt", selector, priority=())) == ("2.d", "lowest_hp", -1, 3, -1)


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_heal_told_to_target_an_enemy_uses_its_own_default(selector: str) -> None:
    assert aimed(caster("mend", selector)) == ("1.x", "lowest_hp_ally", -1, 3, -1)


def test_lowest_hp_ally_is_the_default_of_one_ally_abilities() -> None:
    assert aimed(caster("mend")) == aimed(caster("mend", "lowest_hp_ally")) == ("1.x", "lowest_hp_ally", -1, 3, -1)


def test_self_aims_a_single_heal_at_the_healer() -> None:
    assert aimed(caster("mend", "self")) == ("1.a", "self", -1, 1, -1)


def test_an_ability_for_oneself_is_told_with_the_selector_self() -> None:
    assert aimed(caster("ward")) == ("1.a", "self", -1, 1, -1)


@pytest.mark.parametrize("name", ["storm", "chorus"])
def test_area_abilities_are_told_without_a_target(name: str) -> None:
    assert "target" not in names(caster(name).turn("1.a"))


@pytest.mark.parametrize(
    ("shares", "target"),
    [
        (((50, 100), (49, 99), (50, 100)), "1.x"),  # 49/99 is 49.49%
        (((50, 100), (1, 2), (10, 20)), "1.a"),  # all are exactly half
        (((333_333, 10**6), (1, 3), (100, 300)), "1.a"),  # 33.3333% is below a third
        (((1, 3), (333_334, 10**6), (100, 300)), "1.a"),
        (((100, 100), (100, 100), (299, 300)), "1.y"),
        (((2, 3), (200, 301), (66, 99)), "1.x"),
    ],
)
def test_lowest_hp_ally_compares_shares_exactly(shares: tuple[tuple[int, int], ...], target: str) -> None:
    units = [unit(name, hp=most, class_ability="mend") for name, (_, most) in zip("axy", shares, strict=True)]
    fight = battle(side(*units, orders={"mend": {"when": "always"}}), side(unit("b")), abilities=[MEND])
    for name, (hp, _) in zip("axy", shares, strict=True):
        fight[f"1.{name}"].hp = hp
    assert aimed(fight)[0] == target


def helper(selector: str, *allies: str, name: str = "mend", tanks: tuple[int, ...] = (90, 60)) -> Fight:
    """Unit a aims as said at itself, the strong ranger x, the fast mage y, or one of the tanks with these HP."""
    orders: dict[str, Any] = {name: {"when": "always", "target": selector}}
    others = [unit("x", "ranger", attack=90), unit("y", "mage", attack=5, speed=50)]
    others += [unit(f"t{place}", "tank", attack=20) for place in range(len(tanks))]
    aimed_by = unit("a", "healer", attack=10, class_ability=name)
    fight = battle(
        side(aimed_by, *others, orders=orders, allies=allies or None), side(unit("b")), abilities=[MEND, GUARD]
    )
    fight["1.y"].hp = 40
    for place, hp in enumerate(tanks):
        fight[f"1.t{place}"].hp = hp
    return fight


GUARD = ability("guard", "one_ally", shield(2, attack=10))
FELL_BACK = ("1.y", "lowest_hp_ally", -1, 5, -1)


@pytest.mark.parametrize(
    ("selector", "allies", "found"),
    [
        ("tank_ally", (), ("1.t1", "tank_ally", -1, 3, -1)),
        ("strongest_ally", (), ("1.t0", "strongest_ally", -1, 3, -1)),
        ("priority_ally", (), FELL_BACK),
        ("priority_ally", ("warriors", "healers", "rangers"), FELL_BACK),  # who is there is not hurt
        ("priority_ally", ("rangers", "tanks"), ("1.t1", "tanks", 1, 3, -1)),
        ("priority_ally", ("mages", "tanks"), ("1.y", "mages", 0, 3, -1)),
        ("priority_ally", ("lowest_hp",), ("1.y", "lowest_hp", 0, 3, -1)),
        ("priority_ally", ("highest_hp",), ("1.t0", "highest_hp", 0, 3, -1)),
        ("priority_ally", ("highest_threat",), ("1.t0", "highest_threat", 0, 3, -1)),
        ("priority_ally", ("fastest",), ("1.y", "fastest", 0, 3, -1)),
    ],
)
def test_a_heal_finds_the_ally_that_it_is_aimed_at_among_the_hurt(selector, allies, found) -> None:
    assert aimed(helper(selector, *allies)) == found


@pytest.mark.parametrize(
    ("selector", "allies", "found"),
    [
        ("tank_ally", (), ("1.t1", "tank_ally", -1, 5, -1)),
        ("strongest_ally", (), ("1.x", "strongest_ally", -1, 5, -1)),
        ("priority_ally", ("warriors", "healers"), ("1.a", "healers", 1, 5, -1)),
        ("priority_ally", ("highest_hp",), ("1.a", "highest_hp", 0, 5, -1)),
    ],
)
def test_what_does_not_heal_finds_unhurt_allies_too(selector, allies, found) -> None:
    assert aimed(helper(selector, *allies, name="guard")) == found


def test_a_heal_with_nobody_hurt_finds_whom_it_is_aimed_at_all_the_same() -> None:
    fight = helper("tank_ally", tanks=(100, 100))
    fight["1.y"].hp = 100
    assert aimed(fight) == ("1.t0", "tank_ally", -1, 5, -1)


def test_a_tank_that_is_not_hurt_is_not_healed_while_others_are() -> None:
    assert aimed(helper("tank_ally", tanks=(100, 100))) == FELL_BACK


def test_without_a_living_tank_the_most_hurt_ally_is_found() -> None:
    fight = helper("tank_ally")
    fight.fell("1.t0")
    fight.fell("1.t1")
    assert aimed(fight) == ("1.y", "lowest_hp_ally", -1, 3, -1)


def test_attack_up_makes_an_ally_the_strongest() -> None:
    fight = helper("strongest_ally", name="guard")
    fight["1.t0"].attack_up = 400
    assert aimed(fight) == ("1.t0", "strongest_ally", -1, 5, -1)


def test_a_fallen_ally_is_not_the_one_with_the_lowest_share() -> None:
    fight = caster("mend")
    fight.fell("1.x")
    assert aimed(fight) == ("1.y", "lowest_hp_ally", -1, 2, -1)


def test_nobody_is_aimed_at_after_falling_in_the_same_round() -> None:
    fight = battle(
        side(unit("a", attack=100, speed=30), unit("x", attack=1, speed=20)),
        side(unit("b", hp=50, speed=5), unit("c", hp=60, speed=5)),
    )
    fight.turn("1.a")
    assert [hit.target for hit in of(fight.turn("1.x"), Hit)] == ["2.c"]
