"""One socket at a table: a bounded queue of what it is sent, and the rate of what it sends."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fracas.server_models.tables import LONGEST_MESSAGE, MOST_PER_SECOND

# Messages that may wait for a slow reader. A watcher who lags is dropped sooner.
MOST_WAITING, MOST_WAITING_WATCHER = 256, 64
HELLO_SECONDS = 5.0
# Codes that a socket is closed with (RFC 6455; those from 4000 on are ours).
GOING_AWAY, REFUSED, TOO_BIG, TRY_LATER, NO_TABLE, SIGNED_OUT = 1001, 1008, 1009, 1013, 4404, 4401


class Connection:
    """A socket, and whose it is."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.account: str | None = None
        self.side: int | None = None
        """The side, 0 or 1, of who is connected; None for who watches."""
        self.may_play = False
        """Whether the token that was shown allows more than reading."""
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._sender: asyncio.Task[None] | None = None
        self._reading: asyncio.Future[Any] | None = None
        self._room = float(MOST_PER_SECOND)
        self._asked = asyncio.get_running_loop().time()
        self._code = GOING_AWAY
        self._is_over = False

    def start(self) -> None:
        """Begin to send what is queued."""
        self._sender = asyncio.create_task(self._send_all())

    async def receive(self, seconds: float | None = None) -> str | None:
        """The next message; None at the end, or if none came in time.

        A message that is too large, or one too many, ends the connection.
        """
        reading = self._reading = asyncio.ensure_future(self.socket.receive())
        try:
            await asyncio.wait([reading], timeout=seconds)
        finally:
            reading.cancel()
        if not reading.done() or reading.cancelled() or reading.exception() is not None:
            return None
        message = reading.result()
        if message["type"] != "websocket.receive":
            return None
        text = message.get("text")
        if text is None:
            self._code = REFUSED
            return None
        if len(text.encode()) > LONGEST_MESSAGE:
            self._code = TOO_BIG
            return None
        if not self._has_room():
            self._code = REFUSED
            return None
        return str(text)

    def _has_room(self) -> bool:
        now = asyncio.get_running_loop().time()
        self._room = min(MOST_PER_SECOND, self._room + (now - self._asked) * MOST_PER_SECOND)
        self._asked = now
        self._room -= 1
        return self._room >= 0

    def send(self, text: str) -> None:
        """Queue a message; a reader who lags too far behind is dropped."""
        most = MOST_WAITING_WATCHER if self.side is None else MOST_WAITING
        if self._waiting.qsize() >= most:
            self.close(TRY_LATER)
        elif not self._is_over:
            self._waiting.put_nowait(text)

    def send_all(self, texts: Iterable[str]) -> None:
        """Queue messages in their order."""
        for text in texts:
            self.send(text)

    async def flushed(self) -> None:
        """Wait until all that is queued was handed to the network, or nobody is there any more."""
        await self._waiting.join()

    def close(self, code: int) -> None:
        """End the connection after what is queued."""
        self._code = code
        if not self._is_over:
            self._waiting.put_nowait(None)

    async def _send_all(self) -> None:
        try:
            # Who went away gets nothing; the receiving end hears of it.
            with suppress(RuntimeError, WebSocketDisconnect, OSError):
                while True:
                    text = await self._waiting.get()
                    try:
                        if text is None:
                            await self.socket.close(self._code)
                            if self._reading is not None:
                                self._reading.cancel()
                            return
                        await self.socket.send_text(text)
                    finally:
                        self._waiting.task_done()
        finally:
            self._drop()

    def _drop(self) -> None:
        """Let nobody wait for what is not sent any more."""
        self._is_over = True
        while not self._waiting.empty():
            self._waiting.get_nowait()
            self._waiting.task_done()

    async def stop(self) -> None:
        """Close the socket unless it is closed."""
        if self._sender is not None:
            self._sender.cancel()
        self._drop()
        is_open = WebSocketState.CONNECTED in (self.socket.client_state, self.socket.application_state)
        if is_open and self.socket.application_state is not WebSocketState.DISCONNECTED:
            with suppress(RuntimeError, WebSocketDisconnect, OSError):
                await self.socket.close(self._code)
