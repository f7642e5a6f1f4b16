"""Everything that happens is made of these changes: growth, loss, a packet of damage, a heal. README, Changes.

Each writes its row and puts its consequences on the agenda, the last of them first. `shrink` alone leaves the latter to
`put_loss`, for ops of several changes whose consequences come later.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_apart
from fracas.kernel.log import NOBODY, emit
from fracas.rulesets.relics.agenda import NOTHING_OF, put, put_thresholds
from fracas.rulesets.relics.constants import (
    ARMOR,
    ARMOR_GAIN,
    ARMOR_GAINED,
    ARMOR_LOST,
    CHANGE_EVENT,
    DAMAGE_DEALT,
    DAMAGE_DEALT_PCT,
    DAMAGE_EVENT,
    DAMAGE_TAKEN,
    DAMAGE_TAKEN_PCT,
    ENEMY_STATUS_GAINED,
    EXPOSED_MARK,
    FIRST_STATUS,
    HEAL_EVENT,
    HEALING,
    HEALING_PCT,
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
    ON_DAMAGED,
    ON_HEAL,
    ON_OVERHEAL,
    QUANTITY_MASK,
    SPEED,
    SPEED_GAINED,
    STACKS_GIVEN,
    STATUS_GAINED,
    STATUS_LOST,
    THORNS,
    THORNS_GAINED,
    WOUNDED_MARK,
)
from fracas.rulesets.relics.passives import ANYTHING, has_any, holds_for, sum_of
from fracas.rulesets.relics.situation import build_of, fighter_of

# Modifiers of damage that a fighter deals and takes, and of what heals it, as sets of bits.
ABOUT_DEALING = 1 << DAMAGE_DEALT | 1 << DAMAGE_DEALT_PCT
ABOUT_TAKING = 1 << DAMAGE_TAKEN | 1 << DAMAGE_TAKEN_PCT
ABOUT_HEALING = 1 << HEALING | 1 << HEALING_PCT


@kernel
def write(battle: Any, target: int, quantity: int, value: int, log: Any) -> int:
    """A quantity becomes a value, within its bounds; says by how much it really changed.

    Rule:    README, State (writes clamp).
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

    Rule:    README, Changes (held to 0 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED if they are not 0 in sum.
    """
    if not has_any(battle, owner, modifier):
        return value
    return with_sum(battle, target, owner, modifier, quantity, value, log)


@kernel_apart
def with_sum(battle: Any, target: int, owner: int, modifier: int, quantity: int, value: int, log: Any) -> int:
    """A number with flat modifiers, of which there are some, added.

    Rule:    README, Changes (held to 0 to 9,999).
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
    """A number that concerns a target, changed by an owner's percentages of a kind.

    Rule:    README, Changes (at least -100; held to 0 to 9,999).
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED if they are not 0 in sum.
    """
    if not has_any(battle, owner, modifier):
        return value
    return with_percentage(battle, target, owner, modifier, value, log)


@kernel_apart
def with_percentage(battle: Any, target: int, owner: int, modifier: int, value: int, log: Any) -> int:
    """A number changed by percentages, of which there are some.

    Rule:    README, Changes (at least -100; held to 0 to 9,999).
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
    """A quantity grows; nobody gains stacks to which it is immune.

    Rule:    README, Changes, Growth.
    Changes: the target's quantity; of full HP, HP as well; the agenda.
    Draws:   none.
    Emits:   IMMUNE, or CHANGE, of full HP twice.
    """
    if amount <= 0 or is_immune(battle, target, quantity, amount, log):
        return
    grown = write(battle, target, quantity, fighter_of(battle, target).values[quantity & QUANTITY_MASK] + amount, log)
    if quantity == HP_MAX:
        write(battle, target, HP, fighter_of(battle, target).values[HP] + grown, log)
    elif grown > 0:
        put_growth(battle, target, quantity, grown)


@kernel
def is_immune(battle: Any, target: int, quantity: int, amount: int, log: Any) -> bool:
    """Whether a fighter is kept from gaining stacks.

    Rule:    README, Changes, Growth.
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
    """The consequences of a growth are due.

    Rule:    README, Changes, Growth.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if quantity == ARMOR:
        put(battle, target, ARMOR_GAINED, grown, NOTHING_OF)
    elif quantity == SPEED:
        put(battle, target, SPEED_GAINED, grown, NOTHING_OF)
    elif quantity >= FIRST_STATUS:
        put(battle, 1 - target, ENEMY_STATUS_GAINED, grown, quantity)
        if quantity == THORNS:
            put(battle, target, THORNS_GAINED, grown, quantity)
        put(battle, target, STATUS_GAINED, grown, quantity)


@kernel
def gain(battle: Any, target: int, quantity: int, amount: int, owner: int, log: Any) -> None:
    """Growth by an op that gains or gives, with the modifiers of that.

    Rule:    README, Changes, Growth.
    Changes: as grow.
    Draws:   none.
    Emits:   MODIFIED; as grow.
    """
    if amount > 0 and quantity == ARMOR:
        amount = modified(battle, target, target, ARMOR_GAIN, ANYTHING, amount, log)
    elif amount > 0 and quantity >= FIRST_STATUS:
        if is_immune(battle, target, quantity, amount, log):
            return
        amount = modified(battle, target, owner, STACKS_GIVEN, quantity, amount, log)
    grow(battle, target, quantity, amount, log)


@kernel_apart
def shrink(battle: Any, target: int, quantity: int, amount: int, log: Any) -> int:
    """A quantity shrinks, at most as far as its bounds allow; says what its consequences will be told.

    Rule:    README, Changes, Loss (full HP takes HP above it along).
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
    """The consequences of a loss are due.

    Rule:    README, Changes, Loss.
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
    elif quantity >= FIRST_STATUS:
        put(battle, target, STATUS_LOST, lost, quantity)


@kernel_apart
def lose(battle: Any, target: int, quantity: int, amount: int, log: Any) -> int:
    """A loss with its consequences; says how much was lost.

    Rule:    README, Changes, Loss.
    Changes: as shrink; the agenda.
    Draws:   none.
    Emits:   as shrink.
    """
    lost = shrink(battle, target, quantity, amount, log)
    put_loss(battle, target, quantity, lost)
    return lost


@kernel
def note_losses(battle: Any, target: int, armor: int, hp: int, log: Any) -> None:
    """Remember that a fighter was struck, and whether it has crossed a threshold.

    Rule:    README, Strikes (struck); Changes, Exposed and Wounded.
    Changes: the target's struck, exposed, wounded, exposed_due, wounded_due.
    Draws:   none.
    Emits:   MARK.
    """
    fighter = fighter_of(battle, target)
    fighter.struck |= battle.striking
    # Without detours: a mark comes once in a battle, and its conditions one by one would be guessed wrong all the time.
    is_exposed = (armor > 0) & (fighter.exposed == 0) & (fighter.values[ARMOR] == 0)
    is_wounded = (hp > 0) & (fighter.wounded == 0) & (2 * fighter.values[HP] <= fighter.values[HP_MAX])
    if is_exposed:
        fighter.exposed = 1
        fighter.exposed_due = 1
        if log is not None:
            emit(log, battle.turn, MARK_EVENT, NOBODY, target, EXPOSED_MARK, 0, 0, 0)
    if is_wounded:
        fighter.wounded = 1
        fighter.wounded_due = 1
        if log is not None:
            emit(log, battle.turn, MARK_EVENT, NOBODY, target, WOUNDED_MARK, 0, 0, 0)


@kernel
def packet(battle: Any, target: int, amount: int, is_blow: int, to_armor: int, log: Any) -> int:
    """A packet of damage meets ARMOR and HP; says what it took of both. A blow is a strike's or an op's.

    Rule:    README, Changes, A packet.
    Changes: the target's ARMOR, HP and marks; sums; the agenda.
    Draws:   none.
    Emits:   MODIFIED, DAMAGE, MARK.
    """
    enemy = 1 - target
    is_from_enemy = battle.cause.actor == enemy
    amount = min(max(amount, 0), LARGEST)
    if is_blow == 1 and is_from_enemy and build_of(battle, enemy).holds & ABOUT_DEALING != 0:
        amount = modified(battle, target, enemy, DAMAGE_DEALT, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, enemy, DAMAGE_DEALT_PCT, amount, log)
    if build_of(battle, target).holds & ABOUT_TAKING != 0:
        amount = modified(battle, target, target, DAMAGE_TAKEN, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, target, DAMAGE_TAKEN_PCT, amount, log)
    fighter = fighter_of(battle, target)
    absorbed = min(fighter.values[ARMOR], amount) * to_armor
    lost = amount - absorbed
    fighter.values[ARMOR] -= absorbed
    fighter.values[HP] = max(fighter.values[HP] - lost, LEAST_HP)
    fighter.absorbed += absorbed
    fighter_of(battle, enemy).dealt += amount if is_from_enemy else 0
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, DAMAGE_EVENT, cause.actor, target, cause.source, absorbed, lost, fighter.values[HP])
    if amount > 0:
        note_losses(battle, target, absorbed, lost, log)
        put_damage(battle, target, absorbed, lost, is_from_enemy)
    return amount


@kernel
def put_damage(battle: Any, target: int, absorbed: int, lost: int, is_from_enemy: bool) -> None:
    """The consequences of a packet that took something are due.

    Rule:    README, Changes, A packet, step 4.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.deferring == 0:
        put_thresholds(battle, target)
    is_answered = is_from_enemy and battle.cause.marked == 0
    happened = int(is_answered) << ON_DAMAGED | int(lost > 0) << HP_LOST | int(absorbed > 0) << ARMOR_LOST
    if build_of(battle, target).hears & happened == 0:
        return
    if is_answered:
        put(battle, target, ON_DAMAGED, absorbed + lost, NOTHING_OF)
    if lost > 0:
        put(battle, target, HP_LOST, lost, NOTHING_OF)
    if absorbed > 0:
        put(battle, target, ARMOR_LOST, absorbed, NOTHING_OF)


@kernel
def heal(battle: Any, target: int, amount: int, with_modifiers: int, log: Any) -> int:
    """A heal, at most to full HP; says what it healed.

    Rule:    README, Changes, A heal.
    Changes: the target's HP; sums; the agenda.
    Draws:   none.
    Emits:   MODIFIED, HEAL.
    """
    if amount <= 0:
        return 0
    if with_modifiers == 1 and build_of(battle, target).holds & ABOUT_HEALING != 0:
        amount = modified(battle, target, target, HEALING, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, target, HEALING_PCT, amount, log)
        if amount == 0:
            return 0
    fighter = fighter_of(battle, target)
    healed = min(amount, max(0, fighter.values[HP_MAX] - fighter.values[HP]))
    excess = amount - healed
    fighter.values[HP] += healed
    fighter.healed += healed
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, HEAL_EVENT, cause.actor, target, cause.source, healed, excess, fighter.values[HP])
    happened = int(healed > 0) << ON_HEAL | int(excess > 0) << ON_OVERHEAL
    if build_of(battle, target).hears & happened == 0:
        return healed
    if excess > 0:
        put(battle, target, ON_OVERHEAL, excess, NOTHING_OF)
    if healed > 0:
        put(battle, target, ON_HEAL, healed, NOTHING_OF)
    return healed
