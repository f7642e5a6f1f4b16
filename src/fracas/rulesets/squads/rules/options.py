"""The rule options that are words and numbers, declared once: files check them so, and the record has their fields.

A word's number in the record is its place among the words here; constants.py names those numbers.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le

from fracas.kernel.records import record
from fracas.rulesets.squads.rules.constants import LARGEST_ROUND_CAP, MAX_CHARGE

PerCent = Annotated[int, Ge(0), Le(100)]
Charge = Annotated[int, Ge(0), Le(MAX_CHARGE)]


class RuleOptions:
    """The rule options that the rules read."""

    round_cap: Annotated[int, Ge(1), Le(LARGEST_ROUND_CAP)]
    """Rounds until the HP left decide."""
    healer_threshold: PerCent
    """An unconfigured heal needs a living ally below this per cent of HP."""
    healer_fallback: Literal["unless_configured", "always"]
    """always: healers heal even if their condition does not hold."""
    ultimate_rule: Literal["charge", "cooldown"]
    """Whether ultimates need charge, or are ready from the start and cool down after use."""
    charge_action: Charge
    """Charge for a class ability or basic attack."""
    charge_hit: Charge
    """Charge for a hit that takes HP."""
    cap_tie: Literal["draw", "side1"]
    """Who wins with equal HP at the cap."""


options_t = record(*((name, np.int64) for name in RuleOptions.__annotations__))
