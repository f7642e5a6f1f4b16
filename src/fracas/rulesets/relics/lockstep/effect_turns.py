"""Whether effects and ops run, and where: rules/effects/timing.py and the checks of resolution.py in lanes."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, splat
from fracas.rulesets.relics.lockstep.facts import holds
from fracas.rulesets.relics.lockstep.rolls import succeeds
from fracas.rulesets.relics.lockstep.signed_lanes import count, is_multiple, mark, unmark
from fracas.rulesets.relics.lockstep.state import (
    ALIVE,
    CUTS,
    DUE,
    MOST_EFFECTS,
    OWN_TURN,
    PHASE,
    REPORTED,
    RUN_TURN,
    RUNS,
    THIS_BATTLE,
    THIS_TURN,
    TURN,
)
from fracas.rulesets.relics.rules.constants import (
    COUNTDOWN,
    EFFECT_MASK,
    EVERY_N_STRIKES,
    EVERY_N_TURNS,
    MOST_DEPTH,
    MOST_RUNS,
    PIECES,
)

RUNNING_MASK = MOST_EFFECTS - 1


@kernel_noinline
def runs_now(
    state: Any,
    battle: Any,
    side: int,
    trigger: int,
    payload: Any,
    quantity: int,
    place: int,
    depth: int,
    pieces: int,
    phase: int,
    mask: Any,
) -> Any:
    """Where an effect whose turn it is runs. pieces, phase: as in frame_t.

    Rule:    relics/README.md, An effect's turn; Consequences, the guards.
    Changes: the effect's rows and masks, RUNS, CUTS; as succeeds.
    Draws:   the effect's chance.
    Emits:   nothing.
    """
    effect = battle.effects[place & EFFECT_MASK]
    mask = mask & load_mask(state, ALIVE)
    if effect.plain == 0 or pieces | phase != 0:
        if pieces != 0:
            if pieces >> (effect.source & (PIECES - 1)) & 1 == 0:
                return no_lanes()
        else:
            mask = is_its_moment(state, battle, side, trigger, payload, quantity, place, mask)
        if phase != 0 and effect.phase != phase:
            return no_lanes()
        mask = may_run(state, effect, side, place, mask)
    if not any_lane(mask):
        return mask
    if state.running[place & RUNNING_MASK] == 1 or depth > MOST_DEPTH:
        drop(state, place, mask)
        return no_lanes()
    if state.run_count >= MOST_RUNS:
        mask = below_most_runs(state, mask)
    mask = holds(state, battle, effect.condition, side, effect.source, payload, mask)
    mask = succeeds(state, battle, effect.chance, mask) & load_mask(state, ALIVE)
    state.run_count += 1
    count(state, RUNS, mask)
    if effect.per_turn > 0:
        count(state, THIS_TURN + place, mask)
    if effect.per_battle > 0:
        count(state, THIS_BATTLE + place, mask)
    return mask


@kernel
def is_its_moment(
    state: Any, battle: Any, side: int, trigger: int, payload: Any, quantity: int, place: int, mask: Any
) -> Any:
    """Where n, the status and the countdown of an effect fit the trigger.

    Rule:    relics/README.md, An effect's turn.
    Changes: DUE: looked at, a countdown is no longer due.
    Draws:   none.
    Emits:   nothing.
    """
    effect = battle.effects[place & EFFECT_MASK]
    if trigger == COUNTDOWN:
        was_due = load_mask(state, DUE + place)
        unmark(state, DUE + place, mask)
        return mask & was_due
    if trigger == EVERY_N_TURNS:
        return mask & is_multiple(state, load(state, OWN_TURN + side), effect.n)
    if trigger == EVERY_N_STRIKES:
        return mask & is_multiple(state, payload, effect.n)
    if effect.of < 0 or effect.of == quantity:
        return mask
    return no_lanes()


@kernel
def may_run(state: Any, effect: Any, side: int, place: int, mask: Any) -> Any:
    """Where an effect belongs to the current phase, and its limits are not used up.

    Rule:    relics/README.md, An effect's turn.
    Changes: THIS_TURN and RUN_TURN of an effect with a limit for each turn.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.phase != 0:
        mask = mask & (load(state, PHASE + side) == splat(state, effect.phase))
    if effect.per_turn > 0:
        turn = load(state, TURN)
        change(state, THIS_TURN + place, mask & (load(state, RUN_TURN + place) != turn), splat(state, 0))
        change(state, RUN_TURN + place, mask, turn)
        mask = mask & (load(state, THIS_TURN + place) < splat(state, effect.per_turn))
    if effect.per_battle > 0:
        mask = mask & (load(state, THIS_BATTLE + place) < splat(state, effect.per_battle))
    return mask


@kernel_noinline
def below_most_runs(state: Any, mask: Any) -> Any:
    """Drop a run where there were too many in this step, and count that once; returns where there were not.

    Rule:    relics/README.md, Consequences, the guard Runs.
    Changes: RUNS, CUTS.
    Draws:   none.
    Emits:   nothing.
    """
    runs = load(state, RUNS)
    dropped = mask & (runs >= splat(state, MOST_RUNS))
    count(state, CUTS, dropped & (runs == splat(state, MOST_RUNS)))
    change(state, RUNS, dropped, splat(state, MOST_RUNS + 1))
    return mask & ~dropped


@kernel_noinline
def drop(state: Any, place: int, mask: Any) -> None:
    """Count a dropped run of an effect, once in a battle.

    Rule:    relics/README.md, Consequences, the guards Re-entry and Depth.
    Changes: REPORTED, CUTS.
    Draws:   none.
    Emits:   nothing.
    """
    count(state, CUTS, mask & ~load_mask(state, REPORTED + place))
    mark(state, REPORTED + place, mask)


@kernel
def is_performed(state: Any, battle: Any, op: Any, side: int, piece: int, payload: Any, mask: Any) -> Any:
    """Where an op of a running effect is performed.

    Rule:    relics/README.md, An effect's turn.
    Changes: as succeeds.
    Draws:   the op's chance.
    Emits:   nothing.
    """
    mask = holds(state, battle, op.condition, side, piece, payload, mask)
    return succeeds(state, battle, op.chance, mask) & load_mask(state, ALIVE)
