"""The effects of attacks and abilities: damage, heals, shields, charge and stat changes.

The rules: titans/README.md, "Effects"; Charge; Stat changes.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.events import (
    emit_change,
    emit_charge,
    emit_damage,
    emit_expire,
    emit_fall,
    emit_heal,
    emit_shield,
)
from fracas.rulesets.titans.rules.rolls import hits, is_critical
from fracas.rulesets.titans.rules.rounding import half_up, within_charge
from fracas.rulesets.titans.rules.titan_stats import (
    has_change,
    is_sudden_death,
    opponent_of,
    update_stat,
)


@kernel
def strike(battle, one, other, damage: float, log) -> int:
    """Apply damage to the shield, then to HP; at 0 HP the duel ends. Returns the HP lost (README, Damage).

    Changes: the other's shield and HP; battle.winner and battle.reason.
    """
    absorbed = min(other.shield, damage)
    other.shield = other.shield - absorbed
    before = other.hp
    other.hp = half_up(max(0.0, before - (damage - absorbed)))
    emit_damage(log, battle.tick, one.index, other.index, absorbed, before, other.hp)
    if other.hp == 0:
        battle.reason = codes.KNOCK_OUT
        battle.winner = one.index + 1
        emit_fall(log, battle.tick, one.index, other.index)
    return before - other.hp


@kernel
def add_charge(battle, one, other, amount: int, source: int, log) -> None:
    """Change a titan's charge, limited to 0 to 100; `one` is the cause."""
    before = other.charge
    other.charge = within_charge(before + amount)
    emit_charge(log, battle.tick, one.index, other.index, before, other.charge, source)


@kernel
def scaled_charge(battle, one, amount: int) -> int:
    """The size of a gain of charge, increased by Stamina if the option says so (README, option stamina_charges)."""
    if battle.options.stamina_charges == 0 or amount <= 0:
        return amount
    return half_up(amount * (1.0 + one.now[codes.STAMINA_STAT] / 100.0))


@kernel
def amount_of(one, effect, dealt: int) -> float:
    """The amount of an effect: fixed, a multiple of a stat, or a share of the HP that the ability has taken."""
    if effect.source == codes.FIXED_AMOUNT:
        return float(effect.amount)
    if effect.source == codes.STAT_AMOUNT:
        return effect.times * one.now[effect.stat & codes.STAT_MASK]
    return dealt * effect.amount / 100


@kernel
def apply_effect(battle, one, effect, dealt: int, log) -> int:
    """Apply one effect of an ability; returns the HP that the opponent lost."""
    bearer = one if effect.on_self != 0 else opponent_of(battle, one)
    kind = effect.kind
    if kind == codes.DAMAGE_EFFECT:
        return blow(battle, one, effect, log)
    if kind == codes.HEAL_EFFECT:
        heal(battle, one, amount_of(one, effect, dealt), log)
    elif kind == codes.SHIELD_EFFECT:
        raise_shield(battle, one, amount_of(one, effect, dealt), log)
    elif kind == codes.CHARGE_EFFECT:
        amount = scaled_charge(battle, one, effect.amount) if effect.on_self != 0 else effect.amount
        add_charge(battle, one, bearer, amount, codes.FROM_ABILITY, log)
    elif kind == codes.SET_CHARGE_EFFECT:
        add_charge(battle, one, bearer, effect.amount - bearer.charge, codes.FROM_ABILITY, log)
    elif kind == codes.CHANGE_EFFECT:
        begin_change(battle, one, bearer, effect, log)
    elif kind == codes.CLEANSE_EFFECT:
        cleanse(battle, one, log)
    return 0


@kernel
def blow(battle, one, effect, log) -> int:
    """Apply an ability's damage, which ignores Defense; returns the HP that the opponent lost."""
    other = opponent_of(battle, one)
    if not hits(battle, one, other, log):
        return 0
    damage = amount_of(one, effect, 0)
    if effect.source == codes.STAT_AMOUNT and is_critical(battle, one, other, log):
        damage = damage * 1.5
    return strike(battle, one, other, damage, log)


@kernel
def heal(battle, one, amount: float, log) -> None:
    """Heal a titan, up to full HP; no effect in sudden death (README, Sudden death)."""
    if is_sudden_death(battle):
        amount = 0.0
    before = one.hp
    one.hp = min(one.max_hp, half_up(before + amount))
    emit_heal(log, battle.tick, one.index, amount, before, one.hp)


@kernel
def raise_shield(battle, one, amount: float, log) -> None:
    """Add to a titan's shield."""
    one.shield = one.shield + amount
    emit_shield(log, battle.tick, one.index, amount, one.shield)


@kernel
def begin_change(battle, one, bearer, effect, log) -> None:
    """Start a stat change; one that is already active only lasts longer."""
    change = battle.changes[effect.change & codes.CHANGE_MASK]
    stat = change.stat & codes.STAT_MASK
    if not has_change(bearer, effect.change):
        bearer.active += 1
        bearer.sums[stat] += change.percent
        update_stat(bearer, stat)
    until = battle.tick + effect.rounds
    bearer.until[effect.change & codes.CHANGE_MASK] = until
    emit_change(log, battle.tick, one.index, bearer.index, stat, change.percent, until, bearer.sums[stat])


@kernel
def end_change(battle, bearer, index: int, by_time: int, log) -> None:
    """End a stat change."""
    change = battle.changes[index & codes.CHANGE_MASK]
    stat = change.stat & codes.STAT_MASK
    bearer.active -= 1
    bearer.until[index & codes.CHANGE_MASK] = 0
    bearer.sums[stat] -= change.percent
    update_stat(bearer, stat)
    emit_expire(log, battle.tick, bearer.index, stat, change.percent, by_time, bearer.sums[stat])


@kernel
def cleanse(battle, one, log) -> None:
    """End every change that lowers one of a titan's stats."""
    if one.active == 0:
        return
    for index in range(battle.change_count):
        if has_change(one, index) and battle.changes[index & codes.CHANGE_MASK].percent < 0:
            end_change(battle, one, index, 0, log)
