"""Countdowns in lanes: how a turn and ops bring them nearer. rules/turns.py and rules/effects/ops.py."""

from __future__ import annotations

from fracas.kernel.jit import kernel_noinline
from fracas.lanes.lane_state import change, truth
from fracas.lanes.operations import load, load_mask, no_lanes, splat
from fracas.rulesets.relics.lockstep.agenda import put
from fracas.rulesets.relics.lockstep.signed_lanes import least, mark, most, unmark
from fracas.rulesets.relics.lockstep.state import DUE, TURNS_LEFT
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF


@kernel_noinline
def tick_countdowns(state, battle, side: int, mask) -> None:
    """Take one turn off every countdown; those that reach 0 are due (README, A turn, step 1.4)."""
    none = splat(state, 0)
    span = battle.builds[side & 1].listeners[codes.COUNTDOWN]
    for index in range(span.first, span.first + span.entries):
        left = load(state, TURNS_LEFT + index)
        going = mask & (left != none)
        left = left - truth(state, going)
        change(state, TURNS_LEFT + index, going, left)
        mark(state, DUE + index, going & (left == none))


@kernel_noinline
def change_countdowns(state, battle, verb: int, target: int, amount, mask) -> None:
    """Shorten, lengthen or restart a fighter's countdowns; those that reach 0 are due.

    README, Ops, hasten, delay and reset_countdowns.
    """
    none = splat(state, 0)
    span = battle.builds[target & 1].listeners[codes.COUNTDOWN]
    one_is_due = no_lanes()
    for index in range(span.first, span.first + span.entries):
        before = load(state, TURNS_LEFT + index)
        going = mask & (before != none)
        if verb == codes.RESET_COUNTDOWNS:
            change(state, TURNS_LEFT + index, mask, splat(state, battle.effects[index & codes.EFFECT_MASK].n))
            unmark(state, DUE + index, mask)
        elif verb == codes.HASTEN:
            left = most(state, before - amount, none)
            change(state, TURNS_LEFT + index, going, left)
            mark(state, DUE + index, going & (left == none))
        elif verb == codes.DELAY:
            change(state, TURNS_LEFT + index, going, least(state, before + amount, splat(state, codes.LARGEST)))
        one_is_due = one_is_due | load_mask(state, DUE + index)
    if verb == codes.HASTEN:
        put(state, battle, target, codes.COUNTDOWN, none, NOTHING_OF, mask & one_is_due)
