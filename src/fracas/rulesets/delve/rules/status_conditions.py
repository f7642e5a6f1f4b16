"""Applies, ticks and removes conditions of participants, and handles death, which removes all.

The rules: delve/README.md, Conditions.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.integer_math import floor_div
from fracas.kernel.jit import kernel
from fracas.kernel.sides import own_side
from fracas.rulesets.delve.rules.constants import (
    ALREADY_STUNNED,
    APPLIED,
    BLEEDING,
    BURNING,
    CONDITION_EVENT,
    CONDITION_MASK,
    CONDITION_TICK_EVENT,
    EXPIRE_EVENT,
    FALL_EVENT,
    JUST_STUNNED,
    PARTY,
    POISONED,
    REFRESHED,
    REGENERATING,
    STUNNED,
)
from fracas.rulesets.delve.rules.participants import credit_damage


@kernel
def has_condition(participant: Any, condition: int) -> bool:
    """Whether a participant has a condition.

    Rule:    delve/README.md, Conditions.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return participant.conditions >> condition & 1 != 0


@kernel
def apply_condition(battle: Any, actor: Any, target: Any, infliction: Any, code: int, log: Any) -> int:
    """Apply a condition of skill number `code` to its target, or refresh it; returns the effect.

    Rule:    delve/README.md, Conditions, "Applying one".
    Changes: the target's conditions.
    Draws:   none.
    Emits:   CONDITION.
    """
    condition = infliction.condition
    affliction = target.afflictions[condition & CONDITION_MASK]
    effect = APPLIED
    if has_condition(target, condition):
        effect = ALREADY_STUNNED if condition == STUNNED else REFRESHED
    elif condition == STUNNED and target.guard:
        effect = JUST_STUNNED
    if effect == APPLIED:
        target.affliction_order[target.affliction_count & CONDITION_MASK] = condition
        target.affliction_count += 1
        target.conditions |= 1 << condition
        affliction.potency = 0
    if effect == APPLIED or effect == REFRESHED:
        affliction.rounds = infliction.rounds
        if infliction.potency >= affliction.potency:
            affliction.potency = infliction.potency
            affliction.source = actor.number
            affliction.skill = code
    if log is not None:
        # A stun without effect leaves the numbers of the older one, which are 0 too.
        potency, rounds = affliction.potency, affliction.rounds
        emit(log, battle.tick, CONDITION_EVENT, actor.number, target.number, condition, potency, rounds, effect)
    return effect


@kernel
def remove_condition(target: Any, condition: int) -> None:
    """Remove a condition; those after it move up.

    Rule:    delve/README.md, Damage (a shield that is used up); A turn, step 1 (a stun).
    Changes: the target's conditions.
    Draws:   none.
    Emits:   nothing.
    """
    target.conditions &= ~(1 << condition)
    remaining = 0
    for place in range(target.affliction_count):
        code = target.affliction_order[place & CONDITION_MASK]
        if code != condition:
            target.affliction_order[remaining & CONDITION_MASK] = code
            remaining += 1
    target.affliction_count = remaining


@kernel
def forget_conditions(participant: Any) -> None:
    """Remove all conditions.

    Rule:    delve/README.md, Death; Set-up, step 1.
    Changes: the participant's conditions.
    Draws:   none.
    Emits:   nothing.
    """
    participant.conditions = 0
    participant.affliction_count = 0


@kernel
def tick_conditions(battle: Any, participant: Any, log: Any) -> None:
    """Tick a participant's conditions at the round's end, oldest first, for as long as it lives.

    Rule:    delve/README.md, Round end, step 1.
    Changes: the participant; battle.stirred.
    Draws:   none.
    Emits:   CONDITION_TICK, then FALL or EXPIRE.
    """
    remaining = 0
    for place in range(participant.affliction_count):
        code = participant.affliction_order[place & CONDITION_MASK]
        affliction = participant.afflictions[code & CONDITION_MASK]
        amount = work_of_tick(battle, participant, code, affliction)
        if code != STUNNED:
            affliction.rounds -= 1
        if log is not None:
            source, number, hp, rounds = affliction.source, participant.number, participant.hp, affliction.rounds
            emit(log, battle.tick, CONDITION_TICK_EVENT, source, number, code, amount, hp, rounds)
        if participant.hp == 0:
            fall(battle, affliction.source, participant, log)
            return
        if code != STUNNED and affliction.rounds == 0:
            participant.conditions &= ~(1 << code)
            if log is not None:
                emit(log, battle.tick, EXPIRE_EVENT, NOBODY, participant.number, code, 1, 0, 0)
        else:
            participant.affliction_order[remaining & CONDITION_MASK] = code
            remaining += 1
    participant.affliction_count = remaining


@kernel
def work_of_tick(battle: Any, participant: Any, code: int, affliction: Any) -> int:
    """Apply a condition's tick: the HP that it costs or restores.

    Rule:    delve/README.md, Round end, step 1a.
    Changes: participant.hp; battle.stirred.
    Draws:   none.
    Emits:   nothing.
    """
    amount = 0
    if code == POISONED or code == BLEEDING or code == BURNING:
        amount = min(affliction.potency, participant.hp)
        participant.hp -= amount
        credit_damage(battle, affliction.source, affliction.skill, amount)
    elif code == REGENERATING:
        amount = min(healing_received(participant, affliction.potency), participant.max_hp - participant.hp)
        participant.hp += amount
    if amount > 0:
        battle.stirred = 1
    return amount


@kernel
def healing_received(participant: Any, healing: int) -> int:
    """The healing that a participant receives: half while bleeding.

    Rule:    delve/README.md, Healing.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return floor_div(healing, 2) if has_condition(participant, BLEEDING) else healing


@kernel
def fall(battle: Any, slayer: int, target: Any, log: Any) -> None:
    """Let a participant at 0 HP die, and remove its conditions. `slayer` is an event number, or NOBODY.

    Rule:    delve/README.md, Death.
    Changes: the target; the living of its side; battle.last_killer if it is a member.
    Draws:   none.
    Emits:   FALL.
    """
    own_side(battle, target).living -= 1
    forget_conditions(target)
    if target.side == PARTY:
        battle.last_killer = slayer
    if log is not None:
        emit(log, battle.tick, FALL_EVENT, slayer, target.number, 0, 0, 0, 0)
