"""Sum the modifiers that apply to a fighter. relics/README.md, Modifiers."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import amount_of, build_of, fighter_of, is_true
from fracas.rulesets.relics.rules.constants import (
    BY_STRIKE,
    LARGEST,
    MODIFIER_MASK,
    PIECE_MASK,
    PIECE_SLOTS,
    STRIKE_BITS,
)

ANYTHING = -1


@kernel
def has_any(battle: Any, side: int, modifier: int) -> bool:
    """Whether a fighter has any modifiers of a kind.

    Rule:    relics/README.md, Modifiers.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return build_of(battle, side).holds >> modifier & 1 == 1


@kernel
def sum_of(battle: Any, side: int, modifier: int, quantity: int) -> int:
    """The sum of all modifiers of a kind that apply to a fighter; for a status, only those of that status.

    Rule:    relics/README.md, Modifiers.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    build = build_of(battle, side)
    if build.varies >> modifier & 1 == 0:
        return build.sums[modifier]
    return added_up(battle, side, modifier, quantity)


@kernel_noinline
def added_up(battle: Any, side: int, modifier: int, quantity: int) -> int:
    """The sum of a fighter's modifiers of a kind whose conditions hold.

    Rule:    relics/README.md, Modifiers (a sum is held to -9,999 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    span = build_of(battle, side).modifiers[modifier]
    phase = fighter_of(battle, side).phase
    total = 0
    for place in range(span.first, span.first + span.entries):
        entry = battle.modifiers[place & MODIFIER_MASK]
        fits = (entry.phase == 0 or entry.phase == phase) and (entry.quantity < 0 or entry.quantity == quantity)
        if fits and entry.is_limited == 1:
            fits = is_about(entry, battle.cause.actor, battle.cause.source)
        if fits and is_true(battle, entry.condition, side, entry.source, 0):
            total += amount_of(battle, entry.amount, side, entry.source, 0)
    return min(max(total, -LARGEST), LARGEST)


@kernel
def is_about(entry: Any, actor: int, source: int) -> bool:
    """Whether a limited modifier applies to what a piece or a rule does.

    Rule:    relics/README.md, Modifiers, Limits.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if source < PIECE_SLOTS:
        return entry.pieces >> (source & PIECE_MASK) & 1 == 1
    place = STRIKE_BITS + (actor & 1) if source == BY_STRIKE else source - PIECE_SLOTS
    return entry.rules >> place & 1 == 1


@kernel
def holds_for(battle: Any, side: int, modifier: int, quantity: int) -> bool:
    """Whether a modifier without a number applies to a fighter.

    Rule:    relics/README.md, Modifiers (one is enough).
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    return sum_of(battle, side, modifier, quantity) > 0
