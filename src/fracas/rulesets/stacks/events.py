"""The events of stacks: each kind with its columns, and the detail at which a story shows it."""

from __future__ import annotations

from typing import Annotated

from fracas.events.protocol import ALL, DECISIONS, STORY, Codebook, Double, Event, MaybeUnit, Protocol, Unit, event
from fracas.rulesets.stacks.rules import constants as codes

StackName = Annotated[str, Codebook("stack"), "the stack"]
MoveName = Annotated[str, Codebook("move"), "the move type"]
Value = Annotated[float, Double(), "the value"]


@event(codes.BATTLE_EVENT, STORY)
class Battle(Event):
    """Both sides stand ready (first tick)."""

    stack: Annotated[str, Codebook("stack"), "the stack that attacks"]
    attackers: Annotated[int, "participants of side 1"]
    defenders: Annotated[int, "participants of side 2"]
    number: Annotated[int, "the attack's number: in a campaign its place, else what the attack says, or 0"]


@event(codes.STACK_EVENT, STORY)
class Stack(Event):
    """A stack on the field, and its role."""

    stack: StackName
    direction: Annotated[int, "its direction from the attacked tile"]
    role: Annotated[str, Codebook("role"), "its role"]
    units: Annotated[int, "its units"]


@event(codes.READY_EVENT, ALL)
class Ready(Event):
    """A participant stands ready."""

    actor: Unit
    side: Annotated[int, "1 or 2"]
    health: Annotated[int, "its health"]
    full: Annotated[int, "its full health"]
    initiative: Annotated[int, "its initiative"]


@event(codes.TURN_EVENT, STORY)
class Turn(Event):
    """A turn begins."""

    turn: Annotated[int, "its number, from 0"]
    living_1: Annotated[int, "living participants of side 1"]
    living_2: Annotated[int, "living participants of side 2"]


@event(codes.CONSIDERED_EVENT, ALL)
class Considered(Event):
    """A viable target and move type, with its value for the participant."""

    actor: Unit
    target: Unit
    move: MoveName
    value: Value
    is_best: Annotated[bool, "true if it is above 0 and above all before it"]


@event(codes.TRIAL_EVENT, ALL)
class Trial(Event):
    """A trial roll of a sampled valuation: a hit if roll > against."""

    actor: Unit
    target: Unit
    move: MoveName
    roll: Annotated[int, "between(0, attack)"]
    against: Annotated[int, "between(0, defence)"]
    amount: Annotated[int, "between(0, damage) on a hit, else -1"]


@event(codes.CHOICE_EVENT, DECISIONS)
class Choice(Event):
    """The move that a participant makes: the first with the highest value."""

    actor: Unit
    target: Unit
    move: MoveName
    value: Value
    repeats: Annotated[int, "the most times it is made"]


@event(codes.WAIT_EVENT, DECISIONS)
class Wait(Event):
    """A participant waits: no move is worth more than 0."""

    actor: Unit
    viable: Annotated[int, "viable targets and move types, each worth 0 or less"]


@event(codes.ROLL_EVENT, ALL)
class Roll(Event):
    """An attack roll against a defence roll: a hit if roll > against."""

    actor: Unit
    target: Unit
    roll: Annotated[int, "between(0, attack)"]
    attack: Annotated[int, "the attack score"]
    against: Annotated[int, "between(0, defence)"]
    defence: Annotated[int, "the defence score"]


@event(codes.AMOUNT_EVENT, ALL)
class Amount(Event):
    """The damage of a hit, or a roll of a plug-in's own."""

    actor: Unit
    target: MaybeUnit
    roll: Annotated[int, "between(low, high)"]
    low: Annotated[int, "the least; 0 for damage"]
    high: Annotated[int, "the most; the damage score for damage"]


@event(codes.MOVE_EVENT, STORY)
class Move(Event):
    """A tuple of the result: who made which move on whom, and its effect."""

    actor: Unit
    target: MaybeUnit
    move: MoveName
    effect: Annotated[int, "its effect: damage, or health regained"]
    health: Annotated[int, "the target's health now; the actor's if there is no target"]
    making: Annotated[int, "the making that it belongs to or answers, from 1"]


@event(codes.SCORES_EVENT, ALL)
class Scores(Event):
    """A plug-in's move changes the target's scores."""

    target: Unit
    attack: Annotated[int, "attack now"]
    defence: Annotated[int, "defence now"]
    damage: Annotated[int, "damage now"]


@event(codes.HEALTH_EVENT, STORY)
class Health(Event):
    """A move changes its actor's health."""

    target: Unit
    before: Annotated[int, "health before"]
    health: Annotated[int, "health now"]


@event(codes.FALL_EVENT, STORY)
class Fall(Event):
    """A participant dies; the actor is who made the move."""

    actor: Unit
    target: Unit


@event(codes.TURN_END_EVENT, DECISIONS)
class TurnEnd(Event):
    """A turn is over and judged."""

    idle: Annotated[int, "idle turns in a row"]
    stale: Annotated[int, "stale turns in a row"]
    health_1: Annotated[int, "total health of side 1"]
    health_2: Annotated[int, "total health of side 2"]


@event(codes.OUTCOME_EVENT, STORY)
class Outcome(Event):
    """The battle is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    health_1: Annotated[int, "total health of side 1"]
    health_2: Annotated[int, "total health of side 2"]


@event(codes.COMMIT_EVENT, STORY)
class Commit(Event):
    """A campaign's world takes in an attack's result; at the tick of its outcome."""

    number: Annotated[int, "the attack's number"]
    units: Annotated[int, "units removed from both sides"]
    advanced: Annotated[bool, "whether the stack moved onto the tile"]
    revision: Annotated[int, "the world's revision now"]


@event(codes.SKIPPED_EVENT, STORY)
class Skipped(Event):
    """An attack of a campaign is not possible any more; at its first tick."""

    number: Annotated[int, "the attack's number"]
    obstacle: Annotated[str, Codebook("obstacle"), "why"]


PROTOCOL = Protocol(
    (
        Battle,
        Stack,
        Ready,
        Turn,
        Considered,
        Trial,
        Choice,
        Wait,
        Roll,
        Amount,
        Move,
        Scores,
        Health,
        Fall,
        TurnEnd,
        Outcome,
        Commit,
        Skipped,
    )
)

# Code books that are the same in every battle; `unit`, `stack` and the plug-ins' moves differ by battle.
CODEBOOKS = {
    "role": codes.ROLES,
    "move": codes.MOVES,
    "reason": codes.REASONS,
    "obstacle": codes.OBSTACLES,
}
