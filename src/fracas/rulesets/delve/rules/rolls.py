"""Rolls the d100 and computes chances to hit, criticals, fumbles and damage.

The rules: delve/README.md, Attack rolls and Damage.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import between, d100
from fracas.kernel.enumerating_dice import d100_outcomes, dispatch_on_dice, take_outcome, weigh
from fracas.kernel.event_log import emit
from fracas.kernel.integer_math import LARGEST_VALUE, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import (
    AMOUNT_EVENT,
    ATTRIBUTE_MASK,
    ATTRIBUTE_PER_POINT,
    BASE_CHANCE,
    BLINDED,
    BLINDED_PENALTY,
    CRITICAL_UP_TO,
    DAMAGE_EVENT,
    EMPOWERED,
    EMPOWERED_PCT,
    FUMBLE_FROM,
    GREATEST_CHANCE,
    GREATEST_CRITICAL,
    GREATEST_FUMBLE,
    LEAST_CHANCE,
    LOGIC,
    LUCK_PER_POINT,
    MIGHT,
    PHYSICAL,
    WEAKENED,
    WEAKENED_PCT,
)
from fracas.rulesets.delve.rules.status_conditions import has_condition


@kernel
def roll_d100(dice: Any) -> int:
    """A number from 1 to 100.

    Rule:    docs/reference/dice.md, d100().
    Changes: dice.
    Draws:   d100().
    Emits:   nothing.
    """
    return d100(dice)


@dispatch_on_dice(d100_outcomes)
@kernel
def roll_within(dice: Any, chance: int) -> int:
    """Roll a d100 for which only "at most the chance" or "above it" matters; exact odds merge the rest.

    Rule:    docs/reference/dice.md, d100().
    Changes: dice.
    Draws:   d100().
    Emits:   nothing.
    """
    return roll_d100(dice)


@kernel
def attack_ways(dice: Any, luck: int, chance: int) -> int:
    """For exact odds, follow each range of a d100 with the same verdict: the last number of the range.

    Rule:    delve/README.md, Attack rolls (a critical always hits, a fumble never).
    Changes: dice.
    Draws:   one outcome for each range that is not empty.
    Emits:   nothing.
    """
    critical = critical_limit(luck)
    sound = max(min(GREATEST_FUMBLE, FUMBLE_FROM + floor_div(luck, LUCK_PER_POINT)) - 1, critical)
    hit = min(max(chance, critical), sound)
    ways = 1 + (1 if hit > critical else 0) + (1 if sound > hit else 0) + (1 if sound < 100 else 0)
    left = take_outcome(dice, ways)
    before, last = 0, critical
    while left > 0 or not weigh(dice, last - before, 100):
        before = last
        if last < hit:
            last = hit
        elif last < sound:
            last = sound
        else:
            last = 100
        left -= 1
    return last


@dispatch_on_dice(attack_ways)
@kernel
def roll_attack(dice: Any, luck: int, chance: int) -> int:
    """Roll a d100 for which only an attack's verdict matters; exact odds merge the rest.

    Rule:    delve/README.md, Attack rolls.
    Changes: dice.
    Draws:   d100().
    Emits:   nothing.
    """
    return roll_d100(dice)


@kernel
def held_to_chance(chance: int) -> int:
    """Clamp a chance to 5 to 95%.

    Rule:    delve/README.md, Attack rolls; Traps, decisions, hazards, rest, puzzles.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return min(max(chance, LEAST_CHANCE), GREATEST_CHANCE)


@kernel
def calculate_hit_chance(attacker: Any, defender: Any, skill: Any) -> int:
    """An attack's chance to hit in per cent.

    Rule:    delve/README.md, Attack rolls.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    attribute = attacker.attributes[skill.attack & ATTRIBUTE_MASK]
    against = defender.attributes[skill.defense & ATTRIBUTE_MASK]
    return held_to_chance(BASE_CHANCE + attribute - against + skill.modifier - hit_penalty(attacker, defender))


@kernel
def hit_penalty(attacker: Any, defender: Any) -> int:
    """The penalty on the chance to hit from evasion and blindness.

    Rule:    delve/README.md, Attack rolls.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return defender.evasion + (BLINDED_PENALTY if has_condition(attacker, BLINDED) else 0)


@kernel
def critical_limit(luck: int) -> int:
    """The highest d100 that is critical.

    Rule:    delve/README.md, Attack rolls.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return min(GREATEST_CRITICAL, CRITICAL_UP_TO + floor_div(luck, LUCK_PER_POINT))


@kernel
def is_critical(roll: int, luck: int) -> bool:
    """Whether a d100 is critical.

    Rule:    delve/README.md, Attack rolls.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return roll <= critical_limit(luck)


@kernel
def is_critical_fail(roll: int, luck: int) -> bool:
    """Whether a d100 is a fumble.

    Rule:    delve/README.md, Attack rolls.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return roll >= min(GREATEST_FUMBLE, FUMBLE_FROM + floor_div(luck, LUCK_PER_POINT))


@kernel
def calculate_damage(battle: Any, attacker: Any, defender: Any, skill: Any, critical: bool, log: Any) -> int:
    """Roll and compute a hit's damage, before the shield.

    Rule:    delve/README.md, Damage, steps 1 to 7.
    Changes: nothing.
    Draws:   between(low, high).
    Emits:   AMOUNT, DAMAGE.
    """
    low, high = skill.damage.low, skill.damage.high
    if skill.weapon:
        low += attacker.weapon.low
        high += attacker.weapon.high
    physical = skill.element == PHYSICAL
    roll = between(battle.dice, low, high)
    bonus = floor_div(attacker.attributes[MIGHT] if physical else attacker.attributes[LOGIC], ATTRIBUTE_PER_POINT)
    scaled = percent(roll + bonus, attacker.damage_pct)
    changed = changed_by_conditions(attacker, scaled)
    armor = percent(defender.armor if physical else defender.resistance, battle.options.armor_share)
    value = changed - armor
    if critical:
        value = 2 * value
    value = min(max(value, 1), LARGEST_VALUE)
    if log is not None:
        emit(log, battle.tick, AMOUNT_EVENT, attacker.number, defender.number, roll, low, high, bonus)
        emit(log, battle.tick, DAMAGE_EVENT, attacker.number, defender.number, scaled, changed, armor, value)
    return value


@kernel
def changed_by_conditions(attacker: Any, value: int) -> int:
    """Damage after the attacker's Weakened and Empowered, truncated each time.

    Rule:    delve/README.md, Damage, step 4.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if has_condition(attacker, WEAKENED):
        value = percent(value, WEAKENED_PCT)
    if has_condition(attacker, EMPOWERED):
        value = percent(value, EMPOWERED_PCT)
    return value
