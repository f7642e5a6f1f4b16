"""Tells whether a battle has a rule option that lanes do not know, so that the rules play it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from fracas.kernel.generated_source import run_source
from fracas.kernel.jit import kernel


def options_beyond(options: np.dtype[Any], known: Collection[str]) -> Callable[[Any], bool]:
    """The kernel `has_unknown_option(options)`: whether an option besides the `known` ones is not 0.

    So an option that came after lanes should be 0 where nothing is different.
    """
    unknown = [name for name in options.names or () if name not in known]
    source = " or ".join(f"options.{name} != 0" for name in unknown) or "False"
    scope = run_source(f"def has_unknown_option(options):\n    return {source}\n", {"__name__": __name__})
    function: Callable[[Any], bool] = scope["has_unknown_option"]
    return kernel(function)
