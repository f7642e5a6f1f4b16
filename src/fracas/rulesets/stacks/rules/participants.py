"""Looks up participants and whom they can harm or help. Masks tell the compiler that an index is never negative."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import (
    ANYBODY,
    DIRECTION_MASK,
    LIVING_ENEMIES,
    LIVING_FRIENDS,
    MOVE_TYPE_MASK,
    PARTICIPANT_MASK,
)


@kernel
def participant_at(battle: Any, number: int) -> Any:
    """The participant with an id; a dead one if there is none.

    Records may be narrower than CAPACITY, but their number of participants is a power of two.

    Rule:    stacks/README.md, An attack (participants).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    participants = battle.participants
    return participants[number & (len(participants) - 1)]


@kernel
def involved_at(battle: Any, place: int) -> int:
    """The id of a participant by its place among all of them, by ascending id.

    Rule:    stacks/README.md, An attack (participants).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    number: int = battle.involved[place & PARTICIPANT_MASK]
    return number


@kernel
def member_at(battle: Any, side: int, place: int) -> int:
    """The id of a participant by its place in its side, by ascending id.

    Rule:    stacks/README.md, An attack (participants).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    number: int = battle.sides[side & 1].members[place & PARTICIPANT_MASK]
    return number


@kernel
def in_order(battle: Any, place: int) -> int:
    """The id of the participant at a place of this turn's order of play.

    Rule:    stacks/README.md, Orders.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    number: int
    if battle.turn & 1 == 0:
        number = battle.even_order[place & PARTICIPANT_MASK]
    else:
        number = battle.odd_order[place & PARTICIPANT_MASK]
    return number


@kernel
def is_living(battle: Any, number: int) -> bool:
    """Whether a participant is living.

    Rule:    stacks/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = participant_at(battle, number).health > 0
    return answer


@kernel
def can_harm(battle: Any, actor: int, target: int) -> bool:
    """Whether a harmful move is viable: the actor is living, and the target a living enemy.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = (
        participant_at(battle, target).health > 0
        and participant_at(battle, target).side != participant_at(battle, actor).side
        and participant_at(battle, actor).health > 0
    )
    return answer


@kernel
def can_help(battle: Any, actor: int, target: int) -> bool:
    """Whether a helpful move is viable: the actor is living, and the target a living friend, itself included.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = (
        participant_at(battle, target).health > 0
        and participant_at(battle, target).side == participant_at(battle, actor).side
        and participant_at(battle, actor).health > 0
    )
    return answer


@kernel
def relation(battle: Any, actor: int, target: int) -> int:
    """A target's relation to an actor: one of the kinds of targets of move types.

    Rule:    stacks/README.md, A participant's turn, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if participant_at(battle, target).health == 0:
        return ANYBODY
    if participant_at(battle, target).side == participant_at(battle, actor).side:
        return ANYBODY | LIVING_FRIENDS
    return ANYBODY | LIVING_ENEMIES


@kernel
def is_meant_for(battle: Any, move: int, actor: int, target: int) -> bool:
    """Whether a target is among a move type's possible ones; its functions are called only for these.

    Rule:    stacks/README.md, Plug-in moves (usual_targets).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = battle.move_types[move & MOVE_TYPE_MASK].aims & relation(battle, actor, target) != 0
    return answer


@kernel
def missing_health(battle: Any, number: int) -> int:
    """How much a participant lacks of its full health.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one = participant_at(battle, number)
    missing: int = one.full_health - one.health
    return missing


@kernel
def place_at(battle: Any, direction: int) -> Any:
    """The place in a direction of the field.

    Rule:    stacks/README.md, An attack.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.places[direction & DIRECTION_MASK]
