"""Read the facts of a policy's conditions: the round, the titan and its opponent. titans/README.md, Conditions."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.titan_stats import has_change, is_sudden_death, opponent_of


@kernel_noinline
def read_situation(battle, one, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector for a condition."""
    for slot in range(ask_count):
        fact = battle.asks[first_ask + slot].fact
        answer = battle.facts[slot]
        answer.denominator = 1
        if fact >= codes.ENEMY_FACTS:
            read_titan(battle, opponent_of(battle, one), fact - codes.ENEMY_FACTS, answer)
        elif fact >= codes.SELF_FACTS:
            read_titan(battle, one, fact - codes.SELF_FACTS, answer)
        elif fact == codes.ROUND_NUMBER:
            answer.numerator = battle.tick
        else:
            answer.numerator = 1 if is_sudden_death(battle) else 0


@kernel
def read_titan(battle, who, fact: int, answer) -> None:
    """Read a numeric fact about one of the titans; shares and stats are exact fractions."""
    if fact == codes.HP_PCT:
        answer.numerator = 100 * who.hp
        answer.denominator = who.max_hp
    elif fact == codes.HP:
        answer.numerator = who.hp
    elif fact == codes.CHARGE:
        answer.numerator = who.charge
    elif fact >= codes.FIRST_STAT_FACT:
        stat = fact - codes.FIRST_STAT_FACT & codes.STAT_MASK
        answer.numerator = who.stats[stat] * (100 + max(who.sums[stat], codes.LEAST_SUM))
        answer.denominator = 100
    else:
        answer.numerator = 1 if has_status(battle, who, fact) else 0


@kernel
def has_status(battle, who, fact: int) -> bool:
    """Read a true-or-false fact about one of the titans."""
    if fact == codes.IS_READY:
        return who.charge >= who.cheapest
    if fact == codes.IS_BUFFED:
        return bears_any(battle, who, 1)
    if fact == codes.IS_DEBUFFED:
        return bears_any(battle, who, -1)
    if fact == codes.HAS_ATTACKED:
        return who.last_choice == codes.ATTACK
    if fact == codes.HAS_DEFENDED:
        return who.last_choice == codes.DEFEND
    if fact == codes.HAS_RESTED:
        return who.last_choice == codes.REST
    return fact == codes.HAS_USED_ABILITY and who.last_choice >= codes.FIRST_ABILITY


@kernel
def bears_any(battle, who, sign: int) -> bool:
    """Whether a titan has a change that raises a stat (1) or lowers one (-1)."""
    if who.active > 0:
        for place in range(battle.change_count):
            if has_change(who, place) and battle.changes[place & codes.CHANGE_MASK].percent * sign > 0:
                return True
    return False
