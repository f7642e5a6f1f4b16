"""Reads the facts that conditions ask for, of the deciding unit and of groups. squads/README.md, Conditions.

The rules: docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import extreme_share, unit_at

# Groups of units that conditions can ask about
ALLIES, ENEMIES = 1, 2

# What conditions can ask of the deciding unit's situation, in the order of the numbers below: name, kind of number,
# meaning, and bounds where the kind has none.
FACTS = (
    ("self.hp_pct", "PERCENT", "the unit's share of its HP"),
    ("self.charge", "PLAIN", "the unit's charge", 0, codes.MAX_CHARGE),
    ("self.cooldown", "PLAIN", "rounds until the class ability is ready", 0, codes.LARGEST_ROUND_CAP),
    ("round", "ROUND", "the round, from 1"),
    ("allies.count", "COUNT", "living units of the own side, the unit included"),
    ("enemies.count", "COUNT", "living units of the other side"),
    ("allies.lowest_hp_pct", "PERCENT", "the lowest share of HP on the own side"),
    ("allies.highest_hp_pct", "PERCENT", "the highest share of HP on the own side"),
    ("enemies.lowest_hp_pct", "PERCENT", "the lowest share of HP on the other side"),
    ("enemies.highest_hp_pct", "PERCENT", "the highest share of HP on the other side"),
)
(
    SELF_HP_PCT,
    SELF_CHARGE,
    SELF_COOLDOWN,
    ROUND_NUMBER,
    ALLY_COUNT,
    ENEMY_COUNT,
    ALLIES_LOWEST,
    ALLIES_HIGHEST,
    ENEMIES_LOWEST,
    ENEMIES_HIGHEST,
) = range(len(FACTS))

# What they can ask of each unit of a group: numbers, then statuses, then its class.
UNIT_FACTS = (
    ("hp_pct", "PERCENT", "a unit's share of its HP"),
    ("charge", "PLAIN", "a unit's charge", 0, codes.MAX_CHARGE),
)
UNIT_HP_PCT, UNIT_CHARGE = range(len(UNIT_FACTS))
STATUSES = (
    ("buffed", "has a shield, attack up or a taunt"),
    ("debuffed", "has attack down, a stun or damage over time"),
    ("shielded", "has a shield"),
    ("attack_up", "has its attack raised"),
    ("attack_down", "has its attack lowered"),
    ("taunting", "is taunting"),
    ("stunned", "will lose its next action"),
    ("damage_over_time", "suffers damage over time"),
)
FIRST_CLASS_FACT = len(UNIT_FACTS) + len(STATUSES)
IS_BUFFED, IS_DEBUFFED, IS_SHIELDED, IS_ATTACK_UP, IS_ATTACK_DOWN, IS_TAUNTING, IS_STUNNED, IS_DAMAGED_OVER_TIME = (
    range(len(UNIT_FACTS), FIRST_CLASS_FACT)
)
# What makes up each status from IS_BUFFED on, as bit sets of statuses.
BUFFS = 1 << IS_SHIELDED | 1 << IS_ATTACK_UP | 1 << IS_TAUNTING
DEBUFFS = 1 << IS_ATTACK_DOWN | 1 << IS_STUNNED | 1 << IS_DAMAGED_OVER_TIME
STATUS_PARTS = (BUFFS, DEBUFFS, *(1 << status for status in range(IS_SHIELDED, FIRST_CLASS_FACT)))
# The deciding unit's own statuses and class are facts of its situation with numbers from here on.
SELF_STATUS_OFFSET = 100


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
            place = unit.side if ask.group == ALLIES else 1 - unit.side
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
    if ask.fact == UNIT_HP_PCT:
        return compare(100 * unit.hp, unit.max_hp, ask.compare, ask.number)
    value = unit.charge if ask.fact == UNIT_CHARGE else has_status(unit, ask.fact)
    return compare(value, 1, ask.compare, ask.number)


@kernel
def read_fact(battle, unit, fact: int, answer) -> None:
    """Answer a scalar fact about the deciding unit's situation."""
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
def read_extreme_share(battle, unit, fact: int, answer) -> None:
    """Answer with the lowest or highest HP share of a side."""
    own = fact == ALLIES_LOWEST or fact == ALLIES_HIGHEST
    lowest = fact == ALLIES_LOWEST or fact == ENEMIES_LOWEST
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
    if status >= FIRST_CLASS_FACT:
        return 1 if unit.role == status - FIRST_CLASS_FACT else 0
    return 1 if statuses_of(unit) & STATUS_PARTS[status - IS_BUFFED] != 0 else 0


@kernel
def statuses_of(unit) -> int:
    """The simple statuses that a unit has, as a bit set."""
    found = 0
    if unit.shield > 0:
        found |= 1 << IS_SHIELDED
    if unit.attack_up > 0:
        found |= 1 << IS_ATTACK_UP
    if unit.attack_down > 0:
        found |= 1 << IS_ATTACK_DOWN
    if unit.taunt_until > 0:
        found |= 1 << IS_TAUNTING
    if unit.stunned > 0:
        found |= 1 << IS_STUNNED
    if unit.wound_strikes > 0:
        found |= 1 << IS_DAMAGED_OVER_TIME
    return found
