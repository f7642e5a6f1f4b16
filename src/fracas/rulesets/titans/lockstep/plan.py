"""Plans a duel for lanes: whether it fits, what its choices can do, and what each level of experience needs.

A plan is worked out from the record alone, once before many duels. Whatever it cannot hold gives a reason, and then the
rules of rules/ play. All whole numbers of a duel fit into 16 bits: HP up to 10,000, charge up to 100, rounds up to
2,000, and sums of changes from -5,760 to 57,600.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS, MULTIPLE_OF
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.lockstep.plan_conditions import is_number, largest_number, smallest_number
from fracas.rulesets.titans.lockstep.state import (
    ANY_ORDER,
    BY_KNOCK_OUT,
    MANY_ANSWERS,
    MANY_CHANCES,
    MANY_TESTS,
    MOST_ANSWERS,
    MOST_CHANCES,
    MOST_TESTS,
    NOT_PLANNED,
    ORDER_WITH_ALL,
    ORDER_WITH_BLOWS,
    OUTCOMES,
    SHORT_LANES,
    STRANGE_CONDITION,
    TRAINED_POLICY,
    WITHOUT_WIN,
)
from fracas.rulesets.titans.rules.constants import (
    ACCURACY_STAT,
    ATTACK,
    BY_NETWORK,
    BY_RULES,
    CHANGE_EFFECT,
    CHARGE_EFFECT,
    CHOICES,
    CRITICAL_STAT,
    DAMAGE_EFFECT,
    DRAW,
    EVASION_STAT,
    FIRST_ABILITY,
    KNOCK_OUT,
    LARGEST_LEVEL,
    MAX_CHANGES,
    NEXT_LEVEL,
    PLAYERS,
    SET_CHARGE_EFFECT,
    SHIELD_EFFECT,
    STAMINA_STAT,
    STAT_AMOUNT,
    STATS,
    UNDECIDED,
)
from fracas.rulesets.titans.rules.mechanics import experience_gained
from fracas.rulesets.titans.rules.rolls import critical_chance, hit_chance
from fracas.rulesets.titans.rules.titan_stats import ability_at, changed, opponent_of, titan_at


@kernel_noinline
def plan_duel(battle: Any, plan: Any) -> None:
    """Plan a duel, all but its tests: `bits` says how wide lanes must be; if 0, `reason` says why there are none.

    Rule:    none; docs/adr/0033.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    plan.bits = NOT_PLANNED
    plan.reason = 0
    plan.test_count = 0
    plan.answer_count = 0
    for index in range(PLAYERS):
        policy = battle.policies[index]
        if policy.kind == BY_NETWORK:
            plan.reason = TRAINED_POLICY
        elif policy.kind == BY_RULES:
            judge_rules(battle, plan, index, policy)
    if plan.answer_count > MOST_ANSWERS:
        plan.reason = MANY_ANSWERS
    if plan.test_count > MOST_TESTS:
        plan.reason = MANY_TESTS
    if plan.reason != 0:
        return
    plan.bits = SHORT_LANES
    for index in range(PLAYERS):
        plan.can_shield[index] = 0
        plan.bears_any[index] = 0
        for change in range(MAX_CHANGES):
            plan.can_bear[index, change] = 0
    for index in range(PLAYERS):
        plan_bearers(battle, plan, titan_at(battle, index))
    for index in range(PLAYERS):
        plan_stats(battle, plan, titan_at(battle, index))
        plan_choices(battle, plan, titan_at(battle, index))
        plan_levels(battle, plan, titan_at(battle, index))


@kernel
def judge_rules(battle: Any, plan: Any, index: int, policy: Any) -> None:
    """Judge the rules of a policy, and count the tests and answers that their conditions need.

    Rule:    titans/README.md, Policies, rules.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    chances = 0
    for place in range(policy.rule_count):
        rule = policy.rules[place]
        chances += 1 if rule.chance < 100 else 0
        for number in range(rule.first_step, rule.first_step + rule.step_count):
            step = battle.steps[number]
            if step.op == COMPARE:
                plan.test_count += 1
            if step.op == COMPARE and step.compare == MULTIPLE_OF:
                fact = battle.asks[rule.first_ask + step.subject].fact
                plan.answer_count += largest_number(battle, index, fact) - smallest_number(battle, index, fact) + 1
            elif step.op == COMPARE_SLOTS:
                one, other = battle.asks[rule.first_ask + step.subject], battle.asks[rule.first_ask + step.number]
                if step.compare == MULTIPLE_OF or not is_number(one.fact) or not is_number(other.fact):
                    plan.reason = STRANGE_CONDITION
    if chances > MOST_CHANCES:
        plan.reason = MANY_CHANCES


@kernel
def plan_bearers(battle: Any, plan: Any, one: Any) -> None:
    """Find which changes a titan's abilities can start, and whether it can have a shield.

    Rule:    titans/README.md, Effects.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(one.ability_count):
        ability = ability_at(battle, one.abilities[place])
        for number in range(ability.effect_count):
            effect = ability.effects[number]
            if effect.kind == SHIELD_EFFECT:
                plan.can_shield[one.index] = 1
            elif effect.kind == CHANGE_EFFECT:
                bearer = one.index if effect.on_self != 0 else 1 - one.index
                plan.can_bear[bearer, effect.change] = 1
                plan.bears_any[bearer] = 1


@kernel
def plan_stats(battle: Any, plan: Any, one: Any) -> None:
    """Note a titan's stats without changes, and the chances of its blows.

    Rule:    titans/README.md, Hits.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    other = opponent_of(battle, one)
    for stat in range(len(STATS)):
        plan.now[one.index, stat] = changed(one.stats[stat], 0)
    accuracy, critical, evasion = one.now[ACCURACY_STAT], one.now[CRITICAL_STAT], other.now[EVASION_STAT]
    one.now[ACCURACY_STAT] = plan.now[one.index, ACCURACY_STAT]
    one.now[CRITICAL_STAT] = plan.now[one.index, CRITICAL_STAT]
    other.now[EVASION_STAT] = changed(other.stats[EVASION_STAT], 0)
    plan.hit_chance[one.index] = hit_chance(one, other)
    plan.critical_chance[one.index] = critical_chance(one)
    one.now[ACCURACY_STAT], one.now[CRITICAL_STAT], other.now[EVASION_STAT] = accuracy, critical, evasion


@kernel
def plan_choices(battle: Any, plan: Any, one: Any) -> None:
    """Note what each of a titan's choices can do.

    Rule:    titans/README.md, Choices; Effects.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    index = one.index
    for choice in range(CHOICES):
        plan.draws[index, choice] = 1 if choice == ATTACK else 0
        plan.strikes[index, choice] = 1 if choice == ATTACK else 0
        plan.most[index, choice] = 0.0
        plan.order[index, choice] = ANY_ORDER
    for place in range(one.ability_count):
        choice = FIRST_ABILITY + place
        ability = ability_at(battle, one.abilities[place])
        for number in range(ability.effect_count):
            effect = ability.effects[number]
            if effect.kind == DAMAGE_EFFECT:
                plan.strikes[index, choice] = 1
                plan.most[index, choice] += most_of(battle, plan, one, effect)
                if battle.options.misses != 0 or (battle.options.criticals != 0 and effect.source == STAT_AMOUNT):
                    plan.draws[index, choice] = 1
            else:
                plan.order[index, choice] = max(plan.order[index, choice], order_of(battle, effect))


@kernel
def most_of(battle: Any, plan: Any, one: Any, effect: Any) -> float:
    """The most that an effect can deal, or more.

    Rule:    titans/README.md, Effects.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    amount = float(effect.amount)
    if effect.source == STAT_AMOUNT:
        total = 0
        for place in range(battle.change_count):
            if plan.can_bear[one.index, place] and battle.changes[place].stat == effect.stat:
                total += max(battle.changes[place].percent, 0)
        amount = effect.times * changed(one.stats[effect.stat], total) * 1.5
    return amount


@kernel
def order_of(battle: Any, effect: Any) -> int:
    """When it matters whether an effect happens before or after what the opponent does.

    Rule:    titans/README.md, Effects; Acting.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.kind == CHARGE_EFFECT or effect.kind == SET_CHARGE_EFFECT:
        return ANY_ORDER if effect.on_self != 0 else ORDER_WITH_ALL
    if effect.kind == CHANGE_EFFECT and effect.on_self == 0 and battle.changes[effect.change].stat == STAMINA_STAT:
        return ORDER_WITH_ALL
    return ORDER_WITH_BLOWS


@kernel
def plan_levels(battle: Any, plan: Any, one: Any) -> None:
    """Work out how many levels a titan rises after each kind of outcome: each draws a block of dice.

    Rule:    titans/README.md, Experience.
    Changes: the plan.
    Draws:   none.
    Emits:   nothing.
    """
    winner, reason = battle.winner, battle.reason
    for outcome in range(OUTCOMES):
        battle.winner = DRAW if outcome == WITHOUT_WIN else one.index + 1
        battle.reason = KNOCK_OUT if outcome == BY_KNOCK_OUT else UNDECIDED
        level, experience = one.level, one.experience + experience_gained(battle, one)
        while level < LARGEST_LEVEL and experience >= NEXT_LEVEL[level - 1]:
            experience -= NEXT_LEVEL[level - 1]
            level += 1
        plan.risen[one.index, outcome] = level - one.level if battle.options.experience != 0 else 0
    battle.winner, battle.reason = winner, reason
