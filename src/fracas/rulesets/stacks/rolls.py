"""Deprecated: import from `fracas.plugins.api` instead. The next release removes this module."""

from __future__ import annotations

import warnings

from fracas.rulesets.stacks.rules.rolls import (
    begin_making,
    damage_roll,
    damage_roll_in_ways,
    hit_value,
    hits,
    keep_roll,
    lose_health,
    own_roll,
    put,
    raised_value,
    regain_health,
    score,
)

__all__ = [
    "begin_making",
    "damage_roll",
    "damage_roll_in_ways",
    "hit_value",
    "hits",
    "keep_roll",
    "lose_health",
    "own_roll",
    "put",
    "raised_value",
    "regain_health",
    "score",
]

warnings.warn(
    "fracas.rulesets.stacks.rolls has moved: import from fracas.plugins.api. The old place goes with the next release.",
    DeprecationWarning,
    stacklevel=2,
)
