"""Who decides: which slot of a queue is used, and on whom."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import holds
from fracas.kernel.dice import below
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules.condition_facts import read_situation
from fracas.rulesets.delve.rules.constants import (
    BY_HIGHEST_HP,
    BY_HIGHEST_THREAT,
    BY_LOWEST_HP,
    BY_RANDOM,
    CONDITION_FAILS,
    COOLING_DOWN,
    KNOWN_MASK,
    LAST_SLOT,
    NOBODY_HURT,
    ONESELF,
    PASSED_OVER_EVENT,
    TOO_COSTLY,
)
from fracas.rulesets.delve.rules.participants import is_open_to, participant_at, queue_slot_at, skill_at

NO_KEY = 1 << 62


@kernel
def evaluate_queue(battle: Any, actor: Any, log: Any) -> int:
    """The place of the first slot of a participant's queue that has no obstacle; NOBODY if there is none.

    What is quickest to find out is asked first. Which obstacle comes first by the rules matters to the log alone.

    Rule:    README, A turn, step 3.
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

    Rule:    README, A turn, step 3, the table of obstacles.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return actor.resource >= slot.cost and rounds_to_wait(battle, actor, slot) == 0


@kernel
def rounds_to_wait(battle: Any, actor: Any, slot: Any) -> int:
    """How many rounds the skill of a queue slot still cools down.

    Rule:    README, A turn, step 4; Round end, step 3. The round from which it can be used again is kept instead of a
             number that falls.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return max(actor.ready_from[slot.known & KNOWN_MASK] - battle.combat_round, 0)


@kernel
def condition_holds(battle: Any, actor: Any, slot: Any) -> bool:
    """Read what a queue slot's condition asks about the situation, then evaluate it; no condition is true.

    Rule:    README, Queue vocabulary.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if slot.step_count == 0:
        return True
    read_situation(battle, actor, slot)
    return holds(battle, slot.first_step, slot.step_count)


@kernel
def has_target(battle: Any, actor: Any, slot: Any) -> bool:
    """Whether the skill of a queue slot reaches somebody: a pure heal needs somebody who is hurt.

    Rule:    README, A turn, step 3; Reach and targets.
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
    """Say why a queue slot is passed over: the first of the obstacles that is there.

    Rule:    README, A turn, step 3, the table of obstacles.
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


@kernel
def select_target(battle: Any, actor: Any, slot: Any) -> int:
    """The slot of the one participant that the skill of a queue slot is aimed at.

    Rule:    README, Reach and targets.
    Changes: battle.selected_roll (what `random` rolled, else NOBODY).
    Draws:   below(candidates) for `random`, even with one candidate.
    Emits:   nothing.
    """
    skill = skill_at(battle, slot.skill)
    battle.selected_roll = NOBODY
    side = other_side(battle, actor) if skill.hostile else own_side(battle, actor)
    if slot.selector == BY_LOWEST_HP:
        return lowest_hp(battle, side, skill)
    if slot.selector == BY_RANDOM:
        battle.selected_roll = below(battle.dice, count_candidates(battle, actor, skill))
        return nth_candidate(battle, side, skill, battle.selected_roll)
    return best_candidate(battle, side, skill, slot.selector)


@kernel
def count_candidates(battle: Any, actor: Any, skill: Any) -> int:
    """How many participants a skill could be aimed at.

    Rule:    README, Reach and targets.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if skill.hostile:
        return other_side(battle, actor).living
    side = own_side(battle, actor)
    if skill.pure_heal == 0:
        return side.living
    count = 0
    for index in range(side.first, side.first + side.count):
        if is_open_to(skill, participant_at(battle, index)):
            count += 1
    return count


@kernel
def nth_candidate(battle: Any, side: Any, skill: Any, n: int) -> int:
    """The n-th candidate of a side, from 0, in slot order.

    Rule:    README, Reach and targets, random.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    for index in range(side.first, side.first + side.count):
        if is_open_to(skill, participant_at(battle, index)):
            if n == 0:
                return index
            n -= 1
    return NOBODY


@kernel
def lowest_hp(battle: Any, side: Any, skill: Any) -> int:
    """The candidate with the lowest HP, the lowest slot among equals.

    Rule:    README, Reach and targets, lowest_hp. A key packs HP and slot; without branches, because nobody can
             foretell them.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    least = NO_KEY
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        least = min(least, participant.hp << 4 | index if is_open_to(skill, participant) else NO_KEY)
    return least & LAST_SLOT if least != NO_KEY else NOBODY


@kernel
def best_candidate(battle: Any, side: Any, skill: Any, selector: int) -> int:
    """The candidate with the highest HP or level or the lowest share of HP, the lowest slot among equals.

    Rule:    README, Reach and targets, selectors; shares are compared by cross-multiplication.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    found = NOBODY
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        if is_open_to(skill, participant):
            best = participant_at(battle, found)
            if selector == BY_HIGHEST_HP:
                better = participant.hp > best.hp
            elif selector == BY_HIGHEST_THREAT:
                better = participant.level > best.level
            else:
                better = participant.hp * best.max_hp < best.hp * participant.max_hp
            if found == NOBODY or better:
                found = index
    return found
