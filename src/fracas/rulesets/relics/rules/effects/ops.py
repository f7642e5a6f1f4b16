"""What each verb does, in the order of the table in relics/README.md, Ops.

A performance has an owner, a target, a quantity and an amount; the amount `all` is everything there is.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import amount_of, base_of, build_of, fighter_of
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, put, put_frame, top_frame
from fracas.rulesets.relics.rules.effects.damage import heal, packet
from fracas.rulesets.relics.rules.effects.quantity_changes import gain, increase, lose, put_loss, shrink
from fracas.rulesets.relics.rules.events import emit_countdown, emit_counter, emit_extra_strikes, emit_unpaid
from fracas.rulesets.relics.rules.targeting import pieces_to_retrigger, quantity_of, target_of


@kernel
def perform(battle, op, owner: int, piece: int, payload: int, part: int, log) -> bool:
    """Perform an op once; returns whether its effect goes on (README, An effect's turn)."""
    if op.plain == 1:
        # The code of `self` is 0 and that of `enemy` 1.
        target, quantity, amount = owner ^ op.target, op.quantity, op.amount.number
    else:
        target = target_of(battle, op, owner, part, log)
        holder = 1 - target if op.verb == codes.MOVE else target
        quantity = quantity_of(battle, op, holder, part, log)
        if op.amount.kind == codes.ALL_AMOUNT:
            amount = all_of(battle, holder, quantity)
        else:
            amount = max(0, amount_of(battle, op.amount, owner, piece, payload))
    verb = op.verb
    if verb == codes.SPEND:
        return is_paid(battle, owner, quantity, amount, op.amount.kind == codes.ALL_AMOUNT, log)
    if verb == codes.GAIN:
        gain(battle, target, quantity, amount, owner, log)
    elif verb == codes.DEAL or verb == codes.PIERCE or verb == codes.EXTRA_DAMAGE:
        is_to_armor = verb == codes.DEAL or (
            verb == codes.EXTRA_DAMAGE and battle.options.onhit_damage_route == codes.ROUTE_ARMOR
        )
        packet(battle, target, amount, 1, 1 if is_to_armor else 0, log)
    elif verb == codes.HEAL:
        heal(battle, target, amount, 1, log)
    else:
        perform_rarer(battle, op, owner, piece, target, quantity, amount, log)
    return True


@kernel_noinline
def perform_rarer(battle, op, owner: int, piece: int, target: int, quantity: int, amount: int, log) -> None:
    """Perform an op of one of the rarer verbs once."""
    verb = op.verb
    if verb == codes.LOSE:
        if quantity != NOBODY:
            lose(battle, target, quantity, amount, log)
    elif verb == codes.SET or verb == codes.RESTORE:
        wanted = base_of(battle, target, quantity) if verb == codes.RESTORE else amount
        set_to(battle, target, quantity, wanted, verb == codes.RESTORE, log)
    elif verb == codes.DOUBLE:
        increase(battle, target, quantity, fighter_of(battle, target).values[quantity & codes.QUANTITY_MASK], log)
    elif verb == codes.HALVE:
        value = fighter_of(battle, target).values[quantity & codes.QUANTITY_MASK]
        lose(battle, target, quantity, value - value // 2, log)
    elif verb == codes.STEAL:
        taken = min(amount, all_of(battle, target, quantity))
        transfer(battle, target, owner, quantity, taken, log)
    elif verb == codes.HEAL_FULL:
        values = fighter_of(battle, target).values
        heal(battle, target, values[codes.HP_MAX] - values[codes.HP], 0, log)
    elif verb == codes.EXECUTE:
        hp = fighter_of(battle, target).values[codes.HP]
        if 0 < hp <= amount:
            lose(battle, target, codes.HP, hp, log)
    elif verb == codes.MOVE:
        if quantity != NOBODY:
            stacks = fighter_of(battle, 1 - target).values[quantity & codes.QUANTITY_MASK]
            transfer(battle, 1 - target, target, quantity, min(amount, stacks), log)
    elif verb == codes.CONVERT:
        convert(battle, target, quantity, op.other, amount, log)
    elif verb == codes.CORRODE:
        corrode(battle, owner, target, op.other, log)
    elif verb == codes.EXTRA_STRIKES:
        add_strikes(battle, owner, target, op.other, amount, log)
    elif verb == codes.RETRIGGER:
        retrigger(battle, op, owner, piece, log)
    elif verb == codes.COUNT or verb == codes.SET_COUNTER:
        count(battle, owner, piece, amount, verb == codes.COUNT, log)
    else:
        change_countdowns(battle, verb, owner, target, amount, log)


@kernel
def all_of(battle, holder: int, quantity: int) -> int:
    """The whole of a quantity that can be taken away.

    Of HP and full HP all but 1.
    """
    if quantity == NOBODY:
        return 0
    value = fighter_of(battle, holder).values[quantity & codes.QUANTITY_MASK]
    if quantity == codes.HP or quantity == codes.HP_MAX:
        value -= 1
    return max(0, value)


@kernel
def set_to(battle, target: int, quantity: int, wanted: int, only_up: bool, log) -> None:
    """Set a quantity to a number, as a gain or a loss."""
    value = fighter_of(battle, target).values[quantity & codes.QUANTITY_MASK]
    if wanted >= value:
        increase(battle, target, quantity, wanted - value, log)
    elif not only_up:
        lose(battle, target, quantity, value - wanted, log)


@kernel
def transfer(battle, giver: int, taker: int, quantity: int, amount: int, log) -> None:
    """Move a quantity from one fighter to the other; then the consequences of the loss and of the gain.

    README, Changes, Several changes of one op.
    """
    lost = shrink(battle, giver, quantity, amount, log)
    increase(battle, taker, quantity, amount, log)
    put_loss(battle, giver, quantity, lost)


@kernel
def convert(battle, target: int, what: int, into: int, amount: int, log) -> None:
    """Convert a fighter's quantity into another."""
    if what == NOBODY or what == into:
        return
    amount = min(amount, max(0, fighter_of(battle, target).values[what & codes.QUANTITY_MASK]))
    lost = shrink(battle, target, what, amount, log)
    if into == codes.HP:
        heal(battle, target, amount, 0, log)
    else:
        increase(battle, target, into, amount, log)
    put_loss(battle, target, what, lost)


@kernel
def corrode(battle, owner: int, target: int, percent: int, log) -> None:
    """Turn a share of the enemy's HP into ARMOR of the receiver that the option names.

    README, Profiles and options, corroded_bone_receiver.
    """
    amount = max(0, fighter_of(battle, target).values[codes.HP]) * percent // 100
    lost = shrink(battle, target, codes.HP, amount, log)
    receiver = owner if battle.options.corroded_bone_receiver == codes.BONE_TO_OWNER else target
    increase(battle, receiver, codes.ARMOR, amount, log)
    put_loss(battle, target, codes.HP, lost)


@kernel
def is_paid(battle, owner: int, quantity: int, price: int, is_all: bool, log) -> bool:
    """Pay a price, or report that it cannot be paid.

    All or nothing; HP is never spent down to 0; of all there must be 1.
    """
    if is_all:
        price = max(price, 1)
    value = fighter_of(battle, owner).values[quantity & codes.QUANTITY_MASK]
    least = price + 1 if quantity == codes.HP else price
    if price == 0 or value >= least:
        lose(battle, owner, quantity, price, log)
        return True
    emit_unpaid(log, battle.turn, owner, quantity, price, value, battle.cause.source)
    return False


@kernel
def add_strikes(battle, owner: int, target: int, moment: int, amount: int, log) -> None:
    """Give a fighter more strikes."""
    if amount <= 0:
        return
    fighter = fighter_of(battle, target)
    if moment == codes.NOW and not (battle.active == target and battle.may_strike == 1):
        moment = codes.NEXT_TURN
    if moment == codes.NOW:
        fighter.extra_now = min(fighter.extra_now + amount, codes.LARGEST)
    elif moment == codes.EVERY_TURN:
        fighter.extra_always = min(fighter.extra_always + amount, codes.LARGEST)
    else:
        fighter.extra_next = min(fighter.extra_next + amount, codes.LARGEST)
    emit_extra_strikes(log, battle.turn, owner, target, moment, amount, battle.cause.source)


@kernel
def retrigger(battle, op, owner: int, piece: int, log) -> None:
    """Put effects of other pieces on the agenda again."""
    pieces = pieces_to_retrigger(battle, op, owner, piece & (codes.PIECES - 1), log)
    if pieces == 0:
        return
    span = build_of(battle, owner).listeners[op.other & codes.TRIGGER_MASK]
    cause = battle.cause
    put_frame(battle, owner, op.other, span.first, span.entries, 0, NOTHING_OF, cause.depth + 1, cause.marked)
    top_frame(battle).pieces = pieces


@kernel
def count(battle, owner: int, piece: int, amount: int, is_more: bool, log) -> None:
    """Add to a piece's counter, or set it."""
    before = battle.counters[piece & codes.PIECE_MASK]
    after = min(before + amount, codes.LARGEST) if is_more else amount
    battle.counters[piece & codes.PIECE_MASK] = after
    if log is not None and after != before:
        emit_counter(log, battle.turn, owner, piece, after - before, after)


@kernel
def change_countdowns(battle, verb: int, owner: int, target: int, amount: int, log) -> None:
    """Shorten, lengthen or restart a fighter's countdowns; those that reach 0 are due."""
    span = build_of(battle, target).listeners[codes.COUNTDOWN]
    is_one_due = False
    for index in range(span.first, span.first + span.entries):
        effect, run = battle.effects[index & codes.EFFECT_MASK], battle.runs[index & codes.EFFECT_MASK]
        before = run.left
        if verb == codes.RESET_COUNTDOWNS:
            run.left = effect.n
            run.due = 0
        elif before > 0 and verb == codes.HASTEN:
            run.left = max(before - amount, 0)
            if run.left == 0:
                run.due = 1
        elif before > 0 and verb == codes.DELAY:
            run.left = min(before + amount, codes.LARGEST)
        is_one_due = is_one_due or run.due == 1
        if log is not None and run.left != before:
            change, source = run.left - before, battle.cause.source
            emit_countdown(log, battle.turn, owner, target, effect.source, change, run.left, source)
    if verb == codes.HASTEN and is_one_due:
        put(battle, target, codes.COUNTDOWN, 0, NOTHING_OF)
