"""Rolls the d100 and computes chances to hit, criticals, fumbles and damage.

The rules: delve/README.md, Attack rolls and Damage; docs/reference/dice.md, d100().
"""

from __future__ import annotations

from fracas.kernel.dice import between, d100
from fracas.kernel.enumerating_dice import d100_outcomes, dispatch_on_dice, take_outcome, weigh
from fracas.kernel.integer_math import LARGEST_VALUE, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import emit_amount, emit_damage
from fracas.rulesets.delve.rules.status_conditions import has_condition


@kernel
def roll_d100(dice) -> int:
    """A number from 1 to 100."""
    return d100(dice)


@dispatch_on_dice(d100_outcomes)
@kernel
def roll_within(dice, chance: int) -> int:
    """Roll a d100 for which only "at most the chance" or "above it" matters; exact odds merge the rest."""
    return roll_d100(dice)


@kernel
def attack_ways(dice, luck: int, chance: int) -> int:
    """For exact odds, follow each range of a d100 with the same verdict: the last number of the range.

    A critical always hits, a fumble never.
    """
    critical = critical_limit(luck)
    sound = max(min(codes.GREATEST_FUMBLE, codes.FUMBLE_FROM + floor_div(luck, codes.LUCK_PER_POINT)) - 1, critical)
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
def roll_attack(dice, luck: int, chance: int) -> int:
    """Roll a d100 for which only an attack's verdict matters; exact odds merge the rest."""
    return roll_d100(dice)


@kernel
def held_to_chance(chance: int) -> int:
    """Clamp a chance to 5 to 95% (README, Traps, decisions, hazards, rest, puzzles)."""
    return min(max(chance, codes.LEAST_CHANCE), codes.GREATEST_CHANCE)


@kernel
def calculate_hit_chance(attacker, defender, skill) -> int:
    """An attack's chance to hit in per cent."""
    attribute = attacker.attributes[skill.attack & codes.ATTRIBUTE_MASK]
    against = defender.attributes[skill.defense & codes.ATTRIBUTE_MASK]
    return held_to_chance(codes.BASE_CHANCE + attribute - against + skill.modifier - hit_penalty(attacker, defender))


@kernel
def hit_penalty(attacker, defender) -> int:
    """The penalty on the chance to hit from evasion and blindness."""
    return defender.evasion + (codes.BLINDED_PENALTY if has_condition(attacker, codes.BLINDED) else 0)


@kernel
def critical_limit(luck: int) -> int:
    """The highest d100 that is critical."""
    return min(codes.GREATEST_CRITICAL, codes.CRITICAL_UP_TO + floor_div(luck, codes.LUCK_PER_POINT))


@kernel
def is_critical(roll: int, luck: int) -> bool:
    """Whether a d100 is critical."""
    return roll <= critical_limit(luck)


@kernel
def is_critical_fail(roll: int, luck: int) -> bool:
    """Whether a d100 is a fumble."""
    return roll >= min(codes.GREATEST_FUMBLE, codes.FUMBLE_FROM + floor_div(luck, codes.LUCK_PER_POINT))


@kernel
def calculate_damage(battle, attacker, defender, skill, critical: bool, log) -> int:
    """Roll and compute a hit's damage, before the shield."""
    low, high = skill.damage.low, skill.damage.high
    if skill.weapon:
        low += attacker.weapon.low
        high += attacker.weapon.high
    physical = skill.element == codes.PHYSICAL
    roll = between(battle.dice, low, high)
    bonus = floor_div(
        attacker.attributes[codes.MIGHT] if physical else attacker.attributes[codes.LOGIC], codes.ATTRIBUTE_PER_POINT
    )
    scaled = percent(roll + bonus, attacker.damage_pct)
    changed = changed_by_conditions(attacker, scaled)
    armor = percent(defender.armor if physical else defender.resistance, battle.options.armor_share)
    value = changed - armor
    if critical:
        value = 2 * value
    value = min(max(value, 1), LARGEST_VALUE)
    emit_amount(log, battle.tick, attacker.number, defender.number, roll, low, high, bonus)
    emit_damage(log, battle.tick, attacker.number, defender.number, scaled, changed, armor, value)
    return value


@kernel
def changed_by_conditions(attacker, value: int) -> int:
    """Damage after the attacker's Weakened and Empowered, truncated each time."""
    if has_condition(attacker, codes.WEAKENED):
        value = percent(value, codes.WEAKENED_PCT)
    if has_condition(attacker, codes.EMPOWERED):
        value = percent(value, codes.EMPOWERED_PCT)
    return value
