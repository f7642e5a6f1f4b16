"""Narrows battle records to shorter arrays and smaller numbers: thousands of battles then fit in memory side by side.

Kernels do not depend on the lengths of a record's arrays, so they play a narrow record like a wide one, if it has room
for all of its content. Compiled code computes in 64 bits whatever the size of a number in memory; NumPy does not, so
plain Python plays only records whose numbers are as wide as ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fracas.kernel.records import Field, narrow_record, record

_NONE: Mapping[str, Any] = {}


def narrowed(
    kind: np.dtype[Any], lengths: Mapping[str, int], integers: Mapping[str, Any] = _NONE, path: str = ""
) -> np.dtype[Any]:
    """The same record type with shorter arrays and smaller integers.

    lengths: the new length of an array's first dimension, by its path: `steps`, `policies.rules`. integers: the type
    that the int64 numbers of a field get, of all numbers in it if it is a record: `skills`, `units.costs`.
    """
    fields: list[Field] = []
    for name in kind.names or ():
        base, shape = kind[name].subdtype or (kind[name], ())
        where = f"{path}{name}"
        if base.names is not None:
            base = narrowed(base, lengths, _below(integers, name), f"{where}.")
        elif base == np.int64:
            base = np.dtype(integers.get(name, integers.get("", base)))
        if where in lengths:
            shape = (min(lengths[where], shape[0]), *shape[1:])
        fields.append((name, base, shape) if shape else (name, base))
    return narrow_record(*fields) if integers else record(*fields, forbidden=frozenset())


def _below(integers: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The entries for a field that is a record, by the names in it; "" stands for all of them."""
    inner = {path.removeprefix(f"{name}."): kind for path, kind in integers.items() if path.startswith(f"{name}.")}
    whole = integers.get(name, integers.get(""))
    return inner if whole is None else {"": whole, **inner}


def narrow_copies(records: np.ndarray[Any, Any], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Copy records to a type made by `narrowed`, dropping entries beyond the new ends."""
    copies = np.zeros(records.shape, kind)
    _copy(records, copies)
    return copies


def keeps_numbers(records: np.ndarray[Any, Any], kind: np.dtype[Any]) -> bool:
    """Whether all numbers within the arrays of a type made by `narrowed` are the same in it."""
    return _is_same(records, narrow_copies(records, kind))


def has_all_widths(kind: np.dtype[Any], wide: np.dtype[Any]) -> bool:
    """Whether the numbers of a type made by `narrowed` from `wide` are as wide as there."""
    pairs = [(kind[name].base, wide[name].base) for name in wide.names or ()]
    return all(mine == other if other.names is None else has_all_widths(mine, other) for mine, other in pairs)


def _copy(source: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> None:
    if target.dtype.names is None:
        target[...] = source
        return
    for name in target.dtype.names:
        _copy(_within(source[name], target[name]), target[name])


def _is_same(source: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> bool:
    if target.dtype.names is None:
        return np.array_equal(source, target)
    return all(_is_same(_within(source[name], target[name]), target[name]) for name in target.dtype.names)


def _within(wide: np.ndarray[Any, Any], narrow: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return wide[tuple(slice(length) for length in narrow.shape)]
