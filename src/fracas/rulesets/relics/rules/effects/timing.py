"""Whether an effect is due, before its condition and chance are checked. relics/README.md, An effect's turn."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import COUNTDOWN, EVERY_N_STRIKES, EVERY_N_TURNS, PIECES


@kernel
def is_due(battle: Any, frame: Any, effect: Any, run: Any) -> bool:
    """Whether an effect answers a frame's trigger, and its limits are not used up.

    Rule:    relics/README.md, An effect's turn (of a piece that is retriggered n, of and being due do not matter).
    Changes: the run's due, this_turn, tick.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.plain == 1 and frame.pieces | frame.phase == 0:
        return True
    if frame.pieces != 0:
        if frame.pieces >> (effect.source & (PIECES - 1)) & 1 == 0:
            return False
    elif not is_its_moment(battle, frame.side, frame.trigger, frame.payload, frame.quantity, effect, run):
        return False
    if frame.phase != 0 and effect.phase != frame.phase:
        return False
    return may_run(battle, frame.side, effect, run)


@kernel
def is_its_moment(battle: Any, side: int, trigger: int, payload: int, quantity: int, effect: Any, run: Any) -> bool:
    """Whether n, the status and the countdown of an effect fit the trigger.

    Rule:    relics/README.md, An effect's turn.
    Changes: the run's due: looked at, a countdown is no longer due.
    Draws:   none.
    Emits:   nothing.
    """
    if trigger == COUNTDOWN:
        was_due = run.due == 1
        run.due = 0
        return was_due
    if trigger == EVERY_N_TURNS:
        return fighter_of(battle, side).own_turn % effect.n == 0
    if trigger == EVERY_N_STRIKES:
        return payload % effect.n == 0
    return effect.of < 0 or effect.of == quantity


@kernel
def may_run(battle: Any, side: int, effect: Any, run: Any) -> bool:
    """Whether an effect belongs to the current phase, and its limits are not used up.

    Rule:    relics/README.md, An effect's turn.
    Changes: the run's this_turn, tick.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.phase != 0 and effect.phase != fighter_of(battle, side).phase:
        return False
    if run.tick != battle.turn:
        run.tick = battle.turn
        run.this_turn = 0
    if effect.per_turn > 0 and run.this_turn >= effect.per_turn:
        return False
    return effect.per_battle == 0 or run.this_battle < effect.per_battle
