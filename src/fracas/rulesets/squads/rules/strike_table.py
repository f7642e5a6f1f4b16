"""Looks up the damage of strikes, so that battles without a log run the damage chain once and not at every hit.

Between two units in their set-up state an effect's damage is one of two numbers, and a roll decides which. The table
holds both. If attack up or attack down changes a unit's attack, or if a log needs every stage, the chain itself runs
(damage.py); it is the specification of the table.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import d100_within
from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules.constants import (
    CHOICE_COUNT,
    LAST_SLOT,
    LAST_STRIKE,
    MAX_EFFECTS,
    NO_ROLL,
    PREPARED,
)

# A table entry: damage in the low bits, damage of a critical hit above.
CRITICAL_SHIFT = 32
DAMAGE_MASK = (1 << CRITICAL_SHIFT) - 1


@kernel
def first_strike(unit: Any, choice: int) -> int:
    """The table's row for the first effect of a unit's choice.

    Rule:    squads/README.md, The strike table.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    row: int = (unit.index * CHOICE_COUNT + choice) * MAX_EFFECTS
    return row


@kernel
def is_in_table(battle: Any, unit: Any) -> bool:
    """Whether a unit's strikes can be looked up: the battle has a table, and the unit's attack is as at set-up.

    Rule:    squads/README.md, The strike table.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = battle.strikes.state == PREPARED and unit.attack_up == unit.attack_down
    return answer


@kernel
def damage_from_table(battle: Any, unit: Any, target: Any, row: int) -> int:
    """The damage of one effect on one target, from the table.

    Rule:    squads/README.md, The strike table.
    Changes: nothing.
    Draws:   d100() if the chain has a critical stage.
    Emits:   nothing.
    """
    both: int = battle.strikes.damage[row & LAST_STRIKE, target.index & LAST_SLOT]
    chance = battle.strikes.chances[unit.index & LAST_SLOT]
    if chance != NO_ROLL and d100_within(battle.dice, chance) <= chance:
        return both >> CRITICAL_SHIFT
    return both & DAMAGE_MASK
