"""One thread at a time, for what several share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class Shared(Protocol):
    """What several threads share."""

    _lock: threading.RLock


Self = TypeVar("Self", bound=Shared)
Given = ParamSpec("Given")
Found = TypeVar("Found")


def alone(method: Callable[Concatenate[Self, Given], Found]) -> Callable[Concatenate[Self, Given], Found]:
    """Let one thread at a time into the methods of one object."""

    @wraps(method)
    def entered(self: Self, /, *args: Given.args, **kwargs: Given.kwargs) -> Found:
        with self._lock:
            return method(self, *args, **kwargs)

    return entered
