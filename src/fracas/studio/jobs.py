"""Jobs: computations that a page asked for. They end when the page asks again or closes, or when time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class JobStoppedError(Exception):
    """The job is no longer wanted, or its time is up."""


@dataclass
class Job:
    """One computation, which checks between its parts whether to stop."""

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
        """Whether its result is no longer wanted."""
        return self._stopped.is_set()

    def check_wanted(self, *_: object) -> None:
        """Raise if the result is no longer wanted.

        Raises:
            JobStoppedError: it was stopped.
        """
        if self.is_stopped:
            raise JobStoppedError

    def check(self, *_: object) -> None:
        """Raise if the job should end.

        Raises:
            JobStoppedError: it was stopped, or its time is up.
        """
        if self.is_stopped or self.left <= 0:
            raise JobStoppedError


class Jobs:
    """The running jobs: at most one of each kind, so that a page that asks often does not overload the machine."""

    def __init__(self) -> None:
        self._running: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    @contextmanager
    def job(self, kind: str, seconds: float) -> Iterator[Job]:
        """Start a job, and stop the running one of the same kind."""
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
        """Stop all jobs, including those that start later."""
        with self._lock:
            self._is_closed = True
            for job in self._running.values():
                job.stop()
