"""The ranged moves: Archery, Bombard and Javelin, five functions each. stacks/README.md, The shipped moves."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.participants import can_harm, is_living, participant_at, place_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, put


@kernel
def archery_is_viable(battle, actor: int, target: int) -> bool:
    """Archery needs a living enemy."""
    return can_harm(battle, actor, target)


@kernel
def archery_expected_value(battle, actor: int, target: int) -> float:
    """The chance that Archery hits, times the mean damage, times the repeats."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    return hit_value(battle, one.attack, other.defence, one.damage, codes.ARCHERY_REPEATS)


@kernel
def archery_repeats(battle, actor: int, target: int) -> int:
    """Archery is made twice."""
    return codes.ARCHERY_REPEATS


@kernel
def archery_generate(battle, actor: int, target: int) -> None:
    """One shot: attack against defence, then damage.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))


@kernel
def archery_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Archery."""
    lose_health(participant_at(battle, target), effect)


@kernel
def bombard_is_viable(battle, actor: int, target: int) -> bool:
    """Bombard needs a living enemy."""
    return can_harm(battle, actor, target)


@kernel_noinline
def bombard_expected_value(battle, actor: int, target: int) -> float:
    """The value of the hit on the target plus those on each unit of the splash, added in that order."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    value = hit_value(battle, one.attack, other.defence, one.damage, 1)
    first = splashed(battle, target)
    if first >= 0:
        attack, damage = one.attack - codes.SPLASH_LOSS, one.damage - codes.SPLASH_LOSS
        for struck in range(first, first + codes.STACK_SLOTS):
            if is_living(battle, struck):
                value = value + hit_value(battle, attack, participant_at(battle, struck).defence, damage, 1)
    return value


@kernel
def bombard_repeats(battle, actor: int, target: int) -> int:
    """Bombard is made once."""
    return 1


@kernel_noinline
def bombard_generate(battle, actor: int, target: int) -> None:
    """One shot at the target, then a weaker one at each unit of the stack that the splash reaches.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))
    first = splashed(battle, target)
    if first >= 0:
        attack, damage = one.attack - codes.SPLASH_LOSS, one.damage - codes.SPLASH_LOSS
        for struck in range(first, first + codes.STACK_SLOTS):
            if is_living(battle, struck):
                defence = participant_at(battle, struck).defence
                put(battle, struck, damage_roll(battle, struck, attack, defence, damage))


@kernel
def bombard_apply(battle, actor: int, target: int, effect: int) -> None:
    """The struck unit, the target or one of the splash, loses the damage."""
    lose_health(participant_at(battle, target), effect)


@kernel
def splashed(battle, target: int) -> int:
    """The first id of the stack that the splash of a shot at the target reaches; -1 if there is none.

    The adjacent stack with the lowest direction that has a living unit.
    """
    struck = participant_at(battle, target)
    adjacent = place_at(battle, struck.direction).adjacent
    for direction in range(battle.direction_count):
        if adjacent >> direction & 1 != 0:
            first = direction * codes.STACK_SLOTS
            for number in range(first, first + codes.STACK_SLOTS):
                if is_living(battle, number) and participant_at(battle, number).side == struck.side:
                    return first
    return -1


@kernel
def javelin_is_viable(battle, actor: int, target: int) -> bool:
    """Javelin needs a living enemy, and must not have been thrown before."""
    return participant_at(battle, actor).used[codes.JAVELIN] == 0 and can_harm(battle, actor, target)


@kernel
def javelin_expected_value(battle, actor: int, target: int) -> float:
    """The chance that Javelin hits, times the mean damage."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    return hit_value(battle, one.attack + codes.JAVELIN_BONUS, other.defence, one.damage + codes.JAVELIN_BONUS, 1)


@kernel
def javelin_repeats(battle, actor: int, target: int) -> int:
    """Javelin is made once."""
    return 1


@kernel
def javelin_generate(battle, actor: int, target: int) -> None:
    """One throw, with attack and damage + 2.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(
        battle,
        target,
        damage_roll(battle, target, one.attack + codes.JAVELIN_BONUS, other.defence, one.damage + codes.JAVELIN_BONUS),
    )


@kernel
def javelin_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Javelin."""
    lose_health(participant_at(battle, target), effect)
