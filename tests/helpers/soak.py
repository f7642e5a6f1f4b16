"""How much random tests play: enough to notice a fault in every run, a multiple of it in a soak (scripts/soak)."""

from __future__ import annotations

import os


def is_on() -> bool:
    """Whether this is a soak."""
    return "FRACAS_SOAK" in os.environ


def times(usual: int) -> int:
    """The usual number of examples, or in a soak FRACAS_SOAK times as many."""
    return usual * int(os.environ.get("FRACAS_SOAK", "1"))
