"""Decides from the record whether a battle is played in lanes: by bounds on every number that rows must hold."""

from __future__ import annotations

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS, MULTIPLE_OF
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.known_options import options_beyond
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.facts import is_beyond_lanes
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.options import options_t

# The rule options that lanes follow: those that compiling leaves to battles.
KNOWN_OPTIONS = (
    "tie_breaker",
    "allow_pre_phase",
    "freeze_side",
    "freeze_decay",
    "thorns_clear",
    "death_check",
    "corroded_bone_receiver",
    "onhit_damage_route",
    "riptide_route",
    "cadence_parity",
    "fatigue_start",
    "turn_cap",
)
has_unknown_option = options_beyond(options_t, KNOWN_OPTIONS)


@kernel_noinline
def plan_battle(battle, plan) -> None:
    """Find out whether a battle is played in lanes, and why not."""
    plan.bits = rows.NOT_PLANNED
    plan.reason = 0
    plan.counters = 0
    if has_unknown_option(battle.options):
        plan.reason = rows.UNKNOWN_OPTION
    for side in range(codes.SIDES):
        span = battle.builds[side].effects
        if span.first + span.entries > rows.MOST_EFFECTS:
            plan.reason = rows.MANY_EFFECTS
            return
        for index in range(span.first, span.first + span.entries):
            judge_effect(battle, plan, battle.effects[index & codes.EFFECT_MASK])
        for modifier in range(codes.MODIFIER_SLOTS):
            judge_modifiers(battle, plan, battle.builds[side].modifiers[modifier])
    if plan.reason == 0:
        plan.bits = rows.SHORT_LANES


@kernel
def judge_effect(battle, plan, effect) -> None:
    """Judge the numbers of an effect, and note its piece if it keeps a counter."""
    judge_condition(battle, plan, effect.condition)
    for index in range(effect.first_op, effect.first_op + effect.op_count):
        op = battle.ops[index & codes.OP_MASK]
        judge_condition(battle, plan, op.condition)
        judge_amount(plan, op.amount)
        if op.verb == codes.COUNT or op.verb == codes.SET_COUNTER:
            plan.counters |= 1 << (effect.source & codes.PIECE_MASK)


@kernel
def judge_modifiers(battle, plan, span) -> None:
    """Judge a fighter's modifiers of a kind (README, Modifiers)."""
    total = 0
    for index in range(span.first, span.first + span.entries):
        entry = battle.modifiers[index & codes.MODIFIER_MASK]
        judge_condition(battle, plan, entry.condition)
        judge_amount(plan, entry.amount)
        total += codes.LARGEST if entry.amount.kind == codes.FACT_AMOUNT else abs(entry.amount.number)
    if total > rows.LARGEST_SUM:
        plan.reason = rows.LARGE_SUMS


@kernel
def judge_amount(plan, amount) -> None:
    """Judge a counted amount (README, Ops, An amount)."""
    if amount.kind == codes.FACT_AMOUNT:
        if abs(amount.times) > rows.MOST_TIMES:
            plan.reason = rows.LARGE_AMOUNTS
        if is_beyond_lanes(amount.fact):
            plan.reason = rows.UNKNOWN_FACT


@kernel
def judge_condition(battle, plan, condition) -> None:
    """Judge the facts and comparisons of a condition (docs/reference/conditions.md)."""
    for index in range(condition.first_ask, condition.first_ask + condition.ask_count):
        if is_beyond_lanes(battle.asks[index].fact):
            plan.reason = rows.UNKNOWN_FACT
    for index in range(condition.first_step, condition.first_step + condition.step_count):
        step = battle.steps[index]
        if step.op == COMPARE:
            is_share = is_percentage(battle.asks[condition.first_ask + step.subject].fact)
            is_far = abs(step.number) > rows.LARGEST_PERCENTAGE
            if is_share and (is_far or step.compare == MULTIPLE_OF):
                plan.reason = rows.COMPARED_SHARES
        elif step.op == COMPARE_SLOTS:
            one = is_percentage(battle.asks[condition.first_ask + step.subject].fact)
            other = is_percentage(battle.asks[condition.first_ask + step.number].fact)
            if one or other or step.compare == MULTIPLE_OF:
                plan.reason = rows.COMPARED_SHARES


@kernel
def is_percentage(fact: int) -> bool:
    """Whether a fact is a share of HP (README, Conditions, facts)."""
    return fact == codes.HP_PCT or fact == codes.ENEMY_FACTS + codes.HP_PCT
