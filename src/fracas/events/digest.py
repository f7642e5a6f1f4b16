"""Canonical bytes and digests: blake3 over little-endian int32 rows, for a whole battle and for each of its ticks."""

from __future__ import annotations

from typing import Any

import numpy as np
from blake3 import blake3

Rows = np.ndarray[Any, np.dtype[Any]]


def canonical_bytes(rows: Rows) -> bytes:
    """The rows in the form that is hashed: int32, little-endian, row by row."""
    return np.ascontiguousarray(rows, dtype="<i4").tobytes()


def digest(rows: Rows) -> str:
    """The digest of all rows, as 64 hex digits."""
    return blake3(canonical_bytes(rows)).hexdigest()


def tick_digests(rows: Rows) -> dict[int, str]:
    """The digest of each tick's own rows."""
    ticks = rows[:, 0]
    return {int(tick): digest(rows[ticks == tick]) for tick in np.unique(ticks)}
