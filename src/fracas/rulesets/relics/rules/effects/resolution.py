"""Process the agenda: check effects, run them and perform their ops, depth-first. relics/README.md, Consequences.

The rules: relics/README.md, An effect's turn.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, is_true
from fracas.rulesets.relics.rules.deaths import check_at_once, check_deaths, decide_deaths
from fracas.rulesets.relics.rules.effects.agenda import caused_by_item, caused_by_rule, put_frame, top_frame
from fracas.rulesets.relics.rules.effects.fast_path import (
    DONE,
    IN_FULL,
    LEFT_FOR_MORE,
    fires_now,
    perform_quickly,
    run_fast_path,
    runs_quickly,
)
from fracas.rulesets.relics.rules.effects.ops import perform
from fracas.rulesets.relics.rules.effects.timing import is_due
from fracas.rulesets.relics.rules.events import emit_cut, emit_trigger
from fracas.rulesets.relics.rules.rolls import succeeds


@kernel
def resolve_stack(battle, log) -> None:
    """Process the agenda, if it is not empty."""
    if battle.frame_count > 0:
        process_frames(battle, 0, log)


@kernel
def fire_trigger(battle, side: int, trigger: int, payload: int, quantity: int, log) -> None:
    """Run a fighter's effects of a trigger that the order of play raises, with all consequences."""
    if log is None:
        run_due_quickly(battle, side, trigger, payload, quantity)
    else:
        span = build_of(battle, side).listeners[trigger & codes.TRIGGER_MASK]
        put_frame(battle, side, trigger, span.first, span.entries, payload, quantity, 1, 0)
        process_frames(battle, 0, log)


@kernel_noinline
def run_due_quickly(battle, side: int, trigger: int, payload: int, quantity: int) -> None:
    """Like run_due, but without the agenda for effects that put nothing on it."""
    span = build_of(battle, side).listeners[trigger & codes.TRIGGER_MASK]
    index, last = span.first, span.first + span.entries
    while index < last:
        quick, run = battle.quick[index & codes.EFFECT_MASK], battle.runs[index & codes.EFFECT_MASK]
        if quick.kind == codes.NOT_QUICK or battle.run_count >= codes.MOST_RUNS:
            put_frame(battle, side, trigger, index, last - index, payload, quantity, 1, 0)
            process_frames(battle, 0, None)
            return
        is_now = quick.asks == 0 or fires_now(battle, side, trigger, payload, quantity, index)
        if is_now and runs_quickly(battle, side, payload, quick, run):
            caused_by_item(battle, side, quick.source, 1, quick.marks)
            perform_quickly(battle, quick, side ^ quick.target, side)
            check_at_once(battle, None)
            if battle.frame_count > 0:
                run.running = 1
                process_frames(battle, 0, None)
                if battle.reason != codes.UNDECIDED:
                    return
                run.running = 0
        index += 1


@kernel_noinline
def process_frames(battle, floor: int, log) -> None:
    """Process top frames until at most a given number is left; after the end of the battle, none is."""
    while battle.frame_count > floor:
        frame = top_frame(battle)
        how_far = IN_FULL
        if log is None:
            how_far = run_fast_path(battle, frame, battle.frame_count)
        if how_far == IN_FULL:
            how_far = run_frame(battle, frame, battle.frame_count, log)
        if how_far == DONE:
            battle.frame_count -= 1
            if frame.trigger == codes.JUDGE:
                decide_deaths(battle, frame.depth, log)


@kernel_noinline
def run_frame(battle, frame, height: int, log) -> int:
    """Process the effects of the top frame until all are done or something else is due first."""
    index, last = frame.effect, frame.last
    op = frame.op
    while index < last:
        effect, run = battle.effects[index & codes.EFFECT_MASK], battle.runs[index & codes.EFFECT_MASK]
        left = frame.left
        if op < 0:
            if not runs_now(battle, frame, effect, run, log):
                index += 1
                continue
            op = 0
            left = 0
        else:
            by_effect(battle, frame, effect)
        while op < effect.op_count:
            entry = battle.ops[effect.first_op + op & codes.OP_MASK]
            if left == 0:
                holds = is_true(battle, entry.condition, frame.side, effect.source, frame.payload)
                if not (holds and succeeds(battle, entry.chance, log)):
                    op += 1
                    continue
                left = entry.performances
            part = entry.performances - left
            left -= 1
            if left == 0:
                op += 1
            if not perform(battle, entry, frame.side, effect.source, frame.payload, part, log):
                op = effect.op_count
                left = 0
            check_at_once(battle, log)
            if battle.frame_count != height:
                frame.effect = index
                frame.op = op
                frame.left = left
                return LEFT_FOR_MORE
        run.running = 0
        index += 1
        op = -1
    return DONE


@kernel
def judge_deaths(battle, log) -> None:
    """The death check between steps (README, Death check)."""
    if battle.reason == codes.UNDECIDED:
        caused_by_rule(battle, NOBODY, NOBODY)
        check_deaths(battle, log)
        resolve_stack(battle, log)


@kernel
def runs_now(battle, frame, effect, run, log) -> bool:
    """Check an effect whose turn it is; returns whether it runs."""
    if not is_due(battle, frame, effect, run) or is_dropped(battle, frame, effect, run, log):
        return False
    by_effect(battle, frame, effect)
    holds = is_true(battle, effect.condition, frame.side, effect.source, frame.payload)
    if not (holds and succeeds(battle, effect.chance, log)):
        return False
    run.running = 1
    if effect.plain == 0:
        run.this_turn += 1
        run.this_battle += 1
    battle.run_count += 1
    emit_trigger(log, battle.turn, frame.side, effect.trigger, effect.source, frame.payload, frame.depth)
    return True


@kernel
def by_effect(battle, frame, effect) -> None:
    """Make an effect the cause of what happens from now on (README, Event rows)."""
    marked = 1 if effect.trigger == codes.ON_DAMAGED else frame.marked
    caused_by_item(battle, frame.side, effect.source, frame.depth, marked)


@kernel
def is_dropped(battle, frame, effect, run, log) -> bool:
    """Whether a guard keeps an effect from running.

    Emits: CUT, once for each effect, of runs once in a step.
    """
    if run.running == 0 and frame.depth <= codes.MOST_DEPTH and battle.run_count < codes.MOST_RUNS:
        return False
    drop(battle, frame, effect, run, log)
    return True


@kernel_noinline
def drop(battle, frame, effect, run, log) -> None:
    """Report the guard that dropped a run, unless already reported."""
    guard = codes.CUT_RUNS
    if run.running == 1:
        guard = codes.CUT_REENTRY
    elif frame.depth > codes.MOST_DEPTH:
        guard = codes.CUT_DEPTH
    if guard == codes.CUT_RUNS:
        is_said = battle.run_count > codes.MOST_RUNS
        battle.run_count = codes.MOST_RUNS + 1
    else:
        is_said = run.reported == 1
        run.reported = 1
    if is_said:
        return
    battle.cut_count += 1
    emit_cut(log, battle.turn, frame.side, guard, effect.trigger, effect.source, frame.depth)
