"""Picks a skill's target: selectors and candidates. delve/README.md, Reach and targets."""

from __future__ import annotations

from fracas.kernel.dice import below
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.participants import is_open_to, participant_at, skill_at

NO_KEY = 1 << 62


@kernel
def select_target(battle, actor, slot) -> int:
    """Select the target of a queue slot's skill: its slot.

    Changes: battle.selected_roll (what `random` rolled, else NOBODY).
    Draws: below(candidates) for `random`, even with one candidate.
    """
    skill = skill_at(battle, slot.skill)
    battle.selected_roll = NOBODY
    side = other_side(battle, actor) if skill.hostile else own_side(battle, actor)
    if slot.selector == codes.BY_LOWEST_HP:
        return lowest_hp(battle, side, skill)
    if slot.selector == codes.BY_RANDOM:
        battle.selected_roll = below(battle.dice, count_candidates(battle, actor, skill))
        return nth_candidate(battle, side, skill, battle.selected_roll)
    return best_candidate(battle, side, skill, slot.selector)


@kernel
def count_candidates(battle, actor, skill) -> int:
    """Count the possible targets of a skill."""
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
def nth_candidate(battle, side, skill, n: int) -> int:
    """The n-th candidate of a side, from 0, in slot order."""
    for index in range(side.first, side.first + side.count):
        if is_open_to(skill, participant_at(battle, index)):
            if n == 0:
                return index
            n -= 1
    return NOBODY


@kernel
def lowest_hp(battle, side, skill) -> int:
    """The candidate with the lowest HP, the lowest slot among equals.

    A key packs HP and slot. No branches: the CPU could not predict them.
    """
    least = NO_KEY
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        least = min(least, participant.hp << 4 | index if is_open_to(skill, participant) else NO_KEY)
    return least & codes.LAST_SLOT if least != NO_KEY else NOBODY


@kernel
def best_candidate(battle, side, skill, selector: int) -> int:
    """The candidate with the highest HP, the highest level or the lowest share of HP; the lowest slot among equals.

    README, shares are compared by cross-multiplication.
    """
    found = NOBODY
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        if is_open_to(skill, participant):
            best = participant_at(battle, found)
            if selector == codes.BY_HIGHEST_HP:
                better = participant.hp > best.hp
            elif selector == codes.BY_HIGHEST_THREAT:
                better = participant.level > best.level
            else:
                better = participant.hp * best.max_hp < best.hp * participant.max_hp
            if found == NOBODY or better:
                found = index
    return found
