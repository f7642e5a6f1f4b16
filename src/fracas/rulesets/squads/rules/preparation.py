"""Fills the strike table from a battle's record; after changing a record, fill the table again.

The rules: squads/README.md, The strike table; Damage.
"""

from __future__ import annotations

from fracas.kernel.integer_math import clamp, percent
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.damage import critical_chance, critical_multiplier, power_at, run_stage
from fracas.rulesets.squads.rules.strike_table import CRITICAL_SHIFT, first_strike
from fracas.rulesets.squads.rules.units import ability_of, unit_at


@kernel
def prepare_once(battle) -> None:
    """Fill the strike table if the record has none yet."""
    if battle.strikes.state == codes.UNPREPARED:
        prepare(battle)


@kernel_noinline
def prepare(battle) -> None:
    """Fill the strike table, or mark the record as one whose chain allows none."""
    battle.strikes.state = codes.WITHOUT_TABLE
    if not has_table(battle):
        return
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            battle.strikes.chances[index & codes.LAST_SLOT] = table_chance(battle, unit)
            prepare_order(battle, unit, unit.basic, codes.BASIC)
            prepare_order(battle, unit, unit.class_ability, codes.CLASS_ABILITY)
            prepare_order(battle, unit, unit.ultimate, codes.ULTIMATE)
    battle.strikes.state = codes.PREPARED


@kernel
def has_table(battle) -> bool:
    """Whether the chain allows a table: no stage depends on the round or is a plug-in, and at most one rolls."""
    rolls = 0
    for place in range(battle.chain_length):
        kind = battle.chain[place].kind
        if kind == codes.FATIGUE_STAGE or kind >= codes.FIRST_PLUGIN_STAGE:
            return False
        if kind == codes.CRITICAL_STAGE:
            rolls += 1
    return rolls <= 1


@kernel
def table_chance(battle, unit) -> int:
    """A unit's chance of a critical hit; NO_ROLL if the chain has no critical stage."""
    for place in range(battle.chain_length):
        if battle.chain[place].kind == codes.CRITICAL_STAGE:
            return critical_chance(unit, battle.chain[place])
    return codes.NO_ROLL


@kernel_noinline
def prepare_order(battle, unit, order, choice: int) -> None:
    """Fill the rows of one ability of a unit: the damage of each strike to each possible target."""
    ability = ability_of(battle, order)
    is_hostile = ability.reach == codes.ONE_ENEMY or ability.reach == codes.ALL_ENEMIES
    reached = other_side(battle, unit) if is_hostile else own_side(battle, unit)
    for place in range(ability.effect_count):
        effect = ability.effects[place]
        if effect.kind == codes.DAMAGE:
            row = first_strike(unit, choice) + place
            for index in range(reached.first, reached.first + reached.unit_count):
                target = unit_at(battle, index)
                usual = table_damage(battle, unit, target, effect, False)
                critical = table_damage(battle, unit, target, effect, True)
                battle.strikes.damage[row & codes.LAST_STRIKE, index & codes.LAST_SLOT] = (
                    critical << CRITICAL_SHIFT | usual
                )


@kernel_noinline
def table_damage(battle, unit, target, effect, is_critical: bool) -> int:
    """An effect's damage after the chain, with the outcome of the critical roll given."""
    value = power_at(unit, unit.attack, effect)
    for place in range(battle.chain_length):
        stage = battle.chain[place]
        if stage.kind == codes.CRITICAL_STAGE:
            value = clamp(percent(value, critical_multiplier(unit, stage) if is_critical else 100))
        else:
            value = run_stage(battle, unit, target, stage, value, None, None)
    return value
