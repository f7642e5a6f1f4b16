"""Rate limits: requests per second of each caller, counted in this process's memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from fracas.server.clock import HOUR, SECOND, Clock
from fracas.server.http.problems import too_many
from fracas.server.settings import Settings

MOST_CALLERS = 50_000
# A class behind one router has so many times the room of one address, for so long after somebody of it was last seen.
CLASS_ROOM = 10
CLASS_LIFE = 2 * HOUR
MOST_CLASS_ADDRESSES = 1_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket: how many requests it holds, and how many it gets back per second."""

    burst: float
    per_second: float


RATES = {
    "address": Rate(300, 100),  # everything from one address, before anybody is looked up
    "read": Rate(100, 20),
    "write": Rate(30, 5),
    "run": Rate(20, 5),
    "password": Rate(10, 1 / 6),  # by name and address: never by name alone, or anybody could lock anybody out
    "failure": Rate(40, 1 / 15),  # wrong passwords, codes and tokens of one address, whatever the name
}


class RateLimits:
    """Buckets by limit and caller. The oldest are dropped when there are too many."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        self._scale = settings.rate_limit / settings.processes
        self._buckets: OrderedDict[tuple[str, str, int], tuple[float, int]] = OrderedDict()
        self._of_classes: OrderedDict[str, int] = OrderedDict()

    def note_class(self, address: str) -> None:
        """Remember that a class is at an address: somebody there has shown a class's code, or is in a class."""
        self._of_classes.pop(address, None)
        self._of_classes[address] = self._clock.now_ms() + CLASS_LIFE
        while len(self._of_classes) > MOST_CLASS_ADDRESSES:
            self._of_classes.popitem(last=False)

    def room(self, address: str) -> int:
        """How many times the room of one address an address has: more where a class is."""
        ends = self._of_classes.get(address)
        return CLASS_ROOM if ends is not None and ends > self._clock.now_ms() else 1

    def check(self, limit: str, caller: str, *, address: str | None = None) -> None:
        """Refuse a caller whose bucket is empty, and count nothing; arguments and errors as for `take`."""
        self._count(limit, caller, address, 0)

    def take(self, limit: str, caller: str, *, address: str | None = None) -> None:
        """Count a request.

        Args:
            limit: which limit.
            caller: whom it counts.
            address: given if the caller is known by nothing but this address, where a class may be.

        Raises:
            ApiProblem: 429, the bucket is empty; Retry-After says when it holds one request again.
        """
        self._count(limit, caller, address, 1)

    def _count(self, limit: str, caller: str, address: str | None, taken: int) -> None:
        if self._scale <= 0:
            return
        rate, now = RATES[limit], self._clock.now_ms()
        room = 1 if address is None else self.room(address)
        burst, per_second = max(1.0, rate.burst * self._scale) * room, rate.per_second * self._scale * room
        # With the room: an address that used up its own has the class's from the moment it is known as one.
        left, since = self._buckets.pop((limit, caller, room), (burst, now))
        # A clock that was set back gives nothing and takes nothing.
        left = min(burst, left + max(0, now - since) / SECOND * per_second)
        self._buckets[limit, caller, room] = (left - taken if left >= 1 else left, now)
        while len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        if left < 1:
            raise too_many("You send too many requests.", (1 - left) / per_second)
