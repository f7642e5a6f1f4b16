#!/usr/bin/env python3
"""Many live duels at once: how long from the second choice to both views, how much memory, and a kill in the middle.

    python benchmarks/tables.py --duels 2000 --thought 8 --seconds 60
    python benchmarks/tables.py --duels 200 --thought 0 --seconds 20    # as fast as it goes
    python benchmarks/tables.py --duels 200 --kill

Both players of each duel of titans are sockets of this process. Each thinks for an exponential time with the mean
`--thought`, and chooses something legal. Printed: choices a second, the time from the second choice of a step to both
views (p50, p99), the server's memory idle and loaded. Accounts are written into the database, not registered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random  # noqa: TID251  # how long people think; no battle sees it
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import live_server
import websockets
from live_server import LiveServer
from websockets.asyncio.client import connect

from fracas.replay.table_file import table_salt_seal, verify_proof
from fracas.server.accounts import store, tokens
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import open_database

ROOT = "/api/v1"
NONCE = "a" * 64
AT_ONCE = 50


@dataclass
class Duel:
    """One table and when the second choice of its current step was sent."""

    number: int
    tokens: tuple[str, str]
    id: str = ""
    chosen: dict[int, set[int]] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    is_over: bool = False


@dataclass
class Load:
    """All duels, and what was measured."""

    url: str
    thought: float
    ends: float = 0.0
    choices: int = 0
    late: list[float] = field(default_factory=list)
    lost: int = 0
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    async def play(self, duel: Duel, side: int) -> None:
        """One player, who comes back when the connection is lost."""
        address = f"{self.url.replace('http', 'ws', 1)}{ROOT}/tables/{duel.id}/live"
        headers = {"Authorization": f"Bearer {duel.tokens[side]}"}
        last = 0
        while time.perf_counter() < self.ends and not duel.is_over:
            try:
                async with connect(address, additional_headers=headers, compression=None) as socket:
                    await socket.send(json.dumps({"type": "hello", "payload": {"last": last}}))
                    thinking: asyncio.Task[None] | None = None
                    async with asyncio.timeout(max(0.1, self.ends - time.perf_counter())):
                        async for text in socket:
                            found = json.loads(text)
                            payload = found["payload"]
                            if found["type"] == "over":
                                duel.is_over = True
                                return
                            if found["type"] == "welcome":
                                await self._salt(socket, payload, side)
                            if found["type"] == "round":
                                last = payload["step"]
                                self._measure(duel, last)
                            view = payload.get("view")
                            if view is not None and view["choices"] and view["chosen"] is None:
                                if thinking is not None:
                                    thinking.cancel()
                                thinking = asyncio.create_task(self._choose(duel, side, socket, view))
            except TimeoutError:
                return
            except (OSError, websockets.WebSocketException):
                self.lost += 1
                await asyncio.sleep(0.3)

    async def _salt(self, socket: Any, welcome: dict[str, Any], side: int) -> None:
        state, salt = welcome["table"]["state"], f"salt {side}"
        if state == "sealing" and welcome["seals"][side] is None:
            seal = table_salt_seal(side + 1, salt, NONCE)
            await socket.send(json.dumps({"type": "salt", "payload": {"seal": seal}}))
        elif state == "opening" and welcome["salts"] is None:
            await socket.send(json.dumps({"type": "salt", "payload": {"salt": salt, "nonce": NONCE}}))

    async def _choose(self, duel: Duel, side: int, socket: Any, view: dict[str, Any]) -> None:
        await asyncio.sleep(self.dice.expovariate(1 / self.thought) if self.thought else 0)
        step = view["step"]
        choice = self.dice.choice(view["choices"])["choice"]
        sides = duel.chosen.setdefault(step, set())
        sides.add(side)
        if len(sides) == 2:
            duel.sent[step] = time.perf_counter()
        self.choices += 1
        try:
            await socket.send(json.dumps({"type": "choose", "payload": {"step": step, "choice": choice}}))
        except websockets.WebSocketException:
            sides.discard(side)

    def _measure(self, duel: Duel, step: int) -> None:
        duel.seen[step] = duel.seen.get(step, 0) + 1
        if duel.seen[step] == 2 and step in duel.sent:
            self.late.append(time.perf_counter() - duel.sent.pop(step))


def accounts(folder: Path, count: int) -> list[str]:
    """Tokens of new accounts."""
    database = open_database(str(folder / "fracas.db"))
    now = Clock().now_ms()
    found = []
    schema.migrate(database, Clock())
    with database.writing.begin() as connection:
        for number in range(count):
            identifier = store.create(connection, f"player-{number}", None, now)
            assert identifier is not None
            issued = tokens.issue(connection, identifier, tokens.SESSION, now, life=tokens.SESSION_LIFE)
            found.append(issued[0])
    database.close()
    return found


def memory_of(pid: int) -> float:
    """Resident memory of a process in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


async def opened(url: str, duels: list[Duel]) -> None:
    """Open all tables and let both sit."""
    room = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:

        async def one(duel: Duel) -> None:
            async with room:
                first, second = ({"Authorization": f"Bearer {each}"} for each in duel.tokens)
                body = {"game": "titans", "scenario": "standard", "seconds": 120}
                answer = await http.post(f"{ROOT}/tables", json=body, headers=first)
                duel.id = answer.raise_for_status().json()["id"]
                (await http.post(f"{ROOT}/tables/{duel.id}/seat", json={}, headers=second)).raise_for_status()

        await asyncio.gather(*map(one, duels))


async def measured(server: LiveServer, duels: list[Duel], thought: float, seconds: float, kills: bool) -> Load:
    """Play for some seconds."""
    await opened(server.url, duels)
    load = Load(server.url, thought, time.perf_counter() + seconds)
    players = [asyncio.create_task(load.play(duel, side)) for duel in duels for side in (0, 1)]
    await asyncio.sleep(seconds / 2)
    if kills:
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        print(f"killed and started again after {seconds / 2:.0f} s")
    else:
        print(f"memory with {len(duels):,} duels: {memory_of(server.pid):.0f} MB")
    await asyncio.gather(*players)
    return load


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duels", type=int, default=2_000)
    parser.add_argument("--thought", type=float, default=8.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kill", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = accounts(folder, 2 * given.duels)
        for bound in ("SOCKETS_PER_ADDRESS", "MOST_CONNECTIONS"):
            live_server.ENVIRONMENT[f"FRACAS_SERVER_{bound}"] = str(10 * given.duels + 100)
        with socket_port() as port:
            server = LiveServer(folder, ["--services", "tables", "--sign-up", "open"])
            server.port = port
        with server:
            time.sleep(15)  # Until the rules are compiled.
            print(f"memory idle: {memory_of(server.pid):.0f} MB")
            pairs = zip(found[::2], found[1::2], strict=True)
            duels = [Duel(number, pair) for number, pair in enumerate(pairs)]
            load = asyncio.run(measured(server, duels, given.thought, given.seconds, given.kill))
            late = sorted(load.late) or [0.0]
            print(
                f"{load.choices:,} choices, {load.choices / given.seconds:.0f} a second; {len(load.late):,} steps, "
                f"from the second choice to both views p50 {1000 * late[len(late) // 2]:.0f} ms, "
                f"p99 {1000 * late[int(len(late) * 0.99)]:.0f} ms; {load.lost} connections lost"
            )
            over = [duel for duel in duels if duel.is_over]
            proofs = [httpx.get(f"{server.url}{ROOT}/tables/{duel.id}/proof").json() for duel in over[:100]]
            bad = [why for each in proofs if (why := verify_proof(each, "proof").explanation)]
            print(f"{len(over):,} duels over, {len(proofs)} proofs checked, {len(bad)} wrong {bad[:1]}")


def socket_port() -> Any:
    """A free port, as a context manager."""
    import socket
    from contextlib import contextmanager

    @contextmanager
    def free() -> Any:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            yield found.getsockname()[1]

    return free()


if __name__ == "__main__":
    main()
