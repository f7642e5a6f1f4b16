"""Looks choices up, so that duels without a log evaluate a policy's conditions once and not in every round.

While no stat change is active, a player's rules depend on seven numbers: HP, charge and last choice of both, and the
round. On each of these axes the policy's comparisons only distinguish a few ranges of values. The table holds what the
rules choose in every combination of ranges. Rules with a chance, and everything where a log needs the rolls, go through
the conditions (policies.py); they are the specification of the table.

The rules: titans/README.md, The table of choices.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.titan_stats import opponent_of

# An entry: the choice in the low bits, the number of the rule plus 1 above; or ROLLS where a rule with a chance comes
# first.
RULE_SHIFT = 4
CHOICE_BITS = (1 << RULE_SHIFT) - 1
ROLLS = 0xFFFF

HP_MASK = codes.HP_PLACES - 1
AXIS_MASK = codes.AXIS_PLACES - 1
SITUATION_MASK = codes.MAX_SITUATIONS - 1


@kernel
def has_table(battle, one) -> bool:
    """Whether a player's choice can be looked up: it has a table, and no stat change matters."""
    table = battle.choice_tables[one.index & 1]
    if table.state != codes.PREPARED:
        return False
    return table.asks_stats == 0 or (one.active == 0 and opponent_of(battle, one).active == 0)


@kernel
def entry_for(battle, one) -> int:
    """The entry of a player's table for the current situation."""
    table = battle.choice_tables[one.index & 1]
    return int(table.entries[situation_of(battle, one, table) & SITUATION_MASK])


@kernel
def choice_by_entry(one, entry: int) -> int:
    """Choose as an entry of a table says (README, Policies, rules).

    Changes: one.why, one.rule.
    """
    one.rule = (entry >> RULE_SHIFT) - 1
    if one.rule != NOBODY:
        one.why = codes.BY_RULE
    return entry & CHOICE_BITS


@kernel
def situation_of(battle, one, table) -> int:
    """The number of the current situation in a player's table."""
    other = opponent_of(battle, one)
    return (
        offset_of(table, codes.OWN_HP, one.hp)
        + offset_of(table, codes.ENEMY_HP, other.hp)
        + offset_of(table, codes.OWN_CHARGE, one.charge)
        + offset_of(table, codes.ENEMY_CHARGE, other.charge)
        + offset_of(table, codes.OWN_LAST_CHOICE, one.last_choice - codes.NOTHING_CHOSEN)
        + offset_of(table, codes.ENEMY_LAST_CHOICE, other.last_choice - codes.NOTHING_CHOSEN)
        + offset_of(table, codes.ROUND, battle.tick)
    )


@kernel
def offset_of(table, axis: int, value: int) -> int:
    """What a value on an axis adds to the number of the situation."""
    if axis < codes.HP_AXES:
        return int(table.hp_offsets[value & HP_MASK, axis])
    return int(table.offsets[value & AXIS_MASK, axis - codes.HP_AXES])
