"""What a participant does in its turn if a trained policy plays its side."""

from __future__ import annotations

from fracas.kernel.jit import kernel_noinline
from fracas.kernel.networks import best_action
from fracas.rulesets.stacks.rules.constants import NETWORK_SHAPE
from fracas.rulesets.stacks.rules.observation import mark_legal, see_attack
from fracas.rulesets.stacks.rules.participants import participant_at


@kernel_noinline
def trained_action(battle, actor: int) -> int:
    """The action that a side's trained policy takes with a participant: a move type and a target, or waiting.

    README, A participant's turn, step 1, trained policies.
    """
    thought = battle.thought
    side = participant_at(battle, actor).side
    see_attack(battle, side, actor, thought.seen, True)
    mark_legal(battle, actor, thought.mask)
    return best_action(battle.networks[side & 1], thought, NETWORK_SHAPE)
