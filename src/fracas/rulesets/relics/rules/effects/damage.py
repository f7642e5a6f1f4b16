"""Damage and heals: packets take ARMOR and HP, heals restore HP. relics/README.md, Changes.

Each change writes its row and puts its consequences on the agenda, last first.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import emit
from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ARMOR_LOST,
    BY_STRIKE,
    DAMAGE_DEALT,
    DAMAGE_DEALT_PCT,
    DAMAGE_EVENT,
    DAMAGE_OUTSIDE_STRIKES,
    DAMAGE_TAKEN,
    DAMAGE_TAKEN_PCT,
    HEAL_EVENT,
    HEALING,
    HEALING_PCT,
    HP,
    HP_LOST,
    HP_MAX,
    LARGEST,
    LEAST_HP,
    ON_DAMAGED,
    ON_HEAL,
    ON_OVERHEAL,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, put, put_thresholds
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING
from fracas.rulesets.relics.rules.effects.quantity_changes import modified, modified_by_percent, note_losses

# Bit sets of the modifiers of damage dealt, damage taken and healing.
ABOUT_DEALING = 1 << DAMAGE_DEALT | 1 << DAMAGE_DEALT_PCT
ABOUT_TAKING = 1 << DAMAGE_TAKEN | 1 << DAMAGE_TAKEN_PCT
ABOUT_HEALING = 1 << HEALING | 1 << HEALING_PCT


@kernel
def packet(battle: Any, target: int, amount: int, is_blow: int, to_armor: int, log: Any) -> int:
    """Apply a packet of damage to ARMOR and HP; returns what it took from both. A blow is a strike's or an op's.

    Rule:    relics/README.md, Changes, A packet.
    Changes: the target's ARMOR, HP and marks; sums; the agenda.
    Draws:   none.
    Emits:   MODIFIED, DAMAGE, MARK.
    """
    is_from_enemy = battle.cause.actor == 1 - target
    amount = landing(battle, target, amount, is_blow == 1 and is_from_enemy, log)
    absorbed = take(battle, target, amount, to_armor, is_from_enemy, log)
    if amount > 0:
        note_losses(battle, target, absorbed, amount - absorbed, log)
        put_damage(battle, target, absorbed, amount - absorbed, is_from_enemy)
    return amount


@kernel
def landing(battle: Any, target: int, amount: int, is_enemys_blow: bool, log: Any) -> int:
    """The size of a packet after all modifiers.

    Rule:    relics/README.md, Changes, A packet, steps 1 and 2.
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED.
    """
    enemy = 1 - target
    amount = min(max(amount, 0), LARGEST)
    if is_enemys_blow and build_of(battle, enemy).holds & ABOUT_DEALING != 0:
        amount = modified(battle, target, enemy, DAMAGE_DEALT, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, enemy, DAMAGE_DEALT_PCT, amount, log)
    if build_of(battle, target).holds & ABOUT_TAKING != 0:
        amount = modified(battle, target, target, DAMAGE_TAKEN, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, target, DAMAGE_TAKEN_PCT, amount, log)
    return amount


@kernel
def take(battle: Any, target: int, amount: int, to_armor: int, is_from_enemy: bool, log: Any) -> int:
    """Take a packet's damage from ARMOR and HP; returns how much ARMOR.

    Rule:    relics/README.md, Changes, A packet, step 3.
    Changes: the target's ARMOR and HP; sums.
    Draws:   none.
    Emits:   DAMAGE.
    """
    fighter = fighter_of(battle, target)
    absorbed = min(fighter.values[ARMOR], amount) * to_armor
    lost = amount - absorbed
    fighter.values[ARMOR] -= absorbed
    fighter.values[HP] = max(fighter.values[HP] - lost, LEAST_HP)
    fighter.absorbed += absorbed
    fighter_of(battle, 1 - target).dealt += amount if is_from_enemy else 0
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, DAMAGE_EVENT, cause.actor, target, cause.source, absorbed, lost, fighter.values[HP])
    return absorbed


@kernel
def put_damage(battle: Any, target: int, absorbed: int, lost: int, is_from_enemy: bool) -> None:
    """Put the consequences of a packet that took something on the agenda.

    Rule:    relics/README.md, Changes, A packet, step 4.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.deferring == 0:
        put_thresholds(battle, target)
    if is_from_enemy and battle.cause.source != BY_STRIKE:
        put(battle, 1 - target, DAMAGE_OUTSIDE_STRIKES, absorbed + lost, NOTHING_OF)
    if is_from_enemy and battle.cause.marked == 0:
        put(battle, target, ON_DAMAGED, absorbed + lost, NOTHING_OF)
    if lost > 0:
        put(battle, target, HP_LOST, lost, NOTHING_OF)
    if absorbed > 0:
        put(battle, target, ARMOR_LOST, absorbed, NOTHING_OF)


@kernel
def heal(battle: Any, target: int, amount: int, with_modifiers: int, log: Any) -> int:
    """Heal a fighter, at most to full HP; returns the HP healed.

    Rule:    relics/README.md, Changes, A heal.
    Changes: the target's HP; sums; the agenda.
    Draws:   none.
    Emits:   MODIFIED, HEAL.
    """
    if with_modifiers == 1:
        amount = healing(battle, target, amount, log)
    return mend(battle, target, amount, log)


@kernel
def healing(battle: Any, target: int, amount: int, log: Any) -> int:
    """The size of a heal after all modifiers.

    Rule:    relics/README.md, Changes, A heal.
    Changes: battle.facts.
    Draws:   none.
    Emits:   MODIFIED.
    """
    if amount > 0 and build_of(battle, target).holds & ABOUT_HEALING != 0:
        amount = modified(battle, target, target, HEALING, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, target, HEALING_PCT, amount, log)
    return amount


@kernel
def mend(battle: Any, target: int, amount: int, log: Any) -> int:
    """Apply a heal whose size includes all modifiers; returns the HP healed.

    Rule:    relics/README.md, Changes, A heal.
    Changes: the target's HP; sums; the agenda.
    Draws:   none.
    Emits:   HEAL, unless the heal is 0.
    """
    if amount <= 0:
        return 0
    fighter = fighter_of(battle, target)
    healed = min(amount, max(0, fighter.values[HP_MAX] - fighter.values[HP]))
    excess = amount - healed
    fighter.values[HP] += healed
    fighter.healed += healed
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, HEAL_EVENT, cause.actor, target, cause.source, healed, excess, fighter.values[HP])
    if build_of(battle, target).hears & (1 << ON_HEAL | 1 << ON_OVERHEAL) == 0:
        return healed
    if excess > 0:
        put(battle, target, ON_OVERHEAL, excess, NOTHING_OF)
    if healed > 0:
        put(battle, target, ON_HEAL, healed, NOTHING_OF)
    return healed
