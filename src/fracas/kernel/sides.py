"""Finds a fighter's own and opposing side. The masks tell the compiler that an index is never negative."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel


@kernel
def own_side(battle, fighter) -> Any:
    """The side that a fighter belongs to; `fighter.side` is 0 or 1.

    State, in the README.md of every ruleset with sides.
    """
    return battle.sides[fighter.side & 1]


@kernel
def other_side(battle, fighter) -> Any:
    """The side that a fighter opposes (State, in the README.md of every ruleset with sides)."""
    return battle.sides[1 - fighter.side & 1]
