"""Plans what each choice of a unit does: whom it reaches, how it aims, how many dice it rolls.

The rules: squads/README.md, Reach and targets.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.sides import own_side
from fracas.rulesets.squads.lockstep.state import ALL_ARE_EQUAL, HURT_FIRST, TAUNTERS_FIRST
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import ability_of, reached_side, unit_at


@kernel
def choice_of(plan, index: int, choice: int):
    """The plan of one of a unit's choices."""
    return plan.choices[index * codes.CHOICE_COUNT + choice]


@kernel_noinline
def plan_choice(battle, plan, unit, order, choice: int, planned) -> None:
    """Plan one choice of a unit (README, Configured and unconfigured)."""
    ability = ability_of(battle, order)
    reached = reached_side(battle, unit, ability)
    planned.reach = ability.reach
    planned.first, planned.count = reached.first, reached.unit_count
    planned.cooldown = ability.cooldown
    planned.first_step, planned.step_count = order.first_step, order.step_count
    planned.first_ask = order.first_ask
    planned.needs_hurt = 1 if order.step_count == 0 and ability.healing else 0
    is_refusable = (
        choice == codes.CLASS_ABILITY and unit.role == codes.HEALER and ability.healing and order.step_count > 0
    )
    planned.falls_back = 1 if is_refusable and battle.options.healer_fallback == codes.EVEN_IF_REFUSED else 0
    planned.is_random = 1 if ability.reach == codes.ONE_ENEMY and order.selector == codes.BY_RANDOM else 0
    plan_aim(battle, plan, unit, order, ability, planned)
    plan_effects(plan, unit, ability, planned)


@kernel
def plan_aim(battle, plan, unit, order, ability, planned) -> None:
    """Plan how a single target is found: entries to try in order, and who among the candidates goes first."""
    planned.entry_count = 0
    planned.is_aimed = 0
    planned.goes_first = ALL_ARE_EQUAL
    if ability.reach == codes.ONESELF:
        planned.first, planned.count = unit.index, 1
    elif ability.reach == codes.ONE_ENEMY:
        planned.is_aimed = 1
        if plan.can_taunt >> planned.first & (1 << planned.count) - 1:
            planned.goes_first = TAUNTERS_FIRST
        if order.selector == codes.BY_DEFAULT or order.selector == codes.BY_PRIORITY:
            own = own_side(battle, unit)
            for index in range(own.priority_count):
                add_entry(battle, planned, own.priorities[index])
            add_entry(battle, planned, codes.BY_LOWEST_HP)
        elif order.selector != codes.BY_RANDOM:
            add_entry(battle, planned, order.selector)
    elif ability.reach == codes.ONE_ALLY:
        planned.is_aimed = 1
        if ability.healing:
            planned.goes_first = HURT_FIRST
        if order.selector == codes.BY_SELF:
            add_entry(battle, planned, codes.BY_SELF)
        elif order.selector == codes.BY_TANK_ALLY:
            add_entry(battle, planned, codes.FIRST_CLASS_PRIORITY + codes.TANK)
        elif order.selector == codes.BY_STRONGEST_ALLY:
            add_entry(battle, planned, codes.BY_HIGHEST_THREAT)
        elif order.selector == codes.BY_PRIORITY_ALLY:
            own = own_side(battle, unit)
            for index in range(own.ally_priority_count):
                add_entry(battle, planned, own.ally_priorities[index])
        add_entry(battle, planned, codes.BY_LOWEST_HP_ALLY)


@kernel_noinline
def add_entry(battle, planned, entry: int) -> None:
    """Add an entry to a search; a class becomes the lowest HP among the slots of that class."""
    slots = 0
    for index in range(planned.first, planned.first + planned.count):
        if entry < codes.FIRST_CLASS_PRIORITY or unit_at(battle, index).role == entry - codes.FIRST_CLASS_PRIORITY:
            slots |= 1 << index
    if slots == 0:
        return
    added = planned.entries[planned.entry_count]
    added.selector = entry if entry < codes.FIRST_CLASS_PRIORITY else codes.BY_LOWEST_HP
    added.slots = slots
    planned.entry_count += 1


@kernel
def plan_effects(plan, unit, ability, planned) -> None:
    """Plan an ability's effects, and how many words of dice it takes at most (README, Dice)."""
    planned.words = planned.is_random
    planned.effect_count = ability.effect_count
    for index in range(ability.effect_count):
        effect = ability.effects[index]
        added = planned.effects[index]
        added.kind, added.rounds = effect.kind, effect.rounds
        if effect.kind == codes.DAMAGE and plan.critical_stage >= 0:
            planned.words += 1 if planned.is_aimed else planned.count
        elif effect.kind == codes.ATTACK_UP:
            added.amount = place_in(plan.ups, plan.up_count, unit.side, effect.percentage)
        elif effect.kind == codes.ATTACK_DOWN:
            added.amount = place_in(plan.downs, plan.down_count, 1 - unit.side, effect.percentage)


@kernel
def place_in(lists, counts, side: int, amount: int) -> int:
    """The place of an amount in a side's list."""
    for index in range(counts[side]):
        if lists[side, index] == amount:
            return index
    return 0
