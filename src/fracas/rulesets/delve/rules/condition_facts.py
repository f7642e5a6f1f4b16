"""Reads the facts of queue conditions, of the deciding participant and of groups. delve/README.md, Queue vocabulary."""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules.constants import (
    ALLIES,
    ALLY_COUNT,
    BOSS_PRESENT,
    ENEMY_COUNT,
    FIRST_CONDITION_FACT,
    KNOWN_MASK,
    ROUND_NUMBER,
    SELF_CONDITION_OFFSET,
    SELF_HP_PCT,
    SELF_RESOURCE,
    SELF_RESOURCE_PCT,
    TIMES_USED,
    UNIT_HP_PCT,
    UNIT_RESOURCE,
)
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.status_conditions import has_condition


@kernel
def read_situation(battle: Any, actor: Any, slot: Any) -> None:
    """Fill the fact vector with the answers to a queue slot's asks.

    Rule:    delve/README.md, Queue vocabulary.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(slot.ask_count):
        ask = battle.asks[slot.first_ask + place]
        answer = battle.facts[place]
        answer.denominator = 1
        if ask.group == SCALAR:
            read_fact(battle, actor, slot, ask.fact, answer)
        else:
            side = own_side(battle, actor) if ask.group == ALLIES else other_side(battle, actor)
            answer.numerator = count_matching(battle, side, ask)


@kernel
def count_matching(battle: Any, side: Any, ask: Any) -> int:
    """Count the living participants of a side that match an ask; having a condition counts as a value above 0.

    Rule:    delve/README.md, Queue vocabulary, groups.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if ask.fact == EVERY_UNIT:
        return side.living
    count = 0
    if ask.fact >= FIRST_CONDITION_FACT:
        condition = ask.fact - FIRST_CONDITION_FACT
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
def participant_matches(participant: Any, ask: Any) -> bool:
    """Whether one participant of a group matches an ask about its HP or resource.

    Rule:    delve/README.md, Queue vocabulary, inside `any`, `all`, `count`.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if ask.fact == UNIT_HP_PCT:
        return compare(100 * participant.hp, participant.max_hp, ask.compare, ask.number)
    if ask.fact == UNIT_RESOURCE:
        return compare(participant.resource, 1, ask.compare, ask.number)
    return compare(100 * participant.resource, max(participant.max_resource, 1), ask.compare, ask.number)


@kernel
def read_fact(battle: Any, actor: Any, slot: Any, fact: int, answer: Any) -> None:
    """Answer a fact about the deciding participant's situation.

    Rule:    delve/README.md, Queue vocabulary, facts (a resource with a maximum of 0 is 0%).
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == SELF_HP_PCT:
        answer.numerator = 100 * actor.hp
        answer.denominator = actor.max_hp
    elif fact == SELF_RESOURCE:
        answer.numerator = actor.resource
    elif fact == SELF_RESOURCE_PCT:
        answer.numerator = 100 * actor.resource
        answer.denominator = max(actor.max_resource, 1)
    elif fact == ROUND_NUMBER:
        answer.numerator = battle.combat_round
    elif fact == ALLY_COUNT:
        answer.numerator = own_side(battle, actor).living
    elif fact == ENEMY_COUNT:
        answer.numerator = other_side(battle, actor).living
    elif fact == TIMES_USED:
        answer.numerator = actor.used[slot.known & KNOWN_MASK]
    elif fact == BOSS_PRESENT:
        answer.numerator = boss_present(battle)
    else:
        condition = fact - SELF_CONDITION_OFFSET - FIRST_CONDITION_FACT
        answer.numerator = 1 if has_condition(actor, condition) else 0


@kernel
def boss_present(battle: Any) -> int:
    """1 if a living boss takes part, else 0.

    Rule:    delve/README.md, Queue vocabulary, boss_present.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    present = 0
    for place in range(len(battle.sides)):
        side = battle.sides[place]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0 and participant.boss:
                present = 1
    return present
