"""The event log: int32 rows of `tick, kind, actor, target, a, b, c, d` in a record of fixed capacity."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import kernel
from fracas.kernel.records import record

COLUMNS = ("tick", "kind", "actor", "target", "a", "b", "c", "d")
NOBODY = -1

SOUND, FULL, MISFIT = 0, 1, 2
# A bit of a result's fault, above the log's: a plug-in asked for more than there is room for.
PLUGIN_FAULT = 1 << 16

_INT32_OFFSET = 1 << 31


def log_type(capacity: int) -> np.dtype[Any]:
    """The record type of a log that holds `capacity` rows."""
    return record(("count", np.int64), ("fault", np.int64), ("rows", np.int32, (capacity, len(COLUMNS))))


@kernel
def emit(log, tick: int, kind: int, actor: int, target: int, a: int, b: int, c: int, d: int) -> None:
    """Append one event; a full log or a number beyond int32 is recorded as a fault (ARCHITECTURE.md, Invariants)."""
    if log.count < 0 or log.count >= len(log.rows):
        log.fault = FULL
        return
    if (a | b | c | d) >> 31 != 0:
        reach = (a + _INT32_OFFSET) | (b + _INT32_OFFSET) | (c + _INT32_OFFSET) | (d + _INT32_OFFSET)
        if reach >> 32 != 0:
            log.fault = MISFIT
            return
    row = log.count
    log.rows[row, 0] = tick
    log.rows[row, 1] = kind
    log.rows[row, 2] = actor
    log.rows[row, 3] = target
    log.rows[row, 4] = a
    log.rows[row, 5] = b
    log.rows[row, 6] = c
    log.rows[row, 7] = d
    log.count = row + 1


@kernel
def low_half(value: float) -> int:
    """The low 32 bits of a double, as a number with a sign: a double takes two columns."""
    return (_bits_of(value) & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


@kernel
def high_half(value: float) -> int:
    """The high 32 bits of a double, as a number with a sign."""
    return _bits_of(value) >> 32


@kernel
def _bits_of(value: float) -> int:
    """The 64 bits of a double as one number."""
    return np.float64(value).view(np.int64)  # type: ignore[return-value]  # NumPy's integers are ints to kernels
