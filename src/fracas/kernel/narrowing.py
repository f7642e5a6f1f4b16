"""Battle records with shorter arrays: thousands of battles side by side need each to be small.

Kernels do not know how long the arrays of a record are, so they play a narrow record as they play a wide one, as long
as everything that its content uses fits in.
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
    """Records as a type with shorter arrays; what lies beyond an array's new end is left out."""
    copies = np.zeros(records.shape, kind)
    _copy(records, copies)
    return copies


def _copy(source: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> None:
    if target.dtype.names is None:
        target[...] = source
        return
    for name in target.dtype.names:
        wide, narrow = source[name], target[name]
        kept = tuple(slice(length) for length in narrow.shape)
        _copy(wide[kept], narrow)
