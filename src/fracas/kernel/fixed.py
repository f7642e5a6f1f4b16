"""Deprecated location of the plug-in imports, removed in the next release. Import from `fracas.plugins.api`."""

from __future__ import annotations

import warnings

from fracas.kernel.integer_math import clamp as within_limits
from fracas.kernel.integer_math import floor_div as divided
from fracas.kernel.integer_math import percent

__all__ = [
    "divided",
    "percent",
    "within_limits",
]

warnings.warn(
    "fracas.kernel.fixed has moved: import from fracas.plugins.api. The old place goes with the next release.",
    DeprecationWarning,
    stacklevel=2,
)
