"""Many accounts that fight over HTTP, and how late the event loop is meanwhile."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from raw_http import Connections, request
from serve_recount import Counted

ROOT = "/api/v1"
UNITS = ["scout", "bronze_knight", "novice_cleric", "apprentice_wizard", "pit_duelist", "gate_warden"]
STRATEGIES = ["finish_the_weak", None]
MOST_AT_ONCE = 64
# Tickets that wait while more accounts enter: several commits of the matchmaker.
MOST_WAITING = 192
LOOK = 0.02


def entry(number: int) -> dict[str, Any]:
    """One of many legal entries."""
    units = [UNITS[(number + step * (1 + number // 6 % 3)) % len(UNITS)] for step in range(3)]
    found: dict[str, Any] = {"units": sorted(set(units)) if len(set(units)) == 3 else UNITS[:3]}
    strategy = STRATEGIES[number % 2]
    return found if strategy is None else {**found, "strategy": strategy}


class Front:
    """One process of the server, as clients reach it."""

    def __init__(self, url: str, most: int) -> None:
        address = urlsplit(url)
        self.host = address.netloc
        self.http = Connections(str(address.hostname), int(address.port or 80), most)


class Load:
    """Accounts that fight. They are spread over the processes of the server."""

    def __init__(self, urls: Sequence[str], database: Counted) -> None:
        self.fronts = [Front(url, MOST_AT_ONCE // len(urls)) for url in urls]
        self.database = database
        self.tickets: dict[int, bytes] = {}
        self.refused = self.still_waiting = 0
        self._numbers = count()

    def front(self, number: int) -> Front:
        """The process that an account asks."""
        return self.fronts[number % len(self.fronts)]

    async def ask(self, method: str, path: str, token: str = "", body: Any = None, *, number: int = 0) -> Any:
        """Send a request and read its answer; what is refused is counted."""
        front = self.front(number)
        status, answer = await front.http.send(request(method, path, front.host, token, body))
        self.refused += status >= 400
        return json.loads(answer)

    async def register(self, number: int) -> None:
        """Make an account with an entry."""
        body = {"handle": f"load-{number}", "password": "correct horse battery"}
        token = (await self.ask("POST", f"{ROOT}/accounts", "", body, number=number))["token"]
        submitted = {"league": "squads", "title": f"Load {number}", "ranked": True, "document": entry(number)}
        of = (await self.ask("POST", f"{ROOT}/entries", token, submitted, number=number))["entry"]
        self.tickets[number] = request("POST", f"{ROOT}/tickets", self.front(number).host, token, {"entry": of})

    async def enter(self, number: int) -> bool:
        """Enter the queue with one account; whether its last match was fought, so that it could."""
        number %= len(self.tickets)
        status, _ = await self.front(number).http.send(self.tickets[number])
        self.still_waiting += status == 409
        self.refused += status >= 400 and status != 409
        return status < 400

    def close(self) -> None:
        """Close all connections."""
        for front in self.fronts:
            front.http.close()

    async def saturate(self, seconds: float) -> list[float]:
        """Let account after account enter the queue, as fast as the server answers; milliseconds of each POST.

        Nobody enters while too many wait, so that the queue does not only grow.
        """
        taken: list[float] = []
        ends = time.perf_counter() + seconds
        room = asyncio.Event()
        room.set()

        async def watch() -> None:
            while True:
                if self.database.count("ticket") < MOST_WAITING:
                    room.set()
                else:
                    room.clear()
                await asyncio.sleep(LOOK)

        async def one() -> None:
            while (begun := time.perf_counter()) < ends:
                if await self.enter(next(self._numbers)):
                    taken.append(1000 * (time.perf_counter() - begun))
                await room.wait()

        watching = asyncio.create_task(watch())
        await asyncio.gather(*(one() for _ in range(MOST_AT_ONCE)))
        watching.cancel()
        return taken

    async def steadily(self, rate: float, seconds: float, send: Callable[[int], Awaitable[Any]]) -> list[float]:
        """Send at a fixed rate; milliseconds from when each was due until its answer."""
        begun, waiting = time.perf_counter(), []

        async def one(due: float, number: int) -> float:
            await send(number)
            return 1000 * (time.perf_counter() - due)

        for number in range(int(rate * seconds)):
            due = begun + number / rate
            if due > time.perf_counter():
                await asyncio.sleep(due - time.perf_counter())
            waiting.append(asyncio.create_task(one(due, number)))
        return list(await asyncio.gather(*waiting))


class Loop:
    """How late the event loops were, from the histogram of /metrics: looks by the most that they were late."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._before: dict[float, float] = {}

    async def _beats(self) -> dict[float, float]:
        beats: dict[float, float] = {}
        for front in self._load.fronts:
            _, body = await front.http.send(request("GET", "/metrics", front.host))
            for most, count_ in re.findall(r'fracas_loop_late_seconds_bucket\{le="([^"]+)"\} (\S+)', body.decode()):
                beats[float(most)] = beats.get(float(most), 0.0) + float(count_)
        return beats

    async def begin(self) -> None:
        """Begin to count."""
        self._before = await self._beats()

    async def told(self) -> str:
        """Lateness since the beginning: upper bounds of p50, p99.9 and the three worst beats."""
        now = await self._beats()
        beats = {most: value - self._before[most] for most, value in now.items()}
        every = beats[float("inf")]
        ranks = (0.5 * every, 0.999 * every, every, every - 1, every - 2)
        bounds = [1000 * next(most for most in sorted(beats) if beats[most] >= rank) for rank in ranks]
        return "p50 < {:.0f}, p99.9 < {:.0f}, worst < {:.0f}, {:.0f}, {:.0f} ms".format(*bounds)
