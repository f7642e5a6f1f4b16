"""Gains and losses of quantities; damage and heals are in damage.py. relics/README.md, Changes.

Each change writes its row and puts its consequences on the agenda, last first. Only `shrink` leaves that to `put_loss`,
for ops of several changes whose consequences come later.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, put, put_thresholds
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, has_any, holds_for, sum_of
from fracas.rulesets.relics.rules.events import emit_change, emit_immune, emit_mark, emit_modified


@kernel
def write(battle, target: int, quantity: int, value: int, log) -> int:
    """Set a quantity to a value within its range; returns by how much it really changed (README, State).

    Writes clamp.
    """
    values = fighter_of(battle, target).values
    least = 0
    if quantity < codes.ARMOR:
        least = codes.LEAST_RATE
        if quantity == codes.HP:
            least = codes.LEAST_HP
        elif quantity == codes.HP_MAX:
            least = 1
    elif quantity == codes.SPEED:
        least = codes.LEAST_RATE
    before = values[quantity & codes.QUANTITY_MASK]
    value = min(max(value, least), codes.LARGEST)
    values[quantity & codes.QUANTITY_MASK] = value
    change = value - before
    if log is not None and change != 0:
        cause = battle.cause
        emit_change(log, battle.turn, cause.actor, target, quantity, change, value, cause.source)
    return change


@kernel
def modified(battle, target: int, owner: int, modifier: int, quantity: int, value: int, log) -> int:
    """A number that concerns a target, with an owner's flat modifiers of a kind added.

    Held to 0 to 9,999.
    """
    if not has_any(battle, owner, modifier):
        return value
    return with_sum(battle, target, owner, modifier, quantity, value, log)


@kernel_noinline
def with_sum(battle, target: int, owner: int, modifier: int, quantity: int, value: int, log) -> int:
    """A number with existing flat modifiers added.

    Held to 0 to 9,999.
    """
    total = sum_of(battle, owner, modifier, quantity)
    if total == 0:
        return value
    after = min(max(value + total, 0), codes.LARGEST)
    emit_modified(log, battle.turn, target, modifier, total, value, after)
    return after


@kernel
def modified_by_percent(battle, target: int, owner: int, modifier: int, value: int, log) -> int:
    """A number that concerns a target, with an owner's percentage modifiers of a kind applied.

    At least -100; held to 0 to 9,999.
    """
    if not has_any(battle, owner, modifier):
        return value
    return with_percentage(battle, target, owner, modifier, value, log)


@kernel
def with_percentage(battle, target: int, owner: int, modifier: int, value: int, log) -> int:
    """A number with existing percentage modifiers applied.

    At least -100; held to 0 to 9,999.
    """
    total = sum_of(battle, owner, modifier, ANYTHING)
    if total == 0:
        return value
    after = min(value * (100 + max(total, -100)) // 100, codes.LARGEST)
    emit_modified(log, battle.turn, target, modifier, total, value, after)
    return after


@kernel
def increase(battle, target: int, quantity: int, amount: int, log) -> None:
    """Increase a quantity, unless the fighter is immune to the status."""
    if amount <= 0 or is_immune(battle, target, quantity, amount, log):
        return
    grown = add(battle, target, quantity, amount, log)
    if quantity != codes.HP_MAX and grown > 0:
        put_growth(battle, target, quantity, grown)


@kernel
def add(battle, target: int, quantity: int, amount: int, log) -> int:
    """Increase a quantity by a number above 0 that includes all modifiers; returns the real increase."""
    grown = write(
        battle, target, quantity, fighter_of(battle, target).values[quantity & codes.QUANTITY_MASK] + amount, log
    )
    if quantity == codes.HP_MAX:
        write(battle, target, codes.HP, fighter_of(battle, target).values[codes.HP] + grown, log)
    return grown


@kernel
def is_immune(battle, target: int, quantity: int, amount: int, log) -> bool:
    """Whether immunity keeps a fighter from gaining stacks."""
    if quantity < codes.FIRST_STATUS or not holds_for(battle, target, codes.IMMUNE, quantity):
        return False
    if log is not None:
        cause = battle.cause
        emit_immune(log, battle.turn, cause.actor, target, quantity, amount, cause.source)
    return True


@kernel
def put_growth(battle, target: int, quantity: int, grown: int) -> None:
    """Put the consequences of a gain on the agenda."""
    if quantity == codes.ARMOR:
        put(battle, target, codes.ARMOR_GAINED, grown, NOTHING_OF)
    elif quantity == codes.ATTACK:
        put(battle, target, codes.ATTACK_GAINED, grown, NOTHING_OF)
    elif quantity == codes.SPEED:
        put(battle, target, codes.SPEED_GAINED, grown, NOTHING_OF)
    elif quantity >= codes.FIRST_STATUS:
        put(battle, 1 - target, codes.ENEMY_STATUS_GAINED, grown, quantity)
        if quantity == codes.THORNS:
            put(battle, target, codes.THORNS_GAINED, grown, quantity)
        put(battle, target, codes.STATUS_GAINED, grown, quantity)


@kernel
def gain(battle, target: int, quantity: int, amount: int, owner: int, log) -> None:
    """Increase a quantity by an op that gains or gives, with its modifiers."""
    increase(battle, target, quantity, gained(battle, target, quantity, amount, owner, log), log)


@kernel
def gained(battle, target: int, quantity: int, amount: int, owner: int, log) -> int:
    """The size of an op's gain after all modifiers; 0 if the target is immune."""
    if amount > 0 and quantity == codes.ARMOR:
        return modified(battle, target, target, codes.ARMOR_GAIN, ANYTHING, amount, log)
    if amount > 0 and quantity >= codes.FIRST_STATUS:
        if is_immune(battle, target, quantity, amount, log):
            return 0
        return modified(battle, target, owner, codes.STACKS_GIVEN, quantity, amount, log)
    return amount


@kernel_noinline
def shrink(battle, target: int, quantity: int, amount: int, log) -> int:
    """Decrease a quantity within its range; returns the payload for its consequences.

    Full HP takes HP above it along.
    """
    if amount <= 0:
        return 0
    values = fighter_of(battle, target).values
    lost = -write(battle, target, quantity, values[quantity & codes.QUANTITY_MASK] - amount, log)
    if quantity == codes.HP_MAX:
        lost = 0
        if values[codes.HP] > values[codes.HP_MAX]:
            lost = -write(battle, target, codes.HP, values[codes.HP_MAX], log)
    if lost > 0:
        if quantity == codes.ARMOR:
            note_losses(battle, target, lost, 0, log)
        elif quantity <= codes.HP_MAX:
            note_losses(battle, target, 0, lost, log)
    return lost


@kernel
def put_loss(battle, target: int, quantity: int, lost: int) -> None:
    """Put the consequences of a loss on the agenda."""
    if lost <= 0:
        return
    if battle.deferring == 0:
        put_thresholds(battle, target)
    if quantity == codes.ARMOR:
        put(battle, target, codes.ARMOR_LOST, lost, NOTHING_OF)
    elif quantity <= codes.HP_MAX:
        put(battle, target, codes.HP_LOST, lost, NOTHING_OF)
    elif quantity == codes.SPEED:
        put(battle, target, codes.SPEED_LOST, lost, NOTHING_OF)
    elif quantity >= codes.FIRST_STATUS:
        put(battle, target, codes.STATUS_LOST, lost, quantity)


@kernel_noinline
def lose(battle, target: int, quantity: int, amount: int, log) -> int:
    """Decrease a quantity with consequences; returns how much was lost."""
    lost = shrink(battle, target, quantity, amount, log)
    put_loss(battle, target, quantity, lost)
    return lost


@kernel
def note_losses(battle, target: int, armor: int, hp: int, log) -> bool:
    """Note that a fighter was struck and which thresholds it crosses; returns whether it crosses any.

    README, Strikes.
    """
    fighter = fighter_of(battle, target)
    fighter.struck |= battle.striking
    crosses = False
    # Branch-friendly order: a mark comes once in a battle, so the first tests nearly always decide.
    if fighter.exposed == 0 and fighter.values[codes.ARMOR] == 0 and armor > 0:
        crosses = True
        fighter.exposed = 1
        fighter.exposed_due = 1
        emit_mark(log, battle.turn, target, codes.EXPOSED_MARK)
    if fighter.wounded == 0 and 2 * fighter.values[codes.HP] <= fighter.values[codes.HP_MAX] and hp > 0:
        crosses = True
        fighter.wounded = 1
        fighter.wounded_due = 1
        emit_mark(log, battle.turn, target, codes.WOUNDED_MARK)
    return crosses
