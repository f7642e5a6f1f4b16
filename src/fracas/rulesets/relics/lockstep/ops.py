"""What each verb does, in lanes: rules/effects/ops.py for 64 battles.

Where dice pick a target, a status or a piece, lanes differ; an op is then performed once for each, under a mask.

The rules: relics/README.md, Ops.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change, truth
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, splat
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.countdowns import change_countdowns
from fracas.rulesets.relics.lockstep.damage import heal, packet, take
from fracas.rulesets.relics.lockstep.facts import amount_of, base_of, value
from fracas.rulesets.relics.lockstep.quantity_changes import gain, increase, increase_by, lose, mend, put_loss, shrink
from fracas.rulesets.relics.lockstep.retrigger import retrigger
from fracas.rulesets.relics.lockstep.rolls import picked
from fracas.rulesets.relics.lockstep.signed_lanes import is_above_0, is_less, least, most, number, with_percentage
from fracas.rulesets.relics.rules import constants as codes

_STATUS_COUNT = len(codes.STATUSES)


@kernel_noinline
def perform(state, battle, index: int, op, owner: int, piece: int, payload, part: int, mask):
    """Perform an op once; returns where its effect goes on (README, An effect's turn)."""
    quick = battle.quick[index & codes.EFFECT_MASK]
    if quick.kind != codes.NOT_QUICK and quick.is_settled == 1:
        perform_settled(state, battle, quick, owner, mask)
        return mask
    if op.target == codes.RANDOM:
        roll = picked(state, battle, splat(state, 2), mask)
        mask = mask & load_mask(state, rows.ALIVE)
        own = mask & (roll == splat(state, 0))
        goes_on = perform_on(state, battle, op, owner, piece, owner, payload, part, own)
        return goes_on | perform_on(state, battle, op, owner, piece, 1 - owner, payload, part, mask & ~own)
    target = 1 - owner if op.target == codes.ENEMY else owner
    if op.target == codes.BOTH and part % op.parts >= (_STATUS_COUNT if op.quantity == codes.EACH_STATUS else 1):
        target = 1 - owner
    return perform_on(state, battle, op, owner, piece, target, payload, part, mask)


@kernel
def perform_settled(state, battle, quick, owner: int, mask) -> None:
    """Perform the op of a simple effect whose amount includes all modifiers."""
    target = owner ^ quick.target
    amount = splat(state, quick.amount)
    if quick.kind == codes.QUICK_HEAL:
        mend(state, battle, target, amount, mask)
    elif quick.kind == codes.QUICK_GAIN:
        increase_by(state, battle, target, quick.quantity, amount, mask)
    else:
        take(state, battle, target, amount, 1 if quick.kind == codes.QUICK_DEAL else 0, target != owner, mask)


@kernel_noinline
def perform_on(state, battle, op, owner: int, piece: int, target: int, payload, part: int, mask):
    """Perform an op once on a target; returns where its effect goes on."""
    if not any_lane(mask):
        return mask
    if op.quantity == codes.EACH_STATUS:
        quantity = codes.FIRST_STATUS + part % _STATUS_COUNT
        return perform_with(state, battle, op, owner, piece, target, quantity, payload, mask)
    if op.quantity != codes.RANDOM_STATUS:
        return perform_with(state, battle, op, owner, piece, target, op.quantity, payload, mask)
    holder = 1 - target if op.verb == codes.MOVE else target
    candidates = splat(state, 0)
    for status in range(codes.FIRST_STATUS, codes.FIRST_STATUS + _STATUS_COUNT):
        candidates = candidates + truth(state, is_candidate(state, op, holder, status))
    wanted = picked(state, battle, candidates, mask & (candidates != splat(state, 0)))
    mask = mask & load_mask(state, rows.ALIVE)
    done = no_lanes()
    # A lane performs for the status that it picked; those of other lanes keep their numbers meanwhile.
    for status in range(codes.FIRST_STATUS, codes.FIRST_STATUS + _STATUS_COUNT):
        candidate = is_candidate(state, op, holder, status)
        here = mask & candidate & (wanted == splat(state, 0))
        mask = mask & ~here
        wanted = wanted - truth(state, mask & candidate)
        if any_lane(here):
            perform_with(state, battle, op, owner, piece, target, status, payload, here)
            done = done | here
    return done | mask


@kernel
def is_candidate(state, op, holder: int, status: int):
    """Where a status can be picked at random: any by an op that gives, else one that the fighter has (README, Dice).

    Status `random`.
    """
    if op.verb == codes.GAIN:
        return ~no_lanes()
    return is_above_0(state, value(state, holder, status))


@kernel_noinline
def perform_with(state, battle, op, owner: int, piece: int, target: int, quantity: int, payload, mask):
    """Perform an op once on a target with a quantity; returns where its effect goes on."""
    verb = op.verb
    if op.amount.kind == codes.ALL_AMOUNT:
        amount = all_of(state, 1 - target if verb == codes.MOVE else target, quantity)
    elif op.plain == 1:
        amount = number(state, op.amount.number)
    else:
        amount = most(state, amount_of(state, battle, op.amount, owner, piece, payload), splat(state, 0))
    if verb == codes.SPEND:
        return pay(state, battle, owner, quantity, amount, op.amount.kind == codes.ALL_AMOUNT, mask)
    if verb == codes.GAIN:
        gain(state, battle, target, quantity, amount, owner, mask)
    elif verb == codes.DEAL or verb == codes.PIERCE or verb == codes.EXTRA_DAMAGE:
        is_to_armor = verb == codes.DEAL or (
            verb == codes.EXTRA_DAMAGE and battle.options.onhit_damage_route == codes.ROUTE_ARMOR
        )
        packet(state, battle, target, amount, 1, 1 if is_to_armor else 0, mask)
    elif verb == codes.HEAL:
        heal(state, battle, target, amount, mask)
    else:
        perform_rarer(state, battle, op, owner, piece, target, quantity, amount, mask)
    return mask


@kernel_noinline
def perform_rarer(state, battle, op, owner: int, piece: int, target: int, quantity: int, amount, mask) -> None:
    """Perform an op of one of the rarer verbs once."""
    verb = op.verb
    if verb == codes.LOSE:
        lose(state, battle, target, quantity, amount, mask)
    elif verb == codes.SET or verb == codes.RESTORE:
        wanted = base_of(state, battle, target, quantity) if verb == codes.RESTORE else amount
        set_to(state, battle, target, quantity, wanted, verb == codes.RESTORE, mask)
    elif verb == codes.DOUBLE:
        increase(state, battle, target, quantity, value(state, target, quantity), mask)
    elif verb == codes.HALVE:
        held = value(state, target, quantity)
        above = mask & is_above_0(state, held)
        lose(state, battle, target, quantity, held - (held >> 1), above)
    elif verb == codes.STEAL:
        transfer(state, battle, target, owner, quantity, least(state, amount, all_of(state, target, quantity)), mask)
    elif verb == codes.MOVE:
        stacks = value(state, 1 - target, quantity)
        transfer(state, battle, 1 - target, target, quantity, least(state, amount, stacks), mask)
    elif verb == codes.HEAL_FULL:
        mend(state, battle, target, value(state, target, codes.HP_MAX) - value(state, target, codes.HP), mask)
    elif verb == codes.EXECUTE:
        hp = value(state, target, codes.HP)
        lose(state, battle, target, codes.HP, hp, mask & ~is_less(state, amount, hp))
    elif verb == codes.CONVERT:
        convert(state, battle, target, quantity, op.other, amount, mask)
    elif verb == codes.CORRODE:
        corrode(state, battle, owner, target, op.other, mask)
    elif verb == codes.EXTRA_STRIKES:
        add_strikes(state, target, op.other, amount, mask)
    elif verb == codes.RETRIGGER:
        retrigger(state, battle, op, owner, piece, mask)
    elif verb == codes.COUNT or verb == codes.SET_COUNTER:
        row = rows.COUNTERS + (piece & codes.PIECE_MASK)
        more = least(state, load(state, row) + amount, splat(state, codes.LARGEST))
        change(state, row, mask, more if verb == codes.COUNT else amount)
    else:
        change_countdowns(state, battle, verb, target, amount, mask)


@kernel
def all_of(state, holder: int, quantity: int):
    """The whole of a quantity that can be taken away.

    Of HP and full HP all but 1.
    """
    held = value(state, holder, quantity)
    if quantity == codes.HP or quantity == codes.HP_MAX:
        held = held - splat(state, 1)
    return most(state, held, splat(state, 0))


@kernel
def set_to(state, battle, target: int, quantity: int, wanted, only_up: bool, mask) -> None:
    """Set a quantity to a number, as a gain or a loss."""
    held = value(state, target, quantity)
    lower = mask & is_less(state, wanted, held)
    increase(state, battle, target, quantity, wanted - held, mask & ~lower)
    if not only_up and any_lane(lower):
        lose(state, battle, target, quantity, held - wanted, lower)


@kernel
def transfer(state, battle, giver: int, taker: int, quantity: int, amount, mask) -> None:
    """Move a quantity from one fighter to the other; then the consequences of the loss and of the gain.

    README, Changes, Several changes of one op.
    """
    lost = shrink(state, giver, quantity, amount, mask)
    increase(state, battle, taker, quantity, amount, mask)
    put_loss(state, battle, giver, quantity, lost, mask)


@kernel
def convert(state, battle, target: int, what: int, into: int, amount, mask) -> None:
    """Convert a fighter's quantity into another."""
    if what == into:
        return
    amount = least(state, amount, most(state, value(state, target, what), splat(state, 0)))
    lost = shrink(state, target, what, amount, mask)
    if into == codes.HP:
        mend(state, battle, target, amount, mask)
    else:
        increase(state, battle, target, into, amount, mask)
    put_loss(state, battle, target, what, lost, mask)


@kernel
def corrode(state, battle, owner: int, target: int, percent: int, mask) -> None:
    """Turn a share of the enemy's HP into ARMOR of the receiver that the option names.

    README, Profiles and options, corroded_bone_receiver.
    """
    hp = most(state, value(state, target, codes.HP), splat(state, 0))
    amount = with_percentage(state, hp, number(state, percent - 100), codes.LARGEST)
    lost = shrink(state, target, codes.HP, amount, mask)
    receiver = owner if battle.options.corroded_bone_receiver == codes.BONE_TO_OWNER else target
    increase(state, battle, receiver, codes.ARMOR, amount, mask)
    put_loss(state, battle, target, codes.HP, lost, mask)


@kernel
def pay(state, battle, owner: int, quantity: int, price, is_all: bool, mask):
    """Pay a price; returns where it was paid.

    All or nothing; HP is never spent down to 0; of all there must be 1.
    """
    if is_all:
        price = most(state, price, splat(state, 1))
    needed = price + splat(state, 1) if quantity == codes.HP else price
    is_rich = ~is_less(state, value(state, owner, quantity), needed)
    paid = mask & (is_rich | (price == splat(state, 0)))
    lose(state, battle, owner, quantity, price, paid)
    return paid


@kernel
def add_strikes(state, target: int, moment: int, amount, mask) -> None:
    """Give a fighter more strikes."""
    row = rows.EXTRA_NEXT + target
    if moment == codes.EVERY_TURN:
        row = rows.EXTRA_ALWAYS + target
    elif moment == codes.NOW and state.active == target and state.may_strike == 1:
        row = rows.EXTRA_NOW + target
    change(state, row, mask, least(state, load(state, row) + amount, splat(state, codes.LARGEST)))
