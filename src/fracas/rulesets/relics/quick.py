"""Working off what is plain without detours: effects of a single op whose target, quantity and amount are as written.

Nearly all effects are of that kind, and `quick` in the battle record holds what they need, each in one place. This goes
through them exactly as `go_through` in effects.py does, which stays the measure: battles with a log are played by it
alone, and whatever is not plain, or may be dropped by a guard, is left to it.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_apart
from fracas.rulesets.relics.agenda import by_piece
from fracas.rulesets.relics.changes import gain, heal, packet
from fracas.rulesets.relics.constants import (
    EFFECT_MASK,
    LARGEST_CHANCE,
    MOST_DEPTH,
    MOST_RUNS,
    NOT_QUICK,
    QUICK_DEAL,
    QUICK_HEAL,
    QUICK_PIERCE,
)
from fracas.rulesets.relics.deaths import check_at_once
from fracas.rulesets.relics.moments import comes_up
from fracas.rulesets.relics.rolls import rolled_chance
from fracas.rulesets.relics.situation import is_true

# How far going through a frame came: to its end, to something else that is due first, or to what must be done in full.
DONE, LEFT_FOR_MORE, IN_FULL = range(3)


@kernel
def go_quickly(battle: Any, frame: Any, height: int) -> int:
    """Look at and run the effects of the frame on top as far as they are plain; says how far it came.

    Rule:    README, Consequences (depth-first); An effect's turn.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   nothing: battles with a log are not played so.
    """
    if frame.pieces | frame.phase != 0:
        return IN_FULL
    place, last, side = frame.effect, frame.last, frame.side
    if frame.op >= 0:
        if battle.quick[place & EFFECT_MASK].kind == NOT_QUICK:
            return IN_FULL
        battle.runs[place & EFFECT_MASK].running = 0
        place += 1
    while place < last:
        quick, run = battle.quick[place & EFFECT_MASK], battle.runs[place & EFFECT_MASK]
        if quick.kind == NOT_QUICK or is_guarded(battle, frame.depth, run):
            frame.effect = place
            frame.op = -1
            return IN_FULL
        if is_due(battle, frame, quick, place, run) and runs_quickly(battle, side, frame.payload, quick, run):
            by_piece(battle, side, quick.source, frame.depth, quick.marks | frame.marked)
            perform_quickly(battle, quick, side ^ quick.target, side)
            check_at_once(battle, None)
            if battle.frame_count != height:
                run.running = 1
                frame.effect = place
                frame.op = 1
                frame.left = 0
                return LEFT_FOR_MORE
        place += 1
    return DONE


@kernel
def is_guarded(battle: Any, depth: int, run: Any) -> bool:
    """Whether a guard would keep an effect from running.

    Rule:    README, Consequences: No re-entry, Depth, Runs.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return run.running == 1 or depth > MOST_DEPTH or battle.run_count >= MOST_RUNS


@kernel
def is_due(battle: Any, frame: Any, quick: Any, place: int, run: Any) -> bool:
    """Whether this is a plain effect's moment, and its limits are not used up.

    Rule:    README, An effect's turn.
    Changes: as comes_up.
    Draws:   none.
    Emits:   nothing.
    """
    return quick.asks == 0 or comes_up(battle, frame, battle.effects[place & EFFECT_MASK], run)


@kernel
def runs_quickly(battle: Any, side: int, payload: int, quick: Any, run: Any) -> bool:
    """It is a plain effect's turn, and it is due: its op is to be performed, or it is passed over.

    Rule:    README, An effect's turn; Consequences, Runs.
    Changes: battle.run_count, the effect's run.
    Draws:   the chance of the effect or of its op.
    Emits:   nothing.
    """
    # A run counts if the effect came true, even if its op does not.
    battle.run_count += quick.counts_first
    if quick.condition.step_count != 0 and not holds_quickly(battle, quick, side, payload):
        return note_run(run, quick.asks & quick.counts_first)
    if quick.chance < LARGEST_CHANCE and not rolled_chance(battle, quick.chance, None):
        return note_run(run, quick.asks & quick.counts_first)
    battle.run_count += 1 - quick.counts_first
    if quick.asks == 1:
        note_run(run, 1)
    return True


@kernel
def note_run(run: Any, count: int) -> bool:
    """An effect with limits has run so many times more; its op is not performed.

    Rule:    README, An effect's turn.
    Changes: the run's this_turn, this_battle.
    Draws:   none.
    Emits:   nothing.
    """
    run.this_turn += count
    run.this_battle += count
    return False


@kernel_apart
def holds_quickly(battle: Any, quick: Any, side: int, payload: int) -> bool:
    """Whether the condition of a plain effect, or of its op, holds.

    Rule:    README, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    return is_true(battle, quick.condition, side, quick.source, payload)


@kernel
def perform_quickly(battle: Any, quick: Any, target: int, owner: int) -> None:
    """Perform the op of a plain effect.

    Rule:    README, Ops.
    Changes: the battle.
    Draws:   none.
    Emits:   nothing.
    """
    kind = quick.kind
    if kind == QUICK_DEAL or kind == QUICK_PIERCE:
        packet(battle, target, quick.amount, 1, 1 if kind == QUICK_DEAL else 0, None)
    elif kind == QUICK_HEAL:
        heal(battle, target, quick.amount, 1, None)
    else:
        gain(battle, target, quick.quantity, quick.amount, owner, None)
