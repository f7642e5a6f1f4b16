"""Hold thousands of half-open connections to a server on loopback, and measure whether reads go on.

    python scripts/soak/sockets.py --sockets 10000

Half of them send a part of a request's head, then one byte a second; the others a head, then so much of their body.
Linux gives a process all addresses of 127.0.0.0/8, so that one machine looks like many. Prints counts and
percentiles; the status is 1 if a read fails, or if the server does not end the slow ones in time.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
from live_server import live_server

HALF_HEAD = "GET /healthz HTTP/1.1\r\nHost: {host}\r\nX-Slow: "
HEAD = (
    "POST /api/v1/validate HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
)
PER_ADDRESS = 20
# Files of a process that are not these connections.
OTHER_FILES = 200
# What a busy machine may add to the server's bound of ten seconds.
GRACE_SECONDS = 20.0


@dataclass
class Held:
    """What became of the connections."""

    opened: int = 0
    refused: int = 0
    ended: int = 0
    open_at_once: int = 0
    most_at_once: int = 0
    longest: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)


@dataclass
class Reads:
    """How the reads went."""

    times: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def raised_limit(wanted: int) -> int:
    """Raise the limit of open files as far as the system allows; return how many connections fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted + OTHER_FILES if hard == resource.RLIM_INFINITY else min(hard, wanted + OTHER_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    return min(wanted, max(soft, most) - OTHER_FILES)


def address(number: int) -> str:
    """The loopback address of a connection: at most 20 connections share one."""
    place = number // PER_ADDRESS + 2
    return f"127.0.{place // 250}.{place % 250 + 1}"


async def hold(host: str, port: int, number: int, *, has_body: bool, held: Held, bound: float) -> None:
    """Open a connection, be slow, and wait until the server ends it."""
    try:
        reader, writer = await asyncio.open_connection(host, port, local_addr=(address(number), 0))
        writer.write((HEAD if has_body else HALF_HEAD).format(host=f"{host}:{port}").encode())
        await writer.drain()
    except OSError:
        held.refused += 1
        return
    held.opened += 1
    held.open_at_once += 1
    held.most_at_once = max(held.most_at_once, held.open_at_once)
    started = time.monotonic()
    drip = asyncio.create_task(_drip(writer))
    try:
        answer = await asyncio.wait_for(reader.read(), bound)
        held.ended += 1
        status = answer[9:12].decode("ascii", "replace") if answer else "closed"
        held.statuses[status] = held.statuses.get(status, 0) + 1
    except ConnectionError:
        held.ended += 1
        held.statuses["closed"] = held.statuses.get("closed", 0) + 1
    except TimeoutError:
        held.statuses["still open"] = held.statuses.get("still open", 0) + 1
    finally:
        held.longest = max(held.longest, time.monotonic() - started)
        held.open_at_once -= 1
        drip.cancel()
        writer.close()


async def _drip(writer: asyncio.StreamWriter) -> None:
    """One byte a second: a timer that begins again with each byte would never end this."""
    while True:
        await asyncio.sleep(1)
        try:
            writer.write(b"x")
            await writer.drain()
        except OSError:
            return


def read_on(url: str, found: Reads, ended: threading.Event) -> None:
    """Read until told to stop, in a thread of its own: the loop that opens connections would make reads look slow."""
    with httpx.Client(base_url=url, timeout=30) as client:
        while not ended.is_set():
            started = time.monotonic()
            try:
                answer = client.get("/api/v1/leagues")
                if answer.status_code != httpx.codes.OK:
                    found.failures.append(str(answer.status_code))
            except httpx.TransportError as error:
                found.failures.append(repr(error))
            found.times.append(time.monotonic() - started)
            ended.wait(0.05)


async def soak(url: str, sockets: int, seconds: float) -> Held:
    """Hold the connections, half of them with slow bodies, until the server has ended them."""
    parts = urlsplit(url)
    host, port = str(parts.hostname), int(parts.port or 80)
    held = Held()
    async with asyncio.TaskGroup() as slow:
        for number in range(sockets):
            bound = seconds + GRACE_SECONDS
            slow.create_task(hold(host, port, number, has_body=number % 2 == 1, held=held, bound=bound))
            if number % 100 == 99:
                await asyncio.sleep(0.01)
    return held


def main() -> int:
    """Run the soak and print what was found."""
    parser = argparse.ArgumentParser(description="Hold half-open connections while reads go on.")
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=10.0, help="the server's bound for heads and bodies")
    given = parser.parse_args()
    sockets = raised_limit(given.sockets)
    if sockets < given.sockets:
        print(f"the limit of open files allows {sockets:,} of {given.sockets:,} connections")
    bounds = {"header_seconds": str(given.seconds), "body_seconds": str(given.seconds), "rate_limit": "0"}
    with live_server(**bounds) as url:
        reads, ended = Reads(), threading.Event()
        thread = threading.Thread(target=read_on, args=(url, reads, ended))
        thread.start()
        try:
            held = asyncio.run(soak(url, sockets, given.seconds))
        finally:
            ended.set()
            thread.join()
    times, failures = sorted(reads.times), reads.failures
    print(f"connections: {held.opened:,} opened, {held.refused:,} refused, {held.most_at_once:,} at once")
    print(f"ended by the server: {held.ended:,}, the last after {held.longest:.1f} s; {held.statuses}")
    shares = [times[min(len(times) - 1, round(len(times) * share))] * 1000 for share in (0.5, 0.99, 1)]
    print("reads: {:,}, p50 {:.0f} ms, p99 {:.0f} ms, slowest {:.0f} ms".format(len(times), *shares))
    print(f"failed reads: {len(failures):,} {sorted(set(failures))[:5]}")
    return int(bool(failures) or held.ended != held.opened)


if __name__ == "__main__":
    sys.exit(main())
