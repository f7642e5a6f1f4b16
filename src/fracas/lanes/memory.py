"""Memory for the state of lanes, and how wide this machine's vectors are."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from fracas.lanes.operations import LANES

# Compiled code loads whole rows from addresses that are multiples of this.
ALIGNMENT = 64
_LEVELS = {"x86-64-v3": "+avx2", "x86-64-v4": "+avx2,+avx512bw"}


def aligned_records(kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array of one record of zeros, at an address that is a multiple of 64."""
    memory = np.zeros(kind.itemsize + ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + kind.itemsize].view(kind)


@cache
def vector_bits() -> int:
    """How many bits vectors of integers have where Numba compiles for this processor, or for the one it is told."""
    import llvmlite.binding as llvm

    chosen = os.environ.get("NUMBA_CPU_NAME", "")
    features = os.environ.get("NUMBA_CPU_FEATURES", "") + _LEVELS.get(chosen, "")
    if not features and chosen in ("", "native", llvm.get_host_cpu_name()):
        features = llvm.get_host_cpu_features().flatten()
    return 512 if "+avx512bw" in features else 256 if "+avx2" in features else 128


def kept_masks(count: int) -> tuple[str, type[np.unsignedinteger[Any]], tuple[int, ...]]:
    """The field `masks` of a state that reads and keeps masks often, in the form that this processor has them in."""
    return ("masks", np.uint64, (count,)) if vector_bits() >= 512 else ("masks", np.uint16, (count, LANES))
