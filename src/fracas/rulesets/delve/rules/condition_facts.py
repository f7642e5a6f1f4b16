"""Reads the facts of queue conditions, of the deciding participant and of groups. delve/README.md, Queue vocabulary."""

from __future__ import annotations

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.status_conditions import has_condition


@kernel
def read_situation(battle, actor, slot) -> None:
    """Fill the fact vector with the answers to a queue slot's asks."""
    for place in range(slot.ask_count):
        ask = battle.asks[slot.first_ask + place]
        answer = battle.facts[place]
        answer.denominator = 1
        if ask.group == SCALAR:
            read_fact(battle, actor, slot, ask.fact, answer)
        else:
            side = own_side(battle, actor) if ask.group == codes.ALLIES else other_side(battle, actor)
            answer.numerator = count_matching(battle, side, ask)


@kernel
def count_matching(battle, side, ask) -> int:
    """Count the living participants of a side that match an ask; having a condition counts as a value above 0."""
    if ask.fact == EVERY_UNIT:
        return side.living
    count = 0
    if ask.fact >= codes.FIRST_CONDITION_FACT:
        condition = ask.fact - codes.FIRST_CONDITION_FACT
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0:
                count += participant.conditions >> condition & 1
        return count
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        if participant.hp > 0 and participant_matches(participant, ask):
            count += 1
    return count


@kernel
def participant_matches(participant, ask) -> bool:
    """Whether one participant of a group matches an ask about its HP or resource."""
    if ask.fact == codes.UNIT_HP_PCT:
        return compare(100 * participant.hp, participant.max_hp, ask.compare, ask.number)
    if ask.fact == codes.UNIT_RESOURCE:
        return compare(participant.resource, 1, ask.compare, ask.number)
    return compare(100 * participant.resource, max(participant.max_resource, 1), ask.compare, ask.number)


@kernel
def read_fact(battle, actor, slot, fact: int, answer) -> None:
    """Answer a fact about the deciding participant's situation.

    A resource with a maximum of 0 is 0%.
    """
    if fact == codes.SELF_HP_PCT:
        answer.numerator = 100 * actor.hp
        answer.denominator = actor.max_hp
    elif fact == codes.SELF_RESOURCE:
        answer.numerator = actor.resource
    elif fact == codes.SELF_RESOURCE_PCT:
        answer.numerator = 100 * actor.resource
        answer.denominator = max(actor.max_resource, 1)
    elif fact == codes.ROUND_NUMBER:
        answer.numerator = battle.combat_round
    elif fact == codes.ALLY_COUNT:
        answer.numerator = own_side(battle, actor).living
    elif fact == codes.ENEMY_COUNT:
        answer.numerator = other_side(battle, actor).living
    elif fact == codes.TIMES_USED:
        answer.numerator = actor.used[slot.known & codes.KNOWN_MASK]
    elif fact == codes.BOSS_PRESENT:
        answer.numerator = boss_present(battle)
    else:
        condition = fact - codes.SELF_CONDITION_OFFSET - codes.FIRST_CONDITION_FACT
        answer.numerator = 1 if has_condition(actor, condition) else 0


@kernel
def boss_present(battle) -> int:
    """1 if a living boss takes part, else 0."""
    present = 0
    for place in range(len(battle.sides)):
        side = battle.sides[place]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0 and participant.boss:
                present = 1
    return present
