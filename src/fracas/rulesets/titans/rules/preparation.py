"""Fills the tables of choices from a duel's record; after changing a record, fill them again."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS, compare
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules.choice_table import AXIS_MASK, HP_MASK, ROLLS, RULE_SHIFT, offset_of, situation_of
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.constants import (
    ATTACK,
    AXES,
    AXIS_PLACES,
    BY_RULES,
    CHARGE,
    CHOICES,
    ENEMY_CHARGE,
    ENEMY_FACTS,
    ENEMY_HP,
    ENEMY_LAST_CHOICE,
    FIRST_STAT_FACT,
    HP,
    HP_AXES,
    HP_PCT,
    HP_PLACES,
    IS_BUFFED,
    IS_DEBUFFED,
    IS_READY,
    LARGEST_HP,
    MAX_CHARGE,
    MAX_COMPARISONS,
    MAX_SITUATIONS,
    NO_AXIS,
    NOTHING_CHOSEN,
    OWN_CHARGE,
    OWN_HP,
    OWN_LAST_CHOICE,
    PLAYERS,
    PREPARED,
    ROUND,
    RULE_MASK,
    SELF_FACTS,
    UNPREPARED,
    WITHOUT_TABLE,
)
from fracas.rulesets.titans.rules.mechanics import refresh
from fracas.rulesets.titans.rules.rule_matching import choice_of, is_possible
from fracas.rulesets.titans.rules.titan_stats import is_legal, opponent_of, titan_at


@kernel
def prepare_once(battle: Any) -> None:
    """Fill the tables of choices if the record has none yet.

    Rule:    titans/README.md, The table of choices.
    Changes: as prepare.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.choice_tables[0].state == UNPREPARED:
        prepare(battle)


@kernel_noinline
def prepare(battle: Any) -> None:
    """Fill both players' tables of choices. Afterwards the titans are as at set-up.

    Rule:    titans/README.md, The table of choices.
    Changes: battle.choice_tables, battle.titans, battle.tick, battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    for index in range(PLAYERS):
        refresh_both(battle)
        prepare_player(battle, titan_at(battle, index))
    refresh_both(battle)
    battle.tick = 0


@kernel_noinline
def refresh_both(battle: Any) -> None:
    """Reset both titans to their state at the start of a duel.

    Rule:    titans/README.md, Set-up.
    Changes: battle.titans.
    Draws:   none.
    Emits:   nothing.
    """
    for index in range(PLAYERS):
        refresh(battle, titan_at(battle, index))


@kernel_noinline
def prepare_player(battle: Any, one: Any) -> None:
    """Fill a player's table of choices, or mark the player as one whose policy allows none.

    Rule:    titans/README.md, The table of choices.
    Changes: battle.choice_tables, battle.titans, battle.tick, battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    table, policy = battle.choice_tables[one.index & 1], battle.policies[one.index & 1]
    table.state = WITHOUT_TABLE
    if policy.kind != BY_RULES or max(one.max_hp, opponent_of(battle, one).max_hp) > LARGEST_HP:
        return
    clear(table)
    if not mark_comparisons(battle, one, policy, table):
        return
    mark_costs(battle, one, table)
    if not lay_out(battle, one, table):
        return
    for axis in range(AXES):
        put_value(battle, one, axis, 0)
    has_more = True
    while has_more:
        table.entries[situation_of(battle, one, table)] = entry_by_rules(battle, one, policy)
        has_more = go_on(battle, one, table)
    table.state = PREPARED


@kernel_noinline
def clear(table: Any) -> None:
    """Forget what an earlier record came to.

    Rule:    titans/README.md, The table of choices.
    Changes: the table.
    Draws:   none.
    Emits:   nothing.
    """
    table.asks_stats = 0
    for axis in range(AXES):
        for value in range(HP_PLACES if axis < HP_AXES else AXIS_PLACES):
            put_offset(table, axis, value, 0)
    for situation in range(MAX_SITUATIONS):
        table.entries[situation] = 0


@kernel
def mark_comparisons(battle: Any, one: Any, policy: Any, table: Any) -> bool:
    """Mark the values at which a comparison's answer changes; false if one has two facts, or if there are too many.

    Rule:    docs/reference/conditions.md.
    Changes: the table's offsets and asks_stats; battle.titans, battle.tick, battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    count = 0
    for place in range(policy.rule_count):
        rule = policy.rules[place & RULE_MASK]
        for at in range(rule.first_step, rule.first_step + rule.step_count):
            step = battle.steps[at]
            if step.op == COMPARE_SLOTS:
                return False
            if step.op == COMPARE:
                count += 1
                if count > MAX_COMPARISONS:
                    return False
                ask = rule.first_ask + step.subject
                axis = axis_of(battle.asks[ask].fact)
                if axis == NO_AXIS:
                    table.asks_stats = 1
                else:
                    mark_comparison(battle, one, table, axis, step, ask)
    return True


@kernel_noinline
def mark_comparison(battle: Any, one: Any, table: Any, axis: int, step: Any, ask: int) -> None:
    """Mark the values of an axis at which the answer of a comparison changes.

    Rule:    docs/reference/conditions.md.
    Changes: the table's offsets; battle.titans, battle.tick, battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    before = False
    fact = battle.facts[0]
    for value in range(axis_end(battle, one, axis)):
        put_value(battle, one, axis, value)
        read_situation(battle, one, ask, 1)
        answer = compare(fact.numerator, fact.denominator, step.compare, step.number)
        if value > 0 and answer != before:
            put_offset(table, axis, value, 1)
        before = answer


@kernel_noinline
def mark_costs(battle: Any, one: Any, table: Any) -> None:
    """Mark the values of the own charge at which a choice becomes legal.

    Rule:    titans/README.md, Choices.
    Changes: the table's offsets; one.charge.
    Draws:   none.
    Emits:   nothing.
    """
    for value in range(1, MAX_CHARGE + 1):
        for choice in range(CHOICES):
            one.charge = value - 1
            before = is_legal(one, choice)
            one.charge = value
            if is_legal(one, choice) != before:
                put_offset(table, OWN_CHARGE, value, 1)


@kernel_noinline
def lay_out(battle: Any, one: Any, table: Any) -> bool:
    """Turn the marks into offsets, so that situations are numbered from 0; false if there are too many.

    Rule:    titans/README.md, The table of choices.
    Changes: the table's offsets.
    Draws:   none.
    Emits:   nothing.
    """
    situations = 1
    for axis in range(AXES):
        ranges = 0
        for value in range(axis_end(battle, one, axis)):
            ranges += offset_of(table, axis, value)
            if (ranges + 1) * situations > MAX_SITUATIONS:
                return False
            put_offset(table, axis, value, ranges * situations)
        situations *= ranges + 1
    return True


@kernel_noinline
def go_on(battle: Any, one: Any, table: Any) -> bool:
    """Go on to the next situation, by the least value of each range; false after the last.

    Rule:    titans/README.md, The table of choices.
    Changes: battle.titans, battle.tick.
    Draws:   none.
    Emits:   nothing.
    """
    for axis in range(AXES):
        value = value_of(battle, one, axis)
        end = axis_end(battle, one, axis)
        here = offset_of(table, axis, value)
        while value < end and offset_of(table, axis, value) == here:
            value += 1
        if value < end:
            put_value(battle, one, axis, value)
            return True
        put_value(battle, one, axis, 0)
    return False


@kernel_noinline
def entry_by_rules(battle: Any, one: Any, policy: Any) -> int:
    """The entry for the current situation, by the policy's rules.

    Rule:    titans/README.md, Policies, rules.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(policy.rule_count):
        rule = policy.rules[place & RULE_MASK]
        choice = choice_of(one, rule.choice)
        if is_possible(battle, one, rule, choice):
            return ROLLS if rule.chance < 100 else place + 1 << RULE_SHIFT | choice
    return ATTACK


@kernel
def axis_of(fact: int) -> int:
    """The axis that a fact depends on; NO_AXIS if it is one of the stat changes.

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact < SELF_FACTS:
        return ROUND
    is_enemys = fact >= ENEMY_FACTS
    of_titan = fact - (ENEMY_FACTS if is_enemys else SELF_FACTS)
    if of_titan >= FIRST_STAT_FACT or of_titan == IS_BUFFED or of_titan == IS_DEBUFFED:
        return NO_AXIS
    if of_titan == HP_PCT or of_titan == HP:
        return ENEMY_HP if is_enemys else OWN_HP
    if of_titan == CHARGE or of_titan == IS_READY:
        return ENEMY_CHARGE if is_enemys else OWN_CHARGE
    return ENEMY_LAST_CHOICE if is_enemys else OWN_LAST_CHOICE


@kernel_noinline
def axis_end(battle: Any, one: Any, axis: int) -> int:
    """The first number after the values of an axis, which begin at 0.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    end: int = battle.options.round_cap + 1
    if axis == OWN_HP:
        end = one.max_hp + 1
    elif axis == ENEMY_HP:
        end = opponent_of(battle, one).max_hp + 1
    elif axis == OWN_CHARGE or axis == ENEMY_CHARGE:
        end = MAX_CHARGE + 1
    elif axis == OWN_LAST_CHOICE or axis == ENEMY_LAST_CHOICE:
        end = CHOICES - NOTHING_CHOSEN
    return end


@kernel_noinline
def value_of(battle: Any, one: Any, axis: int) -> int:
    """The current value on an axis.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    is_enemys = axis == ENEMY_HP or axis == ENEMY_CHARGE or axis == ENEMY_LAST_CHOICE
    who = opponent_of(battle, one) if is_enemys else one
    value: int = battle.tick
    if axis == OWN_HP or axis == ENEMY_HP:
        value = who.hp
    elif axis == OWN_CHARGE or axis == ENEMY_CHARGE:
        value = who.charge
    elif axis == OWN_LAST_CHOICE or axis == ENEMY_LAST_CHOICE:
        value = who.last_choice - NOTHING_CHOSEN
    return value


@kernel_noinline
def put_value(battle: Any, one: Any, axis: int, value: int) -> None:
    """Put a value on an axis.

    Rule:    titans/README.md, State.
    Changes: battle.titans, battle.tick.
    Draws:   none.
    Emits:   nothing.
    """
    is_enemys = axis == ENEMY_HP or axis == ENEMY_CHARGE or axis == ENEMY_LAST_CHOICE
    who = opponent_of(battle, one) if is_enemys else one
    if axis == OWN_HP or axis == ENEMY_HP:
        who.hp = value
    elif axis == OWN_CHARGE or axis == ENEMY_CHARGE:
        who.charge = value
    elif axis == OWN_LAST_CHOICE or axis == ENEMY_LAST_CHOICE:
        who.last_choice = value + NOTHING_CHOSEN
    else:
        battle.tick = value


@kernel_noinline
def put_offset(table: Any, axis: int, value: int, offset: int) -> None:
    """Put what a value on an axis adds to the number of the situation.

    Rule:    titans/README.md, The table of choices.
    Changes: the table's offsets.
    Draws:   none.
    Emits:   nothing.
    """
    if axis < HP_AXES:
        table.hp_offsets[value & HP_MASK, axis] = offset
    else:
        table.offsets[value & AXIS_MASK, axis - HP_AXES] = offset
