"""The agenda in lanes: rules/effects/agenda.py, with a mask for each frame: the lanes in which it is due."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load_mask, splat, store, store_mask
from fracas.rulesets.relics.lockstep.signed_lanes import give_up, unmark
from fracas.rulesets.relics.lockstep.state import (
    EXPOSED_DUE,
    FRAME_LANES,
    MOST_FRAMES,
    PAYLOADS,
    WOUNDED_DUE,
)
from fracas.rulesets.relics.rules.constants import (
    ENEMY_EXPOSED,
    ENEMY_WOUNDED,
    EXPOSED,
    TRIGGER_MASK,
    WOUNDED,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF

_FRAME_MASK = MOST_FRAMES - 1


@kernel
def caused_by(state: Any, actor: int, source: int, depth: int, marked: int) -> None:
    """Note the cause of what happens from now on: a fighter or nobody, and a piece or a rule.

    Rule:    relics/README.md, Event rows (actor, source); Consequences, Depth and Marked.
    Changes: state.actor, source, depth, marked.
    Draws:   none.
    Emits:   nothing.
    """
    state.actor = actor
    state.source = source
    state.depth = depth
    state.marked = marked


@kernel
def has_listener(battle: Any, side: int, trigger: int) -> bool:
    """Whether a fighter has any effect of a trigger.

    Rule:    relics/README.md, Consequences (a trigger of which a side has no effects is not there at all).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return bool(battle.builds[side & 1].hears >> trigger & 1)


@kernel
def put(state: Any, battle: Any, side: int, trigger: int, payload: Any, quantity: int, mask: Any) -> None:
    """Put a fighter's effects of a trigger on top of the agenda, where a mask is true.

    Rule:    relics/README.md, Consequences.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if has_listener(battle, side, trigger) and any_lane(mask):
        put_heard(state, battle, side, trigger, payload, quantity, mask)


@kernel_noinline
def put_heard(state: Any, battle: Any, side: int, trigger: int, payload: Any, quantity: int, mask: Any) -> None:
    """Put effects that exist on top of the agenda.

    Rule:    relics/README.md, Consequences.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    span = battle.builds[side & 1].listeners[trigger & TRIGGER_MASK]
    put_frame(state, side, trigger, span.first, span.entries, payload, quantity, mask)


@kernel
def put_frame(
    state: Any, side: int, trigger: int, first: int, entries: int, payload: Any, quantity: int, mask: Any
) -> None:
    """Push a frame for a run through some effects; without room for it, lanes are given up.

    Rule:    relics/README.md, Consequences.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    place = state.frame_count
    if place >= MOST_FRAMES:
        give_up(state, mask)
        return
    frame = state.frames[place & _FRAME_MASK]
    state.frame_count += 1
    frame.side = side
    frame.trigger = trigger
    frame.effect = first
    frame.last = first + entries
    frame.op = -1
    frame.left = 0
    frame.quantity = quantity
    frame.marked = state.marked
    frame.depth = state.depth + 1
    frame.pieces = 0
    frame.phase = 0
    store(state, PAYLOADS + place, payload)
    store_mask(state, FRAME_LANES + place, mask)


@kernel
def top_frame(state: Any) -> Any:
    """The frame to process next.

    Rule:    relics/README.md, Consequences.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return state.frames[(state.frame_count - 1) & _FRAME_MASK]


@kernel
def crossed(state: Any, side: int) -> Any:
    """Where a fighter has crossed a threshold whose effects are not on the agenda yet.

    Rule:    relics/README.md, Changes, Exposed and Wounded.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return load_mask(state, EXPOSED_DUE + side) | load_mask(state, WOUNDED_DUE + side)


@kernel
def put_thresholds(state: Any, battle: Any, side: int, mask: Any) -> None:
    """Put the effects of a fighter's crossed thresholds on the agenda: its own, then the other's.

    Rule:    relics/README.md, Changes, Exposed and Wounded.
    Changes: the agenda; EXPOSED_DUE, WOUNDED_DUE.
    Draws:   none.
    Emits:   nothing.
    """
    if any_lane(crossed(state, side) & mask):
        put_crossed(state, battle, side, mask)


@kernel_noinline
def put_crossed(state: Any, battle: Any, side: int, mask: Any) -> None:
    """Put the effects of thresholds that were crossed somewhere on the agenda.

    Rule:    relics/README.md, Changes, Exposed and Wounded.
    Changes: the agenda; EXPOSED_DUE, WOUNDED_DUE.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    wounded = load_mask(state, WOUNDED_DUE + side) & mask
    exposed = load_mask(state, EXPOSED_DUE + side) & mask
    put(state, battle, 1 - side, ENEMY_WOUNDED, none, NOTHING_OF, wounded)
    put(state, battle, 1 - side, ENEMY_EXPOSED, none, NOTHING_OF, exposed)
    put(state, battle, side, WOUNDED, none, NOTHING_OF, wounded)
    put(state, battle, side, EXPOSED, none, NOTHING_OF, exposed)
    unmark(state, WOUNDED_DUE + side, mask)
    unmark(state, EXPOSED_DUE + side, mask)
