"""Play a few battles of a scenario to find out, for a lint rule, whether any of them is decided."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from fracas.rulesets.contract.types import Compiled


def all_end_with(
    reasons: Collection[int],
    compiled: Compiled,
    play_many: Callable[..., Any],
    result_type: np.dtype[Any],
    tries: int,
) -> bool:
    """Whether the battles 0 to tries - 1 all end for one of these reasons."""
    result = np.zeros(1, result_type)
    for stream in range(tries):
        play_many(compiled.record, stream, result, None, compiled.functions)
        if result[0]["reason"] not in reasons:
            return False
    return True
