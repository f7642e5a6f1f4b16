"""Looks up the damage of strikes, so that battles without a log run the damage chain once and not at every hit.

Between two units in their set-up state an effect's damage is one of two numbers, and a roll decides which. The table
holds both. If attack up or attack down changes a unit's attack, or if a log needs every stage, the chain itself runs
(damage.py); it is the specification of the table.

The rules: squads/README.md, The strike table.
"""

from __future__ import annotations

from fracas.kernel.dice import d100_within
from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules import constants as codes

# A table entry: damage in the low bits, damage of a critical hit above.
CRITICAL_SHIFT = 32
DAMAGE_MASK = (1 << CRITICAL_SHIFT) - 1


@kernel
def first_strike(unit, choice: int) -> int:
    """The table's row for the first effect of a unit's choice."""
    return (unit.index * codes.CHOICE_COUNT + choice) * codes.MAX_EFFECTS


@kernel
def is_in_table(battle, unit) -> bool:
    """Whether a unit's strikes can be looked up: the battle has a table, and the unit's attack is as at set-up."""
    return battle.strikes.state == codes.PREPARED and unit.attack_up == unit.attack_down


@kernel
def damage_from_table(battle, unit, target, row: int) -> int:
    """The damage of one effect on one target, from the table."""
    both: int = battle.strikes.damage[row & codes.LAST_STRIKE, target.index & codes.LAST_SLOT]
    chance = battle.strikes.chances[unit.index & codes.LAST_SLOT]
    if chance != codes.NO_ROLL and d100_within(battle.dice, chance) <= chance:
        return both >> CRITICAL_SHIFT
    return both & DAMAGE_MASK
