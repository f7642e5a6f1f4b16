"""README, The shipped moves: on whom each is viable, what it rolls, the tuples it leaves and what they change."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.stacks_record import CENTRE, fighter, record, rolling, tuples

from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import AMOUNT, ROLL
from fracas.rulesets.stacks.rules.moves.dispatch import apply, generate, is_viable, provokes
from fracas.rulesets.stacks.rules.rolls import put

HARMFUL = [codes.MOVES.index(name) for name in codes.HARMFUL_MOVES]
HELPFUL = [codes.HEALING, codes.SACRIFICE]
MAKER, FRIEND, ENEMY, DEAD_FRIEND, DEAD_ENEMY, NOBODY = 0, 1, CENTRE, 2, CENTRE + 1, 20


def field(maker: int = 10, **options: Any) -> Any:
    return record(
        {
            MAKER: fighter(health=maker, attack=4, damage=3, can_riposte=1),
            FRIEND: fighter(health=2, full_health=10),
            DEAD_FRIEND: fighter(health=0),
            ENEMY: fighter(1, defence=2),
            DEAD_ENEMY: fighter(1, health=0),
        },
        **options,
    )


def viable(battle, move):
    everybody = (MAKER, FRIEND, ENEMY, DEAD_FRIEND, DEAD_ENEMY, NOBODY)
    return [target for target in everybody if is_viable(battle, move, MAKER, target, None)]


@pytest.mark.parametrize("move", HARMFUL)
def test_harmful_moves_are_for_living_enemies(move):
    assert viable(field(), move) == [ENEMY]
    assert viable(field(maker=0), move) == []


def test_helpful_moves_are_for_living_friends():
    assert viable(field(), codes.HEALING) == [MAKER, FRIEND]
    assert viable(field(), codes.SACRIFICE) == [FRIEND]
    assert viable(field(maker=0), codes.HEALING) == []
    assert viable(field(maker=0), codes.SACRIFICE) == []


def test_healing_oneself_is_an_option():
    assert viable(field(heal_self=0), codes.HEALING) == [FRIEND]


@pytest.mark.parametrize(("limit", "used", "is_left"), [(3, 2, True), (3, 3, False), (1, 1, False), (0, 999, True)])
def test_healing_has_a_limit(limit, used, is_left):
    battle = field(heal_limit=limit)
    battle.participants[MAKER].used[codes.HEALING] = used
    assert bool(viable(battle, codes.HEALING)) is is_left


def test_charge_belongs_to_the_first_turn():
    assert viable(field(turn=1), codes.CHARGE) == []


def test_a_javelin_is_thrown_once():
    battle = field()
    battle.participants[MAKER].used[codes.JAVELIN] = 1
    assert viable(battle, codes.JAVELIN) == []


def test_riposte_needs_somebody_who_can_strike():
    battle = field()
    battle.participants[MAKER].can_riposte = 0
    assert viable(battle, codes.RIPOSTE) == []


@pytest.mark.parametrize(
    ("rule", "provoking"), [(codes.BY_MELEE, [codes.CHARGE, codes.STRIKE]), (codes.BY_STRIKE, [codes.STRIKE])]
)
def test_what_provokes_a_riposte(rule, provoking):
    battle = field(riposte_to=rule)
    assert [move for move in range(len(codes.MOVES)) if provokes(battle, move)] == provoking


@pytest.mark.parametrize(
    ("move", "rolls", "effect"),
    [
        (codes.STRIKE, [(4, 3), (2, 2), (3, 2)], 2),
        (codes.STRIKE, [(4, 2), (2, 2)], 0),
        (codes.STRIKE, [(4, 3), (2, 0), (3, 0)], 0),
        (codes.ARCHERY, [(4, 4), (2, 0), (3, 3)], 3),
        (codes.CHARGE, [(6, 6), (2, 1), (3, 1)], 1),
        (codes.JAVELIN, [(6, 5), (2, 1), (5, 4)], 4),
        (codes.RIPOSTE, [(3, 3), (2, 2), (2, 1)], 1),
        (codes.BOMBARD, [(4, 3), (2, 2), (3, 2)], 2),
    ],
)
def test_a_damage_roll_rolls_attack_defence_and_on_a_hit_damage(move, rolls, effect):
    battle = field()
    with rolling(*rolls):
        generate(battle, move, MAKER, ENEMY, None)
    assert tuples(battle) == [(ENEMY, effect)]
    kept = [(int(roll.kind), int(roll.a), int(roll.b), int(roll.c), int(roll.d)) for roll in battle.rolls[:2]]
    (attack, roll), (defence, against) = rolls[:2]
    assert kept[0] == (ROLL, roll, attack, against, defence)
    assert battle.roll_count == len(rolls) - 1
    if len(rolls) == 3:
        assert kept[1] == (AMOUNT, rolls[2][1], 0, rolls[2][0], 0)


def test_negative_scores_are_rolled_as_the_least_score():
    for least in (0, 1):
        battle = record({0: fighter(can_riposte=1), CENTRE: fighter(1)}, least_score=least)
        with rolling((least, least), (least, least)):
            generate(battle, codes.RIPOSTE, 0, CENTRE, None)
        assert tuples(battle) == [(CENTRE, 0)]


def test_the_splash_takes_the_adjacent_enemy_stack_with_the_lowest_direction():
    fighters = {
        3: fighter(attack=5, damage=4),
        8: fighter(1, health=0),
        16: fighter(1, defence=1),
        18: fighter(1, defence=0),
        24: fighter(1),
        CENTRE: fighter(1, defence=2),
    }
    battle = record(fighters)
    with rolling((5, 5), (2, 0), (4, 4), (3, 0), (1, 0), (3, 3), (0, 2), (2, 1)):
        generate(battle, codes.BOMBARD, 3, CENTRE, None)
    assert tuples(battle) == [(CENTRE, 4), (16, 0), (18, 1)]


@pytest.mark.parametrize(
    ("kind", "target", "others", "splashed"),
    [
        ("hex", 8, [24, 48], 48),
        ("hex", 8, [16, 48], 16),
        ("hex", 8, [24], None),
        ("hex", 48, [40], 40),
        ("square4", 8, [16, 32], 32),
        ("square8", 8, [16, 64], 16),
        ("square8", 8, [24, 64], 64),
    ],
)
def test_the_splash_starts_from_the_targets_tile(kind, target, others, splashed):
    fighters = {0: fighter(attack=1), target: fighter(1), **{number: fighter(1) for number in others}}
    battle = record(fighters, kind=kind)
    rolls = [(1, 0), (0, 0)] + ([] if splashed is None else [(0, 0), (0, 0)])
    with rolling(*rolls):
        generate(battle, codes.BOMBARD, 0, target, None)
    assert [number for number, _ in tuples(battle)] == [target] + ([] if splashed is None else [splashed])


@pytest.mark.parametrize("move", HARMFUL)
@pytest.mark.parametrize(("effect", "left"), [(0, 10), (4, 6), (10, 0), (999, 0)])
def test_damage_takes_health_down_to_nothing(move, effect, left):
    battle = field()
    apply(battle, move, MAKER, ENEMY, effect, None)
    assert battle.participants[ENEMY].health == left
    assert battle.participants[MAKER].health == 10


@pytest.mark.parametrize(("health", "effect"), [(2, 5), (6, 4), (10, 0)])
def test_healing_rolls_nothing_and_restores_up_to_five(health, effect):
    battle = field()
    battle.participants[FRIEND].health = health
    with rolling():
        generate(battle, codes.HEALING, MAKER, FRIEND, None)
    assert tuples(battle) == [(FRIEND, effect)]
    apply(battle, codes.HEALING, MAKER, FRIEND, effect, None)
    assert battle.participants[FRIEND].health == health + effect


@pytest.mark.parametrize(("own", "effect", "left"), [(3, 6, 8), (4, 8, 10), (9, 8, 10)])
def test_sacrifice_gives_twice_the_health_and_takes_the_actors(own, effect, left):
    battle = field(maker=own)
    with rolling():
        generate(battle, codes.SACRIFICE, MAKER, FRIEND, None)
    assert tuples(battle) == [(FRIEND, effect)]
    apply(battle, codes.SACRIFICE, MAKER, FRIEND, effect, None)
    assert (battle.participants[FRIEND].health, battle.participants[MAKER].health) == (left, 0)


def test_too_many_tuples_are_noticed():
    battle = field()
    for _ in range(codes.MAX_TUPLES):
        put(battle, ENEMY, 1)
    assert battle.overfull == 0
    put(battle, ENEMY, 1)
    assert (battle.overfull, battle.tuple_count) == (1, codes.MAX_TUPLES)
