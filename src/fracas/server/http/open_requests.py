"""How many requests are answered at a time, and how many begin in one turn of the event loop.

One whose body is still arriving does not count: slow clients would lock readers out.
"""

from __future__ import annotations

import asyncio
from collections import deque

from fracas.server.http.asgi import App, Receive, Scope, Send, send_problem
from fracas.server.http.links import ROOT
from fracas.server.http.problems import ApiProblem

# Requests that begin in one turn of the event loop. A hundred that arrive together would hold it for 20 ms.
AT_ONCE = 8


class Turns:
    """Lets some begin in each turn of the event loop, in the order in which they came."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = self._left = at_once
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def begin(self) -> None:
        """Wait for a turn that has room."""
        loop = asyncio.get_running_loop()
        if self._left == self._at_once:
            loop.call_soon(self._next_turn, loop)
        if self._left:
            self._left -= 1
            return
        turn = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _next_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        self._left = self._at_once
        while self._waiting and self._left:
            turn = self._waiting.popleft()
            # Who waited may be gone.
            if not turn.done():
                turn.set_result(None)
                self._left -= 1
        if self._left < self._at_once:
            loop.call_soon(self._next_turn, loop)


class OpenRequests:
    """Answers 503 to a request when too many others are being answered."""

    def __init__(self, app: App, most: int) -> None:
        self._app, self._most, self._open = app, most, 0
        self._turns = Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        # An event stream stays open for hours; each account has at most five.
        if scope["type"] != "http" or scope["path"] == f"{ROOT}/events":
            await self._app(scope, receive, send)
            return
        if self._open >= self._most:
            await send_problem(scope, send, busy())
            return
        self._open += 1
        try:
            await self._turns.begin()
            await self._app(scope, receive, send)
        finally:
            self._open -= 1


def busy() -> ApiProblem:
    """The answer of a server that has enough to do."""
    return ApiProblem("unavailable", "Too many requests are open.", headers={"Retry-After": "1"})
