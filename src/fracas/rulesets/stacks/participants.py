"""Deprecated: import from `fracas.plugins.api` instead. The next release removes this module."""

from __future__ import annotations

import warnings

from fracas.rulesets.stacks.rules.participants import (
    can_harm,
    can_help,
    in_order,
    involved_at,
    is_living,
    is_meant_for,
    member_at,
    missing_health,
    participant_at,
    place_at,
    relation,
)

__all__ = [
    "can_harm",
    "can_help",
    "in_order",
    "involved_at",
    "is_living",
    "is_meant_for",
    "member_at",
    "missing_health",
    "participant_at",
    "place_at",
    "relation",
]

warnings.warn(
    "fracas.rulesets.stacks.participants has moved: import from fracas.plugins.api. This goes with the next release.",
    DeprecationWarning,
    stacklevel=2,
)
