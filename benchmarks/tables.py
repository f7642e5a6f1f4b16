"""Many live duels at once: how long from the second choice to both views, what that costs, and a kill in the middle.

    python benchmarks/tables.py --duels 2000 --thought 8 --seconds 60
    python benchmarks/tables.py --duels 200 --thought 0 --seconds 20    # as fast as it goes
    python benchmarks/tables.py --duels 200 --kill

Both players of each duel of titans are sockets of this process, which runs on a core of its own. First all duels get
through their handshakes. Then both sides of a duel think until their step has taken `--thought` seconds in the mean,
and choose something legal. Printed: choices a second, the time from the second choice of a step to both views, the
processor time of the server, and its memory idle and loaded. On a busy machine only the processor time means anything.
Accounts are written into the database, not registered.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random  # noqa: TID251  # how long people think; no battle sees it
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import live_server
import msgspec
import websockets
from live_server import LiveServer
from serve import cpu_seconds, quantile, resident_megabytes, row, spread
from websockets.asyncio.client import connect

from fracas.replay.table_file import table_salt_seal, verify_proof
from fracas.server.accounts import store, tokens
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import open_database

ROOT = "/api/v1"
NONCE = "a" * 64
AT_ONCE = 50
# Salts have a minute; a table whose players took longer never begins.
MOST_PATIENCE = 120
# So that no deadline falls into the handshakes of the others.
SECONDS = 600
# What 2,000 duels may take on an idle machine.
BAR_MS, BAR_MEGABYTES = 150, 400
# Of two exponential times the longer one takes half as long again in the mean.
LONGER_OF_TWO = 1.5


def encoded(kind: str, **payload: Any) -> str:
    """A message."""
    return msgspec.json.encode({"type": kind, "payload": payload}).decode()


@dataclass
class Duel:
    """One table, when the second choice of its current step was sent, and the rematch that follows it."""

    tokens: tuple[str, str]
    id: str = ""
    chosen: dict[int, set[int]] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    following: Duel | None = None
    ready: set[int] = field(default_factory=set)
    """The sides that have seen the first view."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Load:
    """All duels, and what was measured."""

    url: str
    thought: float
    go: asyncio.Event = field(default_factory=asyncio.Event)
    choices: int = 0
    steps: int = 0
    late: list[float] = field(default_factory=list)
    lost: int = 0
    over: dict[str, Duel] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    async def play(self, duel: Duel, side: int) -> None:
        """One player, who wants another duel after each; seats are swapped."""
        while (following := await self._duel(duel, side)) is not None:
            duel, side = following, 1 - side

    async def _duel(self, duel: Duel, side: int) -> Duel | None:
        """One duel of a player, who comes back when the connection is lost. Returns the next one."""
        address = f"{self.url.replace('http', 'ws', 1)}{ROOT}/tables/{duel.id}/live"
        headers = {"Authorization": f"Bearer {duel.tokens[side]}"}
        last = 0
        while True:
            try:
                patient = {"open_timeout": None, "ping_timeout": None}
                async with connect(address, additional_headers=headers, compression=None, **patient) as socket:
                    await socket.send(encoded("hello", last=last))
                    thinking: asyncio.Task[None] | None = None
                    async for text in socket:
                        found = msgspec.json.decode(text)
                        kind, payload = found["type"], found["payload"]
                        if kind == "over":
                            self.over.setdefault(duel.id, duel)
                            await socket.send(encoded("rematch"))
                        if kind == "error":
                            self.refused.append(payload["message"])
                        if kind == "welcome":
                            if payload["rematch"] is not None:
                                if duel.following is None:
                                    duel.following = Duel(duel.tokens[::-1], payload["rematch"])
                                return duel.following
                            await self._salt(socket, payload, side)
                        if kind == "round":
                            last = payload["step"]
                            self._measure(duel, last)
                        view = payload.get("view")
                        if view is not None and view["choices"] and view["chosen"] is None:
                            duel.ready.add(side)
                            if len(duel.ready) == 2:
                                duel.begun.set()
                            if thinking is not None:
                                thinking.cancel()
                            thinking = asyncio.create_task(self._choose(duel, side, socket, view))
            except (OSError, websockets.WebSocketException):
                self.lost += 1
                await asyncio.sleep(self.dice.uniform(0.2, 2))

    async def _salt(self, socket: Any, welcome: dict[str, Any], side: int) -> None:
        state, salt = welcome["table"]["state"], f"salt {side}"
        if state == "sealing" and welcome["seals"][side] is None:
            await socket.send(encoded("salt", seal=table_salt_seal(side + 1, salt, NONCE)))
        elif state == "opening" and welcome["salts"] is None:
            await socket.send(encoded("salt", salt=salt, nonce=NONCE))

    async def _choose(self, duel: Duel, side: int, socket: Any, view: dict[str, Any]) -> None:
        await self.go.wait()
        await asyncio.sleep(self.dice.expovariate(LONGER_OF_TWO / self.thought) if self.thought else 0)
        step = view["step"]
        choice = self.dice.choice(view["choices"])["choice"]
        sides = duel.chosen.setdefault(step, set())
        sides.add(side)
        if len(sides) == 2:
            duel.sent[step] = time.perf_counter()
        self.choices += 1
        try:
            await socket.send(encoded("choose", step=step, choice=choice))
        except websockets.WebSocketException:
            sides.discard(side)

    def _measure(self, duel: Duel, step: int) -> None:
        duel.seen[step] = duel.seen.get(step, 0) + 1
        if duel.seen[step] == 2:
            self.steps += 1
            if step in duel.sent:
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


async def opened(http: httpx.AsyncClient, duel: Duel) -> None:
    """Open a table and let both sit."""
    first, second = ({"Authorization": f"Bearer {each}"} for each in duel.tokens)
    body = {"game": "titans", "scenario": "standard", "seconds": SECONDS}
    duel.id = (await http.post(f"{ROOT}/tables", json=body, headers=first)).raise_for_status().json()["id"]
    (await http.post(f"{ROOT}/tables/{duel.id}/seat", json={}, headers=second)).raise_for_status()


async def measured(server: LiveServer, duels: list[Duel], load: Load, seconds: float, kills: bool) -> None:
    """Play for some seconds, and print what that took."""
    players: list[asyncio.Task[None]] = []
    room = asyncio.Semaphore(AT_ONCE)
    # None is kept: the server may close one in the moment in which it is used again.
    fresh = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=server.url, timeout=600, limits=fresh) as http:
        await opened(http, duels[0])  # The first table waits for the rules.
        idle = resident_megabytes(server.pid)
        row("idle", f"{idle:.0f} MB", "")

        async def begin(duel: Duel) -> None:
            async with room:
                await opened(http, duel)
                players.extend(asyncio.create_task(load.play(duel, side)) for side in (0, 1))
                await asyncio.wait_for(duel.begun.wait(), MOST_PATIENCE)

        begun, used = time.perf_counter(), cpu_seconds(server.pid)
        await asyncio.gather(*map(begin, duels))
    about = (
        f"{1000 * (cpu_seconds(server.pid) - used) / len(duels):.1f} ms of the server's processor time for each duel"
    )
    row("handshakes", f"{time.perf_counter() - begun:.1f} s", about)
    loaded = resident_megabytes(server.pid)
    load.go.set()
    begun, used, own = time.perf_counter(), cpu_seconds(server.pid), time.process_time()
    await asyncio.sleep(seconds / 2)
    if kills:
        used -= cpu_seconds(server.pid)
        before = {duel.id: len(duel.seen) for duel in duels}
        await asyncio.to_thread(server.kill)
        took = await asyncio.to_thread(server.start)
        row("killed", f"after {seconds / 2:.0f} s", f"ready again after {took:.1f} s")
    await asyncio.sleep(seconds / 2)
    used, own, passed = cpu_seconds(server.pid) - used, time.process_time() - own, time.perf_counter() - begun
    steps, late = load.steps, load.late[:]
    loaded = max(loaded, resident_megabytes(server.pid))
    row("memory", f"{loaded:.0f} MB", f"{loaded - idle:.0f} MB more than idle; {told(loaded - idle < BAR_MEGABYTES)}")
    row("steps", f"{steps / passed:.0f}/s", f"{steps:,} in {passed:.1f} s, {load.choices:,} choices")
    row("server CPU", f"{1000 * used / max(1, steps):.2f} ms/step", f"{used / passed:.0%} of a core")
    row("players' CPU", f"{1000 * own / max(1, steps):.2f} ms/step", f"{own / passed:.0%} of a core")
    is_met = bool(late) and quantile(late, 0.99) < BAR_MS / 1000
    row("to both views", spread([1000 * each for each in late]), f"from the second choice on; {told(is_met)}")
    row("connections", f"{load.lost:,} lost", f"{len(load.refused)} messages refused {sorted(set(load.refused))[:3]}")
    if kills:
        waited = time.perf_counter()
        while left := [each for each in duels if each.id not in load.over and len(each.seen) == before[each.id]]:
            if time.perf_counter() - waited > MOST_PATIENCE:
                break
            await asyncio.sleep(0.1)
        about = f"duels, after the kill; the last one {time.perf_counter() - waited:.0f} s after the end"
        row("went on", f"{len(duels) - len(left):,} of {len(duels):,}", f"{about} {[each.id for each in left[:3]]}")
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)


def told(is_met: bool) -> str:
    """Whether a bar is met, in words."""
    return "bar met" if is_met else "bar not met; it is for 2,000 duels, 8 seconds and an idle machine"


def check_proofs(server: LiveServer, over: Sequence[str]) -> None:
    """Verify the proofs of some duels that are over."""
    proofs = [httpx.get(f"{server.url}{ROOT}/tables/{each}/proof", timeout=60).json() for each in over[:100]]
    bad = [why for each in proofs if (why := verify_proof(each, "proof").explanation)]
    row("duels over", f"{len(over):,}", f"{len(proofs)} proofs checked, {len(bad)} wrong {bad[:1]}")


def main() -> None:
    """Measure, and print."""
    gc.disable()  # This process only looks: searching its own memory would hold up what it measures.
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duels", type=int, default=2_000)
    parser.add_argument("--thought", type=float, default=8.0, help="how long a step takes; 0: as fast as it goes")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kill", action="store_true", help="kill -9 in the middle, and start again")
    parser.add_argument("--cores", default="0:1", help="the server's core and the players'")
    given = parser.parse_args()
    of_server, of_players = map(int, given.cores.split(":"))
    os.sched_setaffinity(0, [of_players])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = accounts(folder, 2 * given.duels)
        for bound in ("SOCKETS_PER_ADDRESS", "MOST_CONNECTIONS"):
            live_server.ENVIRONMENT[f"FRACAS_SERVER_{bound}"] = str(10 * given.duels + 100)
        with LiveServer(folder, ["--services", "tables", "--sign-up", "open"], cores=[of_server]) as server:
            duels = [Duel(pair) for pair in zip(found[::2], found[1::2], strict=True)]
            load = Load(server.url, given.thought)
            asyncio.run(measured(server, duels, load, given.seconds, given.kill))
            check_proofs(server, list(load.over))
            row("faults", str(len(server.faults())), "lines of the log")


if __name__ == "__main__":
    main()
