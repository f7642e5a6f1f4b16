"""Pick what the rules leave open, by dice or an option: who acts first, targets, statuses, pieces.

The rules: relics/README.md, Dice.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    BOTH,
    EACH_STATUS,
    EFFECT_MASK,
    ENEMY,
    FIRST_BY_ROLL,
    FIRST_BY_SPEED,
    FIRST_BY_TIE_BREAKER,
    FIRST_EVENT,
    FIRST_FOOD,
    FIRST_ITEM,
    FIRST_STATUS,
    FOR_EFFECT,
    FOR_FIRST,
    FOR_STATUS,
    FOR_TARGET,
    GAIN,
    LEFT,
    LEFT_PIECE,
    PIECES,
    RANDOM,
    RANDOM_FIRST,
    RANDOM_PIECE,
    RANDOM_STATUS,
    RIGHT,
    RIGHT_FIRST,
    RIGHT_PIECE,
    SPEED,
    STATUSES,
    TIE_LANE,
    TRIGGER_MASK,
)
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.rolls import picked, turn_to

STATUS_COUNT = len(STATUSES)


@kernel
def choose_first(battle: Any, log: Any) -> None:
    """The fighter that acts first: the one with more SPEED, or the tie breaker's choice.

    Rule:    relics/README.md, Order of play, Set-up, step 4.
    Changes: battle.first; battle.cause, battle.lane, battle.is_open.
    Draws:   opens (0, TIE_LANE); below(2), if it is to be drawn.
    Emits:   ROLL, FIRST.
    """
    left, right = fighter_of(battle, LEFT).values[SPEED], fighter_of(battle, RIGHT).values[SPEED]
    reason = FIRST_BY_SPEED
    first = LEFT if left > right else RIGHT
    if left == right:
        reason = FIRST_BY_TIE_BREAKER
        first = RIGHT if battle.options.tie_breaker == RIGHT_FIRST else LEFT
        if battle.options.tie_breaker == RANDOM_FIRST:
            caused_by_rule(battle, NOBODY, NOBODY)
            turn_to(battle, TIE_LANE)
            reason = FIRST_BY_ROLL
            first = picked(battle, FOR_FIRST, 2, log)
    battle.first = first
    if log is not None:
        emit(log, battle.turn, FIRST_EVENT, first, NOBODY, reason, left, right, 0)


@kernel
def target_of(battle: Any, op: Any, owner: int, part: int, log: Any) -> int:
    """The target of one performance of an op.

    Rule:    relics/README.md, Ops; Dice (target `random`).
    Changes: battle.dice.
    Draws:   below(2) for a random target.
    Emits:   ROLL for a draw.
    """
    if op.target == ENEMY:
        return 1 - owner
    if op.target == RANDOM:
        return owner if picked(battle, FOR_TARGET, 2, log) == 0 else 1 - owner
    if op.target == BOTH:
        is_second = part % op.parts >= (STATUS_COUNT if op.quantity == EACH_STATUS else 1)
        return 1 - owner if is_second else owner
    return owner


@kernel
def quantity_of(battle: Any, op: Any, holder: int, part: int, log: Any) -> int:
    """The quantity that one performance of an op concerns; none if no status can be picked.

    Rule:    relics/README.md, Ops; Dice (status `random`).
    Changes: battle.dice.
    Draws:   below(candidates) if there are several.
    Emits:   ROLL for a draw.
    """
    if op.quantity == EACH_STATUS:
        return FIRST_STATUS + part % STATUS_COUNT
    if op.quantity == RANDOM_STATUS:
        return random_status(battle, op.verb == GAIN, holder, log)
    return op.quantity


@kernel_noinline
def random_status(battle: Any, is_any: bool, holder: int, log: Any) -> int:
    """A random status: any, or one that a fighter has.

    Rule:    relics/README.md, Dice (status `random`).
    Changes: battle.dice.
    Draws:   below(candidates) if there are several.
    Emits:   ROLL for a draw.
    """
    values = fighter_of(battle, holder).values
    count = 0
    for place in range(STATUS_COUNT):
        if is_any or values[FIRST_STATUS + place] > 0:
            count += 1
    if count == 0:
        return NOBODY
    wanted = picked(battle, FOR_STATUS, count, log)
    for place in range(STATUS_COUNT):
        if is_any or values[FIRST_STATUS + place] > 0:
            if wanted == 0:
                return FIRST_STATUS + place
            wanted -= 1
    return NOBODY


@kernel
def candidates_for(battle: Any, side: int, trigger: int, pieces: int) -> int:
    """The pieces, of some, that have an effect of a trigger in their owner's phase, as a bit set.

    Rule:    relics/README.md, Ops, retrigger.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    span = build_of(battle, side).listeners[trigger & TRIGGER_MASK]
    phase = fighter_of(battle, side).phase
    found = 0
    for place in range(span.first, span.first + span.entries):
        effect = battle.effects[place & EFFECT_MASK]
        if effect.phase == 0 or effect.phase == phase:
            found |= 1 << (effect.source & (PIECES - 1))
    return found & pieces


@kernel_noinline
def pieces_to_retrigger(battle: Any, op: Any, side: int, own: int, log: Any) -> int:
    """The pieces whose effects run again, as a bit set.

    Rule:    relics/README.md, Ops, retrigger.
    Changes: battle.dice.
    Draws:   below(candidates) for a random one of several.
    Emits:   ROLL for a draw.
    """
    candidates = candidates_for(battle, side, op.other, op.pieces)
    if op.which == LEFT_PIECE or op.which == RIGHT_PIECE:
        neighbour = own - 1 if op.which == LEFT_PIECE else own + 1
        are_items = FIRST_ITEM <= own < FIRST_FOOD and FIRST_ITEM <= neighbour < FIRST_FOOD
        return candidates & (1 << neighbour) if are_items else 0
    if op.which != RANDOM_PIECE or candidates == 0:
        return candidates
    count = 0
    for piece in range(PIECES):
        count += candidates >> piece & 1
    wanted = picked(battle, FOR_EFFECT, count, log)
    for piece in range(PIECES):
        if candidates >> piece & 1 == 1:
            if wanted == 0:
                return 1 << piece
            wanted -= 1
    return 0
