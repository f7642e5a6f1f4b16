"""Looks choices up, so that duels without a log evaluate a policy's conditions once and not in every round.

While no stat change is active, a player's rules depend on seven numbers: HP, charge and last choice of both, and the
round. On each of these axes the policy's comparisons only distinguish a few ranges of values. The table holds what the
rules choose in every combination of ranges. Rules with a chance, and everything where a log needs the rolls, go through
the conditions (policies.py); they are the specification of the table.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules.constants import (
    AXIS_PLACES,
    BY_RULE,
    ENEMY_CHARGE,
    ENEMY_HP,
    ENEMY_LAST_CHOICE,
    HP_AXES,
    HP_PLACES,
    MAX_SITUATIONS,
    NOTHING_CHOSEN,
    OWN_CHARGE,
    OWN_HP,
    OWN_LAST_CHOICE,
    PREPARED,
    ROUND,
)
from fracas.rulesets.titans.rules.titan_stats import opponent_of

# An entry: the choice in the low bits, the number of the rule plus 1 above; or ROLLS where a rule with a chance comes
# first.
RULE_SHIFT = 4
CHOICE_BITS = (1 << RULE_SHIFT) - 1
ROLLS = 0xFFFF

HP_MASK = HP_PLACES - 1
AXIS_MASK = AXIS_PLACES - 1
SITUATION_MASK = MAX_SITUATIONS - 1


@kernel
def has_table(battle: Any, one: Any) -> bool:
    """Whether a player's choice can be looked up: it has a table, and no stat change matters.

    Rule:    titans/README.md, The table of choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    table = battle.choice_tables[one.index & 1]
    if table.state != PREPARED:
        return False
    answer: bool = table.asks_stats == 0 or (one.active == 0 and opponent_of(battle, one).active == 0)
    return answer


@kernel
def entry_for(battle: Any, one: Any) -> int:
    """The entry of a player's table for the current situation.

    Rule:    titans/README.md, The table of choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    table = battle.choice_tables[one.index & 1]
    return int(table.entries[situation_of(battle, one, table) & SITUATION_MASK])


@kernel
def choice_by_entry(one: Any, entry: int) -> int:
    """Choose as an entry of a table says.

    Rule:    titans/README.md, Policies, rules.
    Changes: one.why, one.rule.
    Draws:   none.
    Emits:   nothing.
    """
    one.rule = (entry >> RULE_SHIFT) - 1
    if one.rule != NOBODY:
        one.why = BY_RULE
    return entry & CHOICE_BITS


@kernel
def situation_of(battle: Any, one: Any, table: Any) -> int:
    """The number of the current situation in a player's table.

    Rule:    titans/README.md, The table of choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    other = opponent_of(battle, one)
    return (
        offset_of(table, OWN_HP, one.hp)
        + offset_of(table, ENEMY_HP, other.hp)
        + offset_of(table, OWN_CHARGE, one.charge)
        + offset_of(table, ENEMY_CHARGE, other.charge)
        + offset_of(table, OWN_LAST_CHOICE, one.last_choice - NOTHING_CHOSEN)
        + offset_of(table, ENEMY_LAST_CHOICE, other.last_choice - NOTHING_CHOSEN)
        + offset_of(table, ROUND, battle.tick)
    )


@kernel
def offset_of(table: Any, axis: int, value: int) -> int:
    """What a value on an axis adds to the number of the situation.

    Rule:    titans/README.md, The table of choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if axis < HP_AXES:
        return int(table.hp_offsets[value & HP_MASK, axis])
    return int(table.offsets[value & AXIS_MASK, axis - HP_AXES])
