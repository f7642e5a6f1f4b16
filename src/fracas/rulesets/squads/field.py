"""Who stands where. The masks tell the compiler that an index is never negative, which saves a test at every access."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.squads.constants import ABILITY_MASK, LAST_SLOT


@kernel
def unit_at(battle: Any, index: int) -> Any:
    """The unit with an index.

    Rule:    README, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.units[index & LAST_SLOT]


@kernel
def own_side(battle: Any, unit: Any) -> Any:
    """The side that a unit belongs to.

    Rule:    README, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.sides[unit.side & 1]


@kernel
def other_side(battle: Any, unit: Any) -> Any:
    """The side that a unit fights.

    Rule:    README, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.sides[1 - unit.side & 1]


@kernel
def ability_of(battle: Any, order: Any) -> Any:
    """The ability that an order is about.

    Rule:    README, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.abilities[order.ability & ABILITY_MASK]
