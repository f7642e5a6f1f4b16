"""How much random tests play: enough to notice a fault in every run, a multiple of it in a soak (scripts/soak)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def is_on() -> bool:
    """Whether this is a soak."""
    return "FRACAS_SOAK" in os.environ


# A test that the check leaves out, because others find the same kind of fault in less time.
only = pytest.mark.skipif(not is_on(), reason="in soaks only: scripts/soak/long_tests.py")


def some(cases: Sequence[Case], count: int) -> Sequence[Case]:
    """So many of the cases, evenly spread; in a soak all."""
    return cases if is_on() else [cases[place * len(cases) // count] for place in range(count)]


def views(*widths: int) -> list[tuple[int, str]]:
    """Widths of a window and schemes to look at a page in: the narrowest dark and the next light, in a soak all."""
    every = [(width, scheme) for width in widths for scheme in ("light", "dark")]
    return every if is_on() else [(widths[0], "dark"), (widths[1], "light")]


def times(usual: int) -> int:
    """The usual number of examples, or in a soak FRACAS_SOAK times as many."""
    return usual * int(os.environ.get("FRACAS_SOAK", "1"))
