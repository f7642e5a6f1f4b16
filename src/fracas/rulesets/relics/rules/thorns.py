"""Thorns: the damage they reflect, and when they end."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.effects.fast_path import packet_of_step
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, holds_for
from fracas.rulesets.relics.rules.effects.resolution import resolve_stack
from fracas.rulesets.relics.rules.status_ticks import decay


@kernel
def reflect(battle, actor: int, target: int, log) -> None:
    """Deal the defender's Thorns to the striker (README, Strikes, step 8)."""
    defender = fighter_of(battle, target)
    if battle.reason == codes.UNDECIDED and defender.values[codes.THORNS] > 0:
        defender.reflected = 1
        caused_by_rule(battle, target, codes.BY_THORNS)
        packet_of_step(battle, actor, defender.values[codes.THORNS], 0, 1, log)
        check_at_once(battle, log)
        resolve_stack(battle, log)


@kernel
def clear_thorns(battle, log) -> None:
    """Remove all Thorns of a fighter that was struck, or whose Thorns did damage, unless a modifier keeps them.

    README, A turn, step 3.1.
    """
    for side in range(codes.SIDES):
        fighter = fighter_of(battle, side)
        is_cleared = fighter.reflected if battle.options.thorns_clear == codes.CLEARED_IF_FIRED else fighter.struck
        if (
            is_cleared == 1
            and fighter.values[codes.THORNS] > 0
            and not holds_for(battle, side, codes.THORNS_KEPT, ANYTHING)
        ):
            decay(battle, side, codes.THORNS, fighter.values[codes.THORNS], codes.BY_TURN_END, log)
    for side in range(codes.SIDES):
        fighter_of(battle, side).struck = 0
        fighter_of(battle, side).reflected = 0
