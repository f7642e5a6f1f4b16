"""Evaluates conditions in lanes: kernel/condition_evaluator.py and rules/condition_facts.py for 64 duels at once."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.condition_logic import apply_logic, by_relation
from fracas.lanes.operations import larger, load, load_mask, look_up, select, splat, store_mask
from fracas.lanes.reals import as_reals, splat_reals
from fracas.rulesets.titans.lockstep.plan_conditions import owner_of, row_of
from fracas.rulesets.titans.lockstep.state import ZERO_SUM
from fracas.rulesets.titans.rules.constants import (
    ENEMY_FACTS,
    FIRST_STAT_FACT,
    HP_PCT,
    LEAST_SUM,
    SELF_FACTS,
    STAT_MASK,
)
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel_noinline
def condition_holds(state: Any, battle: Any, plan: Any, index: int, place: int) -> Any:
    """Where the condition of a player's rule in this place holds.

    Rule:    titans/README.md, Conditions; docs/reference/conditions.md.
    Changes: state.masks.
    Draws:   none.
    Emits:   nothing.
    """
    rule = battle.policies[index].rules[place]
    test = plan.first_test[index, place]
    depth = 0
    for number in range(rule.first_step, rule.first_step + rule.step_count):
        step = battle.steps[number]
        if step.op == COMPARE:
            store_mask(state, depth, passes(state, plan, plan.tests[test]))
            test += 1
            depth += 1
        elif step.op == COMPARE_SLOTS:
            one, other = battle.asks[rule.first_ask + step.subject], battle.asks[rule.first_ask + step.number]
            store_mask(state, depth, facts_compare(state, battle, index, one.fact, other.fact, step.compare))
            depth += 1
        else:
            depth = apply_logic(state, step.op, depth)
    return load_mask(state, 0)


@kernel
def passes(state: Any, plan: Any, test: Any) -> Any:
    """Where the number of a row passes a test.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    number, low = load(state, test.row), splat(state, test.low)
    within = (number >= low) & (number <= splat(state, test.high))
    if test.first >= 0:
        # Idle lanes may hold any number.
        within = look_up(plan.answers, test.first, select(within, number - low, splat(state, 0))) != splat(state, 0)
    elif test.is_outside:
        within = ~within
    return within


@kernel_noinline
def facts_compare(state: Any, battle: Any, index: int, fact: int, other: int, relation: int) -> Any:
    """Where a fact has a relation to another fact; fractions are cross-multiplied, exactly: below 2^53.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one = numerator(state, battle, index, fact) * splat_reals(float(denominator(battle, index, other)))
    another = numerator(state, battle, index, other) * splat_reals(float(denominator(battle, index, fact)))
    return by_relation(one < another, one <= another, relation)


@kernel
def denominator(battle: Any, index: int, fact: int) -> int:
    """The denominator of a fact.

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    kind = fact - (ENEMY_FACTS if fact >= ENEMY_FACTS else SELF_FACTS)
    if fact >= SELF_FACTS and kind == HP_PCT:
        return titan_at(battle, owner_of(index, fact)).max_hp  # type: ignore[no-any-return]
    return 100 if fact >= SELF_FACTS and kind >= FIRST_STAT_FACT else 1


@kernel
def numerator(state: Any, battle: Any, index: int, fact: int) -> Any:
    """The numerator of a fact that is a number; conditions compare only numbers with each other.

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    kind = fact - (ENEMY_FACTS if fact >= ENEMY_FACTS else SELF_FACTS)
    number = as_reals(load(state, row_of(index, fact)))
    if fact >= SELF_FACTS and kind == HP_PCT:
        number = number * splat_reals(100.0)
    elif fact >= SELF_FACTS and kind >= FIRST_STAT_FACT:
        stat = kind - FIRST_STAT_FACT & STAT_MASK
        total = larger(load(state, row_of(index, fact)), splat(state, ZERO_SUM + LEAST_SUM))
        number = (as_reals(total) + splat_reals(100.0 - ZERO_SUM)) * splat_reals(
            float(titan_at(battle, owner_of(index, fact)).stats[stat])
        )
    return number
