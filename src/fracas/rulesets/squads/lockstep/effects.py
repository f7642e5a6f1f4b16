"""Applies effects in lanes: rules/damage.py and rules/effects.py for 64 battles at once.

The rules: squads/README.md, Damage; A hit; Healing and shields.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change, truth
from fracas.lanes.operations import any_lane, larger, load, look_up, no_lanes, select, smaller, splat, store
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.plan import variants
from fracas.rulesets.squads.lockstep.targets import variant_of
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def apply_ability(state, battle, plan, unit, planned, index: int, mask) -> None:
    """Apply an ability's effects to a unit in the listed order, for as long as it lives (README, Reach and targets)."""
    for position in range(planned.effect_count):
        effect = planned.effects[position]
        kind = effect.kind
        if kind == codes.DAMAGE:
            mask = strike(state, battle, plan, unit, planned, effect, index, mask)
        elif kind == codes.HEAL:
            value = figure(state, plan, unit, effect)
            hp = load(state, rows.HP + index)
            missing = splat(state, unit_at(battle, index).max_hp) - hp
            change(state, rows.HP + index, mask, hp + smaller(value, missing))
        else:
            apply_other(state, plan, unit, effect, index, mask)


@kernel
def strike(state, battle, plan, unit, planned, effect, index: int, mask):
    """Strike a unit: look up the damage and apply it; returns where it survives."""
    varied = variants(plan, unit.side)
    first = effect.first + rows.ROLLS * varied * (plan.tired_rounds + 1) * (index - planned.first)
    is_critical = no_lanes()
    if plan.critical_stage >= 0:
        rolls = load(state, rows.CRITICALS + unit.index)
        is_critical = (rolls & splat(state, 1)) != splat(state, 0)
        store(state, rows.CRITICALS + unit.index, select(mask, rolls >> 1, rolls))
    damage = select(is_critical, splat(state, plan.figures[first + 1]), splat(state, plan.figures[first]))
    if varied > 1 or plan.tired_rounds > 0:
        damage = varied_damage(state, plan, unit, first, is_critical, mask, damage)
    if plan.can_shield >> index & 1:
        shield = load(state, rows.SHIELD + index)
        absorbed = smaller(damage, shield)
        change(state, rows.SHIELD + index, mask, shield - absorbed)
        damage = damage - absorbed
    hp = load(state, rows.HP + index)
    lost = smaller(damage, hp)
    left = hp - lost
    change(state, rows.HP + index, mask, left)
    survives = mask & (left != splat(state, 0))
    fallen = mask & ~survives
    if any_lane(fallen):
        living = load(state, rows.LIVING + unit_at(battle, index).side)
        store(state, rows.LIVING + unit_at(battle, index).side, living - truth(state, fallen))
    if battle.options.ultimate_rule == codes.BY_CHARGE:
        gain_charge(state, index, survives & (lost != splat(state, 0)), battle.options.charge_hit)
    return survives


@kernel
def strike_one_each(state, battle, plan, unit, planned, target, mask) -> None:
    """Strike one unit in each lane, by an ability with no other effect and figures that never vary.

    The same as `strike` for each target in turn, but the hit is worked out once for all of them: most turns are these.
    """
    hp, shield, usual, critical = splat(state, 0), splat(state, 0), splat(state, 0), splat(state, 0)
    figures = planned.effects[0].first
    for index in range(planned.first, planned.first + planned.count):
        here = target == splat(state, index)
        first = figures + rows.ROLLS * (index - planned.first)
        hp = select(here, load(state, rows.HP + index), hp)
        usual = select(here, splat(state, plan.figures[first]), usual)
        critical = select(here, splat(state, plan.figures[first + 1]), critical)
        if plan.can_shield >> index & 1:
            shield = select(here, load(state, rows.SHIELD + index), shield)
    damage = usual
    if plan.critical_stage >= 0:
        rolls = load(state, rows.CRITICALS + unit.index)
        damage = select((rolls & splat(state, 1)) != splat(state, 0), critical, usual)
    absorbed = smaller(damage, shield)
    lost = smaller(damage - absorbed, hp)
    left = hp - lost
    survives = mask & (left != splat(state, 0))
    gains = survives & (lost != splat(state, 0))
    living = load(state, rows.LIVING + 1 - unit.side)
    store(state, rows.LIVING + 1 - unit.side, living - truth(state, mask & ~survives))
    for index in range(planned.first, planned.first + planned.count):
        here = mask & (target == splat(state, index))
        change(state, rows.HP + index, here, left)
        if plan.can_shield >> index & 1:
            change(state, rows.SHIELD + index, here, shield - absorbed)
        if battle.options.ultimate_rule == codes.BY_CHARGE:
            gain_charge(state, index, here & gains, battle.options.charge_hit)


@kernel_noinline
def varied_damage(state, plan, unit, first: int, is_critical, mask, usual):
    """The damage where the unit's attack is changed, or where fatigue has begun; the usual one if that is nowhere."""
    after = splat(state, plan.fatigue_after)
    late = larger(load(state, rows.TICK), after) - after
    offset = late * splat(state, variants(plan, unit.side)) + variant_of(state, plan, unit.side, unit.index)
    is_varied = mask & (offset != splat(state, 0))
    if not any_lane(is_varied):
        return usual
    offset = select(mask, offset + offset + truth(state, is_critical), splat(state, 0))
    return look_up(plan.figures, first, offset)


@kernel
def gain_charge(state, index: int, mask, amount: int) -> None:
    """Add charge, up to 100 (README, Charge)."""
    charge = smaller(load(state, rows.CHARGE + index) + splat(state, amount), splat(state, codes.MAX_CHARGE))
    change(state, rows.CHARGE + index, mask, charge)


@kernel_noinline
def figure(state, plan, unit, effect) -> Any:
    """An effect's power, or what its healing comes to, with the unit's attack as it is now (README, Power)."""
    if variants(plan, unit.side) == 1:
        return splat(state, plan.figures[effect.first])
    return look_up(plan.figures, effect.first, variant_of(state, plan, unit.side, unit.index))


@kernel_noinline
def apply_other(state, plan, unit, effect, index: int, mask) -> None:
    """Apply an effect other than damage and healing (README, Effects)."""
    kind = effect.kind
    until = load(state, rows.TICK) + splat(state, effect.rounds)
    if kind == codes.SHIELD:
        pool = figure(state, plan, unit, effect)
        applied = mask & (pool > load(state, rows.SHIELD + index))
        change(state, rows.SHIELD + index, applied, pool)
        change(state, rows.SHIELD_UNTIL + index, applied, until)
    elif kind == codes.STUN:
        none = splat(state, 0)
        applied = mask & (load(state, rows.STUNNED + index) == none) & (load(state, rows.JUST_STUNNED + index) == none)
        change(state, rows.STUNNED + index, applied, splat(state, 1))
    elif kind == codes.DAMAGE_OVER_TIME:
        amount = figure(state, plan, unit, effect)
        applied = mask & (amount >= load(state, rows.WOUND + index))
        change(state, rows.WOUND + index, applied, amount)
        change(state, rows.WOUND_STRIKES + index, applied, splat(state, effect.rounds))
    elif kind == codes.ATTACK_UP:
        level = splat(state, effect.amount)
        applied = mask & (level >= load(state, rows.ATTACK_UP + index))
        change(state, rows.ATTACK_UP + index, applied, level)
        change(state, rows.ATTACK_UP_UNTIL + index, applied, until)
    elif kind == codes.ATTACK_DOWN:
        level = splat(state, effect.amount)
        applied = mask & (level >= load(state, rows.ATTACK_DOWN + index))
        change(state, rows.ATTACK_DOWN + index, applied, level)
        change(state, rows.ATTACK_DOWN_UNTIL + index, applied, until)
    else:
        change(state, rows.TAUNT_UNTIL + index, mask, larger(until, load(state, rows.TAUNT_UNTIL + index)))
