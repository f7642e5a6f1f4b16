"""Decides from the record whether a battle is played in lanes: by bounds on every number that rows must hold."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS, MULTIPLE_OF
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.lockstep.state import (
    COMPARED_SHARES,
    LARGE_AMOUNTS,
    LARGE_SUMS,
    LARGEST_PERCENTAGE,
    LARGEST_SUM,
    MANY_EFFECTS,
    MOST_EFFECTS,
    MOST_TIMES,
    NOT_PLANNED,
    SHORT_LANES,
)
from fracas.rulesets.relics.rules.constants import (
    COUNT,
    EFFECT_MASK,
    ENEMY_FACTS,
    FACT_AMOUNT,
    HP_PCT,
    LARGEST,
    MODIFIER_MASK,
    MODIFIER_SLOTS,
    OP_MASK,
    PIECE_MASK,
    SET_COUNTER,
    SIDES,
)


@kernel_noinline
def plan_battle(battle: Any, plan: Any) -> None:
    """Find out whether a battle is played in lanes, and why not.

    Rule:    none.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    plan.bits = NOT_PLANNED
    plan.reason = 0
    plan.counters = 0
    for side in range(SIDES):
        span = battle.builds[side].effects
        if span.first + span.entries > MOST_EFFECTS:
            plan.reason = MANY_EFFECTS
            return
        for place in range(span.first, span.first + span.entries):
            judge_effect(battle, plan, battle.effects[place & EFFECT_MASK])
        for modifier in range(MODIFIER_SLOTS):
            judge_modifiers(battle, plan, battle.builds[side].modifiers[modifier])
    if plan.reason == 0:
        plan.bits = SHORT_LANES


@kernel
def judge_effect(battle: Any, plan: Any, effect: Any) -> None:
    """Judge the numbers of an effect, and note its piece if it keeps a counter.

    Rule:    none.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    judge_condition(battle, plan, effect.condition)
    for place in range(effect.first_op, effect.first_op + effect.op_count):
        op = battle.ops[place & OP_MASK]
        judge_condition(battle, plan, op.condition)
        judge_amount(plan, op.amount)
        if op.verb == COUNT or op.verb == SET_COUNTER:
            plan.counters |= 1 << (effect.source & PIECE_MASK)


@kernel
def judge_modifiers(battle: Any, plan: Any, span: Any) -> None:
    """Judge a fighter's modifiers of a kind.

    Rule:    relics/README.md, Modifiers.
    Changes: the plan's reason.
    Draws:   none.
    Emits:   nothing.
    """
    total = 0
    for place in range(span.first, span.first + span.entries):
        entry = battle.modifiers[place & MODIFIER_MASK]
        judge_condition(battle, plan, entry.condition)
        judge_amount(plan, entry.amount)
        total += LARGEST if entry.amount.kind == FACT_AMOUNT else abs(entry.amount.number)
    if total > LARGEST_SUM:
        plan.reason = LARGE_SUMS


@kernel
def judge_amount(plan: Any, amount: Any) -> None:
    """Judge a counted amount.

    Rule:    relics/README.md, Ops, An amount.
    Changes: the plan's reason.
    Draws:   none.
    Emits:   nothing.
    """
    if amount.kind == FACT_AMOUNT and abs(amount.times) > MOST_TIMES:
        plan.reason = LARGE_AMOUNTS


@kernel
def judge_condition(battle: Any, plan: Any, condition: Any) -> None:
    """Judge the comparisons of a condition.

    Rule:    docs/reference/conditions.md.
    Changes: the plan's reason.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(condition.first_step, condition.first_step + condition.step_count):
        step = battle.steps[place]
        if step.op == COMPARE:
            is_share = is_percentage(battle.asks[condition.first_ask + step.subject].fact)
            is_far = abs(step.number) > LARGEST_PERCENTAGE
            if is_share and (is_far or step.compare == MULTIPLE_OF):
                plan.reason = COMPARED_SHARES
        elif step.op == COMPARE_SLOTS:
            one = is_percentage(battle.asks[condition.first_ask + step.subject].fact)
            other = is_percentage(battle.asks[condition.first_ask + step.number].fact)
            if one or other or step.compare == MULTIPLE_OF:
                plan.reason = COMPARED_SHARES


@kernel
def is_percentage(fact: int) -> bool:
    """Whether a fact is a share of HP.

    Rule:    relics/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return fact == HP_PCT or fact == ENEMY_FACTS + HP_PCT
