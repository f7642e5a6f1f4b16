"""Comparing records field by field, never over padding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

# Which blocks of words happen to be filled cannot be seen from outside; what was asked of the dice can.
UNSEEN = frozenset({"dice"})


def differences(first: Any, second: Any, path: str = "") -> Iterator[str]:
    """The paths at which two records of one type differ."""
    if first.dtype.names is None:
        if not np.array_equal(first, second):
            yield f"{path}: {np.asarray(first).tolist()} and {np.asarray(second).tolist()}"
        return
    for name in first.dtype.names:
        if name not in UNSEEN:
            yield from _field_differences(first[name], second[name], f"{path}.{name}" if path else name)


def _field_differences(first: Any, second: Any, path: str) -> Iterator[str]:
    if first.tobytes() == second.tobytes():
        return
    if first.dtype.names is not None and first.shape:
        for place in range(len(first)):
            yield from differences(first[place], second[place], f"{path}.{place}")
    else:
        yield from differences(first, second, path)
