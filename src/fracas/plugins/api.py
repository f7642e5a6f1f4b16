"""What plug-ins import: helpers of the rules, under names that stay stable when modules move.

Your plug-in's functions can call everything here, plain and compiled. A helper function of your own needs `@kernel`.
"""

from __future__ import annotations

from fracas.kernel.dice import between, d100, unit
from fracas.kernel.integer_math import clamp, floor_div, percent
from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.participants import (
    can_harm,
    can_help,
    in_order,
    is_living,
    missing_health,
    participant_at,
    place_at,
    relation,
)
from fracas.rulesets.stacks.rules.rolls import (
    damage_roll,
    hit_value,
    hits,
    lose_health,
    own_roll,
    put,
    raised_value,
    regain_health,
    score,
)

__all__ = [
    "between",
    "can_harm",
    "can_help",
    "clamp",
    "d100",
    "damage_roll",
    "floor_div",
    "hit_value",
    "hits",
    "in_order",
    "is_living",
    "kernel",
    "lose_health",
    "missing_health",
    "own_roll",
    "participant_at",
    "percent",
    "place_at",
    "put",
    "raised_value",
    "regain_health",
    "relation",
    "score",
    "unit",
]
