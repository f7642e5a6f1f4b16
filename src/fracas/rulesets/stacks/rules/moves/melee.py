"""The melee moves: Charge, Strike and Riposte, five functions each. stacks/README.md, The shipped moves."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.participants import can_harm, participant_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, put, raised_value


@kernel
def strike_is_viable(battle, actor: int, target: int) -> bool:
    """Strike needs a living enemy."""
    return can_harm(battle, actor, target)


@kernel
def strike_expected_value(battle, actor: int, target: int) -> float:
    """The chance that Strike hits, times the mean damage, times the repeats."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    return hit_value(battle, one.attack, other.defence, one.damage, codes.STRIKE_REPEATS)


@kernel
def strike_repeats(battle, actor: int, target: int) -> int:
    """Strike is made twice."""
    return codes.STRIKE_REPEATS


@kernel
def strike_generate(battle, actor: int, target: int) -> None:
    """One blow: attack against defence, then damage.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))


@kernel
def strike_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Strike."""
    lose_health(participant_at(battle, target), effect)


@kernel
def charge_is_viable(battle, actor: int, target: int) -> bool:
    """Charge needs a living enemy, and is possible only in the first turn."""
    return battle.turn == 0 and can_harm(battle, actor, target)


@kernel
def charge_expected_value(battle, actor: int, target: int) -> float:
    """The chance that Charge hits, times the mean damage; or a plain blow's value plus 2."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    if battle.options.charge_estimate == codes.AS_VALUE:
        return raised_value(battle, one.attack, other.defence, one.damage, 1, codes.CHARGE_BONUS)
    return hit_value(battle, one.attack + codes.CHARGE_BONUS, other.defence, charge_damage(battle, one), 1)


@kernel
def charge_repeats(battle, actor: int, target: int) -> int:
    """Charge is made once."""
    return 1


@kernel
def charge_generate(battle, actor: int, target: int) -> None:
    """One blow with attack + 2.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(
        battle,
        target,
        damage_roll(battle, target, one.attack + codes.CHARGE_BONUS, other.defence, charge_damage(battle, one)),
    )


@kernel
def charge_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Charge."""
    lose_health(participant_at(battle, target), effect)


@kernel
def charge_damage(battle, one) -> int:
    """The score for Charge's damage.

    Charge_damage.
    """
    return one.attack if battle.options.charge_damage == codes.BY_ATTACK else one.damage


@kernel
def riposte_is_viable(battle, actor: int, target: int) -> bool:
    """Riposte needs a living enemy and an actor with Strike; `provokes` decides which moves it answers."""
    return participant_at(battle, actor).can_riposte != 0 and can_harm(battle, actor, target)


@kernel
def riposte_expected_value(battle, actor: int, target: int) -> float:
    """The chance that Riposte hits, times the mean damage."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    return hit_value(battle, one.attack - codes.RIPOSTE_LOSS, other.defence, riposte_damage(battle, one), 1)


@kernel
def riposte_repeats(battle, actor: int, target: int) -> int:
    """Riposte is made once."""
    return 1


@kernel
def riposte_generate(battle, actor: int, target: int) -> None:
    """One blow back, with attack and damage less 1.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(
        battle,
        target,
        damage_roll(battle, target, one.attack - codes.RIPOSTE_LOSS, other.defence, riposte_damage(battle, one)),
    )


@kernel
def riposte_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Riposte."""
    lose_health(participant_at(battle, target), effect)


@kernel
def riposte_damage(battle, one) -> int:
    """The score for Riposte's damage, less 1.

    Riposte_damage.
    """
    damage: int = one.attack if battle.options.riposte_damage == codes.BY_ATTACK else one.damage
    return damage - codes.RIPOSTE_LOSS
