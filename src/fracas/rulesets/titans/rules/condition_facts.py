"""Read the facts of a policy's conditions: the round, the titan and its opponent. titans/README.md, Conditions."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules.constants import (
    ATTACK,
    CHANGE_MASK,
    CHARGE,
    DEFEND,
    ENEMY_FACTS,
    FIRST_ABILITY,
    FIRST_STAT_FACT,
    HAS_ATTACKED,
    HAS_DEFENDED,
    HAS_RESTED,
    HAS_USED_ABILITY,
    HP,
    HP_PCT,
    IS_BUFFED,
    IS_DEBUFFED,
    IS_READY,
    LEAST_SUM,
    REST,
    ROUND_NUMBER,
    SELF_FACTS,
    STAT_MASK,
)
from fracas.rulesets.titans.rules.titan_stats import has_change, is_sudden_death, opponent_of


@kernel_noinline
def read_situation(battle: Any, one: Any, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector for a condition.

    Rule:    titans/README.md, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    for slot in range(ask_count):
        fact = battle.asks[first_ask + slot].fact
        answer = battle.facts[slot]
        answer.denominator = 1
        if fact >= ENEMY_FACTS:
            read_titan(battle, opponent_of(battle, one), fact - ENEMY_FACTS, answer)
        elif fact >= SELF_FACTS:
            read_titan(battle, one, fact - SELF_FACTS, answer)
        elif fact == ROUND_NUMBER:
            answer.numerator = battle.tick
        else:
            answer.numerator = 1 if is_sudden_death(battle) else 0


@kernel
def read_titan(battle: Any, who: Any, fact: int, answer: Any) -> None:
    """Read a numeric fact about one of the titans; shares and stats are exact fractions.

    Rule:    titans/README.md, Conditions, facts.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == HP_PCT:
        answer.numerator = 100 * who.hp
        answer.denominator = who.max_hp
    elif fact == HP:
        answer.numerator = who.hp
    elif fact == CHARGE:
        answer.numerator = who.charge
    elif fact >= FIRST_STAT_FACT:
        stat = fact - FIRST_STAT_FACT & STAT_MASK
        answer.numerator = who.stats[stat] * (100 + max(who.sums[stat], LEAST_SUM))
        answer.denominator = 100
    else:
        answer.numerator = 1 if has_status(battle, who, fact) else 0


@kernel
def has_status(battle: Any, who: Any, fact: int) -> bool:
    """Read a true-or-false fact about one of the titans.

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == IS_READY:
        return who.charge >= who.cheapest
    if fact == IS_BUFFED:
        return bears_any(battle, who, 1)
    if fact == IS_DEBUFFED:
        return bears_any(battle, who, -1)
    if fact == HAS_ATTACKED:
        return who.last_choice == ATTACK
    if fact == HAS_DEFENDED:
        return who.last_choice == DEFEND
    if fact == HAS_RESTED:
        return who.last_choice == REST
    return fact == HAS_USED_ABILITY and who.last_choice >= FIRST_ABILITY


@kernel
def bears_any(battle: Any, who: Any, sign: int) -> bool:
    """Whether a titan has a change that raises a stat (1) or lowers one (-1).

    Rule:    titans/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if who.active > 0:
        for place in range(battle.change_count):
            if has_change(who, place) and battle.changes[place & CHANGE_MASK].percent * sign > 0:
                return True
    return False
