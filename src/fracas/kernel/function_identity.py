"""Computes the identity of a user's function: a hash of everything that its compiled form depends on."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from blake3 import blake3

# These are identified by name; their versions are part of the cache folder's name.
_KNOWN = ("builtins", "fracas", "math", "numba", "numpy")


class _Unknown(Exception):
    """A value whose content cannot be determined."""


def identity(function: Any) -> str | None:
    """A hash of a function's code and of every value that it reads; equal hashes compile to the same code.

    None if it reads something with unknown content, such as another module or a list.
    """
    parts: list[bytes] = []
    try:
        _add(function, parts, [])
    except _Unknown:
        return None
    return blake3(b"\0".join(parts)).hexdigest()


def _add(value: Any, parts: list[bytes], inside: list[Any]) -> None:
    """Append the identity of a value to a list of bytes.

    Raises:
        _Unknown: its content cannot be determined.
    """
    match value:
        case FunctionType() if not _is_known(value.__module__):
            parts.append(b"function")
            if value not in inside:
                _add_function(value, parts, [*inside, value])
        case FunctionType() | BuiltinFunctionType() | type() if _is_known(value.__module__):
            parts.append(f"{value.__module__}.{value.__qualname__}".encode())
        case ModuleType() if _is_known(value.__name__):
            parts.append(value.__name__.encode())
        case None | bool() | int() | float() | complex() | str() | bytes() | np.generic():
            parts.append(f"{type(value).__qualname__} {value!r}".encode())
        case tuple():
            parts.append(f"tuple {len(value)}".encode())
            for each in value:
                _add(each, parts, inside)
        case _:
            raise _Unknown


def _add_function(function: FunctionType, parts: list[bytes], inside: list[Any]) -> None:
    parts.append(marshal.dumps(function.__code__, 2))
    for name in sorted(set(_names(function.__code__))):
        # An attribute may share its name with a global; then the hash includes more than it needs.
        if name in function.__globals__:
            parts.append(name.encode())
            _add(function.__globals__[name], parts, inside)
    for cell in function.__closure__ or ():
        _add(cell.cell_contents, parts, inside)
    _add(function.__defaults__, parts, inside)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_known(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in _KNOWN
