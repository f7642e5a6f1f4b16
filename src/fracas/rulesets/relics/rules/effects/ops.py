"""What each verb does, in the order of the table in relics/README.md, Ops.

A performance has an owner, a target, a quantity and an amount; the amount `all` is everything there is.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import amount_of, base_of, build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    ALL_AMOUNT,
    ARMOR,
    BONE_TO_OWNER,
    CONVERT,
    CORRODE,
    COUNT,
    COUNTDOWN,
    COUNTDOWN_EVENT,
    COUNTER_EVENT,
    DEAL,
    DELAY,
    DOUBLE,
    EFFECT_MASK,
    EVERY_TURN,
    EXECUTE,
    EXTRA_DAMAGE,
    EXTRA_STRIKES,
    EXTRA_STRIKES_EVENT,
    GAIN,
    HALVE,
    HASTEN,
    HEAL,
    HEAL_FULL,
    HP,
    HP_MAX,
    LARGEST,
    LOSE,
    MOVE,
    NEXT_TURN,
    NOW,
    PIECE_MASK,
    PIECES,
    PIERCE,
    QUANTITY_MASK,
    RESET_COUNTDOWNS,
    RESTORE,
    RETRIGGER,
    ROUTE_ARMOR,
    SET,
    SET_COUNTER,
    SPEND,
    STEAL,
    TRIGGER_MASK,
    UNPAID_EVENT,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, put, put_frame, top_frame
from fracas.rulesets.relics.rules.effects.damage import heal, packet
from fracas.rulesets.relics.rules.effects.quantity_changes import gain, grow, lose, put_loss, shrink
from fracas.rulesets.relics.rules.targeting import pieces_to_retrigger, quantity_of, target_of


@kernel
def perform(battle: Any, op: Any, owner: int, piece: int, payload: int, part: int, log: Any) -> bool:
    """Perform an op once; returns whether its effect goes on.

    Rule:    relics/README.md, An effect's turn; Ops.
    Changes: the battle.
    Draws:   as target_of, then quantity_of, then pieces_to_retrigger.
    Emits:   as the verb.
    """
    if op.plain == 1:
        # The code of `self` is 0 and that of `enemy` 1.
        target, quantity, amount = owner ^ op.target, op.quantity, op.amount.number
    else:
        target = target_of(battle, op, owner, part, log)
        holder = 1 - target if op.verb == MOVE else target
        quantity = quantity_of(battle, op, holder, part, log)
        if op.amount.kind == ALL_AMOUNT:
            amount = all_of(battle, holder, quantity)
        else:
            amount = max(0, amount_of(battle, op.amount, owner, piece, payload))
    verb = op.verb
    if verb == SPEND:
        return is_paid(battle, owner, quantity, amount, op.amount.kind == ALL_AMOUNT, log)
    if verb == GAIN:
        gain(battle, target, quantity, amount, owner, log)
    elif verb == DEAL or verb == PIERCE or verb == EXTRA_DAMAGE:
        is_to_armor = verb == DEAL or (verb == EXTRA_DAMAGE and battle.options.onhit_damage_route == ROUTE_ARMOR)
        packet(battle, target, amount, 1, 1 if is_to_armor else 0, log)
    elif verb == HEAL:
        heal(battle, target, amount, 1, log)
    else:
        perform_rarer(battle, op, owner, piece, target, quantity, amount, log)
    return True


@kernel_noinline
def perform_rarer(
    battle: Any, op: Any, owner: int, piece: int, target: int, quantity: int, amount: int, log: Any
) -> None:
    """Perform an op of one of the rarer verbs once.

    Rule:    relics/README.md, Ops.
    Changes: the battle.
    Draws:   as pieces_to_retrigger.
    Emits:   as the verb.
    """
    verb = op.verb
    if verb == LOSE:
        if quantity != NOBODY:
            lose(battle, target, quantity, amount, log)
    elif verb == SET or verb == RESTORE:
        wanted = base_of(battle, target, quantity) if verb == RESTORE else amount
        become(battle, target, quantity, wanted, verb == RESTORE, log)
    elif verb == DOUBLE:
        grow(battle, target, quantity, fighter_of(battle, target).values[quantity & QUANTITY_MASK], log)
    elif verb == HALVE:
        value = fighter_of(battle, target).values[quantity & QUANTITY_MASK]
        lose(battle, target, quantity, value - value // 2, log)
    elif verb == STEAL:
        taken = min(amount, all_of(battle, target, quantity))
        hand_over(battle, target, owner, quantity, taken, log)
    elif verb == HEAL_FULL:
        values = fighter_of(battle, target).values
        heal(battle, target, values[HP_MAX] - values[HP], 0, log)
    elif verb == EXECUTE:
        hp = fighter_of(battle, target).values[HP]
        if 0 < hp <= amount:
            lose(battle, target, HP, hp, log)
    elif verb == MOVE:
        if quantity != NOBODY:
            stacks = fighter_of(battle, 1 - target).values[quantity & QUANTITY_MASK]
            hand_over(battle, 1 - target, target, quantity, min(amount, stacks), log)
    elif verb == CONVERT:
        convert(battle, target, quantity, op.other, amount, log)
    elif verb == CORRODE:
        corrode(battle, owner, target, op.other, log)
    elif verb == EXTRA_STRIKES:
        promise_strikes(battle, owner, target, op.other, amount, log)
    elif verb == RETRIGGER:
        retrigger(battle, op, owner, piece, log)
    elif verb == COUNT or verb == SET_COUNTER:
        count(battle, owner, piece, amount, verb == COUNT, log)
    else:
        change_countdowns(battle, verb, owner, target, amount, log)


@kernel
def all_of(battle: Any, holder: int, quantity: int) -> int:
    """The whole of a quantity that can be taken away.

    Rule:    relics/README.md, Ops, An amount (of HP and full HP all but 1).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if quantity == NOBODY:
        return 0
    value = fighter_of(battle, holder).values[quantity & QUANTITY_MASK]
    if quantity == HP or quantity == HP_MAX:
        value -= 1
    return max(0, value)


@kernel
def become(battle: Any, target: int, quantity: int, wanted: int, only_up: bool, log: Any) -> None:
    """Set a quantity to a number, as a gain or a loss.

    Rule:    relics/README.md, Ops, set and restore.
    Changes: as grow, as lose.
    Draws:   none.
    Emits:   as grow, as lose.
    """
    value = fighter_of(battle, target).values[quantity & QUANTITY_MASK]
    if wanted >= value:
        grow(battle, target, quantity, wanted - value, log)
    elif not only_up:
        lose(battle, target, quantity, value - wanted, log)


@kernel
def hand_over(battle: Any, giver: int, taker: int, quantity: int, amount: int, log: Any) -> None:
    """Move a quantity from one fighter to the other; then the consequences of the loss and of the gain.

    Rule:    relics/README.md, Ops, steal and move; Changes, Several changes of one op.
    Changes: as shrink, as grow.
    Draws:   none.
    Emits:   as shrink, as grow.
    """
    lost = shrink(battle, giver, quantity, amount, log)
    grow(battle, taker, quantity, amount, log)
    put_loss(battle, giver, quantity, lost)


@kernel
def convert(battle: Any, target: int, what: int, into: int, amount: int, log: Any) -> None:
    """Convert a fighter's quantity into another.

    Rule:    relics/README.md, Ops, convert.
    Changes: as shrink, as grow or heal.
    Draws:   none.
    Emits:   as shrink, as grow or heal.
    """
    if what == NOBODY or what == into:
        return
    amount = min(amount, max(0, fighter_of(battle, target).values[what & QUANTITY_MASK]))
    lost = shrink(battle, target, what, amount, log)
    if into == HP:
        heal(battle, target, amount, 0, log)
    else:
        grow(battle, target, into, amount, log)
    put_loss(battle, target, what, lost)


@kernel
def corrode(battle: Any, owner: int, target: int, percent: int, log: Any) -> None:
    """Turn a share of the enemy's HP into ARMOR of the receiver that the option names.

    Rule:    relics/README.md, Ops, corrode; Profiles and options, corroded_bone_receiver.
    Changes: as shrink, as grow.
    Draws:   none.
    Emits:   as shrink, as grow.
    """
    amount = max(0, fighter_of(battle, target).values[HP]) * percent // 100
    lost = shrink(battle, target, HP, amount, log)
    receiver = owner if battle.options.corroded_bone_receiver == BONE_TO_OWNER else target
    grow(battle, receiver, ARMOR, amount, log)
    put_loss(battle, target, HP, lost)


@kernel
def is_paid(battle: Any, owner: int, quantity: int, price: int, is_all: bool, log: Any) -> bool:
    """Pay a price, or report that it cannot be paid.

    Rule:    relics/README.md, Ops, spend (all or nothing; HP is never spent down to 0; of all there must be 1).
    Changes: as lose.
    Draws:   none.
    Emits:   as lose, or UNPAID.
    """
    if is_all:
        price = max(price, 1)
    value = fighter_of(battle, owner).values[quantity & QUANTITY_MASK]
    least = price + 1 if quantity == HP else price
    if price == 0 or value >= least:
        lose(battle, owner, quantity, price, log)
        return True
    if log is not None:
        emit(log, battle.turn, UNPAID_EVENT, owner, NOBODY, quantity, price, value, battle.cause.source)
    return False


@kernel
def promise_strikes(battle: Any, owner: int, target: int, moment: int, amount: int, log: Any) -> None:
    """Give a fighter more strikes.

    Rule:    relics/README.md, Ops, extra_strikes.
    Changes: the target's extra strikes.
    Draws:   none.
    Emits:   EXTRA_STRIKES, unless there are none.
    """
    if amount <= 0:
        return
    fighter = fighter_of(battle, target)
    if moment == NOW and not (battle.active == target and battle.may_strike == 1):
        moment = NEXT_TURN
    if moment == NOW:
        fighter.extra_now = min(fighter.extra_now + amount, LARGEST)
    elif moment == EVERY_TURN:
        fighter.extra_always = min(fighter.extra_always + amount, LARGEST)
    else:
        fighter.extra_next = min(fighter.extra_next + amount, LARGEST)
    if log is not None:
        emit(log, battle.turn, EXTRA_STRIKES_EVENT, owner, target, moment, amount, battle.cause.source, 0)


@kernel
def retrigger(battle: Any, op: Any, owner: int, piece: int, log: Any) -> None:
    """Put effects of other pieces on the agenda again.

    Rule:    relics/README.md, Ops, retrigger.
    Changes: the agenda.
    Draws:   as pieces_to_retrigger.
    Emits:   as pieces_to_retrigger.
    """
    pieces = pieces_to_retrigger(battle, op, owner, piece & (PIECES - 1), log)
    if pieces == 0:
        return
    span = build_of(battle, owner).listeners[op.other & TRIGGER_MASK]
    cause = battle.cause
    put_frame(battle, owner, op.other, span.first, span.entries, 0, NOTHING_OF, cause.depth + 1, cause.marked)
    top_frame(battle).pieces = pieces


@kernel
def count(battle: Any, owner: int, piece: int, amount: int, is_more: bool, log: Any) -> None:
    """Add to a piece's counter, or set it.

    Rule:    relics/README.md, Ops, count and set_counter.
    Changes: the counter.
    Draws:   none.
    Emits:   COUNTER if it changed.
    """
    before = battle.counters[piece & PIECE_MASK]
    after = min(before + amount, LARGEST) if is_more else amount
    battle.counters[piece & PIECE_MASK] = after
    if log is not None and after != before:
        emit(log, battle.turn, COUNTER_EVENT, owner, NOBODY, piece, after - before, after, 0)


@kernel
def change_countdowns(battle: Any, verb: int, owner: int, target: int, amount: int, log: Any) -> None:
    """Shorten, lengthen or restart a fighter's countdowns; those that reach 0 are due.

    Rule:    relics/README.md, Ops, hasten, delay and reset_countdowns.
    Changes: the countdowns' left and due; the agenda.
    Draws:   none.
    Emits:   COUNTDOWN for each that changed.
    """
    span = build_of(battle, target).listeners[COUNTDOWN]
    is_one_due = False
    for place in range(span.first, span.first + span.entries):
        effect, run = battle.effects[place & EFFECT_MASK], battle.runs[place & EFFECT_MASK]
        before = run.left
        if verb == RESET_COUNTDOWNS:
            run.left = effect.n
            run.due = 0
        elif before > 0 and verb == HASTEN:
            run.left = max(before - amount, 0)
            if run.left == 0:
                run.due = 1
        elif before > 0 and verb == DELAY:
            run.left = min(before + amount, LARGEST)
        is_one_due = is_one_due or run.due == 1
        if log is not None and run.left != before:
            change, source = run.left - before, battle.cause.source
            emit(log, battle.turn, COUNTDOWN_EVENT, owner, target, effect.source, change, run.left, source)
    if verb == HASTEN and is_one_due:
        put(battle, target, COUNTDOWN, 0, NOTHING_OF)
