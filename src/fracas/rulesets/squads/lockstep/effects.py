"""Applies effects in lanes: rules/damage.py and rules/effects.py for 64 battles at once."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change, truth
from fracas.lanes.operations import any_lane, larger, load, look_up, no_lanes, select, smaller, splat, store
from fracas.rulesets.squads.lockstep.plan import variants
from fracas.rulesets.squads.lockstep.state import ATTACK_DOWN as ATTACK_DOWN_ROW
from fracas.rulesets.squads.lockstep.state import (
    ATTACK_DOWN_UNTIL,
    ATTACK_UP_UNTIL,
    CHARGE,
    CRITICALS,
    HP,
    JUST_STUNNED,
    LIVING,
    ROLLS,
    SHIELD,
    SHIELD_UNTIL,
    STUNNED,
    TAUNT_UNTIL,
    TICK,
    WOUND,
    WOUND_STRIKES,
)
from fracas.rulesets.squads.lockstep.state import ATTACK_UP as ATTACK_UP_ROW
from fracas.rulesets.squads.lockstep.targets import variant_of
from fracas.rulesets.squads.rules.constants import (
    ATTACK_DOWN,
    ATTACK_UP,
    BY_CHARGE,
    DAMAGE,
    DAMAGE_OVER_TIME,
    HEAL,
    MAX_CHARGE,
    STUN,
)
from fracas.rulesets.squads.rules.constants import (
    SHIELD as SHIELD_EFFECT,
)
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def apply_ability(state: Any, battle: Any, plan: Any, unit: Any, planned: Any, index: int, mask: Any) -> None:
    """Apply an ability's effects to a unit in the listed order, for as long as it lives.

    Rule:    squads/README.md, Reach and targets.
    Changes: the state.
    Draws:   none; the words of d100() are drawn already.
    Emits:   nothing.
    """
    for place in range(planned.effect_count):
        effect = planned.effects[place]
        kind = effect.kind
        if kind == DAMAGE:
            mask = strike(state, battle, plan, unit, planned, effect, index, mask)
        elif kind == HEAL:
            value = figure(state, plan, unit, effect)
            hp = load(state, HP + index)
            missing = splat(state, unit_at(battle, index).max_hp) - hp
            change(state, HP + index, mask, hp + smaller(value, missing))
        else:
            apply_other(state, plan, unit, effect, index, mask)


@kernel
def strike(state: Any, battle: Any, plan: Any, unit: Any, planned: Any, effect: Any, index: int, mask: Any) -> Any:
    """Strike a unit: look up the damage and apply it; returns where it survives.

    Rule:    squads/README.md, Damage; A hit.
    Changes: the unit's rows, CRITICALS.
    Draws:   none; the word of d100() is drawn already.
    Emits:   nothing.
    """
    varied = variants(plan, unit.side)
    first = effect.first + ROLLS * varied * (plan.tired_rounds + 1) * (index - planned.first)
    is_critical = no_lanes()
    if plan.critical_stage >= 0:
        rolls = load(state, CRITICALS + unit.index)
        is_critical = (rolls & splat(state, 1)) != splat(state, 0)
        store(state, CRITICALS + unit.index, select(mask, rolls >> 1, rolls))
    damage = select(is_critical, splat(state, plan.figures[first + 1]), splat(state, plan.figures[first]))
    if varied > 1 or plan.tired_rounds > 0:
        damage = varied_damage(state, plan, unit, first, is_critical, mask, damage)
    if plan.can_shield >> index & 1:
        shield = load(state, SHIELD + index)
        absorbed = smaller(damage, shield)
        change(state, SHIELD + index, mask, shield - absorbed)
        damage = damage - absorbed
    hp = load(state, HP + index)
    lost = smaller(damage, hp)
    left = hp - lost
    change(state, HP + index, mask, left)
    survives = mask & (left != splat(state, 0))
    fallen = mask & ~survives
    if any_lane(fallen):
        living = load(state, LIVING + unit_at(battle, index).side)
        store(state, LIVING + unit_at(battle, index).side, living - truth(state, fallen))
    if battle.options.ultimate_rule == BY_CHARGE:
        gain_charge(state, index, survives & (lost != splat(state, 0)), battle.options.charge_hit)
    return survives


@kernel
def strike_one_each(state: Any, battle: Any, plan: Any, unit: Any, planned: Any, target: Any, mask: Any) -> None:
    """Strike one unit in each lane, by an ability with no other effect and figures that never vary.

    The same as `strike` for each target in turn, but the hit is worked out once for all of them: most turns are these.

    Rule:    squads/README.md, Damage; A hit.
    Changes: the rows of the targets, CRITICALS.
    Draws:   none; the word of d100() is drawn already.
    Emits:   nothing.
    """
    hp, shield, usual, critical = splat(state, 0), splat(state, 0), splat(state, 0), splat(state, 0)
    figures = planned.effects[0].first
    for index in range(planned.first, planned.first + planned.count):
        here = target == splat(state, index)
        place = figures + ROLLS * (index - planned.first)
        hp = select(here, load(state, HP + index), hp)
        usual = select(here, splat(state, plan.figures[place]), usual)
        critical = select(here, splat(state, plan.figures[place + 1]), critical)
        if plan.can_shield >> index & 1:
            shield = select(here, load(state, SHIELD + index), shield)
    damage = usual
    if plan.critical_stage >= 0:
        rolls = load(state, CRITICALS + unit.index)
        damage = select((rolls & splat(state, 1)) != splat(state, 0), critical, usual)
    absorbed = smaller(damage, shield)
    lost = smaller(damage - absorbed, hp)
    left = hp - lost
    survives = mask & (left != splat(state, 0))
    gains = survives & (lost != splat(state, 0))
    living = load(state, LIVING + 1 - unit.side)
    store(state, LIVING + 1 - unit.side, living - truth(state, mask & ~survives))
    for index in range(planned.first, planned.first + planned.count):
        here = mask & (target == splat(state, index))
        change(state, HP + index, here, left)
        if plan.can_shield >> index & 1:
            change(state, SHIELD + index, here, shield - absorbed)
        if battle.options.ultimate_rule == BY_CHARGE:
            gain_charge(state, index, here & gains, battle.options.charge_hit)


@kernel_noinline
def varied_damage(state: Any, plan: Any, unit: Any, first: int, is_critical: Any, mask: Any, usual: Any) -> Any:
    """The damage where the unit's attack is changed, or where fatigue has begun; the usual one if that is nowhere.

    Rule:    squads/README.md, Damage.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    after = splat(state, plan.fatigue_after)
    late = larger(load(state, TICK), after) - after
    place = late * splat(state, variants(plan, unit.side)) + variant_of(state, plan, unit.side, unit.index)
    is_varied = mask & (place != splat(state, 0))
    if not any_lane(is_varied):
        return usual
    place = select(mask, place + place + truth(state, is_critical), splat(state, 0))
    return look_up(plan.figures, first, place)


@kernel
def gain_charge(state: Any, index: int, mask: Any, amount: int) -> None:
    """Add charge, up to 100.

    Rule:    squads/README.md, Charge.
    Changes: the unit's charge.
    Draws:   none.
    Emits:   nothing.
    """
    charge = smaller(load(state, CHARGE + index) + splat(state, amount), splat(state, MAX_CHARGE))
    change(state, CHARGE + index, mask, charge)


@kernel_noinline
def figure(state: Any, plan: Any, unit: Any, effect: Any) -> Any:
    """An effect's power, or what its healing comes to, with the unit's attack as it is now.

    Rule:    squads/README.md, Power; Healing and shields.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if variants(plan, unit.side) == 1:
        return splat(state, plan.figures[effect.first])
    return look_up(plan.figures, effect.first, variant_of(state, plan, unit.side, unit.index))


@kernel_noinline
def apply_other(state: Any, plan: Any, unit: Any, effect: Any, index: int, mask: Any) -> None:
    """Apply an effect other than damage and healing.

    Rule:    squads/README.md, Healing and shields; Effects.
    Changes: the unit's rows.
    Draws:   none.
    Emits:   nothing.
    """
    kind = effect.kind
    until = load(state, TICK) + splat(state, effect.rounds)
    if kind == SHIELD_EFFECT:
        pool = figure(state, plan, unit, effect)
        applied = mask & (pool > load(state, SHIELD + index))
        change(state, SHIELD + index, applied, pool)
        change(state, SHIELD_UNTIL + index, applied, until)
    elif kind == STUN:
        none = splat(state, 0)
        applied = mask & (load(state, STUNNED + index) == none) & (load(state, JUST_STUNNED + index) == none)
        change(state, STUNNED + index, applied, splat(state, 1))
    elif kind == DAMAGE_OVER_TIME:
        amount = figure(state, plan, unit, effect)
        applied = mask & (amount >= load(state, WOUND + index))
        change(state, WOUND + index, applied, amount)
        change(state, WOUND_STRIKES + index, applied, splat(state, effect.rounds))
    elif kind == ATTACK_UP:
        place = splat(state, effect.amount)
        applied = mask & (place >= load(state, ATTACK_UP_ROW + index))
        change(state, ATTACK_UP_ROW + index, applied, place)
        change(state, ATTACK_UP_UNTIL + index, applied, until)
    elif kind == ATTACK_DOWN:
        place = splat(state, effect.amount)
        applied = mask & (place >= load(state, ATTACK_DOWN_ROW + index))
        change(state, ATTACK_DOWN_ROW + index, applied, place)
        change(state, ATTACK_DOWN_UNTIL + index, applied, until)
    else:
        change(state, TAUNT_UNTIL + index, mask, larger(until, load(state, TAUNT_UNTIL + index)))
