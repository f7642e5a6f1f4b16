"""Calls the functions of a move type by its code: shipped ones directly, plug-ins through tuples.

The rules: stacks/README.md, Moves.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import (
    APPLY,
    ARCHERY,
    BOMBARD,
    BY_MELEE,
    CHARGE,
    EXPECTED_VALUE,
    FIRST_PLUGIN_MOVE,
    GENERATE,
    HEALING,
    IS_VIABLE,
    JAVELIN,
    MOVE_TYPE_MASK,
    NOT_VIABLE,
    PLUGIN_MASK,
    REPEATS,
    RIPOSTE,
    SACRIFICE,
    STRIKE,
)
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
def is_viable(battle: Any, move: int, actor: int, target: int, plugins: Any) -> bool:
    """Whether an actor can make a move of this type on a target now.

    Rule:    stacks/README.md, Moves.
    Changes: nothing but battle.move_type.
    Draws:   none.
    Emits:   nothing.
    """
    if move == STRIKE:
        return strike_is_viable(battle, actor, target)
    if move == ARCHERY:
        return archery_is_viable(battle, actor, target)
    if move == CHARGE:
        return charge_is_viable(battle, actor, target)
    if move == HEALING:
        return healing_is_viable(battle, actor, target)
    if move == RIPOSTE:
        return riposte_is_viable(battle, actor, target)
    if move == BOMBARD:
        return bombard_is_viable(battle, actor, target)
    if move == JAVELIN:
        return javelin_is_viable(battle, actor, target)
    if move == SACRIFICE:
        return sacrifice_is_viable(battle, actor, target)
    answer: bool = False
    if plugins is not None:
        battle.move_type = move
        answer = plugins[IS_VIABLE][move - FIRST_PLUGIN_MOVE & PLUGIN_MASK](battle, actor, target)
    return answer


@kernel
def expected_value(battle: Any, move: int, actor: int, target: int, plugins: Any) -> float:
    """The value of a viable move, over all its repeats.

    Rule:    stacks/README.md, Moves.
    Changes: nothing but battle.move_type.
    Draws:   none.
    Emits:   nothing.
    """
    if move == STRIKE:
        return strike_expected_value(battle, actor, target)
    if move == ARCHERY:
        return archery_expected_value(battle, actor, target)
    if move == CHARGE:
        return charge_expected_value(battle, actor, target)
    if move == HEALING:
        return healing_expected_value(battle, actor, target)
    if move == RIPOSTE:
        return riposte_expected_value(battle, actor, target)
    if move == BOMBARD:
        return bombard_expected_value(battle, actor, target)
    if move == JAVELIN:
        return javelin_expected_value(battle, actor, target)
    if move == SACRIFICE:
        return sacrifice_expected_value(battle, actor, target)
    answer: float = 0.0
    if plugins is not None:
        battle.move_type = move
        answer = plugins[EXPECTED_VALUE][move - FIRST_PLUGIN_MOVE & PLUGIN_MASK](battle, actor, target)
    return answer


@kernel
def worth(battle: Any, move: int, actor: int, target: int) -> float:
    """The value of a shipped move if it is viable, else NOT_VIABLE.

    Rule:    stacks/README.md, A participant's turn, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if move == STRIKE:
        return strike_expected_value(battle, actor, target) if strike_is_viable(battle, actor, target) else NOT_VIABLE
    if move == ARCHERY:
        return archery_expected_value(battle, actor, target) if archery_is_viable(battle, actor, target) else NOT_VIABLE
    if move == CHARGE:
        return charge_expected_value(battle, actor, target) if charge_is_viable(battle, actor, target) else NOT_VIABLE
    if move == HEALING:
        return healing_expected_value(battle, actor, target) if healing_is_viable(battle, actor, target) else NOT_VIABLE
    if move == BOMBARD:
        return bombard_expected_value(battle, actor, target) if bombard_is_viable(battle, actor, target) else NOT_VIABLE
    if move == JAVELIN:
        return javelin_expected_value(battle, actor, target) if javelin_is_viable(battle, actor, target) else NOT_VIABLE
    if move == SACRIFICE:
        is_viable_now = sacrifice_is_viable(battle, actor, target)
        return sacrifice_expected_value(battle, actor, target) if is_viable_now else NOT_VIABLE
    return NOT_VIABLE


@kernel
def repeats(battle: Any, move: int, actor: int, target: int, plugins: Any) -> int:
    """How often a move is made.

    Rule:    stacks/README.md, Moves; A participant's turn (held to 1 to 8 there).
    Changes: nothing but battle.move_type.
    Draws:   none.
    Emits:   nothing.
    """
    if move == STRIKE:
        return strike_repeats(battle, actor, target)
    if move == ARCHERY:
        return archery_repeats(battle, actor, target)
    if move == CHARGE:
        return charge_repeats(battle, actor, target)
    if move == HEALING:
        return healing_repeats(battle, actor, target)
    if move == RIPOSTE:
        return riposte_repeats(battle, actor, target)
    if move == BOMBARD:
        return bombard_repeats(battle, actor, target)
    if move == JAVELIN:
        return javelin_repeats(battle, actor, target)
    if move == SACRIFICE:
        return sacrifice_repeats(battle, actor, target)
    answer: int = 1
    if plugins is not None:
        battle.move_type = move
        answer = plugins[REPEATS][move - FIRST_PLUGIN_MOVE & PLUGIN_MASK](battle, actor, target)
    return answer


@kernel
def generate(battle: Any, move: int, actor: int, target: int, plugins: Any) -> None:
    """Generate a viable move once: roll, and leave its tuples.

    Rule:    stacks/README.md, Moves; A making.
    Changes: the rolls and tuples of the making at hand.
    Draws:   as the move type's generate.
    Emits:   nothing; what was rolled is stored for the log.
    """
    if move == STRIKE:
        strike_generate(battle, actor, target)
    elif move == ARCHERY:
        archery_generate(battle, actor, target)
    elif move == CHARGE:
        charge_generate(battle, actor, target)
    elif move == HEALING:
        healing_generate(battle, actor, target)
    elif move == RIPOSTE:
        riposte_generate(battle, actor, target)
    elif move == BOMBARD:
        bombard_generate(battle, actor, target)
    elif move == JAVELIN:
        javelin_generate(battle, actor, target)
    elif move == SACRIFICE:
        sacrifice_generate(battle, actor, target)
    elif plugins is not None:
        battle.move_type = move
        plugins[GENERATE][move - FIRST_PLUGIN_MOVE & PLUGIN_MASK](battle, actor, target)


@kernel
def apply(battle: Any, move: int, actor: int, target: int, effect: int, plugins: Any) -> None:
    """Apply one tuple to actor and target.

    Rule:    stacks/README.md, Moves; Applying.
    Changes: the actor, the target.
    Draws:   none.
    Emits:   nothing.
    """
    if move == STRIKE:
        strike_apply(battle, actor, target, effect)
    elif move == ARCHERY:
        archery_apply(battle, actor, target, effect)
    elif move == CHARGE:
        charge_apply(battle, actor, target, effect)
    elif move == HEALING:
        healing_apply(battle, actor, target, effect)
    elif move == RIPOSTE:
        riposte_apply(battle, actor, target, effect)
    elif move == BOMBARD:
        bombard_apply(battle, actor, target, effect)
    elif move == JAVELIN:
        javelin_apply(battle, actor, target, effect)
    elif move == SACRIFICE:
        sacrifice_apply(battle, actor, target, effect)
    elif plugins is not None:
        battle.move_type = move
        plugins[APPLY][move - FIRST_PLUGIN_MOVE & PLUGIN_MASK](battle, actor, target, effect)


@kernel
def provokes(battle: Any, move: int) -> bool:
    """Whether a move of this type can be answered by a Riposte.

    Rule:    stacks/README.md, A making; Riposte (riposte_to).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    kind = battle.move_types[move & MOVE_TYPE_MASK]
    answer: bool = (
        kind.melee != 0
        and kind.harmful != 0
        and move != RIPOSTE
        and (kind.strike != 0 or battle.options.riposte_to == BY_MELEE)
    )
    return answer
