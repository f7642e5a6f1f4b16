"""Plans what each choice of a unit does: whom it reaches, how it aims, how many dice it rolls."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.lockstep.state import ALL_ARE_EQUAL, HURT_FIRST, TAUNTERS_FIRST
from fracas.rulesets.squads.rules.constants import (
    ALL_ENEMIES,
    ATTACK_DOWN,
    ATTACK_UP,
    BY_DEFAULT,
    BY_HIGHEST_THREAT,
    BY_LOWEST_HP,
    BY_LOWEST_HP_ALLY,
    BY_PRIORITY,
    BY_PRIORITY_ALLY,
    BY_RANDOM,
    BY_SELF,
    BY_STRONGEST_ALLY,
    BY_TANK_ALLY,
    CHOICE_COUNT,
    CLASS_ABILITY,
    DAMAGE,
    EVEN_IF_REFUSED,
    FIRST_CLASS_PRIORITY,
    HEALER,
    ONE_ALLY,
    ONE_ENEMY,
    ONESELF,
    TANK,
    ULTIMATE,
)
from fracas.rulesets.squads.rules.units import ability_of, unit_at


@kernel
def choice_of(plan: Any, index: int, choice: int) -> Any:
    """The plan of one of a unit's choices.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return plan.choices[index * CHOICE_COUNT + choice]


@kernel
def order_of(unit: Any, choice: int) -> Any:
    """A unit's order for one of its choices.

    Rule:    squads/README.md, A turn.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    order = unit.basic
    if choice == ULTIMATE:
        order = unit.ultimate
    elif choice == CLASS_ABILITY:
        order = unit.class_ability
    return order


@kernel_noinline
def plan_choice(battle: Any, plan: Any, unit: Any, order: Any, choice: int, planned: Any) -> None:
    """Plan one choice of a unit.

    Rule:    squads/README.md, Configured and unconfigured; Reach and targets.
    Changes: the choice's plan.
    Draws:   none.
    Emits:   nothing.
    """
    ability = ability_of(battle, order)
    is_hostile = ability.reach == ONE_ENEMY or ability.reach == ALL_ENEMIES
    reached = other_side(battle, unit) if is_hostile else own_side(battle, unit)
    planned.reach = ability.reach
    planned.first, planned.count = reached.first, reached.unit_count
    planned.cooldown = ability.cooldown
    planned.first_step, planned.step_count = order.first_step, order.step_count
    planned.first_ask = order.first_ask
    planned.needs_hurt = 1 if order.step_count == 0 and ability.healing else 0
    is_refusable = choice == CLASS_ABILITY and unit.role == HEALER and ability.healing and order.step_count > 0
    planned.falls_back = 1 if is_refusable and battle.options.healer_fallback == EVEN_IF_REFUSED else 0
    planned.is_random = 1 if ability.reach == ONE_ENEMY and order.selector == BY_RANDOM else 0
    plan_aim(battle, plan, unit, order, ability, planned)
    plan_effects(plan, unit, ability, planned)


@kernel
def plan_aim(battle: Any, plan: Any, unit: Any, order: Any, ability: Any, planned: Any) -> None:
    """Plan how a single target is found: entries to try in order, and who among the candidates goes first.

    Rule:    squads/README.md, Reach and targets.
    Changes: the choice's plan.
    Draws:   none.
    Emits:   nothing.
    """
    planned.entry_count = 0
    planned.is_aimed = 0
    planned.goes_first = ALL_ARE_EQUAL
    if ability.reach == ONESELF:
        planned.first, planned.count = unit.index, 1
    elif ability.reach == ONE_ENEMY:
        planned.is_aimed = 1
        if plan.can_taunt >> planned.first & (1 << planned.count) - 1:
            planned.goes_first = TAUNTERS_FIRST
        if order.selector == BY_DEFAULT or order.selector == BY_PRIORITY:
            own = own_side(battle, unit)
            for place in range(own.priority_count):
                add_entry(battle, planned, own.priorities[place])
            add_entry(battle, planned, BY_LOWEST_HP)
        elif order.selector != BY_RANDOM:
            add_entry(battle, planned, order.selector)
    elif ability.reach == ONE_ALLY:
        planned.is_aimed = 1
        if ability.healing:
            planned.goes_first = HURT_FIRST
        if order.selector == BY_SELF:
            add_entry(battle, planned, BY_SELF)
        elif order.selector == BY_TANK_ALLY:
            add_entry(battle, planned, FIRST_CLASS_PRIORITY + TANK)
        elif order.selector == BY_STRONGEST_ALLY:
            add_entry(battle, planned, BY_HIGHEST_THREAT)
        elif order.selector == BY_PRIORITY_ALLY:
            own = own_side(battle, unit)
            for place in range(own.ally_priority_count):
                add_entry(battle, planned, own.ally_priorities[place])
        add_entry(battle, planned, BY_LOWEST_HP_ALLY)


@kernel_noinline
def add_entry(battle: Any, planned: Any, entry: int) -> None:
    """Add an entry to a search; a class becomes the lowest HP among the slots of that class.

    Rule:    squads/README.md, Reach and targets.
    Changes: the choice's plan.
    Draws:   none.
    Emits:   nothing.
    """
    slots = 0
    for index in range(planned.first, planned.first + planned.count):
        if entry < FIRST_CLASS_PRIORITY or unit_at(battle, index).role == entry - FIRST_CLASS_PRIORITY:
            slots |= 1 << index
    if slots == 0:
        return
    added = planned.entries[planned.entry_count]
    added.selector = entry if entry < FIRST_CLASS_PRIORITY else BY_LOWEST_HP
    added.slots = slots
    planned.entry_count += 1


@kernel
def plan_effects(plan: Any, unit: Any, ability: Any, planned: Any) -> None:
    """Plan an ability's effects, and how many words of dice it takes at most.

    Rule:    squads/README.md, Reach and targets; Dice.
    Changes: the choice's plan.
    Draws:   none.
    Emits:   nothing.
    """
    planned.words = planned.is_random
    planned.effect_count = ability.effect_count
    for place in range(ability.effect_count):
        effect = ability.effects[place]
        added = planned.effects[place]
        added.kind, added.rounds = effect.kind, effect.rounds
        if effect.kind == DAMAGE and plan.critical_stage >= 0:
            planned.words += 1 if planned.is_aimed else planned.count
        elif effect.kind == ATTACK_UP:
            added.amount = place_in(plan.ups, plan.up_count, unit.side, effect.percentage)
        elif effect.kind == ATTACK_DOWN:
            added.amount = place_in(plan.downs, plan.down_count, 1 - unit.side, effect.percentage)


@kernel
def place_in(lists: Any, counts: Any, side: int, amount: int) -> int:
    """The place of an amount in a side's list.

    Rule:    none.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(counts[side]):
        if lists[side, place] == amount:
            return place
    return 0
