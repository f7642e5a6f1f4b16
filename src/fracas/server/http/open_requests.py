"""How many requests are answered at a time.

One whose body is still arriving does not count: slow clients would lock readers out.
"""

from __future__ import annotations

from fracas.server.http.asgi import App, Receive, Scope, Send, send_problem
from fracas.server.http.links import ROOT
from fracas.server.http.problems import ApiProblem


class OpenRequests:
    """Answers 503 to a request when too many others are being answered."""

    def __init__(self, app: App, most: int) -> None:
        self._app, self._most, self._open = app, most, 0

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
            await self._app(scope, receive, send)
        finally:
            self._open -= 1


def busy() -> ApiProblem:
    """The answer of a server that has enough to do."""
    return ApiProblem("unavailable", "Too many requests are open.", headers={"Retry-After": "1"})
