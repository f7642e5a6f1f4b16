"""Gains and losses of quantities; damage and heals are in damage.py. relics/README.md, Changes.

Each change writes its row and puts its consequences on the agenda, last first. Only `shrink` leaves that to `put_loss`,
for ops of several changes whose consequences come later.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ARMOR_GAIN,
    ARMOR_GAINED,
    ARMOR_LOST,
    ATTACK,
    ATTACK_GAINED,
    CHANGE_EVENT,
    ENEMY_STATUS_GAINED,
    EXPOSED_MARK,
    FIRST_STATUS,
    HP,
    HP_LOST,
    HP_MAX,
    IMMUNE,
    IMMUNE_EVENT,
    LARGEST,
    LEAST_HP,
    LEAST_RATE,
    MARK_EVENT,
    MODIFIED_EVENT,
    QUANTITY_MASK,
    SPEED,
    SPEED_GAINED,
    SPEED_LOST,
    STACKS_GIVEN,
    STATUS_GAINED,
    STATUS_LOST,
    THORNS,
    THORNS_GAINED,
    WOUNDED_MARK,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, put, put_thresholds
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, has_any, holds_for, sum_of


@kernel
def write(battle: Any, target: int, quantity: int, value: int, log: Any) -> int:
    """Set a quantity to a value within its range; returns by how much it really changed.

    Rule:    relics/README.md, State (writes clamp).
    Changes: the target's quantity.
    Draws:   none.
    Emits:   CHANGE if something changed.
    """
    values = fighter_of(battle, target).values
    least = 0
    if quantity < ARMOR:
        least = LEAST_RATE
        if quantity == HP:
            least = LEAST_HP
        elif quantity == HP_MAX:
            least = 1
    elif quantity == SPEED:
        least = LEAST_RATE
    before = values[quantity & QUANTITY_MASK]
    value = min(max(value, least), LARGEST)
    values[quantity & QUANTITY_MASK] = value
    change = value - before
    if log is not None and change != 0:
        cause = battle.cause
        emit(log, battle.turn, CHANGE_EVENT, cause.actor, target, quantity, change, value, cause.source)
    return change


@kernel
def modified(battle: Any, target: int, owner: int, modifier: int, quantity: int, value: int, log: Any) -> int:
    """A number that concerns a target, with an owner's flat modifiers of a kind added.

    Rule:    relics/README.md, Changes (held to 0 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED if they are not 0 in sum.
    """
    if not has_any(battle, owner, modifier):
        return value
    return with_sum(battle, target, owner, modifier, quantity, value, log)


@kernel_noinline
def with_sum(battle: Any, target: int, owner: int, modifier: int, quantity: int, value: int, log: Any) -> int:
    """A number with existing flat modifiers added.

    Rule:    relics/README.md, Changes (held to 0 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED if they are not 0 in sum.
    """
    total = sum_of(battle, owner, modifier, quantity)
    if total == 0:
        return value
    after = min(max(value + total, 0), LARGEST)
    if log is not None:
        emit(log, battle.turn, MODIFIED_EVENT, NOBODY, target, modifier, total, value, after)
    return after


@kernel
def modified_by_percent(battle: Any, target: int, owner: int, modifier: int, value: int, log: Any) -> int:
    """A number that concerns a target, with an owner's percentage modifiers of a kind applied.

    Rule:    relics/README.md, Changes (at least -100; held to 0 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED if they are not 0 in sum.
    """
    if not has_any(battle, owner, modifier):
        return value
    return with_percentage(battle, target, owner, modifier, value, log)


@kernel
def with_percentage(battle: Any, target: int, owner: int, modifier: int, value: int, log: Any) -> int:
    """A number with existing percentage modifiers applied.

    Rule:    relics/README.md, Changes (at least -100; held to 0 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED if they are not 0 in sum.
    """
    total = sum_of(battle, owner, modifier, ANYTHING)
    if total == 0:
        return value
    after = min(value * (100 + max(total, -100)) // 100, LARGEST)
    if log is not None:
        emit(log, battle.turn, MODIFIED_EVENT, NOBODY, target, modifier, total, value, after)
    return after


@kernel
def grow(battle: Any, target: int, quantity: int, amount: int, log: Any) -> None:
    """Increase a quantity, unless the fighter is immune to the status.

    Rule:    relics/README.md, Changes, Growth.
    Changes: the target's quantity; of full HP, HP as well; the agenda.
    Draws:   none.
    Emits:   IMMUNE, or CHANGE, of full HP twice.
    """
    if amount <= 0 or is_immune(battle, target, quantity, amount, log):
        return
    grown = add(battle, target, quantity, amount, log)
    if quantity != HP_MAX and grown > 0:
        put_growth(battle, target, quantity, grown)


@kernel
def add(battle: Any, target: int, quantity: int, amount: int, log: Any) -> int:
    """Increase a quantity by a number above 0 that includes all modifiers; returns the real increase.

    Rule:    relics/README.md, Changes, Growth.
    Changes: the target's quantity; of full HP, HP as well.
    Draws:   none.
    Emits:   CHANGE, of full HP twice.
    """
    grown = write(battle, target, quantity, fighter_of(battle, target).values[quantity & QUANTITY_MASK] + amount, log)
    if quantity == HP_MAX:
        write(battle, target, HP, fighter_of(battle, target).values[HP] + grown, log)
    return grown


@kernel
def is_immune(battle: Any, target: int, quantity: int, amount: int, log: Any) -> bool:
    """Whether immunity keeps a fighter from gaining stacks.

    Rule:    relics/README.md, Changes, Growth.
    Changes: battle.facts.
    Draws:   none.
    Emits:   IMMUNE if it is.
    """
    if quantity < FIRST_STATUS or not holds_for(battle, target, IMMUNE, quantity):
        return False
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, IMMUNE_EVENT, cause.actor, target, quantity, amount, cause.source, 0)
    return True


@kernel
def put_growth(battle: Any, target: int, quantity: int, grown: int) -> None:
    """Put the consequences of a gain on the agenda.

    Rule:    relics/README.md, Changes, Growth.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if quantity == ARMOR:
        put(battle, target, ARMOR_GAINED, grown, NOTHING_OF)
    elif quantity == ATTACK:
        put(battle, target, ATTACK_GAINED, grown, NOTHING_OF)
    elif quantity == SPEED:
        put(battle, target, SPEED_GAINED, grown, NOTHING_OF)
    elif quantity >= FIRST_STATUS:
        put(battle, 1 - target, ENEMY_STATUS_GAINED, grown, quantity)
        if quantity == THORNS:
            put(battle, target, THORNS_GAINED, grown, quantity)
        put(battle, target, STATUS_GAINED, grown, quantity)


@kernel
def gain(battle: Any, target: int, quantity: int, amount: int, owner: int, log: Any) -> None:
    """Increase a quantity by an op that gains or gives, with its modifiers.

    Rule:    relics/README.md, Changes, Growth.
    Changes: as grow.
    Draws:   none.
    Emits:   MODIFIED; as grow.
    """
    grow(battle, target, quantity, gained(battle, target, quantity, amount, owner, log), log)


@kernel
def gained(battle: Any, target: int, quantity: int, amount: int, owner: int, log: Any) -> int:
    """The size of an op's gain after all modifiers; 0 if the target is immune.

    Rule:    relics/README.md, Changes, Growth.
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED; IMMUNE.
    """
    if amount > 0 and quantity == ARMOR:
        return modified(battle, target, target, ARMOR_GAIN, ANYTHING, amount, log)
    if amount > 0 and quantity >= FIRST_STATUS:
        if is_immune(battle, target, quantity, amount, log):
            return 0
        return modified(battle, target, owner, STACKS_GIVEN, quantity, amount, log)
    return amount


@kernel_noinline
def shrink(battle: Any, target: int, quantity: int, amount: int, log: Any) -> int:
    """Decrease a quantity within its range; returns the payload for its consequences.

    Rule:    relics/README.md, Changes, Loss (full HP takes HP above it along).
    Changes: the target's quantity; its marks.
    Draws:   none.
    Emits:   CHANGE, MARK.
    """
    if amount <= 0:
        return 0
    values = fighter_of(battle, target).values
    lost = -write(battle, target, quantity, values[quantity & QUANTITY_MASK] - amount, log)
    if quantity == HP_MAX:
        lost = 0
        if values[HP] > values[HP_MAX]:
            lost = -write(battle, target, HP, values[HP_MAX], log)
    if lost > 0:
        if quantity == ARMOR:
            note_losses(battle, target, lost, 0, log)
        elif quantity <= HP_MAX:
            note_losses(battle, target, 0, lost, log)
    return lost


@kernel
def put_loss(battle: Any, target: int, quantity: int, lost: int) -> None:
    """Put the consequences of a loss on the agenda.

    Rule:    relics/README.md, Changes, Loss.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if lost <= 0:
        return
    if battle.deferring == 0:
        put_thresholds(battle, target)
    if quantity == ARMOR:
        put(battle, target, ARMOR_LOST, lost, NOTHING_OF)
    elif quantity <= HP_MAX:
        put(battle, target, HP_LOST, lost, NOTHING_OF)
    elif quantity == SPEED:
        put(battle, target, SPEED_LOST, lost, NOTHING_OF)
    elif quantity >= FIRST_STATUS:
        put(battle, target, STATUS_LOST, lost, quantity)


@kernel_noinline
def lose(battle: Any, target: int, quantity: int, amount: int, log: Any) -> int:
    """Decrease a quantity with consequences; returns how much was lost.

    Rule:    relics/README.md, Changes, Loss.
    Changes: as shrink; the agenda.
    Draws:   none.
    Emits:   as shrink.
    """
    lost = shrink(battle, target, quantity, amount, log)
    put_loss(battle, target, quantity, lost)
    return lost


@kernel
def note_losses(battle: Any, target: int, armor: int, hp: int, log: Any) -> bool:
    """Note that a fighter was struck and which thresholds it crosses; returns whether it crosses any.

    Rule:    relics/README.md, Strikes (struck); Changes, Exposed and Wounded.
    Changes: the target's struck, exposed, wounded, exposed_due, wounded_due.
    Draws:   none.
    Emits:   MARK.
    """
    fighter = fighter_of(battle, target)
    fighter.struck |= battle.striking
    crosses = False
    # Branch-friendly order: a mark comes once in a battle, so the first tests nearly always decide.
    if fighter.exposed == 0 and fighter.values[ARMOR] == 0 and armor > 0:
        crosses = True
        fighter.exposed = 1
        fighter.exposed_due = 1
        if log is not None:
            emit(log, battle.turn, MARK_EVENT, NOBODY, target, EXPOSED_MARK, 0, 0, 0)
    if fighter.wounded == 0 and 2 * fighter.values[HP] <= fighter.values[HP_MAX] and hp > 0:
        crosses = True
        fighter.wounded = 1
        fighter.wounded_due = 1
        if log is not None:
            emit(log, battle.turn, MARK_EVENT, NOBODY, target, WOUNDED_MARK, 0, 0, 0)
    return crosses
