"""The agenda: what is due, as a stack of frames. `state.py` defines how frames are processed; `resolution.py` does it.

Everything that happens has a *cause*: the fighter, its piece or a rule, the depth of consequences, and whether a
retaliation is behind it. Frames on the agenda inherit it.

The rules: relics/README.md, Event rows; Consequences; Changes.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of

NOTHING_OF = -1


@kernel
def caused_by_rule(battle, actor: int, source: int) -> None:
    """Make a rule the cause of what happens from now on, for a fighter or for neither."""
    cause = battle.cause
    cause.actor = actor
    cause.source = source
    cause.depth = 0
    cause.marked = 0


@kernel
def caused_by_item(battle, actor: int, source: int, depth: int, marked: int) -> None:
    """Make an effect of a fighter's piece the cause of what happens from now on."""
    cause = battle.cause
    cause.actor = actor
    cause.source = source
    cause.depth = depth
    cause.marked = marked


@kernel
def has_listener(battle, side: int, trigger: int) -> bool:
    """Whether a fighter has any effect of a trigger.

    A trigger of which a side has no effects is not there at all.
    """
    return build_of(battle, side).hears >> trigger & 1 == 1


@kernel
def put(battle, side: int, trigger: int, payload: int, quantity: int) -> None:
    """Put a fighter's effects of a trigger on top of the agenda."""
    if has_listener(battle, side, trigger):
        span = build_of(battle, side).listeners[trigger & codes.TRIGGER_MASK]
        cause = battle.cause
        put_frame(battle, side, trigger, span.first, span.entries, payload, quantity, cause.depth + 1, cause.marked)


@kernel
def put_frame(
    battle, side: int, trigger: int, first: int, entries: int, payload: int, quantity: int, depth: int, marked: int
) -> None:
    """Push a frame for a run through some effects."""
    frame = battle.frames[battle.frame_count & codes.FRAME_MASK]
    battle.frame_count += 1
    frame.side = side
    frame.trigger = trigger
    frame.effect = first
    frame.last = first + entries
    frame.op = -1
    frame.payload = payload
    frame.quantity = quantity
    frame.marked = marked
    frame.depth = depth
    frame.pieces = 0
    frame.phase = 0


@kernel
def top_frame(battle) -> Any:
    """The frame to process next."""
    return battle.frames[(battle.frame_count - 1) & codes.FRAME_MASK]


@kernel
def push_death_check(battle, depth: int) -> None:
    """Put the judgement of the fallen on top of the agenda (README, Death check)."""
    put_frame(battle, NOBODY, codes.JUDGE, 0, 0, 0, NOTHING_OF, depth, 0)


@kernel
def has_crossed(battle, side: int) -> bool:
    """Whether a fighter has crossed a threshold whose effects are not on the agenda yet."""
    fighter = fighter_of(battle, side)
    return fighter.exposed_due + fighter.wounded_due > 0


@kernel
def put_thresholds(battle, side: int) -> None:
    """Put the effects of a fighter's crossed thresholds on the agenda: its own, then the other's."""
    if not has_crossed(battle, side):
        return
    fighter = fighter_of(battle, side)
    if fighter.wounded_due == 1:
        put(battle, 1 - side, codes.ENEMY_WOUNDED, 0, NOTHING_OF)
    if fighter.exposed_due == 1:
        put(battle, 1 - side, codes.ENEMY_EXPOSED, 0, NOTHING_OF)
    if fighter.wounded_due == 1:
        put(battle, side, codes.WOUNDED, 0, NOTHING_OF)
    if fighter.exposed_due == 1:
        put(battle, side, codes.EXPOSED, 0, NOTHING_OF)
    fighter.exposed_due = 0
    fighter.wounded_due = 0
