"""How a study says how far it is."""

from __future__ import annotations

from collections.abc import Callable

# What is done, of how many, and what comes next.
Steps = Callable[[int, int, str], None]
