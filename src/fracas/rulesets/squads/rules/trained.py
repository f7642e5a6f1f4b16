"""What a unit does in its turn if a trained policy plays its side."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel_noinline
from fracas.kernel.networks import best_action
from fracas.rulesets.squads.rules.constants import NETWORK_SHAPE
from fracas.rulesets.squads.rules.observation import mark_legal, see_battle


@kernel_noinline
def trained_action(battle: Any, unit: Any) -> int:
    """The action that a side's trained policy takes with a unit: an ability and a target.

    Rule:    squads/README.md, A turn, step 2, trained policies.
    Changes: battle.thought, battle.selected_by, battle.selected_entry.
    Draws:   none.
    Emits:   nothing.
    """
    thought = battle.thought
    see_battle(battle, unit.side, unit.index, thought.seen, True)
    mark_legal(battle, unit.index, thought.mask)
    thought.action = best_action(battle.networks[unit.side & 1], thought, NETWORK_SHAPE)
    return int(thought.action)
