"""README, Effects, Stat changes, Hits, Experience: what abilities do, and what `head` adds."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.titans_fights import Fight, ability, duel, names, of, titan

from fracas.rulesets.titans.content.library import library_for
from fracas.rulesets.titans.rules.constants import NEXT_LEVEL
from fracas.rulesets.titans.rules.events import Change, Charge, Critical, Damage, Expire, Growth, Heal, Hit, Pay, Shield
from fracas.rulesets.titans.rules.events import Experience as Gained

SPEED, DEFENSE = 2, 1


def shipped(name: str) -> dict[str, Any]:
    found: dict[str, Any] = library_for(None, ()).of("abilities")[name].model_dump(mode="json", exclude_none=True)
    return found


def used(name: str, choice: str = "rest", *rolls: str, slow: bool = False, **values: Any) -> tuple[Fight, list[Any]]:
    """Ada, with 10 Attack and 100 charge, uses an ability of the content; Bo, with 10 Defense, does something else."""
    fight = duel(titan(shipped(name), hp=60), titan(hp=60, defense=10, attack=20))
    fight.ada.charge = 100
    for key, value in values.items():
        fight.ada[key] = value
    own = ("open(1,0)",)
    others = ("open(1,1)", *rolls)
    turn = fight.slow if slow else fight.quick
    return fight, turn(name, choice, *((*others, *own) if slow else (*own, *others)))


CLASSIC_COSTS = {
    "drain": 35,
    "focused_strike": 25,
    "overdrive": 50,
    "vital_surge": 40,
    "cleansing_light": 20,
    "fortify": 20,
    "barrier": 30,
    "quick_charge": 5,
    "shock": 30,
    "weaken": 25,
}


def test_the_ten_abilities_cost_what_they_should() -> None:
    found = library_for(None, ()).of("abilities")
    assert {name: found[name].cost for name in CLASSIC_COSTS} == CLASSIC_COSTS


@pytest.mark.parametrize(
    ("name", "own_hp", "hp", "charge"),
    [
        ("drain", 47, 53, 65),  # 60 - 7.5 is rounded up: 7 HP are really lost, and 7 come back
        ("focused_strike", 40, 45, 75),
        ("overdrive", 40, 35, 50),
        ("vital_surge", 60, 60, 60),
        ("cleansing_light", 60, 60, 80),
        ("fortify", 50, 60, 80),
        ("barrier", 40, 60, 70),
        ("quick_charge", 40, 60, 100),
        ("shock", 40, 50, 70),
        ("weaken", 40, 60, 75),
    ],
)
def test_each_ability_alone(name: str, own_hp: int, hp: int, charge: int) -> None:
    fight, events = used(name, hp=40)
    (paid,) = of(events, Pay)
    assert (paid.cost, paid.charge) == (CLASSIC_COSTS[name], 100 - CLASSIC_COSTS[name])
    assert (fight.ada.hp, fight.bo.hp, fight.ada.charge) == (own_hp, hp, charge)


@pytest.mark.parametrize("name", sorted(CLASSIC_COSTS))
@pytest.mark.parametrize("choice", ["attack", "defend", "rest"])
def test_no_ability_cares_for_defense_or_for_who_defends(name: str, choice: str) -> None:
    rolls = ("unit=0.0",) if choice == "attack" else ()
    fight, _ = used(name, choice, *rolls)
    struck = {"drain": 53, "focused_strike": 45, "overdrive": 35, "shock": 50}
    assert fight.bo.hp == struck.get(name, 60)
    # 20 against no defense; what shields has acted first.
    absorbed = {"fortify": 10, "barrier": 20}.get(name, 0)
    assert fight.ada.hp == 60 - (20 - absorbed if choice == "attack" else 0)


def test_drain_gives_back_what_was_really_lost() -> None:
    cover = ability("cover", {"type": "shield", "amount": 5})
    for hp, shield, back in ((60, 0.0, 7), (60, 5.0, 2), (4, 0.0, 0)):
        fight = duel(titan(shipped("drain")), titan(cover, hp=60))
        fight.ada.charge, fight.ada.hp, fight.bo.hp, fight.bo.shield = 100, 10, hp, shield
        rolls = () if hp == 4 else ("open(1,1)",)
        events = fight.quick("drain", "rest", "open(1,0)", *rolls)
        assert fight.ada.hp == 10 + back
        # Who falls ends the duel, and the rest of the ability with it.
        assert len(of(events, Heal)) == (0 if hp == 4 else 1)


def test_heals_stop_at_full_hp_and_in_sudden_death() -> None:
    fight, events = used("vital_surge", hp=59)
    assert [(told.amount, told.before, told.hp) for told in of(events, Heal)] == [(50.0, 59, 60)]
    fight = duel(titan(shipped("vital_surge")), titan(), sudden_death=1)
    fight.ada.hp, fight.ada.charge = 3, 100
    events = fight.quick("vital_surge", "rest", "open(1,0)", "open(1,1)")
    assert [(told.amount, told.hp) for told in of(events, Heal)] == [(0.0, 3)]


def test_shields_add_up_absorb_first_and_end_with_the_round() -> None:
    double = ability("double", {"type": "shield", "amount": 10}, {"type": "shield", "stat": "defense", "times": 0.25})
    fight = duel(titan(double, defense=10), titan(attack=30))
    events = fight.quick("double", "attack", "open(1,0)", "open(1,1)", "unit=0.0")
    assert [(told.amount, told.shield) for told in of(events, Shield)] == [(10.0, 10.0), (2.5, 12.5)]
    assert [(told.absorbed, told.hp) for told in of(events, Damage)] == [(12.5, 23)]  # 30 - 10 - 12.5 = 7.5
    assert fight.ada.shield == 0.0


def test_a_change_holds_to_the_end_of_the_rounds_it_says() -> None:
    fight, events = used("shock")
    assert [(told.target, told.stat, told.percent, told.until) for told in of(events, Change)] == [
        ("Bo", "speed", -25, 3)
    ]
    for tick in (2, 3):
        assert fight.bo.now[SPEED] == 7.5
        events = fight.quick("rest", "rest", f"open({tick},0)", f"open({tick},1)")
        assert len(of(events, Expire)) == int(tick == 3)
    assert fight.bo.now[SPEED] == 10.0


def test_the_same_change_is_refreshed_and_others_add() -> None:
    slow = ability("slow", {"type": "change", "stat": "defense", "percent": -20, "rounds": 1})
    slower = ability("slower", {"type": "change", "stat": "defense", "percent": -30, "rounds": 3})
    fight = duel(titan(slow, slower), titan(defense=10))
    expected = [("slow", -20, 2, 8.0), ("slow", -20, 3, 8.0), ("slower", -50, 6, 7.0)]
    for tick, (name, total, until, defense) in enumerate(expected, start=1):
        fight.quick(name, "rest", f"open({tick},0)", f"open({tick},1)")
        told = of(fight.events(), Change)[-1]
        assert (told.total, told.until) == (total, until)
        assert fight.bo.now[DEFENSE] == defense
    # In round 3 the first one has ended with the round; the second goes on to round 6.
    for tick in (4, 5, 6):
        assert fight.bo.now[DEFENSE] == 7.0
        fight.quick("rest", "rest", f"open({tick},0)", f"open({tick},1)")
    assert fight.bo.now[DEFENSE] == 10.0


def test_changes_together_lower_a_stat_to_a_tenth_at_most() -> None:
    half = [{"type": "change", "stat": "defense", "percent": -60, "rounds": 5} for _ in range(2)]
    fight = duel(titan(ability("crush", *half)), titan(defense=50))
    events = fight.quick("crush", "rest", "open(1,0)", "open(1,1)")
    assert [told.total for told in of(events, Change)] == [-60, -120]
    assert fight.bo.now[DEFENSE] == 5.0


def test_cleansing_ends_what_lowers_and_keeps_what_raises() -> None:
    mixed = ability(
        "mixed",
        {"type": "change", "stat": "defense", "percent": 50, "rounds": 9, "on": "self"},
        {"type": "change", "stat": "speed", "percent": -50, "rounds": 9, "on": "self"},
    )
    fight = duel(titan(mixed, shipped("cleansing_light"), defense=10), titan())
    fight.ada.charge = 100
    fight.quick("mixed", "rest", "open(1,0)", "open(1,1)")
    assert (fight.ada.now[DEFENSE], fight.ada.now[SPEED]) == (15.0, 5.0)
    events = fight.quick("cleansing_light", "rest", "open(2,0)", "open(2,1)")
    assert [(told.stat, told.percent, told.by_time) for told in of(events, Expire)] == [("speed", -50, False)]
    assert (fight.ada.now[DEFENSE], fight.ada.now[SPEED]) == (15.0, 10.0)


@pytest.mark.parametrize(
    ("effect", "before", "after"),
    [
        ({"type": "charge", "amount": 40}, 30, 70),
        ({"type": "charge", "amount": 40}, 90, 100),
        ({"type": "charge", "amount": -40}, 30, 0),
        ({"type": "set_charge", "amount": 0}, 30, 0),
        ({"type": "set_charge", "amount": 55}, 30, 55),
    ],
)
@pytest.mark.parametrize("on", ["self", "opponent"])
def test_charge_is_held_to_0_to_100(effect: dict[str, Any], before: int, after: int, on: str) -> None:
    fight = duel(titan(ability("surge", {**effect, "on": on})), titan())
    fight.ada.charge = fight.bo.charge = before
    events = fight.quick("surge", "defend", "open(1,0)", "open(1,1)")
    (told,) = of(events, Charge)
    assert (told.target, told.before, told.charge) == ("Ada" if on == "self" else "Bo", before, after)


# head


@pytest.mark.parametrize(
    ("accuracy", "evasion", "chance"),
    [(0, 0, 0.8), (5, 10, 0.75), (10, 5, 0.8 + 5 / 100), (50, 0, 0.95), (0, 100, 0.05)],
)
@pytest.mark.parametrize("is_hit", [True, False])
def test_a_blow_hits_below_its_chance(accuracy: int, evasion: int, chance: float, is_hit: bool) -> None:
    fight = duel(titan(accuracy=accuracy), titan(evasion=evasion), misses=True)
    roll = "unit=0.0499" if is_hit else f"unit={chance!r}"
    rolls = (roll, "unit=0.0", "unit=0.0") if is_hit else (roll,)
    events = fight.quick("attack", "defend", "open(1,0)", *rolls, "open(1,1)")
    (told,) = of(events, Hit)
    assert told.chance == chance
    assert len(of(events, Damage)) == int(is_hit)
    # Being attacked is enough.
    assert fight.bo.charge == 20


@pytest.mark.parametrize(("roll", "hp"), [("0.0999", 20), ("0.1", 23)])
def test_a_critical_hit_does_half_as_much_again_after_defense(roll: str, hp: int) -> None:
    fight = duel(titan(critical=10), titan(defense=3), criticals=True)
    events = fight.quick("attack", "rest", "open(1,0)", f"unit={roll}", "unit=0.0", "open(1,1)")
    assert of(events, Critical)[0].chance == 0.1
    # 10 less 3, and half as much again: 30 - 10.5 is rounded up.
    assert fight.bo.hp == hp


def test_rolls_come_in_the_order_hit_critical_attack_defend() -> None:
    fight = duel(titan(), titan(defense=2), head=True)
    rolls = ("open(1,0)", "unit=0.1", "unit=0.9", "unit=0.5", "unit=0.25", "open(1,1)")
    events = fight.quick("attack", "defend", *rolls)
    assert names(events, "round", "choice", "speed")[:5] == ["act", "hit", "critical", "attack", "damage"]


def test_an_ability_that_misses_does_the_rest_of_what_it_does() -> None:
    fight = duel(titan(shipped("shock")), titan(), head=True)
    fight.ada.charge = 30
    fight.quick("shock", "defend", "open(1,0)", "unit=0.8", "open(1,1)")
    assert (fight.bo.hp, fight.bo.now[SPEED]) == (30, 7.5)
    # A fixed amount is never critical: only the roll to hit is made.
    fight.ada.charge = 30
    fight.quick("shock", "defend", "open(2,0)", "unit=0.7", "open(2,1)")
    assert fight.bo.hp == 20


@pytest.mark.parametrize(("stamina", "rest", "attack"), [(0, 20, 10), (5, 21, 11), (10, 22, 11), (8, 22, 11)])
def test_charge_grows_with_stamina(stamina: int, rest: int, attack: int) -> None:
    fight = duel(titan(stamina=stamina), titan(), head=True)
    fight.quick("rest", "defend", "open(1,0)", "open(1,1)")
    assert fight.ada.charge == rest
    rolls = ("open(2,0)", "unit=0.1", "unit=0.9", "unit=0.0", "unit=0.0", "open(2,1)")
    fight.quick("attack", "defend", *rolls)
    assert (fight.ada.charge, fight.bo.charge) == (rest + attack, 20)


def test_an_attack_that_hurts_nobody_gains_nothing() -> None:
    fight = duel(titan(), titan(defense=100), head=True)
    fight.quick("attack", "rest", "open(1,0)", "unit=0.1", "unit=0.9", "unit=0.0", "open(1,1)")
    assert fight.ada.charge == 0


@pytest.mark.parametrize(
    ("own", "other", "gained"), [(1, 1, (55, 20)), (1, 3, (66, 16)), (5, 1, (33, 28)), (1, 50, (110, 10))]
)
def test_experience_depends_on_levels_and_a_knock_out(own: int, other: int, gained: tuple[int, int]) -> None:
    fight = duel(titan(level=own, attack=99), titan(level=other), head=True)
    fight.quick("attack", "rest", "open(1,0)", "unit=0.1", "unit=0.9", "unit=0.0")
    rolls = ("open(2,65296)", *["below(100)=9"] * 8) if gained[0] >= 100 else ()
    events = fight.finish(*rolls)
    assert [told.gained for told in of(events, Gained)] == list(gained)


def test_levels_rise_by_the_table_and_stats_grow() -> None:
    fight = duel(titan(level=1, experience=160, attack=99), titan(), head=True)
    fight.quick("attack", "rest", "open(1,0)", "unit=0.1", "unit=0.9", "unit=0.0")
    rolls = [9, 10, 39, 40, 79, 80, 99, 0]
    script = ["open(2,65296)", *(f"below(100)={roll}" for roll in rolls)]
    script += ["open(3,65296)", *["below(100)=50"] * 8]
    events = fight.finish(*script)
    first = of(events, Gained)[0]
    assert (first.level, first.experience, first.levels) == (3, 160 + 55 - 100 - 114, 2)
    assert [told.gained for told in of(events, Growth)][:8] == [0, 1, 1, 2, 2, 3, 3, 0]
    assert [told.stat for told in of(events, Growth)][:3] == ["hp", "attack", "defense"]


def test_the_table_of_levels_is_rounded_down_from_doubles() -> None:
    assert NEXT_LEVEL[:4] == (100, 114, 132, 152)
    assert len(NEXT_LEVEL) == 49
