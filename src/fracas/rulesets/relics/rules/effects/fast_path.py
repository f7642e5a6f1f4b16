"""The fast path for simple effects: a single op with fixed target, quantity and amount.

Nearly all effects are simple. `quick` in the battle record holds what each needs in one place, with everything constant
precomputed (content/compile_fast_path.py). This module processes them exactly as `go_through` in resolution.py, the
reference: battles with a log use only the reference, as do effects that are not simple or that a guard may drop.

Some effects have no consequences, such as a heal of a fighter without on_heal effects. If only such effects answer a
change, and the change is all that happens now, they run at once, without a frame on the agenda.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of, is_true
from fracas.rulesets.relics.rules.constants import (
    ALWAYS,
    ARMOR_LOST,
    BY_CHANCE,
    DAMAGE_OUTSIDE_STRIKES,
    EFFECT_MASK,
    ENEMY_STATUS_GAINED,
    FIRST_STATUS,
    HP_LOST,
    HP_MAX,
    IN_RANGE,
    MOST_DEPTH,
    MOST_QUIET,
    MOST_RUNS,
    NOT_QUICK,
    ON_DAMAGED,
    QUANTITY_MASK,
    QUICK_DEAL,
    QUICK_GAIN,
    QUICK_HEAL,
    QUICK_PIERCE,
    STATUS_GAINED,
    THORNS,
    THORNS_GAINED,
    TRIGGER_MASK,
)
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_item, has_listener, put_thresholds
from fracas.rulesets.relics.rules.effects.damage import heal, landing, mend, packet, put_damage, take
from fracas.rulesets.relics.rules.effects.quantity_changes import add, gain, note_losses, put_growth
from fracas.rulesets.relics.rules.effects.timing import is_due, is_its_moment, may_run
from fracas.rulesets.relics.rules.rolls import rolled_chance

# How far a frame was processed: to its end, to something that is due first, or to an effect that needs the full path.
DONE, LEFT_FOR_MORE, IN_FULL = range(3)

# Bit sets of the triggers that answer a packet, and a gain of one's own status.
ABOUT_LOSING = 1 << ARMOR_LOST | 1 << HP_LOST | 1 << ON_DAMAGED
ABOUT_GAINING = 1 << STATUS_GAINED | 1 << THORNS_GAINED


@kernel
def run_fast_path(battle: Any, frame: Any, height: int) -> int:
    """Process the simple effects of the top frame; returns how far it came.

    Rule:    relics/README.md, Consequences (depth-first); An effect's turn.
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
        is_now = quick.asks == 0 or is_due(battle, frame, battle.effects[place & EFFECT_MASK], run)
        if is_now and runs_quickly(battle, side, frame.payload, quick, run):
            caused_by_item(battle, side, quick.source, frame.depth, quick.marks | frame.marked)
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

    Rule:    relics/README.md, Consequences: No re-entry, Depth, Runs.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return run.running == 1 or depth > MOST_DEPTH or battle.run_count >= MOST_RUNS


@kernel
def fires_now(battle: Any, side: int, trigger: int, payload: int, quantity: int, place: int) -> bool:
    """Whether phase, n and status of an effect fit, and its limits are not used up.

    Rule:    relics/README.md, An effect's turn.
    Changes: as is_its_moment and may_run.
    Draws:   none.
    Emits:   nothing.
    """
    effect, run = battle.effects[place & EFFECT_MASK], battle.runs[place & EFFECT_MASK]
    is_now = is_its_moment(battle, side, trigger, payload, quantity, effect, run)
    return is_now and may_run(battle, side, effect, run)


@kernel
def runs_quickly(battle: Any, side: int, payload: int, quick: Any, run: Any) -> bool:
    """Check a simple effect that is due: whether its op must be performed.

    Rule:    relics/README.md, An effect's turn; Consequences, Runs.
    Changes: battle.run_count, the effect's run.
    Draws:   the chance of the effect or of its op.
    Emits:   nothing.
    """
    runs = quick.gate == ALWAYS or passes(battle, side, payload, quick)
    # A run counts if the effect's own requirement held, even if the op's did not.
    count = 1 if runs else quick.counts_first
    battle.run_count += count
    if quick.asks == 1:
        run.this_turn += count
        run.this_battle += count
    return runs


@kernel
def passes(battle: Any, side: int, payload: int, quick: Any) -> bool:
    """Whether the condition or chance of a simple effect, or of its op, is met.

    Rule:    relics/README.md, Conditions; Dice.
    Changes: battle.facts.
    Draws:   the chance.
    Emits:   nothing.
    """
    gate = quick.gate
    if gate == BY_CHANCE:
        return rolled_chance(battle, quick.chance, None)
    if gate == IN_RANGE:
        return is_in_range(battle, quick.within, side)
    return holds_quickly(battle, quick, side, payload)


@kernel
def is_in_range(battle: Any, within: Any, side: int) -> bool:
    """Whether a comparison written as a range holds, for a quantity or for 100 * HP - per cent * full HP.

    Rule:    relics/README.md, Conditions.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    values = fighter_of(battle, side ^ within.whose).values
    number = values[within.quantity & QUANTITY_MASK] * within.times - values[HP_MAX] * within.share
    return within.least <= number <= within.most


@kernel_noinline
def holds_quickly(battle: Any, quick: Any, side: int, payload: int) -> bool:
    """Whether the condition of a simple effect, or of its op, holds.

    Rule:    relics/README.md, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    return is_true(battle, quick.condition, side, quick.source, payload)


@kernel
def perform_quickly(battle: Any, quick: Any, target: int, owner: int) -> None:
    """Perform the op of a simple effect.

    Rule:    relics/README.md, Ops.
    Changes: the battle.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    kind = quick.kind
    if quick.is_settled == 0:
        perform_unsettled(battle, quick, target, owner)
    elif kind == QUICK_HEAL:
        mend(battle, target, quick.amount, None)
    elif kind == QUICK_GAIN:
        grow_quickly(battle, target, quick.quantity, quick.amount)
    else:
        take_quickly(battle, target, quick.amount, 1 if kind == QUICK_DEAL else 0, target != owner)


@kernel_noinline
def perform_unsettled(battle: Any, quick: Any, target: int, owner: int) -> None:
    """Perform the op of a simple effect whose amount depends on changing modifiers.

    Rule:    relics/README.md, Ops; Modifiers.
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


@kernel
def packet_of_step(battle: Any, target: int, amount: int, is_blow: int, to_armor: int, log: Any) -> int:
    """Apply a packet that is all a step of the order of play does now; returns what it took from both.

    Rule:    relics/README.md, Changes, A packet.
    Changes: the battle.
    Draws:   as the effects that answer at once.
    Emits:   as packet.
    """
    if log is not None:
        return packet(battle, target, amount, is_blow, to_armor, log)
    is_from_enemy = battle.cause.actor == 1 - target
    amount = landing(battle, target, amount, is_blow == 1 and is_from_enemy, None)
    take_quickly(battle, target, amount, to_armor, is_from_enemy)
    return amount


@kernel
def take_quickly(battle: Any, target: int, amount: int, to_armor: int, is_from_enemy: bool) -> None:
    """Apply a packet whose size includes all modifiers; run its answers or put them on the agenda.

    Rule:    relics/README.md, Changes, A packet, steps 3 and 4.
    Changes: the battle.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    absorbed = take(battle, target, amount, to_armor, is_from_enemy, None)
    if amount <= 0:
        return
    lost = amount - absorbed
    crosses = note_losses(battle, target, absorbed, lost, None)
    if is_quiet(battle, target, ABOUT_LOSING) and not has_listener(battle, 1 - target, DAMAGE_OUTSIDE_STRIKES):
        if crosses and battle.deferring == 0:
            put_thresholds(battle, target)
        if absorbed > 0 and has_listener(battle, target, ARMOR_LOST):
            answer(battle, target, ARMOR_LOST, absorbed)
        if lost > 0 and has_listener(battle, target, HP_LOST):
            answer(battle, target, HP_LOST, lost)
        if is_from_enemy and has_listener(battle, target, ON_DAMAGED) and battle.cause.marked == 0:
            answer(battle, target, ON_DAMAGED, amount)
    else:
        put_damage(battle, target, absorbed, lost, is_from_enemy)


@kernel
def grow_quickly(battle: Any, target: int, quantity: int, amount: int) -> None:
    """Apply a gain whose size includes all modifiers; run its answers or put them on the agenda.

    Rule:    relics/README.md, Changes, Growth.
    Changes: the battle.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    grown = add(battle, target, quantity, amount, None)
    if grown <= 0 or quantity == HP_MAX:
        return
    is_heard = has_listener(battle, 1 - target, ENEMY_STATUS_GAINED)
    if quantity < FIRST_STATUS or is_heard or not is_quiet(battle, target, ABOUT_GAINING):
        put_growth(battle, target, quantity, grown)
        return
    if has_listener(battle, target, STATUS_GAINED):
        answer(battle, target, STATUS_GAINED, grown)
    if quantity == THORNS and has_listener(battle, target, THORNS_GAINED):
        answer(battle, target, THORNS_GAINED, grown)


@kernel
def is_quiet(battle: Any, side: int, triggers: int) -> bool:
    """Whether a fighter's effects of some triggers, a bit set, can run at once because they have no consequences.

    Rule:    relics/README.md, Consequences; the guards Depth and Runs.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    is_free = battle.cause.depth < MOST_DEPTH and battle.run_count <= MOST_RUNS - 3 * MOST_QUIET
    return triggers & ~build_of(battle, side).quiet == 0 and is_free


@kernel_noinline
def answer(battle: Any, side: int, trigger: int, payload: int) -> None:
    """Run a fighter's effects of a trigger without consequences; needs no frame.

    Rule:    relics/README.md, An effect's turn; Consequences.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   nothing.
    """
    span = build_of(battle, side).listeners[trigger & TRIGGER_MASK]
    place, last = span.first, span.first + span.entries
    while place < last:
        quick, run = battle.quick[place & EFFECT_MASK], battle.runs[place & EFFECT_MASK]
        is_now = quick.asks == 0 or may_run(battle, side, battle.effects[place & EFFECT_MASK], run)
        if is_now and runs_quickly(battle, side, payload, quick, run):
            target = side ^ quick.target
            if quick.kind == QUICK_HEAL:
                mend(battle, target, quick.amount, None)
            else:
                add(battle, target, quick.quantity, quick.amount, None)
        place += 1
