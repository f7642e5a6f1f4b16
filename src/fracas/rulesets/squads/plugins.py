"""Damage stages that users add: `stage(battle, actor, target, value) -> value`, a plain function in a file of theirs.

    battle   the battle's record (state.py); read it, never write it
    actor    index of the attacking unit (0-15)
    target   index of the unit that is struck (0-15)
    value    the damage so far, 0..10^9

It returns the damage after the stage; the engine clamps it to 0..10^9. It may take words from `battle.dice`.
"""

from __future__ import annotations

from typing import Any

from fracas.rulesets.squads.state import battle_t


def leave_unchanged(battle: Any, actor: int, target: int, value: int) -> int:
    """The stage that fills the places that no plug-in uses."""
    return value


def damage_stage_signature() -> Any:
    """The Numba signature of a damage stage; imports Numba."""
    import numba
    from numba import types

    return types.int64(numba.from_dtype(battle_t), types.int64, types.int64, types.int64)
