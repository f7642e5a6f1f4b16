"""Asks the processor to load a record before it is played: thousands of records do not fit into its caches.

Plain Python does nothing here. The compiled form is in `prefetch_native.py`.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import native_implementation


@native_implementation("fracas.kernel.prefetch_native")
def prefetch(records: Any, place: int) -> None:
    """Load the start of a record, up to the words of its dice, into the processor's caches.

    records: (n,) of a record type. place: any number below n.

    Rule:    none; it changes speed alone.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
