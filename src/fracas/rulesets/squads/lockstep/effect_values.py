"""Works out the figures of a plan: every value that an effect can have, so that lanes only choose among them.

An effect's value depends on how its unit's attack is raised and lowered, damage also on the target, the critical roll
and, with fatigue, on the round. All of them come from the rules themselves, one by one.

The rules: squads/README.md, Damage; Healing and shields.
"""

from __future__ import annotations

from fracas.kernel.integer_math import clamp, percent
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.plan import variants
from fracas.rulesets.squads.lockstep.plan_choices import choice_of
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.damage import critical_multiplier, power_at, run_stage
from fracas.rulesets.squads.rules.units import ability_of, current_attack, order_of, unit_at


@kernel_noinline
def fill_figures(battle, plan) -> None:
    """Fill the figures of a plan."""
    plan.figure_count = 0
    tick = battle.tick
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            up, down = unit.attack_up, unit.attack_down
            fill_threats(plan, unit)
            for choice in range(codes.CHOICE_COUNT):
                fill_choice(battle, plan, unit, choice)
            unit.attack_up, unit.attack_down = up, down
    battle.tick = tick


@kernel
def vary(plan, unit, variant: int) -> None:
    """Put a unit under one of these combinations: the place of attack up counts most.

    README, Effects: attack up, attack down.
    """
    side = unit.side
    unit.attack_up = plan.ups[side, variant // plan.down_count[side]]
    unit.attack_down = plan.downs[side, variant % plan.down_count[side]]


@kernel
def add_figure(plan, value: int) -> None:
    """Add a figure; in short lanes it is cut to what they hold, which no HP and shield together exceed."""
    plan.figures[plan.figure_count] = min(value, rows.LARGEST_SHORT) if plan.bits == rows.SHORT_LANES else value
    plan.figure_count += 1


@kernel
def fill_threats(plan, unit) -> None:
    """The unit's attack in every variant (README, Power)."""
    plan.threats[unit.index] = plan.figure_count
    for variant in range(variants(plan, unit.side)):
        vary(plan, unit, variant)
        add_figure(plan, current_attack(unit))


@kernel_noinline
def fill_choice(battle, plan, unit, choice: int) -> None:
    """The figures of all effects of one choice: for damage by target, round, variant and roll, else by variant."""
    planned = choice_of(plan, unit.index, choice)
    ability = ability_of(battle, order_of(unit, choice))
    for position in range(planned.effect_count):
        effect = ability.effects[position]
        planned.effects[position].first = plan.figure_count
        if effect.kind == codes.DAMAGE:
            for index in range(planned.first, planned.first + planned.count):
                for late in range(plan.tired_rounds + 1):
                    battle.tick = plan.fatigue_after + late
                    for variant in range(variants(plan, unit.side)):
                        vary(plan, unit, variant)
                        add_figure(plan, damage(battle, plan, unit, unit_at(battle, index), effect, False))
                        add_figure(plan, damage(battle, plan, unit, unit_at(battle, index), effect, True))
        elif effect.kind == codes.HEAL or effect.kind == codes.SHIELD or effect.kind == codes.DAMAGE_OVER_TIME:
            for variant in range(variants(plan, unit.side)):
                vary(plan, unit, variant)
                power = power_at(unit, current_attack(unit), effect)
                if effect.kind != codes.DAMAGE_OVER_TIME:
                    power = clamp(percent(power, unit.healing_pct))
                add_figure(plan, max(1, power) if effect.kind == codes.HEAL else power)


@kernel_noinline
def damage(battle, plan, unit, target, effect, is_critical: bool) -> int:
    """An effect's damage after the chain, with the outcome of the critical roll given."""
    value = power_at(unit, current_attack(unit), effect)
    for index in range(battle.chain_length):
        stage = battle.chain[index]
        if index == plan.critical_stage:
            value = clamp(percent(value, critical_multiplier(unit, stage) if is_critical else 100))
        else:
            value = run_stage(battle, unit, target, stage, value, None, None)
    return value
