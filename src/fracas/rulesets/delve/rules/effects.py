"""Applies a skill to one target: attacks, healing, conditions. delve/README.md, Reach and targets to Healing."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import between
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.integer_math import floor_div
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import (
    AMOUNT_EVENT,
    ATTACK_EVENT,
    ATTRIBUTE_MASK,
    ATTRIBUTE_PER_POINT,
    CRITICAL,
    EXPIRE_EVENT,
    FUMBLE,
    HEAL_EVENT,
    HIT,
    HIT_EVENT,
    LUCK,
    MISS,
    ODDS_EVENT,
    PRESENCE,
    SHIELDED,
)
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
def apply_skill(battle: Any, actor: Any, target: Any, code: int, log: Any) -> None:
    """Apply a skill to one target: damage or healing, then conditions for as long as the target lives.

    Rule:    delve/README.md, Reach and targets.
    Changes: the battle.
    Draws:   as attack or heal.
    Emits:   as attack or heal, then CONDITION for each condition.
    """
    skill = skill_at(battle, code)
    if skill.hostile:
        if not attack(battle, actor, target, code, log):
            return
    elif skill.healing:
        heal(battle, actor, target, skill, log)
    for place in range(skill.condition_count):
        apply_condition(battle, actor, target, skill.conditions[place], code, log)


@kernel
def attack(battle: Any, actor: Any, target: Any, code: int, log: Any) -> bool:
    """Roll to hit and apply a hit's damage; true if it hit and the target is still living.

    Rule:    delve/README.md, Attack rolls; Damage.
    Changes: the target.
    Draws:   d100(); on a hit that does damage between(low, high).
    Emits:   ODDS, ATTACK, then as calculate_damage and take_hit.
    """
    skill = skill_at(battle, code)
    chance = calculate_hit_chance(actor, target, skill)
    roll = roll_attack(battle.dice, actor.attributes[LUCK], chance)
    verdict = judge_attack(actor, roll, chance)
    if log is not None:
        tell_attack(battle, actor, target, skill, roll, chance, verdict, log)
    if verdict == MISS or verdict == FUMBLE:
        return False
    if skill.damaging:
        value = calculate_damage(battle, actor, target, skill, verdict == CRITICAL, log)
        take_hit(battle, actor, target, code, value, log)
    return target.hp > 0


@kernel
def judge_attack(actor: Any, roll: int, chance: int) -> int:
    """The verdict on an attack's d100: critical, hit, miss or fumble.

    Rule:    delve/README.md, Attack rolls (a critical always hits, a fumble never).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    luck = actor.attributes[LUCK]
    if is_critical(roll, luck):
        return CRITICAL
    if is_critical_fail(roll, luck):
        return FUMBLE
    return HIT if roll <= chance else MISS


@kernel
def tell_attack(
    battle: Any, actor: Any, target: Any, skill: Any, roll: int, chance: int, verdict: int, log: Any
) -> None:
    """Log the terms of an attack's chance, and its roll.

    Rule:    delve/README.md, Attack rolls.
    Changes: nothing.
    Draws:   none.
    Emits:   ODDS, ATTACK.
    """
    attribute = actor.attributes[skill.attack & ATTRIBUTE_MASK]
    against = target.attributes[skill.defense & ATTRIBUTE_MASK]
    penalty = hit_penalty(actor, target)
    number, other = actor.number, target.number
    emit(log, battle.tick, ODDS_EVENT, number, other, attribute, against, skill.modifier, penalty)
    limit = critical_limit(actor.attributes[LUCK])
    emit(log, battle.tick, ATTACK_EVENT, number, other, roll, chance, limit, verdict)


@kernel
def take_hit(battle: Any, actor: Any, target: Any, code: int, value: int, log: Any) -> None:
    """Apply damage to the shield, then to HP.

    Rule:    delve/README.md, Damage, the last paragraph.
    Changes: the target; battle.skill_damage.
    Draws:   none.
    Emits:   HIT, EXPIRE of a shield that is used up, FALL.
    """
    absorbed = 0
    if has_condition(target, SHIELDED):
        shield = target.afflictions[SHIELDED]
        absorbed = min(value, shield.potency)
        shield.potency -= absorbed
    lost = min(value - absorbed, target.hp)
    target.hp -= lost
    credit_damage(battle, actor.number, code, lost)
    if log is not None:
        emit(log, battle.tick, HIT_EVENT, actor.number, target.number, value, absorbed, lost, target.hp)
    if absorbed > 0 and target.afflictions[SHIELDED].potency == 0:
        remove_condition(target, SHIELDED)
        if log is not None:
            emit(log, battle.tick, EXPIRE_EVENT, NOBODY, target.number, SHIELDED, 0, 0, 0)
    if target.hp == 0:
        fall(battle, actor.number, target, log)


@kernel
def heal(battle: Any, actor: Any, target: Any, skill: Any, log: Any) -> None:
    """Restore HP.

    Rule:    delve/README.md, Healing.
    Changes: the target.
    Draws:   between(low, high).
    Emits:   AMOUNT, HEAL.
    """
    low, high = skill.heal.low, skill.heal.high
    roll = between(battle.dice, low, high)
    bonus = floor_div(actor.attributes[PRESENCE], ATTRIBUTE_PER_POINT)
    effective = healing_received(target, roll + bonus)
    restored = min(effective, target.max_hp - target.hp)
    target.hp += restored
    if log is not None:
        number, other = actor.number, target.number
        emit(log, battle.tick, AMOUNT_EVENT, number, other, roll, low, high, bonus)
        emit(log, battle.tick, HEAL_EVENT, number, other, roll + bonus, effective, restored, target.hp)
