"""Decides which ability a unit uses, as its side's strategy says; targeting.py picks the target."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import evaluate
from fracas.kernel.jit import kernel
from fracas.kernel.sides import own_side
from fracas.rulesets.squads.rules.condition_facts import read_situation
from fracas.rulesets.squads.rules.constants import (
    BASIC,
    BY_CHARGE,
    CLASS_ABILITY,
    CONDITION_FAILS,
    CONDITION_HOLDS,
    COOLING_DOWN,
    EVEN_IF_REFUSED,
    HEALER,
    LAST_FAVOURABLE_VERDICT,
    MAX_CHARGE,
    NOBODY_HURT,
    NOT_CHARGED,
    NOT_CONSIDERED,
    REFUSED_BUT_HURT,
    SOMEONE_HURT,
    ULTIMATE,
    UNCONFIGURED,
)
from fracas.rulesets.squads.rules.units import ability_of, unit_at


@kernel
def choose_action(battle: Any, unit: Any) -> int:
    """Choose the ultimate, else the class ability, else the basic attack: the first that is ready and wanted.

    Rule:    squads/README.md, A turn, step 2.
    Changes: battle.ultimate_verdict, battle.class_verdict (why each was used or passed over).
    Draws:   none.
    Emits:   nothing.
    """
    battle.class_verdict = NOT_CONSIDERED
    battle.ultimate_verdict = judge_ultimate(battle, unit)
    if battle.ultimate_verdict <= LAST_FAVOURABLE_VERDICT:
        return ULTIMATE
    battle.class_verdict = judge_class_ability(battle, unit)
    if battle.class_verdict <= LAST_FAVOURABLE_VERDICT:
        return CLASS_ABILITY
    return BASIC


@kernel
def judge_ultimate(battle: Any, unit: Any) -> int:
    """Whether the ultimate is used, and why.

    Rule:    squads/README.md, A turn, step 2a.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.options.ultimate_rule == BY_CHARGE:
        if unit.charge < MAX_CHARGE:
            return NOT_CHARGED
    elif unit.ultimate_cooldown > 0:
        return COOLING_DOWN
    return judge(battle, unit, unit.ultimate)


@kernel
def judge_class_ability(battle: Any, unit: Any) -> int:
    """Whether the class ability is used, and why.

    Rule:    squads/README.md, A turn, step 2b; option healer_fallback.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if unit.cooldown > 0:
        return COOLING_DOWN
    verdict = judge(battle, unit, unit.class_ability)
    if verdict == CONDITION_FAILS and battle.options.healer_fallback == EVEN_IF_REFUSED:
        healing = ability_of(battle, unit.class_ability).healing
        if unit.role == HEALER and healing and is_someone_hurt(battle, unit):
            return REFUSED_BUT_HURT
    return verdict


@kernel
def judge(battle: Any, unit: Any, order: Any) -> int:
    """The strategy's verdict on an ability that is ready.

    Rule:    squads/README.md, A turn, "Configured and unconfigured".
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if order.step_count > 0:
        return CONDITION_HOLDS if condition_holds(battle, unit, order) else CONDITION_FAILS
    if ability_of(battle, order).healing:
        return SOMEONE_HURT if is_someone_hurt(battle, unit) else NOBODY_HURT
    return UNCONFIGURED


@kernel
def is_someone_hurt(battle: Any, unit: Any) -> bool:
    """True if a living ally, the unit included, is below the healer threshold.

    Rule:    squads/README.md, A turn, "Configured and unconfigured".
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = own_side(battle, unit)
    for index in range(side.first, side.first + side.unit_count):
        ally = unit_at(battle, index)
        if ally.hp > 0 and 100 * ally.hp < battle.options.healer_threshold * ally.max_hp:
            return True
    return False


@kernel
def condition_holds(battle: Any, unit: Any, order: Any) -> bool:
    """Read the facts that a condition asks for, then evaluate it.

    Rule:    squads/README.md, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    read_situation(battle, unit, order.first_ask, order.ask_count)
    return evaluate(battle, order.first_step, order.step_count)
