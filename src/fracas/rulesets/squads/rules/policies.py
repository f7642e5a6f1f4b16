"""Decides which ability a unit uses.

For a strategy, targeting.py then picks the target; a trained policy picks both.

The rules: squads/README.md, A turn.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import evaluate
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.networks import best_action
from fracas.kernel.sides import own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.condition_facts import read_situation
from fracas.rulesets.squads.rules.observation import mark_legal, see_battle
from fracas.rulesets.squads.rules.units import ability_of, unit_at


@kernel
def choose_action(battle, unit) -> int:
    """Choose the ultimate, else the class ability, else the basic attack: the first that is ready and wanted.

    Changes: battle.ultimate_verdict, battle.class_verdict (why each was used or passed over).
    """
    battle.class_verdict = codes.NOT_CONSIDERED
    battle.ultimate_verdict = judge_ultimate(battle, unit)
    if battle.ultimate_verdict <= codes.LAST_FAVOURABLE_VERDICT:
        return codes.ULTIMATE
    battle.class_verdict = judge_class_ability(battle, unit)
    if battle.class_verdict <= codes.LAST_FAVOURABLE_VERDICT:
        return codes.CLASS_ABILITY
    return codes.BASIC


@kernel
def judge_ultimate(battle, unit) -> int:
    """Whether the ultimate is used, and why."""
    if battle.options.ultimate_rule == codes.BY_CHARGE:
        if unit.charge < codes.MAX_CHARGE:
            return codes.NOT_CHARGED
    elif unit.ultimate_cooldown > 0:
        return codes.COOLING_DOWN
    return wants(battle, unit, unit.ultimate)


@kernel
def judge_class_ability(battle, unit) -> int:
    """Whether the class ability is used, and why (README, option healer_fallback)."""
    if unit.cooldown > 0:
        return codes.COOLING_DOWN
    verdict = wants(battle, unit, unit.class_ability)
    if verdict == codes.CONDITION_FAILS and battle.options.healer_fallback == codes.EVEN_IF_REFUSED:
        healing = ability_of(battle, unit.class_ability).healing
        if unit.role == codes.HEALER and healing and is_someone_hurt(battle, unit):
            return codes.REFUSED_BUT_HURT
    return verdict


@kernel
def wants(battle, unit, order) -> int:
    """The strategy's verdict on an ability that is ready."""
    if order.step_count > 0:
        return codes.CONDITION_HOLDS if condition_holds(battle, unit, order) else codes.CONDITION_FAILS
    if ability_of(battle, order).healing:
        return codes.SOMEONE_HURT if is_someone_hurt(battle, unit) else codes.NOBODY_HURT
    return codes.UNCONFIGURED


@kernel
def is_someone_hurt(battle, unit) -> bool:
    """True if a living ally, the unit included, is below the healer threshold."""
    side = own_side(battle, unit)
    for index in range(side.first, side.first + side.unit_count):
        ally = unit_at(battle, index)
        if ally.hp > 0 and 100 * ally.hp < battle.options.healer_threshold * ally.max_hp:
            return True
    return False


@kernel
def condition_holds(battle, unit, order) -> bool:
    """Read the facts that a condition asks for, then evaluate it (README, Conditions)."""
    read_situation(battle, unit, order.first_ask, order.ask_count)
    return evaluate(battle, order.first_step, order.step_count)


@kernel_noinline
def trained_action(battle, unit) -> int:
    """The action that a side's trained policy takes with a unit: an ability and a target.

    README, A turn, trained policies.
    Changes: battle.thought, battle.selected_by, battle.selected_entry.
    """
    thought = battle.thought
    see_battle(battle, unit.side, unit.index, thought.seen, True)
    mark_legal(battle, unit.index, thought.mask)
    thought.action = best_action(battle.networks[unit.side & 1], thought, codes.NETWORK_SHAPE)
    return int(thought.action)
