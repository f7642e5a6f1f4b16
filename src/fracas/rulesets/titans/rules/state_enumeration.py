"""State enumeration for exact odds: cut a duel into steps after which equal states are merged.

A round has three steps: both choose and speed decides who acts first; the first acts; the second acts and the round
ends. The rules are those of mechanics.py; outcomes of rolls over real numbers come from outcome_probabilities.py.
`speed_roll` holds who has yet to act: 2, then 1.

The rules: titans/README.md, The round; Conditions.
"""

from __future__ import annotations

from fracas.kernel.enumerating_dice import REALS, outcome_of_chance
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.expected_values import chance_to_act_first
from fracas.rulesets.titans.rules.mechanics import act, end_round, judge_misses, set_up, start_round
from fracas.rulesets.titans.rules.outcome_probabilities import REAL_SLACK
from fracas.rulesets.titans.rules.policies import choose
from fracas.rulesets.titans.rules.titan_stats import titan_at

STEPS = 3
ACTS_FIRST, ACTS_SECOND, HAS_ACTED = 2.0, 1.0, 0.0

# The parts of the record that one step changes and another reads. The rest is constant, or written before it is read.
STATE = ("tick", "winner", "reason", "titans")


@kernel
def step(battle, page) -> None:
    """Play the set-up or one of a round's three steps (README, Order of play)."""
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    if page.begins:
        set_up(battle, None)
        one.speed_roll = HAS_ACTED
        other.speed_roll = HAS_ACTED
    elif one.speed_roll == HAS_ACTED and other.speed_roll == HAS_ACTED:
        both_choose(battle)
    else:
        actor = one if one.speed_roll > other.speed_roll else other
        is_second = actor.speed_roll == ACTS_SECOND
        act(battle, actor, 2 if is_second else 1, None)
        actor.speed_roll = HAS_ACTED
        if is_second and battle.reason == codes.UNDECIDED:
            end_round(battle, None)
    forget(battle, one)
    forget(battle, other)
    page.over = battle.reason != codes.UNDECIDED
    page.rounds = battle.tick
    page.moment = (battle.tick + 1) * STEPS - int(max(one.speed_roll, other.speed_roll))


@kernel
def both_choose(battle) -> None:
    """Start a round: both choose, and speed decides who acts first."""
    start_round(battle, None)
    for index in range(codes.PLAYERS):
        choose(battle, titan_at(battle, index), None)
    judge_misses(battle)
    if battle.reason == codes.UNDECIDED:
        one, other = titan_at(battle, 0), titan_at(battle, 1)
        weight = int(chance_to_act_first(one, other) * REALS)
        is_first = outcome_of_chance(battle.dice, weight, REALS)
        battle.dice.slack += REAL_SLACK
        one.speed_roll = ACTS_FIRST if is_first else ACTS_SECOND
        other.speed_roll = ACTS_SECOND if is_first else ACTS_FIRST


@kernel
def forget(battle, one) -> None:
    """Clear what no rule will read again, so that equivalent states are equal (README, State).

    What was chosen counts until both have acted; then only for conditions that ask for it.
    """
    one.why = codes.BY_DEFAULT
    one.rule = NOBODY
    one.last_choice = codes.NOTHING_CHOSEN
    is_over = max(titan_at(battle, 0).speed_roll, titan_at(battle, 1).speed_roll) == HAS_ACTED
    if is_over and not is_remembered(battle):
        one.choice = codes.NOTHING_CHOSEN


@kernel
def is_remembered(battle) -> bool:
    """Whether a condition asks for a choice of the previous round."""
    for index in range(codes.PLAYERS):
        policy = battle.policies[index]
        for position in range(policy.rule_count):
            rule = policy.rules[position & codes.RULE_MASK]
            for slot in range(rule.first_ask, rule.first_ask + rule.ask_count):
                if asks_for_choice(battle.asks[slot].fact):
                    return True
    return False


@kernel
def asks_for_choice(fact: int) -> bool:
    """Whether a fact is a titan's choice in the previous round."""
    if fact < codes.SELF_FACTS:
        return False
    own = fact - codes.ENEMY_FACTS if fact >= codes.ENEMY_FACTS else fact - codes.SELF_FACTS
    return (
        own == codes.HAS_ATTACKED
        or own == codes.HAS_DEFENDED
        or own == codes.HAS_RESTED
        or own == codes.HAS_USED_ABILITY
    )
