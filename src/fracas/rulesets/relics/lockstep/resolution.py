"""Process the agenda in lanes, depth-first: rules/effects/resolution.py for 64 battles.

The rules: relics/README.md, Consequences; An effect's turn.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load, load_mask, splat, store_mask
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.agenda import caused_by, has_listener, top_frame
from fracas.rulesets.relics.lockstep.deaths import check_at_once, check_deaths, decide_deaths
from fracas.rulesets.relics.lockstep.effect_turns import RUNNING_MASK, is_performed, runs_now
from fracas.rulesets.relics.lockstep.ops import perform
from fracas.rulesets.relics.lockstep.quantity_changes import lose
from fracas.rulesets.relics.lockstep.signed_lanes import is_above_0
from fracas.rulesets.relics.rules import constants as codes


@kernel
def resolve(state, battle) -> None:
    """Process the agenda, if it is not empty."""
    if state.frame_count > 0:
        process_frames(state, battle)


@kernel_noinline
def process_frames(state, battle) -> None:
    """Process top frames until none is left."""
    while state.frame_count > 0:
        frame = top_frame(state)
        if run_frame(state, battle, frame, state.frame_count):
            state.frame_count -= 1
            if frame.trigger == codes.JUDGE:
                mask = load_mask(state, rows.FRAME_LANES + state.frame_count) & load_mask(state, rows.ALIVE)
                if any_lane(mask):
                    decide_deaths(state, battle, frame.depth, mask)


@kernel_noinline
def run_frame(state, battle, frame, height: int) -> bool:
    """Process the effects of the top frame until all are done; False if something else is due first."""
    own = height - 1
    mask, payload = load_mask(state, rows.FRAME_LANES + own), load(state, rows.PAYLOADS + own)
    side, index, op, left = frame.side, frame.effect, frame.op, frame.left
    while index < frame.last:
        effect = battle.effects[index & codes.EFFECT_MASK]
        if op < 0:
            running = runs_now(
                state,
                battle,
                side,
                frame.trigger,
                payload,
                frame.quantity,
                index,
                frame.depth,
                frame.pieces,
                frame.phase,
                mask,
            )
            if not any_lane(running):
                index += 1
                continue
            op = 0
            left = 0
        else:
            running = load_mask(state, rows.EFFECT_LANES + own) & load_mask(state, rows.ALIVE)
        state.running[index & RUNNING_MASK] = 1
        while op < effect.op_count and any_lane(running):
            entry = battle.ops[effect.first_op + op & codes.OP_MASK]
            caused_by(
                state, side, effect.source, frame.depth, 1 if effect.trigger == codes.ON_DAMAGED else frame.marked
            )
            if left == 0:
                performing = is_performed(state, battle, entry, side, effect.source, payload, running)
                running = running & load_mask(state, rows.ALIVE)
                left = entry.performances
            else:
                performing = load_mask(state, rows.OP_LANES + own) & running
            part = entry.performances - left
            left -= 1
            if not any_lane(performing):
                left = 0
            if left == 0:
                op += 1
            if any_lane(performing):
                goes_on = perform(state, battle, index, entry, side, effect.source, payload, part, performing)
                check_at_once(state, battle, performing)
                running = running & ~(performing & ~goes_on)
                performing = performing & goes_on
                store_mask(state, rows.OP_LANES + own, performing)
                if state.frame_count != height:
                    store_mask(state, rows.EFFECT_LANES + own, running)
                    frame.effect = index
                    frame.op = op
                    frame.left = left
                    return False
                running = running & load_mask(state, rows.ALIVE)
        state.running[index & RUNNING_MASK] = 0
        index += 1
        op = -1
    return True


@kernel
def fire(state, battle, side: int, trigger: int, payload, quantity: int, mask) -> None:
    """Raise a trigger for a fighter: run its effects with all consequences."""
    if has_listener(battle, side, trigger):
        mask = mask & load_mask(state, rows.ALIVE)
        if any_lane(mask):
            fire_trigger(state, battle, side, trigger, payload, quantity, mask)


@kernel_noinline
def fire_trigger(state, battle, side: int, trigger: int, payload, quantity: int, mask) -> None:
    """Run a fighter's effects of a trigger that the order of play raises; they need no frame."""
    span = battle.builds[side & 1].listeners[trigger & codes.TRIGGER_MASK]
    for index in range(span.first, span.first + span.entries):
        effect = battle.effects[index & codes.EFFECT_MASK]
        running = runs_now(state, battle, side, trigger, payload, quantity, index, 1, 0, 0, mask)
        op = 0
        while op < effect.op_count and any_lane(running):
            entry = battle.ops[effect.first_op + op & codes.OP_MASK]
            caused_by(state, side, effect.source, 1, 1 if trigger == codes.ON_DAMAGED else 0)
            performing = is_performed(state, battle, entry, side, effect.source, payload, running)
            part = 0
            while part < entry.performances and any_lane(performing):
                caused_by(state, side, effect.source, 1, 1 if trigger == codes.ON_DAMAGED else 0)
                goes_on = perform(state, battle, index, entry, side, effect.source, payload, part, performing)
                check_at_once(state, battle, performing)
                running = running & ~(performing & ~goes_on)
                if state.frame_count > 0:
                    state.running[index & RUNNING_MASK] = 1
                    process_frames(state, battle)
                    state.running[index & RUNNING_MASK] = 0
                performing = performing & goes_on & load_mask(state, rows.ALIVE)
                part += 1
            running = running & load_mask(state, rows.ALIVE)
            op += 1


@kernel_noinline
def decay(state, battle, side: int, quantity: int, amount, source: int, mask):
    """Take a quantity from a fighter by a rule, with all consequences; returns how much, 0 in other lanes.

    README, Changes, Loss.
    """
    mask = mask & load_mask(state, rows.ALIVE) & is_above_0(state, amount)
    if not any_lane(mask):
        return splat(state, 0)
    caused_by(state, codes.NOBODY, source, 0, 0)
    lost = lose(state, battle, side, quantity, amount, mask)
    check_at_once(state, battle, mask)
    resolve(state, battle)
    return lost


@kernel
def judge_deaths(state, battle, mask) -> None:
    """The death check between steps (README, Death check)."""
    caused_by(state, codes.NOBODY, codes.NOBODY, 0, 0)
    check_deaths(state, battle, mask)
    resolve(state, battle)
