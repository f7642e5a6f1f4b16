"""Calls the functions of a move type by its code: shipped ones directly, plug-ins through tuples.

The rules: stacks/README.md, Moves; A participant's turn; A making.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.moves.helpful import (
    healing_apply,
    healing_expected_value,
    healing_generate,
    healing_is_viable,
    healing_repeats,
    sacrifice_apply,
    sacrifice_expected_value,
    sacrifice_generate,
    sacrifice_is_viable,
    sacrifice_repeats,
)
from fracas.rulesets.stacks.rules.moves.melee import (
    charge_apply,
    charge_expected_value,
    charge_generate,
    charge_is_viable,
    charge_repeats,
    riposte_apply,
    riposte_expected_value,
    riposte_generate,
    riposte_is_viable,
    riposte_repeats,
    strike_apply,
    strike_expected_value,
    strike_generate,
    strike_is_viable,
    strike_repeats,
)
from fracas.rulesets.stacks.rules.moves.ranged import (
    archery_apply,
    archery_expected_value,
    archery_generate,
    archery_is_viable,
    archery_repeats,
    bombard_apply,
    bombard_expected_value,
    bombard_generate,
    bombard_is_viable,
    bombard_repeats,
    javelin_apply,
    javelin_expected_value,
    javelin_generate,
    javelin_is_viable,
    javelin_repeats,
)


@kernel
def is_viable(battle, move: int, actor: int, target: int, plugins) -> bool:
    """Whether an actor can make a move of this type on a target now."""
    if move == codes.STRIKE:
        return strike_is_viable(battle, actor, target)
    if move == codes.ARCHERY:
        return archery_is_viable(battle, actor, target)
    if move == codes.CHARGE:
        return charge_is_viable(battle, actor, target)
    if move == codes.HEALING:
        return healing_is_viable(battle, actor, target)
    if move == codes.RIPOSTE:
        return riposte_is_viable(battle, actor, target)
    if move == codes.BOMBARD:
        return bombard_is_viable(battle, actor, target)
    if move == codes.JAVELIN:
        return javelin_is_viable(battle, actor, target)
    if move == codes.SACRIFICE:
        return sacrifice_is_viable(battle, actor, target)
    answer: bool = False
    if plugins is not None:
        battle.move_type = move
        answer = plugins[codes.IS_VIABLE][move - codes.FIRST_PLUGIN_MOVE & codes.PLUGIN_MASK](battle, actor, target)
    return answer


@kernel
def expected_value(battle, move: int, actor: int, target: int, plugins) -> float:
    """The value of a viable move, over all its repeats."""
    if move == codes.STRIKE:
        return strike_expected_value(battle, actor, target)
    if move == codes.ARCHERY:
        return archery_expected_value(battle, actor, target)
    if move == codes.CHARGE:
        return charge_expected_value(battle, actor, target)
    if move == codes.HEALING:
        return healing_expected_value(battle, actor, target)
    if move == codes.RIPOSTE:
        return riposte_expected_value(battle, actor, target)
    if move == codes.BOMBARD:
        return bombard_expected_value(battle, actor, target)
    if move == codes.JAVELIN:
        return javelin_expected_value(battle, actor, target)
    if move == codes.SACRIFICE:
        return sacrifice_expected_value(battle, actor, target)
    answer: float = 0.0
    if plugins is not None:
        battle.move_type = move
        answer = plugins[codes.EXPECTED_VALUE][move - codes.FIRST_PLUGIN_MOVE & codes.PLUGIN_MASK](
            battle, actor, target
        )
    return answer


@kernel
def worth(battle, move: int, actor: int, target: int) -> float:
    """The value of a shipped move if it is viable, else NOT_VIABLE."""
    if move == codes.STRIKE:
        return (
            strike_expected_value(battle, actor, target)
            if strike_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    if move == codes.ARCHERY:
        return (
            archery_expected_value(battle, actor, target)
            if archery_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    if move == codes.CHARGE:
        return (
            charge_expected_value(battle, actor, target)
            if charge_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    if move == codes.HEALING:
        return (
            healing_expected_value(battle, actor, target)
            if healing_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    if move == codes.BOMBARD:
        return (
            bombard_expected_value(battle, actor, target)
            if bombard_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    if move == codes.JAVELIN:
        return (
            javelin_expected_value(battle, actor, target)
            if javelin_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    if move == codes.SACRIFICE:
        is_viable_now = sacrifice_is_viable(battle, actor, target)
        return sacrifice_expected_value(battle, actor, target) if is_viable_now else codes.NOT_VIABLE
    return codes.NOT_VIABLE


@kernel
def repeats(battle, move: int, actor: int, target: int, plugins) -> int:
    """How often a move is made.

    Held to 1 to 8 there.
    """
    if move == codes.STRIKE:
        return strike_repeats(battle, actor, target)
    if move == codes.ARCHERY:
        return archery_repeats(battle, actor, target)
    if move == codes.CHARGE:
        return charge_repeats(battle, actor, target)
    if move == codes.HEALING:
        return healing_repeats(battle, actor, target)
    if move == codes.RIPOSTE:
        return riposte_repeats(battle, actor, target)
    if move == codes.BOMBARD:
        return bombard_repeats(battle, actor, target)
    if move == codes.JAVELIN:
        return javelin_repeats(battle, actor, target)
    if move == codes.SACRIFICE:
        return sacrifice_repeats(battle, actor, target)
    answer: int = 1
    if plugins is not None:
        battle.move_type = move
        answer = plugins[codes.REPEATS][move - codes.FIRST_PLUGIN_MOVE & codes.PLUGIN_MASK](battle, actor, target)
    return answer


@kernel
def generate(battle, move: int, actor: int, target: int, plugins) -> None:
    """Generate a viable move once: roll, and leave its tuples.

    Emits: nothing; what was rolled is stored for the log.
    """
    if move == codes.STRIKE:
        strike_generate(battle, actor, target)
    elif move == codes.ARCHERY:
        archery_generate(battle, actor, target)
    elif move == codes.CHARGE:
        charge_generate(battle, actor, target)
    elif move == codes.HEALING:
        healing_generate(battle, actor, target)
    elif move == codes.RIPOSTE:
        riposte_generate(battle, actor, target)
    elif move == codes.BOMBARD:
        bombard_generate(battle, actor, target)
    elif move == codes.JAVELIN:
        javelin_generate(battle, actor, target)
    elif move == codes.SACRIFICE:
        sacrifice_generate(battle, actor, target)
    elif plugins is not None:
        battle.move_type = move
        plugins[codes.GENERATE][move - codes.FIRST_PLUGIN_MOVE & codes.PLUGIN_MASK](battle, actor, target)


@kernel
def apply(battle, move: int, actor: int, target: int, effect: int, plugins) -> None:
    """Apply one tuple to actor and target (README, Applying)."""
    if move == codes.STRIKE:
        strike_apply(battle, actor, target, effect)
    elif move == codes.ARCHERY:
        archery_apply(battle, actor, target, effect)
    elif move == codes.CHARGE:
        charge_apply(battle, actor, target, effect)
    elif move == codes.HEALING:
        healing_apply(battle, actor, target, effect)
    elif move == codes.RIPOSTE:
        riposte_apply(battle, actor, target, effect)
    elif move == codes.BOMBARD:
        bombard_apply(battle, actor, target, effect)
    elif move == codes.JAVELIN:
        javelin_apply(battle, actor, target, effect)
    elif move == codes.SACRIFICE:
        sacrifice_apply(battle, actor, target, effect)
    elif plugins is not None:
        battle.move_type = move
        plugins[codes.APPLY][move - codes.FIRST_PLUGIN_MOVE & codes.PLUGIN_MASK](battle, actor, target, effect)


@kernel
def provokes(battle, move: int) -> bool:
    """Whether a move of this type can be answered by a Riposte (README, Riposte).

    Riposte_to.
    """
    kind = battle.move_types[move & codes.MOVE_TYPE_MASK]
    return (
        kind.melee != 0
        and kind.harmful != 0
        and move != codes.RIPOSTE
        and (kind.strike != 0 or battle.options.riposte_to == codes.BY_MELEE)
    )
