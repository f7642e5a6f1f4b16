"""A socket whose client went away keeps nobody waiting."""

from __future__ import annotations

import asyncio
from typing import cast

from starlette.websockets import WebSocket, WebSocketState

from fracas.server.tables.connection import Connection


class Gone:
    """A socket that was closed on the other side before anybody here heard of it."""

    client_state = application_state = WebSocketState.CONNECTED

    async def send_text(self, text: str) -> None:
        raise RuntimeError(text)

    async def close(self, code: int) -> None:
        raise AssertionError(code)


def test_nobody_waits_for_messages_to_who_has_gone_away():
    async def refused() -> None:
        connection = Connection(cast(WebSocket, Gone()))
        connection.start()
        connection.send("why not")
        connection.close(1008)
        await connection.flushed()
        connection.send("too late")
        connection.close(1008)
        await connection.flushed()

    asyncio.run(asyncio.wait_for(refused(), 5))
