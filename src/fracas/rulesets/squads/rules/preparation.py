"""Fills the strike table from a battle's record; after changing a record, fill the table again."""

from __future__ import annotations

from typing import Any

from fracas.kernel.integer_math import clamp, percent
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules.constants import (
    ALL_ENEMIES,
    BASIC,
    CLASS_ABILITY,
    CRITICAL_STAGE,
    DAMAGE,
    FATIGUE_STAGE,
    FIRST_PLUGIN_STAGE,
    LAST_SLOT,
    LAST_STRIKE,
    NO_ROLL,
    ONE_ENEMY,
    PREPARED,
    SLOTS,
    ULTIMATE,
    UNPREPARED,
    WITHOUT_TABLE,
)
from fracas.rulesets.squads.rules.damage import critical_chance, critical_multiplier, power_at, run_stage
from fracas.rulesets.squads.rules.strike_table import CRITICAL_SHIFT, first_strike
from fracas.rulesets.squads.rules.units import ability_of, unit_at


@kernel
def prepare_once(battle: Any) -> None:
    """Fill the strike table if the record has none yet.

    Rule:    squads/README.md, The strike table.
    Changes: battle.strikes.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.strikes.state == UNPREPARED:
        prepare(battle)


@kernel_noinline
def prepare(battle: Any) -> None:
    """Fill the strike table, or mark the record as one whose chain allows none.

    Rule:    squads/README.md, The strike table.
    Changes: battle.strikes.
    Draws:   none.
    Emits:   nothing.
    """
    battle.strikes.state = WITHOUT_TABLE
    if not has_table(battle):
        return
    for index in range(SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            battle.strikes.chances[index & LAST_SLOT] = table_chance(battle, unit)
            prepare_order(battle, unit, unit.basic, BASIC)
            prepare_order(battle, unit, unit.class_ability, CLASS_ABILITY)
            prepare_order(battle, unit, unit.ultimate, ULTIMATE)
    battle.strikes.state = PREPARED


@kernel
def has_table(battle: Any) -> bool:
    """Whether the chain allows a table: no stage depends on the round or is a plug-in, and at most one rolls.

    Rule:    squads/README.md, The strike table.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    rolls = 0
    for place in range(battle.chain_length):
        kind = battle.chain[place].kind
        if kind == FATIGUE_STAGE or kind >= FIRST_PLUGIN_STAGE:
            return False
        if kind == CRITICAL_STAGE:
            rolls += 1
    return rolls <= 1


@kernel
def table_chance(battle: Any, unit: Any) -> int:
    """A unit's chance of a critical hit; NO_ROLL if the chain has no critical stage.

    Rule:    squads/README.md, Damage, critical.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(battle.chain_length):
        if battle.chain[place].kind == CRITICAL_STAGE:
            return critical_chance(unit, battle.chain[place])
    return NO_ROLL


@kernel_noinline
def prepare_order(battle: Any, unit: Any, order: Any, choice: int) -> None:
    """Fill the rows of one ability of a unit: the damage of each strike to each possible target.

    Rule:    squads/README.md, The strike table.
    Changes: battle.strikes.
    Draws:   none.
    Emits:   nothing.
    """
    ability = ability_of(battle, order)
    is_hostile = ability.reach == ONE_ENEMY or ability.reach == ALL_ENEMIES
    reached = other_side(battle, unit) if is_hostile else own_side(battle, unit)
    for place in range(ability.effect_count):
        effect = ability.effects[place]
        if effect.kind == DAMAGE:
            row = first_strike(unit, choice) + place
            for index in range(reached.first, reached.first + reached.unit_count):
                target = unit_at(battle, index)
                usual = table_damage(battle, unit, target, effect, False)
                critical = table_damage(battle, unit, target, effect, True)
                battle.strikes.damage[row & LAST_STRIKE, index & LAST_SLOT] = critical << CRITICAL_SHIFT | usual


@kernel_noinline
def table_damage(battle: Any, unit: Any, target: Any, effect: Any, is_critical: bool) -> int:
    """An effect's damage after the chain, with the outcome of the critical roll given.

    Rule:    squads/README.md, Damage.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    value = power_at(unit, unit.attack, effect)
    for place in range(battle.chain_length):
        stage = battle.chain[place]
        if stage.kind == CRITICAL_STAGE:
            value = clamp(percent(value, critical_multiplier(unit, stage) if is_critical else 100))
        else:
            value = run_stage(battle, unit, target, stage, value, None, None)
    return value
