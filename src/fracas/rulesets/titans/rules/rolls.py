"""All dice of titans: speed, hits, critical hits, attacks. titans/README.md, "The round"."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import TABLE, open_address, unit, unit_within
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules.constants import (
    ACCURACY_STAT,
    ATTACK_EVENT,
    ATTACK_STAT,
    CRITICAL_EVENT,
    CRITICAL_STAT,
    DEFEND,
    DEFENSE_STAT,
    EVASION_STAT,
    HIT_EVENT,
    PLAYERS,
    SPEED_EVENT,
    SPEED_STAT,
)
from fracas.rulesets.titans.rules.titan_stats import effective_defense, high_half, low_half, titan_at


@kernel
def roll_speeds(battle: Any, log: Any) -> int:
    """Roll speed for the player who acts first: the higher roll, player 1 on a tie.

    Rule:    titans/README.md, The round, step 4.
    Changes: the titans' speed_roll.
    Draws:   opens (round, table); unit() for each player.
    Emits:   SPEED for each player.
    """
    open_address(battle.dice, battle.tick, TABLE)
    for index in range(PLAYERS):
        one = titan_at(battle, index)
        speed = one.now[SPEED_STAT]
        one.speed_roll = speed * unit(battle.dice)
        if log is not None:
            halves = low_half(one.speed_roll), high_half(one.speed_roll)
            emit(log, battle.tick, SPEED_EVENT, index, NOBODY, halves[0], halves[1], low_half(speed), high_half(speed))
    return 0 if titan_at(battle, 0).speed_roll >= titan_at(battle, 1).speed_roll else 1


@kernel
def hit_chance(one: Any, other: Any) -> float:
    """The chance to hit: 0.8, plus Accuracy, minus the opponent's Evasion.

    Rule:    titans/README.md, Hits.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return min(max(0.8 + (one.now[ACCURACY_STAT] - other.now[EVASION_STAT]) / 100.0, 0.05), 0.95)


@kernel
def critical_chance(one: Any) -> float:
    """The chance of a critical hit.

    Rule:    titans/README.md, Hits.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return one.now[CRITICAL_STAT] / 100.0


@kernel
def hits(battle: Any, one: Any, other: Any, log: Any) -> bool:
    """Roll whether an attack or an ability's damage hits.

    Rule:    titans/README.md, Hits; option misses.
    Changes: the dice.
    Draws:   unit(), if blows can miss.
    Emits:   HIT, if blows can miss.
    """
    if battle.options.misses == 0:
        return True
    chance = hit_chance(one, other)
    roll = unit_within(battle.dice, chance)
    tell_roll(battle, one, other, HIT_EVENT, roll, chance, log)
    return roll < chance


@kernel
def is_critical(battle: Any, one: Any, other: Any, log: Any) -> bool:
    """Roll whether a hit is critical.

    Rule:    titans/README.md, Hits; option criticals.
    Changes: the dice.
    Draws:   unit(), if there are critical hits.
    Emits:   CRITICAL, if there are critical hits.
    """
    if battle.options.criticals == 0:
        return False
    chance = critical_chance(one)
    roll = unit_within(battle.dice, chance)
    tell_roll(battle, one, other, CRITICAL_EVENT, roll, chance, log)
    return roll < chance


@kernel
def tell_roll(battle: Any, one: Any, other: Any, kind: int, first: float, second: float, log: Any) -> None:
    """Write an event row with two doubles about a titan and its opponent.

    Rule:    titans/README.md, Event rows.
    Changes: nothing.
    Draws:   none.
    Emits:   a row of the given kind.
    """
    if log is not None:
        halves = low_half(second), high_half(second)
        emit(log, battle.tick, kind, one.index, other.index, low_half(first), high_half(first), halves[0], halves[1])


@kernel
def roll_damage(battle: Any, one: Any, other: Any, log: Any) -> float:
    """The damage of an attack that hits: its value minus the effective defense, at least 0.

    Rule:    titans/README.md, Attack.
    Changes: the dice.
    Draws:   unit(), then unit() if the opponent chose to defend.
    Emits:   ATTACK.
    """
    value = one.now[ATTACK_STAT] * (1.0 + unit(battle.dice))
    defense = effective_defense(battle, other.now[DEFENSE_STAT])
    if other.choice == DEFEND:
        defense = defense * (1.5 + 0.5 * unit(battle.dice))
    tell_roll(battle, one, other, ATTACK_EVENT, value, defense, log)
    return max(0.0, value - defense)
