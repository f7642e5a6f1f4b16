"""A client for load: keep-alive connections that send prepared bytes and read as little of an answer as they can.

It shares a core with the database and the checks of a measurement, so it must cost a fraction of the server's time.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

_END = b"\r\n\r\n"
_LENGTH = b"content-length:"


class Connection(asyncio.Protocol):
    """One connection: a request at a time."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._waiting: asyncio.Future[tuple[int, bytes]] | None = None
        self._parts = b""

    def connection_made(self, transport: Any) -> None:
        """Keep the transport."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer the waiting request once its answer is whole."""
        self._parts = data = self._parts + data if self._parts else data
        end = data.find(_END)
        if end < 0:
            return
        head = data[:end].lower()
        status = int(head[9:12])
        at = head.find(_LENGTH)
        length = 0 if at < 0 else int(head[at + len(_LENGTH) :].partition(b"\r\n")[0])
        if len(data) < end + len(_END) + length:
            return
        self._parts = b""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result((status, data[end + len(_END) :]))

    def connection_lost(self, error: Exception | None) -> None:
        """Fail the waiting request."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(error or ConnectionError("the server closed the connection"))
        self._transport = None

    @property
    def is_open(self) -> bool:
        """Whether it can send."""
        return self._transport is not None and not self._transport.is_closing()

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; returns the status and the body of its answer."""
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiting

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


class Connections:
    """Idle connections to one server, at most some at a time."""

    def __init__(self, host: str, port: int, most: int) -> None:
        self._host, self._port = host, port
        self._slots = asyncio.Semaphore(most)
        self._idle: list[Connection] = []

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send a request over an idle connection or a new one."""
        async with self._slots:
            while self._idle:
                connection = self._idle.pop()
                # The server may have closed an idle one a moment ago.
                if connection.is_open:
                    with suppress(ConnectionError):
                        return await self._send(connection, request)
            loop = asyncio.get_running_loop()
            _, connection = await loop.create_connection(Connection, self._host, self._port)
            return await self._send(connection, request)

    async def _send(self, connection: Connection, request: bytes) -> tuple[int, bytes]:
        answer = await connection.send(request)
        self._idle.append(connection)
        return answer

    def close(self) -> None:
        """Close all of them."""
        for each in self._idle:
            each.close()
        self._idle.clear()


def request(method: str, path: str, host: str, token: str = "", body: Any = None) -> bytes:
    """A request as bytes."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data
