"""The melee moves: Charge, Strike and Riposte, five functions each. stacks/README.md, The shipped moves."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import AS_VALUE, BY_ATTACK, CHARGE_BONUS, RIPOSTE_LOSS, STRIKE_REPEATS
from fracas.rulesets.stacks.rules.participants import can_harm, participant_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, put, raised_value


@kernel
def strike_is_viable(battle: Any, actor: int, target: int) -> bool:
    """Strike needs a living enemy.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return can_harm(battle, actor, target)


@kernel
def strike_expected_value(battle: Any, actor: int, target: int) -> float:
    """The chance that Strike hits, times the mean damage, times the repeats.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    return hit_value(battle, one.attack, other.defence, one.damage, STRIKE_REPEATS)


@kernel
def strike_repeats(battle: Any, actor: int, target: int) -> int:
    """Strike is made twice.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return STRIKE_REPEATS


@kernel
def strike_generate(battle: Any, actor: int, target: int) -> None:
    """One blow: attack against defence, then damage.

    Rule:    stacks/README.md, The shipped moves.
    Changes: the rolls and tuples of the making at hand.
    Draws:   as damage_roll.
    Emits:   nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))


@kernel
def strike_apply(battle: Any, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Strike.

    Rule:    stacks/README.md, The shipped moves.
    Changes: the target.
    Draws:   none.
    Emits:   nothing.
    """
    lose_health(participant_at(battle, target), effect)


@kernel
def charge_is_viable(battle: Any, actor: int, target: int) -> bool:
    """Charge needs a living enemy, and is possible only in the first turn.

    Rule:    stacks/README.md, The shipped moves; Charge.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = battle.turn == 0 and can_harm(battle, actor, target)
    return answer


@kernel
def charge_expected_value(battle: Any, actor: int, target: int) -> float:
    """The chance that Charge hits, times the mean damage; or a plain blow's value plus 2.

    Rule:    stacks/README.md, The shipped moves; Charge.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    if battle.options.charge_estimate == AS_VALUE:
        return raised_value(battle, one.attack, other.defence, one.damage, 1, CHARGE_BONUS)
    return hit_value(battle, one.attack + CHARGE_BONUS, other.defence, charge_damage(battle, one), 1)


@kernel
def charge_repeats(battle: Any, actor: int, target: int) -> int:
    """Charge is made once.

    Rule:    stacks/README.md, The shipped moves; Charge.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 1


@kernel
def charge_generate(battle: Any, actor: int, target: int) -> None:
    """One blow with attack + 2.

    Rule:    stacks/README.md, The shipped moves; Charge.
    Changes: the rolls and tuples of the making at hand.
    Draws:   as damage_roll.
    Emits:   nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(
        battle,
        target,
        damage_roll(battle, target, one.attack + CHARGE_BONUS, other.defence, charge_damage(battle, one)),
    )


@kernel
def charge_apply(battle: Any, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Charge.

    Rule:    stacks/README.md, The shipped moves; Charge.
    Changes: the target.
    Draws:   none.
    Emits:   nothing.
    """
    lose_health(participant_at(battle, target), effect)


@kernel
def charge_damage(battle: Any, one: Any) -> int:
    """The score for Charge's damage.

    Rule:    stacks/README.md, Charge (charge_damage).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    damage: int = one.attack if battle.options.charge_damage == BY_ATTACK else one.damage
    return damage


@kernel
def riposte_is_viable(battle: Any, actor: int, target: int) -> bool:
    """Riposte needs a living enemy and an actor with Strike; `provokes` decides which moves it answers.

    Rule:    stacks/README.md, The shipped moves; Riposte.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = participant_at(battle, actor).can_riposte != 0 and can_harm(battle, actor, target)
    return answer


@kernel
def riposte_expected_value(battle: Any, actor: int, target: int) -> float:
    """The chance that Riposte hits, times the mean damage.

    Rule:    stacks/README.md, The shipped moves; Riposte.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    return hit_value(battle, one.attack - RIPOSTE_LOSS, other.defence, riposte_damage(battle, one), 1)


@kernel
def riposte_repeats(battle: Any, actor: int, target: int) -> int:
    """Riposte is made once.

    Rule:    stacks/README.md, The shipped moves; Riposte.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 1


@kernel
def riposte_generate(battle: Any, actor: int, target: int) -> None:
    """One blow back, with attack and damage less 1.

    Rule:    stacks/README.md, The shipped moves; Riposte.
    Changes: the rolls and tuples of the making at hand.
    Draws:   as damage_roll.
    Emits:   nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    one, other = participant_at(battle, actor), participant_at(battle, target)
    put(
        battle,
        target,
        damage_roll(battle, target, one.attack - RIPOSTE_LOSS, other.defence, riposte_damage(battle, one)),
    )


@kernel
def riposte_apply(battle: Any, actor: int, target: int, effect: int) -> None:
    """The target loses the damage of Riposte.

    Rule:    stacks/README.md, The shipped moves; Riposte.
    Changes: the target.
    Draws:   none.
    Emits:   nothing.
    """
    lose_health(participant_at(battle, target), effect)


@kernel
def riposte_damage(battle: Any, one: Any) -> int:
    """The score for Riposte's damage, less 1.

    Rule:    stacks/README.md, Riposte (riposte_damage).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    damage: int = one.attack if battle.options.riposte_damage == BY_ATTACK else one.damage
    return damage - RIPOSTE_LOSS
