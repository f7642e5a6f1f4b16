"""Applies a skill to one target: attacks, healing, conditions. delve/README.md, Reach and targets to Healing.

The rules: delve/README.md, Damage; Attack rolls.
"""

from __future__ import annotations

from fracas.kernel.dice import between
from fracas.kernel.integer_math import floor_div
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import emit_amount, emit_attack, emit_expire, emit_heal, emit_hit, emit_odds
from fracas.rulesets.delve.rules.participants import credit_damage, skill_at
from fracas.rulesets.delve.rules.rolls import (
    calculate_damage,
    calculate_hit_chance,
    critical_limit,
    hit_penalty,
    is_critical,
    is_critical_fail,
    roll_attack,
)
from fracas.rulesets.delve.rules.status_conditions import (
    apply_condition,
    fall,
    has_condition,
    healing_received,
    remove_condition,
)


@kernel
def apply_skill(battle, actor, target, code: int, log) -> None:
    """Apply a skill to one target: damage or healing, then conditions for as long as the target lives."""
    skill = skill_at(battle, code)
    if skill.hostile:
        if not attack(battle, actor, target, code, log):
            return
    elif skill.healing:
        heal(battle, actor, target, skill, log)
    for index in range(skill.condition_count):
        apply_condition(battle, actor, target, skill.conditions[index], code, log)


@kernel
def attack(battle, actor, target, code: int, log) -> bool:
    """Roll to hit and apply a hit's damage; true if it hit and the target is still living.

    Changes: the target.
    """
    skill = skill_at(battle, code)
    chance = calculate_hit_chance(actor, target, skill)
    roll = roll_attack(battle.dice, actor.attributes[codes.LUCK], chance)
    verdict = judge_attack(actor, roll, chance)
    if log is not None:
        log_attack(battle, actor, target, skill, roll, chance, verdict, log)
    if verdict == codes.MISS or verdict == codes.FUMBLE:
        return False
    if skill.damaging:
        value = calculate_damage(battle, actor, target, skill, verdict == codes.CRITICAL, log)
        take_hit(battle, actor, target, code, value, log)
    return target.hp > 0


@kernel
def judge_attack(actor, roll: int, chance: int) -> int:
    """The verdict on an attack's d100: critical, hit, miss or fumble.

    A critical always hits, a fumble never.
    """
    luck = actor.attributes[codes.LUCK]
    if is_critical(roll, luck):
        return codes.CRITICAL
    if is_critical_fail(roll, luck):
        return codes.FUMBLE
    return codes.HIT if roll <= chance else codes.MISS


@kernel
def log_attack(battle, actor, target, skill, roll: int, chance: int, verdict: int, log) -> None:
    """Log the terms of an attack's chance, and its roll."""
    attribute = actor.attributes[skill.attack & codes.ATTRIBUTE_MASK]
    against = target.attributes[skill.defense & codes.ATTRIBUTE_MASK]
    penalty = hit_penalty(actor, target)
    number, other = actor.number, target.number
    emit_odds(log, battle.tick, number, other, attribute, against, skill.modifier, penalty)
    limit = critical_limit(actor.attributes[codes.LUCK])
    emit_attack(log, battle.tick, number, other, roll, chance, limit, verdict)


@kernel
def take_hit(battle, actor, target, code: int, value: int, log) -> None:
    """Apply damage to the shield, then to HP."""
    absorbed = 0
    if has_condition(target, codes.SHIELDED):
        shield = target.afflictions[codes.SHIELDED]
        absorbed = min(value, shield.potency)
        shield.potency -= absorbed
    lost = min(value - absorbed, target.hp)
    target.hp -= lost
    credit_damage(battle, actor.number, code, lost)
    emit_hit(log, battle.tick, actor.number, target.number, value, absorbed, lost, target.hp)
    if absorbed > 0 and target.afflictions[codes.SHIELDED].potency == 0:
        remove_condition(target, codes.SHIELDED)
        emit_expire(log, battle.tick, target.number, codes.SHIELDED, 0)
    if target.hp == 0:
        fall(battle, actor.number, target, log)


@kernel
def heal(battle, actor, target, skill, log) -> None:
    """Restore HP."""
    low, high = skill.heal.low, skill.heal.high
    roll = between(battle.dice, low, high)
    bonus = floor_div(actor.attributes[codes.PRESENCE], codes.ATTRIBUTE_PER_POINT)
    effective = healing_received(target, roll + bonus)
    restored = min(effective, target.max_hp - target.hp)
    target.hp += restored
    if log is not None:
        number, other = actor.number, target.number
        emit_amount(log, battle.tick, number, other, roll, low, high, bonus)
        emit_heal(log, battle.tick, number, other, roll + bonus, effective, restored, target.hp)
