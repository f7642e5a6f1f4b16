"""Thorns: the damage they reflect, and when they end."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import (
    BY_THORNS,
    BY_TURN_END,
    CLEARED_IF_FIRED,
    SIDES,
    THORNS,
    THORNS_KEPT,
    UNDECIDED,
)
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.effects.fast_path import packet_of_step
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, holds_for
from fracas.rulesets.relics.rules.effects.resolution import resolve_stack
from fracas.rulesets.relics.rules.status_ticks import fall_off


@kernel
def reflect(battle: Any, actor: int, target: int, log: Any) -> None:
    """Deal the defender's Thorns to the striker.

    Rule:    relics/README.md, Strikes, step 8.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as packet_of_step; as the effects.
    """
    defender = fighter_of(battle, target)
    if battle.reason == UNDECIDED and defender.values[THORNS] > 0:
        defender.reflected = 1
        caused_by_rule(battle, target, BY_THORNS)
        packet_of_step(battle, actor, defender.values[THORNS], 0, 1, log)
        check_at_once(battle, log)
        resolve_stack(battle, log)


@kernel
def clear_thorns(battle: Any, log: Any) -> None:
    """Remove all Thorns of a fighter that was struck, or whose Thorns did damage, unless a modifier keeps them.

    Rule:    relics/README.md, A turn, step 3.1.
    Changes: the battle; both fighters' struck and reflected.
    Draws:   as the effects.
    Emits:   as fall_off.
    """
    for side in range(SIDES):
        fighter = fighter_of(battle, side)
        is_cleared = fighter.reflected if battle.options.thorns_clear == CLEARED_IF_FIRED else fighter.struck
        if is_cleared == 1 and fighter.values[THORNS] > 0 and not holds_for(battle, side, THORNS_KEPT, ANYTHING):
            fall_off(battle, side, THORNS, fighter.values[THORNS], BY_TURN_END, log)
    for side in range(SIDES):
        fighter_of(battle, side).struck = 0
        fighter_of(battle, side).reflected = 0
