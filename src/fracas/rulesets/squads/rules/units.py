"""Looks up units and abilities. The masks tell the compiler that an index is never negative, which saves a check.

The rules: squads/README.md, State.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.integer_math import percent
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules import constants as codes


@kernel
def unit_at(battle, index: int):
    """The unit at an index."""
    return battle.units[index & codes.LAST_SLOT]


@kernel
def ability_of(battle, order) -> Any:
    """The ability of an order."""
    return battle.abilities[order.ability & codes.ABILITY_MASK]


@kernel
def order_of(unit, choice: int):
    """A unit's order for one of its choices (README, A turn)."""
    order = unit.basic
    if choice == codes.ULTIMATE:
        order = unit.ultimate
    elif choice == codes.CLASS_ABILITY:
        order = unit.class_ability
    return order


@kernel
def current_attack(unit) -> int:
    """A unit's attack with attack up and attack down applied, truncated.

    README, Effects, attack up and attack down.
    """
    changed = unit.attack_up - unit.attack_down
    return unit.attack if changed == 0 else percent(unit.attack, 100 + changed)


@kernel
def extreme_share(battle, side_index: int, sign: int) -> int:
    """The index of a side's living unit with the lowest (sign 1) or highest (sign -1) share of its HP.

    docs/reference/conditions.md.
    """
    side = battle.sides[side_index]
    found = NOBODY
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0:
            if found == NOBODY:
                found = index
            else:
                best = unit_at(battle, found)
                if sign * unit.hp * best.max_hp < sign * best.hp * unit.max_hp:
                    found = index
    return found


@kernel
def reached_side(battle, unit, ability):
    """The side that an ability reaches (README, Reach and targets)."""
    return other_side(battle, unit) if ability.hostile else own_side(battle, unit)


@kernel
def reaches_one(ability) -> bool:
    """Whether an ability has a single target (README, Reach and targets)."""
    return ability.reach == codes.ONE_ENEMY or ability.reach == codes.ONE_ALLY or ability.reach == codes.ONESELF
