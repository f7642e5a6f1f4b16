"""Effects other than damage: heals, shields, stuns and timed effects.

The rules: squads/README.md, Healing and shields, Effects.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.integer_math import clamp, percent
from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules.constants import (
    ALREADY_STUNNED,
    APPLIED,
    ATTACK_DOWN,
    ATTACK_UP,
    DAMAGE_OVER_TIME,
    EFFECT_EVENT,
    EXPIRE_EVENT,
    HEAL_EVENT,
    JUST_STUNNED,
    SHIELD,
    SHIELD_EVENT,
    STUN,
    SUFFER_EVENT,
    TAUNT,
    WEAKER,
)
from fracas.rulesets.squads.rules.damage import fall, power


@kernel
def heal(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Restore HP: power times the environment's healing, at least 1, at most what is missing.

    Rule:    squads/README.md, Healing and shields.
    Changes: target.hp.
    Draws:   none.
    Emits:   POWER, HEAL.
    """
    value = max(1, clamp(percent(power(battle, unit, effect, log), unit.healing_pct)))
    restored = min(value, target.max_hp - target.hp)
    target.hp += restored
    if log is not None:
        emit(log, battle.tick, HEAL_EVENT, unit.index, target.index, value, unit.healing_pct, restored, target.hp)


@kernel
def raise_shield(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Give a shield; it replaces an existing one only if its pool is larger.

    Rule:    squads/README.md, Healing and shields.
    Changes: target.shield, target.shield_until, battle.next_expiry.
    Draws:   none.
    Emits:   POWER, SHIELD.
    """
    pool = clamp(percent(power(battle, unit, effect, log), unit.healing_pct))
    verdict = WEAKER
    if pool > target.shield:
        target.shield = pool
        target.shield_until = battle.tick + effect.rounds
        expect_expiry(battle, target.shield_until)
        verdict = APPLIED
    if log is not None:
        emit(
            log, battle.tick, SHIELD_EVENT, unit.index, target.index, pool, target.shield, target.shield_until, verdict
        )


@kernel
def stun(battle: Any, unit: Any, target: Any, log: Any) -> None:
    """Stun a unit so that it loses its next action, unless it is stunned already or has just lost one.

    Rule:    squads/README.md, Effects, stun.
    Changes: target.stunned.
    Draws:   none.
    Emits:   EFFECT.
    """
    verdict = APPLIED
    if target.stunned:
        verdict = ALREADY_STUNNED
    elif target.just_stunned:
        verdict = JUST_STUNNED
    else:
        target.stunned = 1
    if log is not None:
        emit(log, battle.tick, EFFECT_EVENT, unit.index, target.index, STUN, 0, 0, verdict)


@kernel
def wound(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Apply damage over time, its amount fixed now; it replaces existing damage over time if at least as large.

    Rule:    squads/README.md, Effects, damage over time.
    Changes: target.wound, target.wound_strikes, target.wound_source, battle.wounded_until, battle.next_expiry.
    Draws:   none.
    Emits:   POWER, EFFECT.
    """
    amount = power(battle, unit, effect, log)
    last = battle.tick + effect.rounds - 1
    verdict = WEAKER
    if amount >= target.wound:
        target.wound = amount
        target.wound_strikes = effect.rounds
        target.wound_source = unit.index
        battle.wounded_until = max(battle.wounded_until, last)
        expect_expiry(battle, last)
        verdict = APPLIED
    if log is not None:
        emit(log, battle.tick, EFFECT_EVENT, unit.index, target.index, DAMAGE_OVER_TIME, amount, last, verdict)


@kernel
def alter(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Raise or lower a unit's attack, or make it taunt.

    Rule:    squads/README.md, Effects: attack up, attack down, taunt.
    Changes: the target's attack_up, attack_down or taunt_until, battle.next_expiry.
    Draws:   none.
    Emits:   EFFECT.
    """
    until = battle.tick + effect.rounds
    verdict = APPLIED
    if effect.kind == ATTACK_UP and effect.percentage >= target.attack_up:
        target.attack_up = effect.percentage
        target.attack_up_until = until
    elif effect.kind == ATTACK_DOWN and effect.percentage >= target.attack_down:
        target.attack_down = effect.percentage
        target.attack_down_until = until
    elif effect.kind == TAUNT:
        target.taunt_until = max(until, target.taunt_until)
    else:
        verdict = WEAKER
    expect_expiry(battle, until)
    if log is not None:
        emit(log, battle.tick, EFFECT_EVENT, unit.index, target.index, effect.kind, effect.percentage, until, verdict)


@kernel
def suffer(battle: Any, unit: Any, log: Any) -> None:
    """Damage over time strikes: it bypasses defense and shield and gives no charge.

    Rule:    squads/README.md, Effects, damage over time.
    Changes: the unit.
    Draws:   none.
    Emits:   SUFFER, FALL.
    """
    lost = min(unit.wound, unit.hp)
    unit.hp -= lost
    unit.wound_strikes -= 1
    if log is not None:
        left = unit.wound_strikes
        emit(log, battle.tick, SUFFER_EVENT, unit.wound_source, unit.index, unit.wound, lost, unit.hp, left)
    if unit.hp == 0:
        fall(battle, unit.wound_source, unit, log)


@kernel
def expire_effects(battle: Any, unit: Any, log: Any) -> None:
    """End the effects of a unit whose last round this was.

    Rule:    squads/README.md, Round end.
    Changes: the unit, battle.next_expiry.
    Draws:   none.
    Emits:   EXPIRE for shield, attack up, attack down, taunt, damage over time, in that order.
    """
    if unit.shield > 0 and has_ended(battle, unit.shield_until):
        unit.shield = 0
        unit.shield_until = 0
        announce_expiry(battle, unit, SHIELD, log)
    if unit.attack_up > 0 and has_ended(battle, unit.attack_up_until):
        unit.attack_up = 0
        announce_expiry(battle, unit, ATTACK_UP, log)
    if unit.attack_down > 0 and has_ended(battle, unit.attack_down_until):
        unit.attack_down = 0
        announce_expiry(battle, unit, ATTACK_DOWN, log)
    if unit.taunt_until > 0 and has_ended(battle, unit.taunt_until):
        unit.taunt_until = 0
        announce_expiry(battle, unit, TAUNT, log)
    if unit.wound > 0 and has_ended(battle, battle.tick + unit.wound_strikes):
        unit.wound = 0
        announce_expiry(battle, unit, DAMAGE_OVER_TIME, log)


@kernel
def has_ended(battle: Any, last: int) -> bool:
    """Whether this was an effect's last round; if not, note its expiry.

    Rule:    squads/README.md, Round end.
    Changes: battle.next_expiry.
    Draws:   none.
    Emits:   nothing.
    """
    if last > battle.tick:
        expect_expiry(battle, last)
        return False
    return True


@kernel
def expect_expiry(battle: Any, last: int) -> None:
    """Note the first round at whose end an effect expires, so that earlier rounds can skip the search.

    Rule:    squads/README.md, Round end.
    Changes: battle.next_expiry.
    Draws:   none.
    Emits:   nothing.
    """
    battle.next_expiry = min(battle.next_expiry, last)


@kernel
def announce_expiry(battle: Any, unit: Any, effect: int, log: Any) -> None:
    """Log that an effect has run out.

    Rule:    squads/README.md, Round end.
    Changes: nothing.
    Draws:   none.
    Emits:   EXPIRE.
    """
    if log is not None:
        emit(log, battle.tick, EXPIRE_EVENT, NOBODY, unit.index, effect, 1, 0, 0)
