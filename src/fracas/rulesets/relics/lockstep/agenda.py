"""The agenda in lanes: rules/effects/agenda.py, with a mask for each frame: the lanes in which it is due.

The rules: relics/README.md, Consequences; Changes.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load_mask, splat, store, store_mask
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.signed_lanes import give_up, unmark
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF

_FRAME_MASK = rows.MOST_FRAMES - 1


@kernel
def caused_by(state, actor: int, source: int, depth: int, marked: int) -> None:
    """Note the cause of what happens from now on: a fighter or nobody, and a piece or a rule (README, Event rows)."""
    state.actor = actor
    state.source = source
    state.depth = depth
    state.marked = marked


@kernel
def has_listener(battle, side: int, trigger: int) -> bool:
    """Whether a fighter has any effect of a trigger.

    A trigger of which a side has no effects is not there at all.
    """
    return bool(battle.builds[side & 1].hears >> trigger & 1)


@kernel
def put(state, battle, side: int, trigger: int, payload, quantity: int, mask) -> None:
    """Put a fighter's effects of a trigger on top of the agenda, where a mask is true."""
    if has_listener(battle, side, trigger) and any_lane(mask):
        put_heard(state, battle, side, trigger, payload, quantity, mask)


@kernel_noinline
def put_heard(state, battle, side: int, trigger: int, payload, quantity: int, mask) -> None:
    """Put effects that exist on top of the agenda."""
    span = battle.builds[side & 1].listeners[trigger & codes.TRIGGER_MASK]
    put_frame(state, side, trigger, span.first, span.entries, payload, quantity, mask)


@kernel
def put_frame(state, side: int, trigger: int, first: int, entries: int, payload, quantity: int, mask) -> None:
    """Push a frame for a run through some effects; without room for it, lanes are given up."""
    index = state.frame_count
    if index >= rows.MOST_FRAMES:
        give_up(state, mask)
        return
    frame = state.frames[index & _FRAME_MASK]
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
    store(state, rows.PAYLOADS + index, payload)
    store_mask(state, rows.FRAME_LANES + index, mask)


@kernel
def top_frame(state) -> Any:
    """The frame to process next."""
    return state.frames[(state.frame_count - 1) & _FRAME_MASK]


@kernel
def crossed(state, side: int):
    """Where a fighter has crossed a threshold whose effects are not on the agenda yet."""
    return load_mask(state, rows.EXPOSED_DUE + side) | load_mask(state, rows.WOUNDED_DUE + side)


@kernel
def put_thresholds(state, battle, side: int, mask) -> None:
    """Put the effects of a fighter's crossed thresholds on the agenda: its own, then the other's."""
    if any_lane(crossed(state, side) & mask):
        put_crossed(state, battle, side, mask)


@kernel_noinline
def put_crossed(state, battle, side: int, mask) -> None:
    """Put the effects of thresholds that were crossed somewhere on the agenda."""
    none = splat(state, 0)
    wounded = load_mask(state, rows.WOUNDED_DUE + side) & mask
    exposed = load_mask(state, rows.EXPOSED_DUE + side) & mask
    put(state, battle, 1 - side, codes.ENEMY_WOUNDED, none, NOTHING_OF, wounded)
    put(state, battle, 1 - side, codes.ENEMY_EXPOSED, none, NOTHING_OF, exposed)
    put(state, battle, side, codes.WOUNDED, none, NOTHING_OF, wounded)
    put(state, battle, side, codes.EXPOSED, none, NOTHING_OF, exposed)
    unmark(state, rows.WOUNDED_DUE + side, mask)
    unmark(state, rows.EXPOSED_DUE + side, mask)
