"""The fast path for simple effects: a single op with fixed target, quantity and amount.

Nearly all effects are simple. `quick` in the battle record holds what each needs in one place, with everything constant
precomputed (content/compile_fast_path.py). This module processes them exactly as `go_through` in resolution.py, the
reference: battles with a log use only the reference, as do effects that are not simple or that a guard may drop.

Some effects have no consequences, such as a heal of a fighter without on_heal effects. If only such effects answer a
change, and the change is all that happens now, they run at once, without a frame on the agenda.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of, is_true
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_item, has_listener, put_thresholds
from fracas.rulesets.relics.rules.effects.damage import heal, landing, mend, packet, put_damage, take
from fracas.rulesets.relics.rules.effects.quantity_changes import add, gain, note_losses, put_growth
from fracas.rulesets.relics.rules.effects.timing import is_due, is_its_moment, may_run
from fracas.rulesets.relics.rules.rolls import rolled_chance

# How far a frame was processed: to its end, to something that is due first, or to an effect that needs the full path.
DONE, LEFT_FOR_MORE, IN_FULL = range(3)

# Bit sets of the triggers that answer a packet, and a gain of one's own status.
ABOUT_LOSING = 1 << codes.ARMOR_LOST | 1 << codes.HP_LOST | 1 << codes.ON_DAMAGED
ABOUT_GAINING = 1 << codes.STATUS_GAINED | 1 << codes.THORNS_GAINED


@kernel
def run_fast_path(battle, frame, height: int) -> int:
    """Process the simple effects of the top frame; returns how far it came (README, Consequences; An effect's turn)."""
    if frame.pieces | frame.phase != 0:
        return IN_FULL
    index, last, side = frame.effect, frame.last, frame.side
    if frame.op >= 0:
        if battle.quick[index & codes.EFFECT_MASK].kind == codes.NOT_QUICK:
            return IN_FULL
        battle.runs[index & codes.EFFECT_MASK].running = 0
        index += 1
    while index < last:
        quick, run = battle.quick[index & codes.EFFECT_MASK], battle.runs[index & codes.EFFECT_MASK]
        if quick.kind == codes.NOT_QUICK or is_guarded(battle, frame.depth, run):
            frame.effect = index
            frame.op = -1
            return IN_FULL
        is_now = quick.asks == 0 or is_due(battle, frame, battle.effects[index & codes.EFFECT_MASK], run)
        if is_now and runs_quickly(battle, side, frame.payload, quick, run):
            caused_by_item(battle, side, quick.source, frame.depth, quick.marks | frame.marked)
            perform_quickly(battle, quick, side ^ quick.target, side)
            check_at_once(battle, None)
            if battle.frame_count != height:
                run.running = 1
                frame.effect = index
                frame.op = 1
                frame.left = 0
                return LEFT_FOR_MORE
        index += 1
    return DONE


@kernel
def is_guarded(battle, depth: int, run) -> bool:
    """Whether a guard would keep an effect from running (README, Consequences: No re-entry, Depth, Runs)."""
    return run.running == 1 or depth > codes.MOST_DEPTH or battle.run_count >= codes.MOST_RUNS


@kernel
def fires_now(battle, side: int, trigger: int, payload: int, quantity: int, index: int) -> bool:
    """Whether phase, n and status of an effect fit, and its limits are not used up (README, An effect's turn)."""
    effect, run = battle.effects[index & codes.EFFECT_MASK], battle.runs[index & codes.EFFECT_MASK]
    is_now = is_its_moment(battle, side, trigger, payload, quantity, effect, run)
    return is_now and may_run(battle, side, effect, run)


@kernel
def runs_quickly(battle, side: int, payload: int, quick, run) -> bool:
    """Check a simple effect that is due: whether its op must be performed.

    README, An effect's turn; Consequences, Runs.
    """
    runs = quick.gate == codes.ALWAYS or passes(battle, side, payload, quick)
    # A run counts if the effect's own requirement held, even if the op's did not.
    count = 1 if runs else quick.counts_first
    battle.run_count += count
    if quick.asks == 1:
        run.this_turn += count
        run.this_battle += count
    return runs


@kernel
def passes(battle, side: int, payload: int, quick) -> bool:
    """Whether the condition or chance of a simple effect, or of its op, is met (README, Conditions; Dice)."""
    gate = quick.gate
    if gate == codes.BY_CHANCE:
        return rolled_chance(battle, quick.chance, None)
    if gate == codes.IN_RANGE:
        return is_in_range(battle, quick.within, side)
    return holds_quickly(battle, quick, side, payload)


@kernel
def is_in_range(battle, within, side: int) -> bool:
    """Whether a comparison written as a range holds, for a quantity or for 100 * HP - per cent * full HP.

    README, Conditions.
    """
    values = fighter_of(battle, side ^ within.whose).values
    number = values[within.quantity & codes.QUANTITY_MASK] * within.times - values[codes.HP_MAX] * within.share
    return within.least <= number <= within.most


@kernel_noinline
def holds_quickly(battle, quick, side: int, payload: int) -> bool:
    """Whether the condition of a simple effect, or of its op, holds (README, Conditions)."""
    return is_true(battle, quick.condition, side, quick.source, payload)


@kernel
def perform_quickly(battle, quick, target: int, owner: int) -> None:
    """Perform the op of a simple effect (README, Ops)."""
    kind = quick.kind
    if quick.is_settled == 0:
        perform_unsettled(battle, quick, target, owner)
    elif kind == codes.QUICK_HEAL:
        mend(battle, target, quick.amount, None)
    elif kind == codes.QUICK_GAIN:
        grow_quickly(battle, target, quick.quantity, quick.amount)
    else:
        take_quickly(battle, target, quick.amount, 1 if kind == codes.QUICK_DEAL else 0, target != owner)


@kernel_noinline
def perform_unsettled(battle, quick, target: int, owner: int) -> None:
    """Perform the op of a simple effect whose amount depends on changing modifiers (README, Ops; Modifiers)."""
    kind = quick.kind
    if kind == codes.QUICK_DEAL or kind == codes.QUICK_PIERCE:
        packet(battle, target, quick.amount, 1, 1 if kind == codes.QUICK_DEAL else 0, None)
    elif kind == codes.QUICK_HEAL:
        heal(battle, target, quick.amount, 1, None)
    else:
        gain(battle, target, quick.quantity, quick.amount, owner, None)


@kernel
def packet_of_step(battle, target: int, amount: int, is_blow: int, to_armor: int, log) -> int:
    """Apply a packet that is all a step of the order of play does now; returns what it took from both.

    README, Changes, A packet.
    """
    if log is not None:
        return packet(battle, target, amount, is_blow, to_armor, log)
    is_from_enemy = battle.cause.actor == 1 - target
    amount = landing(battle, target, amount, is_blow == 1 and is_from_enemy, None)
    take_quickly(battle, target, amount, to_armor, is_from_enemy)
    return amount


@kernel
def take_quickly(battle, target: int, amount: int, to_armor: int, is_from_enemy: bool) -> None:
    """Apply a packet whose size includes all modifiers; run its answers or put them on the agenda.

    README, Changes, A packet, steps 3 and 4.
    """
    absorbed = take(battle, target, amount, to_armor, is_from_enemy, None)
    if amount <= 0:
        return
    lost = amount - absorbed
    crosses = note_losses(battle, target, absorbed, lost, None)
    if is_quiet(battle, target, ABOUT_LOSING) and not has_listener(battle, 1 - target, codes.DAMAGE_OUTSIDE_STRIKES):
        if crosses and battle.deferring == 0:
            put_thresholds(battle, target)
        if absorbed > 0 and has_listener(battle, target, codes.ARMOR_LOST):
            answer(battle, target, codes.ARMOR_LOST, absorbed)
        if lost > 0 and has_listener(battle, target, codes.HP_LOST):
            answer(battle, target, codes.HP_LOST, lost)
        if is_from_enemy and has_listener(battle, target, codes.ON_DAMAGED) and battle.cause.marked == 0:
            answer(battle, target, codes.ON_DAMAGED, amount)
    else:
        put_damage(battle, target, absorbed, lost, is_from_enemy)


@kernel
def grow_quickly(battle, target: int, quantity: int, amount: int) -> None:
    """Apply a gain whose size includes all modifiers; run its answers or put them on the agenda.

    README, Changes, Growth.
    """
    grown = add(battle, target, quantity, amount, None)
    if grown <= 0 or quantity == codes.HP_MAX:
        return
    is_heard = has_listener(battle, 1 - target, codes.ENEMY_STATUS_GAINED)
    if quantity < codes.FIRST_STATUS or is_heard or not is_quiet(battle, target, ABOUT_GAINING):
        put_growth(battle, target, quantity, grown)
        return
    if has_listener(battle, target, codes.STATUS_GAINED):
        answer(battle, target, codes.STATUS_GAINED, grown)
    if quantity == codes.THORNS and has_listener(battle, target, codes.THORNS_GAINED):
        answer(battle, target, codes.THORNS_GAINED, grown)


@kernel
def is_quiet(battle, side: int, triggers: int) -> bool:
    """Whether a fighter's effects of some triggers, a bit set, can run at once because they have no consequences.

    README, Consequences; the guards Depth and Runs.
    """
    is_free = battle.cause.depth < codes.MOST_DEPTH and battle.run_count <= codes.MOST_RUNS - 3 * codes.MOST_QUIET
    return triggers & ~build_of(battle, side).quiet == 0 and is_free


@kernel_noinline
def answer(battle, side: int, trigger: int, payload: int) -> None:
    """Run a fighter's effects of a trigger without consequences; needs no frame.

    README, An effect's turn; Consequences.
    """
    span = build_of(battle, side).listeners[trigger & codes.TRIGGER_MASK]
    index, last = span.first, span.first + span.entries
    while index < last:
        quick, run = battle.quick[index & codes.EFFECT_MASK], battle.runs[index & codes.EFFECT_MASK]
        is_now = quick.asks == 0 or may_run(battle, side, battle.effects[index & codes.EFFECT_MASK], run)
        if is_now and runs_quickly(battle, side, payload, quick, run):
            target = side ^ quick.target
            if quick.kind == codes.QUICK_HEAL:
                mend(battle, target, quick.amount, None)
            else:
                add(battle, target, quick.quantity, quick.amount, None)
        index += 1
