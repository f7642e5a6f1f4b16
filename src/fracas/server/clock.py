"""The server's clock: milliseconds since 1970 UTC. Nothing else in the server asks the system for the time."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY
# A Monday, 00:00 UTC.
_FIRST_MONDAY = 4 * DAY


class Clock:
    """The system's clock."""

    def now_ms(self) -> int:
        """The time in milliseconds since 1970-01-01 00:00 UTC."""
        return time.time_ns() // 1_000_000


class SteppingClock(Clock):
    """A clock that stands still until a test moves it, forward or back."""

    def __init__(self, start_ms: int = 1_795_392_000_000) -> None:
        self._now = start_ms

    def now_ms(self) -> int:
        """The time that the clock was set to, in milliseconds since 1970 UTC."""
        return self._now

    def step(self, milliseconds: int) -> int:
        """Move the clock by a number of milliseconds, negative for back; return the new time."""
        self._now += milliseconds
        return self._now


def iso(milliseconds: int) -> str:
    """Format a time as answers show it: `2026-11-22T10:30:00.000Z`."""
    return datetime.fromtimestamp(milliseconds / 1_000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def date_of(milliseconds: int) -> date:
    """The UTC day of a time."""
    return datetime.fromtimestamp(milliseconds / 1_000, UTC).date()


def day_of(milliseconds: int) -> str:
    """The UTC day of a time: `2026-11-22`."""
    return date_of(milliseconds).isoformat()


def monday_of(milliseconds: int) -> int:
    """When the week of a time began: Monday 00:00 UTC."""
    return milliseconds - (milliseconds - _FIRST_MONDAY) % WEEK
