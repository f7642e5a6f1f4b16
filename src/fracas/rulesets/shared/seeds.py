"""Turn seed texts into dice keys and documents into fingerprints."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from blake3 import blake3


def key_words(seed: str) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The dice key of a seed text: its blake3 hash as eight little-endian words (docs/reference/dice.md)."""
    return np.frombuffer(blake3(seed.encode()).digest(), dtype="<u4").astype(np.uint32)


def fingerprint(document: Any) -> str:
    """A hash of plain values that does not depend on the order of keys, as 64 hex digits."""
    return blake3(msgspec.json.encode(document, order="sorted")).hexdigest()
