"""The verb `retrigger` in lanes: which pieces' effects run again. rules/targeting.py and rules/effects/ops.py.

The rules: relics/README.md, Ops.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load, load_mask, splat
from fracas.rulesets.relics.lockstep.agenda import put_frame, top_frame
from fracas.rulesets.relics.lockstep.rolls import picked
from fracas.rulesets.relics.lockstep.state import ALIVE, MOST_FRAMES, PHASE
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF


@kernel_noinline
def retrigger(state, battle, op, owner: int, piece: int, mask) -> None:
    """Put effects of other pieces on the agenda again. Which there are depends on the owner's phase."""
    own = piece & (codes.PIECES - 1)
    current = load(state, PHASE + owner)
    for phase in range(1, max(battle.builds[owner & 1].phase_count, 1) + 1):
        here = mask & (current == splat(state, phase))
        if any_lane(here):
            pieces = candidates_for(battle, owner, op.other, op.pieces, phase)
            if op.which == codes.LEFT_PIECE or op.which == codes.RIGHT_PIECE:
                pieces = pieces & beside(own, op.which == codes.LEFT_PIECE)
            if op.which == codes.RANDOM_PIECE:
                put_random(state, battle, op.other, owner, pieces, here)
            elif pieces != 0:
                put_pieces(state, battle, op.other, owner, pieces, here)


@kernel
def candidates_for(battle, side: int, trigger: int, pieces: int, phase: int) -> int:
    """The pieces, of some, that have an effect of a trigger in a phase, as a bit set."""
    span = battle.builds[side & 1].listeners[trigger & codes.TRIGGER_MASK]
    found = 0
    for index in range(span.first, span.first + span.entries):
        effect = battle.effects[index & codes.EFFECT_MASK]
        if effect.phase == 0 or effect.phase == phase:
            found |= 1 << (effect.source & (codes.PIECES - 1))
    return found & pieces


@kernel
def beside(own: int, is_left: bool) -> int:
    """The item next to an item, as a bit set."""
    neighbour = own - 1 if is_left else own + 1
    are_items = codes.FIRST_ITEM <= own < codes.FIRST_FOOD and codes.FIRST_ITEM <= neighbour < codes.FIRST_FOOD
    return 1 << neighbour if are_items else 0


@kernel
def put_random(state, battle, trigger: int, owner: int, pieces: int, mask) -> None:
    """Put the effects of one of several pieces on the agenda, another in each lane (README, Dice)."""
    count = 0
    for piece in range(codes.PIECES):
        count += pieces >> piece & 1
    if count == 0:
        return
    wanted = picked(state, battle, splat(state, count), mask)
    mask = mask & load_mask(state, ALIVE)
    index = 0
    for piece in range(codes.PIECES):
        if pieces >> piece & 1 == 1:
            here = mask & (wanted == splat(state, index))
            index += 1
            if any_lane(here):
                put_pieces(state, battle, trigger, owner, 1 << piece, here)


@kernel_noinline
def put_pieces(state, battle, trigger: int, owner: int, pieces: int, mask) -> None:
    """Put the effects of some pieces on the agenda."""
    span = battle.builds[owner & 1].listeners[trigger & codes.TRIGGER_MASK]
    has_room = state.frame_count < MOST_FRAMES
    put_frame(state, owner, trigger, span.first, span.entries, splat(state, 0), NOTHING_OF, mask)
    if has_room:
        top_frame(state).pieces = pieces
