"""Integer arithmetic that every ruleset shares. All values are non-negative unless a name says otherwise.

The rules: ARCHITECTURE.md.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel

LARGEST_VALUE = 10**9


@kernel
def percent(value: int, percentage: int) -> int:
    """`percentage` per cent of a value, truncated.

    Values are not negative, so `//` truncates.
    """
    return floor_div(value * percentage, 100)


@kernel
def floor_div(value: int, divisor: int) -> int:
    """Divide a non-negative value by a positive one, rounding down.

    The bound tells the compiler what the rules guarantee; without it every division handles negative values.
    """
    return max(value, 0) // divisor


@kernel
def clamp(value: int) -> int:
    """Limit a value to 0..10^9, as after every stage of damage or healing."""
    return min(max(value, 0), LARGEST_VALUE)
