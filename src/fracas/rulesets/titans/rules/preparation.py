"""Fills the tables of choices from a duel's record; after changing a record, fill them again.

The rules: titans/README.md, The table of choices; State; docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS, compare
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.choice_table import AXIS_MASK, HP_MASK, ROLLS, RULE_SHIFT, offset_of, situation_of
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.mechanics import refresh
from fracas.rulesets.titans.rules.rule_matching import choice_of, is_possible
from fracas.rulesets.titans.rules.titan_stats import is_legal, opponent_of, titan_at


@kernel
def prepare_once(battle) -> None:
    """Fill the tables of choices if the record has none yet."""
    if battle.choice_tables[0].state == codes.UNPREPARED:
        prepare(battle)


@kernel_noinline
def prepare(battle) -> None:
    """Fill both players' tables of choices. Afterwards the titans are as at set-up."""
    for index in range(codes.PLAYERS):
        refresh_both(battle)
        prepare_player(battle, titan_at(battle, index))
    refresh_both(battle)
    battle.tick = 0


@kernel_noinline
def refresh_both(battle) -> None:
    """Reset both titans to their state at the start of a duel (README, Set-up)."""
    for index in range(codes.PLAYERS):
        refresh(battle, titan_at(battle, index))


@kernel_noinline
def prepare_player(battle, one) -> None:
    """Fill a player's table of choices, or mark the player as one whose policy allows none."""
    table, policy = battle.choice_tables[one.index & 1], battle.policies[one.index & 1]
    table.state = codes.WITHOUT_TABLE
    if policy.kind != codes.BY_RULES or max(one.max_hp, opponent_of(battle, one).max_hp) > codes.LARGEST_HP:
        return
    clear(table)
    if not mark_comparisons(battle, one, policy, table):
        return
    mark_costs(battle, one, table)
    if not lay_out(battle, one, table):
        return
    for axis in range(codes.AXES):
        put_value(battle, one, axis, 0)
    has_more = True
    while has_more:
        table.entries[situation_of(battle, one, table)] = entry_by_rules(battle, one, policy)
        has_more = go_on(battle, one, table)
    table.state = codes.PREPARED


@kernel_noinline
def clear(table) -> None:
    """Forget what an earlier record came to."""
    table.asks_stats = 0
    for axis in range(codes.AXES):
        for value in range(codes.HP_PLACES if axis < codes.HP_AXES else codes.AXIS_PLACES):
            put_offset(table, axis, value, 0)
    for situation in range(codes.MAX_SITUATIONS):
        table.entries[situation] = 0


@kernel
def mark_comparisons(battle, one, policy, table) -> bool:
    """Mark the values at which a comparison's answer changes; false if one has two facts, or if there are too many.

    Changes: the table's offsets and asks_stats; battle.titans, battle.tick, battle.facts.
    """
    count = 0
    for index in range(policy.rule_count):
        rule = policy.rules[index & codes.RULE_MASK]
        for at in range(rule.first_step, rule.first_step + rule.step_count):
            step = battle.steps[at]
            if step.op == COMPARE_SLOTS:
                return False
            if step.op == COMPARE:
                count += 1
                if count > codes.MAX_COMPARISONS:
                    return False
                ask = rule.first_ask + step.subject
                axis = axis_of(battle.asks[ask].fact)
                if axis == codes.NO_AXIS:
                    table.asks_stats = 1
                else:
                    mark_comparison(battle, one, table, axis, step, ask)
    return True


@kernel_noinline
def mark_comparison(battle, one, table, axis: int, step, ask: int) -> None:
    """Mark the values of an axis at which the answer of a comparison changes."""
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
def mark_costs(battle, one, table) -> None:
    """Mark the values of the own charge at which a choice becomes legal (README, Choices)."""
    for value in range(1, codes.MAX_CHARGE + 1):
        for choice in range(codes.CHOICES):
            one.charge = value - 1
            before = is_legal(one, choice)
            one.charge = value
            if is_legal(one, choice) != before:
                put_offset(table, codes.OWN_CHARGE, value, 1)


@kernel_noinline
def lay_out(battle, one, table) -> bool:
    """Turn the marks into offsets, so that situations are numbered from 0; false if there are too many.

    Changes: the table's offsets.
    """
    situations = 1
    for axis in range(codes.AXES):
        ranges = 0
        for value in range(axis_end(battle, one, axis)):
            ranges += offset_of(table, axis, value)
            if (ranges + 1) * situations > codes.MAX_SITUATIONS:
                return False
            put_offset(table, axis, value, ranges * situations)
        situations *= ranges + 1
    return True


@kernel_noinline
def go_on(battle, one, table) -> bool:
    """Go on to the next situation, by the least value of each range; false after the last.

    Changes: battle.titans, battle.tick.
    """
    for axis in range(codes.AXES):
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
def entry_by_rules(battle, one, policy) -> int:
    """The entry for the current situation, by the policy's rules (README, Policies, rules)."""
    for index in range(policy.rule_count):
        rule = policy.rules[index & codes.RULE_MASK]
        choice = choice_of(one, rule.choice)
        if is_possible(battle, one, rule, choice):
            return ROLLS if rule.chance < 100 else index + 1 << RULE_SHIFT | choice
    return codes.ATTACK


@kernel
def axis_of(fact: int) -> int:
    """The axis that a fact depends on; NO_AXIS if it is one of the stat changes (README, Conditions, facts)."""
    if fact < codes.SELF_FACTS:
        return codes.ROUND
    is_enemys = fact >= codes.ENEMY_FACTS
    of_titan = fact - (codes.ENEMY_FACTS if is_enemys else codes.SELF_FACTS)
    if of_titan >= codes.FIRST_STAT_FACT or of_titan == codes.IS_BUFFED or of_titan == codes.IS_DEBUFFED:
        return codes.NO_AXIS
    if of_titan == codes.HP_PCT or of_titan == codes.HP:
        return codes.ENEMY_HP if is_enemys else codes.OWN_HP
    if of_titan == codes.CHARGE or of_titan == codes.IS_READY:
        return codes.ENEMY_CHARGE if is_enemys else codes.OWN_CHARGE
    return codes.ENEMY_LAST_CHOICE if is_enemys else codes.OWN_LAST_CHOICE


@kernel_noinline
def axis_end(battle, one, axis: int) -> int:
    """The first number after the values of an axis, which begin at 0."""
    end: int = battle.options.round_cap + 1
    if axis == codes.OWN_HP:
        end = one.max_hp + 1
    elif axis == codes.ENEMY_HP:
        end = opponent_of(battle, one).max_hp + 1
    elif axis == codes.OWN_CHARGE or axis == codes.ENEMY_CHARGE:
        end = codes.MAX_CHARGE + 1
    elif axis == codes.OWN_LAST_CHOICE or axis == codes.ENEMY_LAST_CHOICE:
        end = codes.CHOICES - codes.NOTHING_CHOSEN
    return end


@kernel_noinline
def value_of(battle, one, axis: int) -> int:
    """The current value on an axis."""
    is_enemys = axis == codes.ENEMY_HP or axis == codes.ENEMY_CHARGE or axis == codes.ENEMY_LAST_CHOICE
    who = opponent_of(battle, one) if is_enemys else one
    value: int = battle.tick
    if axis == codes.OWN_HP or axis == codes.ENEMY_HP:
        value = who.hp
    elif axis == codes.OWN_CHARGE or axis == codes.ENEMY_CHARGE:
        value = who.charge
    elif axis == codes.OWN_LAST_CHOICE or axis == codes.ENEMY_LAST_CHOICE:
        value = who.last_choice - codes.NOTHING_CHOSEN
    return value


@kernel_noinline
def put_value(battle, one, axis: int, value: int) -> None:
    """Put a value on an axis."""
    is_enemys = axis == codes.ENEMY_HP or axis == codes.ENEMY_CHARGE or axis == codes.ENEMY_LAST_CHOICE
    who = opponent_of(battle, one) if is_enemys else one
    if axis == codes.OWN_HP or axis == codes.ENEMY_HP:
        who.hp = value
    elif axis == codes.OWN_CHARGE or axis == codes.ENEMY_CHARGE:
        who.charge = value
    elif axis == codes.OWN_LAST_CHOICE or axis == codes.ENEMY_LAST_CHOICE:
        who.last_choice = value + codes.NOTHING_CHOSEN
    else:
        battle.tick = value


@kernel_noinline
def put_offset(table, axis: int, value: int, offset: int) -> None:
    """Put what a value on an axis adds to the number of the situation."""
    if axis < codes.HP_AXES:
        table.hp_offsets[value & HP_MASK, axis] = offset
    else:
        table.offsets[value & AXIS_MASK, axis - codes.HP_AXES] = offset
