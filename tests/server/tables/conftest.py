"""Tables for tests: games without waiting for compiled code, two players, and what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import Client, RunningServer
from tests.helpers.sockets import Socket

import fracas
from fracas.kit import load
from fracas.replay.table_file import table_salt_seal

GAMES = Path(__file__).parents[3] / "examples" / "games"
ROOT = "/api/v1"
NONCES = ("a" * 64, "b" * 64)


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games of two shapes, played plain: one battle is sooner played than compiled."""
    monkeypatch.setenv("FRACAS_JIT", "0")
    with load.fresh():
        for name in ("roshambo", "cards", "skirmish"):
            fracas.use(GAMES / name / f"{name}.py")
        yield


class Table:
    """A table with two players, as a test drives it."""

    def __init__(self, server: RunningServer, game: str, *, quick: bool = False, **asked: Any) -> None:
        self.server = server
        number = server.clock.step(1)
        self.asked = {"game": game, **asked}
        self.is_quick = quick
        self.clients: list[Client] = [signed_in(server, f"p{side}-{number}") for side in (1, 2)]
        made = self.clients[0].post(f"{ROOT}/tables{'/quick' if quick else ''}", self.asked)
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        self.path = f"{ROOT}/tables/{self.id}"
        self.sockets: list[Socket] = []

    def sit(self) -> Table:
        """Let the second player sit down."""
        if self.is_quick:
            answer = self.clients[1].post(f"{ROOT}/tables/quick", self.asked)
            assert (answer.status_code, answer.json()["id"]) == (201, self.id), answer.text
            # Who sits where is drawn.
            first = answer.json()["seats"][0]["account"]["handle"]
            self.clients.sort(key=lambda each: each.get(f"{ROOT}/account").json()["handle"] != first)
        else:
            answer = self.clients[1].post(f"{self.path}/seat")
            assert answer.status_code == 200, answer.text
        return self

    def connect(self, side: int, last: int = 0) -> Socket:
        """Another page of a player, from whom hello was said."""
        socket = Socket(self.server, f"{self.path}/live", self.clients[side].token)
        socket.say("hello", last=last)
        return socket

    def watch(self) -> Socket:
        """A page of somebody who watches."""
        socket = Socket(self.server, f"{self.path}/live")
        socket.say("hello")
        return socket

    def begin(self) -> Table:
        """Sit, connect both, seal and open both salts."""
        self.sit()
        self.sockets = [self.connect(0), self.connect(1)]
        self.seal(0)
        self.seal(1)
        self.open(0)
        self.open(1)
        for socket in self.sockets:
            socket.settle()
        return self

    def seal(self, side: int) -> None:
        """Seal a salt."""
        seal = table_salt_seal(side + 1, f"salt {side}", NONCES[side])
        self.sockets[side].say("salt", seal=seal)
        self.sockets[side].settle()

    def open(self, side: int) -> None:
        """Open it."""
        self.sockets[side].say("salt", salt=f"salt {side}", nonce=NONCES[side])
        self.sockets[side].settle()

    def choose(self, side: int, step: int, choice: str) -> None:
        """Choose."""
        self.sockets[side].say("choose", step=step, choice=choice)

    def play_on(self, side: int, most: int = 1_000) -> None:
        """Take the last choice there is whenever a side decides, to the end; or resign after some choices."""
        socket = self.sockets[side]
        left = most
        while True:
            found = socket.hear()
            view = found["payload"].get("view")
            if found["type"] == "over":
                return
            if view is not None and side + 1 in view["deciding"]:
                # A socket takes 20 messages a second.
                self.server.wait(asyncio.sleep(0.05))
                left -= 1
                if left < 0:
                    socket.say("resign")
                    socket.hear("over")
                    return
                self.choose(side, view["step"], view["choices"][-1]["choice"])

    def stored(self) -> dict[str, Any]:
        """The table as the route answers it."""
        found: dict[str, Any] = self.clients[0].get(self.path).json()
        return found

    def proof(self) -> dict[str, Any]:
        """The proof."""
        found: dict[str, Any] = self.clients[0].get(f"{self.path}/proof").json()
        return found


@pytest.fixture
def new_table(sqlite_server: RunningServer):
    """Makes tables at a server."""

    def made(game: str = "roshambo", **asked: Any) -> Table:
        return Table(sqlite_server, game, **asked)

    return made
