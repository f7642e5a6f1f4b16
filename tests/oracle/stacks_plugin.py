"""Move types of a user's, to compare what plug-ins can do; `stacks_own_moves.py` has the same ones for the oracle."""

# ruff: noqa: N805 (the class of a plug-in is a namespace, and no function of it takes a self)

from typing import Any

import fracas
from fracas.rulesets.stacks.rules.participants import can_harm, can_help, participant_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, own_roll, put, regain_health


@fracas.move_type
class Whirl:
    """A blow at every living enemy, each of whom may answer."""

    melee = True

    def is_viable(battle: Any, actor, target):
        return can_harm(battle, actor, target)

    def expected_value(battle: Any, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        return 1.5 + hit_value(battle, one.attack, other.defence, one.damage, 3)

    def repeats(battle: Any, actor, target):
        return -3

    def generate(battle: Any, actor, target):
        one = participant_at(battle, actor)
        for number in range(72):
            if can_harm(battle, actor, number):
                other = participant_at(battle, number)
                put(battle, number, damage_roll(battle, number, one.attack, other.defence, one.damage))

    def apply(battle: Any, actor, target, effect):
        lose_health(participant_at(battle, target), effect)


@fracas.move_type
class Flurry:
    """More blows than there may be, of a kind that counts as Strike."""

    melee = True
    counts_as_strike = True
    usual_targets = True

    def is_viable(battle: Any, actor, target):
        return True

    def expected_value(battle: Any, actor, target):
        return 2.25

    def repeats(battle: Any, actor, target):
        return 20

    def generate(battle: Any, actor, target):
        put(battle, target, damage_roll(battle, target, 2, 1, 1))

    def apply(battle: Any, actor, target, effect):
        lose_health(participant_at(battle, target), effect)


@fracas.move_type
class Hex:
    """Scores of the target fall; a second tuple without a target costs the actor health and changes its own scores."""

    usual_targets = True

    def is_viable(battle: Any, actor, target):
        return can_harm(battle, actor, target) and participant_at(battle, actor).used[battle.move_type] < 4

    def expected_value(battle: Any, actor, target):
        return 30.0 - participant_at(battle, target).initiative

    def repeats(battle: Any, actor, target):
        return 1 + battle.turn

    def generate(battle: Any, actor, target):
        roll = own_roll(battle, target, -3, 6)
        put(battle, target, roll)
        put(battle, -1, abs(roll))

    def apply(battle: Any, actor, target, effect):
        one = participant_at(battle, actor)
        if target < 0:
            lose_health(one, effect)
            one.attack = min(10_000, one.attack + 4000 * effect)
            one.defence = min(10_000, one.defence + effect)
        else:
            other = participant_at(battle, target)
            other.attack = max(-10_000, other.attack - effect)
            other.damage = max(-10_000, other.damage - 1)


@fracas.move_type
class Raise:
    """Somebody dead comes back, once."""

    harmful = False

    def is_viable(battle: Any, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        return one.side == other.side and other.health == 0 and one.used[battle.move_type] == 0

    def expected_value(battle: Any, actor, target):
        return 12.0

    def repeats(battle: Any, actor, target):
        return 1

    def generate(battle: Any, actor, target):
        put(battle, target, own_roll(battle, actor, 3, 3))

    def apply(battle: Any, actor, target, effect):
        regain_health(participant_at(battle, target), effect)
        lose_health(participant_at(battle, actor), 1)


@fracas.move_type
class Daze:
    """Worth no number, and never chosen."""

    harmful = False
    melee = True

    def is_viable(battle: Any, actor, target):
        return can_help(battle, actor, target)

    def expected_value(battle: Any, actor, target):
        return float("nan")

    def repeats(battle: Any, actor, target):
        return 1

    def generate(battle: Any, actor, target):
        put(battle, target, 1)

    def apply(battle: Any, actor, target, effect):
        lose_health(participant_at(battle, target), effect)


@fracas.move_type
class Doom:
    """In turn 2 everybody dies."""

    def is_viable(battle: Any, actor, target):
        return battle.turn == 2 and actor == target

    def expected_value(battle: Any, actor, target):
        return 1000.0

    def repeats(battle: Any, actor, target):
        return 1

    def generate(battle: Any, actor, target):
        for number in range(72):
            if participant_at(battle, number).health > 0:
                put(battle, number, 10_000)

    def apply(battle: Any, actor, target, effect):
        lose_health(participant_at(battle, target), effect)


@fracas.move_type
class Gore:
    """Friends are hurt, whom nothing keeps from answering but that they are friends."""

    melee = True

    def is_viable(battle: Any, actor, target):
        return can_help(battle, actor, target)

    def expected_value(battle: Any, actor, target):
        return 0.5

    def repeats(battle: Any, actor, target):
        return 2

    def generate(battle: Any, actor, target):
        put(battle, target, own_roll(battle, target, 1, 2))

    def apply(battle: Any, actor, target, effect):
        lose_health(participant_at(battle, target), effect)
