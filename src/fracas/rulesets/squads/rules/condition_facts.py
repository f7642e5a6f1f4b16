"""Declares the facts that conditions ask for, of the deciding unit and of groups. squads/README.md, Conditions.

The rules: docs/reference/conditions.md.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.fact_table import FactKind, FactTable
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import extreme_share, unit_at

# What is true of a unit, besides its class: numbers from FIRST_STATUS to STATUSES_END, without those of the classes. A
# status of the deciding unit has SELF_STATUS_OFFSET on top.
STATUSES = FactTable("unit")
STATUSES.field(
    2,
    "buffed",
    "unit.shield or unit.attack_up or unit.taunt_until",
    FactKind.FLAG,
    "has a shield, attack up or a taunt",
)
STATUSES.field(
    3,
    "debuffed",
    "unit.attack_down or unit.stunned or unit.wound_strikes",
    FactKind.FLAG,
    "has attack down, a stun or damage over time",
)
STATUSES.field(4, "shielded", "unit.shield", FactKind.FLAG, "has a shield")
STATUSES.field(5, "attack_up", "unit.attack_up", FactKind.FLAG, "has its attack raised")
STATUSES.field(6, "attack_down", "unit.attack_down", FactKind.FLAG, "has its attack lowered")
STATUSES.field(7, "taunting", "unit.taunt_until", FactKind.FLAG, "is taunting")
STATUSES.field(8, "stunned", "unit.stunned", FactKind.FLAG, "will lose its next action")
STATUSES.field(9, "damage_over_time", "unit.wound_strikes", FactKind.FLAG, "suffers damage over time")

read_status = STATUSES.reader("read_status")

# Numbers of each unit of a group. New ones are numbered from STATUSES_END on.
UNIT_FACTS = FactTable("unit")


@UNIT_FACTS.fraction(codes.UNIT_HP_PCT, "hp_pct", FactKind.PERCENT, "a unit's share of its HP")
def share(unit) -> tuple[int, int]:
    """A unit's share of its HP, as an exact fraction."""
    return 100 * unit.hp, unit.max_hp


UNIT_FACTS.field(1, "charge", "unit.charge", FactKind.PLAIN, "a unit's charge", 0, codes.MAX_CHARGE)

read_number = UNIT_FACTS.reader("read_number")

# The deciding unit's situation.
FACTS = FactTable("battle", "unit")


@FACTS.fraction(codes.SELF_HP_PCT, "self.hp_pct", FactKind.PERCENT, "the unit's share of its HP")
def own_share(battle, unit) -> tuple[int, int]:
    """The deciding unit's share of its HP."""
    return share(unit)


FACTS.field(1, "self.charge", "unit.charge", FactKind.PLAIN, "the unit's charge", 0, codes.MAX_CHARGE)
FACTS.field(2, "self.cooldown", "unit.cooldown", FactKind.PLAIN, "rounds until the class ability is ready", 0, 1000)
FACTS.field(3, "round", "battle.tick", FactKind.ROUND, "the round, from 1")


@FACTS.fact(4, "allies.count", FactKind.COUNT, "living units of the own side, the unit included")
def ally_count(battle, unit) -> int:
    """The living units of the own side."""
    return own_side(battle, unit).living


@FACTS.fact(5, "enemies.count", FactKind.COUNT, "living units of the other side")
def enemy_count(battle, unit) -> int:
    """The living units of the other side."""
    return other_side(battle, unit).living


@FACTS.fraction(codes.ALLIES_LOWEST, "allies.lowest_hp_pct", FactKind.PERCENT, "the lowest share of HP on the own side")
def lowest_of_allies(battle, unit) -> tuple[int, int]:
    """The lowest share of HP on the own side."""
    return share(unit_at(battle, extreme_share(battle, unit.side, 1)))


@FACTS.fraction(
    codes.ALLIES_HIGHEST, "allies.highest_hp_pct", FactKind.PERCENT, "the highest share of HP on the own side"
)
def highest_of_allies(battle, unit) -> tuple[int, int]:
    """The highest share of HP on the own side."""
    return share(unit_at(battle, extreme_share(battle, unit.side, -1)))


@FACTS.fraction(
    codes.ENEMIES_LOWEST, "enemies.lowest_hp_pct", FactKind.PERCENT, "the lowest share of HP on the other side"
)
def lowest_of_enemies(battle, unit) -> tuple[int, int]:
    """The lowest share of HP on the other side."""
    return share(unit_at(battle, extreme_share(battle, 1 - unit.side, 1)))


@FACTS.fraction(
    codes.ENEMIES_HIGHEST, "enemies.highest_hp_pct", FactKind.PERCENT, "the highest share of HP on the other side"
)
def highest_of_enemies(battle, unit) -> tuple[int, int]:
    """The highest share of HP on the other side."""
    return share(unit_at(battle, extreme_share(battle, 1 - unit.side, -1)))


read_situational = FACTS.reader("read_situational")


@kernel
def read_situation(battle, unit, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector with the answers to a condition's asks."""
    for slot in range(ask_count):
        ask = battle.asks[first_ask + slot]
        answer = battle.facts[slot]
        answer.denominator = 1
        if ask.group != SCALAR:
            place = unit.side if ask.group == codes.ALLIES else 1 - unit.side
            answer.numerator = count_matching(battle, place, ask)
        elif ask.fact >= codes.SELF_STATUS_OFFSET:
            answer.numerator = has_status(unit, ask.fact - codes.SELF_STATUS_OFFSET)
        else:
            answer.numerator, answer.denominator = read_situational(battle, unit, ask.fact)


@kernel
def count_matching(battle, side_index: int, ask) -> int:
    """Count the living units of a side that match an ask."""
    side = battle.sides[side_index]
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
    if is_status(ask.fact):
        return compare(has_status(unit, ask.fact), 1, ask.compare, ask.number)
    numerator, denominator = read_number(unit, ask.fact)
    return compare(numerator, denominator, ask.compare, ask.number)


@kernel
def is_status(fact: int) -> bool:
    """Whether a fact of a group's unit is a status or its class, not a number."""
    answer: bool = codes.FIRST_STATUS <= fact < codes.STATUSES_END
    return answer


@kernel
def has_status(unit, status: int) -> int:
    """1 if a unit has a status or is of a class, else 0."""
    if codes.FIRST_CLASS_FACT <= status < codes.FIRST_CLASS_FACT + codes.CLASS_COUNT:
        return 1 if unit.role == status - codes.FIRST_CLASS_FACT else 0
    return read_status(unit, status)
