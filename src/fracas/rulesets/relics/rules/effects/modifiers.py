"""Sum the modifiers that apply to a fighter. relics/README.md, Modifiers."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import amount_of, build_of, fighter_of, is_true

ANYTHING = -1


@kernel
def has_any(battle, side: int, modifier: int) -> bool:
    """Whether a fighter has any modifiers of a kind."""
    return build_of(battle, side).holds >> modifier & 1 == 1


@kernel
def sum_of(battle, side: int, modifier: int, quantity: int) -> int:
    """The sum of all modifiers of a kind that apply to a fighter; for a status, only those of that status."""
    build = build_of(battle, side)
    if build.varies >> modifier & 1 == 0:
        return build.sums[modifier]
    return added_up(battle, side, modifier, quantity)


@kernel_noinline
def added_up(battle, side: int, modifier: int, quantity: int) -> int:
    """The sum of a fighter's modifiers of a kind whose conditions hold.

    A sum is held to -9,999 to 9,999.
    """
    span = build_of(battle, side).modifiers[modifier]
    phase = fighter_of(battle, side).phase
    total = 0
    for index in range(span.first, span.first + span.entries):
        entry = battle.modifiers[index & codes.MODIFIER_MASK]
        fits = (entry.phase == 0 or entry.phase == phase) and (entry.quantity < 0 or entry.quantity == quantity)
        if fits and entry.is_limited == 1:
            fits = is_about(entry, battle.cause.actor, battle.cause.source)
        if fits and is_true(battle, entry.condition, side, entry.source, 0):
            total += amount_of(battle, entry.amount, side, entry.source, 0)
    return min(max(total, -codes.LARGEST), codes.LARGEST)


@kernel
def is_about(entry, actor: int, source: int) -> bool:
    """Whether a limited modifier applies to what a piece or a rule does."""
    if source < codes.PIECE_SLOTS:
        return entry.pieces >> (source & codes.PIECE_MASK) & 1 == 1
    bit = codes.STRIKE_BITS + (actor & 1) if source == codes.BY_STRIKE else source - codes.PIECE_SLOTS
    return entry.rules >> bit & 1 == 1


@kernel
def holds_for(battle, side: int, modifier: int, quantity: int) -> bool:
    """Whether a modifier without a number applies to a fighter.

    One is enough.
    """
    return sum_of(battle, side, modifier, quantity) > 0
