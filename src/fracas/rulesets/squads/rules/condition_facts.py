"""Reads the facts that conditions ask for, of the deciding unit and of groups. squads/README.md, Conditions."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules.constants import (
    ALLIES,
    ALLIES_HIGHEST,
    ALLIES_LOWEST,
    ALLY_COUNT,
    ENEMIES_LOWEST,
    ENEMY_COUNT,
    FIRST_CLASS_FACT,
    IS_ATTACK_DOWN,
    IS_ATTACK_UP,
    IS_BUFFED,
    IS_DAMAGED_OVER_TIME,
    IS_DEBUFFED,
    IS_SHIELDED,
    IS_STUNNED,
    IS_TAUNTING,
    ROUND_NUMBER,
    SELF_CHARGE,
    SELF_COOLDOWN,
    SELF_HP_PCT,
    SELF_STATUS_OFFSET,
    UNIT_CHARGE,
    UNIT_HP_PCT,
)
from fracas.rulesets.squads.rules.units import extreme_share, unit_at


@kernel
def read_situation(battle: Any, unit: Any, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector with the answers to a condition's asks.

    Rule:    squads/README.md, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    for slot in range(ask_count):
        ask = battle.asks[first_ask + slot]
        answer = battle.facts[slot]
        answer.denominator = 1
        if ask.group == SCALAR:
            read_fact(battle, unit, ask.fact, answer)
        else:
            place = unit.side if ask.group == ALLIES else 1 - unit.side
            answer.numerator = count_matching(battle, place, ask)


@kernel
def count_matching(battle: Any, place: int, ask: Any) -> int:
    """Count the living units of a side that match an ask.

    Rule:    squads/README.md, Conditions, groups.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    count = 0
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit_matches(unit, ask):
            count += 1
    return count


@kernel
def unit_matches(unit: Any, ask: Any) -> bool:
    """Whether one unit of a group matches an ask.

    Rule:    squads/README.md, Conditions, facts of units.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if ask.fact == EVERY_UNIT:
        return True
    if ask.fact == UNIT_HP_PCT:
        return compare(100 * unit.hp, unit.max_hp, ask.compare, ask.number)
    value = unit.charge if ask.fact == UNIT_CHARGE else has_status(unit, ask.fact)
    return compare(value, 1, ask.compare, ask.number)


@kernel
def read_fact(battle: Any, unit: Any, fact: int, answer: Any) -> None:
    """Answer a scalar fact about the deciding unit's situation.

    Rule:    squads/README.md, Conditions, facts.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == SELF_HP_PCT:
        share(unit, answer)
    elif fact == SELF_CHARGE:
        answer.numerator = unit.charge
    elif fact == SELF_COOLDOWN:
        answer.numerator = unit.cooldown
    elif fact == ROUND_NUMBER:
        answer.numerator = battle.tick
    elif fact == ALLY_COUNT:
        answer.numerator = own_side(battle, unit).living
    elif fact == ENEMY_COUNT:
        answer.numerator = other_side(battle, unit).living
    elif fact >= SELF_STATUS_OFFSET:
        answer.numerator = has_status(unit, fact - SELF_STATUS_OFFSET)
    else:
        read_extreme_share(battle, unit, fact, answer)


@kernel
def read_extreme_share(battle: Any, unit: Any, fact: int, answer: Any) -> None:
    """Answer with the lowest or highest HP share of a side.

    Rule:    docs/reference/conditions.md; squads/README.md, Conditions, facts.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    own = fact == ALLIES_LOWEST or fact == ALLIES_HIGHEST
    lowest = fact == ALLIES_LOWEST or fact == ENEMIES_LOWEST
    found = extreme_share(battle, unit.side if own else 1 - unit.side, 1 if lowest else -1)
    share(unit_at(battle, found), answer)


@kernel
def share(unit: Any, answer: Any) -> None:
    """Answer with a unit's share of its HP, as an exact fraction.

    Rule:    docs/reference/conditions.md.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    answer.numerator = 100 * unit.hp
    answer.denominator = unit.max_hp


@kernel
def has_status(unit: Any, status: int) -> int:
    """1 if a unit has a status, else 0.

    Rule:    squads/README.md, Conditions, statuses (a buff is a shield, attack up or taunt).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if status >= FIRST_CLASS_FACT:
        return 1 if unit.role == status - FIRST_CLASS_FACT else 0
    if status == IS_SHIELDED:
        return 1 if unit.shield > 0 else 0
    if status == IS_ATTACK_UP:
        return 1 if unit.attack_up > 0 else 0
    if status == IS_ATTACK_DOWN:
        return 1 if unit.attack_down > 0 else 0
    if status == IS_TAUNTING:
        return 1 if unit.taunt_until > 0 else 0
    if status == IS_STUNNED:
        return 1 if unit.stunned > 0 else 0
    if status == IS_DAMAGED_OVER_TIME:
        return 1 if unit.wound_strikes > 0 else 0
    if status == IS_BUFFED:
        return 1 if unit.shield > 0 or unit.attack_up > 0 or unit.taunt_until > 0 else 0
    if status == IS_DEBUFFED:
        return 1 if unit.attack_down > 0 or unit.stunned > 0 or unit.wound_strikes > 0 else 0
    return 0
