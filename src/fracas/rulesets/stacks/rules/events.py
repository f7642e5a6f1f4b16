"""The events of stacks: each kind with its columns, and the detail at which a story shows it."""

from __future__ import annotations

from typing import Annotated

from fracas.kernel.event_protocol import (
    ALL,
    DECISIONS,
    STORY,
    Codebook,
    Double,
    Event,
    MaybeUnit,
    Protocol,
    Unit,
    declared_in,
    emitter,
    event,
)
from fracas.rulesets.stacks.rules import constants as codes

StackName = Annotated[str, Codebook("stack"), "the stack"]
MoveName = Annotated[str, Codebook("move"), "the move type"]
Value = Annotated[float, Double(), "the value"]


@event(1, STORY)
class Battle(Event):
    """Both sides stand ready (first tick)."""

    stack: Annotated[str, Codebook("stack"), "the stack that attacks"]
    attackers: Annotated[int, "participants of side 1"]
    defenders: Annotated[int, "participants of side 2"]
    number: Annotated[int, "the attack's number: in a campaign its place, else what the attack says, or 0"]


@event(2, STORY)
class Stack(Event):
    """A stack on the field, and its role."""

    stack: StackName
    direction: Annotated[int, "its direction from the attacked tile"]
    role: Annotated[str, Codebook("role"), "its role"]
    units: Annotated[int, "its units"]


@event(3, ALL)
class Ready(Event):
    """A participant stands ready."""

    actor: Unit
    side: Annotated[int, "1 or 2"]
    health: Annotated[int, "its health"]
    full: Annotated[int, "its full health"]
    initiative: Annotated[int, "its initiative"]


@event(4, STORY)
class Turn(Event):
    """A turn begins."""

    turn: Annotated[int, "its number, from 0"]
    living_1: Annotated[int, "living participants of side 1"]
    living_2: Annotated[int, "living participants of side 2"]


@event(5, ALL)
class Considered(Event):
    """A viable target and move type, with its value for the participant."""

    actor: Unit
    target: Unit
    move: MoveName
    value: Value
    is_best: Annotated[bool, "true if it is above 0 and above all before it"]


@event(6, ALL)
class Trial(Event):
    """A trial roll of a sampled valuation: a hit if roll > against."""

    actor: Unit
    target: Unit
    move: MoveName
    roll: Annotated[int, "between(0, attack)"]
    against: Annotated[int, "between(0, defence)"]
    amount: Annotated[int, "between(0, damage) on a hit, else -1"]


@event(7, DECISIONS)
class Choice(Event):
    """The move that a participant makes: the first with the highest value."""

    actor: Unit
    target: Unit
    move: MoveName
    value: Value
    repeats: Annotated[int, "the most times it is made"]


@event(8, DECISIONS)
class Wait(Event):
    """A participant waits: no move is worth more than 0."""

    actor: Unit
    viable: Annotated[int, "viable targets and move types, each worth 0 or less"]


@event(9, ALL)
class Roll(Event):
    """An attack roll against a defence roll: a hit if roll > against."""

    actor: Unit
    target: Unit
    roll: Annotated[int, "between(0, attack)"]
    attack: Annotated[int, "the attack score"]
    against: Annotated[int, "between(0, defence)"]
    defence: Annotated[int, "the defence score"]


@event(10, ALL)
class Amount(Event):
    """The damage of a hit, or a roll of a plug-in's own."""

    actor: Unit
    target: MaybeUnit
    roll: Annotated[int, "between(low, high)"]
    low: Annotated[int, "the least; 0 for damage"]
    high: Annotated[int, "the most; the damage score for damage"]


@event(11, STORY)
class Move(Event):
    """A tuple of the result: who made which move on whom, and its effect."""

    actor: Unit
    target: MaybeUnit
    move: MoveName
    effect: Annotated[int, "its effect: damage, or health regained"]
    health: Annotated[int, "the target's health now; the actor's if there is no target"]
    making: Annotated[int, "the making that it belongs to or answers, from 1"]


@event(12, ALL)
class Scores(Event):
    """A plug-in's move changes the target's scores."""

    target: Unit
    attack: Annotated[int, "attack now"]
    defence: Annotated[int, "defence now"]
    damage: Annotated[int, "damage now"]


@event(13, STORY)
class Health(Event):
    """A move changes its actor's health."""

    target: Unit
    before: Annotated[int, "health before"]
    health: Annotated[int, "health now"]


@event(14, STORY)
class Fall(Event):
    """A participant dies; the actor is who made the move."""

    actor: Unit
    target: Unit


@event(15, DECISIONS)
class TurnEnd(Event):
    """A turn is over and judged."""

    idle: Annotated[int, "idle turns in a row"]
    stale: Annotated[int, "stale turns in a row"]
    health_1: Annotated[int, "total health of side 1"]
    health_2: Annotated[int, "total health of side 2"]


@event(16, STORY)
class Outcome(Event):
    """The battle is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    health_1: Annotated[int, "total health of side 1"]
    health_2: Annotated[int, "total health of side 2"]


@event(17, STORY)
class Commit(Event):
    """A campaign's world takes in an attack's result; at the tick of its outcome."""

    number: Annotated[int, "the attack's number"]
    units: Annotated[int, "units removed from both sides"]
    advanced: Annotated[bool, "whether the stack moved onto the tile"]
    revision: Annotated[int, "the world's revision now"]


@event(18, STORY)
class Skipped(Event):
    """An attack of a campaign is not possible any more; at its first tick."""

    number: Annotated[int, "the attack's number"]
    obstacle: Annotated[str, Codebook("obstacle"), "why"]


PROTOCOL = Protocol(declared_in(__name__))

emit_battle = emitter(Battle)
emit_stack = emitter(Stack)
emit_ready = emitter(Ready)
emit_turn = emitter(Turn)
emit_considered = emitter(Considered)
emit_trial = emitter(Trial)
emit_choice = emitter(Choice)
emit_wait = emitter(Wait)
emit_roll = emitter(Roll)
emit_amount = emitter(Amount)
emit_move = emitter(Move)
emit_scores = emitter(Scores)
emit_health = emitter(Health)
emit_fall = emitter(Fall)
emit_turn_end = emitter(TurnEnd)
emit_outcome = emitter(Outcome)

# The kinds of rolls that a making stores for the log.
ROLL, AMOUNT = Roll.KIND, Amount.KIND

# Code books that are the same in every battle; `unit`, `stack` and the plug-ins' moves differ by battle.
CODEBOOKS = {
    "role": codes.ROLES,
    "move": codes.MOVES,
    "reason": codes.REASONS,
    "obstacle": codes.OBSTACLES,
}
