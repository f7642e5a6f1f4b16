"""Asks the processor to load a record before it is played: thousands of records do not fit into its caches.

Plain Python does nothing here. The compiled form is in `prefetch_native.py`; WebAssembly modules do not step batches.
"""

from __future__ import annotations

from fracas.kernel.jit import native_implementation


@native_implementation("fracas.kernel.prefetch_native")
def prefetch(records, index: int, last: str) -> None:
    """Load the start of a record, up to the end of a field, and its dice without their words.

    records: (n,) of a record type with dice. index: any number below n. last: the name of a field.

    It changes speed alone.
    """
