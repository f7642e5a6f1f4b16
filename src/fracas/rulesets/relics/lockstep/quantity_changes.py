"""Gains and losses of quantities in lanes: rules/effects/quantity_changes.py for 64 battles.

Effects without consequences that answer a change run at once, like those of rules/effects/fast_path.py.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load_mask, no_lanes, select, splat, store
from fracas.rulesets.relics.lockstep.agenda import has_listener, put, put_thresholds
from fracas.rulesets.relics.lockstep.effect_turns import is_performed, runs_now
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.modifiers import holds_for, modified
from fracas.rulesets.relics.lockstep.signed_lanes import add_to_words, is_above_0, is_less, least, mark, most, number
from fracas.rulesets.relics.lockstep.state import (
    EXPOSED_DUE,
    HEALED,
    IS_EXPOSED,
    IS_WOUNDED,
    STRUCK,
    VALUES,
    WOUNDED_DUE,
)
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ARMOR_GAIN,
    ARMOR_GAINED,
    ARMOR_LOST,
    ATTACK,
    ATTACK_GAINED,
    EFFECT_MASK,
    ENEMY_STATUS_GAINED,
    FIRST_STATUS,
    HP,
    HP_LOST,
    HP_MAX,
    IMMUNE,
    LARGEST,
    LEAST_HP,
    LEAST_RATE,
    MOST_DEPTH,
    ON_HEAL,
    ON_OVERHEAL,
    OP_MASK,
    QUICK_HEAL,
    SPEED,
    SPEED_GAINED,
    SPEED_LOST,
    STACKS_GIVEN,
    STATUS_GAINED,
    STATUS_LOST,
    THORNS,
    THORNS_GAINED,
    TRIGGER_MASK,
    VALUE_SLOTS,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF
from fracas.rulesets.relics.rules.effects.fast_path import ABOUT_GAINING
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING


@kernel
def set_value(state: Any, side: int, quantity: int, row: Any) -> None:
    """Replace a quantity of a fighter in every lane.

    Rule:    relics/README.md, State.
    Changes: the fighter's quantity.
    Draws:   none.
    Emits:   nothing.
    """
    store(state, VALUES + (side & 1) * VALUE_SLOTS + quantity, row)


@kernel
def lowest(state: Any, quantity: int) -> Any:
    """The least value that a quantity may have.

    Rule:    relics/README.md, State (writes clamp).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if quantity == HP:
        return number(state, LEAST_HP)
    if quantity == HP_MAX:
        return splat(state, 1)
    if quantity < ARMOR or quantity == SPEED:
        return number(state, LEAST_RATE)
    return splat(state, 0)


@kernel_noinline
def add(state: Any, target: int, quantity: int, amount: Any, mask: Any) -> Any:
    """Increase a quantity by a number that includes all modifiers; returns the real increase, 0 in other lanes.

    Rule:    relics/README.md, Changes, Growth.
    Changes: the target's quantity; of full HP, HP as well.
    Draws:   none.
    Emits:   nothing.
    """
    before = value(state, target, quantity)
    growth = select(mask & is_above_0(state, amount), amount, splat(state, 0))
    after = least(state, before + growth, splat(state, LARGEST))
    set_value(state, target, quantity, after)
    grown = after - before
    if quantity == HP_MAX:
        set_value(state, target, HP, least(state, value(state, target, HP) + grown, splat(state, LARGEST)))
    return grown


@kernel
def is_quiet(state: Any, battle: Any, side: int, triggers: int) -> bool:
    """Whether a fighter's effects of some triggers, a bit set, can run at once because they have no consequences.

    Rule:    relics/README.md, Consequences; the guard Depth.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return bool(triggers & ~battle.builds[side & 1].quiet == 0 and state.depth < MOST_DEPTH)


@kernel_noinline
def answer(state: Any, battle: Any, side: int, trigger: int, payload: Any, mask: Any) -> None:
    """Run a fighter's effects of a trigger without consequences; needs no frame.

    Rule:    relics/README.md, An effect's turn; Consequences.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    span = battle.builds[side & 1].listeners[trigger & TRIGGER_MASK]
    for place in range(span.first, span.first + span.entries):
        running = runs_now(state, battle, side, trigger, payload, NOTHING_OF, place, 0, 0, 0, mask)
        if any_lane(running):
            quick = battle.quick[place & EFFECT_MASK]
            op = battle.ops[battle.effects[place & EFFECT_MASK].first_op & OP_MASK]
            running = is_performed(state, battle, op, side, quick.source, payload, running)
            if quick.kind == QUICK_HEAL:
                mend(state, battle, side ^ quick.target, splat(state, quick.amount), running)
            else:
                add(state, side ^ quick.target, quick.quantity, splat(state, quick.amount), running)


@kernel
def answer_where(state: Any, battle: Any, side: int, trigger: int, payload: Any, mask: Any) -> None:
    """Run quiet effects of a trigger, if there are any and a mask is true somewhere.

    Rule:    relics/README.md, An effect's turn; Consequences.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    if has_listener(battle, side, trigger) and any_lane(mask):
        answer(state, battle, side, trigger, payload, mask)


@kernel_noinline
def mend(state: Any, battle: Any, target: int, amount: Any, mask: Any) -> Any:
    """Apply a heal whose size includes all modifiers; returns the HP healed, 0 in other lanes.

    Rule:    relics/README.md, Changes, A heal.
    Changes: the target's HP; sums; the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    mask = mask & is_above_0(state, amount)
    hp = value(state, target, HP)
    missing = most(state, none, value(state, target, HP_MAX) - hp)
    healed = select(mask, least(state, amount, missing), none)
    set_value(state, target, HP, hp + healed)
    add_to_words(state, HEALED + target, mask, healed)
    if battle.builds[target & 1].hears & (1 << ON_HEAL | 1 << ON_OVERHEAL) != 0:
        excess = amount - healed
        put(state, battle, target, ON_OVERHEAL, excess, NOTHING_OF, mask & is_above_0(state, excess))
        put(state, battle, target, ON_HEAL, healed, NOTHING_OF, mask & is_above_0(state, healed))
    return healed


@kernel_noinline
def grow_by(state: Any, battle: Any, target: int, quantity: int, amount: Any, mask: Any) -> None:
    """Increase a quantity by a number that includes all modifiers; run its answers or put them on the agenda.

    Rule:    relics/README.md, Changes, Growth.
    Changes: the target's quantity; the agenda.
    Draws:   as the effects that answer at once.
    Emits:   nothing.
    """
    grown = add(state, target, quantity, amount, mask)
    if quantity == HP_MAX:
        return
    mask = mask & is_above_0(state, grown)
    if quantity == ARMOR:
        put(state, battle, target, ARMOR_GAINED, grown, NOTHING_OF, mask)
    elif quantity == ATTACK:
        put(state, battle, target, ATTACK_GAINED, grown, NOTHING_OF, mask)
    elif quantity == SPEED:
        put(state, battle, target, SPEED_GAINED, grown, NOTHING_OF, mask)
    elif quantity >= FIRST_STATUS:
        is_heard = has_listener(battle, 1 - target, ENEMY_STATUS_GAINED)
        if is_heard or not is_quiet(state, battle, target, ABOUT_GAINING):
            put(state, battle, 1 - target, ENEMY_STATUS_GAINED, grown, quantity, mask)
            if quantity == THORNS:
                put(state, battle, target, THORNS_GAINED, grown, quantity, mask)
            put(state, battle, target, STATUS_GAINED, grown, quantity, mask)
            return
        answer_where(state, battle, target, STATUS_GAINED, grown, mask)
        if quantity == THORNS:
            answer_where(state, battle, target, THORNS_GAINED, grown, mask)


@kernel
def immune(state: Any, battle: Any, target: int, quantity: int) -> Any:
    """Where immunity keeps a fighter from gaining stacks.

    Rule:    relics/README.md, Changes, Growth.
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    if quantity < FIRST_STATUS:
        return no_lanes()
    return holds_for(state, battle, target, IMMUNE, quantity)


@kernel
def grow(state: Any, battle: Any, target: int, quantity: int, amount: Any, mask: Any) -> None:
    """Increase a quantity, unless the fighter is immune to the status.

    Rule:    relics/README.md, Changes, Growth.
    Changes: as grow_by.
    Draws:   as grow_by.
    Emits:   nothing.
    """
    grow_by(state, battle, target, quantity, amount, mask & ~immune(state, battle, target, quantity))


@kernel_noinline
def gain(state: Any, battle: Any, target: int, quantity: int, amount: Any, owner: int, mask: Any) -> None:
    """Increase a quantity by an op that gains or gives, with its modifiers.

    Rule:    relics/README.md, Changes, Growth.
    Changes: as grow_by.
    Draws:   as grow_by.
    Emits:   nothing.
    """
    mask = mask & is_above_0(state, amount) & ~immune(state, battle, target, quantity)
    if quantity == ARMOR:
        amount = modified(state, battle, target, ARMOR_GAIN, ANYTHING, amount)
    elif quantity >= FIRST_STATUS:
        amount = modified(state, battle, owner, STACKS_GIVEN, quantity, amount)
    if any_lane(mask):
        grow_by(state, battle, target, quantity, amount, mask)


@kernel_noinline
def shrink(state: Any, target: int, quantity: int, amount: Any, mask: Any) -> Any:
    """Decrease a quantity within its range; returns the payload for its consequences, 0 in other lanes.

    Rule:    relics/README.md, Changes, Loss (full HP takes HP above it along).
    Changes: the target's quantity; its marks.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    mask = mask & is_above_0(state, amount)
    before = value(state, target, quantity)
    after = select(mask, most(state, before - amount, lowest(state, quantity)), before)
    set_value(state, target, quantity, after)
    lost = before - after
    if quantity == HP_MAX:
        hp = value(state, target, HP)
        lost = select(mask & is_less(state, after, hp), hp - after, none)
        set_value(state, target, HP, hp - lost)
    mask = mask & is_above_0(state, lost)
    if quantity == ARMOR:
        note_losses(state, target, lost, none, mask)
    elif quantity <= HP_MAX:
        note_losses(state, target, none, lost, mask)
    return lost


@kernel
def put_loss(state: Any, battle: Any, target: int, quantity: int, lost: Any, mask: Any) -> None:
    """Put the consequences of a loss on the agenda.

    Rule:    relics/README.md, Changes, Loss.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    mask = mask & is_above_0(state, lost)
    if state.deferring == 0:
        put_thresholds(state, battle, target, mask)
    if quantity == ARMOR:
        put(state, battle, target, ARMOR_LOST, lost, NOTHING_OF, mask)
    elif quantity <= HP_MAX:
        put(state, battle, target, HP_LOST, lost, NOTHING_OF, mask)
    elif quantity == SPEED:
        put(state, battle, target, SPEED_LOST, lost, NOTHING_OF, mask)
    elif quantity >= FIRST_STATUS:
        put(state, battle, target, STATUS_LOST, lost, quantity, mask)


@kernel_noinline
def lose(state: Any, battle: Any, target: int, quantity: int, amount: Any, mask: Any) -> Any:
    """Decrease a quantity with consequences; returns how much was lost, 0 in other lanes.

    Rule:    relics/README.md, Changes, Loss.
    Changes: as shrink; the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    lost = shrink(state, target, quantity, amount, mask)
    put_loss(state, battle, target, quantity, lost, mask)
    return lost


@kernel
def note_losses(state: Any, target: int, armor: Any, hp: Any, mask: Any) -> Any:
    """Note that a fighter was struck and which thresholds it crosses; returns where it crosses any.

    Rule:    relics/README.md, Strikes (struck); Changes, Exposed and Wounded.
    Changes: STRUCK, IS_EXPOSED, IS_WOUNDED, EXPOSED_DUE, WOUNDED_DUE of the target.
    Draws:   none.
    Emits:   nothing.
    """
    if state.striking == 1:
        mark(state, STRUCK + target, mask)
    crosses = no_lanes()
    exposed = mask & ~load_mask(state, IS_EXPOSED + target)
    if any_lane(exposed):
        exposed = exposed & (value(state, target, ARMOR) == splat(state, 0)) & is_above_0(state, armor)
        mark(state, IS_EXPOSED + target, exposed)
        mark(state, EXPOSED_DUE + target, exposed)
        crosses = exposed
    wounded = mask & ~load_mask(state, IS_WOUNDED + target)
    if any_lane(wounded):
        left = value(state, target, HP)
        is_half = ~is_less(state, value(state, target, HP_MAX), left + left)
        wounded = wounded & is_half & is_above_0(state, hp)
        mark(state, IS_WOUNDED + target, wounded)
        mark(state, WOUNDED_DUE + target, wounded)
        crosses = crosses | wounded
    return crosses
