"""Applies, ticks and removes conditions of participants, and handles death, which removes all.

The rules: delve/README.md, Conditions; Death; Round end.
"""

from __future__ import annotations

from fracas.kernel.integer_math import floor_div
from fracas.kernel.jit import kernel
from fracas.kernel.sides import own_side
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import emit_condition, emit_condition_tick, emit_expire, emit_fall
from fracas.rulesets.delve.rules.participants import credit_damage


@kernel
def has_condition(participant, condition: int) -> bool:
    """Whether a participant has a condition."""
    return participant.conditions >> condition & 1 != 0


@kernel
def apply_condition(battle, actor, target, infliction, code: int, log) -> int:
    """Apply a condition of skill number `code` to its target, or refresh it; returns the effect."""
    condition = infliction.condition
    affliction = target.afflictions[condition & codes.CONDITION_MASK]
    effect = codes.APPLIED
    if has_condition(target, condition):
        effect = codes.ALREADY_STUNNED if condition == codes.STUNNED else codes.REFRESHED
    elif condition == codes.STUNNED and target.guard:
        effect = codes.JUST_STUNNED
    if effect == codes.APPLIED:
        target.affliction_order[target.affliction_count & codes.CONDITION_MASK] = condition
        target.affliction_count += 1
        target.conditions |= 1 << condition
        affliction.potency = 0
    if effect == codes.APPLIED or effect == codes.REFRESHED:
        affliction.rounds = infliction.rounds
        if infliction.potency >= affliction.potency:
            affliction.potency = infliction.potency
            affliction.source = actor.number
            affliction.skill = code
    if log is not None:
        # A stun without effect leaves the numbers of the older one, which are 0 too.
        potency, rounds = affliction.potency, affliction.rounds
        emit_condition(log, battle.tick, actor.number, target.number, condition, potency, rounds, effect)
    return effect


@kernel
def remove_condition(target, condition: int) -> None:
    """Remove a condition; those after it move up (README, Damage; A turn, step 1).

    A shield that is used up. A stun.
    """
    target.conditions &= ~(1 << condition)
    remaining = 0
    for index in range(target.affliction_count):
        code = target.affliction_order[index & codes.CONDITION_MASK]
        if code != condition:
            target.affliction_order[remaining & codes.CONDITION_MASK] = code
            remaining += 1
    target.affliction_count = remaining


@kernel
def forget_conditions(participant) -> None:
    """Remove all conditions (README, Set-up, step 1)."""
    participant.conditions = 0
    participant.affliction_count = 0


@kernel
def tick_conditions(battle, participant, log) -> None:
    """Tick a participant's conditions at the round's end, oldest first, for as long as it lives."""
    remaining = 0
    for index in range(participant.affliction_count):
        code = participant.affliction_order[index & codes.CONDITION_MASK]
        affliction = participant.afflictions[code & codes.CONDITION_MASK]
        amount = work_of_tick(battle, participant, code, affliction)
        if code != codes.STUNNED:
            affliction.rounds -= 1
        if log is not None:
            source, number, hp, rounds = affliction.source, participant.number, participant.hp, affliction.rounds
            emit_condition_tick(log, battle.tick, source, number, code, amount, hp, rounds)
        if participant.hp == 0:
            fall(battle, affliction.source, participant, log)
            return
        if code != codes.STUNNED and affliction.rounds == 0:
            participant.conditions &= ~(1 << code)
            emit_expire(log, battle.tick, participant.number, code, 1)
        else:
            participant.affliction_order[remaining & codes.CONDITION_MASK] = code
            remaining += 1
    participant.affliction_count = remaining


@kernel
def work_of_tick(battle, participant, code: int, affliction) -> int:
    """Apply a condition's tick: the HP that it costs or restores.

    Changes: participant.hp; battle.stirred.
    """
    amount = 0
    if code == codes.POISONED or code == codes.BLEEDING or code == codes.BURNING:
        amount = min(affliction.potency, participant.hp)
        participant.hp -= amount
        credit_damage(battle, affliction.source, affliction.skill, amount)
    elif code == codes.REGENERATING:
        amount = min(healing_received(participant, affliction.potency), participant.max_hp - participant.hp)
        participant.hp += amount
    if amount > 0:
        battle.stirred = 1
    return amount


@kernel
def healing_received(participant, healing: int) -> int:
    """The healing that a participant receives: half while bleeding (README, Healing)."""
    return floor_div(healing, 2) if has_condition(participant, codes.BLEEDING) else healing


@kernel
def fall(battle, slayer: int, target, log) -> None:
    """Let a participant at 0 HP die, and remove its conditions. `slayer` is an event number, or NOBODY."""
    own_side(battle, target).living -= 1
    forget_conditions(target)
    if target.side == codes.PARTY:
        battle.last_killer = slayer
    emit_fall(log, battle.tick, slayer, target.number)
