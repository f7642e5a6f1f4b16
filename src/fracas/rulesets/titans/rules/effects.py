"""The effects of attacks and abilities: damage, heals, shields, charge and stat changes.

The rules: titans/README.md, "Effects".
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules.constants import (
    CHANGE_EFFECT,
    CHANGE_EVENT,
    CHANGE_MASK,
    CHARGE_EFFECT,
    CHARGE_EVENT,
    CLEANSE_EFFECT,
    DAMAGE_EFFECT,
    DAMAGE_EVENT,
    EXPIRE_EVENT,
    FALL_EVENT,
    FIXED_AMOUNT,
    FROM_ABILITY,
    HEAL_EFFECT,
    HEAL_EVENT,
    KNOCK_OUT,
    SET_CHARGE_EFFECT,
    SHIELD_EFFECT,
    SHIELD_EVENT,
    STAMINA_STAT,
    STAT_AMOUNT,
    STAT_MASK,
)
from fracas.rulesets.titans.rules.rolls import hits, is_critical
from fracas.rulesets.titans.rules.rounding import half_up, within_charge
from fracas.rulesets.titans.rules.titan_stats import (
    has_change,
    high_half,
    is_sudden_death,
    low_half,
    opponent_of,
    restate,
)


@kernel
def strike(battle: Any, one: Any, other: Any, damage: float, log: Any) -> int:
    """Apply damage to the shield, then to HP; at 0 HP the duel ends. Returns the HP lost.

    Rule:    titans/README.md, Damage.
    Changes: the other's shield and HP; battle.winner and battle.reason.
    Draws:   none.
    Emits:   DAMAGE, FALL.
    """
    absorbed = min(other.shield, damage)
    other.shield = other.shield - absorbed
    before = other.hp
    other.hp = half_up(max(0.0, before - (damage - absorbed)))
    if log is not None:
        halves = low_half(absorbed), high_half(absorbed)
        emit(log, battle.tick, DAMAGE_EVENT, one.index, other.index, halves[0], halves[1], before, other.hp)
    if other.hp == 0:
        battle.reason = KNOCK_OUT
        battle.winner = one.index + 1
        if log is not None:
            emit(log, battle.tick, FALL_EVENT, one.index, other.index, 0, 0, 0, 0)
    return before - other.hp


@kernel
def add_charge(battle: Any, one: Any, other: Any, amount: int, source: int, log: Any) -> None:
    """Change a titan's charge, limited to 0 to 100; `one` is the cause.

    Rule:    titans/README.md, Charge.
    Changes: the other's charge.
    Draws:   none.
    Emits:   CHARGE.
    """
    before = other.charge
    other.charge = within_charge(before + amount)
    if log is not None:
        emit(log, battle.tick, CHARGE_EVENT, one.index, other.index, before, other.charge, source, 0)


@kernel
def scaled_charge(battle: Any, one: Any, amount: int) -> int:
    """The size of a gain of charge, increased by Stamina if the option says so.

    Rule:    titans/README.md, Charge; option stamina_charges.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.options.stamina_charges == 0 or amount <= 0:
        return amount
    return half_up(amount * (1.0 + one.now[STAMINA_STAT] / 100.0))


@kernel
def amount_of(one: Any, effect: Any, dealt: int) -> float:
    """The amount of an effect: fixed, a multiple of a stat, or a share of the HP that the ability has taken.

    Rule:    titans/README.md, Effects.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.source == FIXED_AMOUNT:
        return float(effect.amount)
    if effect.source == STAT_AMOUNT:
        return effect.times * one.now[effect.stat & STAT_MASK]
    return dealt * effect.amount / 100


@kernel
def apply_effect(battle: Any, one: Any, effect: Any, dealt: int, log: Any) -> int:
    """Apply one effect of an ability; returns the HP that the opponent lost.

    Rule:    titans/README.md, Effects.
    Changes: both titans.
    Draws:   as blow.
    Emits:   what the effect emits.
    """
    bearer = one if effect.on_self != 0 else opponent_of(battle, one)
    kind = effect.kind
    if kind == DAMAGE_EFFECT:
        return blow(battle, one, effect, log)
    if kind == HEAL_EFFECT:
        heal(battle, one, amount_of(one, effect, dealt), log)
    elif kind == SHIELD_EFFECT:
        raise_shield(battle, one, amount_of(one, effect, dealt), log)
    elif kind == CHARGE_EFFECT:
        amount = scaled_charge(battle, one, effect.amount) if effect.on_self != 0 else effect.amount
        add_charge(battle, one, bearer, amount, FROM_ABILITY, log)
    elif kind == SET_CHARGE_EFFECT:
        add_charge(battle, one, bearer, effect.amount - bearer.charge, FROM_ABILITY, log)
    elif kind == CHANGE_EFFECT:
        begin_change(battle, one, bearer, effect, log)
    elif kind == CLEANSE_EFFECT:
        cleanse(battle, one, log)
    return 0


@kernel
def blow(battle: Any, one: Any, effect: Any, log: Any) -> int:
    """Apply an ability's damage, which ignores Defense; returns the HP that the opponent lost.

    Rule:    titans/README.md, Effects, damage.
    Changes: the opponent.
    Draws:   unit() if blows can miss; then unit() if there are critical hits and the amount comes from a stat.
    Emits:   HIT, CRITICAL, DAMAGE, FALL.
    """
    other = opponent_of(battle, one)
    if not hits(battle, one, other, log):
        return 0
    damage = amount_of(one, effect, 0)
    if effect.source == STAT_AMOUNT and is_critical(battle, one, other, log):
        damage = damage * 1.5
    return strike(battle, one, other, damage, log)


@kernel
def heal(battle: Any, one: Any, amount: float, log: Any) -> None:
    """Heal a titan, up to full HP; no effect in sudden death.

    Rule:    titans/README.md, Effects, heal; Sudden death.
    Changes: one.hp.
    Draws:   none.
    Emits:   HEAL.
    """
    if is_sudden_death(battle):
        amount = 0.0
    before = one.hp
    one.hp = min(one.max_hp, half_up(before + amount))
    if log is not None:
        emit(log, battle.tick, HEAL_EVENT, one.index, NOBODY, low_half(amount), high_half(amount), before, one.hp)


@kernel
def raise_shield(battle: Any, one: Any, amount: float, log: Any) -> None:
    """Add to a titan's shield.

    Rule:    titans/README.md, Effects, shield.
    Changes: one.shield.
    Draws:   none.
    Emits:   SHIELD.
    """
    one.shield = one.shield + amount
    if log is not None:
        low, high = low_half(one.shield), high_half(one.shield)
        emit(log, battle.tick, SHIELD_EVENT, one.index, NOBODY, low_half(amount), high_half(amount), low, high)


@kernel
def begin_change(battle: Any, one: Any, bearer: Any, effect: Any, log: Any) -> None:
    """Start a stat change; one that is already active only lasts longer.

    Rule:    titans/README.md, Stat changes.
    Changes: the bearer.
    Draws:   none.
    Emits:   CHANGE.
    """
    change = battle.changes[effect.change & CHANGE_MASK]
    stat = change.stat & STAT_MASK
    if not has_change(bearer, effect.change):
        bearer.active += 1
        bearer.sums[stat] += change.percent
        restate(bearer, stat)
    until = battle.tick + effect.rounds
    bearer.until[effect.change & CHANGE_MASK] = until
    if log is not None:
        total = bearer.sums[stat]
        emit(log, battle.tick, CHANGE_EVENT, one.index, bearer.index, stat, change.percent, until, total)


@kernel
def end_change(battle: Any, bearer: Any, place: int, by_time: int, log: Any) -> None:
    """End a stat change.

    Rule:    titans/README.md, Stat changes.
    Changes: the bearer.
    Draws:   none.
    Emits:   EXPIRE.
    """
    change = battle.changes[place & CHANGE_MASK]
    stat = change.stat & STAT_MASK
    bearer.active -= 1
    bearer.until[place & CHANGE_MASK] = 0
    bearer.sums[stat] -= change.percent
    restate(bearer, stat)
    if log is not None:
        emit(log, battle.tick, EXPIRE_EVENT, NOBODY, bearer.index, stat, change.percent, by_time, bearer.sums[stat])


@kernel
def cleanse(battle: Any, one: Any, log: Any) -> None:
    """End every change that lowers one of a titan's stats.

    Rule:    titans/README.md, Effects, cleanse.
    Changes: the titan.
    Draws:   none.
    Emits:   EXPIRE for each, by place.
    """
    if one.active == 0:
        return
    for place in range(battle.change_count):
        if has_change(one, place) and battle.changes[place & CHANGE_MASK].percent < 0:
            end_change(battle, one, place, 0, log)
