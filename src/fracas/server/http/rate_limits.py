"""Rate limits: requests per second of each caller, counted in this process's memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from fracas.server.clock import SECOND, Clock
from fracas.server.http.problems import too_many
from fracas.server.settings import Settings

MOST_CALLERS = 50_000


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
        self._buckets: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def check(self, limit: str, caller: str) -> None:
        """Refuse a caller whose bucket is empty, and count nothing.

        Raises:
            ApiProblem: 429, as for `take`.
        """
        self._count(limit, caller, 0)

    def take(self, limit: str, caller: str) -> None:
        """Count a request.

        Raises:
            ApiProblem: 429, the bucket is empty; Retry-After says when it holds one request again.
        """
        self._count(limit, caller, 1)

    def _count(self, limit: str, caller: str, taken: int) -> None:
        if self._scale <= 0:
            return
        rate, now = RATES[limit], self._clock.now_ms()
        burst, per_second = max(1.0, rate.burst * self._scale), rate.per_second * self._scale
        left, since = self._buckets.pop((limit, caller), (burst, now))
        # A clock that was set back gives nothing and takes nothing.
        left = min(burst, left + max(0, now - since) / SECOND * per_second)
        self._buckets[limit, caller] = (left - taken if left >= 1 else left, now)
        while len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        if left < 1:
            raise too_many("You send too many requests.", (1 - left) / per_second)
