"""What a unit does in its turn if a trained policy plays its side."""

from __future__ import annotations

from fracas.kernel.jit import kernel_noinline
from fracas.kernel.networks import best_action
from fracas.rulesets.squads.rules.constants import NETWORK_SHAPE
from fracas.rulesets.squads.rules.observation import mark_legal, see_battle


@kernel_noinline
def trained_action(battle, unit) -> int:
    """The action that a side's trained policy takes with a unit: an ability and a target.

    README, A turn, step 2, trained policies.
    Changes: battle.thought, battle.selected_by, battle.selected_entry.
    """
    thought = battle.thought
    see_battle(battle, unit.side, unit.index, thought.seen, True)
    mark_legal(battle, unit.index, thought.mask)
    thought.action = best_action(battle.networks[unit.side & 1], thought, NETWORK_SHAPE)
    return int(thought.action)
