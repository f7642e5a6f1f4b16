"""A bounded cache for the life of the process, shared by its threads; and tracking of the files that were read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from fracas.errors import InputError

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """A least-recently-used cache with a limit on total weight.

    Values are shared, so they must be immutable. If two threads make the same value at the same time, both get the
    one that was stored first.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        """The largest total weight of all values; a single value that weighs more is not cached."""
        self.weight = 0
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: Hashable) -> Value | None:
        """Get the value cached under a key, or None."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, value: Value, weight: int = 1) -> Value:
        """Cache a value and return it, or return the one that another thread cached meanwhile."""
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                return found[0]
            if weight <= self.room:
                self._values[key] = (value, weight)
                self.weight += weight
            while self.weight > self.room:
                _, (_, given_up) = self._values.popitem(last=False)
                self.weight -= given_up
            return value

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._values.clear()
            self.weight = 0

    def __len__(self) -> int:
        return len(self._values)


@dataclass
class Seen:
    """The files that were read while a value was made."""

    again: list[tuple[Callable[[], Any], Any]] = field(default_factory=list)
    """Each value read, with the function to read it again. Unchanged files give the same object."""

    def is_unchanged(self) -> bool:
        """Whether reading everything again gives the same values."""
        try:
            return all(read() == value for read, value in self.again)
        except InputError:
            return False


_watching: ContextVar[Seen | None] = ContextVar("_watching", default=None)


@contextmanager
def watching() -> Iterator[Seen]:
    """Record everything that this thread reads inside the block."""
    token = _watching.set(Seen())
    try:
        seen = _watching.get()
        assert seen is not None
        yield seen
    finally:
        _watching.reset(token)


def note(read: Callable[[], Any], value: Any) -> None:
    """Record that a value was read, and how to read it again."""
    seen = _watching.get()
    if seen is not None:
        seen.again.append((read, value))
