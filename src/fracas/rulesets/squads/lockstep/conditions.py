"""Evaluates conditions in lanes: kernel/condition_evaluator.py for 64 battles at once. docs/reference/conditions.md."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.condition_logic import apply_logic, by_relation
from fracas.lanes.operations import load_mask, store_mask
from fracas.rulesets.squads.lockstep.facts import (
    compares,
    extreme_share_compares,
    fraction,
    is_share,
    plain_fact,
    share_compares,
)
from fracas.rulesets.squads.rules import constants as codes


@kernel
def condition_holds(state, battle, unit, planned) -> Any:
    """Where a choice's condition holds (README, Conditions)."""
    depth = 0
    for index in range(planned.first_step, planned.first_step + planned.step_count):
        step = battle.steps[index]
        if step.op == COMPARE:
            answer = fact_compares(state, battle, unit, battle.asks[planned.first_ask + step.subject], step)
            store_mask(state, depth, answer)
            depth += 1
        elif step.op == COMPARE_SLOTS:
            one = battle.asks[planned.first_ask + step.subject]
            other = battle.asks[planned.first_ask + step.number]
            store_mask(state, depth, facts_compare(state, battle, unit, one, other, step.compare))
            depth += 1
        else:
            depth = apply_logic(state, step.op, depth)
    return load_mask(state, 0)


@kernel_noinline
def fact_compares(state, battle, unit, ask, step) -> Any:
    """Where a fact has a relation to a number."""
    if not is_share(ask):
        return compares(state, plain_fact(state, battle, unit, ask), step.compare, step.number)
    if ask.fact == codes.SELF_HP_PCT:
        return share_compares(state, unit, step.compare, step.number)
    return extreme_share_compares(state, battle, unit, ask.fact, step.compare, step.number)


@kernel_noinline
def facts_compare(state, battle, unit, one, other, relation: int):
    """Where a fact has a relation to another fact; fractions are cross-multiplied."""
    first, first_of = fraction(state, battle, unit, one)
    second, second_of = fraction(state, battle, unit, other)
    first, second = first * second_of, second * first_of
    return by_relation(first < second, first <= second, relation)
