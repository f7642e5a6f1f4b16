"""Loads `fracas serve` with many accounts over loopback, and prints what it did.

    python benchmarks/serve.py [--seconds N] [--accounts N] [--reads N] [--cores SERVER:CLIENTS]
    python benchmarks/serve.py --database postgresql [--processes N] [--cores SERVER:CLIENTS:POSTGRESQL]

Cores are numbers between commas. By default the server runs on the first core, and the clients on the second with
PostgreSQL. `--database postgresql` starts a PostgreSQL of its own, whose commits survive a power cut; a URL takes an
empty database that is there. Accounts are made first and are not counted, and are spread over the processes. Then
account after account enters the ranked queue as fast as the server answers, which shows its most; after that at four
fifths of the bar, 200 matches a second, which shows how long an answer takes. Two accounts meet at most twice a day,
so nearly every match is of a new pair. Reads go on for a while after that, at a fixed rate, over leaderboards,
matches, profiles and pages; then again while a job runs, whose process is moved to the clients' core. How late the
event loop was comes from the server's own metric. In the end all ratings are computed again from the matches, and
`fracas server check` plays every match again. `benchmarks/arena.py` splits the processor time of a match into its
stages.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from live_postgresql import LivePostgresql
from live_server import LiveServer
from raw_http import request
from serve_load import MOST_AT_ONCE, ROOT, Load, Loop
from serve_recount import Counted, recount

WARM_UP = 3
# What one core must do on a quiet machine with SQLite, and how long 99 of 100 answers may take: to POSTs at this part
# of it, and to 300 reads a second.
BAR_MATCHES, PART, BAR_POST_MS, BAR_READ_MS = 200, 0.8, 200, 50
LEAGUE = Path(__file__).parents[1] / "src/fracas/data/leagues/squads.toml"
TICKS = os.sysconf("SC_CLK_TCK")
PAIR = {
    "ruleset": "squads",
    "sides": [{"units": ["scout", "bronze_knight"]}, {"units": ["bronze_knight", "scout"]}],
}


@dataclass(frozen=True)
class Running:
    """What is measured: the processes of the server, and their PostgreSQL if it is this program's own."""

    servers: list[LiveServer]
    postgresql: LivePostgresql | None
    database: str

    def cpu_seconds(self) -> float:
        """The processor time of all processes of the server."""
        return sum(cpu_seconds(server.pid) for server in self.servers)

    def postgresql_seconds(self) -> float:
        """The processor time of PostgreSQL."""
        return 0.0 if self.postgresql is None else self.postgresql.cpu_seconds()


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


async def measure_matches(running: Running, load: Load, seconds: float) -> float:
    """Fight as fast as it goes; returns matches per second."""
    loop, database = Loop(load), load.database
    await load.saturate(WARM_UP)
    await loop.begin()
    before, begun = database.count("match"), time.perf_counter()
    used = running.cpu_seconds(), running.postgresql_seconds(), time.process_time()
    taken = await load.saturate(seconds)
    matches, passed = database.count("match") - before, time.perf_counter() - begun
    now = running.cpu_seconds(), running.postgresql_seconds(), time.process_time()
    server, postgresql, own = (after - earlier for after, earlier in zip(now, used, strict=True))

    def cpu(name: str, spent: float, about: str) -> None:
        row(name, f"{1000 * spent / matches:.2f} ms/match", f"{spent / passed:.0%} of a core{about}")

    row(
        "matches",
        f"{matches / passed:.0f}/s",
        f"{matches:,} in {passed:.1f} s, 2 battles each, nearly all of new pairs",
    )
    cpu("server CPU", server, ", two POSTs and commits in it")
    if running.postgresql is not None:
        cpu("PostgreSQL CPU", postgresql, "")
    cpu("clients' CPU", own, "")
    row("bar", f"{BAR_MATCHES}/s", told_bar(matches / passed >= BAR_MATCHES))
    row("POST, most", spread(taken), f"{len(taken):,} POSTs, {MOST_AT_ONCE} connections")
    row("loop, most", await loop.told(), "how late the server's loop was, asked ten times a second")
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
    row("bar", f"p99 {BAR_POST_MS} ms", told_bar(quantile(taken, 0.99) < BAR_POST_MS))
    row("loop, steady", await loop.told(), "the same at that rate")


async def measure_reads(running: Running, load: Load, rate: float, name: str = "reads") -> None:
    """Read at a fixed rate."""
    newest = (await load.ask("GET", f"{ROOT}/matches?limit=5"))["items"]
    paths = [f"{ROOT}/leagues/squads/leaderboard", f"{ROOT}/matches", f"{ROOT}/profiles/load-1", "/leagues/squads"]
    paths += ["/", f"{ROOT}/leagues/squads/head", *(f"{ROOT}/matches/{each['id']}" for each in newest)]
    reads = [(front, request("GET", path, front.host)) for path in paths for front in load.fronts]

    async def read(number: int) -> None:
        front, asked = reads[number % len(reads)]
        status, _ = await front.http.send(asked)
        load.refused += status >= 400

    await load.steadily(rate, 1, read)
    loop = Loop(load)
    await loop.begin()
    cpu = running.cpu_seconds()
    late = await load.steadily(rate, 5, read)
    cpu = running.cpu_seconds() - cpu
    row(name, spread(late), f"{len(late):,} at {rate}/s, mixed, two pages in eleven")
    row("bar", f"p99 {BAR_READ_MS} ms", told_bar(quantile(late, 0.99) < BAR_READ_MS))
    row("server CPU", f"{1000 * cpu / len(late):.2f} ms/read", "")
    row("loop, reads", await loop.told(), "lateness while reads are answered")


async def measure_reads_beside_job(running: Running, load: Load, rate: float) -> None:
    """Read at a fixed rate while a job runs on the clients' core, and count its events."""
    asked = {"scenario": PAIR, "n": 10**9, "contributions": 0}
    job = (await load.ask("POST", f"{ROOT}/jobs/simulate", "", asked))["links"]["self"]
    while not (before := await load.ask("GET", job))["used"]["battles"]:
        await asyncio.sleep(0.1)
    for pid in [pid for server in running.servers for pid in children(server.pid)]:
        os.sched_setaffinity(pid, os.sched_getaffinity(0))
    begun = time.perf_counter()
    await measure_reads(running, load, rate, "reads with job")
    after, passed = await load.ask("GET", job), time.perf_counter() - begun
    played = after["used"]["battles"] - before["used"]["battles"]
    row(
        "events of the job", f"{(after['version'] - before['version']) / passed:.1f}/s", f"{played:,} battles meanwhile"
    )
    front = load.front(0)
    await front.http.send(request("DELETE", job, front.host))


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(each) for task in Path(f"/proc/{pid}/task").glob("*") for each in (task / "children").read_text().split()
    ]


async def measure(running: Running, arguments: argparse.Namespace) -> bool:
    """Load a server and print a row for each measurement; returns whether all ratings are as they should be."""
    database = Counted(running.database)
    load = Load([server.url for server in running.servers], database)
    numbers = iter(range(arguments.accounts))

    async def register() -> None:
        for number in numbers:
            await load.register(number)

    # Two passwords are hashed at a time; more are refused.
    await asyncio.gather(register(), register())
    most = await measure_matches(running, load, arguments.seconds)
    await measure_latency(load, PART * min(most, BAR_MATCHES), arguments.seconds)
    if arguments.reads:
        await measure_reads(running, load, arguments.reads)
        await measure_reads_beside_job(running, load, arguments.reads)
    for server in running.servers:
        row("memory", f"{resident_megabytes(server.pid):.0f} MB", f"{arguments.accounts:,} accounts")
    row("refused", str(load.refused), f"should be 0; {load.still_waiting:,} accounts came again before their match")
    load.close()
    await asyncio.sleep(2)
    compared, differing = recount(database)
    row("ratings", f"{differing} of {compared:,} differ", "computed again from the matches")
    row("checksum", database.checksum(), "of the matches' heads and the ratings, in order")
    database.close()
    return not differing


def spread(values: Sequence[float]) -> str:
    """The median and the worst hundredth, in milliseconds."""
    return f"p50 {quantile(values, 0.5):.0f} ms, p99 {quantile(values, 0.99):.0f} ms"


def told_bar(is_met: bool) -> str:
    """Whether a bar is met, in words."""
    return "met" if is_met else "not met; it is for a quiet machine and one process with SQLite"


def row(name: str, value: str, about: str) -> None:
    """Print a row."""
    print(f"{name:<16}{value:<34}{about}", flush=True)


def run(arguments: argparse.Namespace, folder: Path, stack: ExitStack) -> bool:
    """Start everything in an empty folder, load it, and check what it stored."""
    of_server, of_clients, of_postgresql = _cores(arguments.cores)
    os.sched_setaffinity(0, of_clients)
    (folder / "leagues").mkdir()
    # Strangers meet at once.
    league = LEAGUE.read_text(encoding="utf-8").replace('mode = "ranked"', 'mode = "ranked"\nwindow = 10000')
    (folder / "leagues" / "squads.toml").write_text(league, encoding="utf-8")
    postgresql, database = None, arguments.database or str(folder / "fracas.db")
    if database == "postgresql":
        postgresql = stack.enter_context(LivePostgresql(of_postgresql))
        database = postgresql.url
    options = ["--leagues", "leagues", "--database", database]
    if arguments.database:
        admin("migrate", options[2:], folder)
    options += ["--processes", str(arguments.processes)]
    # With as many cores as processes, each has its own.
    own = (
        [(core,) for core in of_server] if len(of_server) == arguments.processes else [of_server] * arguments.processes
    )
    servers = [
        LiveServer(folder, options, cores=cores, log=f"server-{number}.log") for number, cores in enumerate(own, 1)
    ]
    for name in ("start, empty", "start, again"):
        servers[0].stop()
        row(name, f"{servers[0].start():.2f} s", "until /readyz answers 200")
    for server in servers:
        stack.callback(server.stop)
    for server in servers[1:]:
        row("start, another", f"{server.start():.2f} s", "")
    is_right = asyncio.run(measure(Running(servers, postgresql, database), arguments))
    for server in servers:
        server.stop()
    faults = [fault for server in servers for fault in server.faults()]
    row("faults", str(len(faults)), "lines of the logs")
    begun = time.perf_counter()
    last = admin("check", options[:4], folder)
    row("admin check", last, f"{time.perf_counter() - begun:.0f} s")
    return is_right and not faults


def _cores(text: str) -> Iterator[tuple[int, ...]]:
    """The cores of the server, the clients and PostgreSQL, which by default shares those of the clients."""
    parts = [tuple(map(int, each.split(","))) for each in text.split(":")]
    return iter((parts[0], parts[1], parts[-1]))


def admin(command: str, options: Sequence[str], folder: Path) -> str:
    """Run a command of `fracas server`; returns the last line that it said.

    Raises:
        SystemExit: it failed.
    """
    line = [sys.executable, "-m", "fracas", "server", command, *options]
    found = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    if found.returncode:
        raise SystemExit(f"fracas server {command} ended with status {found.returncode}:\n{found.stdout}{found.stderr}")
    return (found.stdout.strip().splitlines() or [""])[-1]


def main() -> None:
    """Measure, and exit with status 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement of matches")
    parser.add_argument("--accounts", type=int, default=600)
    parser.add_argument("--reads", type=int, default=300, help="reads per second; 0 leaves them out")
    parser.add_argument("--cores", default="0:1", help="the server's cores, the clients' and PostgreSQL's")
    parser.add_argument("--database", help="postgresql, or the URL of an empty database; default: a SQLite file")
    parser.add_argument("--processes", type=int, default=1, help="how many; more than one need PostgreSQL")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        is_right = run(arguments, Path(name), stack)
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
