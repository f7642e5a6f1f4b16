"""Decides which slot of its queue a participant uses; targeting.py picks the target."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import evaluate
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.condition_facts import read_situation
from fracas.rulesets.delve.rules.constants import (
    CONDITION_FAILS,
    COOLING_DOWN,
    KNOWN_MASK,
    NOBODY_HURT,
    ONESELF,
    PASSED_OVER_EVENT,
    TOO_COSTLY,
)
from fracas.rulesets.delve.rules.participants import is_open_to, queue_slot_at, skill_at
from fracas.rulesets.delve.rules.targeting import count_candidates


@kernel
def evaluate_queue(battle: Any, actor: Any, log: Any) -> int:
    """Find the first slot of a participant's queue without an obstacle; NOBODY if there is none.

    The cheapest tests come first. The order of obstacles in the rules matters only to the log.

    Rule:    delve/README.md, A turn, step 3.
    Changes: battle.facts.
    Draws:   none.
    Emits:   PASSED_OVER for every slot above the one that is used.
    """
    for place in range(actor.slot_count):
        slot = queue_slot_at(battle, actor, place)
        if is_ready(battle, actor, slot) and condition_holds(battle, actor, slot) and has_target(battle, actor, slot):
            return place
        if log is not None:
            tell_obstacle(battle, actor, place, log)
    return NOBODY


@kernel
def is_ready(battle: Any, actor: Any, slot: Any) -> bool:
    """Whether the skill of a queue slot can be paid and is not cooling down.

    Rule:    delve/README.md, A turn, step 3, the table of obstacles.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return actor.resource >= slot.cost and rounds_to_wait(battle, actor, slot) == 0


@kernel
def rounds_to_wait(battle: Any, actor: Any, slot: Any) -> int:
    """The rounds until the skill of a queue slot is ready again.

    Rule:    delve/README.md, A turn, step 4; Round end, step 3. The record keeps the round from which the skill is
             ready, so that no counter needs an update.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return max(actor.ready_from[slot.known & KNOWN_MASK] - battle.combat_round, 0)


@kernel
def condition_holds(battle: Any, actor: Any, slot: Any) -> bool:
    """Read the facts that a queue slot's condition asks for, then evaluate it; no condition is true.

    Rule:    delve/README.md, Queue vocabulary.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if slot.step_count == 0:
        return True
    read_situation(battle, actor, slot)
    return evaluate(battle, slot.first_step, slot.step_count)


@kernel
def has_target(battle: Any, actor: Any, slot: Any) -> bool:
    """Whether the skill of a queue slot has a target: a pure heal needs a hurt one.

    Rule:    delve/README.md, A turn, step 3; Reach and targets.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    skill = skill_at(battle, slot.skill)
    if skill.pure_heal == 0:
        return True
    if skill.reach == ONESELF:
        return is_open_to(skill, actor)
    return count_candidates(battle, actor, skill) > 0


@kernel
def tell_obstacle(battle: Any, actor: Any, place: int, log: Any) -> None:
    """Log why a queue slot is passed over: its first obstacle.

    Rule:    delve/README.md, A turn, step 3, the table of obstacles.
    Changes: battle.facts.
    Draws:   none.
    Emits:   PASSED_OVER.
    """
    slot = queue_slot_at(battle, actor, place)
    figure = 0
    if not condition_holds(battle, actor, slot):
        obstacle = CONDITION_FAILS
    elif actor.resource < slot.cost:
        obstacle = TOO_COSTLY
        figure = actor.resource
    elif rounds_to_wait(battle, actor, slot) > 0:
        obstacle = COOLING_DOWN
        figure = rounds_to_wait(battle, actor, slot)
    else:
        obstacle = NOBODY_HURT
    emit(log, battle.tick, PASSED_OVER_EVENT, actor.number, NOBODY, place, slot.skill, obstacle, figure)
