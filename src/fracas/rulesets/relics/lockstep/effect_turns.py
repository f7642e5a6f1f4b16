"""Whether effects and ops run, and where: rules/effects/timing.py and the checks of resolution.py in lanes.

The rules: relics/README.md, An effect's turn; Consequences.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, splat
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.facts import holds
from fracas.rulesets.relics.lockstep.rolls import succeeds
from fracas.rulesets.relics.lockstep.signed_lanes import count, is_multiple, mark, unmark
from fracas.rulesets.relics.rules import constants as codes

RUNNING_MASK = rows.MOST_EFFECTS - 1


@kernel_noinline
def runs_now(
    state,
    battle,
    side: int,
    trigger: int,
    payload,
    quantity: int,
    index: int,
    depth: int,
    pieces: int,
    phase: int,
    mask,
):
    """Where an effect whose turn it is runs. pieces, phase: as in frame_t.

    Changes: the effect's rows and masks, RUNS, CUTS; as succeeds.
    """
    effect = battle.effects[index & codes.EFFECT_MASK]
    mask = mask & load_mask(state, rows.ALIVE)
    if effect.plain == 0 or pieces | phase != 0:
        if pieces != 0:
            if pieces >> (effect.source & (codes.PIECES - 1)) & 1 == 0:
                return no_lanes()
        else:
            mask = is_its_moment(state, battle, side, trigger, payload, quantity, index, mask)
        if phase != 0 and effect.phase != phase:
            return no_lanes()
        mask = may_run(state, effect, side, index, mask)
    if not any_lane(mask):
        return mask
    if state.running[index & RUNNING_MASK] == 1 or depth > codes.MOST_DEPTH:
        drop(state, index, mask)
        return no_lanes()
    if state.run_count >= codes.MOST_RUNS:
        mask = below_most_runs(state, mask)
    mask = holds(state, battle, effect.condition, side, effect.source, payload, mask)
    mask = succeeds(state, battle, effect.chance, mask) & load_mask(state, rows.ALIVE)
    state.run_count += 1
    count(state, rows.RUNS, mask)
    if effect.per_turn > 0:
        count(state, rows.THIS_TURN + index, mask)
    if effect.per_battle > 0:
        count(state, rows.THIS_BATTLE + index, mask)
    return mask


@kernel
def is_its_moment(state, battle, side: int, trigger: int, payload, quantity: int, index: int, mask):
    """Where n, the status and the countdown of an effect fit the trigger.

    Changes: DUE: looked at, a countdown is no longer due.
    """
    effect = battle.effects[index & codes.EFFECT_MASK]
    if trigger == codes.COUNTDOWN:
        was_due = load_mask(state, rows.DUE + index)
        unmark(state, rows.DUE + index, mask)
        return mask & was_due
    if trigger == codes.EVERY_N_TURNS:
        return mask & is_multiple(state, load(state, rows.OWN_TURN + side), effect.n)
    if trigger == codes.EVERY_N_STRIKES:
        return mask & is_multiple(state, payload, effect.n)
    if effect.of < 0 or effect.of == quantity:
        return mask
    return no_lanes()


@kernel
def may_run(state, effect, side: int, index: int, mask):
    """Where an effect belongs to the current phase, and its limits are not used up."""
    if effect.phase != 0:
        mask = mask & (load(state, rows.PHASE + side) == splat(state, effect.phase))
    if effect.per_turn > 0:
        turn = load(state, rows.TURN)
        change(state, rows.THIS_TURN + index, mask & (load(state, rows.RUN_TURN + index) != turn), splat(state, 0))
        change(state, rows.RUN_TURN + index, mask, turn)
        mask = mask & (load(state, rows.THIS_TURN + index) < splat(state, effect.per_turn))
    if effect.per_battle > 0:
        mask = mask & (load(state, rows.THIS_BATTLE + index) < splat(state, effect.per_battle))
    return mask


@kernel_noinline
def below_most_runs(state, mask) -> Any:
    """Drop a run where there were too many in this step, and count that once; returns where there were not."""
    runs = load(state, rows.RUNS)
    dropped = mask & (runs >= splat(state, codes.MOST_RUNS))
    count(state, rows.CUTS, dropped & (runs == splat(state, codes.MOST_RUNS)))
    change(state, rows.RUNS, dropped, splat(state, codes.MOST_RUNS + 1))
    return mask & ~dropped


@kernel_noinline
def drop(state, index: int, mask) -> None:
    """Count a dropped run of an effect, once in a battle."""
    count(state, rows.CUTS, mask & ~load_mask(state, rows.REPORTED + index))
    mark(state, rows.REPORTED + index, mask)


@kernel
def is_performed(state, battle, op, side: int, piece: int, payload, mask):
    """Where an op of a running effect is performed."""
    mask = holds(state, battle, op.condition, side, piece, payload, mask)
    return succeeds(state, battle, op.chance, mask) & load_mask(state, rows.ALIVE)
