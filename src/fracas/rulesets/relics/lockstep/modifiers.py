"""Sums of modifiers in lanes: rules/effects/modifiers.py for 64 battles. relics/README.md, Modifiers; Changes."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load, no_lanes, select, splat
from fracas.rulesets.relics.lockstep.facts import amount_of, holds
from fracas.rulesets.relics.lockstep.signed_lanes import is_above_0, least, most, number, with_percentage
from fracas.rulesets.relics.lockstep.state import PHASE
from fracas.rulesets.relics.rules.constants import LARGEST, MODIFIER_MASK
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, is_about


@kernel
def has_any(battle, side: int, modifier: int) -> bool:
    """Whether a fighter has any modifiers of a kind."""
    return bool(battle.builds[side & 1].holds >> modifier & 1)


@kernel
def sum_of(state, battle, side: int, modifier: int, quantity: int):
    """The sum of all modifiers of a kind that apply to a fighter; for a status, only those of that status."""
    build = battle.builds[side & 1]
    if build.varies >> modifier & 1 == 0:
        return number(state, build.sums[modifier])
    return added_up(state, battle, side, modifier, quantity)


@kernel_noinline
def added_up(state, battle, side: int, modifier: int, quantity: int):
    """The sum of a fighter's modifiers of a kind whose conditions hold.

    A sum is held to -9,999 to 9,999.
    """
    span = battle.builds[side & 1].modifiers[modifier]
    none = splat(state, 0)
    total = none
    for index in range(span.first, span.first + span.entries):
        entry = battle.modifiers[index & MODIFIER_MASK]
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
def holds_for(state, battle, side: int, modifier: int, quantity: int):
    """Where a modifier without a number applies to a fighter.

    One is enough.
    """
    build = battle.builds[side & 1]
    if build.varies >> modifier & 1 == 1:
        return is_above_0(state, added_up(state, battle, side, modifier, quantity))
    return ~no_lanes() if build.sums[modifier] > 0 else no_lanes()


@kernel
def modified(state, battle, owner: int, modifier: int, quantity: int, amount):
    """A number with an owner's flat modifiers of a kind added.

    Held to 0 to 9,999.
    """
    if not has_any(battle, owner, modifier):
        return amount
    after = amount + sum_of(state, battle, owner, modifier, quantity)
    return least(state, most(state, after, splat(state, 0)), splat(state, LARGEST))


@kernel
def modified_by_percent(state, battle, owner: int, modifier: int, amount):
    """A number with an owner's percentage modifiers of a kind applied.

    At least -100; held to 0 to 9,999.
    """
    if not has_any(battle, owner, modifier):
        return amount
    return with_percentage(state, amount, sum_of(state, battle, owner, modifier, ANYTHING), LARGEST)
