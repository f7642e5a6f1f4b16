"""WebSockets for tests: one at the application itself, without a network."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
from tests.helpers.serving import RunningServer

# On PostgreSQL the database tells of commits, at some time: seconds without a message after which none is expected.
QUIET = 0.5


class Socket:
    """A WebSocket of a server that runs in this process."""

    def __init__(self, server: RunningServer, path: str, token: str | None = None, **headers: str) -> None:
        self.server = server
        self._in: asyncio.Queue[Any] = asyncio.Queue()
        self._out: asyncio.Queue[Any] = asyncio.Queue()
        shown = {"host": httpx.URL(server.settings.url).netloc.decode(), **headers}
        if token is not None:
            shown["authorization"] = f"Bearer {token}"
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in shown.items()],
            "client": ("192.0.2.1", 50_000),
            "server": ("fracas.test", 80),
            "subprotocols": [],
        }
        self.heard: list[dict[str, Any]] = []
        self.texts: list[str] = []
        self.code: int | None = None
        self._task = server.wait(self._begin(scope))
        self._in.put_nowait({"type": "websocket.connect"})
        first = server.wait(self._next())
        self.is_open = first["type"] == "websocket.accept"
        if not self.is_open:
            self.code = first.get("code")

    async def _begin(self, scope: Any) -> asyncio.Task[None]:
        return asyncio.create_task(self.server.app(scope, self._in.get, self._out.put))

    async def _next(self) -> Any:
        async with asyncio.timeout(20):
            return await self._out.get()

    def say(self, kind: str, **payload: Any) -> None:
        """Send a message."""
        self.send(json.dumps({"type": kind, "payload": payload}))

    def send(self, text: str) -> None:
        """Send any text."""
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    def hear(self, kind: str | None = None) -> dict[str, Any]:
        """The payload of the next message; of the next of a kind, passing over others."""
        while True:
            message = self.server.wait(self._next())
            if message["type"] == "websocket.close":
                self.code = message["code"]
                raise EOFError(f"closed with {self.code}")
            text = message["text"]
            self.texts.append(text)
            found = json.loads(text)
            self.heard.append(found)
            if kind in (None, found["type"]):
                answer: dict[str, Any] = found if kind is None else found["payload"]
                return answer

    def settle(self) -> list[dict[str, Any]]:
        """All messages that arrive until nothing happens any more."""
        found: list[dict[str, Any]] = []

        async def rest() -> list[Any]:
            kept = []
            if self.server.database.is_sqlite:
                await self.server.settled()
                while not self._out.empty():
                    kept.append(self._out.get_nowait())
                return kept
            try:
                while True:
                    async with asyncio.timeout(QUIET):
                        kept.append(await self._out.get())
            except TimeoutError:
                return kept

        for message in self.server.wait(rest()):
            if message["type"] == "websocket.close":
                self.code = message["code"]
            else:
                self.texts.append(message["text"])
                found.append(json.loads(message["text"]))
        self.heard += found
        return found

    def leave(self) -> None:
        """Go away, as a closed page does."""

        async def left() -> None:
            self._in.put_nowait({"type": "websocket.disconnect", "code": 1001})
            await self._task

        self.server.wait(left())
