"""The logic of conditions in lanes, the same in every ruleset; kernel/condition_evaluator.py for 64 battles at once.

A ruleset evaluates the comparisons itself, because only it knows its facts.

The rules: docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import AND, AT_LEAST, AT_MOST, EQUAL, LESS, MORE, NOT, OR, PUSH_TRUE
from fracas.kernel.jit import kernel
from fracas.lanes.operations import load_mask, no_lanes, store_mask


@kernel
def apply_logic(state, op: int, depth: int) -> int:
    """Apply a step that is no comparison to the first `depth` truth values; returns how many there are now."""
    if op == AND or op == OR:
        depth -= 1
        first, second = load_mask(state, depth - 1), load_mask(state, depth)
        store_mask(state, depth - 1, first & second if op == AND else first | second)
    elif op == NOT:
        store_mask(state, depth - 1, ~load_mask(state, depth - 1))
    else:
        store_mask(state, depth, ~no_lanes() if op == PUSH_TRUE else no_lanes())
        depth += 1
    return depth


@kernel
def by_relation(is_below, is_at_most, relation: int):
    """Where something has a relation, from where it is below and where it is at most the number."""
    if relation == LESS:
        answer = is_below
    elif relation == AT_MOST:
        answer = is_at_most
    elif relation == MORE:
        answer = ~is_at_most
    elif relation == AT_LEAST:
        answer = ~is_below
    elif relation == EQUAL:
        answer = is_at_most & ~is_below
    else:
        answer = is_below | ~is_at_most
    return answer
