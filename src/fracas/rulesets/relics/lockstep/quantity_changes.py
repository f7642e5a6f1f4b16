"""Gains and losses of quantities in lanes: rules/effects/quantity_changes.py for 64 battles.

Effects without consequences that answer a change run at once, like those of rules/effects/fast_path.py.

The rules: relics/README.md, State; Changes; Consequences; An effect's turn.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load_mask, no_lanes, select, splat, store
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.agenda import has_listener, put, put_thresholds
from fracas.rulesets.relics.lockstep.effect_turns import is_performed, runs_now
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.modifiers import holds_for, modified
from fracas.rulesets.relics.lockstep.signed_lanes import add_to_words, is_above_0, is_less, least, mark, most, number
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF
from fracas.rulesets.relics.rules.effects.fast_path import ABOUT_GAINING
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING


@kernel
def set_value(state, side: int, quantity: int, row) -> None:
    """Replace a quantity of a fighter in every lane."""
    store(state, rows.VALUES + (side & 1) * codes.VALUE_SLOTS + quantity, row)


@kernel
def lowest(state, quantity: int):
    """The least value that a quantity may have.

    Writes clamp.
    """
    if quantity == codes.HP:
        return number(state, codes.LEAST_HP)
    if quantity == codes.HP_MAX:
        return splat(state, 1)
    if quantity < codes.ARMOR or quantity == codes.SPEED:
        return number(state, codes.LEAST_RATE)
    return splat(state, 0)


@kernel_noinline
def add(state, target: int, quantity: int, amount, mask):
    """Increase a quantity by a number that includes all modifiers; returns the real increase, 0 in other lanes."""
    before = value(state, target, quantity)
    growth = select(mask & is_above_0(state, amount), amount, splat(state, 0))
    after = least(state, before + growth, splat(state, codes.LARGEST))
    set_value(state, target, quantity, after)
    grown = after - before
    if quantity == codes.HP_MAX:
        set_value(
            state, target, codes.HP, least(state, value(state, target, codes.HP) + grown, splat(state, codes.LARGEST))
        )
    return grown


@kernel
def is_quiet(state, battle, side: int, triggers: int) -> bool:
    """Whether a fighter's effects of some triggers, a bit set, can run at once because they have no consequences.

    README, the guard Depth.
    """
    return bool(triggers & ~battle.builds[side & 1].quiet == 0 and state.depth < codes.MOST_DEPTH)


@kernel_noinline
def answer(state, battle, side: int, trigger: int, payload, mask) -> None:
    """Run a fighter's effects of a trigger without consequences; needs no frame."""
    span = battle.builds[side & 1].listeners[trigger & codes.TRIGGER_MASK]
    for index in range(span.first, span.first + span.entries):
        running = runs_now(state, battle, side, trigger, payload, NOTHING_OF, index, 0, 0, 0, mask)
        if any_lane(running):
            quick = battle.quick[index & codes.EFFECT_MASK]
            op = battle.ops[battle.effects[index & codes.EFFECT_MASK].first_op & codes.OP_MASK]
            running = is_performed(state, battle, op, side, quick.source, payload, running)
            if quick.kind == codes.QUICK_HEAL:
                mend(state, battle, side ^ quick.target, splat(state, quick.amount), running)
            else:
                add(state, side ^ quick.target, quick.quantity, splat(state, quick.amount), running)


@kernel
def answer_where(state, battle, side: int, trigger: int, payload, mask) -> None:
    """Run quiet effects of a trigger, if there are any and a mask is true somewhere."""
    if has_listener(battle, side, trigger) and any_lane(mask):
        answer(state, battle, side, trigger, payload, mask)


@kernel_noinline
def mend(state, battle, target: int, amount, mask):
    """Apply a heal whose size includes all modifiers; returns the HP healed, 0 in other lanes."""
    none = splat(state, 0)
    mask = mask & is_above_0(state, amount)
    hp = value(state, target, codes.HP)
    missing = most(state, none, value(state, target, codes.HP_MAX) - hp)
    healed = select(mask, least(state, amount, missing), none)
    set_value(state, target, codes.HP, hp + healed)
    add_to_words(state, rows.HEALED + target, mask, healed)
    if battle.builds[target & 1].hears & (1 << codes.ON_HEAL | 1 << codes.ON_OVERHEAL) != 0:
        excess = amount - healed
        put(state, battle, target, codes.ON_OVERHEAL, excess, NOTHING_OF, mask & is_above_0(state, excess))
        put(state, battle, target, codes.ON_HEAL, healed, NOTHING_OF, mask & is_above_0(state, healed))
    return healed


@kernel_noinline
def increase_by(state, battle, target: int, quantity: int, amount, mask) -> None:
    """Increase a quantity by a number that includes all modifiers; run its answers or put them on the agenda."""
    grown = add(state, target, quantity, amount, mask)
    if quantity == codes.HP_MAX:
        return
    mask = mask & is_above_0(state, grown)
    if quantity == codes.ARMOR:
        put(state, battle, target, codes.ARMOR_GAINED, grown, NOTHING_OF, mask)
    elif quantity == codes.ATTACK:
        put(state, battle, target, codes.ATTACK_GAINED, grown, NOTHING_OF, mask)
    elif quantity == codes.SPEED:
        put(state, battle, target, codes.SPEED_GAINED, grown, NOTHING_OF, mask)
    elif quantity >= codes.FIRST_STATUS:
        is_heard = has_listener(battle, 1 - target, codes.ENEMY_STATUS_GAINED)
        if is_heard or not is_quiet(state, battle, target, ABOUT_GAINING):
            put(state, battle, 1 - target, codes.ENEMY_STATUS_GAINED, grown, quantity, mask)
            if quantity == codes.THORNS:
                put(state, battle, target, codes.THORNS_GAINED, grown, quantity, mask)
            put(state, battle, target, codes.STATUS_GAINED, grown, quantity, mask)
            return
        answer_where(state, battle, target, codes.STATUS_GAINED, grown, mask)
        if quantity == codes.THORNS:
            answer_where(state, battle, target, codes.THORNS_GAINED, grown, mask)


@kernel
def immune(state, battle, target: int, quantity: int):
    """Where immunity keeps a fighter from gaining stacks."""
    if quantity < codes.FIRST_STATUS:
        return no_lanes()
    return holds_for(state, battle, target, codes.IMMUNE, quantity)


@kernel
def increase(state, battle, target: int, quantity: int, amount, mask) -> None:
    """Increase a quantity, unless the fighter is immune to the status."""
    increase_by(state, battle, target, quantity, amount, mask & ~immune(state, battle, target, quantity))


@kernel_noinline
def gain(state, battle, target: int, quantity: int, amount, owner: int, mask) -> None:
    """Increase a quantity by an op that gains or gives, with its modifiers."""
    mask = mask & is_above_0(state, amount) & ~immune(state, battle, target, quantity)
    if quantity == codes.ARMOR:
        amount = modified(state, battle, target, codes.ARMOR_GAIN, ANYTHING, amount)
    elif quantity >= codes.FIRST_STATUS:
        amount = modified(state, battle, owner, codes.STACKS_GIVEN, quantity, amount)
    if any_lane(mask):
        increase_by(state, battle, target, quantity, amount, mask)


@kernel_noinline
def shrink(state, target: int, quantity: int, amount, mask):
    """Decrease a quantity within its range; returns the payload for its consequences, 0 in other lanes.

    Full HP takes HP above it along.
    """
    none = splat(state, 0)
    mask = mask & is_above_0(state, amount)
    before = value(state, target, quantity)
    after = select(mask, most(state, before - amount, lowest(state, quantity)), before)
    set_value(state, target, quantity, after)
    lost = before - after
    if quantity == codes.HP_MAX:
        hp = value(state, target, codes.HP)
        lost = select(mask & is_less(state, after, hp), hp - after, none)
        set_value(state, target, codes.HP, hp - lost)
    mask = mask & is_above_0(state, lost)
    if quantity == codes.ARMOR:
        note_losses(state, target, lost, none, mask)
    elif quantity <= codes.HP_MAX:
        note_losses(state, target, none, lost, mask)
    return lost


@kernel
def put_loss(state, battle, target: int, quantity: int, lost, mask) -> None:
    """Put the consequences of a loss on the agenda."""
    mask = mask & is_above_0(state, lost)
    if state.deferring == 0:
        put_thresholds(state, battle, target, mask)
    if quantity == codes.ARMOR:
        put(state, battle, target, codes.ARMOR_LOST, lost, NOTHING_OF, mask)
    elif quantity <= codes.HP_MAX:
        put(state, battle, target, codes.HP_LOST, lost, NOTHING_OF, mask)
    elif quantity == codes.SPEED:
        put(state, battle, target, codes.SPEED_LOST, lost, NOTHING_OF, mask)
    elif quantity >= codes.FIRST_STATUS:
        put(state, battle, target, codes.STATUS_LOST, lost, quantity, mask)


@kernel_noinline
def lose(state, battle, target: int, quantity: int, amount, mask):
    """Decrease a quantity with consequences; returns how much was lost, 0 in other lanes."""
    lost = shrink(state, target, quantity, amount, mask)
    put_loss(state, battle, target, quantity, lost, mask)
    return lost


@kernel
def note_losses(state, target: int, armor, hp, mask):
    """Note that a fighter was struck and which thresholds it crosses; returns where it crosses any.

    README, Strikes.
    """
    if state.striking == 1:
        mark(state, rows.STRUCK + target, mask)
    crosses = no_lanes()
    exposed = mask & ~load_mask(state, rows.IS_EXPOSED + target)
    if any_lane(exposed):
        exposed = exposed & (value(state, target, codes.ARMOR) == splat(state, 0)) & is_above_0(state, armor)
        mark(state, rows.IS_EXPOSED + target, exposed)
        mark(state, rows.EXPOSED_DUE + target, exposed)
        crosses = exposed
    wounded = mask & ~load_mask(state, rows.IS_WOUNDED + target)
    if any_lane(wounded):
        left = value(state, target, codes.HP)
        is_half = ~is_less(state, value(state, target, codes.HP_MAX), left + left)
        wounded = wounded & is_half & is_above_0(state, hp)
        mark(state, rows.IS_WOUNDED + target, wounded)
        mark(state, rows.WOUNDED_DUE + target, wounded)
        crosses = crosses | wounded
    return crosses
