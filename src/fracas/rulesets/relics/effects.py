"""Working off the agenda: effects are looked at, run, and their ops performed, depth-first. README, Consequences."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_apart
from fracas.kernel.log import NOBODY, emit
from fracas.rulesets.relics.agenda import by_rule, top_frame
from fracas.rulesets.relics.constants import (
    COUNTDOWN,
    CUT_DEPTH,
    CUT_EVENT,
    CUT_REENTRY,
    CUT_RUNS,
    EFFECT_MASK,
    EVERY_N_STRIKES,
    EVERY_N_TURNS,
    JUDGE,
    MOST_DEPTH,
    MOST_RUNS,
    ON_DAMAGED,
    OP_MASK,
    PIECES,
    TRIGGER_EVENT,
    UNDECIDED,
)
from fracas.rulesets.relics.deaths import check_at_once, check_deaths, judge
from fracas.rulesets.relics.rolls import succeeds
from fracas.rulesets.relics.situation import fighter_of, is_true
from fracas.rulesets.relics.verbs import perform


@kernel
def work_off(battle: Any, log: Any) -> None:
    """Do what is on the agenda, if anything is.

    Rule:    README, Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if battle.frame_count > 0:
        work_off_frames(battle, log)


@kernel_apart
def work_off_frames(battle: Any, log: Any) -> None:
    """Take the frame on top until none is left.

    Rule:    README, Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    while battle.frame_count > 0:
        frame = top_frame(battle)
        if go_through(battle, frame, battle.frame_count, log):
            battle.frame_count -= 1
            if frame.trigger == JUDGE:
                judge(battle, frame.depth, log)


@kernel
def go_through(battle: Any, frame: Any, height: int, log: Any) -> bool:
    """Look at and run the effects of the frame on top, until they are all done or something else is due first.

    Rule:    README, Consequences (depth-first).
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
                return False
        run.running = 0
        place += 1
        op = -1
    return True


@kernel
def judge_deaths(battle: Any, log: Any) -> None:
    """The death check between steps.

    Rule:    README, Death check.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as check_deaths; as judge.
    """
    if battle.reason == UNDECIDED:
        by_rule(battle, NOBODY, NOBODY)
        check_deaths(battle, log)
        work_off(battle, log)


@kernel
def runs_now(battle: Any, frame: Any, effect: Any, run: Any, log: Any) -> bool:
    """It is an effect's turn: it runs, or it is passed over.

    Rule:    README, An effect's turn; Consequences, the guards.
    Changes: battle.cause, the effect's run.
    Draws:   the effect's chance.
    Emits:   CUT, ROLL, TRIGGER.
    """
    if not comes_up(battle, frame, effect, run) or is_dropped(battle, frame, effect, run, log):
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
    """From now on what happens is done by an effect.

    Rule:    README, Event rows (actor, source); Consequences, Depth and Marked.
    Changes: battle.cause.
    Draws:   none.
    Emits:   nothing.
    """
    cause = battle.cause
    cause.actor = frame.side
    cause.source = effect.source
    cause.depth = frame.depth
    cause.marked = 1 if effect.trigger == ON_DAMAGED else frame.marked


@kernel
def comes_up(battle: Any, frame: Any, effect: Any, run: Any) -> bool:
    """Whether what has come up is this effect's moment, and its limits are not used up.

    Rule:    README, An effect's turn (of a piece that is retriggered n, of and being due do not matter).
    Changes: the run's due, this_turn, tick.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.plain == 1 and frame.pieces | frame.phase == 0:
        return True
    if frame.pieces != 0:
        if frame.pieces >> (effect.source & (PIECES - 1)) & 1 == 0:
            return False
    elif not is_its_moment(battle, frame, effect, run):
        return False
    if effect.phase != 0 and effect.phase != fighter_of(battle, frame.side).phase:
        return False
    if frame.phase != 0 and effect.phase != frame.phase:
        return False
    if run.tick != battle.turn:
        run.tick = battle.turn
        run.this_turn = 0
    if effect.per_turn > 0 and run.this_turn >= effect.per_turn:
        return False
    return effect.per_battle == 0 or run.this_battle < effect.per_battle


@kernel
def is_its_moment(battle: Any, frame: Any, effect: Any, run: Any) -> bool:
    """Whether n, the status and the countdown of an effect fit what has come up.

    Rule:    README, An effect's turn.
    Changes: the run's due: looked at, a countdown is no longer due.
    Draws:   none.
    Emits:   nothing.
    """
    trigger = frame.trigger
    if trigger == COUNTDOWN:
        was_due = run.due == 1
        run.due = 0
        return was_due
    if trigger == EVERY_N_TURNS:
        return fighter_of(battle, frame.side).own_turn % effect.n == 0
    if trigger == EVERY_N_STRIKES:
        return frame.payload % effect.n == 0
    return effect.of < 0 or effect.of == frame.quantity


@kernel
def is_dropped(battle: Any, frame: Any, effect: Any, run: Any, log: Any) -> bool:
    """Whether a guard keeps an effect from running.

    Rule:    README, Consequences: No re-entry, Depth, Runs, in this order.
    Changes: the run's reported, battle.run_count, battle.cut_count.
    Draws:   none.
    Emits:   CUT, once for each effect, of runs once in a step.
    """
    if run.running == 0 and frame.depth <= MOST_DEPTH and battle.run_count < MOST_RUNS:
        return False
    drop(battle, frame, effect, run, log)
    return True


@kernel_apart
def drop(battle: Any, frame: Any, effect: Any, run: Any, log: Any) -> None:
    """Say which guard dropped a run, unless that was said before.

    Rule:    README, Consequences.
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
