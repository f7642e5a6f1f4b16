"""Jobs: computations that a page asked for, which end when it asks again, goes away, or after their time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class JobStoppedError(Exception):
    """The job is no longer wanted, or its time is over."""


@dataclass
class Job:
    """One computation. Check it between its parts."""

    seconds: float
    """How long it may take."""
    _stopped: threading.Event = field(default_factory=threading.Event)
    _started: float = field(default_factory=time.perf_counter)

    def stop(self) -> None:
        """Ask it to end."""
        self._stopped.set()

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.seconds - (time.perf_counter() - self._started)

    @property
    def is_stopped(self) -> bool:
        """Whether nobody wants its result any more."""
        return self._stopped.is_set()

    def check_wanted(self, *_: object) -> None:
        """Go on, unless nobody wants the result any more.

        Raises:
            JobStoppedError: it was stopped.
        """
        if self.is_stopped:
            raise JobStoppedError

    def check(self, *_: object) -> None:
        """Go on, or not.

        Raises:
            JobStoppedError: it was stopped, or its time is over.
        """
        if self.is_stopped or self.left <= 0:
            raise JobStoppedError


class Jobs:
    """The jobs that run: at most one of a kind, so that a page that asks often does not fill the machine."""

    def __init__(self) -> None:
        self._running: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    @contextmanager
    def job(self, kind: str, seconds: float) -> Iterator[Job]:
        """A new job; the one of this kind that runs is stopped."""
        job = Job(seconds)
        with self._lock:
            if kind in self._running:
                self._running[kind].stop()
            self._running[kind] = job
            if self._is_closed:
                job.stop()
        try:
            yield job
        finally:
            with self._lock:
                if self._running.get(kind) is job:
                    del self._running[kind]

    def close(self) -> None:
        """Stop all of them, and those that come."""
        with self._lock:
            self._is_closed = True
            for job in self._running.values():
                job.stop()
