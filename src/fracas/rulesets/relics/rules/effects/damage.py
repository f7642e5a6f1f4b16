"""Damage and heals: packets take ARMOR and HP, heals restore HP. relics/README.md, Changes.

Each change writes its row and puts its consequences on the agenda, last first.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, put, put_thresholds
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING
from fracas.rulesets.relics.rules.effects.quantity_changes import modified, modified_by_percent, note_losses
from fracas.rulesets.relics.rules.events import emit_damage, emit_heal

# Bit sets of the modifiers of damage dealt, damage taken and healing.
ABOUT_DEALING = 1 << codes.DAMAGE_DEALT | 1 << codes.DAMAGE_DEALT_PCT
ABOUT_TAKING = 1 << codes.DAMAGE_TAKEN | 1 << codes.DAMAGE_TAKEN_PCT
ABOUT_HEALING = 1 << codes.HEALING | 1 << codes.HEALING_PCT


@kernel
def packet(battle, target: int, amount: int, is_blow: int, to_armor: int, log) -> int:
    """Apply a packet of damage to ARMOR and HP; returns what it took from both. A blow is a strike's or an op's."""
    is_from_enemy = battle.cause.actor == 1 - target
    amount = landing(battle, target, amount, is_blow == 1 and is_from_enemy, log)
    absorbed = take(battle, target, amount, to_armor, is_from_enemy, log)
    if amount > 0:
        note_losses(battle, target, absorbed, amount - absorbed, log)
        put_damage(battle, target, absorbed, amount - absorbed, is_from_enemy)
    return amount


@kernel
def landing(battle, target: int, amount: int, is_enemys_blow: bool, log) -> int:
    """The size of a packet after all modifiers."""
    enemy = 1 - target
    amount = min(max(amount, 0), codes.LARGEST)
    if is_enemys_blow and build_of(battle, enemy).holds & ABOUT_DEALING != 0:
        amount = modified(battle, target, enemy, codes.DAMAGE_DEALT, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, enemy, codes.DAMAGE_DEALT_PCT, amount, log)
    if build_of(battle, target).holds & ABOUT_TAKING != 0:
        amount = modified(battle, target, target, codes.DAMAGE_TAKEN, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, target, codes.DAMAGE_TAKEN_PCT, amount, log)
    return amount


@kernel
def take(battle, target: int, amount: int, to_armor: int, is_from_enemy: bool, log) -> int:
    """Take a packet's damage from ARMOR and HP; returns how much ARMOR."""
    fighter = fighter_of(battle, target)
    absorbed = min(fighter.values[codes.ARMOR], amount) * to_armor
    lost = amount - absorbed
    fighter.values[codes.ARMOR] -= absorbed
    fighter.values[codes.HP] = max(fighter.values[codes.HP] - lost, codes.LEAST_HP)
    fighter.absorbed += absorbed
    fighter_of(battle, 1 - target).dealt += amount if is_from_enemy else 0
    if log is not None:
        cause = battle.cause
        emit_damage(log, battle.turn, cause.actor, target, cause.source, absorbed, lost, fighter.values[codes.HP])
    return absorbed


@kernel
def put_damage(battle, target: int, absorbed: int, lost: int, is_from_enemy: bool) -> None:
    """Put the consequences of a packet that took something on the agenda."""
    if battle.deferring == 0:
        put_thresholds(battle, target)
    if is_from_enemy and battle.cause.source != codes.BY_STRIKE:
        put(battle, 1 - target, codes.DAMAGE_OUTSIDE_STRIKES, absorbed + lost, NOTHING_OF)
    if is_from_enemy and battle.cause.marked == 0:
        put(battle, target, codes.ON_DAMAGED, absorbed + lost, NOTHING_OF)
    if lost > 0:
        put(battle, target, codes.HP_LOST, lost, NOTHING_OF)
    if absorbed > 0:
        put(battle, target, codes.ARMOR_LOST, absorbed, NOTHING_OF)


@kernel
def heal(battle, target: int, amount: int, with_modifiers: int, log) -> int:
    """Heal a fighter, at most to full HP; returns the HP healed."""
    if with_modifiers == 1:
        amount = healing(battle, target, amount, log)
    return mend(battle, target, amount, log)


@kernel
def healing(battle, target: int, amount: int, log) -> int:
    """The size of a heal after all modifiers."""
    if amount > 0 and build_of(battle, target).holds & ABOUT_HEALING != 0:
        amount = modified(battle, target, target, codes.HEALING, ANYTHING, amount, log)
        amount = modified_by_percent(battle, target, target, codes.HEALING_PCT, amount, log)
    return amount


@kernel
def mend(battle, target: int, amount: int, log) -> int:
    """Apply a heal whose size includes all modifiers; returns the HP healed."""
    if amount <= 0:
        return 0
    fighter = fighter_of(battle, target)
    healed = min(amount, max(0, fighter.values[codes.HP_MAX] - fighter.values[codes.HP]))
    excess = amount - healed
    fighter.values[codes.HP] += healed
    fighter.healed += healed
    if log is not None:
        cause = battle.cause
        emit_heal(log, battle.turn, cause.actor, target, cause.source, healed, excess, fighter.values[codes.HP])
    if build_of(battle, target).hears & (1 << codes.ON_HEAL | 1 << codes.ON_OVERHEAL) == 0:
        return healed
    if excess > 0:
        put(battle, target, codes.ON_OVERHEAL, excess, NOTHING_OF)
    if healed > 0:
        put(battle, target, codes.ON_HEAL, healed, NOTHING_OF)
    return healed
