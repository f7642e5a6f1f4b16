"""All dice of titans: speed, hits, critical hits, attacks. titans/README.md, "The round". titans/README.md, Hits."""

from __future__ import annotations

from fracas.kernel.dice import TABLE, open_address, unit, unit_within
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.events import emit_attack, emit_critical, emit_hit, emit_speed
from fracas.rulesets.titans.rules.titan_stats import effective_defense, titan_at


@kernel
def roll_speeds(battle, log) -> int:
    """Roll speed for the player who acts first: the higher roll, player 1 on a tie.

    Changes: the titans' speed_roll.
    """
    open_address(battle.dice, battle.tick, TABLE)
    for index in range(codes.PLAYERS):
        one = titan_at(battle, index)
        speed = one.now[codes.SPEED_STAT]
        one.speed_roll = speed * unit(battle.dice)
        emit_speed(log, battle.tick, index, one.speed_roll, speed)
    return 0 if titan_at(battle, 0).speed_roll >= titan_at(battle, 1).speed_roll else 1


@kernel
def hit_chance(one, other) -> float:
    """The chance to hit: 0.8, plus Accuracy, minus the opponent's Evasion."""
    return min(max(0.8 + (one.now[codes.ACCURACY_STAT] - other.now[codes.EVASION_STAT]) / 100.0, 0.05), 0.95)


@kernel
def critical_chance(one) -> float:
    """The chance of a critical hit."""
    return one.now[codes.CRITICAL_STAT] / 100.0


@kernel
def hits(battle, one, other, log) -> bool:
    """Roll whether an attack or an ability's damage hits (README, option misses)."""
    if battle.options.misses == 0:
        return True
    chance = hit_chance(one, other)
    roll = unit_within(battle.dice, chance)
    emit_hit(log, battle.tick, one.index, other.index, roll, chance)
    return roll < chance


@kernel
def is_critical(battle, one, other, log) -> bool:
    """Roll whether a hit is critical (README, option criticals)."""
    if battle.options.criticals == 0:
        return False
    chance = critical_chance(one)
    roll = unit_within(battle.dice, chance)
    emit_critical(log, battle.tick, one.index, other.index, roll, chance)
    return roll < chance


@kernel
def roll_damage(battle, one, other, log) -> float:
    """The damage of an attack that hits: its value minus the effective defense, at least 0 (README, Attack)."""
    value = one.now[codes.ATTACK_STAT] * (1.0 + unit(battle.dice))
    defense = effective_defense(battle, other.now[codes.DEFENSE_STAT])
    if other.choice == codes.DEFEND:
        defense = defense * (1.5 + 0.5 * unit(battle.dice))
    emit_attack(log, battle.tick, one.index, other.index, value, defense)
    return max(0.0, value - defense)
