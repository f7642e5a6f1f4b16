"""Evaluates conditions in kernels: a short postfix program over a vector of facts.

A program is a list of steps and a list of asks. Ask k says which number goes into slot k of the fact vector; the
ruleset puts it there, once per decision, before the steps are evaluated:

    group SCALAR        the scalar fact with the code `fact`; a percentage is (100 * hp, max_hp), any other (value, 1),
                        a flag (0 or 1, 1); `compare` and `number` are unused
    any other group     (count, 1), where count is how many living units of the group have a unit fact `fact` that
                        `compares` with `number`; a status is a fact that is 0 or 1 and asked as `> 0`
    fact EVERY_UNIT     (count, 1), where count is how many living units the group has

So "any" is count > 0, "all" is count == living, and the steps only compare slots.

The rules: docs/reference/conditions.md.
"""

from __future__ import annotations

import numpy as np

from fracas.kernel.jit import kernel
from fracas.kernel.records import record

# Operations
PUSH_TRUE, PUSH_FALSE, COMPARE, COMPARE_SLOTS, AND, OR, NOT = range(1, 8)

# Comparisons; MULTIPLE_OF asks whether the fact is divisible by the number
LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL, MULTIPLE_OF = range(1, 8)

# The group of facts that belong to no group
SCALAR = 0
# Instead of a unit fact: every living unit counts
EVERY_UNIT = -1

# Truth values are the 63 usable bits of one integer. A condition's tree is at most 32 deep and a named condition adds
# at most 8, so its stack stays far from that limit.
STACK_BITS = 63

step_t = record(("op", np.int64), ("subject", np.int64), ("compare", np.int64), ("number", np.int64))
ask_t = record(("group", np.int64), ("fact", np.int64), ("compare", np.int64), ("number", np.int64))
fact_t = record(("numerator", np.int64), ("denominator", np.int64))


@kernel
def compare(numerator: int, denominator: int, compare: int, number: int) -> bool:
    """Whether the fraction numerator/denominator has the given relation to a whole number; the denominator is above 0.

    No division, so percentages compare exactly.
    """
    bound = number * denominator
    if compare == LESS:
        return numerator < bound
    if compare == AT_MOST:
        return numerator <= bound
    if compare == MORE:
        return numerator > bound
    if compare == AT_LEAST:
        return numerator >= bound
    if compare == EQUAL:
        return numerator == bound
    if compare == UNEQUAL:
        return numerator != bound
    return bound > 0 and numerator % bound == 0


@kernel
def evaluate(battle, first: int, length: int) -> bool:
    """Whether a compiled condition is true for the facts; a program without steps is true.

    `battle` is any record with `steps` (step_t) and `facts` (fact_t); slots count from `facts[0]`.
    """
    stack = 1
    for index in range(first, first + length):
        step = battle.steps[index]
        op = step.op
        if op == COMPARE or op == COMPARE_SLOTS:
            fact = battle.facts[step.subject]
            if op == COMPARE:
                answer = compare(fact.numerator, fact.denominator, step.compare, step.number)
            else:
                other = battle.facts[step.number]
                answer = compare(fact.numerator * other.denominator, fact.denominator, step.compare, other.numerator)
            stack = stack * 2 + (1 if answer else 0)
        elif op == PUSH_TRUE:
            stack = stack * 2 + 1
        elif op == PUSH_FALSE:
            stack = stack * 2
        elif op == AND:
            stack = (stack >> 1) & (stack | -2)
        elif op == OR:
            stack = (stack >> 1) | (stack & 1)
        else:
            stack = stack ^ 1
    return stack & 1 == 1
