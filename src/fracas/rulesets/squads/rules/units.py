"""Looks up units and abilities. The masks tell the compiler that an index is never negative, which saves a check."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.integer_math import percent
from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules.constants import ABILITY_MASK, LAST_SLOT, ONE_ALLY, ONE_ENEMY, ONESELF


@kernel
def unit_at(battle: Any, index: int) -> Any:
    """The unit at an index.

    Rule:    squads/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.units[index & LAST_SLOT]


@kernel
def ability_of(battle: Any, order: Any) -> Any:
    """The ability of an order.

    Rule:    squads/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.abilities[order.ability & ABILITY_MASK]


@kernel
def current_attack(unit: Any) -> int:
    """A unit's attack with attack up and attack down applied, truncated.

    Rule:    squads/README.md, Effects, attack up and attack down.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    changed = unit.attack_up - unit.attack_down
    return unit.attack if changed == 0 else percent(unit.attack, 100 + changed)


@kernel
def extreme_share(battle: Any, place: int, sign: int) -> int:
    """The index of a side's living unit with the lowest (sign 1) or highest (sign -1) share of its HP.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
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
def reaches_one(ability: Any) -> bool:
    """Whether an ability has a single target.

    Rule:    squads/README.md, Reach and targets.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = ability.reach == ONE_ENEMY or ability.reach == ONE_ALLY or ability.reach == ONESELF
    return answer
