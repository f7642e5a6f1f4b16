"""The damage formula: power, the chain of stages, and the hit. squads/README.md, Damage."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import d100_within
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.integer_math import clamp, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.kernel.sides import own_side
from fracas.rulesets.squads.rules.constants import (
    ADD_STAGE,
    BY_CHARGE,
    CAP_STAGE,
    CHARGE_EVENT,
    CLASS_ADVANTAGE_STAGE,
    CRITICAL_STAGE,
    DEFENSE_STAGE,
    ENVIRONMENT_STAGE,
    EXPIRE_EVENT,
    FALL_EVENT,
    FATIGUE_STAGE,
    FIRST_PLUGIN_STAGE,
    FORMATION_EXCLUSIVE_STAGE,
    FORMATION_STAGE,
    HIT_EVENT,
    MAGE,
    MAX_CHARGE,
    MINIMUM_STAGE,
    POWER_EVENT,
    ROLL_EVENT,
    SHIELD,
    STAGE_EVENT,
)
from fracas.rulesets.squads.rules.strike_table import damage_from_table, is_in_table
from fracas.rulesets.squads.rules.units import current_attack


@kernel
def power(battle: Any, unit: Any, effect: Any, log: Any) -> int:
    """An effect's power: shares of attack, of own defense and of own maximum HP, each truncated, then added.

    Rule:    squads/README.md, Power.
    Changes: nothing.
    Draws:   none.
    Emits:   POWER.
    """
    attack = current_attack(unit)
    total = power_at(unit, attack, effect)
    if log is not None:
        from_attack = percent(attack, effect.attack)
        from_defense = percent(unit.defense, effect.defense)
        from_hp = percent(unit.max_hp, effect.max_hp)
        emit(log, battle.tick, POWER_EVENT, unit.index, NOBODY, total, from_attack, from_defense, from_hp)
    return total


@kernel
def power_at(unit: Any, attack: int, effect: Any) -> int:
    """An effect's power for a unit with this attack.

    Rule:    squads/README.md, Power.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    shares = percent(attack, effect.attack) + percent(unit.defense, effect.defense)
    return clamp(shares + percent(unit.max_hp, effect.max_hp))


@kernel
def strike(battle: Any, unit: Any, target: Any, effect: Any, row: int, log: Any, plugins: Any) -> None:
    """Compute an attack's damage with the chain, or look it up in the strike table, and apply it to the target.

    Rule:    squads/README.md, Damage; The strike table.
    Changes: the target.
    Draws:   d100() at every critical stage of the chain, and the draws of plug-ins, in chain order.
    Emits:   POWER, STAGE for every stage (after ROLL at a critical one), then as take_hit.
    """
    if log is None and is_in_table(battle, unit):
        take_hit(battle, unit, target, damage_from_table(battle, unit, target, row), None)
        return
    value = power(battle, unit, effect, log)
    for place in range(battle.chain_length):
        value = run_stage(battle, unit, target, battle.chain[place], value, log, plugins)
    take_hit(battle, unit, target, value, log)


@kernel
def run_stage(battle: Any, unit: Any, target: Any, stage: Any, value: int, log: Any, plugins: Any) -> int:
    """Apply one stage of the damage chain: a percentage, a sum, a bound or a plug-in.

    Rule:    squads/README.md, Damage, the table of stages.
    Changes: nothing.
    Draws:   as stage_percentage.
    Emits:   STAGE with the stage's figure, the value before and the value after.
    """
    kind = stage.kind
    figure = 0
    if kind == DEFENSE_STAGE:
        figure = defense_reduction(battle, target, stage.first)
        after = max(value - figure, stage.second)
    elif kind == MINIMUM_STAGE:
        figure = stage.first
        after = max(value, figure)
    elif kind == CAP_STAGE:
        figure = stage.first
        after = min(value, figure)
    elif kind == ADD_STAGE:
        figure = stage.first
        after = value + figure
    elif kind >= FIRST_PLUGIN_STAGE:
        after = value
        if plugins is not None:
            after = plugins[kind - FIRST_PLUGIN_STAGE](battle, unit.index, target.index, value)
    else:
        figure = stage_percentage(battle, unit, target, stage, log)
        after = percent(value, figure)
    after = clamp(after)
    if log is not None:
        emit(log, battle.tick, STAGE_EVENT, unit.index, target.index, kind, figure, value, after)
    return after


@kernel
def stage_percentage(battle: Any, unit: Any, target: Any, stage: Any, log: Any) -> int:
    """The percentage that a multiplying stage applies.

    Rule:    squads/README.md, Damage, the table of stages.
    Changes: nothing.
    Draws:   d100() at a critical stage, even at a chance of 0 or 100.
    Emits:   ROLL at a critical stage.
    """
    kind = stage.kind
    percentage = stage.first
    if kind == FORMATION_STAGE:
        percentage = own_side(battle, unit).attack_pct
    elif kind == CLASS_ADVANTAGE_STAGE:
        percentage = class_advantage(unit.role, target.role, stage.first, stage.second)
    elif kind == CRITICAL_STAGE:
        percentage = critical(battle, unit, target, stage, log)
    elif kind == ENVIRONMENT_STAGE:
        percentage = unit.damage_pct
    elif kind == FORMATION_EXCLUSIVE_STAGE:
        percentage = own_side(battle, unit).attack_pct
        if percentage == 100:
            percentage = own_side(battle, target).taken_pct
    elif kind == FATIGUE_STAGE:
        percentage = 100 + stage.second * max(0, battle.tick - stage.first)
    return percentage


@kernel
def class_advantage(attacker: int, defender: int, strong: int, weak: int) -> int:
    """Warrior beats ranger, ranger beats mage, mage beats warrior; healers and tanks have no advantage.

    Rule:    squads/README.md, Damage, class_advantage.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if attacker > MAGE or defender > MAGE:
        return 100
    # Around the triangle each class beats the next one and loses to the one after that.
    ahead = defender - attacker
    if ahead < 0:
        ahead += MAGE + 1
    if ahead == 0:
        return 100
    return strong if ahead == 1 else weak


@kernel
def critical(battle: Any, unit: Any, target: Any, stage: Any, log: Any) -> int:
    """Roll for a critical hit: the percentage to apply; an environment's numbers replace the stage's.

    Rule:    squads/README.md, Damage, critical.
    Changes: nothing.
    Draws:   d100().
    Emits:   ROLL.
    """
    chance = critical_chance(unit, stage)
    multiplier = critical_multiplier(unit, stage)
    roll = d100_within(battle.dice, chance)
    if log is not None:
        emit(log, battle.tick, ROLL_EVENT, unit.index, target.index, roll, chance, multiplier, 0)
    return multiplier if roll <= chance else 100


@kernel
def critical_chance(unit: Any, stage: Any) -> int:
    """A unit's chance of a critical hit: the environment's, else the stage's.

    Rule:    squads/README.md, Damage, critical.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    chance: int = stage.first if unit.critical_chance < 0 else unit.critical_chance
    return chance


@kernel
def critical_multiplier(unit: Any, stage: Any) -> int:
    """A unit's critical multiplier in per cent: the environment's, else the stage's.

    Rule:    squads/README.md, Damage, critical.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    multiplier: int = stage.second if unit.critical_multiplier < 0 else unit.critical_multiplier
    return multiplier


@kernel
def defense_reduction(battle: Any, target: Any, percentage: int) -> int:
    """The damage that a target's defense takes off: defense, formation, environment, the stage's share; truncated once.

    Rule:    squads/README.md, Damage, defense.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    formation = own_side(battle, target).defense_pct
    return floor_div(target.defense * formation * target.defense_pct * percentage, 1_000_000)


@kernel
def take_hit(battle: Any, unit: Any, target: Any, value: int, log: Any) -> None:
    """Apply damage to the shield, then to HP; a unit that loses HP and survives gains charge at once.

    Rule:    squads/README.md, A hit.
    Changes: the target.
    Draws:   none.
    Emits:   HIT, EXPIRE of a shield that is used up, then FALL or CHARGE.
    """
    absorbed = min(value, target.shield)
    lost = min(value - absorbed, target.hp)
    target.shield -= absorbed
    target.hp -= lost
    if log is not None:
        emit(log, battle.tick, HIT_EVENT, unit.index, target.index, value, absorbed, lost, target.hp)
    if absorbed > 0 and target.shield == 0:
        target.shield_until = 0
        if log is not None:
            emit(log, battle.tick, EXPIRE_EVENT, NOBODY, target.index, SHIELD, 0, 0, 0)
    if target.hp == 0:
        fall(battle, unit.index, target, log)
    elif lost > 0:
        gain_charge(battle, target, battle.options.charge_hit, log)


@kernel
def fall(battle: Any, slayer: int, target: Any, log: Any) -> None:
    """Take a unit at 0 HP out of the battle.

    Rule:    squads/README.md, A hit.
    Changes: the living of the target's side.
    Draws:   none.
    Emits:   FALL.
    """
    own_side(battle, target).living -= 1
    if log is not None:
        emit(log, battle.tick, FALL_EVENT, slayer, target.index, 0, 0, 0, 0)


@kernel
def gain_charge(battle: Any, unit: Any, amount: int, log: Any) -> None:
    """Add charge, up to 100; none if ultimates use cooldowns.

    Rule:    squads/README.md, Charge.
    Changes: unit.charge.
    Draws:   none.
    Emits:   CHARGE if the charge changed.
    """
    if battle.options.ultimate_rule != BY_CHARGE:
        return
    gained = min(amount, MAX_CHARGE - unit.charge)
    unit.charge += gained
    if log is not None and gained > 0:
        emit(log, battle.tick, CHARGE_EVENT, unit.index, NOBODY, gained, unit.charge, 0, 0)
