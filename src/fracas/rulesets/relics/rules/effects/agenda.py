"""The agenda: what is due, as a stack of frames. `state.py` defines how frames are processed; `resolution.py` does it.

Everything that happens has a *cause*: the fighter, its piece or a rule, the depth of consequences, and whether a
retaliation is behind it. Frames on the agenda inherit it.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    ENEMY_EXPOSED,
    ENEMY_WOUNDED,
    EXPOSED,
    FRAME_MASK,
    JUDGE,
    TRIGGER_MASK,
    WOUNDED,
)

NOTHING_OF = -1


@kernel
def caused_by_rule(battle: Any, actor: int, source: int) -> None:
    """Make a rule the cause of what happens from now on, for a fighter or for neither.

    Rule:    relics/README.md, Event rows (actor, source); Consequences, Depth and Marked.
    Changes: battle.cause.
    Draws:   none.
    Emits:   nothing.
    """
    cause = battle.cause
    cause.actor = actor
    cause.source = source
    cause.depth = 0
    cause.marked = 0


@kernel
def caused_by_item(battle: Any, actor: int, source: int, depth: int, marked: int) -> None:
    """Make an effect of a fighter's piece the cause of what happens from now on.

    Rule:    relics/README.md, Event rows (actor, source); Consequences, Depth and Marked.
    Changes: battle.cause.
    Draws:   none.
    Emits:   nothing.
    """
    cause = battle.cause
    cause.actor = actor
    cause.source = source
    cause.depth = depth
    cause.marked = marked


@kernel
def has_listener(battle: Any, side: int, trigger: int) -> bool:
    """Whether a fighter has any effect of a trigger.

    Rule:    relics/README.md, Consequences (a trigger of which a side has no effects is not there at all).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return build_of(battle, side).hears >> trigger & 1 == 1


@kernel
def put(battle: Any, side: int, trigger: int, payload: int, quantity: int) -> None:
    """Put a fighter's effects of a trigger on top of the agenda.

    Rule:    relics/README.md, Consequences.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if has_listener(battle, side, trigger):
        span = build_of(battle, side).listeners[trigger & TRIGGER_MASK]
        cause = battle.cause
        put_frame(battle, side, trigger, span.first, span.entries, payload, quantity, cause.depth + 1, cause.marked)


@kernel
def put_frame(
    battle: Any,
    side: int,
    trigger: int,
    first: int,
    entries: int,
    payload: int,
    quantity: int,
    depth: int,
    marked: int,
) -> None:
    """Push a frame for a run through some effects.

    Rule:    relics/README.md, Consequences.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    frame = battle.frames[battle.frame_count & FRAME_MASK]
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
def top_frame(battle: Any) -> Any:
    """The frame to process next.

    Rule:    relics/README.md, Consequences.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.frames[(battle.frame_count - 1) & FRAME_MASK]


@kernel
def push_death_check(battle: Any, depth: int) -> None:
    """Put the judgement of the fallen on top of the agenda.

    Rule:    relics/README.md, Death check.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    put_frame(battle, NOBODY, JUDGE, 0, 0, 0, NOTHING_OF, depth, 0)


@kernel
def has_crossed(battle: Any, side: int) -> bool:
    """Whether a fighter has crossed a threshold whose effects are not on the agenda yet.

    Rule:    relics/README.md, Changes, Exposed and Wounded.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    fighter = fighter_of(battle, side)
    return fighter.exposed_due + fighter.wounded_due > 0


@kernel
def put_thresholds(battle: Any, side: int) -> None:
    """Put the effects of a fighter's crossed thresholds on the agenda: its own, then the other's.

    Rule:    relics/README.md, Changes, Exposed and Wounded.
    Changes: the agenda; the fighter's exposed_due, wounded_due.
    Draws:   none.
    Emits:   nothing.
    """
    if not has_crossed(battle, side):
        return
    fighter = fighter_of(battle, side)
    if fighter.wounded_due == 1:
        put(battle, 1 - side, ENEMY_WOUNDED, 0, NOTHING_OF)
    if fighter.exposed_due == 1:
        put(battle, 1 - side, ENEMY_EXPOSED, 0, NOTHING_OF)
    if fighter.wounded_due == 1:
        put(battle, side, WOUNDED, 0, NOTHING_OF)
    if fighter.exposed_due == 1:
        put(battle, side, EXPOSED, 0, NOTHING_OF)
    fighter.exposed_due = 0
    fighter.wounded_due = 0
