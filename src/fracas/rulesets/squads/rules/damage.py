"""The damage formula: power, the chain of stages, and the hit. squads/README.md, Damage.

The rules: squads/README.md, Power; A hit.
"""

from __future__ import annotations

from fracas.kernel.dice import d100_within
from fracas.kernel.integer_math import clamp, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.kernel.sides import own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.events import (
    emit_charge,
    emit_expire,
    emit_fall,
    emit_hit,
    emit_power,
    emit_roll,
    emit_stage,
)
from fracas.rulesets.squads.rules.units import current_attack


@kernel
def power(battle, unit, effect, log) -> int:
    """An effect's power: shares of attack, of own defense and of own maximum HP, each truncated, then added."""
    attack = current_attack(unit)
    total = power_at(unit, attack, effect)
    if log is not None:
        from_attack = percent(attack, effect.attack)
        from_defense = percent(unit.defense, effect.defense)
        from_hp = percent(unit.max_hp, effect.max_hp)
        emit_power(log, battle.tick, unit.index, total, from_attack, from_defense, from_hp)
    return total


@kernel
def power_at(unit, attack: int, effect) -> int:
    """An effect's power for a unit with this attack."""
    shares = percent(attack, effect.attack) + percent(unit.defense, effect.defense)
    return clamp(shares + percent(unit.max_hp, effect.max_hp))


@kernel
def strike(battle, unit, target, effect, log, plugins) -> None:
    """Compute an attack's damage with the chain of stages, and apply it to the target."""
    value = power(battle, unit, effect, log)
    for index in range(battle.chain_length):
        value = run_stage(battle, unit, target, battle.chain[index], value, log, plugins)
    take_hit(battle, unit, target, value, log)


@kernel
def run_stage(battle, unit, target, stage, value: int, log, plugins) -> int:
    """Apply one stage of the damage chain: a percentage, a sum, a bound or a plug-in."""
    kind = stage.kind
    figure = 0
    if kind == codes.DEFENSE_STAGE:
        figure = defense_reduction(battle, target, stage.first)
        after = max(value - figure, stage.second)
    elif kind == codes.MINIMUM_STAGE:
        figure = stage.first
        after = max(value, figure)
    elif kind == codes.CAP_STAGE:
        figure = stage.first
        after = min(value, figure)
    elif kind == codes.ADD_STAGE:
        figure = stage.first
        after = value + figure
    elif kind >= codes.FIRST_PLUGIN_STAGE:
        after = value
        if plugins is not None:
            after = plugins[kind - codes.FIRST_PLUGIN_STAGE](battle, unit.index, target.index, value)
    else:
        figure = stage_percentage(battle, unit, target, stage, log)
        after = percent(value, figure)
    after = clamp(after)
    emit_stage(log, battle.tick, unit.index, target.index, kind, figure, value, after)
    return after


@kernel
def stage_percentage(battle, unit, target, stage, log) -> int:
    """The percentage that a multiplying stage applies.

    Draws: d100() at a critical stage, even at a chance of 0 or 100.
    """
    kind = stage.kind
    percentage = stage.first
    if kind == codes.FORMATION_STAGE:
        percentage = own_side(battle, unit).attack_pct
    elif kind == codes.CLASS_ADVANTAGE_STAGE:
        percentage = class_advantage(unit.role, target.role, stage.first, stage.second)
    elif kind == codes.CRITICAL_STAGE:
        percentage = critical(battle, unit, target, stage, log)
    elif kind == codes.ENVIRONMENT_STAGE:
        percentage = unit.damage_pct
    elif kind == codes.FORMATION_EXCLUSIVE_STAGE:
        percentage = own_side(battle, unit).attack_pct
        if percentage == 100:
            percentage = own_side(battle, target).taken_pct
    elif kind == codes.FATIGUE_STAGE:
        percentage = 100 + stage.second * max(0, battle.tick - stage.first)
    return percentage


@kernel
def class_advantage(attacker: int, defender: int, strong: int, weak: int) -> int:
    """Warrior beats ranger, ranger beats mage, mage beats warrior; healers and tanks have no advantage."""
    if attacker > codes.MAGE or defender > codes.MAGE:
        return 100
    # Around the triangle each class beats the next one and loses to the one after that.
    ahead = defender - attacker
    if ahead < 0:
        ahead += codes.MAGE + 1
    if ahead == 0:
        return 100
    return strong if ahead == 1 else weak


@kernel
def critical(battle, unit, target, stage, log) -> int:
    """Roll for a critical hit: the percentage to apply; an environment's numbers replace the stage's."""
    chance = critical_chance(unit, stage)
    multiplier = critical_multiplier(unit, stage)
    roll = d100_within(battle.dice, chance)
    emit_roll(log, battle.tick, unit.index, target.index, roll, chance, multiplier)
    return multiplier if roll <= chance else 100


@kernel
def critical_chance(unit, stage) -> int:
    """A unit's chance of a critical hit: the environment's, else the stage's."""
    return stage.first if unit.critical_chance < 0 else unit.critical_chance


@kernel
def critical_multiplier(unit, stage) -> int:
    """A unit's critical multiplier in per cent: the environment's, else the stage's."""
    return stage.second if unit.critical_multiplier < 0 else unit.critical_multiplier


@kernel
def defense_reduction(battle, target, percentage: int) -> int:
    """What a target's defense takes off: defense, formation, environment, the stage's share; truncated once."""
    formation = own_side(battle, target).defense_pct
    return floor_div(target.defense * formation * target.defense_pct * percentage, 1_000_000)


@kernel
def take_hit(battle, unit, target, value: int, log) -> None:
    """Apply damage to the shield, then to HP; a unit that loses HP and survives gains charge at once."""
    absorbed = min(value, target.shield)
    lost = min(value - absorbed, target.hp)
    target.shield -= absorbed
    target.hp -= lost
    emit_hit(log, battle.tick, unit.index, target.index, value, absorbed, lost, target.hp)
    if absorbed > 0 and target.shield == 0:
        target.shield_until = 0
        emit_expire(log, battle.tick, target.index, codes.SHIELD, 0)
    if target.hp == 0:
        fall(battle, unit.index, target, log)
    elif lost > 0:
        gain_charge(battle, target, battle.options.charge_hit, log)


@kernel
def fall(battle, slayer: int, target, log) -> None:
    """Take a unit at 0 HP out of the battle."""
    own_side(battle, target).living -= 1
    emit_fall(log, battle.tick, slayer, target.index)


@kernel
def gain_charge(battle, unit, amount: int, log) -> None:
    """Add charge, up to 100; none if ultimates use cooldowns (README, Charge)."""
    if battle.options.ultimate_rule != codes.BY_CHARGE:
        return
    gained = min(amount, codes.MAX_CHARGE - unit.charge)
    unit.charge += gained
    if log is not None and gained > 0:
        emit_charge(log, battle.tick, unit.index, gained, unit.charge)
