"""Narrows battle records to shorter arrays, so that thousands of battles fit in memory side by side.

Kernels do not depend on the lengths of a record's arrays, so they play a narrow record like a wide one, if it has room
for all of its content.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fracas.kernel.records import Field, record


def narrowed(kind: np.dtype[Any], lengths: Mapping[str, int], path: str = "") -> np.dtype[Any]:
    """The same record type with shorter arrays.

    lengths: the new length of an array's first dimension, by its path: `steps`, `policies.rules`.
    """
    fields: list[Field] = []
    for name in kind.names or ():
        base, shape = kind[name].subdtype or (kind[name], ())
        where = f"{path}{name}"
        if base.names is not None:
            base = narrowed(base, lengths, f"{where}.")
        if where in lengths:
            shape = (min(lengths[where], shape[0]), *shape[1:])
        fields.append((name, base, shape) if shape else (name, base))
    return record(*fields)


def narrow_copies(records: np.ndarray[Any, Any], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Copy records to a type with shorter arrays, dropping entries beyond the new ends."""
    copies = np.zeros(records.shape, kind)
    _copy(records, copies)
    return copies


def _copy(source: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> None:
    if target.dtype.names is None:
        target[...] = source
        return
    for name in target.dtype.names:
        wide, narrow = source[name], target[name]
        part = tuple(slice(length) for length in narrow.shape)
        _copy(wide[part], narrow)
