"""Whether an effect is due, before its condition and chance are checked. relics/README.md, An effect's turn."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import fighter_of


@kernel
def is_due(battle, frame, effect, run) -> bool:
    """Whether an effect answers a frame's trigger, and its limits are not used up.

    Of a piece that is retriggered n, of and being due do not matter.
    """
    if effect.plain == 1 and frame.pieces | frame.phase == 0:
        return True
    if frame.pieces != 0:
        if frame.pieces >> (effect.source & (codes.PIECES - 1)) & 1 == 0:
            return False
    elif not is_its_moment(battle, frame.side, frame.trigger, frame.payload, frame.quantity, effect, run):
        return False
    if frame.phase != 0 and effect.phase != frame.phase:
        return False
    return may_run(battle, frame.side, effect, run)


@kernel
def is_its_moment(battle, side: int, trigger: int, payload: int, quantity: int, effect, run) -> bool:
    """Whether n, the status and the countdown of an effect fit the trigger."""
    if trigger == codes.COUNTDOWN:
        was_due = run.due == 1
        run.due = 0
        return was_due
    if trigger == codes.EVERY_N_TURNS:
        return fighter_of(battle, side).own_turn % effect.n == 0
    if trigger == codes.EVERY_N_STRIKES:
        return payload % effect.n == 0
    return effect.of < 0 or effect.of == quantity


@kernel
def may_run(battle, side: int, effect, run) -> bool:
    """Whether an effect belongs to the current phase, and its limits are not used up."""
    if effect.phase != 0 and effect.phase != fighter_of(battle, side).phase:
        return False
    if run.tick != battle.turn:
        run.tick = battle.turn
        run.this_turn = 0
    if effect.per_turn > 0 and run.this_turn >= effect.per_turn:
        return False
    return effect.per_battle == 0 or run.this_battle < effect.per_battle
