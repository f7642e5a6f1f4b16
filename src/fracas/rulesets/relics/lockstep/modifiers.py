"""Sums of modifiers in lanes: rules/effects/modifiers.py for 64 battles."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load, no_lanes, select, splat
from fracas.rulesets.relics.lockstep.facts import amount_of, holds
from fracas.rulesets.relics.lockstep.signed_lanes import is_above_0, least, most, number, with_percentage
from fracas.rulesets.relics.lockstep.state import PHASE
from fracas.rulesets.relics.rules.constants import LARGEST, MODIFIER_MASK
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, is_about


@kernel
def has_any(battle: Any, side: int, modifier: int) -> bool:
    """Whether a fighter has any modifiers of a kind.

    Rule:    relics/README.md, Modifiers.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return bool(battle.builds[side & 1].holds >> modifier & 1)


@kernel
def sum_of(state: Any, battle: Any, side: int, modifier: int, quantity: int) -> Any:
    """The sum of all modifiers of a kind that apply to a fighter; for a status, only those of that status.

    Rule:    relics/README.md, Modifiers.
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    build = battle.builds[side & 1]
    if build.varies >> modifier & 1 == 0:
        return number(state, build.sums[modifier])
    return added_up(state, battle, side, modifier, quantity)


@kernel_noinline
def added_up(state: Any, battle: Any, side: int, modifier: int, quantity: int) -> Any:
    """The sum of a fighter's modifiers of a kind whose conditions hold.

    Rule:    relics/README.md, Modifiers (a sum is held to -9,999 to 9,999).
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    span = battle.builds[side & 1].modifiers[modifier]
    none = splat(state, 0)
    total = none
    for place in range(span.first, span.first + span.entries):
        entry = battle.modifiers[place & MODIFIER_MASK]
        fits = entry.quantity < 0 or entry.quantity == quantity
        if fits and entry.is_limited == 1:
            fits = is_about(entry, state.actor, state.source)
        if fits:
            mask = ~no_lanes()
            if entry.phase != 0:
                mask = load(state, PHASE + side) == splat(state, entry.phase)
            mask = holds(state, battle, entry.condition, side, entry.source, none, mask)
            if any_lane(mask):
                amount = amount_of(state, battle, entry.amount, side, entry.source, none)
                total = total + select(mask, amount, none)
    return most(state, least(state, total, splat(state, LARGEST)), number(state, -LARGEST))


@kernel
def holds_for(state: Any, battle: Any, side: int, modifier: int, quantity: int) -> Any:
    """Where a modifier without a number applies to a fighter.

    Rule:    relics/README.md, Modifiers (one is enough).
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    build = battle.builds[side & 1]
    if build.varies >> modifier & 1 == 1:
        return is_above_0(state, added_up(state, battle, side, modifier, quantity))
    return ~no_lanes() if build.sums[modifier] > 0 else no_lanes()


@kernel
def modified(state: Any, battle: Any, owner: int, modifier: int, quantity: int, amount: Any) -> Any:
    """A number with an owner's flat modifiers of a kind added.

    Rule:    relics/README.md, Changes (held to 0 to 9,999).
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    if not has_any(battle, owner, modifier):
        return amount
    after = amount + sum_of(state, battle, owner, modifier, quantity)
    return least(state, most(state, after, splat(state, 0)), splat(state, LARGEST))


@kernel
def modified_by_percent(state: Any, battle: Any, owner: int, modifier: int, amount: Any) -> Any:
    """A number with an owner's percentage modifiers of a kind applied.

    Rule:    relics/README.md, Changes (at least -100; held to 0 to 9,999).
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    if not has_any(battle, owner, modifier):
        return amount
    return with_percentage(state, amount, sum_of(state, battle, owner, modifier, ANYTHING), LARGEST)
