"""Pick what the rules leave open, by dice or an option: who acts first, targets, statuses, pieces.

The rules: relics/README.md, Dice; Ops.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.events import emit_first
from fracas.rulesets.relics.rules.rolls import picked, turn_to

STATUS_COUNT = len(codes.STATUSES)


@kernel
def choose_first(battle, log) -> None:
    """The fighter that acts first: the one with more SPEED, or the tie breaker's choice.

    README, Order of play, Set-up, step 4.
    """
    left, right = (
        fighter_of(battle, codes.LEFT).values[codes.SPEED],
        fighter_of(battle, codes.RIGHT).values[codes.SPEED],
    )
    reason = codes.FIRST_BY_SPEED
    first = codes.LEFT if left > right else codes.RIGHT
    if left == right:
        reason = codes.FIRST_BY_TIE_BREAKER
        first = codes.RIGHT if battle.options.tie_breaker == codes.RIGHT_FIRST else codes.LEFT
        if battle.options.tie_breaker == codes.RANDOM_FIRST:
            caused_by_rule(battle, NOBODY, NOBODY)
            turn_to(battle, codes.TIE_LANE)
            reason = codes.FIRST_BY_ROLL
            first = picked(battle, codes.FOR_FIRST, 2, log)
    battle.first = first
    emit_first(log, battle.turn, first, reason, left, right)


@kernel
def target_of(battle, op, owner: int, part: int, log) -> int:
    """The target of one performance of an op.

    Target `random`.
    """
    if op.target == codes.ENEMY:
        return 1 - owner
    if op.target == codes.RANDOM:
        return owner if picked(battle, codes.FOR_TARGET, 2, log) == 0 else 1 - owner
    if op.target == codes.BOTH:
        is_second = part % op.parts >= (STATUS_COUNT if op.quantity == codes.EACH_STATUS else 1)
        return 1 - owner if is_second else owner
    return owner


@kernel
def quantity_of(battle, op, holder: int, part: int, log) -> int:
    """The quantity that one performance of an op concerns; none if no status can be picked.

    Status `random`.
    """
    if op.quantity == codes.EACH_STATUS:
        return codes.FIRST_STATUS + part % STATUS_COUNT
    if op.quantity == codes.RANDOM_STATUS:
        return random_status(battle, op.verb == codes.GAIN, holder, log)
    return op.quantity


@kernel_noinline
def random_status(battle, is_any: bool, holder: int, log) -> int:
    """A random status: any, or one that a fighter has.

    Status `random`.
    """
    values = fighter_of(battle, holder).values
    count = 0
    for index in range(STATUS_COUNT):
        if is_any or values[codes.FIRST_STATUS + index] > 0:
            count += 1
    if count == 0:
        return NOBODY
    wanted = picked(battle, codes.FOR_STATUS, count, log)
    for index in range(STATUS_COUNT):
        if is_any or values[codes.FIRST_STATUS + index] > 0:
            if wanted == 0:
                return codes.FIRST_STATUS + index
            wanted -= 1
    return NOBODY


@kernel
def candidates_for(battle, side: int, trigger: int, pieces: int) -> int:
    """The pieces, of some, that have an effect of a trigger in their owner's phase, as a bit set."""
    span = build_of(battle, side).listeners[trigger & codes.TRIGGER_MASK]
    phase = fighter_of(battle, side).phase
    found = 0
    for index in range(span.first, span.first + span.entries):
        effect = battle.effects[index & codes.EFFECT_MASK]
        if effect.phase == 0 or effect.phase == phase:
            found |= 1 << (effect.source & (codes.PIECES - 1))
    return found & pieces


@kernel_noinline
def pieces_to_retrigger(battle, op, side: int, own: int, log) -> int:
    """The pieces whose effects run again, as a bit set."""
    candidates = candidates_for(battle, side, op.other, op.pieces)
    if op.which == codes.LEFT_PIECE or op.which == codes.RIGHT_PIECE:
        neighbour = own - 1 if op.which == codes.LEFT_PIECE else own + 1
        are_items = codes.FIRST_ITEM <= own < codes.FIRST_FOOD and codes.FIRST_ITEM <= neighbour < codes.FIRST_FOOD
        return candidates & (1 << neighbour) if are_items else 0
    if op.which != codes.RANDOM_PIECE or candidates == 0:
        return candidates
    count = 0
    for piece in range(codes.PIECES):
        count += candidates >> piece & 1
    wanted = picked(battle, codes.FOR_EFFECT, count, log)
    for piece in range(codes.PIECES):
        if candidates >> piece & 1 == 1:
            if wanted == 0:
                return 1 << piece
            wanted -= 1
    return 0
