"""Decides which slot of its queue a participant uses; targeting.py picks the target. delve/README.md, A turn."""

from __future__ import annotations

from fracas.kernel.condition_evaluator import evaluate
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.condition_facts import read_situation
from fracas.rulesets.delve.rules.events import emit_passed_over
from fracas.rulesets.delve.rules.participants import is_open_to, queue_slot_at, skill_at
from fracas.rulesets.delve.rules.targeting import count_candidates


@kernel
def evaluate_queue(battle, actor, log) -> int:
    """Find the first slot of a participant's queue without an obstacle; NOBODY if there is none.

    The cheapest tests come first. The order of obstacles in the rules matters only to the log.
    """
    for index in range(actor.slot_count):
        slot = queue_slot_at(battle, actor, index)
        if is_ready(battle, actor, slot) and condition_holds(battle, actor, slot) and has_target(battle, actor, slot):
            return index
        if log is not None:
            log_obstacle(battle, actor, index, log)
    return NOBODY


@kernel
def is_ready(battle, actor, slot) -> bool:
    """Whether the skill of a queue slot can be paid and is not cooling down."""
    return actor.resource >= slot.cost and rounds_to_wait(battle, actor, slot) == 0


@kernel
def rounds_to_wait(battle, actor, slot) -> int:
    """The rounds until the skill of a queue slot is ready again (README, Round end, step 3).

    The record keeps the round from which the skill is ready, so that no counter needs an update.
    """
    return max(actor.ready_from[slot.known & codes.KNOWN_MASK] - battle.combat_round, 0)


@kernel
def condition_holds(battle, actor, slot) -> bool:
    """Read the facts that a queue slot's condition asks for, then evaluate it; no condition is true.

    README, Queue vocabulary.
    """
    if slot.step_count == 0:
        return True
    read_situation(battle, actor, slot)
    return evaluate(battle, slot.first_step, slot.step_count)


@kernel
def has_target(battle, actor, slot) -> bool:
    """Whether the skill of a queue slot has a target: a pure heal needs a hurt one (README, Reach and targets)."""
    skill = skill_at(battle, slot.skill)
    if skill.pure_heal == 0:
        return True
    if skill.reach == codes.ONESELF:
        return is_open_to(skill, actor)
    return count_candidates(battle, actor, skill) > 0


@kernel
def log_obstacle(battle, actor, index: int, log) -> None:
    """Log why a queue slot is passed over: its first obstacle."""
    slot = queue_slot_at(battle, actor, index)
    figure = 0
    if not condition_holds(battle, actor, slot):
        obstacle = codes.CONDITION_FAILS
    elif actor.resource < slot.cost:
        obstacle = codes.TOO_COSTLY
        figure = actor.resource
    elif rounds_to_wait(battle, actor, slot) > 0:
        obstacle = codes.COOLING_DOWN
        figure = rounds_to_wait(battle, actor, slot)
    else:
        obstacle = codes.NOBODY_HURT
    emit_passed_over(log, battle.tick, actor.number, index, slot.skill, obstacle, figure)
