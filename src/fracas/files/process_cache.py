"""What was worked out before, kept for the process: bounded, and shared by its threads."""

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
    """Values by what they were made from. The one that was used least recently goes first when it is full.

    Values are handed out to many, so they must be immutable. Two threads may make the same value at the same time;
    the first one that is kept is the one that both get.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        """The most that all values may weigh together; what weighs more by itself is not kept."""
        self.weight = 0
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: Hashable) -> Value | None:
        """The value that was kept under a key, or None."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, value: Value, weight: int = 1) -> Value:
        """Keep a value, or return the one that another thread kept meanwhile."""
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
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self.weight = 0

    def __len__(self) -> int:
        return len(self._values)


@dataclass
class Seen:
    """What was looked at on the disk while something was made."""

    again: list[tuple[Callable[[], Any], Any]] = field(default_factory=list)
    """What was read, each with how to read it again: a library is the same object while its files are the same."""

    def is_unchanged(self) -> bool:
        """Whether all of it is what it was."""
        try:
            return all(read() == value for read, value in self.again)
        except InputError:
            return False


_watching: ContextVar[Seen | None] = ContextVar("_watching", default=None)


@contextmanager
def watching() -> Iterator[Seen]:
    """Within it everything that this thread reads is noted."""
    token = _watching.set(Seen())
    try:
        seen = _watching.get()
        assert seen is not None
        yield seen
    finally:
        _watching.reset(token)


def note(read: Callable[[], Any], value: Any) -> None:
    """Note that something was read, and how to read it again."""
    seen = _watching.get()
    if seen is not None:
        seen.again.append((read, value))
