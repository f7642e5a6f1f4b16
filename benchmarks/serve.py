"""Loads `fracas serve` with many accounts over loopback, and prints what it did.

    python benchmarks/serve.py [--seconds N] [--accounts N] [--reads N] [--cores SERVER:CLIENTS] [--database URL]

The server runs on the first core and the clients on the second. Accounts are made first and are not counted. Then
account after account enters the ranked queue as fast as the server answers, which shows its most; after that at four
fifths of that rate, which shows how long an answer takes. Two accounts meet at most twice a day, so nearly every match
is of a new pair. Reads go on for a while after that, at a fixed rate, over leaderboards, matches, profiles and pages.
How late the event loop was comes from the server's own metric. In the end all ratings are computed again from the
matches. `benchmarks/arena.py` splits the processor time of a match into its stages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from live_server import LiveServer
from raw_http import Connections, request
from sqlalchemy import text

from fracas.server.arena.ratings import Rating, after_match
from fracas.server.database.engine import open_database

ROOT = "/api/v1"
UNITS = ["scout", "bronze_knight", "novice_cleric", "apprentice_wizard", "pit_duelist", "gate_warden"]
STRATEGIES = ["finish_the_weak", None]
MOST_AT_ONCE = 64
# Tickets that wait while more accounts enter: several commits of the matchmaker.
MOST_WAITING = 192
LOOK = 0.02
WARM_UP = 3
# The server was asked for its most; this part of it is an everyday load.
PART = 0.8
LEAGUE = Path(__file__).parents[1] / "src/fracas/data/leagues/squads.toml"
TICKS = os.sysconf("SC_CLK_TCK")


def entry(number: int) -> dict[str, Any]:
    """One of many legal entries."""
    units = [UNITS[(number + step * (1 + number // 6 % 3)) % len(UNITS)] for step in range(3)]
    found: dict[str, Any] = {"units": sorted(set(units)) if len(set(units)) == 3 else UNITS[:3]}
    strategy = STRATEGIES[number % 2]
    return found if strategy is None else {**found, "strategy": strategy}


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile by rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def cpu_seconds(pid: int) -> float:
    """The processor time of a process, with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_megabytes(pid: int) -> float:
    """The memory of a process that is in use now."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


class Load:
    """Accounts that fight."""

    def __init__(self, url: str, database: Counted) -> None:
        address = urlsplit(url)
        self.host, self.database = address.netloc, database
        self.http = Connections(str(address.hostname), int(address.port or 80), MOST_AT_ONCE)
        self.tickets: list[bytes] = []
        self.refused = self.still_waiting = 0

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """Send a request and read its answer; what is refused is counted."""
        status, answer = await self.http.send(request(method, path, self.host, token, body))
        self.refused += status >= 400
        return json.loads(answer)

    async def register(self, number: int) -> None:
        """Make an account with an entry."""
        body = {"handle": f"load-{number}", "password": "correct horse battery"}
        token = (await self.ask("POST", f"{ROOT}/accounts", "", body))["token"]
        submitted = {"league": "squads", "title": f"Load {number}", "ranked": True, "document": entry(number)}
        of = (await self.ask("POST", f"{ROOT}/entries", token, submitted))["entry"]
        self.tickets.append(request("POST", f"{ROOT}/tickets", self.host, token, {"entry": of}))

    async def enter(self, number: int) -> bool:
        """Enter the queue with one account; whether its last match was fought, so that it could."""
        status, _ = await self.http.send(self.tickets[number % len(self.tickets)])
        self.still_waiting += status == 409
        self.refused += status >= 400 and status != 409
        return status < 400

    async def saturate(self, seconds: float) -> list[float]:
        """Let account after account enter the queue, as fast as the server answers; milliseconds of each POST.

        Nobody enters while too many wait, so that the queue does not only grow.
        """
        taken: list[float] = []
        numbers, ends = count(), time.perf_counter() + seconds
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
                if await self.enter(next(numbers)):
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


class Counted:
    """The database of the server, read beside it."""

    def __init__(self, where: str) -> None:
        self._database = open_database(where, shared=True)

    def rows(self, statement: str, **values: Any) -> Sequence[Any]:
        """The rows of a query."""
        with self._database.reading.connect() as connection:
            return connection.execute(text(statement), values).all()

    def count(self, table: str) -> int:
        """The number of rows of a table."""
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])

    def close(self) -> None:
        """Close the connections."""
        self._database.close()


class Loop:
    """How late the event loop was, from the histogram of /metrics: heartbeats by the most that they were late."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._before: dict[float, float] = {}

    async def _beats(self) -> dict[float, float]:
        _, body = await self._load.http.send(request("GET", "/metrics", self._load.host))
        found = re.findall(r'fracas_loop_late_seconds_bucket\{le="([^"]+)"\} (\S+)', body.decode())
        return {float(most): float(beats) for most, beats in found}

    async def begin(self) -> None:
        """Begin to count."""
        self._before = await self._beats()

    async def told(self) -> str:
        """Lateness since the beginning: upper bounds of p50, p99.9 and the worst beat."""
        now = await self._beats()
        beats = {most: value - self._before[most] for most, value in now.items()}
        every = beats[float("inf")]
        bounds = [
            1000 * next(most for most in sorted(beats) if beats[most] >= share * every) for share in (0.5, 0.999, 1)
        ]
        return "p50 < {:.0f}, p99.9 < {:.0f}, max < {:.0f} ms".format(*bounds)


def recount(database: Counted) -> tuple[int, int]:
    """Compute all ratings again from their matches, in order; how many were compared, and how many differ."""
    ratings: dict[str, Rating] = {}
    compared = differing = 0
    sides: dict[str, list[Any]] = {}
    for side in database.rows("SELECT * FROM match_side ORDER BY match, place"):
        sides.setdefault(side.match, []).append(side)
    matches = database.rows("SELECT id, score_a, score_b FROM match WHERE no IS NOT NULL ORDER BY day, no")
    for match in matches:
        both = sides[match.id]
        before = [ratings.get(side.account, Rating.of_hex(side.mu0, side.sigma0)) for side in both]
        after = after_match(before[0], before[1], (match.score_a, match.score_b))
        for side, old, new in zip(both, before, after, strict=True):
            if not side.rated:
                continue
            compared += 1
            differing += old.as_hex() != (side.mu0, side.sigma0) or new.as_hex() != (side.mu1, side.sigma1)
            ratings[side.account] = new
    return compared, differing


async def measure_matches(server: LiveServer, load: Load, seconds: float) -> float:
    """Fight as fast as it goes; returns matches per second."""
    loop, database = Loop(load), load.database
    await load.saturate(WARM_UP)
    await loop.begin()
    before, cpu, own, begun = database.count("match"), cpu_seconds(server.pid), time.process_time(), time.perf_counter()
    taken = await load.saturate(seconds)
    matches, passed = database.count("match") - before, time.perf_counter() - begun
    cpu, own = cpu_seconds(server.pid) - cpu, time.process_time() - own
    row(
        "matches",
        f"{matches / passed:.0f}/s",
        f"{matches:,} in {passed:.1f} s, 2 battles each, nearly all of new pairs",
    )
    row(
        "server CPU",
        f"{1000 * cpu / matches:.2f} ms/match",
        f"{cpu / passed:.0%} of a core, two POSTs and commits in it",
    )
    row("clients' CPU", f"{1000 * own / matches:.2f} ms/match", f"{own / passed:.0%} of a core")
    row("POST, most", spread(taken), f"{len(taken):,} POSTs, {MOST_AT_ONCE} connections")
    row("loop, most", await loop.told(), "lateness of a heartbeat of 5 ms in the server")
    return matches / passed


async def measure_latency(load: Load, rate: float, seconds: float) -> None:
    """Fight at a fixed rate of matches."""
    loop = Loop(load)
    await asyncio.sleep(1)
    await loop.begin()
    before = load.database.count("match")
    taken = await load.steadily(2 * rate, seconds, load.enter)
    made = load.database.count("match") - before
    row("POST, steady", spread(taken), f"{len(taken):,} POSTs at {2 * rate:.0f}/s, {made:,} matches")
    row("loop, steady", await loop.told(), "the same at that rate")


async def measure_reads(server: LiveServer, load: Load, rate: float) -> None:
    """Read at a fixed rate."""
    newest = (await load.ask("GET", f"{ROOT}/matches?limit=5"))["items"]
    paths = [f"{ROOT}/leagues/squads/leaderboard", f"{ROOT}/matches", f"{ROOT}/profiles/load-1", "/leagues/squads"]
    paths += ["/", f"{ROOT}/leagues/squads/head", *(f"{ROOT}/matches/{each['id']}" for each in newest)]
    reads = [request("GET", path, load.host) for path in paths]

    async def read(number: int) -> None:
        status, _ = await load.http.send(reads[number % len(reads)])
        load.refused += status >= 400

    await load.steadily(rate, 1, read)
    loop = Loop(load)
    await loop.begin()
    cpu = cpu_seconds(server.pid)
    late = await load.steadily(rate, 5, read)
    cpu = cpu_seconds(server.pid) - cpu
    row("reads", spread(late), f"{len(late):,} at {rate}/s, mixed, two pages in eleven")
    row("server CPU", f"{1000 * cpu / len(late):.2f} ms/read", "")
    row("loop, reads", await loop.told(), "lateness while reads are answered")


async def measure(server: LiveServer, where: str, arguments: argparse.Namespace) -> bool:
    """Load a server and print a row for each measurement; returns whether all is as it should be."""
    database = Counted(where)
    load = Load(server.url, database)
    numbers = iter(range(arguments.accounts))

    async def register() -> None:
        for number in numbers:
            await load.register(number)

    # Two passwords are hashed at a time; more are refused.
    await asyncio.gather(register(), register())
    most = await measure_matches(server, load, arguments.seconds)
    await measure_latency(load, PART * most, arguments.seconds)
    await measure_reads(server, load, arguments.reads)
    row("memory", f"{resident_megabytes(server.pid):.0f} MB", f"{arguments.accounts:,} accounts")
    row("refused", str(load.refused), f"should be 0; {load.still_waiting:,} accounts came again before their match")
    load.http.close()
    await asyncio.sleep(2)
    compared, differing = recount(database)
    row("ratings", f"{differing} of {compared:,} differ", "computed again from the matches")
    database.close()
    return not differing


def spread(values: Sequence[float]) -> str:
    """The median and the worst hundredth, in milliseconds."""
    return f"p50 {quantile(values, 0.5):.0f} ms, p99 {quantile(values, 0.99):.0f} ms"


def row(name: str, value: str, about: str) -> None:
    """Print a row."""
    print(f"{name:<16}{value:<34}{about}", flush=True)


def main() -> None:
    """Start a server in an empty folder, load it, and count again what it stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement of matches")
    parser.add_argument("--accounts", type=int, default=600)
    parser.add_argument("--reads", type=int, default=300, help="reads per second")
    parser.add_argument("--cores", default="0:1", help="the server's core and the clients'")
    parser.add_argument("--database", help="an empty PostgreSQL database; default: a SQLite file")
    arguments = parser.parse_args()
    of_server, of_clients = (tuple(map(int, each.split(","))) for each in arguments.cores.split(":"))
    os.sched_setaffinity(0, of_clients)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "leagues").mkdir()
        # Strangers meet at once.
        league = LEAGUE.read_text(encoding="utf-8").replace('mode = "ranked"', 'mode = "ranked"\nwindow = 10000')
        (folder / "leagues" / "squads.toml").write_text(league, encoding="utf-8")
        options = ["--leagues", "leagues"]
        if arguments.database:
            options += ["--database", arguments.database]
        server = LiveServer(folder, options, cores=of_server)
        row("start, empty", f"{server.start():.2f} s", "until /readyz answers 200, database made")
        server.stop()
        row("start, again", f"{server.start():.2f} s", "")
        try:
            is_right = asyncio.run(measure(server, arguments.database or str(server.database), arguments))
        finally:
            server.stop()
        row("faults", str(len(server.faults())), "lines of the log")
        sys.exit(0 if is_right and not server.faults() else 1)


if __name__ == "__main__":
    main()
