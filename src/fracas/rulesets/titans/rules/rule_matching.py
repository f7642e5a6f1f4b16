"""Whether a rule of a policy applies, and which choice it makes. titans/README.md, Policies, rules."""

from __future__ import annotations

from fracas.kernel.condition_evaluator import evaluate
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.constants import ANY_ABILITY, FIRST_ABILITY, NOTHING_CHOSEN
from fracas.rulesets.titans.rules.titan_stats import is_legal


@kernel_noinline
def is_possible(battle, one, rule, choice: int) -> bool:
    """Whether a rule's choice is legal and its condition holds."""
    if not is_legal(one, choice):
        return False
    if rule.step_count == 0:
        return True
    read_situation(battle, one, rule.first_ask, rule.ask_count)
    return evaluate(battle, rule.first_step, rule.step_count)


@kernel
def choice_of(one, wanted: int) -> int:
    """The choice of a rule; for any ability, the first that the titan can afford."""
    if wanted != ANY_ABILITY:
        return wanted
    for index in range(one.ability_count):
        if is_legal(one, FIRST_ABILITY + index):
            return FIRST_ABILITY + index
    return NOTHING_CHOSEN
