"""A decorator that locks an object's methods, so that only one thread at a time runs them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class Shared(Protocol):
    """An object with a lock, shared by several threads."""

    _lock: threading.RLock


Self = TypeVar("Self", bound=Shared)
Given = ParamSpec("Given")
Found = TypeVar("Found")


def synchronized(method: Callable[Concatenate[Self, Given], Found]) -> Callable[Concatenate[Self, Given], Found]:
    """Hold the object's lock while a method runs."""

    @wraps(method)
    def locked(self: Self, /, *args: Given.args, **kwargs: Given.kwargs) -> Found:
        with self._lock:
            return method(self, *args, **kwargs)

    return locked
