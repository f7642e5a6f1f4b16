"""How a participant uses a skill: it pays, finds whom the skill reaches, and every effect happens.

The rules: delve/README.md, Reach and targets; A turn.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.effects import apply_skill
from fracas.rulesets.delve.rules.events import emit_pass, emit_target, emit_use
from fracas.rulesets.delve.rules.observation import target_of
from fracas.rulesets.delve.rules.participants import (
    is_for_one,
    is_open_to,
    participant_at,
    queue_slot_at,
    skill_at,
)
from fracas.rulesets.delve.rules.targeting import count_candidates, select_target


@kernel
def execute_skill(battle, actor, index: int, log) -> None:
    """Pay for the skill in a slot of the queue and apply it to all its targets, in slot order."""
    pay(battle, actor, index, log)
    open_address(battle.dice, battle.tick, actor.index)
    slot = queue_slot_at(battle, actor, index)
    first, end = reached(battle, actor, slot, log)
    use_skill(battle, actor, slot.skill, first, end, log)


@kernel
def act_on(battle, actor, action: int, log) -> None:
    """A participant uses the slot of its queue that an agent chose, on whom it chose, or passes."""
    if action == codes.PASSING:
        emit_pass(log, battle.tick, actor.number, actor.slot_count)
        return
    place = action // codes.TARGETS
    pay(battle, actor, place, log)
    open_address(battle.dice, battle.tick, actor.index)
    slot = queue_slot_at(battle, actor, place)
    skill = skill_at(battle, slot.skill)
    if is_for_one(skill):
        first = target_of(actor.side, action)
        end = first + 1
        log_aim(battle, actor, first, skill, log)
    else:
        first, end = reached(battle, actor, slot, log)
    use_skill(battle, actor, slot.skill, first, end, log)


@kernel
def log_aim(battle, actor, index: int, skill, log) -> None:
    """Log the target that an agent or a trained policy chose."""
    battle.selected_roll = NOBODY
    if log is not None:
        number, among = participant_at(battle, index).number, count_candidates(battle, actor, skill)
        emit_target(log, battle.tick, actor.number, number, codes.AGENT_SELECTOR, among, NOBODY)


@kernel
def reached(battle, actor, slot, log) -> Any:
    """Find the slots that a queue slot's skill reaches: the first, and the one after the last."""
    skill = skill_at(battle, slot.skill)
    if skill.reach == codes.ALL_ENEMIES or skill.reach == codes.ALL_ALLIES:
        side = other_side(battle, actor) if skill.hostile else own_side(battle, actor)
        first, end = side.first, side.first + side.count
    elif skill.reach == codes.ONESELF:
        first, end = actor.index, actor.index + 1
    elif has_network(battle.networks[actor.side & 1]):
        first = target_of(actor.side, battle.thought.action)
        end = first + 1
        log_aim(battle, actor, first, skill, log)
    else:
        first = select_target(battle, actor, slot)
        end = first + 1
        if log is not None:
            aim, among, roll = slot.selector, count_candidates(battle, actor, skill), battle.selected_roll
            number = participant_at(battle, first).number
            emit_target(log, battle.tick, actor.number, number, aim, among, roll)
        if battle.selected_roll != NOBODY:
            battle.stirred = 1
    return first, end


@kernel
def use_skill(battle, actor, code: int, first: int, end: int, log) -> None:
    """Apply a skill to its targets, in slot order."""
    skill = skill_at(battle, code)
    if skill.hostile or skill.healing:
        battle.stirred = 1
    for index in range(first, end):
        target = participant_at(battle, index)
        if is_open_to(skill, target):
            apply_skill(battle, actor, target, code, log)


@kernel
def pay(battle, actor, index: int, log) -> None:
    """Pay a skill's cost, count its use, and start its cooldown."""
    slot = queue_slot_at(battle, actor, index)
    skill = skill_at(battle, slot.skill)
    actor.resource -= slot.cost
    actor.used[slot.known & codes.KNOWN_MASK] += 1
    actor.ready_from[slot.known & codes.KNOWN_MASK] = battle.combat_round + skill.cooldown
    if actor.first_slot + index < battle.counted_slots:
        battle.slot_uses[actor.first_slot + index] += 1
    emit_use(log, battle.tick, actor.number, index, slot.skill, slot.cost, actor.resource)
