"""`rule` and `fact`: functions of records that are played as they are, and compiled as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from fracas.kernel.jit import kernel

Function = TypeVar("Function", bound=Callable[..., Any])

# What a fact's function is marked with: the kind of number that it answers.
FACT = "__kit_fact__"


def rule(function: Function) -> Function:
    """Mark a function of a game: compiled code may call it, and it counts for the rules hash."""
    return kernel(function)


@overload
def fact(kind: Function) -> Function: ...
@overload
def fact(kind: str = ...) -> Callable[[Function], Function]: ...
def fact(kind: Any = "number") -> Any:
    """Mark a rule that answers one number of a unit or a side, which conditions in files may ask for by its name.

    kind: `number`, `percent` or `truth`.
    """

    def mark(function: Function) -> Function:
        setattr(function, FACT, kind if isinstance(kind, str) else "number")
        return kernel(function)

    return mark if isinstance(kind, str) else mark(kind)
