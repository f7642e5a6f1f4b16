"""Process the agenda: check effects, run them and perform their ops, depth-first. relics/README.md, Consequences."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import build_of, is_true
from fracas.rulesets.relics.rules.constants import (
    CUT_DEPTH,
    CUT_EVENT,
    CUT_REENTRY,
    CUT_RUNS,
    EFFECT_MASK,
    JUDGE,
    MOST_DEPTH,
    MOST_RUNS,
    NOT_QUICK,
    ON_DAMAGED,
    OP_MASK,
    TRIGGER_EVENT,
    TRIGGER_MASK,
    UNDECIDED,
)
from fracas.rulesets.relics.rules.deaths import check_at_once, check_deaths, judge
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
from fracas.rulesets.relics.rules.rolls import succeeds


@kernel
def resolve_stack(battle: Any, log: Any) -> None:
    """Process the agenda, if it is not empty.

    Rule:    relics/README.md, Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if battle.frame_count > 0:
        work_off_frames(battle, 0, log)


@kernel
def fire_trigger(battle: Any, side: int, trigger: int, payload: int, quantity: int, log: Any) -> None:
    """Run a fighter's effects of a trigger that the order of play raises, with all consequences.

    Rule:    relics/README.md, An effect's turn; Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if log is None:
        run_due_quickly(battle, side, trigger, payload, quantity)
    else:
        span = build_of(battle, side).listeners[trigger & TRIGGER_MASK]
        put_frame(battle, side, trigger, span.first, span.entries, payload, quantity, 1, 0)
        work_off_frames(battle, 0, log)


@kernel_noinline
def run_due_quickly(battle: Any, side: int, trigger: int, payload: int, quantity: int) -> None:
    """Like run_due, but without the agenda for effects that put nothing on it.

    Rule:    relics/README.md, An effect's turn; Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   nothing: battles with a log are not played so.
    """
    span = build_of(battle, side).listeners[trigger & TRIGGER_MASK]
    place, last = span.first, span.first + span.entries
    while place < last:
        quick, run = battle.quick[place & EFFECT_MASK], battle.runs[place & EFFECT_MASK]
        if quick.kind == NOT_QUICK or battle.run_count >= MOST_RUNS:
            put_frame(battle, side, trigger, place, last - place, payload, quantity, 1, 0)
            work_off_frames(battle, 0, None)
            return
        is_now = quick.asks == 0 or fires_now(battle, side, trigger, payload, quantity, place)
        if is_now and runs_quickly(battle, side, payload, quick, run):
            caused_by_item(battle, side, quick.source, 1, quick.marks)
            perform_quickly(battle, quick, side ^ quick.target, side)
            check_at_once(battle, None)
            if battle.frame_count > 0:
                run.running = 1
                work_off_frames(battle, 0, None)
                if battle.reason != UNDECIDED:
                    return
                run.running = 0
        place += 1


@kernel_noinline
def work_off_frames(battle: Any, floor: int, log: Any) -> None:
    """Process top frames until at most a given number is left; after the end of the battle, none is.

    Rule:    relics/README.md, Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    while battle.frame_count > floor:
        frame = top_frame(battle)
        how_far = IN_FULL
        if log is None:
            how_far = run_fast_path(battle, frame, battle.frame_count)
        if how_far == IN_FULL:
            how_far = go_through(battle, frame, battle.frame_count, log)
        if how_far == DONE:
            battle.frame_count -= 1
            if frame.trigger == JUDGE:
                judge(battle, frame.depth, log)


@kernel_noinline
def go_through(battle: Any, frame: Any, height: int, log: Any) -> int:
    """Process the effects of the top frame until all are done or something else is due first.

    Rule:    relics/README.md, Consequences (depth-first).
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    place, last = frame.effect, frame.last
    op = frame.op
    while place < last:
        effect, run = battle.effects[place & EFFECT_MASK], battle.runs[place & EFFECT_MASK]
        left = frame.left
        if op < 0:
            if not runs_now(battle, frame, effect, run, log):
                place += 1
                continue
            op = 0
            left = 0
        else:
            by_effect(battle, frame, effect)
        while op < effect.op_count:
            entry = battle.ops[effect.first_op + op & OP_MASK]
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
                frame.effect = place
                frame.op = op
                frame.left = left
                return LEFT_FOR_MORE
        run.running = 0
        place += 1
        op = -1
    return DONE


@kernel
def judge_deaths(battle: Any, log: Any) -> None:
    """The death check between steps.

    Rule:    relics/README.md, Death check.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as check_deaths; as judge.
    """
    if battle.reason == UNDECIDED:
        caused_by_rule(battle, NOBODY, NOBODY)
        check_deaths(battle, log)
        resolve_stack(battle, log)


@kernel
def runs_now(battle: Any, frame: Any, effect: Any, run: Any, log: Any) -> bool:
    """Check an effect whose turn it is; returns whether it runs.

    Rule:    relics/README.md, An effect's turn; Consequences, the guards.
    Changes: battle.cause, the effect's run.
    Draws:   the effect's chance.
    Emits:   CUT, ROLL, TRIGGER.
    """
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
    if log is not None:
        what, payload, depth = effect.trigger, frame.payload, frame.depth
        emit(log, battle.turn, TRIGGER_EVENT, frame.side, NOBODY, what, effect.source, payload, depth)
    return True


@kernel
def by_effect(battle: Any, frame: Any, effect: Any) -> None:
    """Make an effect the cause of what happens from now on.

    Rule:    relics/README.md, Event rows (actor, source); Consequences, Depth and Marked.
    Changes: battle.cause.
    Draws:   none.
    Emits:   nothing.
    """
    marked = 1 if effect.trigger == ON_DAMAGED else frame.marked
    caused_by_item(battle, frame.side, effect.source, frame.depth, marked)


@kernel
def is_dropped(battle: Any, frame: Any, effect: Any, run: Any, log: Any) -> bool:
    """Whether a guard keeps an effect from running.

    Rule:    relics/README.md, Consequences: No re-entry, Depth, Runs, in this order.
    Changes: the run's reported, battle.run_count, battle.cut_count.
    Draws:   none.
    Emits:   CUT, once for each effect, of runs once in a step.
    """
    if run.running == 0 and frame.depth <= MOST_DEPTH and battle.run_count < MOST_RUNS:
        return False
    drop(battle, frame, effect, run, log)
    return True


@kernel_noinline
def drop(battle: Any, frame: Any, effect: Any, run: Any, log: Any) -> None:
    """Report the guard that dropped a run, unless already reported.

    Rule:    relics/README.md, Consequences.
    Changes: the run's reported, battle.run_count, battle.cut_count.
    Draws:   none.
    Emits:   CUT.
    """
    guard = CUT_RUNS
    if run.running == 1:
        guard = CUT_REENTRY
    elif frame.depth > MOST_DEPTH:
        guard = CUT_DEPTH
    if guard == CUT_RUNS:
        is_said = battle.run_count > MOST_RUNS
        battle.run_count = MOST_RUNS + 1
    else:
        is_said = run.reported == 1
        run.reported = 1
    if is_said:
        return
    battle.cut_count += 1
    if log is not None:
        emit(log, battle.turn, CUT_EVENT, frame.side, NOBODY, guard, effect.trigger, effect.source, frame.depth)
