"""README, Scores, damage rolls, values: each exact value against all rolls that there can be, made one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from tests.helpers.stacks_record import CENTRE, fighter, record, rolling, tuples

from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.moves.dispatch import expected_value, generate, repeats
from fracas.rulesets.stacks.rules.rolls import begin_making, hits

SMALL = range(9)


def mean_by_enumeration(attack: int, defence: int, damage: int) -> Fraction:
    """The mean amount of a damage roll over all equally likely rolls; a miss is counted once for each damage."""
    total = sum(amount for a, d, amount in product(range(attack + 1), range(defence + 1), range(damage + 1)) if a > d)
    return Fraction(total, (attack + 1) * (defence + 1) * (damage + 1))


def value_of(move: int, attack: int, defence: int, damage: int, **options: Any) -> float:
    battle = record({0: fighter(attack=attack, damage=damage), CENTRE: fighter(1, defence=defence)}, **options)
    return expected_value(battle, move, 0, CENTRE, None)


def test_hits_are_the_pairs_in_which_the_attack_is_higher():
    scores = list(product(SMALL, SMALL))
    pairs = {(a, d): sum(x > y for x, y in product(range(a + 1), range(d + 1))) for a, d in scores}
    assert {(attack, defence): hits(attack, defence) for attack, defence in scores} == pairs


# What is added to attack and damage, and how often the move is made.
CHANGES = [
    (codes.ARCHERY, 0, 0, 2),
    (codes.STRIKE, 0, 0, 2),
    (codes.CHARGE, 2, 0, 1),
    (codes.RIPOSTE, -1, -1, 1),
    (codes.JAVELIN, 2, 2, 1),
    (codes.BOMBARD, 0, 0, 1),
]


@pytest.mark.parametrize(("move", "more_attack", "more_damage", "times"), CHANGES)
@pytest.mark.parametrize("attack", SMALL)
@pytest.mark.parametrize("least", [0, 1])
def test_a_value_is_the_mean_over_all_rolls_times_the_repeats(move, more_attack, more_damage, times, attack, least):
    for defence, damage in product(SMALL, SMALL):
        scores = (max(attack + more_attack, least), max(defence, least), max(damage + more_damage, least))
        exact = mean_by_enumeration(*scores) * times
        assert value_of(move, attack, defence, damage, least_score=least) == float(exact)


@pytest.mark.parametrize("move", [codes.STRIKE, codes.ARCHERY, codes.CHARGE, codes.RIPOSTE, codes.JAVELIN])
@pytest.mark.parametrize("attack", range(4))
def test_a_value_is_what_generate_yields_over_all_of_its_rolls(move, attack):
    for defence, damage in product(range(3), range(3)):
        battle = record({0: fighter(attack=attack, damage=damage), CENTRE: fighter(1, defence=defence)})
        more_attack, more_damage, times = next(row[1:] for row in CHANGES if row[0] == move)
        a, m = max(attack + more_attack, 0), max(damage + more_damage, 0)
        total = 0
        for roll, against, amount in product(range(a + 1), range(defence + 1), range(m + 1)):
            asked = [(a, roll), (defence, against), *([(m, amount)] if roll > against else [])]
            begin_making(battle)
            with rolling(*asked):
                generate(battle, move, 0, CENTRE, None)
            [(target, effect)] = tuples(battle)
            assert target == CENTRE
            total += effect
        assert repeats(battle, move, 0, CENTRE, None) == times
        mean = Fraction(total * times, (a + 1) * (defence + 1) * (m + 1))
        assert expected_value(battle, move, 0, CENTRE, None) == float(mean)


def test_charge_may_add_its_two_to_the_value_instead():
    for attack, defence, damage in product(SMALL, SMALL, SMALL):
        exact = mean_by_enumeration(attack, defence, damage) + 2
        assert value_of(codes.CHARGE, attack, defence, damage, charge_estimate=codes.AS_VALUE) == float(exact)


def test_a_guess_that_adds_two_takes_damage_even_where_charge_rolls_attack():
    as_published = {"charge_estimate": codes.AS_VALUE, "charge_damage": codes.BY_ATTACK}
    for attack, defence, damage in product(SMALL, SMALL, SMALL):
        exact = mean_by_enumeration(attack, defence, damage) + 2
        assert value_of(codes.CHARGE, attack, defence, damage, **as_published) == float(exact)


def test_charge_and_riposte_may_take_attack_for_damage():
    for attack, defence, damage in product(SMALL, SMALL, SMALL):
        charge = value_of(codes.CHARGE, attack, defence, damage, charge_damage=codes.BY_ATTACK)
        assert charge == float(mean_by_enumeration(attack + 2, defence, attack))
        riposte = value_of(codes.RIPOSTE, attack, defence, damage, riposte_damage=codes.BY_ATTACK)
        less = max(attack - 1, 0)
        assert riposte == float(mean_by_enumeration(less, defence, less))


def test_bombards_value_adds_each_unit_of_the_splash_as_doubles():
    splashed = {8: fighter(1, defence=1), 9: fighter(1, defence=2, health=0), 10: fighter(1, defence=7)}
    battle = record({0: fighter(attack=6, damage=5), CENTRE: fighter(1, defence=3), **splashed})
    expected = float(mean_by_enumeration(6, 3, 5))
    for defence in (1, 7):
        expected += float(mean_by_enumeration(4, defence, 3))
    assert expected_value(battle, codes.BOMBARD, 0, CENTRE, None) == expected


def test_the_largest_numbers_stay_exact():
    hit = Fraction(sum(min(a, 1001) for a in range(1001)), 1001 * 1001)
    assert value_of(codes.STRIKE, 1000, 1000, 1000) == float(hit * 500 * 2)


@pytest.mark.parametrize(("missing", "value"), [(0, 0.0), (1, 1.0), (4, 4.0), (5, 5.0), (6, 5.0), (9, 5.0)])
def test_healing_is_worth_what_it_restores(missing, value):
    battle = record({0: fighter(), 1: fighter(health=10 - missing, full_health=10)})
    assert expected_value(battle, codes.HEALING, 0, 1, None) == value


@pytest.mark.parametrize(
    ("own", "missing", "value"), [(3, 9, 3.0), (3, 6, 3.0), (3, 5, 2.0), (3, 3, 0.0), (3, 1, -2.0), (1, 9, 1.0)]
)
def test_sacrifice_is_worth_what_it_restores_less_what_it_costs(own, missing, value):
    battle = record({0: fighter(health=own), 1: fighter(health=10 - missing, full_health=10)})
    assert expected_value(battle, codes.SACRIFICE, 0, 1, None) == value
