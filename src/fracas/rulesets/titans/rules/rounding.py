"""Round half up, and limit charge to its range."""

from __future__ import annotations

import math

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules.constants import MAX_CHARGE


@kernel
def half_up(value: float) -> int:
    """The nearest whole number; halves round up (README, Numbers)."""
    return math.floor(value + 0.5)


@kernel
def within_charge(charge: int) -> int:
    """A charge limited to 0 to 100 (README, Charge)."""
    return min(max(charge, 0), MAX_CHARGE)
