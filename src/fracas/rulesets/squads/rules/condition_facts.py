"""Reads the facts that conditions ask for, of the deciding unit and of groups. squads/README.md, Conditions.

The rules: docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import extreme_share, unit_at


@kernel
def read_situation(battle, unit, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector with the answers to a condition's asks."""
    for slot in range(ask_count):
        ask = battle.asks[first_ask + slot]
        answer = battle.facts[slot]
        answer.denominator = 1
        if ask.group == SCALAR:
            read_fact(battle, unit, ask.fact, answer)
        else:
            place = unit.side if ask.group == codes.ALLIES else 1 - unit.side
            answer.numerator = count_matching(battle, place, ask)


@kernel
def count_matching(battle, place: int, ask) -> int:
    """Count the living units of a side that match an ask."""
    side = battle.sides[place]
    count = 0
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit_matches(unit, ask):
            count += 1
    return count


@kernel
def unit_matches(unit, ask) -> bool:
    """Whether one unit of a group matches an ask."""
    if ask.fact == EVERY_UNIT:
        return True
    if ask.fact == codes.UNIT_HP_PCT:
        return compare(100 * unit.hp, unit.max_hp, ask.compare, ask.number)
    value = unit.charge if ask.fact == codes.UNIT_CHARGE else has_status(unit, ask.fact)
    return compare(value, 1, ask.compare, ask.number)


@kernel
def read_fact(battle, unit, fact: int, answer) -> None:
    """Answer a scalar fact about the deciding unit's situation."""
    if fact == codes.SELF_HP_PCT:
        share(unit, answer)
    elif fact == codes.SELF_CHARGE:
        answer.numerator = unit.charge
    elif fact == codes.SELF_COOLDOWN:
        answer.numerator = unit.cooldown
    elif fact == codes.ROUND_NUMBER:
        answer.numerator = battle.tick
    elif fact == codes.ALLY_COUNT:
        answer.numerator = own_side(battle, unit).living
    elif fact == codes.ENEMY_COUNT:
        answer.numerator = other_side(battle, unit).living
    elif fact >= codes.SELF_STATUS_OFFSET:
        answer.numerator = has_status(unit, fact - codes.SELF_STATUS_OFFSET)
    else:
        read_extreme_share(battle, unit, fact, answer)


@kernel
def read_extreme_share(battle, unit, fact: int, answer) -> None:
    """Answer with the lowest or highest HP share of a side."""
    own = fact == codes.ALLIES_LOWEST or fact == codes.ALLIES_HIGHEST
    lowest = fact == codes.ALLIES_LOWEST or fact == codes.ENEMIES_LOWEST
    found = extreme_share(battle, unit.side if own else 1 - unit.side, 1 if lowest else -1)
    share(unit_at(battle, found), answer)


@kernel
def share(unit, answer) -> None:
    """Answer with a unit's share of its HP, as an exact fraction."""
    answer.numerator = 100 * unit.hp
    answer.denominator = unit.max_hp


@kernel
def has_status(unit, status: int) -> int:
    """1 if a unit has a status, else 0.

    A buff is a shield, attack up or taunt.
    """
    if status >= codes.FIRST_CLASS_FACT:
        return 1 if unit.role == status - codes.FIRST_CLASS_FACT else 0
    return 1 if statuses_of(unit) & codes.STATUS_PARTS[status - codes.IS_BUFFED] != 0 else 0


@kernel
def statuses_of(unit) -> int:
    """The simple statuses that a unit has, as a bit set."""
    found = 0
    if unit.shield > 0:
        found |= 1 << codes.IS_SHIELDED
    if unit.attack_up > 0:
        found |= 1 << codes.IS_ATTACK_UP
    if unit.attack_down > 0:
        found |= 1 << codes.IS_ATTACK_DOWN
    if unit.taunt_until > 0:
        found |= 1 << codes.IS_TAUNTING
    if unit.stunned > 0:
        found |= 1 << codes.IS_STUNNED
    if unit.wound_strikes > 0:
        found |= 1 << codes.IS_DAMAGED_OVER_TIME
    return found
