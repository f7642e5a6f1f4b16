"""Declares what is seen of a unit once: its entries for documents, and the kernel that writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.generated_source import run_source
from fracas.kernel.jit import kernel


class Seen(NamedTuple):
    """An entry of what is seen of a unit, and the expression that it is worked out with."""

    name: str
    meaning: str
    measure: str
    most: float
    """The most that it can be; the least is 0."""
    value: str
    """In Python, of the parameters of its kernel; true is 1."""
    is_fixed: bool = False
    """Whether it stays the same during a battle."""


def entry_writer(
    name: str, parameters: str, entries: Sequence[Seen], scope: Mapping[str, Any], *, is_fixed: bool
) -> Callable[..., None]:
    """The kernel `name(parameters, seen, place)` that writes the fixed or the changing entries from a place on.

    scope: what their values name besides the parameters.
    """
    lines = [f"def {name}({parameters}, seen, place):"]
    lines += [
        f"    seen[place + {number}] = {entry.value}"
        for number, entry in enumerate(entries)
        if entry.is_fixed == is_fixed
    ]
    function: Callable[..., None] = run_source("\n".join(lines) + "\n", {"__name__": __name__, **scope})[name]
    return kernel(function)
