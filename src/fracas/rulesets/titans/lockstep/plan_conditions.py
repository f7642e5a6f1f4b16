"""Turns comparisons of facts with numbers into tests of the row that a fact depends on.

Every fact of a condition depends on one number of the duel: HP, charge, the sum of a stat's changes, the last choice,
the round. The rules themselves read and compare the fact for each number; the test remembers which give true.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import COMPARE, compare
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.lockstep.state import (
    CHARGE,
    HP,
    LAST_CHOICE,
    LOWERED,
    RAISED,
    SUMS,
    TICK,
    UNTIL,
    ZERO_SUM,
)
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.constants import (
    BY_RULES,
    CHOICES,
    ENEMY_FACTS,
    FIRST_STAT_FACT,
    HP_PCT,
    IS_BUFFED,
    IS_DEBUFFED,
    IS_READY,
    MAX_CHANGES,
    MAX_CHARGE,
    PLAYERS,
    ROUND_NUMBER,
    SELF_FACTS,
    STAT_MASK,
)
from fracas.rulesets.titans.rules.constants import CHARGE as CHARGE_FACT
from fracas.rulesets.titans.rules.constants import HP as HP_FACT
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel
def owner_of(index: int, fact: int) -> int:
    """Whose fact it is: a player's own, or the opponent's; of facts about the duel the player's.

    Rule:    titans/README.md, Conditions.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 1 - index if fact >= ENEMY_FACTS else index


@kernel
def row_of(index: int, fact: int) -> int:
    """The row that a fact depends on, for the player with this index.

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact < SELF_FACTS:
        return TICK
    kind = fact - (ENEMY_FACTS if fact >= ENEMY_FACTS else SELF_FACTS)
    row = LAST_CHOICE
    if kind >= FIRST_STAT_FACT:
        row = SUMS + PLAYERS * (kind - FIRST_STAT_FACT & STAT_MASK)
    elif kind == HP_PCT or kind == HP_FACT:
        row = HP
    elif kind == CHARGE_FACT or kind == IS_READY:
        row = CHARGE
    elif kind == IS_BUFFED:
        row = RAISED
    elif kind == IS_DEBUFFED:
        row = LOWERED
    return row + owner_of(index, fact)


@kernel
def is_number(fact: int) -> bool:
    """Whether a fact is a number, not a flag.

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact < SELF_FACTS:
        return fact == ROUND_NUMBER
    kind = fact - (ENEMY_FACTS if fact >= ENEMY_FACTS else SELF_FACTS)
    return kind >= FIRST_STAT_FACT or kind == HP_PCT or kind == HP_FACT or kind == CHARGE_FACT


@kernel
def smallest_number(battle: Any, index: int, fact: int) -> int:
    """The smallest number that the row of a fact can have.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    row = row_of(index, fact)
    return most_changed(battle, row, -1) if SUMS <= row < UNTIL else 0


@kernel
def largest_number(battle: Any, index: int, fact: int) -> int:
    """The largest number that the row of a fact can have.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    row = row_of(index, fact)
    number = MAX_CHANGES
    if row == TICK:
        number = battle.options.round_cap
    elif row < HP + PLAYERS:
        number = titan_at(battle, owner_of(index, fact)).max_hp
    elif row < CHARGE + PLAYERS:
        number = MAX_CHARGE
    elif LAST_CHOICE <= row < LAST_CHOICE + PLAYERS:
        number = CHOICES
    elif row >= SUMS:
        number = most_changed(battle, row, 1)
    return number


@kernel
def most_changed(battle: Any, row: int, sign: int) -> int:
    """The number of a stat's row with every change that raises the stat (1), or every one that lowers it (-1).

    Rule:    titans/README.md, Stat changes.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    total = ZERO_SUM
    for place in range(battle.change_count):
        change = battle.changes[place]
        if change.stat == (row - SUMS) // PLAYERS and change.percent * sign > 0:
            total += change.percent
    return total


@kernel_noinline
def plan_tests(battle: Any, plan: Any) -> None:
    """Plan a test for every comparison of a fact with a number.

    Rule:    titans/README.md, Conditions.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    plan.answer_count = 0
    plan.test_count = 0
    for index in range(PLAYERS):
        policy = battle.policies[index]
        if policy.kind == BY_RULES:
            for place in range(policy.rule_count):
                rule = policy.rules[place]
                plan.first_test[index, place] = plan.test_count
                for number in range(rule.first_step, rule.first_step + rule.step_count):
                    step = battle.steps[number]
                    if step.op == COMPARE:
                        plan_test(battle, plan, index, rule.first_ask + step.subject, step)
                        plan.test_count += 1


@kernel
def plan_test(battle: Any, plan: Any, index: int, ask: int, step: Any) -> None:
    """Plan the next test: the numbers that give true are an interval, or those around one, or a list.

    Rule:    docs/reference/conditions.md.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    test = plan.tests[plan.test_count]
    fact = battle.asks[ask].fact
    least, most = smallest_number(battle, index, fact), largest_number(battle, index, fact)
    test.row = row_of(index, fact)
    test.first = -1
    # Where the answer turns, at most twice if an interval decides.
    turns = 0
    low, high = least, most
    begins = answer_for(battle, index, ask, step, least)
    before = begins
    for number in range(least + 1, most + 1):
        answer = answer_for(battle, index, ask, step, number)
        if answer != before:
            turns += 1
            if turns == 1:
                low = number
            elif turns == 2:
                high = number - 1
        before = answer
    test.low, test.high = low, high
    test.is_outside = 1 if begins and turns > 0 else 0
    if turns == 0 and not begins:
        # no number at all
        test.is_outside = 1
    if turns > 2:
        test.first, test.low, test.high = plan.answer_count, least, most
        for number in range(least, most + 1):
            plan.answers[plan.answer_count] = 1 if answer_for(battle, index, ask, step, number) else 0
            plan.answer_count += 1


@kernel_noinline
def answer_for(battle: Any, index: int, ask: int, step: Any, number: int) -> bool:
    """Whether a comparison holds if the row of its fact has this number; the duel's own numbers are put back.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    fact = battle.asks[ask].fact
    owner = owner_of(index, fact)
    row = row_of(index, fact) - (owner if fact >= SELF_FACTS else 0)
    who = titan_at(battle, owner)
    answer = battle.facts[0]
    numerator, denominator = answer.numerator, answer.denominator
    stat = (row - SUMS) // PLAYERS & STAT_MASK
    tick, hp, charge, last, total = battle.tick, who.hp, who.charge, who.last_choice, who.sums[stat]
    if row == TICK:
        battle.tick = number
    elif row == HP:
        who.hp = number
    elif row == CHARGE:
        who.charge = number
    elif row == LAST_CHOICE:
        who.last_choice = number - 1
    elif row >= SUMS:
        who.sums[stat] = number - ZERO_SUM
    read_situation(battle, titan_at(battle, index), ask, 1)
    if row == RAISED or row == LOWERED:
        answer.numerator, answer.denominator = min(number, 1), 1
    holds = compare(answer.numerator, answer.denominator, step.compare, step.number)
    battle.tick, who.hp, who.charge, who.last_choice, who.sums[stat] = tick, hp, charge, last, total
    answer.numerator, answer.denominator = numerator, denominator
    return holds
