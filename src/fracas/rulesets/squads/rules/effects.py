"""Effects other than damage: heals, shields, stuns and timed effects.

The rules: squads/README.md, Healing and shields, Effects; Round end.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.integer_math import clamp, percent
from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.damage import fall, power
from fracas.rulesets.squads.rules.events import emit_effect, emit_expire, emit_heal, emit_shield, emit_suffer


@kernel
def clear_effects(unit) -> None:
    """Leave a unit without any effect."""
    unit.shield = 0
    unit.shield_until = 0
    unit.attack_up = 0
    unit.attack_up_until = 0
    unit.attack_down = 0
    unit.attack_down_until = 0
    unit.taunt_until = 0
    unit.stunned = 0
    unit.just_stunned = 0
    unit.wound = 0
    unit.wound_strikes = 0
    unit.wound_source = NOBODY


@kernel
def heal(battle, unit, target, effect, log) -> None:
    """Restore HP: power times the environment's healing, at least 1, at most what is missing."""
    value = max(1, clamp(percent(power(battle, unit, effect, log), unit.healing_pct)))
    restored = min(value, target.max_hp - target.hp)
    target.hp += restored
    emit_heal(log, battle.tick, unit.index, target.index, value, unit.healing_pct, restored, target.hp)


@kernel
def raise_shield(battle, unit, target, effect, log) -> None:
    """Give a shield; it replaces an existing one only if its pool is larger."""
    pool = clamp(percent(power(battle, unit, effect, log), unit.healing_pct))
    outcome = codes.WEAKER
    if pool > target.shield:
        target.shield = pool
        target.shield_until = battle.tick + effect.rounds
        outcome = codes.APPLIED
    emit_shield(log, battle.tick, unit.index, target.index, pool, target.shield, target.shield_until, outcome)


@kernel
def stun(battle, unit, target, log) -> None:
    """Stun a unit so that it loses its next action, unless it is stunned already or has just lost one."""
    outcome = codes.APPLIED
    if target.stunned:
        outcome = codes.ALREADY_STUNNED
    elif target.just_stunned:
        outcome = codes.JUST_STUNNED
    else:
        target.stunned = 1
    emit_effect(log, battle.tick, unit.index, target.index, codes.STUN, 0, 0, outcome)


@kernel
def add_dot(battle, unit, target, effect, log) -> None:
    """Apply damage over time, its amount fixed now; it replaces existing damage over time if at least as large."""
    amount = power(battle, unit, effect, log)
    last = battle.tick + effect.rounds - 1
    outcome = codes.WEAKER
    if amount >= target.wound:
        target.wound = amount
        target.wound_strikes = effect.rounds
        target.wound_source = unit.index
        outcome = codes.APPLIED
    emit_effect(log, battle.tick, unit.index, target.index, codes.DAMAGE_OVER_TIME, amount, last, outcome)


@kernel
def apply_timed(battle, unit, target, effect, log) -> None:
    """Raise or lower a unit's attack, or make it taunt, for a number of rounds."""
    until = battle.tick + effect.rounds
    outcome = codes.APPLIED
    if effect.kind == codes.ATTACK_UP and effect.percentage >= target.attack_up:
        target.attack_up = effect.percentage
        target.attack_up_until = until
    elif effect.kind == codes.ATTACK_DOWN and effect.percentage >= target.attack_down:
        target.attack_down = effect.percentage
        target.attack_down_until = until
    elif effect.kind == codes.TAUNT:
        target.taunt_until = max(until, target.taunt_until)
    else:
        outcome = codes.WEAKER
    emit_effect(log, battle.tick, unit.index, target.index, effect.kind, effect.percentage, until, outcome)


@kernel
def tick_dot(battle, unit, log) -> None:
    """Damage over time strikes: it bypasses defense and shield and gives no charge."""
    lost = min(unit.wound, unit.hp)
    unit.hp -= lost
    unit.wound_strikes -= 1
    emit_suffer(log, battle.tick, unit.wound_source, unit.index, unit.wound, lost, unit.hp, unit.wound_strikes)
    if unit.hp == 0:
        fall(battle, unit.wound_source, unit, log)


@kernel
def expire_effects(battle, unit, log) -> None:
    """End the effects of a unit whose last round this was."""
    if unit.shield > 0 and unit.shield_until <= battle.tick:
        unit.shield = 0
        unit.shield_until = 0
        emit_expire(log, battle.tick, unit.index, codes.SHIELD, 1)
    if unit.attack_up > 0 and unit.attack_up_until <= battle.tick:
        unit.attack_up = 0
        emit_expire(log, battle.tick, unit.index, codes.ATTACK_UP, 1)
    if unit.attack_down > 0 and unit.attack_down_until <= battle.tick:
        unit.attack_down = 0
        emit_expire(log, battle.tick, unit.index, codes.ATTACK_DOWN, 1)
    if unit.taunt_until > 0 and unit.taunt_until <= battle.tick:
        unit.taunt_until = 0
        emit_expire(log, battle.tick, unit.index, codes.TAUNT, 1)
    if unit.wound > 0 and unit.wound_strikes == 0:
        unit.wound = 0
        emit_expire(log, battle.tick, unit.index, codes.DAMAGE_OVER_TIME, 1)
