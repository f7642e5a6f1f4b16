"""Looks up participants and whom they can harm or help. Masks tell the compiler that an index is never negative.

The rules: stacks/README.md, An attack; The shipped moves.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules import constants as codes


@kernel
def participant_at(battle, number: int):
    """The participant with an id; a dead one if there is none.

    Records may be narrower than CAPACITY, but their number of participants is a power of two.

    Participants.
    """
    participants = battle.participants
    return participants[number & (len(participants) - 1)]


@kernel
def involved_at(battle, index: int) -> int:
    """The id of a participant by its place among all of them, by ascending id.

    Participants.
    """
    return battle.involved[index & codes.PARTICIPANT_MASK]


@kernel
def member_at(battle, side: int, index: int) -> int:
    """The id of a participant by its place in its side, by ascending id.

    Participants.
    """
    return battle.sides[side & 1].members[index & codes.PARTICIPANT_MASK]


@kernel
def in_order(battle, index: int) -> int:
    """The id of the participant at a place of this turn's order of play (README, Orders)."""
    number: int
    if battle.turn & 1 == 0:
        number = battle.even_order[index & codes.PARTICIPANT_MASK]
    else:
        number = battle.odd_order[index & codes.PARTICIPANT_MASK]
    return number


@kernel
def is_living(battle, number: int) -> bool:
    """Whether a participant is living (README, State)."""
    return participant_at(battle, number).health > 0


@kernel
def can_harm(battle, actor: int, target: int) -> bool:
    """Whether a harmful move is viable: the actor is living, and the target a living enemy."""
    return (
        participant_at(battle, target).health > 0
        and participant_at(battle, target).side != participant_at(battle, actor).side
        and participant_at(battle, actor).health > 0
    )


@kernel
def can_help(battle, actor: int, target: int) -> bool:
    """Whether a helpful move is viable: the actor is living, and the target a living friend, itself included."""
    return (
        participant_at(battle, target).health > 0
        and participant_at(battle, target).side == participant_at(battle, actor).side
        and participant_at(battle, actor).health > 0
    )


@kernel
def relation(battle, actor: int, target: int) -> int:
    """A target's relation to an actor: one of the kinds of targets of move types.

    README, A participant's turn, step 1.
    """
    if participant_at(battle, target).health == 0:
        return codes.ANYBODY
    if participant_at(battle, target).side == participant_at(battle, actor).side:
        return codes.ANYBODY | codes.LIVING_FRIENDS
    return codes.ANYBODY | codes.LIVING_ENEMIES


@kernel
def is_meant_for(battle, move: int, actor: int, target: int) -> bool:
    """Whether a target is among a move type's possible ones; its functions are called only for these.

    Usual_targets.

    README, Plug-in moves.
    """
    return battle.move_types[move & codes.MOVE_TYPE_MASK].aims & relation(battle, actor, target) != 0


@kernel
def missing_health(battle, number: int) -> int:
    """How much a participant lacks of its full health."""
    one = participant_at(battle, number)
    return one.full_health - one.health


@kernel
def place_at(battle, direction: int):
    """The place in a direction of the field."""
    return battle.places[direction & codes.DIRECTION_MASK]
