"""What each verb does, in lanes: rules/effects/ops.py for 64 battles.

Where dice pick a target, a status or a piece, lanes differ; an op is then performed once for each, under a mask.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change, truth
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, splat
from fracas.rulesets.relics.lockstep.countdowns import change_countdowns
from fracas.rulesets.relics.lockstep.damage import heal, packet, take
from fracas.rulesets.relics.lockstep.facts import amount_of, base_of, value
from fracas.rulesets.relics.lockstep.quantity_changes import gain, grow, grow_by, lose, mend, put_loss, shrink
from fracas.rulesets.relics.lockstep.retrigger import retrigger
from fracas.rulesets.relics.lockstep.rolls import picked
from fracas.rulesets.relics.lockstep.signed_lanes import is_above_0, is_less, least, most, number, with_percentage
from fracas.rulesets.relics.lockstep.state import ALIVE, COUNTERS, EXTRA_ALWAYS, EXTRA_NEXT, EXTRA_NOW
from fracas.rulesets.relics.rules.constants import (
    ALL_AMOUNT,
    ARMOR,
    BONE_TO_OWNER,
    BOTH,
    CONVERT,
    CORRODE,
    COUNT,
    DEAL,
    DOUBLE,
    EACH_STATUS,
    EFFECT_MASK,
    ENEMY,
    EVERY_TURN,
    EXECUTE,
    EXTRA_DAMAGE,
    EXTRA_STRIKES,
    FIRST_STATUS,
    GAIN,
    HALVE,
    HEAL,
    HEAL_FULL,
    HP,
    HP_MAX,
    LARGEST,
    LOSE,
    MOVE,
    NOT_QUICK,
    NOW,
    PIECE_MASK,
    PIERCE,
    QUICK_DEAL,
    QUICK_GAIN,
    QUICK_HEAL,
    RANDOM,
    RANDOM_STATUS,
    RESTORE,
    RETRIGGER,
    ROUTE_ARMOR,
    SET,
    SET_COUNTER,
    SPEND,
    STATUSES,
    STEAL,
)

_STATUS_COUNT = len(STATUSES)


@kernel_noinline
def perform(
    state: Any, battle: Any, place: int, op: Any, owner: int, piece: int, payload: Any, part: int, mask: Any
) -> Any:
    """Perform an op once; returns where its effect goes on.

    Rule:    relics/README.md, An effect's turn; Ops.
    Changes: the state.
    Draws:   below(2) for a random target; as perform_on.
    Emits:   nothing.
    """
    quick = battle.quick[place & EFFECT_MASK]
    if quick.kind != NOT_QUICK and quick.is_settled == 1:
        perform_settled(state, battle, quick, owner, mask)
        return mask
    if op.target == RANDOM:
        roll = picked(state, battle, splat(state, 2), mask)
        mask = mask & load_mask(state, ALIVE)
        own = mask & (roll == splat(state, 0))
        goes_on = perform_on(state, battle, op, owner, piece, owner, payload, part, own)
        return goes_on | perform_on(state, battle, op, owner, piece, 1 - owner, payload, part, mask & ~own)
    target = 1 - owner if op.target == ENEMY else owner
    if op.target == BOTH and part % op.parts >= (_STATUS_COUNT if op.quantity == EACH_STATUS else 1):
        target = 1 - owner
    return perform_on(state, battle, op, owner, piece, target, payload, part, mask)


@kernel
def perform_settled(state: Any, battle: Any, quick: Any, owner: int, mask: Any) -> None:
    """Perform the op of a simple effect whose amount includes all modifiers.

    Rule:    relics/README.md, Ops.
    Changes: the state.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    target = owner ^ quick.target
    amount = splat(state, quick.amount)
    if quick.kind == QUICK_HEAL:
        mend(state, battle, target, amount, mask)
    elif quick.kind == QUICK_GAIN:
        grow_by(state, battle, target, quick.quantity, amount, mask)
    else:
        take(state, battle, target, amount, 1 if quick.kind == QUICK_DEAL else 0, target != owner, mask)


@kernel_noinline
def perform_on(
    state: Any, battle: Any, op: Any, owner: int, piece: int, target: int, payload: Any, part: int, mask: Any
) -> Any:
    """Perform an op once on a target; returns where its effect goes on.

    Rule:    relics/README.md, Ops.
    Changes: the state.
    Draws:   below(candidates) for a random status, if there are several; as pieces_to_retrigger.
    Emits:   nothing.
    """
    if not any_lane(mask):
        return mask
    if op.quantity == EACH_STATUS:
        quantity = FIRST_STATUS + part % _STATUS_COUNT
        return perform_with(state, battle, op, owner, piece, target, quantity, payload, mask)
    if op.quantity != RANDOM_STATUS:
        return perform_with(state, battle, op, owner, piece, target, op.quantity, payload, mask)
    holder = 1 - target if op.verb == MOVE else target
    candidates = splat(state, 0)
    for status in range(FIRST_STATUS, FIRST_STATUS + _STATUS_COUNT):
        candidates = candidates + truth(state, is_candidate(state, op, holder, status))
    wanted = picked(state, battle, candidates, mask & (candidates != splat(state, 0)))
    mask = mask & load_mask(state, ALIVE)
    done = no_lanes()
    # A lane performs for the status that it picked; those of other lanes keep their numbers meanwhile.
    for status in range(FIRST_STATUS, FIRST_STATUS + _STATUS_COUNT):
        candidate = is_candidate(state, op, holder, status)
        here = mask & candidate & (wanted == splat(state, 0))
        mask = mask & ~here
        wanted = wanted - truth(state, mask & candidate)
        if any_lane(here):
            perform_with(state, battle, op, owner, piece, target, status, payload, here)
            done = done | here
    return done | mask


@kernel
def is_candidate(state: Any, op: Any, holder: int, status: int) -> Any:
    """Where a status can be picked at random: any by an op that gives, else one that the fighter has.

    Rule:    relics/README.md, Dice (status `random`).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if op.verb == GAIN:
        return ~no_lanes()
    return is_above_0(state, value(state, holder, status))


@kernel_noinline
def perform_with(
    state: Any, battle: Any, op: Any, owner: int, piece: int, target: int, quantity: int, payload: Any, mask: Any
) -> Any:
    """Perform an op once on a target with a quantity; returns where its effect goes on.

    Rule:    relics/README.md, Ops.
    Changes: the state.
    Draws:   as retrigger.
    Emits:   nothing.
    """
    verb = op.verb
    if op.amount.kind == ALL_AMOUNT:
        amount = all_of(state, 1 - target if verb == MOVE else target, quantity)
    elif op.plain == 1:
        amount = number(state, op.amount.number)
    else:
        amount = most(state, amount_of(state, battle, op.amount, owner, piece, payload), splat(state, 0))
    if verb == SPEND:
        return pay(state, battle, owner, quantity, amount, op.amount.kind == ALL_AMOUNT, mask)
    if verb == GAIN:
        gain(state, battle, target, quantity, amount, owner, mask)
    elif verb == DEAL or verb == PIERCE or verb == EXTRA_DAMAGE:
        is_to_armor = verb == DEAL or (verb == EXTRA_DAMAGE and battle.options.onhit_damage_route == ROUTE_ARMOR)
        packet(state, battle, target, amount, 1, 1 if is_to_armor else 0, mask)
    elif verb == HEAL:
        heal(state, battle, target, amount, mask)
    else:
        perform_rarer(state, battle, op, owner, piece, target, quantity, amount, mask)
    return mask


@kernel_noinline
def perform_rarer(
    state: Any, battle: Any, op: Any, owner: int, piece: int, target: int, quantity: int, amount: Any, mask: Any
) -> None:
    """Perform an op of one of the rarer verbs once.

    Rule:    relics/README.md, Ops.
    Changes: the state.
    Draws:   as retrigger.
    Emits:   nothing.
    """
    verb = op.verb
    if verb == LOSE:
        lose(state, battle, target, quantity, amount, mask)
    elif verb == SET or verb == RESTORE:
        wanted = base_of(state, battle, target, quantity) if verb == RESTORE else amount
        become(state, battle, target, quantity, wanted, verb == RESTORE, mask)
    elif verb == DOUBLE:
        grow(state, battle, target, quantity, value(state, target, quantity), mask)
    elif verb == HALVE:
        held = value(state, target, quantity)
        above = mask & is_above_0(state, held)
        lose(state, battle, target, quantity, held - (held >> 1), above)
    elif verb == STEAL:
        hand_over(state, battle, target, owner, quantity, least(state, amount, all_of(state, target, quantity)), mask)
    elif verb == MOVE:
        stacks = value(state, 1 - target, quantity)
        hand_over(state, battle, 1 - target, target, quantity, least(state, amount, stacks), mask)
    elif verb == HEAL_FULL:
        mend(state, battle, target, value(state, target, HP_MAX) - value(state, target, HP), mask)
    elif verb == EXECUTE:
        hp = value(state, target, HP)
        lose(state, battle, target, HP, hp, mask & ~is_less(state, amount, hp))
    elif verb == CONVERT:
        convert(state, battle, target, quantity, op.other, amount, mask)
    elif verb == CORRODE:
        corrode(state, battle, owner, target, op.other, mask)
    elif verb == EXTRA_STRIKES:
        promise_strikes(state, target, op.other, amount, mask)
    elif verb == RETRIGGER:
        retrigger(state, battle, op, owner, piece, mask)
    elif verb == COUNT or verb == SET_COUNTER:
        row = COUNTERS + (piece & PIECE_MASK)
        more = least(state, load(state, row) + amount, splat(state, LARGEST))
        change(state, row, mask, more if verb == COUNT else amount)
    else:
        change_countdowns(state, battle, verb, target, amount, mask)


@kernel
def all_of(state: Any, holder: int, quantity: int) -> Any:
    """The whole of a quantity that can be taken away.

    Rule:    relics/README.md, Ops, An amount (of HP and full HP all but 1).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    held = value(state, holder, quantity)
    if quantity == HP or quantity == HP_MAX:
        held = held - splat(state, 1)
    return most(state, held, splat(state, 0))


@kernel
def become(state: Any, battle: Any, target: int, quantity: int, wanted: Any, only_up: bool, mask: Any) -> None:
    """Set a quantity to a number, as a gain or a loss.

    Rule:    relics/README.md, Ops, set and restore.
    Changes: as grow, as lose.
    Draws:   as grow.
    Emits:   nothing.
    """
    held = value(state, target, quantity)
    lower = mask & is_less(state, wanted, held)
    grow(state, battle, target, quantity, wanted - held, mask & ~lower)
    if not only_up and any_lane(lower):
        lose(state, battle, target, quantity, held - wanted, lower)


@kernel
def hand_over(state: Any, battle: Any, giver: int, taker: int, quantity: int, amount: Any, mask: Any) -> None:
    """Move a quantity from one fighter to the other; then the consequences of the loss and of the gain.

    Rule:    relics/README.md, Ops, steal and move; Changes, Several changes of one op.
    Changes: as shrink, as grow.
    Draws:   as grow.
    Emits:   nothing.
    """
    lost = shrink(state, giver, quantity, amount, mask)
    grow(state, battle, taker, quantity, amount, mask)
    put_loss(state, battle, giver, quantity, lost, mask)


@kernel
def convert(state: Any, battle: Any, target: int, what: int, into: int, amount: Any, mask: Any) -> None:
    """Convert a fighter's quantity into another.

    Rule:    relics/README.md, Ops, convert.
    Changes: as shrink, as grow or mend.
    Draws:   as grow.
    Emits:   nothing.
    """
    if what == into:
        return
    amount = least(state, amount, most(state, value(state, target, what), splat(state, 0)))
    lost = shrink(state, target, what, amount, mask)
    if into == HP:
        mend(state, battle, target, amount, mask)
    else:
        grow(state, battle, target, into, amount, mask)
    put_loss(state, battle, target, what, lost, mask)


@kernel
def corrode(state: Any, battle: Any, owner: int, target: int, percent: int, mask: Any) -> None:
    """Turn a share of the enemy's HP into ARMOR of the receiver that the option names.

    Rule:    relics/README.md, Ops, corrode; Profiles and options, corroded_bone_receiver.
    Changes: as shrink, as grow.
    Draws:   as grow.
    Emits:   nothing.
    """
    hp = most(state, value(state, target, HP), splat(state, 0))
    amount = with_percentage(state, hp, number(state, percent - 100), LARGEST)
    lost = shrink(state, target, HP, amount, mask)
    receiver = owner if battle.options.corroded_bone_receiver == BONE_TO_OWNER else target
    grow(state, battle, receiver, ARMOR, amount, mask)
    put_loss(state, battle, target, HP, lost, mask)


@kernel
def pay(state: Any, battle: Any, owner: int, quantity: int, price: Any, is_all: bool, mask: Any) -> Any:
    """Pay a price; returns where it was paid.

    Rule:    relics/README.md, Ops, spend (all or nothing; HP is never spent down to 0; of all there must be 1).
    Changes: as lose.
    Draws:   none.
    Emits:   nothing.
    """
    if is_all:
        price = most(state, price, splat(state, 1))
    needed = price + splat(state, 1) if quantity == HP else price
    is_rich = ~is_less(state, value(state, owner, quantity), needed)
    paid = mask & (is_rich | (price == splat(state, 0)))
    lose(state, battle, owner, quantity, price, paid)
    return paid


@kernel
def promise_strikes(state: Any, target: int, moment: int, amount: Any, mask: Any) -> None:
    """Give a fighter more strikes.

    Rule:    relics/README.md, Ops, extra_strikes.
    Changes: the target's extra strikes.
    Draws:   none.
    Emits:   nothing.
    """
    row = EXTRA_NEXT + target
    if moment == EVERY_TURN:
        row = EXTRA_ALWAYS + target
    elif moment == NOW and state.active == target and state.may_strike == 1:
        row = EXTRA_NOW + target
    change(state, row, mask, least(state, load(state, row) + amount, splat(state, LARGEST)))
