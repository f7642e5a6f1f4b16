"""What a participant does in its turn, and which option a party takes, if a trained policy plays its side."""

from __future__ import annotations

from fracas.kernel.jit import kernel_noinline
from fracas.kernel.networks import best_action
from fracas.rulesets.delve.rules.constants import NETWORK_SHAPE
from fracas.rulesets.delve.rules.observation import mark_legal, see_delve


@kernel_noinline
def trained_action(battle, side: int, acting: int, stage: int) -> int:
    """The action that a side's trained policy takes: a slot of a queue and a target, passing, or an option.

    acting: the slot of the participant whose turn it is; 0 for an option. stage: IN_FIGHT, or AT_OPTION.

    README, A turn, step 3, trained policies.
    """
    thought = battle.thought
    see_delve(battle, side, acting, stage, thought.seen, True)
    mark_legal(battle, acting, stage, thought.mask)
    thought.action = best_action(battle.networks[side & 1], thought, NETWORK_SHAPE)
    return int(thought.action)
