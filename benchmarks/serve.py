"""Loads `fracas serve` with many accounts over loopback, and prints what it did.

    python benchmarks/serve.py [--rounds N] [--accounts N] [--reads N] [--cores SERVER:CLIENTS]

The server runs on the first core and the clients on the second. Accounts are made first and are not counted. Then each
account enters its entry, round after round; a round ends when all matches are fought. Reads go on for a while after
that, at a fixed rate, over leaderboards, matches, profiles and pages. Meanwhile /healthz, which does no work, is asked
every 20 ms: how late its answers are bounds how long the event loop was held. In the end all ratings are computed again
from the matches. `benchmarks/arena.py` splits the processor time of a match into its stages.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from live_server import LiveServer

ROOT = "/api/v1"
UNITS = ["scout", "bronze_knight", "novice_cleric", "apprentice_wizard", "pit_duelist", "gate_warden"]
STRATEGIES = ["finish_the_weak", None]
MOST_AT_ONCE = 64
LEAGUE = Path(__file__).parents[1] / "src/fracas/data/leagues/squads.toml"
PATIENCE = 1.5
BEAT = 0.02
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

    def __init__(self, url: str) -> None:
        limits = httpx.Limits(max_connections=MOST_AT_ONCE, max_keepalive_connections=MOST_AT_ONCE)
        # The cookies of new sessions make requests look like a browser's.
        self.http = httpx.AsyncClient(base_url=url, timeout=60, limits=limits, headers={"Origin": url})
        self.slots = asyncio.Semaphore(MOST_AT_ONCE)
        self.registering = asyncio.Semaphore(2)
        self.people: list[tuple[str, str]] = []
        self.refused = 0

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[float, httpx.Response]:
        """Send a request; milliseconds until the answer, from when it was sent."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.slots:
            begun = time.perf_counter()
            answer = await self.http.request(method, path, headers=headers, json=body)
            taken = 1000 * (time.perf_counter() - begun)
        if answer.status_code >= 400 and not (answer.status_code == 409 and path.endswith("/tickets")):
            self.refused += 1
        return taken, answer

    async def register(self, number: int) -> None:
        body = {"handle": f"load-{number}", "password": "correct horse battery"}
        # Two passwords are hashed at a time; more are refused.
        async with self.registering:
            _, answer = await self.ask("POST", f"{ROOT}/accounts", "", body)
            while answer.status_code == 429:
                self.refused -= 1
                await asyncio.sleep(0.05)
                _, answer = await self.ask("POST", f"{ROOT}/accounts", "", body)
        if answer.status_code != 201:
            raise RuntimeError(f"load-{number} could not register: {answer.text}")
        token = answer.json()["token"]
        self.http.cookies.clear()
        submitted = {"league": "squads", "title": f"Load {number}", "ranked": True, "document": entry(number)}
        _, answer = await self.ask("POST", f"{ROOT}/entries", token, submitted)
        self.people.append((token, answer.json()["entry"]))

    async def fight(self, rounds: int, database: Path) -> tuple[list[float], int, float]:
        """Let everybody enter the queue again and again: milliseconds of each POST, matches, seconds."""
        taken: list[float] = []
        before, seconds = count(database, "match"), 0.0
        for _ in range(rounds):
            begun = time.perf_counter()
            answers = await asyncio.gather(
                *(self.ask("POST", f"{ROOT}/tickets", token, {"entry": of}) for token, of in self.people)
            )
            taken += [each for each, _ in answers]
            left, since = count(database, "ticket"), time.perf_counter()
            # The time after the last match of a round, when nobody fits anybody, is not counted.
            # Who finds nobody new waits for the next round.
            while left and time.perf_counter() - since < PATIENCE:
                await asyncio.sleep(0.01)
                now = count(database, "ticket")
                left, since = now, since if now == left else time.perf_counter()
            seconds += since - begun if left else time.perf_counter() - begun
        return taken, count(database, "match") - before, seconds

    async def read(self, paths: Sequence[str], rate: float, seconds: float) -> list[float]:
        """Read at a fixed rate; milliseconds from when each read was due."""
        begun, waiting = time.perf_counter(), []

        async def one(due: float, path: str) -> float:
            await self.ask("GET", path)
            return 1000 * (time.perf_counter() - due)

        for number in range(int(rate * seconds)):
            due = begun + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            waiting.append(asyncio.create_task(one(due, paths[number % len(paths)])))
        return list(await asyncio.gather(*waiting))


class Heart:
    """Asks /healthz at a fixed pace, over a connection of its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._task = asyncio.create_task(self._beat())
        self._late: list[float] = []

    async def _beat(self) -> None:
        async with httpx.AsyncClient(base_url=self._url, timeout=60) as http:
            while True:
                due = time.perf_counter()
                await http.get("/healthz")
                self._late.append(1000 * (time.perf_counter() - due))
                await asyncio.sleep(max(0.0, due + BEAT - time.perf_counter()))

    async def stop(self) -> str:
        """Stop; how late the answers were."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        late = self._late
        return f"p50 {quantile(late, 0.5):.0f}, p99.9 {quantile(late, 0.999):.0f}, max {max(late):.0f} ms"


def count(database: Path, table: str) -> int:
    """The rows of a table, read beside the server."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def recount(database: Path) -> tuple[int, int]:
    """Compute all ratings again from their matches, in order; how many were compared, and how many differ."""
    from fracas.server.arena.ratings import Rating, after_match

    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    ratings: dict[str, Rating] = {}
    compared = differing = 0
    for match in connection.execute("SELECT id, score_a, score_b FROM match WHERE no IS NOT NULL ORDER BY day, no"):
        sides = connection.execute("SELECT * FROM match_side WHERE match = ? ORDER BY place", (match["id"],)).fetchall()
        before = [ratings.get(side["account"], Rating.of_hex(side["mu0"], side["sigma0"])) for side in sides]
        after = after_match(before[0], before[1], (match["score_a"], match["score_b"]))
        for side, old, new in zip(sides, before, after, strict=True):
            if not side["rated"]:
                continue
            compared += 1
            differing += old.as_hex() != (side["mu0"], side["sigma0"]) or new.as_hex() != (side["mu1"], side["sigma1"])
            ratings[side["account"]] = new
    return compared, differing


async def measure(server: LiveServer, arguments: argparse.Namespace) -> None:
    """Load a server and print a row for each measurement."""
    load = Load(server.url)
    for first in range(0, arguments.accounts, MOST_AT_ONCE):
        await asyncio.gather(*(load.register(n) for n in range(first, min(first + MOST_AT_ONCE, arguments.accounts))))
    await load.fight(2, server.database)
    cpu = cpu_seconds(server.pid)
    beating = Heart(server.url)
    taken, matches, seconds = await load.fight(arguments.rounds, server.database)
    beats = await beating.stop()
    cpu = cpu_seconds(server.pid) - cpu
    row("matches", f"{matches / seconds:.0f}/s", f"{matches:,} in {seconds:.1f} s, SQLite, 2 battles each")
    row(
        "server CPU",
        f"{1000 * cpu / matches:.2f} ms/match",
        f"{cpu:.1f} s, two POSTs, authentication and commits in it",
    )
    row(
        "enter queue", f"p50 {quantile(taken, 0.5):.0f} ms, p99 {quantile(taken, 0.99):.0f} ms", f"{len(taken):,} POSTs"
    )
    row("loop, matches", beats, "answers of /healthz, one each 20 ms, while matches are fought")
    newest = (await load.ask("GET", f"{ROOT}/matches?limit=5"))[1].json()["items"]
    reads = [f"{ROOT}/leagues/squads/leaderboard", f"{ROOT}/matches", f"{ROOT}/profiles/load-1", "/leagues/squads"]
    reads += ["/", f"{ROOT}/leagues/squads/head", *(f"{ROOT}/matches/{each['id']}" for each in newest)]
    await load.read(reads, arguments.reads, 1)
    beating = Heart(server.url)
    cpu, own = cpu_seconds(server.pid), time.process_time()
    late = await load.read(reads, arguments.reads, 5)
    cpu, own = cpu_seconds(server.pid) - cpu, time.process_time() - own
    beats = await beating.stop()
    told = f"{len(late):,} at {arguments.reads}/s, mixed, two pages in eleven"
    row("reads", f"p50 {quantile(late, 0.5):.0f} ms, p99 {quantile(late, 0.99):.0f} ms", told)
    row("server CPU", f"{1000 * cpu / len(late):.2f} ms/read", f"the clients: {1000 * own / len(late):.2f} ms/read")
    row("loop, reads", beats, "the same while reads are answered")
    row("memory", f"{resident_megabytes(server.pid):.0f} MB", f"{arguments.accounts} accounts")
    row("refused", str(load.refused), "answers of 400 and above; should be 0")
    await load.http.aclose()


def row(name: str, value: str, about: str) -> None:
    """Print a row."""
    print(f"{name:<16}{value:<34}{about}", flush=True)


def main() -> None:
    """Start a server in an empty folder, load it, and count again what it stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--accounts", type=int, default=200)
    parser.add_argument("--reads", type=int, default=300, help="reads per second")
    parser.add_argument("--cores", default="0:1", help="the server's core and the clients'")
    arguments = parser.parse_args()
    of_server, of_clients = (tuple(map(int, each.split(","))) for each in arguments.cores.split(":"))
    os.sched_setaffinity(0, of_clients)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "leagues").mkdir()
        # Strangers meet at once, as often as it takes.
        text = LEAGUE.read_text(encoding="utf-8").replace('mode = "ranked"', 'mode = "ranked"\nwindow = 10000')
        (folder / "leagues" / "squads.toml").write_text(text, encoding="utf-8")
        server = LiveServer(folder, ["--leagues", "leagues"], cores=of_server)
        row("start, empty", f"{server.start():.2f} s", "until /readyz answers 200, database made")
        server.stop()
        row("start, again", f"{server.start():.2f} s", "")
        try:
            asyncio.run(measure(server, arguments))
        finally:
            server.stop()
        compared, differing = recount(server.database)
        row("ratings", f"{differing} of {compared:,} differ", "computed again from the matches")
        row("faults", str(len(server.faults())), "lines of the log")
        sys.exit(1 if differing or server.faults() else 0)


if __name__ == "__main__":
    main()
